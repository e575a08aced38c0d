"""The editing mode of the practice page: a palette, clicks, and keys for those without a mouse."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from engine.platform.language import tr
from gui.board.board_view import BoardView
from gui.practice.board_edit import BoardEdit
from gui.practice.tile_palette import TilePalette
from gui.style.layout import STRETCH, column, row

_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


def moved_cursor(cell: int, key: int) -> int | None:
    """Return the cell next to `cell` in the direction of an arrow key; None for another key."""
    for arrow, (down, right) in _STEPS.items():
        if key == arrow:
            row, column = divmod(cell, 4)
            return (row + down) % 4 * 4 + (column + right) % 4
    return None


class EditBar(QWidget):
    """The palette under the board, and the editing of cells while it is open.

    Left click places the chosen tile, right click doubles, middle click halves. With keys: arrows
    go from cell to cell, Enter places, plus and minus double and halve, 0 empties;
    Ctrl+Z undoes a change.

    Parameters
    ----------
    view : BoardView
        The board that is edited.
    show : callable
        Draws a board.
    done : callable
        Called with the edited board, or None if the edit was canceled.
    """

    def __init__(
        self,
        view: BoardView,
        show: Callable[[int], None],
        done: Callable[[int | None], None],
    ) -> None:
        super().__init__()
        self._view, self._show, self._done = view, show, done
        self._edit: BoardEdit | None = None
        self._cursor = 0
        self.palette_row = TilePalette()
        self.palette_row.chosen.connect(self._choose)
        self.done_button, self.cancel_button = QPushButton(tr("Done")), QPushButton(tr("Cancel"))
        self.done_button.setProperty("primary", True)
        self.done_button.setToolTip(tr("Apply the changes"))
        self.cancel_button.setToolTip(tr("Discard the changes (Esc)"))
        for button, kept in ((self.done_button, True), (self.cancel_button, False)):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, k=kept: self.finish(k))
        buttons = column(self.done_button, self.cancel_button, space=4)
        row(STRETCH, self.palette_row, buttons, STRETCH, space=12, parent=self)

    @property
    def is_active(self) -> bool:
        """Whether a board is being edited."""
        return self._edit is not None

    def begin(self, board: int, walls: bool) -> None:
        """Start to edit a board."""
        self._edit = BoardEdit(board, walls)
        self._cursor = 0
        self.palette_row.offer(self._edit.choices, self._edit.chosen)
        self._view.setFocus()  # Escape, arrows and Enter apply to the cells now
        self._view.show_cursor(self._cursor)
        self._view.setCursor(Qt.CursorShape.PointingHandCursor)

    def finish(self, keep: bool) -> None:
        """Pass on the edited board, or None to discard it."""
        if self._edit is None:
            return
        board = self._edit.board if keep else None
        self._edit = None
        self._view.show_cursor(None)
        self._view.unsetCursor()
        self._done(board)

    def click(self, cell: int, button: Qt.MouseButton) -> None:
        """Change a cell by a mouse button."""
        if self._edit is None:
            return
        if button == Qt.MouseButton.LeftButton:
            self._edit.place(cell)
        elif button == Qt.MouseButton.RightButton:
            self._edit.double(cell)
        else:
            self._edit.halve(cell)
        self._show(self._edit.board)

    def press(self, key: int) -> bool:
        """Handle a key that changes a cell or moves the cursor; return False for other keys."""
        if self._edit is None:
            return False
        changes: dict[int, Callable[[int], None]] = {
            Qt.Key.Key_Return: self._edit.place,
            Qt.Key.Key_Enter: self._edit.place,
            Qt.Key.Key_Space: self._edit.place,
            Qt.Key.Key_Plus: self._edit.double,
            Qt.Key.Key_Minus: self._edit.halve,
            Qt.Key.Key_0: self._edit.empty,
            Qt.Key.Key_Delete: self._edit.empty,
            Qt.Key.Key_Backspace: self._edit.empty,
        }
        if (cell := moved_cursor(self._cursor, key)) is not None:
            self._cursor = cell
        elif key == Qt.Key.Key_Escape:
            self.finish(keep=False)
            return True
        elif change := changes.get(key):
            change(self._cursor)
            self._show(self._edit.board)
        else:
            return False
        self._view.show_cursor(self._cursor)
        return True

    def undo(self) -> None:
        """Undo the last change of this edit."""
        if self._edit and self._edit.undo():
            self._show(self._edit.board)

    def redo(self) -> None:
        """Redo a change of this edit."""
        if self._edit and self._edit.redo():
            self._show(self._edit.board)

    def _choose(self, exponent: int) -> None:
        if self._edit is not None:
            self._edit.chosen = exponent
