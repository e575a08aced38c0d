"""User actions on the board: moves, navigation in the history, new starts, hints, keys."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence

from coach.mistakes.mistake import NotedMove
from coach.play.move_clock import MoveClock
from engine.platform.language import tr
from gui.board.board_view import ARROW_STEPS
from gui.practice.board_editor import DIGITS, EditBar, moved_cursor
from gui.practice.parts import PracticeParts
from gui.practice.session import PracticeSession, SpawnMode
from gui.practice.text import breaking_question
from gui.practice.tile_effects_view import TileEffectsView
from gui.practice.tree import Step
from gui.text.rates import margin_of_best

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
    *DIGITS,
    Qt.Key.Key_Escape,
    *ARROW_STEPS,
)


class Playing:
    """Performs actions on the board, stopping automatic play first.

    `note_guess` stores a move made without seeing the answer, and whether F is a wall there.
    """

    def __init__(
        self,
        parts: PracticeParts,
        edit_bar: EditBar,
        why: TileEffectsView,
        note_guess: Callable[[NotedMove, bool], object],
    ) -> None:
        self._parts, self._edit_bar, self._why = parts, edit_bar, why
        self._game, self._view, self._demo = parts.game, parts.view, parts.demo
        self._note_guess, self._now = note_guess, parts.services.now
        self.clock = MoveClock(parts.services.clock)  # of guesses
        self.clock.pause()  # until the board is visible
        self._is_best_shown = False  # then the next move is not a guess
        self._asked_about: int | None = None  # the move to be confirmed by a second press

    def begin_position(self) -> None:
        self._asked_about, self._is_best_shown = None, False
        self.clock.start()

    def play(self, direction: int) -> None:
        self._demo.stop()
        if self._edit_bar.is_active or self._asks_before(direction):
            return
        is_guess = self._parts.remembered.is_guessing and not self._is_best_shown
        guess = None
        if is_guess and not self._parts.panel.why.isVisible():
            guess = self._game.guess(direction, self._now(), self.clock.elapsed_ms)
        if self._game.play(direction) and guess and self._game.table:
            self._note_guess(guess, self._game.table.formation.walls)

    def _asks_before(self, direction: int) -> bool:
        table, asks = self._game.table, self._parts.remembered.asks_before_breaking
        if not table or not asks or direction == self._asked_about:
            return False
        if direction not in self._game.breaking:
            return False
        self._asked_about = direction
        self._parts.panel.show_verdict(None, breaking_question(direction, table.name))
        return True

    def walk(self, step: Callable[[PracticeSession], Step | None]) -> None:
        self._demo.stop()
        if self._edit_bar.is_active or self._game.session is None:
            return
        if not self._game.walk(step):
            self._parts.panel.show_verdict(None, tr("That's not possible on this board."))

    def undo(self) -> None:
        """Undo the last step; while editing, the last change of the edit."""
        if self._edit_bar.is_active:
            self._edit_bar.undo()
        else:
            self.walk(PracticeSession.undo)

    def redo(self) -> None:
        if self._edit_bar.is_active:
            self._edit_bar.redo()
        else:
            self._demo.stop()
            self._game.step_forward()

    def new_start(self) -> None:
        self._demo.stop()
        self._game.new_start()

    def varied_start(self) -> None:
        self._demo.stop()
        self._game.varied_start()

    def step(self) -> None:
        """Play the best move; during automatic play, only stop it."""
        if self._demo.is_running:
            self._demo.stop()
        else:
            self._game.play_best()

    def toggle_demo(self) -> None:
        if self._demo.is_running:
            self._demo.stop()
        elif self._game.session and not self._edit_bar.is_active:
            self._demo.start()

    def toggle_hint(self) -> None:
        answer = self._game.answer
        if self._view.hint is not None or answer is None or answer.best is None:
            self._view.show_hint(None)
            return
        margin = 0.0
        if not answer.are_bounds:
            margin = margin_of_best(answer.rates, self._game.lookup.tolerance)
        self._view.show_hint(answer.best, margin)
        self._is_best_shown = True

    def toggle_why(self) -> None:
        if not self._why.is_on:
            self._parts.panel.show_tab("why")
        self._is_best_shown = True
        self._why.toggle()
        self._parts.changed.emit()

    def toggle_hand(self) -> None:
        by_hand = self._game.spawn_mode is not SpawnMode.MANUAL
        mode = SpawnMode.MANUAL if by_hand else SpawnMode.RANDOM
        self._parts.panel.spawn_chips.choose(mode)
        self.choose_spawn_mode(mode)

    def choose_spawn_mode(self, mode: SpawnMode) -> None:
        """Set how new tiles are placed; an edit goes on, and its end shows the position."""
        self._parts.remembered.spawn_mode = mode
        self._game.set_spawn_mode(mode, shows=not self._edit_bar.is_active)
        self._view.setFocus()
        self._parts.changed.emit()


class BoardKeys(QObject):
    """Input handling for the current mode: play, place a tile, or edit.

    Keys of moves are the shortcuts of their actions; those that edit, place and stop are fixed, and
    while active take precedence over shortcuts. Events of the board are filtered before a scroll
    area around it sees the arrows.
    """

    def __init__(
        self, parts: PracticeParts, edit_bar: EditBar, playing: Playing, moves: Sequence[QAction]
    ) -> None:
        super().__init__(parts.view)
        self._view, self._game, self._stop = parts.view, parts.game, parts.demo.stop
        self._edit_bar, self._play, self._moves = edit_bar, playing.play, moves
        self.cursor = 0
        self._view.installEventFilter(self)
        self._view.cell_clicked.connect(self._click)

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
        return self._game.awaits_hand and (key in _TILE_KEYS or key in ARROW_STEPS)

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
