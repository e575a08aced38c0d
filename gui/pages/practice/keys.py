"""What keys, clicks and swipes on the practice board mean, in each of its modes."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent

from gui.pages.practice.edit import EditBar, moved_cursor
from gui.practice.game import PracticeGame
from gui.widgets.board_view import BoardView

_MOVE_KEYS: dict[int, int] = {
    Qt.Key.Key_Left: 0,
    Qt.Key.Key_A: 0,
    Qt.Key.Key_H: 0,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_D: 1,
    Qt.Key.Key_L: 1,
    Qt.Key.Key_Up: 2,
    Qt.Key.Key_W: 2,
    Qt.Key.Key_K: 2,
    Qt.Key.Key_Down: 3,
    Qt.Key.Key_S: 3,
    Qt.Key.Key_J: 3,
}
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
)


class BoardKeys(QObject):
    """Play, place a tile, or edit: whatever the mode of the moment is.

    Parameters
    ----------
    view : BoardView
        Whose events are taken, before a scroll area around it sees the arrows.
    game : PracticeGame
    edit_bar : EditBar
    play : callable
        Plays a direction for the person.
    stop : callable
        Stops what plays itself.
    """

    def __init__(
        self,
        view: BoardView,
        game: PracticeGame,
        edit_bar: EditBar,
        play: Callable[[int], object],
        stop: Callable[[], object],
    ) -> None:
        super().__init__(view)
        self._view, self._game, self._edit_bar = view, game, edit_bar
        self._play, self._stop = play, stop
        self.cursor = 0
        view.installEventFilter(self)
        view.swiped.connect(play)
        view.cell_clicked.connect(self._click)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Take the keys that mean something on the board."""
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and self._is_for_a_cell(event.key()):
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and self._press(event):
                return True
        return super().eventFilter(watched, event)

    def _is_for_a_cell(self, key: int) -> bool:
        """Return whether a key that is a shortcut otherwise now concerns the framed cell."""
        if self._edit_bar.is_active:
            return key in _EDIT_KEYS
        return self._game.awaits_hand and key in _TILE_KEYS

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
        elif key in _MOVE_KEYS:
            self._play(_MOVE_KEYS[key])
        else:
            return False
        return True

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
