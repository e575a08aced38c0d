"""Editing a board cell by cell: choose a tile, click; the whole edit is one undoable step. No
Qt."""

from engine.bitboard import cells
from gui.play.board_edits import put

LARGEST = 15


class BoardEdit:
    """A board being edited.

    Parameters
    ----------
    board : int
        The position to start from.
    walls : bool
        Whether nibble F is a wall: walls stay, and no tile becomes one.
    """

    def __init__(self, board: int, walls: bool) -> None:
        self.board = board
        self.chosen = 0
        self._walls = walls
        self._before: list[int] = []
        self._undone: list[int] = []

    @property
    def choices(self) -> list[int]:
        """The exponents that may be placed; 0 empties the cell."""
        return list(range(LARGEST if self._walls else LARGEST + 1))

    def place(self, cell: int) -> None:
        """Place the chosen tile; the same tile again empties the cell."""
        self._put(cell, 0 if self._at(cell) == self.chosen else self.chosen)

    def empty(self, cell: int) -> None:
        """Remove the tile."""
        self._put(cell, 0)

    def double(self, cell: int) -> None:
        """Go to the next larger tile; after the largest comes the empty cell."""
        self._put(cell, (self._at(cell) + 1) % len(self.choices))

    def halve(self, cell: int) -> None:
        """Go to the next smaller tile; before the empty cell comes the largest."""
        self._put(cell, (self._at(cell) - 1) % len(self.choices))

    def undo(self) -> bool:
        """Undo the last change; return False if there is none."""
        if not self._before:
            return False
        self._undone.append(self.board)
        self.board = self._before.pop()
        return True

    def redo(self) -> bool:
        """Redo a change; return False if there is none."""
        if not self._undone:
            return False
        self._before.append(self.board)
        self.board = self._undone.pop()
        return True

    def _at(self, cell: int) -> int:
        return cells(self.board)[cell]

    def _put(self, cell: int, exponent: int) -> None:
        if self._walls and self._at(cell) == LARGEST:
            return
        board = put(self.board, cell, exponent)
        if board != self.board:
            self._before.append(self.board)
            self._undone.clear()
            self.board = board
