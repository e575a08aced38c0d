"""The continuations of puzzles, computed from local tables in the background."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from coach.mistakes.mistake import TableKey
from coach.puzzles.puzzle import Puzzle
from coach.puzzles.solution import SolutionStep, solution
from gui.play.lookup import Lookup
from gui.work.tasks import Tasks
from tablebase.probe.table import Table

Steps = tuple[SolutionStep, ...]


class Solver:
    """Queries the table of a puzzle, if it is here.

    Parameters
    ----------
    open_table : callable
        Opens the table in a folder; runs on the worker thread.
    tasks : Tasks
    """

    def __init__(self, open_table: Callable[[Path], Table], tasks: Tasks) -> None:
        self._lookup = Lookup(open_table, tasks)
        self._paths: dict[TableKey, Path] = {}
        self._open: Path | None = None
        self._question = 0

    def set_tables(self, tables: Sequence[Any]) -> None:
        """Set the usable tables (each a `tablebase.library.table_info.TableInfo`)."""
        self._paths = {TableKey(one.name, one.spawn4): Path(one.path) for one in tables}

    def path_of(self, key: TableKey) -> Path | None:
        """Return the folder of a table; None if it isn't here."""
        return self._paths.get(key)

    def solve(self, puzzle: Puzzle, done: Callable[[Steps], None]) -> None:
        """Call `done` with the line of a puzzle; not called if its table isn't here.

        The latest request wins.
        """
        self._question += 1
        question, path = self._question, self.path_of(puzzle.key)
        if path is None:
            return

        def answer(steps: Steps) -> None:
            if question == self._question:
                done(steps)

        def ask(_: object = None) -> None:
            if question == self._question:
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
        """Close the open table."""
        self._open = None
        self._lookup.close()


def _ignore(_: BaseException) -> None:
    """Do without a line: the table can't be read now, and the puzzle has its rates."""
