"""The history as a list: the line shown, move by move, with variations under each move.

For a long line, the list holds the part around the current place: laying out tens of thousands of
rows takes longer than a frame.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QListView, QWidget

from coach.grading.grade import GRADES, Grade
from coach.grading.names import grade_word, move_title, move_word
from engine.platform.language import mark, tr, trn
from gui.board.grade_mark import grade_pixmap
from gui.practice.tree import MoveTree, Node
from gui.style.layout import column, placed, row
from gui.style.theme import theme_source
from gui.widgets.buttons import button, focus_by_tab
from gui.widgets.labels import label

_EACH_WAY = 400  # steps shown before and after the current place when the list is rebuilt
_TOO_CLOSE = 40  # distance to an end of the part at which it is rebuilt
_INDENT = "    "
Index = QModelIndex | QPersistentModelIndex
GradeOf = Callable[[Node], Grade | None]


@dataclass(frozen=True)
class _Row:
    node: Node
    number: int  # of the move in its line
    is_variation: bool = False
    n_left_out: int = 0  # steps that this row represents


_CHANGES: Mapping[str, tuple[str, str]] = {
    "edit": (mark("Board set"), mark("board set")),
    "turn": (mark("Board turned"), mark("board turned")),
    "recording": (mark("Recording {name}"), mark("recording {name}")),
}
_START = (mark("Start"), mark("start"))


def describe_node(node: Node, is_first: bool = True) -> str:
    """Return the description of a step: `Left, then a 2 at row 1, column 3`.

    If it is not first in its sentence: `left, then a 2 at ...`.
    """
    step = node.step
    tile = {}
    if step.spawned:
        cell, exponent = step.spawned
        tile = {"tile": 1 << exponent, "row": cell // 4 + 1, "column": cell % 4 + 1}
    if step.kind == "spawn":
        if is_first:
            return tr("A {tile} at row {row}, column {column}", **tile)
        return tr("a {tile} at row {row}, column {column}", **tile)
    if step.kind == "move" and step.direction is not None:
        move = move_title(step.direction) if is_first else move_word(step.direction)
        if not tile:
            return move
        return tr("{move}, then a {tile} at row {row}, column {column}", move=move, **tile)
    first, later = _CHANGES.get(step.kind, _START)
    return tr(first if is_first else later, name=node.name)


def _number_of(node: Node, before: int) -> int:
    """Return the number of a step's move; a board that is set anew begins from the start."""
    if node.step.kind == "move":
        return before + 1
    return before if node.step.kind == "spawn" else 0


class HistoryModel(QAbstractListModel):
    """The rows of a tree, which can grow at the end without a rebuild."""

    def __init__(self, grade_of: GradeOf) -> None:
        super().__init__()
        self._grade_of = grade_of
        self._tree: MoveTree | None = None
        self._rows: list[_Row] = []
        self._places: dict[int, int] = {}
        self.here = -1  # the row of the current place; -1 without one
        self._draw_marks()
        theme_source().changed.connect(self._draw_marks)

    def node(self, row: int) -> Node:
        return self._rows[row].node

    def _draw_marks(self) -> None:
        self._marks = {grade: grade_pixmap(grade) for grade in GRADES}
        self._no_mark = grade_pixmap(None)
        self._report_changed(0, len(self._rows) - 1)

    def follow(self, tree: MoveTree | None) -> None:
        if tree is None or tree is not self._tree or not self._grow(tree):
            self.read(tree)
        elif (row := self._places.get(id(tree.here), -1)) >= 0:
            before, self.here = self.here, row
            self._report_changed(before, before)
            self._report_changed(row, row)

    def touch(self, row: int) -> None:
        self._report_changed(row, row)

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._text(row)
        if row.n_left_out:
            return None
        if role == Qt.ItemDataRole.DecorationRole:
            grade = self._grade_of(row.node)
            return self._marks[grade] if grade else self._no_mark
        if role == Qt.ItemDataRole.ToolTipRole:
            grade = self._grade_of(row.node)
            if grade is None:
                return None
            what = describe_node(row.node)
            return tr("{what}: {grade}", what=what, grade=grade_word(grade))
        if role == Qt.ItemDataRole.FontRole and index.row() == self.here:
            font = QFont()
            font.setWeight(QFont.Weight.DemiBold)
            return font
        return None

    def _text(self, row: _Row) -> str:
        if row.n_left_out:
            return trn(
                "\N{HORIZONTAL ELLIPSIS} {n} more",
                "\N{HORIZONTAL ELLIPSIS} {n:,} more",
                row.n_left_out,
            )
        what = describe_node(row.node, is_first=not row.is_variation)
        if row.node.is_marked:
            what = tr("{what}  (bookmark)", what=what)
        if row.is_variation:
            return _INDENT + tr("or {what}", what=what)
        return f"{row.number}.  {what}" if row.node.step.kind == "move" else what

    def _grow(self, tree: MoveTree) -> bool:
        here = tree.here
        row = self._places.get(id(here))
        if row is not None:
            return len(here.siblings) == self._n_listed(row) and not self._is_at_a_cut(row)
        last = next((r for r in reversed(self._rows) if not r.is_variation), None)
        if last is None or here.parent is not last.node or len(here.siblings) > 1 or here.next:
            return False
        at = len(self._rows)
        if at > 3 * _EACH_WAY:
            return False
        self.beginInsertRows(QModelIndex(), at, at)
        self._add(here, last.number)
        self.endInsertRows()
        return True

    def _is_at_a_cut(self, row: int) -> bool:
        before, after = self._rows[0].n_left_out, self._rows[-1].n_left_out
        is_near_end = row >= len(self._rows) - _TOO_CLOSE
        return bool(before and row < _TOO_CLOSE) or bool(after and is_near_end)

    def _n_listed(self, row: int) -> int:
        """Return the number of variations that a row stands for, including its own."""
        count = 1
        while row + count < len(self._rows) and self._rows[row + count].is_variation:
            count += 1
        return count

    def read(self, tree: MoveTree | None) -> None:
        self.beginResetModel()
        self._tree, self._rows, self._places, self.here = tree, [], {}, -1
        if tree:
            self._read_part(tree.line(), tree.depth)
            self.here = self._places[id(tree.here)]
        self.endResetModel()

    def _read_part(self, line: list[Node], at: int) -> None:
        first, end = max(0, at - _EACH_WAY), min(len(line), at + _EACH_WAY + 1)
        number = 0
        for node in line[:first]:
            number = _number_of(node, number)
        if first:
            self._rows.append(_Row(line[first - 1], number, n_left_out=first))
        for node in line[first:end]:
            number = self._add(node, number)
            self._rows += [_Row(o, number, True) for o in node.siblings if o is not node]
        if end < len(line):
            self._rows.append(_Row(line[end], number, n_left_out=len(line) - end))

    def _add(self, node: Node, number: int) -> int:
        number = _number_of(node, number)
        self._places[id(node)] = len(self._rows)
        self._rows.append(_Row(node, number))
        return number

    def _report_changed(self, first: int, last: int) -> None:
        if 0 <= first <= last < len(self._rows):
            self.dataChanged.emit(self.index(first), self.index(last))


