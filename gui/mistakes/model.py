"""Mistakes as table rows: only ids are held, visible rows are fetched on demand.

The painters of the first columns draw the position as a small board, the grade with its shape.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from coach.days import Today
from coach.grading.names import grade_title
from coach.mistakes.mistake import Mistake
from engine.bitboard import format_board
from engine.platform.language import tr, trc
from gui.board.grade_mark import draw_grade
from gui.mistakes.text import day_text, due_text, lost_figure
from gui.style.theme import app_theme
from gui.text.answers import table_title
from gui.widgets.row_model import Column, ColumnModel, Index

PAGE_ROWS = 100
_MAX_PAGES, _MAX_MISTAKES = 30, 6000
SORTS = ("board", "grade", "table", "points", "count", "last", "due")  # no text
"""The sort keys of the database, by column."""
POSITION, GRADE = 0, 1
_MARK_PX = 14


def _columns(today: Callable[[], Today]) -> tuple[Column[Mistake], ...]:
    return (
        Column(trc("column", "Board"), lambda _: ""),
        Column(
            trc("column", "Grade"), lambda m: grade_title(m.grade), tip=tr("Your worst attempt")
        ),
        Column(trc("column", "Table"), lambda m: table_title(m.key)),
        Column(trc("column", "Lost"), lost_figure, True, tip=tr("Largest single loss")),
        Column(trc("column", "Times"), lambda m: str(m.count), True, tip=tr("Times wrong")),
        Column(trc("column", "Last"), lambda m: day_text(m.last, today())),
        Column(trc("column", "Next"), lambda m: due_text(m, today()), tip=tr("Next review")),
    )


class MistakeModel(ColumnModel[Mistake]):
    """Holds the ids of all rows, and the mistakes of those that were viewed.

    Answer `rows_requested` (a list of ids) with `add`, and `sort_requested` (a column of `SORTS`,
    whether descending) with `set_ids`.
    """

    rows_requested = Signal(object)
    sort_requested = Signal(str, bool)

    def __init__(self, today: Callable[[], Today]) -> None:
        super().__init__(_columns(today), lambda mistake: format_board(mistake.board))
        self.ids: Sequence[int] = ()
        self._known: dict[int, Mistake] = {}
        self._before: dict[int, Mistake] = {}  # old content of rows, until they are fetched again
        self._pages: list[int] = []  # requested, oldest first
        self._missing_pages: set[int] = set()
        self._fetch = QTimer(self, singleShot=True, interval=0)
        self._fetch.timeout.connect(self._request_rows)

    def set_ids(self, ids: Sequence[int], first: dict[int, Mistake] | None = None) -> None:
        """Show other rows, or the same in another order; `first` are those on top."""
        self.beginResetModel()
        self._before = {**self._before, **self._known} if len(self._before) < _MAX_MISTAKES else {}
        self.ids, self._known, self._pages, self._missing_pages = ids, dict(first or {}), [], set()
        if first:
            self._pages.append(0)
        self.endResetModel()

    def add(self, mistakes: dict[int, Mistake]) -> None:
        self._known.update(mistakes)
        if self.ids:
            last = self.index(len(self.ids) - 1, len(SORTS) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def row_at(self, number: int) -> Mistake | None:
        """Return the mistake of a row; None while it is fetched."""
        if not 0 <= number < len(self.ids):
            return None
        mistake = self._known.get(self.ids[number])
        if mistake is None:
            self._request_page(number // PAGE_ROWS)
            mistake = self._before.get(self.ids[number])
        return mistake

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else len(self.ids)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == POSITION:
            mistake = self.row_at(index.row())
            return format_board(mistake.board) if mistake else None
        return super().data(index, role)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.sort_requested.emit(SORTS[column], order == Qt.SortOrder.DescendingOrder)

    def _request_page(self, page: int) -> None:
        if page not in self._pages:
            self._pages.append(page)
            self._missing_pages.add(page)
            self._fetch.start()

    def _request_rows(self) -> None:
        pages, self._missing_pages = sorted(self._missing_pages), set()
        ids = [mistake_id for page in pages for mistake_id in self._ids_of(page)]
        while len(self._pages) > _MAX_PAGES:  # so that long scrolling doesn't fill the memory
            page = self._pages.pop(0)
            for mistake_id in self._ids_of(page):
                self._known.pop(mistake_id, None)
        self.rows_requested.emit(ids)

    def _ids_of(self, page: int) -> Sequence[int]:
        return self.ids[page * PAGE_ROWS : (page + 1) * PAGE_ROWS]


class GradeCell(QStyledItemDelegate):
    """Paints the shape of the grade before its name."""

    def __init__(self, mistake_at: Callable[[int], Mistake | None]) -> None:
        super().__init__()
        self._mistake_at = mistake_at

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if mistake := self._mistake_at(index.row()):
            self.initStyleOption(option, index)
            self._draw(painter, option, mistake)

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: N802
        super().initStyleOption(option, index)
        option.decorationSize = QSize(_MARK_PX + 4, _MARK_PX)
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration

    def _draw(self, painter: QPainter, option: QStyleOptionViewItem, mistake: Mistake) -> None:
        style, part = option.widget.style(), QStyle.SubElement.SE_ItemViewItemDecoration
        place = QRectF(style.subElementRect(part, option, option.widget))
        square = QRectF(place.left(), place.center().y() - _MARK_PX / 2, _MARK_PX, _MARK_PX)
        draw_grade(painter, square, mistake.grade, app_theme())
