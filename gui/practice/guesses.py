"""Moves made while the rates are hidden: which are guesses, and how long they took. No Qt."""

from collections.abc import Callable
from datetime import datetime

from coach.mistakes.mistake import NotedMove
from gui.core.move_clock import MoveClock
from gui.practice.game import PracticeGame
from gui.practice.memory import PracticeMemory


class Guesses:
    """Plays the moves of a person and keeps those that were made without a look at the answer.

    Parameters
    ----------
    game : PracticeGame
    memory : PracticeMemory
        Knows whether the rates are hidden.
    note : callable
        Keeps a guess, and whether F is a wall there.
    now : callable
        Date and time with a time zone.
    clock : callable
        Seconds; tells how long a guess took.
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
        self._clock.pause()  # until the board is seen
        self._is_told = False

    def begin(self) -> None:
        """Begin anew: there is a position that nothing was told of."""
        self._is_told = False
        self._clock.start()

    def tell(self) -> None:
        """Say that what is best in this position was shown: the next move is no guess."""
        self._is_told = True

    def show(self) -> None:
        """Let the clock go on: the board is in sight."""
        self._clock.resume(is_measuring=self._game.session is not None)

    def hide(self) -> None:
        """Stop the clock: nobody can see the board."""
        self._clock.pause()

    def play(self, direction: int, is_explained: bool) -> None:
        """Play a move, and keep it if it is a guess.

        Parameters
        ----------
        direction : int
        is_explained : bool
            Whether the reasons of the moves are in sight.
        """
        guess = None
        if self._memory.is_guessing and not self._is_told and not is_explained:
            guess = self._game.guess(direction, self._now(), self._clock.elapsed_ms)
        if self._game.play(direction) and guess and self._game.table:
            self._note(guess, self._game.table.formation.walls)
