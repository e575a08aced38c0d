"""User actions on the board: moves, navigation in the history, new starts, hints."""

from collections.abc import Callable

from engine.platform.language import tr
from gui.board.board_view import BoardView
from gui.practice import notices
from gui.practice.demo import Demo
from gui.practice.edit import EditBar
from gui.practice.game import PracticeGame
from gui.practice.guesses import Guesses
from gui.practice.memory import PracticeMemory
from gui.practice.practice_panel import PracticePanel
from gui.practice.session import PracticeSession, SpawnMode
from gui.practice.tree import Step
from gui.practice.why_view import WhyView
from gui.text.rates import lead_of_best


class Playing:
    """Performs actions on the board, stopping automatic play first.

    Parameters
    ----------
    game, view, panel, edit_bar, demo, why, guesses : the parts of the page
    memory : PracticeMemory
        Stores whether to ask before a move that breaks the formation.
    enable : callable
        Enables the actions that apply now.
    """

    def __init__(
        self,
        game: PracticeGame,
        view: BoardView,
        panel: PracticePanel,
        edit_bar: EditBar,
        demo: Demo,
        why: WhyView,
        guesses: Guesses,
        memory: PracticeMemory,
        enable: Callable[[], None],
    ) -> None:
        self._game, self._view, self._panel, self._edit_bar = game, view, panel, edit_bar
        self._demo, self._why, self._guesses, self._memory = demo, why, guesses, memory
        self._enable = enable
        self._asked_about: int | None = None  # the move to be confirmed by a second press

    def begin_position(self) -> None:
        """Reset for a new position: nothing was asked about it yet."""
        self._asked_about = None

    def play(self, direction: int) -> None:
        """Play the user's move."""
        self._demo.stop()
        if not self._edit_bar.is_active and not self._asks_before(direction):
            self._guesses.play(direction, is_explained=self._panel.why.isVisible())

    def _asks_before(self, direction: int) -> bool:
        """Ask once before a move that breaks the formation, if enabled."""
        table = self._game.table
        if not table or not self._memory.asks_before_breaking or direction == self._asked_about:
            return False
        if direction not in self._game.breaking:
            return False
        self._asked_about = direction
        self._panel.show_verdict(None, notices.question(direction, table.name))
        return True

    def walk(self, step: Callable[[PracticeSession], Step | None]) -> None:
        """Step through the history, or turn the board."""
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
        """Redo a step."""
        if self._edit_bar.is_active:
            self._edit_bar.redo()
        else:
            self._demo.stop()
            self._game.go_on()

    def new_start(self) -> None:
        """Go to a new start."""
        self._demo.stop()
        self._game.new_start()

    def varied_start(self) -> None:
        """Go to a new start, some moves into a game."""
        self._demo.stop()
        self._game.varied_start()

    def step(self) -> None:
        """Play the best move; during automatic play, only stop it."""
        if self._demo.is_running:
            self._demo.stop()
        else:
            self._game.play_best()

    def toggle_demo(self) -> None:
        """Start automatic play of the best moves, or stop it."""
        if self._demo.is_running:
            self._demo.stop()
        elif self._game.session and not self._edit_bar.is_active:
            self._demo.start()

    def toggle_hint(self) -> None:
        """Show the best move on the board, or remove the arrow."""
        answer = self._game.answer
        if self._view.hint is not None or answer is None or answer.best is None:
            self._view.show_hint(None)
        else:
            lead = 0.0 if answer.are_bounds else lead_of_best(answer.rates, self._game.tolerance)
            self._view.show_hint(answer.best, lead)
            self._guesses.tell()

    def toggle_why(self) -> None:
        """Show or hide the effect of the next tile on the board and in its panel."""
        if not self._why.is_on:
            self._panel.show_tab("why")
        self._guesses.tell()
        self._why.toggle()
        self._enable()

    def toggle_hand(self) -> None:
        """Toggle between placing new tiles by hand and at random."""
        by_hand = self._game.spawn_mode is not SpawnMode.MANUAL
        mode = SpawnMode.MANUAL if by_hand else SpawnMode.RANDOM
        self._panel.show_spawn_mode(mode)
        self.choose_spawn_mode(mode)

    def choose_spawn_mode(self, mode: SpawnMode) -> None:
        """Set how new tiles are placed; an edit goes on, and its end shows the position."""
        self._memory.spawn_mode = mode
        self._game.set_spawn_mode(mode, shows=not self._edit_bar.is_active)
        self._view.setFocus()
        self._enable()
