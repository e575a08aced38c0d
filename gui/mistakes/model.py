"""Mistakes as rows of a table: only the numbers of rows are held, a screenful is fetched when seen.

`mistake_at` is what the painter of the first columns uses; everything else is text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from coach.grading.names import grade_title
from coach.mistakes.mistake import Mistake
from engine.bitboard import format_board
from engine.language import mark, tr, trc
from gui.mistakes.text import day_text, due_text
from gui.text.answers import loss_text, table_title

Index = QModelIndex | QPersistentModelIndex
PAGE_ROWS = 100
_KEPT_PAGES, _MOST_KEPT = 30, 6000
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Column:
    """A column: its heading, what it is sorted by, what it shows; the tip is in English, marked."""

    title: Callable[[], str]
    sort: str
    text: Callable[[Mistake, datetime], str]
    is_number: bool = False
    tip: str = ""


COLUMNS = (
    Column(lambda: trc("column", "Position"), "board", lambda *_: ""),
    Column(
        lambda: trc("column", "Grade"),
        "grade",
        lambda m, _: grade_title(m.grade),
        tip=mark("Your worst attempt"),
    ),
    Column(lambda: trc("column", "Table"), "table", lambda m, _: table_title(m.key)),
    Column(
        lambda: trc("column", "Lost"),
        "worst",
        lambda m, _: loss_text(m.worst_loss),
        True,
        mark("Largest single loss"),
    ),
    Column(
        lambda: trc("column", "Times"),
        "count",
        lambda m, _: str(m.count),
        True,
        mark("Times wrong"),
    ),
    Column(lambda: trc("column", "Last"), "last", lambda m, now: day_text(m.last, now)),
    Column(lambda: trc("column", "Next"), "due", due_text, tip=mark("Next review")),
)
POSITION, GRADE = 0, 1


class MistakeModel(QAbstractTableModel):
    """Knows the ids of all rows, and the mistakes of those that were looked at.

    Signals
    -------
    rows_wanted : list of int (as object)
        Ids whose mistakes are to be shown; answer with `add`.
    sort_asked : str, bool
        Sort by this column of `COLUMNS`, descending or not; answer with `set_ids`.
    """

    rows_wanted = Signal(object)
    sort_asked = Signal(str, bool)

    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._now = now
        self.ids: Sequence[int] = ()
        self._known: dict[int, Mistake] = {}
        self._before: dict[int, Mistake] = {}  # what rows held, until they are fetched anew
        self._pages: list[int] = []  # asked for, oldest first
        self._wanted: set[int] = set()
        self._fetch = QTimer(self)
        self._fetch.setSingleShot(True)
        self._fetch.setInterval(0)
        self._fetch.timeout.connect(self._ask)

    def set_ids(self, ids: Sequence[int], first: dict[int, Mistake] | None = None) -> None:
        """Show other rows, or the same in another order; `first` are those on top."""
        self.beginResetModel()
        self._before = {**self._before, **self._known} if len(self._before) < _MOST_KEPT else {}
        self.ids, self._known, self._pages, self._wanted = ids, dict(first or {}), [], set()
        if first:
            self._pages.append(0)
        self.endResetModel()

    def add(self, mistakes: dict[int, Mistake]) -> None:
        """Fill rows in that were wanted."""
        self._known.update(mistakes)
        if self.ids:
            last = self.index(len(self.ids) - 1, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def mistake_at(self, row: int) -> Mistake | None:
        """Return the mistake of a row; None while it is fetched."""
        if not 0 <= row < len(self.ids):
            return None
        found = self._known.get(self.ids[row])
        if found is None:
            self._want(row // PAGE_ROWS)
            found = self._before.get(self.ids[row])
        return found

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        """Return the number of mistakes."""
        return 0 if parent.isValid() else len(self.ids)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        """Return the number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what a cell shows."""
        column = COLUMNS[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_RIGHT if column.is_number else _LEFT)
        if role == Qt.ItemDataRole.DisplayRole:
            mistake = self.mistake_at(index.row())
            return column.text(mistake, self._now()) if mistake else ""
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            mistake = self.mistake_at(index.row())
            if mistake and index.column() == POSITION:
                return format_board(mistake.board)
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
        column = COLUMNS[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_RIGHT if column.is_number else _LEFT)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr(column.tip) or None
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Ask for another order."""
        self.sort_asked.emit(COLUMNS[column].sort, order == Qt.SortOrder.DescendingOrder)

    def _want(self, page: int) -> None:
        if page not in self._pages:
            self._pages.append(page)
            self._wanted.add(page)
            self._fetch.start()

    def _ask(self) -> None:
        pages, self._wanted = sorted(self._wanted), set()
        ids = [one for page in pages for one in self.ids[page * PAGE_ROWS : (page + 1) * PAGE_ROWS]]
        while len(self._pages) > _KEPT_PAGES:  # a long scroll does not fill the memory
            page = self._pages.pop(0)
            for one in self.ids[page * PAGE_ROWS : (page + 1) * PAGE_ROWS]:
                self._known.pop(one, None)
        self.rows_wanted.emit(ids)
