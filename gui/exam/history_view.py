"""All tests so far: a chart over time, and a row for each."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from coach.days import Today
from coach.exam.history import ExamQuery, FinishedTest, formation_of
from coach.grading.names import (
    CHANCE_KEPT,
    CHANCE_KEPT_TIP,
    PERFECT_MOVES,
    POINTS_LOST,
    grade_word,
    perfect_text,
)
from coach.mistakes.to_drill import THRESHOLD, count_to_drill, first_filed
from coach.play.rules import TARGET, ExamGoal
from engine.platform.language import mark, sentences, tr, trc, trn
from gui.charts.line_chart import LineChart, Series, mean_series
from gui.exam.text import (
    allowance_text,
    goal_name,
    goal_word,
    left_out_text,
    outcome_text,
    remark_text,
)
from gui.keys.key_bindings import PLACES, add_key_tip, give_keys
from gui.play.board_page import StartView
from gui.style.layout import column
from gui.text.dates import format_moment
from gui.text.numbers import format_percentage, format_seconds, table_title
from gui.text.rates import NO_MATCH, lost_figure, match_text
from gui.widgets.buttons import button, focus_by_tab
from gui.widgets.empty_state import EmptyState
from gui.widgets.grade_bar import describe_counts
from gui.widgets.list_filter import Choices, ListFilter, SearchField, SinceChoices
from gui.widgets.row_model import Column, RowModel
from gui.widgets.stored_list import RowAction, StoredList


@dataclass(frozen=True)
class TestList:
    """The current history."""

    # tuple of (str, int): tables with tests, and the number of tests.
    tables: tuple[tuple[str, int], ...]
    tests: tuple[FinishedTest, ...]  # newest first
    # The allowances for perfect moves in the stored tests, in percentage points.
    allowances: tuple[float, ...] = (0.0,)
    goals: tuple[ExamGoal, ...] = (TARGET,)


def _perfect(test: FinishedTest) -> str:
    perfect, within = perfect_text(test.counts), test.perfect_within
    return tr("{share} ({points:g} pts)", share=perfect, points=within) if within else perfect


def _lost(test: FinishedTest) -> str:
    return "" if test.points_lost is None else lost_figure(test.points_lost)


def _kept(test: FinishedTest) -> str:
    return match_text(test.match_rate) if test.n_moves else NO_MATCH


def _end(test: FinishedTest) -> str:
    end = outcome_text(test)
    return tr("{end}, {n} taken back", end=end, n=test.n_undos) if test.is_marked else end


def history_columns(threshold: float = THRESHOLD) -> tuple[Column[FinishedTest], ...]:
    return (
        Column(tr("Date"), lambda t: format_moment(t.started), key=lambda t: t.started),
        Column(tr("Table"), lambda t: table_title(t.table), key=lambda t: t.table),
        Column(
            tr("Goal"), lambda t: goal_word(t.goal, t.table), key=lambda t: t.goal, is_spare=True
        ),
        Column(tr(PERFECT_MOVES), _perfect, True, lambda t: t.perfect_share),
        Column(tr(POINTS_LOST), _lost, True, lambda t: t.points_lost or 0.0),
        _to_drill(threshold),
        Column(
            tr("Streak"),
            lambda t: str(t.longest_combo),
            True,
            lambda t: t.longest_combo,
            tr("Most perfect moves in a row"),
            is_spare=True,
        ),
        Column(
            tr("Pace"),
            lambda t: format_seconds(t.played_ms / 1000 / max(1, t.n_moves), tenths=True),
            True,
            lambda t: t.played_ms / max(1, t.n_moves),
            tr("Average time per move"),
            is_spare=True,
        ),
        Column(
            tr(CHANCE_KEPT), _kept, True, lambda t: t.match_rate, tr(CHANCE_KEPT_TIP), is_spare=True
        ),
        Column(trc("of a test", "End"), _end, key=outcome_text),
    )


def history_model() -> RowModel[FinishedTest]:
    return RowModel(history_columns(), _tip)


def _to_drill(threshold: float) -> Column[FinishedTest]:
    def count(test: FinishedTest) -> int:
        return count_to_drill(test.counts, threshold)

    tip = tr(
        "Moves to drill: {grade} or worse. You find them under Mistakes.",
        grade=grade_word(first_filed(threshold)),
    )
    return Column(tr("To drill"), lambda test: str(count(test)), True, count, tip, is_spare=True)


def _tip(test: FinishedTest) -> str:
    return tr(
        "{counts}; perfect: {allowance}; {span} in total",
        counts=describe_counts(test.counts),
        allowance=allowance_text(test.perfect_within),
        span=format_seconds(test.played_ms / 1000),
    )


_ALL, _FORMATION, _TABLE = "all", "formation", "table"
_ANY_GOAL = mark("Any goal")
_ANY_PERFECT = mark("Any tolerance")


class HistoryFilter(ListFilter):
    """Fields for table or formation, date, and start position."""

    def __init__(self) -> None:
        self.table_combo = Choices(tr("Table"), {})
        self.date_combo = SinceChoices(tr("Date"))
        self.goal_combo = Choices(tr("Goal"), {tr(_ANY_GOAL): None})
        self.perfect_combo = Choices(tr("Perfect moves"), {tr(_ANY_PERFECT): None})
        position = SearchField(
            tr("Start position (hex)"),
            tr("Where the test started: 16 hex digits in any orientation, or a few in a row"),
        )
        combos = (self.table_combo, self.date_combo, self.goal_combo, self.perfect_combo)
        super().__init__((*combos, position))
        self.set_rules((), ())

    def query(self, today: Today) -> ExamQuery:
        kind, name = self.table_combo.currentData() or (_ALL, "")
        return ExamQuery(
            table=name if kind == _TABLE else "",
            formation=name if kind == _FORMATION else "",
            since=self.date_combo.since(today),
            start=self.search_edit.text(),
            perfect_within=self.perfect_combo.currentData(),
            goal=self.goal_combo.currentData(),
        )

    def set_tables(self, tables: Sequence[tuple[str, int]]) -> None:
        of_formation: dict[str, list[int]] = {}
        for name, count in tables:
            of_formation.setdefault(formation_of(name), []).append(count)
        n_all = sum(n for _, n in tables)
        choices = {tr("All tables ({n})", n=n_all): (_ALL, "")}
        for formation, counts in of_formation.items():
            if len(counts) > 1:
                text = tr("{formation}, all targets ({n})", formation=formation, n=sum(counts))
                choices[text] = _FORMATION, formation
        for name, count in tables:
            choices[f"{table_title(name)} ({count})"] = _TABLE, name
        self.table_combo.offer(choices)

    def set_rules(self, goals: Sequence[ExamGoal], allowances: Sequence[float]) -> None:
        """Offer these rules as filters; a menu with a single value is hidden."""
        perfect = {
            tr("Perfect: {allowance}", allowance=allowance_text(points)): points
            for points in allowances
        }
        self.goal_combo.offer({tr(_ANY_GOAL): None, **{goal_name(goal): goal for goal in goals}})
        self.perfect_combo.offer({tr(_ANY_PERFECT): None, **perfect})
        for combo in (self.goal_combo, self.perfect_combo):
            if with_label := combo.parentWidget():
                with_label.setVisible(combo.count() > 2 or combo.currentIndex() > 0)


_CHART_PX = 190
_LATEST = 300  # tests in the chart


class HistoryView(StartView):
    """The list of tests with its chart."""

    closed = Signal()
    scrolls = False

    def __init__(self) -> None:
        super().__init__()
        self._in_order: list[FinishedTest] = []  # the finished ones, oldest first: the chart
        self.filter = HistoryFilter()
        self.clear_button = button(tr("Show all"), "quiet", work=self.filter.reset)
        self.chart = LineChart(tr("Tests over time"), tr("Test"), first=1)
        self.chart.setFixedHeight(_CHART_PX)
        self.list = StoredList(
            tr("History"),
            history_model(),
            (
                RowAction("history_review", tr("Review"), tr("Review the selected test"), "best"),
                RowAction(
                    "history_rematch",
                    tr("Again"),
                    tr("Play the selected test again"),
                    "play_chosen",
                ),
                RowAction("history_remove", tr("Remove"), tr("Remove the selected test"), "delete"),
            ),
            "history",
        )
        self.back_button = button(tr("Back to the test"), work=self.closed)
        self._close_action = self._make_close_action()
        self.empty = EmptyState(
            tr("No tests yet"),
            tr("Your finished tests are kept here with their figures."),
            tr("Start a test"),
        )
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self._content())
        column(self.stack, margins=(24, 0, 24, 16), parent=self)
        self._connect()

    @property
    def key_actions(self) -> Sequence[QAction]:
        return [*self.list.key_actions, self._close_action]

    def show_tests(self, listed: TestList) -> None:
        self.filter.set_tables(listed.tables)
        self.filter.set_rules(listed.goals, listed.allowances)
        n_all = sum(count for _, count in listed.tables)
        count = _count_text(len(listed.tests), n_all)
        if remark := sentences(left_out_text(listed.tests), remark_text(listed.tests)):
            count = tr("{tests}. {remark}", tests=count, remark=remark)
        self.clear_button.setVisible(self.filter.is_narrow)
        self.stack.setCurrentIndex(1 if listed.tables else 0)
        tests = [test for test in reversed(listed.tests) if not test.is_abandoned]
        self._in_order = tests[-_LATEST:]
        self.list.show_rows(listed.tests, count)
        self._show_chart()
        if self.isVisible() and not self.filter.search_edit.hasFocus():
            self.take_keys()

    def set_threshold(self, threshold: float) -> None:
        self.list.model.set_columns(history_columns(threshold))

    def take_keys(self) -> None:
        is_empty = self.stack.currentIndex() == 0
        (self.empty.button if is_empty else self.list.view).setFocus()

    def _show_chart(self) -> None:
        shares, name = [test.perfect_share for test in self._in_order], tr(PERFECT_MOVES)
        self.chart.setVisible(len(shares) > 1)
        self.chart.show_series(
            [
                Series(name, shares, "accent", figure=match_text, tick=format_percentage),
                *mean_series(shares, "text_muted", match_text),
            ]
        )

    def _pick(self, index: int) -> None:
        self.list.view.selectRow(self.list.model.rows.index(self._in_order[index]))

    def _follow_row(self) -> None:
        chosen = self.list.view.chosen
        self.chart.set_cursor(self._in_order.index(chosen) if chosen in self._in_order else None)

    def _content(self) -> QWidget:
        rows = self.list
        rows.view.sort_by(0)
        rows.head.addWidget(self.back_button)
        for i, part in enumerate((self.filter, self.chart)):
            rows.column.insertWidget(1 + i, part)
        self.clear_button.hide()
        focus_by_tab(self.back_button, self.clear_button, *self.filter.combos)
        rows.foot.addWidget(self.clear_button)
        return rows

    def _connect(self) -> None:
        self.chart.picked.connect(self._pick)
        self.list.chosen_changed.connect(self._follow_row)
        self.empty.clicked.connect(self.closed)

    def _make_close_action(self) -> QAction:
        action = QAction(tr("Back to the test"), self)
        action.setObjectName("history_close")
        action.setProperty(PLACES, ["history"])
        give_keys(action, "stop")
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda _=False: self.closed.emit())
        self.addAction(action)
        add_key_tip(self.back_button, action)
        return action

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._close_action.setEnabled(True)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self._close_action.setEnabled(False)


def _count_text(n: int, n_all: int) -> str:
    if n == n_all:
        return trn("{n} test", "{n:,} tests", n_all)
    return trn("{listed:,} of {n} test", "{listed:,} of {n:,} tests", n_all, listed=n)
