"""Bars for the last days: mistakes upward, correct and wrong answers in drills downward."""

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from coach.mistakes.statistics import Day
from engine.platform.language import tr, trn
from engine.platform.quantities import day_text
from gui.board.board_paint import mixed
from gui.style.theme import CAPTION, app_theme, theme_source, with_tabular_figures
from gui.text.answers import loss_text
from gui.text.dates import format_date

_HEIGHT, _LABEL_PX, _LEFT_PX, _MAX_BAR_PX = 190, 18, 30, 18
_WIDE_DATE = date(2000, 9, 30)


class DayChart(QWidget):
    """A simple chart: a zero line, bars, the largest numbers on the left, dates below."""

    def __init__(self) -> None:
        super().__init__()
        theme_source().changed.connect(self.update)
        self._days: Sequence[Day] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Mistakes and answers by day"))

    @property
    def days(self) -> Sequence[Day]:
        """The days shown, ascending."""
        return self._days

    def show_days(self, days: Sequence[Day]) -> None:
        """Show these days, ascending and without gaps."""
        self._days = days
        made = sum(day.n_mistakes for day in days)
        answered = sum(day.n_right + day.n_wrong for day in days)
        text = tr(
            "{made} mistakes and {answered} answers in {days} days",
            made=made,
            answered=answered,
            days=len(days),
        )
        self.setAccessibleDescription(text)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return a wide, low box."""
        return QSize(480, _HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the minimum size at which bars are distinguishable."""
        return QSize(240, _HEIGHT)

    def day_at(self, x: float) -> Day | None:
        """Return the day whose bars are at a position."""
        at = int((x - _LEFT_PX) / self._step) if self._days and x >= _LEFT_PX else -1
        return self._days[at] if 0 <= at < len(self._days) else None

    def event(self, event: QEvent) -> bool:
        """Show the numbers of the day under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            day = self.day_at(event.pos().x())
            QToolTip.showText(event.globalPos(), describe_day(day) if day else "", self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the chart."""
        if not self._days:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = painter.font()
        font.setPixelSize(CAPTION)
        painter.setFont(with_tabular_figures(font))
        up = max(1, *(day.n_mistakes for day in self._days))
        down = max(0, *(day.n_right + day.n_wrong for day in self._days))
        area = QRectF(_LEFT_PX, 8, self.width() - _LEFT_PX, self.height() - _LABEL_PX - 12)
        # Each side gets the space for its largest number, but at least a third.
        share = min(2 / 3, max(1 / 3, up / (up + down))) if down else 1.0
        zero = area.top() + area.height() * share
        self._draw_axis(painter, area, zero, up, down)
        for at, day in enumerate(self._days):
            left = _LEFT_PX + at * self._step
            self._draw_day(painter, left, zero, day, (zero - area.top()) / up,
                           (area.bottom() - zero) / max(1, down))  # fmt: skip
        self._draw_dates(painter, area.bottom() + 4)

    @property
    def _step(self) -> float:
        return (self.width() - _LEFT_PX) / max(1, len(self._days))

    def _draw_axis(self, painter: QPainter, area: QRectF, zero: float, up: int, down: int) -> None:
        theme = app_theme()
        painter.setPen(QPen(mixed(theme.background, theme.text, 0.25), 1))
        painter.drawLine(QPointF(_LEFT_PX, zero), QPointF(self.width(), zero))
        painter.setPen(theme.text_muted)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, area.top() - 4, _LEFT_PX - 8, 14), right, str(up))
        if down:
            painter.drawText(QRectF(0, area.bottom() - 10, _LEFT_PX - 8, 14), right, str(down))

    def _draw_day(
        self, painter: QPainter, left: float, zero: float, day: Day, per_up: float, per_down: float
    ) -> None:
        theme = app_theme()
        width = min(_MAX_BAR_PX, self._step * 0.7)
        x = left + (self._step - width) / 2
        self._draw_bar(painter, x, zero - day.n_mistakes * per_up, width,
                       day.n_mistakes * per_up, theme.accent)  # fmt: skip
        right, wrong = day.n_right * per_down, day.n_wrong * per_down
        self._draw_bar(painter, x, zero + 1, width, right, theme.good)
        self._draw_bar(painter, x, zero + 1 + right, width, wrong, theme.bad)

    def _draw_bar(
        self, painter: QPainter, x: float, top: float, width: float, height: float, color: QColor
    ) -> None:
        if height > 0:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawRect(QRectF(x, top, width, max(1.0, height)))

    def _draw_dates(self, painter: QPainter, top: float) -> None:
        painter.setPen(app_theme().text_muted)
        room = painter.fontMetrics().horizontalAdvance(day_text(_WIDE_DATE)) + 16
        for at, left in self.date_places(room):
            place = QRectF(left, top, room, _LABEL_PX)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, day_text(self._days[at].date))

    def date_places(self, room: float) -> list[tuple[int, float]]:
        """Return the days with dates, latest first, and the position of each date.

        Parameters
        ----------
        room : float
            The width of a date, including the gap to the next one.
        """
        places: list[tuple[int, float]] = []
        end = float(self.width())
        for at in range(len(self._days) - 1, -1, -1):
            middle = _LEFT_PX + (at + 0.5) * self._step
            left = min(max(0.0, middle - room / 2), self.width() - room)
            if left + room <= end:
                places.append((at, left))
                end = left
        return places


def describe_day(day: Day) -> str:
    """Return the numbers of a day."""
    n, when = day.n_mistakes, format_date(day.date)
    if n:
        made = trn(
            "{date}: {n} mistake, {loss} lost on average",
            "{date}: {n} mistakes, {loss} lost on average",
            n,
            date=when,
            loss=loss_text(day.loss / n),
        )
    else:
        made = tr("{date}: 0 mistakes", date=when)
    if not day.n_right + day.n_wrong:
        return made
    return tr(
        "{made}; drilled: {right} right, {wrong} wrong",
        made=made,
        right=day.n_right,
        wrong=day.n_wrong,
    )
