"""Four rates in four short lines, best first, with the played move marked."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from coach.grading.grade import UINT32, Grade, Judgement, Tolerance
from coach.grading.names import move_title
from engine.platform.language import listed, tr
from gui.board.board_paint import mixed
from gui.board.grade_mark import draw_grade
from gui.style.icons import draw_icon
from gui.style.theme import BODY, CAPTION, app_theme, theme_source, with_tabular_figures
from gui.text.rates import (
    DIRECTION_NAMES,
    Rates,
    describe_loss,
    format_rates,
    is_only_allowed,
    without_unit,
)

_ROW_PX, _MARK_PX, _GAP_PX = 29, 13, 6
_MIN_PX = 192  # arrow, `99.9685 %`, `−0.00015`, star, and gaps


class RateRows(QWidget):
    """The rates of a position's moves: direction, rate, loss.

    Illegal moves are absent; the best have a star, the played one a tinted background and its grade
    mark.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme_source().changed.connect(self.update)
        self._rates: Rates = (None,) * 4
        self._judgement: Judgement | None = None
        self._tolerance = UINT32
        self._figures: list[str] = [""] * 4
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Rates of the position before"))
        self.setToolTip(tr("What each move was worth, and how many points it lost"))

    @property
    def rates(self) -> Rates:
        """The rates shown, LEFT RIGHT UP DOWN."""
        return self._rates

    def show_move(
        self, rates: Rates, judgement: Judgement | None, tolerance: Tolerance = UINT32
    ) -> None:
        """Show the rates of a position and which of its moves was played."""
        self._rates, self._judgement, self._tolerance = rates, judgement, tolerance
        self._figures = format_rates(rates, tolerance)
        self.setAccessibleDescription(listed(self.lines()) or tr("No move yet"))
        self.update()

    def lines(self) -> list[str]:
        """Return the lines as text, best first: `Up 99.3100 %, best` and so on."""
        return [self._line(direction, rate) for direction, rate in self._ordered()]

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return room for four lines."""
        return QSize(190, 4 * _ROW_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the minimum size at which no figure is cut off."""
        return QSize(_MIN_PX, 4 * _ROW_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw a line for each move."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for i, (direction, rate) in enumerate(self._ordered()):
            row = QRectF(0, i * _ROW_PX, self.width(), _ROW_PX - 3)
            self._draw_row(painter, row, direction, rate)

    def _draw_row(self, painter: QPainter, row: QRectF, direction: int, rate: float) -> None:
        theme, judgement = app_theme(), self._judgement
        is_played = bool(judgement and judgement.direction == direction)
        is_best = bool(judgement and direction in judgement.best)
        if is_played:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mixed(theme.raised, theme.text, 0.09))
            painter.drawRoundedRect(row, 6, 6)
        color = theme.text if is_best or is_played else theme.text_muted
        arrow = QRectF(row.left() + 6, row.center().y() - 6, 12, 12)
        draw_icon(painter, f"arrow_{DIRECTION_NAMES[direction]}", arrow, color)
        painter.setPen(color)
        painter.setFont(_font(painter.font(), BODY, is_played))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(row.adjusted(25, 0, 0, 0), int(middle), self._figures[direction])
        figure_px = painter.fontMetrics().horizontalAdvance(self._figures[direction])
        if not self._is_highest(direction, rate):  # there the star shows it
            painter.setFont(_font(painter.font(), CAPTION))
            side = int(middle | Qt.AlignmentFlag.AlignRight)
            room = row.width() - 25 - figure_px - _GAP_PX - 24
            text = self.caption(direction, painter.fontMetrics(), room)
            painter.drawText(row.adjusted(0, 0, -24, 0), side, text)
        mark = QRectF(row.right() - 19, row.center().y() - _MARK_PX / 2, _MARK_PX, _MARK_PX)
        if is_played and judgement:
            draw_grade(painter, mark, judgement.grade, theme)
        elif is_best:
            draw_grade(painter, mark, Grade.PERFECT, theme)

    def _ordered(self) -> list[tuple[int, float]]:
        found = [(d, rate) for d, rate in enumerate(self._rates) if rate is not None]
        return sorted(found, key=lambda one: (-one[1], one[0]))

    def _line(self, direction: int, rate: float) -> str:
        values = {
            "move": move_title(direction),
            "rate": self._figures[direction],
            "loss": self._caption(direction, rate),
        }
        if self._judgement and self._judgement.direction == direction:
            return tr("{move} {rate}, {loss}, played", **values)
        return tr("{move} {rate}, {loss}", **values)

    def _is_highest(self, direction: int, rate: float) -> bool:
        """Return whether a move has the highest rate, rather than just counting as best."""
        judgement = self._judgement
        if judgement is None or direction not in judgement.best:
            return False
        return not is_only_allowed(rate, judgement.best_rate, self._tolerance)

    def _caption(self, direction: int, rate: float) -> str:
        judgement = self._judgement
        if judgement is None:
            return ""
        if direction in judgement.best:
            return tr("best") if self._is_highest(direction, rate) else tr("equal")
        return describe_loss(rate, judgement.best_rate)

    def caption(self, direction: int, metrics: QFontMetrics, room: float) -> str:
        """Return the caption of a move, without its unit if that doesn't fit."""
        rate = self._rates[direction]
        text = "" if rate is None else self._caption(direction, rate)
        return text if metrics.horizontalAdvance(text) <= room else without_unit(text)


def _font(font: QFont, pixels: int, is_strong: bool = False) -> QFont:
    sized = with_tabular_figures(QFont(font))
    sized.setPixelSize(pixels)
    sized.setWeight(QFont.Weight.DemiBold if is_strong else QFont.Weight.Normal)
    return sized
