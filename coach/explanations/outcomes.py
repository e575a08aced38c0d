"""What every new tile after a move leaves: how its chance splits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from coach.explanations.source import Look, Source
from engine.errors import AppError
from engine.formats.replay import Cells
from engine.language import tr
from engine.spawn import possible_spawns
from engine.trace import Motion

Cancelled = Callable[[], bool]


class NotWantedError(Exception):
    """Nobody waits for the explanation any more."""


def never() -> bool:
    """Tell that the answer is still wanted."""
    return False


class IllegalMoveError(AppError, ValueError):
    """A move that changes nothing cannot be explained."""


@dataclass(frozen=True)
class Outcome:
    """One new tile after a move, and what it leaves.

    Attributes
    ----------
    cell, exponent : int
    probability : float
        Of this tile among all that may come.
    rate : float or None
        The chance of the best reply, 0 when no move is left; None where it is not known.
    reply : int or None
        The best reply; None when there is none, it is not known or not needed any more.
    """

    cell: int
    exponent: int
    probability: float
    rate: float | None
    reply: int | None

    def on(self, after: Sequence[int]) -> Cells:
        """Return the board with the tile on it."""
        return (*after[: self.cell], self.exponent, *after[self.cell + 1 :])


@dataclass(frozen=True)
class AfterMove:
    """A move and all that may come of it at once.

    Attributes
    ----------
    direction : int
    motion : Motion
        What the move does to the board.
    rate : float or None
        The chance after the move as the source says it; None where it does not know.
    outcomes : tuple of Outcome
        By cell, a 2 before a 4; () where the source does not know the move.
    """

    direction: int
    motion: Motion
    rate: float | None
    outcomes: tuple[Outcome, ...]

    @property
    def cells(self) -> Cells:
        """The board after the move, before the new tile."""
        return self.motion.cells

    @property
    def n_free(self) -> int:
        """How many cells are empty."""
        return self.cells.count(0)

    @cached_property
    def mean(self) -> float | None:
        """The mean of what the tiles leave, weighted; None where one of them is not known."""
        if not self.outcomes or any(one.rate is None for one in self.outcomes):
            return None
        if self.rate == 1.0:
            return 1.0  # whatever floats make of the sum
        return sum(one.probability * (one.rate or 0.0) for one in self.outcomes)

    def by_harm(self) -> list[Outcome]:
        """Return the tiles that are known, the one that leaves least first, then the likelier."""
        known = [one for one in self.outcomes if one.rate is not None]
        return sorted(known, key=lambda one: (one.rate, -one.probability))

    @cached_property
    def worst(self) -> Outcome | None:
        """The tile that leaves least, of equal ones the more probable; None where none is known."""
        return next(iter(self.by_harm()), None)


def after_move(
    source: Source,
    cells: Sequence[int],
    direction: int,
    here: Look,
    cancelled: Cancelled = never,
) -> AfterMove:
    """Return a move of a position with all that may come of it.

    Parameters
    ----------
    source : Source
    cells : sequence of 16 int
    direction : int
    here : Look
        What is known of the position.
    cancelled : callable
        Asked before each look-up.

    Raises
    ------
    IllegalMoveError
        The move changes nothing.
    NotWantedError
        It was cancelled.
    """
    motion = source.slide(cells, direction)
    if motion.cells == tuple(cells):
        raise IllegalMoveError(tr("the move is not possible in this position"))
    rate = here.rates[direction]
    if rate is None:
        return AfterMove(direction, motion, None, ())
    empty = [cell for cell, exponent in enumerate(motion.cells) if exponent == 0]
    outcomes = []
    for cell, exponent, probability in possible_spawns(empty, source.spawn4):
        if cancelled():
            raise NotWantedError
        outcome = Outcome(cell, exponent, probability, 1.0, None)
        if rate < 1.0:  # else nothing can go wrong any more, and a table has no such boards
            found = source.look(outcome.on(motion.cells), here.is_whole)
            outcome = Outcome(cell, exponent, probability, found.rate, found.best)
        outcomes.append(outcome)
    return AfterMove(direction, motion, rate, tuple(outcomes))
