"""How a puzzle goes on: the best moves until it is no longer one, with the same new tiles for all.

The new tiles come of a seed that follows from the position, so that everybody who solves a puzzle
on sees the same tiles.
"""

import zlib
from dataclasses import dataclass

from coach.grading.unknown_rates import read
from coach.puzzles.finder import Table
from coach.puzzles.puzzle import Puzzle, is_sharp
from engine.bitboard import format_board
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.errors import ProbeError

LONGEST = 8


@dataclass(frozen=True)
class Step:
    """One position of a solution.

    Attributes
    ----------
    board : int
    rates : tuple of four float or None
    best : int
        The best move there.
    """

    board: int
    rates: tuple[float | None, ...]
    best: int


def solution(table: Table, puzzle: Puzzle) -> tuple[Step, ...]:
    """Return the position of a puzzle and those after it that have one right move as well.

    The last one is the first that has not, or from where nothing can go wrong any more, if the
    line comes so far; there is at least the puzzle itself. `LONGEST` positions at most.
    """
    steps = [Step(puzzle.board, puzzle.rates, puzzle.best)]
    rng = Rng(zlib.crc32(format_board(puzzle.board).encode()))
    while len(steps) < LONGEST and is_sharp(steps[-1].rates):
        here = steps[-1]
        if here.rates[here.best] == 1.0:
            break
        board = spawn(move(here.board, here.best, puzzle.walls), rng, puzzle.key.spawn4)[0]
        try:
            found = read(table, board, follows=True)
        except ProbeError:  # the goal is reached, or the last layer
            break
        if found.unknown_rates or found.best is None or not found.rates[found.best]:
            break
        steps.append(Step(board, tuple(found.rates), found.best))
    return tuple(steps)
