"""Aiming a selected tool: its possible cells, and the cursor."""

from PySide6.QtCore import QObject, QPointF, Signal

from engine.platform.language import sentences, tr
from gui.minigames.board import MinigameBoard
from gui.minigames.text import AIMS, KEYS_OF_AIM
from minigames.board import block
from minigames.rules import MinigameRules
from minigames.state import Action, State

_STEPS = {0: (0, -1), 1: (0, 1), 2: (-1, 0), 3: (1, 0)}


class Aim(QObject):
    """Choosing the cell, or the cells, that a tool is used on, by pointer or by keyboard."""

    chosen = Signal(object)
    changed = Signal()

    def __init__(self, board: MinigameBoard, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._board = board
        self._rules: MinigameRules | None = None
        self._state: State | None = None
        self._cells: list[int] = []
        self._source: int | None = None
        self.tool: str | None = None
        board.clicked_at.connect(self._click)
        board.pointed_at.connect(self._hover)

    @property
    def text(self) -> str:
        if self.tool is None:
            return ""
        which = "glove_to" if self._source is not None else self.tool
        return sentences(tr(AIMS[which]), tr(KEYS_OF_AIM))

    def take(self, tool: str, rules: MinigameRules, state: State) -> None:
        self.tool, self._rules, self._state, self._source = tool, rules, state, None
        self._show()

    def put_away(self) -> None:
        if self.tool is None:
            return
        self.tool = self._source = None
        self._board.show_targets(None)
        self._board.show_cursor(None)
        self.changed.emit()

    def move_cursor(self, direction: int) -> None:
        """Move to the next cell in a direction where the tool can be used."""
        view, cursor = self._board.view, self._board.cursor_cell
        if view is None or cursor is None or self.tool is None:
            return
        rows, columns = _STEPS[direction]
        row, column = divmod(cursor, view.n_columns)

        def distance(cell: int) -> tuple[int, int]:
            r, c = divmod(cell, view.n_columns)
            ahead = (r - row) * rows + (c - column) * columns
            aside = abs((r - row) * columns) + abs((c - column) * rows)
            return ahead + 2 * aside, aside

        ahead = [
            cell
            for cell in self._cells
            if (cell // view.n_columns - row) * rows + (cell % view.n_columns - column) * columns
            > 0
        ]
        if ahead:
            self._set_cursor(min(ahead, key=distance))

    def confirm(self) -> None:
        cursor = self._board.cursor_cell
        if self.tool is None or cursor is None:
            return
        if self.tool == "glove" and self._source is None:
            self._source = cursor
            self._show()
            return
        cells = (cursor,) if self._source is None else (self._source, cursor)
        action = Action(self.tool, cells)
        self.put_away()
        self.chosen.emit(action)

    def _show(self) -> None:
        assert self._rules
        assert self._state
        assert self.tool
        self._cells = self._rules.tool_cells(self._state, self.tool, self._source)
        state = self._state
        shown = set(self._cells)
        if self.tool == "twist":
            blocks = [block(cell, state.n_rows, state.n_columns) for cell in self._cells]
            shown = {cell for four in blocks if four for cell in four}
        if self._source is not None:
            shown.add(self._source)
        self._board.show_targets(shown)
        middle = len(state.tiles) // 2
        self._set_cursor(min(self._cells, key=lambda cell: abs(cell - middle)))

    @property
    def _span(self) -> int:
        return 2 if self.tool == "twist" else 1

    def _set_cursor(self, cell: int) -> None:
        self._board.show_cursor(cell, self._span)
        self.changed.emit()

    def _hover(self, point: QPointF) -> None:
        if not self.tool:
            return
        place = self._board.nearest(point, self._cells, self._span)
        if place is not None:
            self._set_cursor(place)

    def _click(self, point: QPointF) -> None:
        if self.tool is None:
            return
        place = self._board.nearest(point, self._cells, self._span)
        if place is not None:
            self._set_cursor(place)
            self.confirm()
        elif self._source is not None:
            self.put_away()
