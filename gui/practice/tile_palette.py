"""The tiles to choose from while a board is edited."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QGridLayout, QSizePolicy, QWidget

from engine.platform.language import tr
from gui.board.board_paint import draw_tile
from gui.style.theme import app_theme, theme_source

_PER_ROW = 8


class _TileButton(QAbstractButton):
    def __init__(self, exponent: int) -> None:
        super().__init__()
        self.exponent = exponent
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        name = str(1 << exponent) if exponent else tr("Empty")
        self.setAccessibleName(name)
        self.setToolTip(name)
        theme_source().changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(38, 34)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(30, 30)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter, theme = QPainter(self), app_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = min(self.width(), self.height()) - 6.0
        box = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        if self.exponent:
            draw_tile(painter, box, self.exponent, theme, _short_name(self.exponent))
        else:
            painter.setPen(QPen(theme.text_muted, 1))
            painter.setBrush(theme.empty_cell)
            painter.drawRoundedRect(box, side * 0.1, side * 0.1)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.isChecked():
            painter.setPen(QPen(theme.accent, 2.5))
            painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), side * 0.13, side * 0.13)
        if self.hasFocus():  # inside of the ring of the chosen one
            painter.setPen(QPen(theme.focus, theme.focus_px))
            painter.drawRoundedRect(box.adjusted(2, 2, -2, -2), side * 0.08, side * 0.08)


class TilePalette(QWidget):
    """Two rows of tiles, one of them chosen.

    Signals
    -------
    chosen : int
        The exponent picked.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._buttons: list[_TileButton] = []
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        for exponent in range(16):
            button = _TileButton(exponent)
            self._buttons.append(button)
            self._group.addButton(button, exponent)
            layout.addWidget(button, *divmod(exponent, _PER_ROW))
        self._group.idClicked.connect(self.chosen)

    def offer(self, exponents: Sequence[int], chosen: int) -> None:
        """Enable the tiles that may be placed and check one."""
        for button in self._buttons:
            button.setVisible(button.exponent in exponents)
        self.choose(chosen)

    def choose(self, exponent: int) -> None:
        """Check one tile."""
        self._buttons[exponent].setChecked(True)


def _short_name(exponent: int) -> str:
    return str(1 << exponent) if exponent < 10 else f"{1 << (exponent - 10)}k"
