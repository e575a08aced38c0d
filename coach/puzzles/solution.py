"""The continuation of a puzzle: best moves until it is no longer one, with fixed new tiles.

The new tiles come from a seed derived from the position, so that everybody sees the same
continuation.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from coach.grading.rated import read
from coach.mistakes.mistake import TableKey
from coach.play.judge import Lookup
from coach.puzzles.puzzle import Puzzle, is_sharp
from engine.bitboard import format_board
from engine.moves import move
from engine.platform.tasks import Tasks
from engine.spawn import Rng, spawn
from tablebase.errors import ProbeError
from tablebase.probe.table import Table

MAX_STEPS = 8


@dataclass(frozen=True)
class SolutionStep:
    """One position of a solution."""

    board: int
    rates: tuple[float | None, ...]
    best: int  # the best move there


Steps: TypeAlias = tuple[SolutionStep, ...]


def solution(table: Table, puzzle: Puzzle) -> Steps:
    """Return the position of a puzzle and the following ones with one right move, too.

    The last one, if the line gets that far, is the first without one right move, or from which
    nothing can go wrong anymore. The result has at least the puzzle itself and at most `MAX_STEPS`
    positions.
    """
    steps = [SolutionStep(puzzle.board, puzzle.rates, puzzle.best)]
    rng = Rng(zlib.crc32(format_board(puzzle.board).encode()))
    while len(steps) < MAX_STEPS and is_sharp(steps[-1].rates):
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


class LineSolver:
    """Finds the lines of puzzles in the tables that are here; the latest request wins."""

    def __init__(self, open_table: Callable[[Path], Table], tasks: Tasks) -> None:
        self._lookup = Lookup(open_table, tasks)
        self._paths: dict[TableKey, Path] = {}
        self._open: Path | None = None
        self._n_requests = 0

    def set_tables(self, tables: Sequence[Any]) -> None:
        """Set the usable tables (each a `tablebase.library.table_info.TableInfo`)."""
        self._paths = {TableKey(info.name, info.spawn4): Path(info.path) for info in tables}

    def path_of(self, key: TableKey) -> Path | None:
        return self._paths.get(key)

    def solve(self, puzzle: Puzzle, done: Callable[[Steps], object]) -> None:
        """Call `done` with the line of a puzzle; not called if its table isn't here."""
        self._n_requests += 1
        request, path = self._n_requests, self.path_of(puzzle.key)
        if path is None:
            return

        def answer(steps: Steps) -> None:
            if request == self._n_requests:
                done(steps)

        def ask(_: object = None) -> None:
            if request == self._n_requests:
                self._lookup.run(lambda table: solution(table, puzzle), answer, _ignore)

        if self._lookup.table and path == self._open:
            ask()
        else:
            self._open = path
            self._lookup.open(path, ask, _ignore)

    def close_table(self, path: Path) -> None:
        """Close a table that was deleted, or whose files change."""
        if path == self._open:
            self.close()

    def close(self) -> None:
        self._open = None
        self._lookup.close()


def _ignore(_: BaseException) -> None:
    """Do without a line: the table can't be read now, and the puzzle has its rates."""
