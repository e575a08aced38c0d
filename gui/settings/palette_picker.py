"""Tile palettes to choose from, each shown as a strip of its tiles."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QVBoxLayout, QWidget

from gui.style.theme import Theme

_SHOWN = (1, 3, 5, 7, 8, 9, 10, 11, 12, 13, 15)  # exponents


class PaletteStrip(QAbstractButton):
    """One palette; checked when chosen."""

    def __init__(self, title: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setText(title)
        self.setAccessibleName(f"Tile palette {title}")
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Draw other colors."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return room for the name and the tiles."""
        return QSize(300, 68)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw name and tiles, and a frame when chosen."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme
        edge = theme.accent if self.isChecked() else theme.border
        if self.hasFocus():
            edge = theme.focus
        width = 2 if self.isChecked() or self.hasFocus() else 1
        painter.setPen(QPen(edge, width))
        painter.setBrush(theme.raised)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        painter.setPen(theme.text if self.isChecked() else theme.text_muted)
        name = QRectF(12, 6, self.width() - 24, 20)
        text = f"{self.text()}  \u2713" if self.isChecked() else self.text()
        painter.drawText(name, int(Qt.AlignmentFlag.AlignVCenter), text)
        self._draw_tiles(painter)

    def _draw_tiles(self, painter: QPainter) -> None:
        room, gap = self.width() - 24, 4
        count = max(1, min(len(_SHOWN), (room + gap) // 30))
        side = min(40.0, (room - (count - 1) * gap) / count)
        font = QFont(self.font())
        font.setWeight(QFont.Weight.Bold)
        painter.setPen(Qt.PenStyle.NoPen)
        for i, exponent in enumerate(_SHOWN[-count:] if count < 5 else _SHOWN[:count]):
            fill, ink = self._theme.tile_colors(exponent)
            rect = QRectF(12 + i * (side + gap), 30, side, 28)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            painter.drawRoundedRect(rect, 4, 4)
            label = str(1 << exponent)
            font.setPixelSize(12 if len(label) < 4 else 10)
            painter.setFont(font)
            painter.setPen(ink)
            if painter.fontMetrics().horizontalAdvance(label) < side:
                painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), label)


class PalettePicker(QWidget):
    """A strip for each palette.

    Signals
    -------
    chosen : str
        The name of the palette that a person chose.
    """

    chosen = Signal(str)

    def __init__(self, palettes: Mapping[str, str], value: str, theme: Theme) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        self.strips: dict[str, PaletteStrip] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for name, title in palettes.items():
            strip = PaletteStrip(title, theme)
            strip.setChecked(name == value)
            strip.clicked.connect(lambda _=False, name=name: self.chosen.emit(name))
            self._group.addButton(strip)
            column.addWidget(strip)
            self.strips[name] = strip
