"""Items as rows of a read-only table: each column defines the text it shows."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

T = TypeVar("T")
Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_DESCENDING = Qt.SortOrder.DescendingOrder
ROW_PX = 32
MIN_PX = 48  # of a column
_SHORT_PX = 80  # of a text that is cut off
_MEASURED = 40  # rows that tell how wide a column must be


@dataclass(frozen=True)
class Column(Generic[T]):
    """A column."""

    title: str
    text: Callable[[T], str]  # returns what it shows of a row
    is_number: bool = False  # whether it stands at the right
    # Returns what rows are sorted by; a column without it leaves them in their order.
    key: Callable[[T], Any] | None = None
    tip: str = ""  # what its heading says when the mouse rests on it
    is_spare: bool = False  # whether it is left out where there is no room for all


class ColumnModel(QAbstractTableModel, Generic[T]):
    """The base of all row tables; subclasses provide the rows."""

    def __init__(self, columns: Sequence[Column[T]], tip: Callable[[T], str]) -> None:
        super().__init__()
        self.columns, self._tip = tuple(columns), tip

    def row_at(self, number: int) -> T | None:
        """Return a row; None while it is not known."""
        raise NotImplementedError

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_RIGHT if column.is_number else _LEFT)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        row = self.row_at(index.row())
        if row is None:
            return "" if role == Qt.ItemDataRole.DisplayRole else None
        return column.text(row) if role == Qt.ItemDataRole.DisplayRole else self._tip(row)

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.tip or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_RIGHT if column.is_number else _LEFT)
        return None


class RowModel(ColumnModel[T]):
    """A model with all rows in memory, sorted by the last chosen column."""

    def __init__(self, columns: Sequence[Column[T]], tip: Callable[[T], str]) -> None:
        super().__init__(columns, tip)
        self.rows: list[T] = []
        self._sorted_by, self._order = -1, _DESCENDING

    def set_rows(self, rows: Sequence[T]) -> None:
        """Show other rows, in the order chosen before."""
        self.beginResetModel()
        self.rows = self._arranged(rows)
        self.endResetModel()

    def set_columns(self, columns: Sequence[Column[T]]) -> None:
        self.columns = tuple(columns)
        self.sort(self._sorted_by, self._order)

    def row_at(self, number: int) -> T | None:
        return self.rows[number]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else len(self.rows)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column, keeping the selection."""
        self.layoutAboutToBeChanged.emit()
        self._sorted_by, self._order = column, order
        before, self.rows = self.rows, self._arranged(self.rows)
        places = {id(row): number for number, row in enumerate(self.rows)}
        for index in self.persistentIndexList():
            to = self.index(places[id(before[index.row()])], index.column())
            self.changePersistentIndex(index, to)
        self.layoutChanged.emit()

    def _arranged(self, rows: Sequence[T]) -> list[T]:
        key = self.columns[self._sorted_by].key if self._sorted_by >= 0 else None
        return sorted(rows, key=key, reverse=self._order == _DESCENDING) if key else list(rows)


def fitting_widths(needed: Mapping[int, int], flexible: Collection[int], room: int) -> list[int]:
    """Return the widths of columns that share `room` pixels: the widest shrink first.

    `flexible` columns can be cut off: texts, of which the beginning still says something.

    >>> fitting_widths({0: 150, 1: 80, 2: 120}, (0, 2), 300)
    [110, 80, 110]
    """
    widths = list(needed.values())
    for most in range(max(widths, default=0), _SHORT_PX - 1, -1):
        widths = [min(px, most) if i in flexible else px for i, px in needed.items()]
        if sum(widths) <= room:
            break
    return widths


class RowView(QTableView, Generic[T]):
    """A table of rows, of which one or several can be selected.

    It doesn't scroll sideways as long as its texts can be shortened: each column gets what its
    contents need, spare ones are left out where there is no room, and the widest give way.
    """

    def __init__(self, model: ColumnModel[T], name: str, is_many: bool = False) -> None:
        super().__init__()
        self._model = model
        self.setModel(model)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        modes = QAbstractItemView.SelectionMode
        self.setSelectionMode(modes.ExtendedSelection if is_many else modes.SingleSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW_PX)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setStretchLastSection(True)
        header.setResizeContentsPrecision(_MEASURED)
        header.setHighlightSections(False)
        for changed in (model.modelReset, model.layoutChanged):
            changed.connect(self._fit_columns)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        header, columns = self.horizontalHeader(), self._model.columns
        room = self.viewport().width()
        for i in range(len(columns)):
            header.setSectionHidden(i, False)  # one that is left out doesn't tell its size
        contents = {i: self.sizeHintForColumn(i) for i in range(len(columns))}
        needed = {i: max(px, header.sectionSizeHint(i)) for i, px in contents.items()}
        for i in reversed(range(len(columns))):
            is_left_out = columns[i].is_spare and sum(needed.values()) > room
            header.setSectionHidden(i, is_left_out)
            if is_left_out:
                del needed[i]
        flexible = [i for i in needed if not columns[i].is_number]
        if sum(needed.values()) > room:  # headings of texts are cut off before the texts
            needed |= {i: max(MIN_PX, contents[i]) for i in flexible}
        for i, px in zip(needed, fitting_widths(needed, flexible, room), strict=True):
            header.resizeSection(i, px)

    def sort_by(self, column: int, order: Qt.SortOrder = _DESCENDING) -> None:
        """Let the rows be sorted by a click on a heading; at first by this column."""
        self.horizontalHeader().setSortIndicator(column, order)
        self.setSortingEnabled(True)

    @property
    def chosen_numbers(self) -> list[int]:
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    @property
    def all_chosen(self) -> list[T]:
        rows = [self._model.row_at(number) for number in self.chosen_numbers]
        return [row for row in rows if row is not None]

    @property
    def chosen(self) -> T | None:
        return next(iter(self.all_chosen), None)
