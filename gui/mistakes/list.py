"""The list of mistakes: filter fields, the rows, and the selected one next to them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from coach.days import Today
from coach.grading.grade import GRADES, Grade
from coach.grading.names import grade_title
from coach.mistakes.mistake import Attempt, Mistake, TableKey
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.query import Query
from engine.bitboard import format_board
from engine.platform.errors import InvalidBoardError
from engine.platform.language import mark, tr, trc, trn
from gui.board.grade_mark import draw_grade
from gui.board.little_board import ROW_PX, BoardCell
from gui.mistakes.mistake_panel import MistakePanel
from gui.mistakes.text import day_text, due_text, lost_figure
from gui.style.layout import STRETCH, column, laid_out, placed, row
from gui.style.theme import app_theme, theme_source
from gui.text.answers import table_title
from gui.text.messages import message_of
from gui.widgets.board_layout import MARGIN, scroll_area
from gui.widgets.buttons import button, focus_by_tab
from gui.widgets.labels import label
from gui.widgets.list_filter import Choices, ListFilter, SearchField, SinceChoices
from gui.widgets.row_model import MIN_PX, Column, ColumnModel, Index, RowView
from gui.work.mistake_service import MistakeService

_STATES = {
    mark("All"): "all",
    mark("Due now"): "due",
    mark("Learning"): "learning",
    mark("Retired"): "retired",
}
_LOSSES = {
    mark("Any loss"): 0.0,
    mark("1 point or more"): 0.01,
    mark("5 points or more"): 0.05,
    mark("25 points or more"): 0.25,
}
_NARROW_PX = 900  # width of the window; below it, the details go under the list
_PANEL_PX, _MIN_PANEL_PX, _MIN_TABLE_PX = 372, 336, 260
_COLUMNS_PX = 540  # approximate width of the columns
_SORT, _DESCENDING = "last", True


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
        Column(trc("column", "Times"), lambda m: str(m.n_made), True, tip=tr("Times made")),
        Column(trc("column", "Last"), lambda m: day_text(m.last, today())),
        Column(trc("column", "Next"), lambda m: due_text(m, today()), tip=tr("When it comes back")),
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


class MistakesFilter(ListFilter):
    """Fields for state, grade, loss, date, tag and position."""

    def __init__(self) -> None:
        position = SearchField(
            tr("Hex digits"),
            tr("16 hex digits in any orientation, or a few in a row as the list has them"),
        )
        self.state_combo = Choices(tr("State"), _translated(_STATES))
        self.grade_combo = Choices(tr("Grade"), _grades())
        self.loss_combo = Choices(tr("Loss"), _translated(_LOSSES))
        self.date_combo = SinceChoices(tr("Last made"))
        self.tag_combo = Choices(tr("Tag"), {tr("Any tag"): ""})
        rules = (self.state_combo, self.grade_combo, self.loss_combo)
        super().__init__((*rules, self.date_combo, self.tag_combo, position))
        focus_by_tab(*self.combos)
        self.set_tags([])

    def query(self, key: TableKey | None, sort: str, descending: bool, today: Today) -> Query:
        return Query(
            key=key,
            since=self.date_combo.since(today),
            min_loss=self.loss_combo.currentData(),
            grades=frozenset(GRADES[i] for i in self.grade_combo.currentData()),
            board=self.search_edit.text(),
            tag=self.tag_combo.currentData(),
            state=self.state_combo.currentData(),
            now=today.now,
            sort=sort,
            descending=descending,
        )

    def set_tags(self, tags: list[str]) -> None:
        chosen = self.tag_combo.currentData()
        self.tag_combo.clear()
        self.tag_combo.addItem(tr("Any tag"), "")
        for tag in tags:
            self.tag_combo.addItem(tag, tag)
        self.tag_combo.setCurrentIndex(max(0, self.tag_combo.findData(chosen)))
        labeled = self.tag_combo.parentWidget()
        assert labeled is not None
        labeled.setVisible(bool(tags))


def _grades() -> dict[str, list[int]]:
    """Return the choices of grades, as indices in `GRADES`: Qt's item data handle numbers best."""
    choices: dict[str, list[int]] = {tr("All grades"): []}
    for at in range(len(GRADES) - 1, 0, -1):
        grade = grade_title(GRADES[at])
        is_worst = GRADES[at] is Grade.DISASTER
        text = grade if is_worst else tr("{grade}, or worse", grade=grade)
        choices[text] = list(range(at, len(GRADES)))
    return choices


