"""The continuation of a puzzle: best moves until it is no longer one, with fixed new tiles.

The new tiles come from a seed derived from the position, so that everybody sees the same
continuation.
"""

import zlib
from dataclasses import dataclass

from coach.grading.rated import read
from coach.puzzles.puzzle import Puzzle, is_sharp
from engine.bitboard import format_board
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.errors import ProbeError
from tablebase.probe.table import Table

LONGEST = 8


@dataclass(frozen=True)
class SolutionStep:
    """One position of a solution."""

    board: int
    rates: tuple[float | None, ...]
    best: int  # the best move there


def solution(table: Table, puzzle: Puzzle) -> tuple[SolutionStep, ...]:
    """Return the position of a puzzle and the following ones with one right move, too.

    The last one, if the line gets that far, is the first without one right move, or from which
    nothing can go wrong anymore. The result has at least the puzzle itself and at most `LONGEST`
    positions.
    """
    steps = [SolutionStep(puzzle.board, puzzle.rates, puzzle.best)]
    rng = Rng(zlib.crc32(format_board(puzzle.board).encode()))
    while len(steps) < LONGEST and is_sharp(steps[-1].rates):
        here = steps[-1]
        if here.rates[here.best] == 1.0:
            break
        board = spawn(move(here.board, here.best, puzzle.walls), rng, puzzle.key.spawn4)[0]
        try:
            found = read(table, board, follows=True)
        except ProbeError:  # the goal or the last layer is reached
            break
        if found.unknown_rates or found.best is None or not found.rates[found.best]:
            break
        steps.append(SolutionStep(board, tuple(found.rates), found.best))
    return tuple(steps)
