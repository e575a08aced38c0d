"""Guesses: moves made while the rates are hidden, and their times. No Qt."""

from collections.abc import Callable
from datetime import datetime

from coach.mistakes.mistake import NotedMove
from gui.play.move_clock import MoveClock
from gui.practice.game import PracticeGame
from gui.practice.memory import PracticeMemory


class Guesses:
    """Plays the user's moves and stores those made without seeing the answer.

    Parameters
    ----------
    game : PracticeGame
    memory : PracticeMemory
        Stores whether the rates are hidden.
    note : callable
        Stores a guess, and whether F is a wall there.
    now : callable
        Date and time with a time zone.
    clock : callable
        Seconds, for the time of a guess.
    """

    def __init__(
        self,
        game: PracticeGame,
        memory: PracticeMemory,
        note: Callable[[NotedMove, bool], object],
        now: Callable[[], datetime],
        clock: Callable[[], float],
    ) -> None:
        self._game, self._memory, self._note, self._now = game, memory, note, now
        self._clock = MoveClock(clock)
        self._clock.pause()  # until the board is visible
        self._is_told = False

    def begin(self) -> None:
        """Restart: a new position of which nothing was shown."""
        self._is_told = False
        self._clock.start()

    def tell(self) -> None:
        """Note that the best move was shown: the next move is not a guess."""
        self._is_told = True

    def show(self) -> None:
        """Resume the clock: the board is visible."""
        self._clock.resume(is_measuring=self._game.session is not None)

    def hide(self) -> None:
        """Pause the clock: the board is hidden."""
        self._clock.pause()

    def play(self, direction: int, is_explained: bool) -> None:
        """Play a move, and store it if it is a guess.

        Parameters
        ----------
        direction : int
        is_explained : bool
            Whether the reasons of the moves are visible.
        """
        guess = None
        if self._memory.is_guessing and not self._is_told and not is_explained:
            guess = self._game.guess(direction, self._now(), self._clock.elapsed_ms)
        if self._game.play(direction) and guess and self._game.table:
            self._note(guess, self._game.table.formation.walls)