def _translated(choices: Mapping[str, Any]) -> dict[str, Any]:
    return {tr(text): value for text, value in choices.items()}


@dataclass(frozen=True)
class _Rows:
    """The result of a query: all ids, the first mistakes, the size of the database, its tags."""

    ids: list[int]
    first: dict[int, Mistake]
    n_all: int
    tags: list[str]


class MistakesList(QWidget):
    """Lists thousands of mistakes, and shows the selected one.

    After `left`, Esc in a field, the rows can take the focus.
    """

    choice_changed = Signal()
    left = Signal()
    failed = Signal(object)

    def __init__(self, store: MistakeService, today: Callable[[], Today]) -> None:
        super().__init__()
        self._store, self._today = store, today
        self._key: TableKey | None = None
        self._sort, self._descending = _SORT, _DESCENDING
        self._n_requests = self._n_attempt_requests = 0
        self._keep: list[int] = []
        self._is_narrow: bool | None = None
        self.filter, self.panel = MistakesFilter(), MistakePanel()
        self.model = MistakeModel(today)
        self.table = self._make_table()
        self.count_label = label("", "caption")
        self._lay_out()
        self._connect()

    def refresh(self, key: TableKey | None) -> None:
        self._key = key
        self._n_requests += 1
        number = self._n_requests
        query = self.filter.query(key, self._sort, self._descending, self._today())

        def work(mistakes: Mistakes) -> _Rows:
            ids = mistakes.ids(query)
            first = mistakes.get(ids[:PAGE_ROWS])  # the visible rows, in the same query
            return _Rows(ids, first, mistakes.count(), mistakes.tags())

        def done(rows: _Rows) -> None:
            if number == self._n_requests:
                self._show_rows(rows)

        def failed(error: BaseException) -> None:
            if number != self._n_requests:
                return
            if isinstance(error, InvalidBoardError):
                self.filter.show_error(message_of(error))
            else:
                self.failed.emit(error)

        self._store.ask(work, done, failed)

    @property
    def chosen(self) -> list[int]:
        return [self.model.ids[number] for number in self.table.chosen_numbers]

    @property
    def mistake(self) -> Mistake | None:
        return self.panel.mistake

    def choose_next_to(self, ids: list[int]) -> None:
        gone = set(ids)
        row = self.table.currentIndex().row()
        above, below = self.model.ids[: max(0, row)], self.model.ids[max(0, row) :]
        after = [mistake_id for mistake_id in below if mistake_id not in gone][:1]
        before = [mistake_id for mistake_id in above if mistake_id not in gone][-1:]
        self._keep = after or before

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._arrange()

    def _show_rows(self, rows: "_Rows") -> None:
        ids = rows.ids
        keep = set(self._keep or self.chosen)
        self._keep = []
        self.filter.show_error("")
        self.filter.set_tags(rows.tags)
        self.model.set_ids(ids, rows.first)
        self._select(
            [row for row, mistake_id in enumerate(ids) if mistake_id in keep] if keep else []
        )
        self.count_label.setText(_count_text(len(ids), rows.n_all))
        self.clear_button.setVisible(self.filter.is_narrow)
        if ids and not self.chosen:
            self._select([0])
        self._show_chosen()

    def _select(self, rows: list[int]) -> None:
        flags = QItemSelectionModel.SelectionFlag
        selection = self.table.selectionModel()
        for at, number in enumerate(rows[:1000]):
            index = self.model.index(number, 0)
            if at == 0:
                selection.setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
                self.table.scrollTo(index)
            else:
                selection.select(index, flags.Select | flags.Rows)

    def _fetch(self, ids: list[int]) -> None:
        number = self._n_requests

        def done(mistakes: dict[int, Mistake]) -> None:
            if number == self._n_requests:
                self.model.add(mistakes)
                if self.panel.mistake is None or self.panel.mistake.id in mistakes:
                    self._show_chosen()

        self._store.ask(lambda mistakes: mistakes.get(ids), done, self.failed.emit)

    def _show_chosen(self) -> None:
        chosen = self.table.chosen_numbers
        mistake = self.model.row_at(chosen[0]) if len(chosen) == 1 else None
        self.panel.show_choice(mistake, len(chosen), self._today())
        if mistake:
            self._ask_attempts(mistake.id)
        self.choice_changed.emit()

    def _ask_attempts(self, mistake_id: int) -> None:
        self._n_attempt_requests += 1
        number = self._n_attempt_requests

        def done(attempts: list[Attempt]) -> None:
            if number == self._n_attempt_requests:
                self.panel.show_attempts(attempts)

        self._store.ask(lambda mistakes: mistakes.attempts(mistake_id), done, self.failed.emit)

    def _sort_by(self, sort: str, descending: bool) -> None:
        if (sort, descending) != (self._sort, self._descending):
            self._sort, self._descending = sort, descending
            self.refresh(self._key)

    def _make_table(self) -> RowView[Mistake]:
        table = RowView(self.model, tr("Mistakes"), is_many=True)
        table.setMinimumHeight(_MIN_TABLE_PX)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._position_cell = BoardCell(
            lambda row: mistake.board if (mistake := self.model.row_at(row)) else None
        )
        self._grade_cell = GradeCell(self.model.row_at)
        theme_source().changed.connect(table.viewport().update)
        table.setItemDelegateForColumn(POSITION, self._position_cell)
        table.setItemDelegateForColumn(GRADE, self._grade_cell)
        rows = table.verticalHeader()
        # Fixed, so that a table of 50,000 rows doesn't query the height of each.
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(ROW_PX)
        table.sort_by(SORTS.index(_SORT))
        table.horizontalHeader().setMinimumSectionSize(MIN_PX)
        return table

    def _lay_out(self) -> None:
        self.clear_button = button(tr("Show all"), "quiet", by_tab=True)
        self.clear_button.hide()
        self._side = scroll_area(self.panel)
        self._side.setFixedWidth(_PANEL_PX)
        content = QWidget()
        self._body = row(
            placed(
                laid_out(
                    column(
                        self.filter,
                        placed(self.table, stretch=1),
                        row(self.count_label, self.clear_button, STRETCH, space=8),
                    )
                ),
                stretch=1,
            ),
            self._side,
            space=16,
            margins=(MARGIN, 0, MARGIN, 12),
            parent=content,
        )
        column(scroll_area(content), parent=self)

    def _connect(self) -> None:
        self.model.rows_requested.connect(self._fetch)
        self.model.sort_requested.connect(self._sort_by)
        self.filter.changed.connect(lambda: self.refresh(self._key))
        self.clear_button.clicked.connect(self.filter.reset)
        for field in (self.filter.search_edit, self.panel.tags_edit):
            escape = QShortcut(Qt.Key.Key_Escape, field)
            escape.setContext(Qt.ShortcutContext.WidgetShortcut)
            escape.activated.connect(self.left)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_chosen())

    def _arrange(self) -> None:
        narrow = min(self.window().width(), self.width() + 56) < _NARROW_PX
        spare = self.width() - 2 * MARGIN - 48 - _COLUMNS_PX
        self._side.setFixedWidth(max(_MIN_PANEL_PX, min(_PANEL_PX, spare)))
        was_narrow, self._is_narrow = self._is_narrow, narrow
        if narrow == was_narrow:
            return
        if narrow:
            self._body.addWidget(self._side.takeWidget())
        else:
            self._body.removeWidget(self.panel)
            self._side.setWidget(self.panel)
        self._side.setVisible(not narrow)
        self.panel.setVisible(True)
        direction = QBoxLayout.Direction
        self._body.setDirection(direction.TopToBottom if narrow else direction.LeftToRight)


def _count_text(n: int, n_all: int) -> str:
    if n == n_all:
        return trn("{n} move to drill", "{n:,} moves to drill", n_all)
    return trn(
        "{shown} of {n} move to drill", "{shown} of {n:,} moves to drill", n_all, shown=f"{n:,}"
    )