class HistoryList(QListView):
    """A list to navigate the history and its variations."""

    node_chosen = Signal(object)  # Node
    left = Signal()

    def __init__(self, grade_of: GradeOf) -> None:
        super().__init__()
        self.rows = HistoryModel(grade_of)
        self._tree: MoveTree | None = None
        self._is_due = False
        self.setModel(self.rows)
        self.setUniformItemSizes(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAccessibleName(tr("History"))
        self.setMinimumHeight(160)
        focus_by_tab(self)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)

    def follow(self, tree: MoveTree | None) -> None:
        """Show the current place; deferred while hidden."""
        self._tree = tree
        if not self.isVisible():
            self._is_due = True
            return
        self._is_due = False
        self.rows.follow(tree)
        if self.rows.here >= 0:
            index = self.rows.index(self.rows.here)
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def touch(self) -> None:
        if self.isVisible():
            self.rows.touch(self.rows.here)

    def refresh(self) -> None:
        """Rebuild the list: more has changed than a step."""
        self.rows.read(self._tree)
        self._is_due = True
        self.follow(self._tree)

    def showEvent(self, event: object) -> None:  # noqa: N802
        """Catch up with changes made while hidden."""
        super().showEvent(event)  # type: ignore[arg-type]
        if self._is_due:
            self.follow(self._tree)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End):
            self._choose(self.currentIndex())

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.node_chosen.emit(self.rows.node(index.row()))


class HistoryPanel(QWidget):
    """The list, the buttons under it, and the summary of the recording."""

    def __init__(self, grade_of: GradeOf) -> None:
        super().__init__()
        self.list = HistoryList(grade_of)
        self.caption = label("", "caption", wraps=True)
        self.save_button = button(
            tr("Save as…"), tip=tr("Save the moves up to here as .json, .rec or .rpl"), by_tab=True
        )
        self.open_button = button(tr("Open…"), tip=tr("Open a recording of any kind"), by_tab=True)
        self.play_button = button(
            tr("Play back"),
            tip=tr("Replay the rest of the history, with the same tiles"),
            by_tab=True,
        )
        self.recorded_box = QCheckBox(tr("Show the recorded rates"))
        self.recorded_box.setChecked(True)
        focus_by_tab(self.recorded_box)
        column(
            placed(self.list, stretch=1),
            self.caption,
            self.recorded_box,
            row(self.save_button, self.open_button, self.play_button),
            parent=self,
        )
        self.show_recording(0, has_rates=False)

    def show_recording(self, n_moves: int, has_rates: bool) -> None:
        caption = trn(
            "Recorded up to here: {n} move.", "Recorded up to here: {n:,} moves.", n_moves
        )
        self.caption.setText(caption if n_moves else "")
        self.save_button.setEnabled(n_moves > 0)
        self.recorded_box.setVisible(has_rates)
