"""Lines of play after a move: best replies, and new tiles chosen by a rule.

Two deterministic rules choose tiles here:

* the *costliest*: the possible tile with the largest probability times loss;
* the *typical*: the 2 after which the chance is nearest to that of the move.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coach.explanations.outcomes import AfterMove, Cancelled, after_move
from coach.explanations.source import Source
from coach.grading.rated import Rated
from engine.formats.replay import Cells

Choose = Callable[[int, AfterMove], tuple[int, int] | None]
"""Given how many moves were made before and a move, the (cell, exponent) of its new tile."""


@dataclass(frozen=True)
class LineStep:
    """A move of a line, and the tile after it."""

    cells: Cells  # the position before the move
    direction: int
    rate: float  # the chance after the move, before the tile
    # (int, int) or None: its cell and exponent; None if the line ends with the move.
    tile: tuple[int, int] | None
    # The chance of the best move after the tile; 1 if the goal is certain, None if unknown.
    left: float | None
    merged: tuple[int, ...]  # the exponents of pairs that the move merges


@dataclass(frozen=True)
class Line:
    """Moves with their tiles."""

    steps: tuple[LineStep, ...]  # at least one, unless the source doesn't know the first move
    end: Cells  # the position after them

    def up_to(self, n: int) -> "Line":
        if n >= len(self.steps):
            return self
        return Line(self.steps[:n], self.steps[n].cells)

    def first_merge(self, exponent: int) -> int | None:
        """Return the number of moves until two such tiles merge; None if they don't."""
        at = (i for i, step in enumerate(self.steps, 1) if exponent in step.merged)
        return next(at, None)


def follow(
    source: Source,
    cells: Sequence[int],
    first: int,
    choose: Choose,
    most: int,
    known: Rated,
    cancelled: Cancelled = lambda: False,
) -> Line:
    """Return a line of at most `most` moves: `first`, then best replies.

    `known` holds the chances of the position. The line ends early if the goal is certain, no chance
    or no move is left, or nothing is known.
    """
    steps: list[LineStep] = []
    here, direction, found = tuple(cells), first, known
    while len(steps) < most:
        after = after_move(source, here, direction, found, cancelled)
        if after.rate is None:
            break
        tile = choose(len(steps), after) if 0.0 < after.rate < 1.0 else None
        outcome = next((one for one in after.outcomes if (one.cell, one.exponent) == tile), None)
        left = after.rate if outcome is None else outcome.rate
        steps.append(LineStep(here, direction, after.rate, tile, left, tuple(merges(after))))
        here = after.cells if outcome is None else outcome.on(after.cells)
        if outcome is None or not outcome.rate or outcome.reply is None:
            break
        found, direction = source.look(here, found.is_whole), outcome.reply
    return Line(tuple(steps), here)


def merges(after: AfterMove) -> list[int]:
    return sorted(slide.exponent for slide in after.motion.slides if slide.merged)[::2]


def costliest(_n: int, after: AfterMove) -> tuple[int, int] | None:
    """Return the tile with the largest probability times loss; None if none costs anything."""
    rate = after.rate or 0.0
    known = [one for one in after.outcomes if one.rate is not None]
    if not known:
        return None
    worst = max(known, key=lambda one: one.probability * (rate - (one.rate or 0.0)))
    return worst.cell, worst.exponent


def typical(_n: int, after: AfterMove) -> tuple[int, int] | None:
    """Return the 2 after which the chance is nearest to that of the move."""
    rate = after.rate or 0.0
    known = [one for one in after.outcomes if one.rate is not None and one.exponent == 1]
    if not known:
        return None
    usual = min(known, key=lambda one: abs((one.rate or 0.0) - rate))
    return usual.cell, usual.exponent


def like(line: Line) -> Choose:
    """Return a rule that takes the tiles of another line where free, else `typical` ones."""

    def choose(n: int, after: AfterMove) -> tuple[int, int] | None:
        tile = line.steps[n].tile if n < len(line.steps) else None
        return tile if tile and not after.cells[tile[0]] else typical(n, after)

    return choose
