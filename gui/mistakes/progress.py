"""Progress: totals, a chart by day, progress per table, and the filing rules."""

from collections.abc import Sequence
from datetime import date, timedelta

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QSpinBox, QToolTip, QWidget

from coach.days import Today
from coach.grading.grade import Grade
from coach.grading.names import grade_word
from coach.mistakes.drill import Drill, Progress
from coach.mistakes.mistake import TableKey
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.statistics import Day, Statistics, statistics
from coach.mistakes.to_drill import LIMITS, first_filed
from engine.platform.language import mark, tr, trc, trn
from engine.platform.quantities import day_text
from gui.board.board_paint import mixed
from gui.settings_model.settings import Settings
from gui.style.layout import STRETCH, card, clear_layout, column, grid_layout, laid_out, row
from gui.style.theme import CAPTION, app_theme, smooth_painter, theme_source, with_tabular_figures
from gui.text.answers import table_title
from gui.text.dates import format_date
from gui.text.numbers import format_percent
from gui.widgets.board_layout import MARGIN, scroll_area
from gui.widgets.buttons import button
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.grade_bar import GradeBar
from gui.widgets.labels import Figure, label
from gui.widgets.list_filter import Choices
from gui.work.mistake_service import MistakeService

_DAYS, _FIGURE_PX = 30, 104
_FIGURES = (mark("To drill"), mark("Retired"), mark("Answers"), mark("Correct"))
_NUMBER = "{number}"  # the placeholder for a field in a sentence
_HEIGHT, _LABEL_PX, _MAX_BAR_PX, _NUMBER_PX = 190, 18, 18, 14
_WIDE_DATE = date(2000, 9, 30)


class DayChart(QWidget):
    """A simple chart: a zero line, bars with their numbers, dates below."""

    def __init__(self) -> None:
        super().__init__()
        theme_source().changed.connect(self.update)
        self.days: Sequence[Day] = ()  # ascending, without gaps
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Mistakes and answers by day"))

    def show_days(self, days: Sequence[Day]) -> None:
        self.days = days
        made = sum(day.n_mistakes for day in days)
        answered = sum(day.n_right + day.n_wrong for day in days)
        text = mark("{made} mistakes and {answered} answers in {days} days")
        self.setAccessibleDescription(tr(text, made=made, answered=answered, days=len(days)))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(480, _HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(240, _HEIGHT)

    def day_at(self, x: float) -> Day | None:
        """Return the day whose bars are at a position."""
        at = int(x / self._step)
        return self.days[at] if 0 <= at < len(self.days) else None

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            day = self.day_at(event.pos().x())
            QToolTip.showText(event.globalPos(), describe_day(day) if day else "", self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        if not self.days:
            return
        painter = smooth_painter(self)
        font = painter.font()
        font.setPixelSize(CAPTION)
        painter.setFont(with_tabular_figures(font))
        up = max(1, *(day.n_mistakes for day in self.days))
        down = max(0, *(day.n_right + day.n_wrong for day in self.days))
        area = QRectF(0, _NUMBER_PX, self.width(), self.height() - _LABEL_PX - 2 * _NUMBER_PX - 4)
        # Each side gets the space for its largest number, but at least a third.
        share = min(2 / 3, max(1 / 3, up / (up + down))) if down else 1.0
        zero = area.top() + area.height() * share
        painter.setPen(QPen(mixed(app_theme().background, app_theme().text, 0.25), 1))
        painter.drawLine(QPointF(0, zero), QPointF(self.width(), zero))
        for at, day in enumerate(self.days):
            left = at * self._step
            per_up, per_down = (zero - area.top()) / up, (area.bottom() - zero) / max(1, down)
            self._draw_day(painter, left, zero, day, per_up, per_down)
        self._draw_dates(painter, area.bottom() + _NUMBER_PX + 4)

    @property
    def _step(self) -> float:
        return self.width() / max(1, len(self.days))

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
        painter.setPen(theme.text_muted)
        for number, edge in (
            (day.n_mistakes, zero - day.n_mistakes * per_up - _NUMBER_PX),
            (day.n_right + day.n_wrong, zero + 1 + right + wrong),
        ):
            if number and painter.fontMetrics().horizontalAdvance(str(number)) <= self._step:
                place = QRectF(left, edge, self._step, _NUMBER_PX)
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(number))

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
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, day_text(self.days[at].date))

    def date_places(self, room: float) -> list[tuple[int, float]]:
        """Return the days with dates, latest first, and the left of each, `room` px wide."""
        places: list[tuple[int, float]] = []
        end = float(self.width())
        for at in range(len(self.days) - 1, -1, -1):
            middle = (at + 0.5) * self._step
            left = min(max(0.0, middle - room / 2), self.width() - room)
            if left + room <= end:
                places.append((at, left))
                end = left
        return places


def describe_day(day: Day) -> str:
    made = trn(
        "{date}: {n} mistake", "{date}: {n} mistakes", day.n_mistakes, date=format_date(day.date)
    )
    if not day.n_right + day.n_wrong:
        return made
    return tr(
        "{made}; drilled: {right} correct, {wrong} wrong",
        made=made,
        right=day.n_right,
        wrong=day.n_wrong,
    )


