"""A line of play that can be extended and changed, with new tiles that two lines share.

The tiles are *paired*: for every move, a random order of all sixteen cells and a value, 2 or 4, are
drawn from a seed that both courses share. Each board takes the first cell in that order that is
empty on it. So the tile appears in the same cell unless that is occupied on one of the boards, and
on each board by itself the tiles have the usual distribution.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from coach.explanations.outcomes import IllegalMoveError
from coach.explanations.source import Source
from coach.grading.rated import Rated
from coach.play.tiles import draw, draw_below
from engine.bitboard import N_CELLS
from engine.formats.replay import Cells
from engine.platform.language import tr
from engine.spawn import PER_MILLE
from engine.trace import Motion

_OF_A_MOVE = 32  # random numbers per move: one for each cell, one for the value


@dataclass(frozen=True)
class Place:
    """A position of a course, and the move and tile that led to it."""

    cells: Cells
    look: Rated  # the chances there; without a move once the goal is certain
    direction: int | None = None  # the move that led here; None at the start
    motion: Motion | None = None  # the movement of the tiles
    # (int, int) or None: the cell and the exponent of the new tile; None at the start and when the
    # goal is certain.
    tile: tuple[int, int] | None = None
    kept: float | None = None  # the chance after the move, before the tile; None if unknown

    @property
    def chance(self) -> float | None:
        """The chance of the best move, 1 once the goal is certain; None if unknown."""
        is_made = self.direction is not None and self.tile is None
        return 1.0 if is_made else self.look.certain_rate

    @property
    def is_over(self) -> bool:
        """Whether it is over: the goal is certain, no chance is left, or nothing is known."""
        return self.look.certain_best is None or not self.chance


Course = tuple[Place, ...]
"""Places one after the other, the start first."""


def begin(source: Source, cells: Sequence[int], follows: bool = False) -> Course:
    """Return a course with only its start; for `follows` see `TableSource.look`."""
    return (Place(tuple(cells), source.look(cells, follows)),)


def play(source: Source, course: Course, direction: int, seed: int) -> Course:
    """Return a course with one more move and its tile; IllegalMoveError if it changes nothing."""
    here = course[-1]
    motion = source.slide(here.cells, direction)
    if motion.cells == here.cells:
        raise IllegalMoveError(tr("the move is not possible in this position"))
    kept = here.look.rates[direction]
    if kept is not None and kept >= 1.0:
        return (*course, Place(motion.cells, Rated(), direction, motion, None, kept))
    cell, exponent = paired_tile(motion.cells, seed, len(course) - 1, source.spawn4)
    cells = (*motion.cells[:cell], exponent, *motion.cells[cell + 1 :])
    follows = here.look.is_whole and kept is not None
    look = source.look(cells, follows)
    return (*course, Place(cells, look, direction, motion, (cell, exponent), kept))


def extended(source: Source, course: Course, n_moves: int, seed: int) -> Course:
    """Return a course extended by best moves until it has `n_moves` or is over."""
    while len(course) <= n_moves and not course[-1].is_over:
        best = course[-1].look.certain_best
        assert best is not None, "it is not over"
        course = play(source, course, best, seed)
    return course


def paired_tile(after: Sequence[int], seed: int, n_moves: int, spawn4: float) -> tuple[int, int]:
    """Return the (cell, exponent) of the tile after a move; `after` has an empty cell."""
    base = _OF_A_MOVE * n_moves
    empty = [cell for cell in range(N_CELLS) if not after[cell]]
    cell = min(empty, key=lambda one: draw(seed, base + one))
    is_four = draw_below(seed, base + N_CELLS, PER_MILLE) < round(spawn4 * PER_MILLE)
    return cell, 2 if is_four else 1


def chances(course: Course) -> list[float | None]:
    """Return the chances along a course: after the first move, then at each place."""
    return [course[1].kept, *(place.chance for place in course[1:])] if course[1:] else []
