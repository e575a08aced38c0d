"""All tests so far: a chart over time, and a row for each."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from coach.exam.history import FinishedTest
from engine.platform.language import sentences, tr, trn
from gui.charts.line_chart import LineChart, Series, mean_series
from gui.exam.history_filter import HistoryFilter
from gui.exam.store import Listed
from gui.exam.table_model import history_columns, history_model
from gui.exam.text import left_out_text, remark_text
from gui.keys.key_bindings import PLACES, give_keys
from gui.style.layout import column
from gui.text.numbers import format_percentage
from gui.text.rates import match_text
from gui.widgets.board_layout import at_top
from gui.widgets.empty_state import EmptyState
from gui.widgets.key_tips import add_key_tip
from gui.widgets.stored_list import RowAction, StoredList

_CHART_PX = 190
_LATEST = 300  # tests in the chart


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %" if share in (0, 1) else f"{share * 100:.1f} %"


class HistoryView(QWidget):
    """The list of tests with its chart.

    Signals
    -------
    closed
        Back to the test.

    Attributes
    ----------
    list : StoredList of FinishedTest
        Requests reviewing, replaying and deleting a test.
    key_actions : list of QAction
        The actions of its keys, for the lists of actions.
    """

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._in_order: list[FinishedTest] = []  # the finished ones, oldest first: the chart
        self.filter = HistoryFilter()
        self.clear_button = QPushButton(tr("Show all"))
        self.chart = LineChart(tr("Tests over time"), tr("Test"), first=1)
        self.chart.setFixedHeight(_CHART_PX)
        self.list = StoredList(tr("History"), history_model(), _row_actions(), "history")
        self.back_button = QPushButton(tr("Back to the test"))
        self.key_actions = [*self.list.key_actions, self._make_close_action()]
        self.empty = EmptyState(
            tr("No tests yet"),
            tr("Your finished tests are kept here with their match rates."),
            tr("Start a test"),
        )
        self.stack = QStackedWidget()
        self.stack.addWidget(at_top(self.empty, margin=0))
        self.stack.addWidget(self._content())
        column(self.stack, margins=(24, 0, 24, 16), parent=self)
        self._connect()

    def show_listed(self, listed: Listed) -> None:
        """Show the requested tests."""
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
        """Set the threshold for moves to drill; see `coach.mistakes.to_drill`."""
        self.list.model.set_columns(history_columns(threshold))

    def take_keys(self) -> None:
        """Focus the rows, or the back button if there are none."""
        is_empty = self.stack.currentIndex() == 0
        (self.empty.button if is_empty else self.list.view).setFocus()

    def _show_chart(self) -> None:
        rates = [test.match_rate for test in self._in_order]
        perfect = [test.perfect_share for test in self._in_order]
        self.chart.setVisible(len(rates) > 1)
        self.chart.show_series(
            [
                Series(
                    tr("Match rate"),
                    rates,
                    "accent",
                    figure=match_text,
                    tick=format_percentage,
                ),
                *mean_series(rates, "text_muted", match_text),
                Series(tr("Perfect moves"), perfect, "good", figure=_percent),
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
        self.clear_button.setProperty("quiet", True)
        self.clear_button.hide()
        for one in (self.back_button, self.clear_button, *self.filter.combos):
            one.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the rows
        rows.foot.addWidget(self.clear_button)
        return rows

    def _connect(self) -> None:
        self.clear_button.clicked.connect(self.filter.reset)
        self.chart.picked.connect(self._pick)
        self.list.chosen_changed.connect(self._follow_row)
        self.back_button.clicked.connect(self.closed)
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
        """Enable the back action."""
        super().showEvent(event)
        self.key_actions[-1].setEnabled(True)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Disable the back action while hidden."""
        super().hideEvent(event)
        self.key_actions[-1].setEnabled(False)


def _row_actions() -> tuple[RowAction, ...]:
    return (
        RowAction("history_review", tr("Review"), tr("Review the selected test"), "best"),
        RowAction(
            *("history_rematch", tr("Rematch"), tr("Rematch of the selected test")),
            "play_chosen",
        ),
        RowAction("history_remove", tr("Remove"), tr("Remove the selected test"), "delete"),
    )


def _count_text(n: int, n_all: int) -> str:
    if n == n_all:
        return trn("{n} test", "{n:,} tests", n_all)
    return trn("{listed:,} of {n} test", "{listed:,} of {n:,} tests", n_all, listed=n)
