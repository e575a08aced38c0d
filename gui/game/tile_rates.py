"""How many of the finished games reached each tile: a bar for each, labeled directly."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.board.board_paint import mixed
from gui.game.records import Summary
from gui.style.theme import CAPTION, Theme
from gui.text.numbers import format_percent

_ROW_PX, _BAR_PX, _GAP_PX = 22, 8, 10


class TileRates(QWidget):
    """Bars of the shares in `Summary.tile_rates`, in the colors of the tiles."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._rates = theme, Summary().tile_rates
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rates(self, rates: tuple[tuple[int, float], ...]) -> None:
        """Show other shares, each an (exponent, share)."""
        self._rates = rates
        words = (f"{1 << exponent} in {format_percent(share)}" for exponent, share in rates)
        self.setAccessibleName("Games that reached " + ", ".join(words) if rates else "")
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colors."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return room for the rows there are."""
        return QSize(200, _ROW_PX * len(self._rates))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw a row for each tile: its name, its bar, its share."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = painter.font()
        font.setPixelSize(CAPTION)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        name_px = metrics.horizontalAdvance("131072") + _GAP_PX
        share_px = metrics.horizontalAdvance("100 %") + _GAP_PX
        for i, (exponent, share) in enumerate(self._rates):
            row = QRectF(0, i * _ROW_PX, self.width(), _ROW_PX)
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.setPen(self._theme.text)
            painter.drawText(row, middle, str(1 << exponent))
            right = middle | Qt.AlignmentFlag.AlignRight
            painter.drawText(row, right, format_percent(share))
            room = row.width() - name_px - share_px
            track = QRectF(name_px, row.center().y() - _BAR_PX / 2, room, _BAR_PX)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mixed(self._theme.background, self._theme.text, 0.08))
            painter.drawRoundedRect(track, _BAR_PX / 2, _BAR_PX / 2)
            track.setWidth(max(_BAR_PX, room * share))
            painter.setBrush(self._theme.accent)
            painter.drawRoundedRect(track, _BAR_PX / 2, _BAR_PX / 2)
