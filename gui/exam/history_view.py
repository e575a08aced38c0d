"""All tests so far: how they went over time, and each of them as a row."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from coach.exam.history import FinishedTest, running_mean
from engine.language import tr, trn
from gui.charts.line_chart import LineChart, Series
from gui.core.key_bindings import PLACES, sequences_of
from gui.exam.history_filter import HistoryFilter
from gui.exam.store import Listed
from gui.exam.table_model import TestTableModel
from gui.exam.text import match_text, remark_text
from gui.style.theme import Theme
from gui.widgets.empty_state import EmptyState
from gui.widgets.key_tips import tell_keys
from gui.widgets.labels import label

_CHART_PX = 190
_LATEST = 300  # tests in the chart
_MEAN_OF = 10  # tests
_MEASURED = 40  # rows that tell how wide a column must be


def _percent(share: float) -> str:
    return match_text(share) if share in (0, 1) else f"{share * 100:.1f} %"


class HistoryView(QWidget):
    """The list of tests with its chart.

    Signals
    -------
    review_asked, rematch_asked, remove_asked : FinishedTest (as object)
        Something is to be done with a test.
    closed
        Back to the test.

    Attributes
    ----------
    key_actions : list of QAction
        What its keys do, for the lists of actions.
    """

    review_asked = Signal(object)
    rematch_asked = Signal(object)
    remove_asked = Signal(object)
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._in_order: list[FinishedTest] = []  # as in the chart, the oldest first
        self.filter = HistoryFilter()
        self.count_label, self.clear_button = label("", "caption"), QPushButton(tr("Show all"))
        self.chart = LineChart(theme, tr("Tests over time"), tr("Test"), first=1)
        self.chart.setFixedHeight(_CHART_PX)
        self.model, self.view = TestTableModel(), QTableView()
        self.back_button = QPushButton(tr("Back to the test"))
        self.review_button = QPushButton(tr("Review"))
        self.rematch_button = QPushButton(tr("Rematch"))
        self.remove_button = QPushButton(tr("Remove"))
        self.key_actions = self._make_key_actions()
        self.empty = EmptyState(
            tr("No tests yet"),
            tr("Your finished tests are kept here with their match rates."),
            tr("Start a test"),
        )
        self.stack = QStackedWidget()
        self.stack.addWidget(_at_top(self.empty))
        self.stack.addWidget(self._content())
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 0, 24, 16)
        column.addWidget(self.stack)
        self._set_up_view()
        self._connect()

    @property
    def chosen(self) -> FinishedTest | None:
        """The test whose row is chosen."""
        rows = self.view.selectionModel().selectedRows()
        return self.model.tests[rows[0].row()] if rows else None

    def show_listed(self, listed: Listed) -> None:
        """Show the tests that were asked for."""
        self.filter.set_tables(listed.tables)
        self.filter.set_rules(listed.goals, listed.allowances)
        n_all = sum(count for _, count in listed.tables)
        count = _count_text(len(listed.tests), n_all)
        if remark := remark_text(listed.tests):
            count = tr("{tests}. {remark}", tests=count, remark=remark)
        self.count_label.setText(count)
        self.clear_button.setVisible(self.filter.is_narrow)
        self.stack.setCurrentIndex(1 if listed.tables else 0)
        self.model.set_tests(listed.tests)
        self._in_order = list(reversed(listed.tests))[-_LATEST:]
        self._show_chart()
        if self.isVisible() and not self.filter.search_edit.hasFocus():
            self.take_keys()
        if listed.tests:
            self.view.selectRow(0)
        self._enable()

    def set_threshold(self, threshold: float) -> None:
        """Count the moves to drill by what is filed; see `coach.mistakes.to_drill`."""
        self.model.set_threshold(threshold)

    def take_keys(self) -> None:
        """Give the keyboard to what is in front: the rows, or the way back where there are none."""
        is_empty = self.stack.currentIndex() == 0
        (self.empty.button if is_empty else self.view).setFocus()

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colors."""
        self._theme = theme
        self.chart.set_theme(theme)
        self._show_chart()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Let the tests be chosen by keys and by name."""
        super().showEvent(event)
        self._enable()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """Do nothing to a test that nobody sees."""
        super().hideEvent(event)
        self._enable()

    def _show_chart(self) -> None:
        theme = self._theme
        rates = [test.match_rate for test in self._in_order]
        perfect = [test.perfect_share for test in self._in_order]
        self.chart.setVisible(len(rates) > 1)
        self.chart.show_series(
            [
                Series(tr("Match rate"), rates, theme.accent, figure=_percent),
                Series(
                    tr("Mean of {n}", n=_MEAN_OF),
                    running_mean(rates, _MEAN_OF),
                    theme.text_muted,
                    figure=_percent,
                ),
                Series(tr("Perfect moves"), perfect, theme.good, figure=_percent),
            ]
        )

    def _pick(self, index: int) -> None:
        test = self._in_order[index]
        self.view.selectRow(self.model.tests.index(test))

    def _follow_row(self) -> None:
        chosen = self.chosen
        at = self._in_order.index(chosen) if chosen in self._in_order else None
        self.chart.set_cursor(at)
        self._enable()

    def _enable(self) -> None:
        for button in (self.review_button, self.rematch_button, self.remove_button):
            button.setEnabled(self.chosen is not None)

        is_shown = self.isVisible()
        *of_a_test, close = self.key_actions
        for action in of_a_test:
            action.setEnabled(is_shown and self.chosen is not None)
        close.setEnabled(is_shown)

    def _review(self) -> None:
        if chosen := self.chosen:
            self.review_asked.emit(chosen)

    def _rematch(self) -> None:
        if chosen := self.chosen:
            self.rematch_asked.emit(chosen)

    def _remove(self) -> None:
        if chosen := self.chosen:
            self.remove_asked.emit(chosen)

    def _content(self) -> QWidget:
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label(tr("History"), "strong"))
        head.addStretch()
        for button in (self.review_button, self.rematch_button, self.remove_button):
            head.addWidget(button)
        head.addWidget(self.back_button)
        column.addLayout(head)
        column.addWidget(self.filter)
        column.addWidget(self.chart)
        column.addWidget(self.view, 1)
        self.clear_button.setProperty("quiet", True)
        controls: list[QWidget] = [
            self.review_button,
            self.rematch_button,
            self.remove_button,
            self.back_button,
            self.clear_button,
            *self.filter.combos,
        ]
        for one in controls:
            one.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the rows
        self.clear_button.hide()
        below = QHBoxLayout()
        below.addWidget(self.count_label)
        below.addWidget(self.clear_button)
        below.addStretch()
        column.addLayout(below)
        return content

    def _set_up_view(self) -> None:
        view = self.view
        view.setModel(self.model)
        view.setAccessibleName(tr("Tests"))
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setSortingEnabled(True)
        view.sortByColumn(0, Qt.SortOrder.DescendingOrder)
        view.setShowGrid(False)
        view.setTabKeyNavigation(False)
        view.setWordWrap(False)
        view.setFrameShape(QTableView.Shape.NoFrame)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(32)
        header = view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        header.setResizeContentsPrecision(_MEASURED)
        header.setHighlightSections(False)

    def _connect(self) -> None:
        self.clear_button.clicked.connect(self.filter.reset)
        self.chart.picked.connect(self._pick)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._follow_row())
        self.view.doubleClicked.connect(lambda _: self._review())
        self.review_button.clicked.connect(self._review)
        self.rematch_button.clicked.connect(self._rematch)
        self.remove_button.clicked.connect(self._remove)
        self.back_button.clicked.connect(self.closed)
        self.empty.clicked.connect(self.closed)

    def _make_key_actions(self) -> list[QAction]:
        actions = []
        for name, text, meaning, work in (
            ("history_review", tr("Review the selected test"), "best", self._review),
            ("history_rematch", tr("Rematch of the selected test"), "play_chosen", self._rematch),
            ("history_remove", tr("Remove the selected test"), "delete", self._remove),
            ("history_close", tr("Back to the test"), "stop", self.closed.emit),
        ):
            action = QAction(text, self)
            action.setObjectName(name)
            action.setProperty(PLACES, ["history"])
            action.setShortcuts(sequences_of(meaning))
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            action.triggered.connect(lambda _=False, w=work: w())
            (self if name == "history_close" else self.view).addAction(action)
            actions.append(action)
        buttons = (self.review_button, self.rematch_button, self.remove_button, self.back_button)
        for button, action in zip(buttons, actions, strict=True):
            tell_keys(button, action)
        return actions


def _count_text(n: int, n_all: int) -> str:
    if n == n_all:
        return trn("{n} test", "{n:,} tests", n_all)
    return trn("{listed:,} of {n} test", "{listed:,} of {n:,} tests", n_all, listed=n)


def _at_top(widget: QWidget) -> QWidget:
    place = QWidget()
    column = QVBoxLayout(place)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(widget)
    column.addStretch()
    return place
