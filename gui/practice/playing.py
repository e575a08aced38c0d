"""User actions on the board: moves, navigation in the history, new starts, hints."""

from collections.abc import Callable
from datetime import datetime

from coach.mistakes.mistake import NotedMove
from coach.play.move_clock import MoveClock
from engine.platform.language import tr
from gui.board.board_view import BoardView
from gui.practice.board_editor import EditBar
from gui.practice.demo import Demo
from gui.practice.game import PracticeGame
from gui.practice.panel import PracticePanel
from gui.practice.remembered import RememberedPractice
from gui.practice.session import PracticeSession, SpawnMode
from gui.practice.text import breaking_question
from gui.practice.tile_effects_view import TileEffectsView
from gui.practice.tree import Step
from gui.text.rates import margin_of_best


class Guesses:
    """Plays the user's moves and stores those made without seeing the answer."""

    def __init__(
        self,
        game: PracticeGame,
        remembered: RememberedPractice,
        note: Callable[[NotedMove, bool], object],
        now: Callable[[], datetime],
        clock: Callable[[], float],
    ) -> None:
        self._game, self._remembered, self._note, self._now = game, remembered, note, now
        self._clock = MoveClock(clock)
        self._clock.pause()  # until the board is visible
        self._is_best_shown = False

    def begin(self) -> None:
        self._is_best_shown = False
        self._clock.start()

    def note_best_shown(self) -> None:
        """Note that the best move was shown: the next move is not a guess."""
        self._is_best_shown = True

    def show(self) -> None:
        self._clock.resume(is_measuring=self._game.session is not None)

    def hide(self) -> None:
        self._clock.pause()

    def play(self, direction: int, is_explained: bool) -> None:
        guess = None
        if self._remembered.is_guessing and not self._is_best_shown and not is_explained:
            guess = self._game.guess(direction, self._now(), self._clock.elapsed_ms)
        if self._game.play(direction) and guess and self._game.table:
            self._note(guess, self._game.table.formation.walls)


class Playing:
    """Performs actions on the board, stopping automatic play first."""

    def __init__(
        self,
        game: PracticeGame,
        view: BoardView,
        panel: PracticePanel,
        edit_bar: EditBar,
        demo: Demo,
        why: TileEffectsView,
        guesses: Guesses,
        remembered: RememberedPractice,
        enable: Callable[[], None],
    ) -> None:
        self._game, self._view, self._panel, self._edit_bar = game, view, panel, edit_bar
        self._demo, self._why, self._guesses, self._remembered = demo, why, guesses, remembered
        self._enable = enable
        self._asked_about: int | None = None  # the move to be confirmed by a second press

    def begin_position(self) -> None:
        """Reset for a new position: nothing was asked about it yet."""
        self._asked_about = None

    def play(self, direction: int) -> None:
        self._demo.stop()
        if not self._edit_bar.is_active and not self._asks_before(direction):
            self._guesses.play(direction, is_explained=self._panel.why.isVisible())

    def _asks_before(self, direction: int) -> bool:
        """Ask once before a move that breaks the formation, if enabled."""
        table = self._game.table
        if not table or not self._remembered.asks_before_breaking or direction == self._asked_about:
            return False
        if direction not in self._game.breaking:
            return False
        self._asked_about = direction
        self._panel.show_verdict(None, breaking_question(direction, table.name))
        return True

    def walk(self, step: Callable[[PracticeSession], Step | None]) -> None:
        self._demo.stop()
        if self._edit_bar.is_active or self._game.session is None:
            return
        if not self._game.walk(step):
            self._panel.show_verdict(None, tr("That's not possible on this board."))

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
        else:
            margin = (
                0.0
                if answer.are_bounds
                else margin_of_best(answer.rates, self._game.lookup.tolerance)
            )
            self._view.show_hint(answer.best, margin)
            self._guesses.note_best_shown()

    def toggle_why(self) -> None:
        if not self._why.is_on:
            self._panel.show_tab("why")
        self._guesses.note_best_shown()
        self._why.toggle()
        self._enable()

    def toggle_hand(self) -> None:
        by_hand = self._game.spawn_mode is not SpawnMode.MANUAL
        mode = SpawnMode.MANUAL if by_hand else SpawnMode.RANDOM
        self._panel.show_spawn_mode(mode)
        self.choose_spawn_mode(mode)

    def choose_spawn_mode(self, mode: SpawnMode) -> None:
        """Set how new tiles are placed; an edit goes on, and its end shows the position."""
        self._remembered.spawn_mode = mode
        self._game.set_spawn_mode(mode, shows=not self._edit_bar.is_active)
        self._view.setFocus()
        self._enable()