class MistakesProgress(QWidget):
    """Statistics of all mistakes, or of one table's."""

    drill_requested = Signal(object)
    failed = Signal(object)

    def __init__(self, store: MistakeService, settings: Settings) -> None:
        super().__init__()
        self._store = store
        self._n_requests = 0
        self.figures = {name: Figure(tr(name)) for name in _FIGURES}
        self.grade_bar, self.chart = GradeBar(), DayChart()
        self.filing = _FilingFields(settings)
        self.tables = grid_layout(space=(16, 4), wide=(0,))
        flow = FlowLayout(figures := QWidget(), space=16, column_width=_FIGURE_PX)
        for figure in self.figures.values():
            flow.addWidget(figure)
        worst = label(tr("All of them, by worst attempt"), "caption")
        ups = tr("Up: mistakes in games. Down: drill answers, correct and wrong.")
        cards = column(
            card(figures, worst, self.grade_bar),
            card(
                label(tr("Last {n} days", n=_DAYS), "strong"),
                label(ups, "caption", wraps=True),
                self.chart,
            ),
            card(label(tr("Tables"), "strong"), self.tables),
            card(label(tr("What you drill, and how often"), "strong"), self.filing),
            STRETCH,
            space=16,
            margins=(MARGIN, 4, MARGIN, 24),
        )
        column(scroll_area(laid_out(cards)), parent=self)

    def refresh(self, key: TableKey | None, today: Today) -> None:
        self._n_requests += 1
        number = self._n_requests

        since = today.began - timedelta(days=_DAYS)  # a day more than shown: for daylight saving

        def work(mistakes: Mistakes) -> tuple[Statistics, list[Progress]]:
            counts = statistics(mistakes, None, today.begins, key, since)
            return counts, Drill(mistakes).progress(today)

        def done(results: tuple[Statistics, list[Progress]]) -> None:
            if number == self._n_requests:
                self._show(*results, today.day)

        self._store.ask(work, done, self.failed.emit)

    def _show(self, counts: Statistics, tables: list[Progress], day: date) -> None:
        share = (
            format_percent(counts.n_right / counts.n_answers) if counts.n_answers else "\N{EN DASH}"
        )
        values = (
            f"{counts.n_mistakes - counts.n_retired:,}",
            f"{counts.n_retired:,}",
            f"{counts.n_answers:,}",
            share,
        )
        for figure, value in zip(self.figures.values(), values, strict=True):
            figure.show_value(value)
        self.grade_bar.show_counts(counts.by_grade)
        self.chart.show_days(counts.last_days(day, _DAYS))
        self._show_tables(tables)

    def _show_tables(self, tables: list[Progress]) -> None:
        clear_layout(self.tables)
        for grid_column, title in enumerate(_column_titles()):
            self.tables.addWidget(_cell(title, "caption", grid_column > 0), 0, grid_column)
        for grid_row, table in enumerate(tables, 1):
            answers = table.n_right + table.n_wrong
            share = format_percent(table.n_right / answers) if answers else "\N{EN DASH}"
            n_active = table.n_mistakes - table.n_retired
            numbers = (n_active, table.n_due, table.n_new, table.n_retired)
            texts = (table_title(table.key), *(f"{number:,}" for number in numbers), share)
            for grid_column, text in enumerate(texts):
                self.tables.addWidget(_cell(text, "", grid_column > 0), grid_row, grid_column)
            drill = button(tr("Drill"), "quiet")
            drill.setAccessibleName(tr("Drill {table}", table=table_title(table.key)))
            drill.setEnabled(n_active > 0)
            drill.clicked.connect(lambda _=False, key=table.key: self.drill_requested.emit(key))
            self.tables.addWidget(drill, grid_row, len(texts))


class _FilingFields(QWidget):
    """Three of the settings, each in a sentence."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        choices = {_or_worse(grade): limit for grade, limit in LIMITS.items()}
        self.grade_combo = Choices(tr("Moves to drill"), choices)
        self.retire_spin, self.new_spin = QSpinBox(), QSpinBox()
        self.retire_spin.setRange(0, 99)
        self.retire_spin.setSpecialValueText(tr("never"))
        self.new_spin.setRange(0, 1000)
        rows = (
            (tr("Moves to drill: {number}"), self.grade_combo),
            (tr("Retire a position after {number} correct answers in a row"), self.retire_spin),
            (tr("Show up to {number} new positions per day"), self.new_spin),
        )
        box = column(parent=self)
        for sentence, spin in rows:
            before, after = (part.strip() for part in sentence.split(_NUMBER))
            if after:
                spin.setAccessibleName(sentence.replace(_NUMBER, "..."))
            spin.setMinimumWidth(120)
            box.addLayout(row(QLabel(before), spin, QLabel(after), STRETCH))
        self._settings = settings
        self._show_values()
        settings.changed.connect(self._show_values)
        self.grade_combo.activated.connect(
            lambda _: settings.set("mistakes.threshold", self.grade_combo.currentData())
        )
        self.retire_spin.valueChanged.connect(
            lambda count: settings.set("mistakes.retire_after", count)
        )
        self.new_spin.valueChanged.connect(lambda n: settings.set("mistakes.new_per_day", n))

    def _show_values(self, *_: object) -> None:
        get = self._settings.get
        first = LIMITS[first_filed(get("mistakes.threshold"))]
        self.grade_combo.setCurrentIndex(self.grade_combo.findData(first))
        self.retire_spin.setValue(get("mistakes.retire_after"))
        self.new_spin.setValue(get("mistakes.new_per_day"))


def _column_titles() -> Sequence[str]:
    return (
        trc("column", "Table"),
        tr("To drill"),
        trc("column", "Due"),
        trc("column", "New"),
        tr("Retired"),
        tr("Correct"),
    )


def _or_worse(grade: Grade) -> str:
    if grade is Grade.DISASTER:
        return tr("disasters only")
    return tr("{grade} or worse", grade=grade_word(grade))


def _cell(text: str, role: str, is_number: bool) -> QLabel:
    text_label = label(text, role)
    if is_number:
        text_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return text_label
