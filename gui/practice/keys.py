"""Keys, clicks and swipes on the practice board, in each of its modes."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence

from gui.board.board_view import BoardView
from gui.practice.board_editor import EditBar, moved_cursor
from gui.practice.game import PracticeGame

_ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
_TILE_KEYS: dict[int, int] = {
    Qt.Key.Key_2: 1,
    Qt.Key.Key_4: 2,
    Qt.Key.Key_Return: 1,
    Qt.Key.Key_Enter: 1,
}
_EDIT_KEYS = (
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Space,
    Qt.Key.Key_Plus,
    Qt.Key.Key_Minus,
    Qt.Key.Key_0,
    Qt.Key.Key_Escape,
    *_ARROWS,
)


class BoardKeys(QObject):
    """Input handling for the current mode: play, place a tile, or edit.

    Keys of moves are the shortcuts of their actions; those that edit, place and stop are fixed, and
    while active take precedence over shortcuts.

    Events of the board are filtered before a scroll area around it sees the arrows.
    """

    def __init__(
        self,
        view: BoardView,
        game: PracticeGame,
        edit_bar: EditBar,
        moves: Sequence[QAction],
        play: Callable[[int], object],
        stop: Callable[[], object],
    ) -> None:
        super().__init__(view)
        self._view, self._game, self._edit_bar = view, game, edit_bar
        self._moves, self._play, self._stop = moves, play, stop
        self.cursor = 0
        view.installEventFilter(self)
        view.swiped.connect(play)
        view.cell_clicked.connect(self._click)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QKeyEvent):
            kind = event.type()
            if kind == QEvent.Type.ShortcutOverride and self._is_for_a_cell(event.key()):
                event.accept()
                return True
            if kind == QEvent.Type.KeyPress and self._press(event):
                return True
        return super().eventFilter(watched, event)

    def frame_free_cell(self) -> None:
        """Frame the cell where a tile is placed by hand: the last one or, if taken, a free one."""
        exponents = self._view.cells
        if exponents[self.cursor]:
            self.cursor = exponents.index(0)
        self._view.show_cursor(self.cursor)

    def _is_for_a_cell(self, key: int) -> bool:
        """Return whether a key that is usually a shortcut now applies to the framed cell."""
        if self._edit_bar.is_active:
            return key in _EDIT_KEYS
        return self._game.awaits_hand and (key in _TILE_KEYS or key in _ARROWS)

    def _press(self, event: QKeyEvent) -> bool:
        plain = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier
        key = event.key()
        if event.modifiers() not in plain:
            return False
        if self._edit_bar.is_active:
            return self._edit_bar.press(key)
        if self._game.awaits_hand:
            return self._place(key)
        if key == Qt.Key.Key_Escape:
            self._stop()
        elif (direction := self._direction_of(key)) is not None:
            self._play(direction)
        else:
            return False
        return True

    def _direction_of(self, key: int) -> int | None:
        """Return the direction of a key, even if no shortcut handled it."""
        pressed = QKeySequence(key)
        has_key = (pressed in action.shortcuts() for action in self._moves)
        return next((direction for direction, has in enumerate(has_key) if has), None)

    def _place(self, key: int) -> bool:
        if key in _TILE_KEYS:
            self._game.place(self.cursor, _TILE_KEYS[key])
        elif (cell := moved_cursor(self.cursor, key)) is not None:
            self.cursor = cell
            self._view.show_cursor(cell)
        else:
            return False
        return True

    def _click(self, cell: int, button: Qt.MouseButton) -> None:
        self._view.setFocus()
        if self._edit_bar.is_active:
            self._edit_bar.click(cell, button)
        else:
            self._game.place(cell, 2 if button == Qt.MouseButton.RightButton else 1)
