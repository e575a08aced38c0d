"""Finished tests as rows of a table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from coach.exam.history import FinishedTest
from coach.grading.names import grade_word
from coach.mistakes.to_drill import THRESHOLD, count_to_drill, first_filed
from engine.language import tr, trc
from engine.wording import span_text
from gui.exam.text import allowance_text, goal_word, match_text, outcome_text
from gui.text.dates import format_moment
from gui.text.numbers import table_title
from gui.widgets.grade_bar import describe_counts

Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Column:
    """A column: its heading, what it shows, what it sorts by, whether it holds numbers."""

    title: str
    text: Callable[[FinishedTest], str]
    key: Callable[[FinishedTest], object]
    is_number: bool = True
    tip: str = ""


def _perfect(test: FinishedTest) -> str:
    share = f"{test.perfect_share * 100:.1f} %"
    return (
        tr("{share} ({points:g} pts)", share=share, points=test.perfect_within)
        if test.perfect_within
        else share
    )


def _end(test: FinishedTest) -> str:
    end = outcome_text(test)
    return tr("{end}, {n} taken back", end=end, n=test.n_undos) if test.is_marked else end


def _columns(threshold: float) -> tuple[Column, ...]:
    return (
        Column(
            tr("Date"),
            lambda t: format_moment(t.ended),
            lambda t: t.ended,
            False,
        ),
        Column(tr("Table"), lambda t: table_title(t.table), lambda t: t.table, False),
        Column(tr("Goal"), lambda t: goal_word(t.goal), lambda t: t.goal, False),
        Column(tr("Match rate"), lambda t: match_text(t.match_rate), lambda t: t.match_rate),
        Column(tr("Moves"), lambda t: str(t.n_moves), lambda t: t.n_moves),
        Column(tr("Perfect"), _perfect, lambda t: t.perfect_share),
        _to_drill(threshold),
        Column(
            tr("Best streak"),
            lambda t: str(t.longest_combo),
            lambda t: t.longest_combo,
            tip=tr("Most perfect moves in a row"),
        ),
        Column(
            tr("Pace"),
            lambda t: f"{t.played_ms / 1000 / max(1, t.n_moves):.1f} s",
            lambda t: t.played_ms / max(1, t.n_moves),
            tip=tr("Average time per move"),
        ),
        Column(trc("of a test", "End"), _end, outcome_text, False),
    )


def _to_drill(threshold: float) -> Column:
    """Return the column of the moves to drill: how many that are depends on what is filed."""

    def count(test: FinishedTest) -> int:
        return count_to_drill(test.counts, threshold)

    tip = tr(
        "Moves to drill: {grade} or worse. You find them under Mistakes.",
        grade=grade_word(first_filed(threshold)),
    )
    return Column(tr("To drill"), lambda test: str(count(test)), count, tip=tip)


class TestTableModel(QAbstractTableModel):
    """The history for a QTableView."""

    def __init__(self) -> None:
        super().__init__()
        self.tests: list[FinishedTest] = []
        self._columns = _columns(THRESHOLD)
        self._sorted_by = 0
        self._order = Qt.SortOrder.DescendingOrder

    def set_threshold(self, threshold: float) -> None:
        """Count as moves to drill what is filed with a threshold; see `coach.mistakes.to_drill`."""
        self.layoutAboutToBeChanged.emit()
        self._columns = _columns(threshold)
        self._arrange()
        self.layoutChanged.emit()

    def set_tests(self, tests: Sequence[FinishedTest]) -> None:
        """Show other tests, in the order chosen before."""
        self.beginResetModel()
        self.tests = list(tests)
        self._arrange()
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        """Return the number of tests."""
        return 0 if parent.isValid() else len(self.tests)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what a cell shows."""
        test, column = self.tests[index.row()], self._columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(test)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_RIGHT if column.is_number else _LEFT)
        if role == Qt.ItemDataRole.ToolTipRole:
            span = span_text(test.played_ms / 1000)
            return tr(
                "{counts}; perfect: {allowance}; {span} in total",
                counts=describe_counts(test.counts),
                allowance=allowance_text(test.perfect_within),
                span=span,
            )
        return None

    def headerData(  # noqa: N802
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """Return the heading of a column."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._columns[section].tip or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_RIGHT if self._columns[section].is_number else _LEFT)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column."""
        self.layoutAboutToBeChanged.emit()
        self._sorted_by, self._order = column, order
        self._arrange()
        self.layoutChanged.emit()

    def _arrange(self) -> None:
        key = self._columns[self._sorted_by].key
        self.tests.sort(key=key, reverse=self._order == Qt.SortOrder.DescendingOrder)  # type: ignore[arg-type]
