"""The chance that each new tile after a move leaves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from coach.explanations.source import Source
from coach.grading.rated import Rated
from engine.formats.replay import Cells
from engine.platform.errors import AppError
from engine.platform.language import tr
from engine.spawn import possible_spawns
from engine.trace import Motion

Cancelled = Callable[[], bool]


class ExplanationCancelledError(Exception):
    """The explanation is no longer wanted."""


class IllegalMoveError(AppError, ValueError):
    """An illegal move can't be explained."""


@dataclass(frozen=True)
class Outcome:
    """One new tile after a move, and the chance it leaves."""

    cell: int
    exponent: int
    probability: float  # probability of this tile among all possible ones
    rate: float | None  # the chance of the best reply, 0 if no move is left; None if unknown
    reply: int | None  # the best reply; None if there is none, it is unknown or no longer needed

    def on(self, after: Sequence[int]) -> Cells:
        return (*after[: self.cell], self.exponent, *after[self.cell + 1 :])


@dataclass(frozen=True)
class AfterMove:
    """A move and all new tiles that may follow it."""

    direction: int
    motion: Motion  # the movement of the tiles
    rate: float | None  # the chance after the move by the source; None if unknown
    outcomes: tuple[Outcome, ...]  # by cell, a 2 before a 4; () if the source doesn't know the move

    @property
    def cells(self) -> Cells:
        return self.motion.cells

    @property
    def n_free(self) -> int:
        return self.cells.count(0)

    @cached_property
    def mean(self) -> float | None:
        """The weighted mean of the chances after the tiles; None if one is unknown."""
        if not self.outcomes or any(one.rate is None for one in self.outcomes):
            return None
        if self.rate == 1.0:
            return 1.0  # guard against rounding of the sum
        return sum(one.probability * (one.rate or 0.0) for one in self.outcomes)

    def by_harm(self) -> list[Outcome]:
        """Return the known tiles, lowest chance first, then the more probable."""
        known = [one for one in self.outcomes if one.rate is not None]
        return sorted(known, key=lambda one: (one.rate, -one.probability))

    @cached_property
    def worst(self) -> Outcome | None:
        """The tile that leaves the lowest chance, ties by probability; None if none is known."""
        return next(iter(self.by_harm()), None)


def after_move(
    source: Source,
    cells: Sequence[int],
    direction: int,
    here: Rated,
    cancelled: Cancelled = lambda: False,
) -> AfterMove:
    """Return a move of a position, whose chances are `here`, with all new tiles that may follow.

    `cancelled` is called before each lookup; True raises ExplanationCancelledError. An illegal move
    raises IllegalMoveError.
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
            raise ExplanationCancelledError
        outcome = Outcome(cell, exponent, probability, 1.0, None)
        if rate < 1.0:  # otherwise nothing can go wrong anymore, and a table has no such boards
            found = source.look(outcome.on(motion.cells), here.is_whole)
            outcome = Outcome(cell, exponent, probability, found.certain_rate, found.certain_best)
        outcomes.append(outcome)
    return AfterMove(direction, motion, rate, tuple(outcomes))
