"""Searching for puzzles in the background: one search at a time, on its own thread."""

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, islice
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from coach.puzzles.finder import among_games, analyzed_parts, confirmed, daily_puzzle, find_puzzles
from coach.puzzles.puzzle import Puzzle
from coach.record.user_database import UserDatabase
from engine.platform.tasks import Tasks
from tablebase.probe.table import Table

AT_ONCE = 50
GoesOn = Callable[[int], bool]


@dataclass(frozen=True)
class SearchResult:
    """The result of a search."""

    path: Path
    puzzles: tuple[Puzzle, ...] = ()
    own: tuple[Puzzle, ...] = ()  # from the user's mistakes and analyzed games
    day: date | None = None  # the day of a daily puzzle, if that was searched for


class PuzzleSearch(QObject):
    """Searches the games of a table, and the user's games that it covers.

    Parameters
    ----------
    open_table : callable
        Opens the table in a folder; runs on the worker thread.
    tasks : Tasks
        A dedicated runner: a search may take minutes.
    database : UserDatabase
        Contains the analyzed games.

    Signals
    -------
    progressed : int
        Number of puzzles found so far.
    ended : SearchResult (as object)
        The result, also of a stopped search.
    failed : Exception (as object)
    """

    progressed = Signal(int)
    ended = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        open_table: Callable[[Path], Table],
        tasks: Tasks,
        database: UserDatabase,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._open_table, self._tasks, self._database = open_table, tasks, database
        self._stop = threading.Event()
        self.path: Path | None = None  # of the table being searched

    @property
    def is_running(self) -> bool:
        """Whether a search is running."""
        return self.path is not None

    def find(
        self,
        path: Path,
        seed: int,
        known: Collection[int],
        mistakes: Sequence[Puzzle] = (),
        count: int = AT_ONCE,
    ) -> None:
        """Search for puzzles on unknown boards; does nothing while a search runs.

        Parameters
        ----------
        mistakes : sequence of Puzzle
            The user's mistakes, of any table: those of this one are checked with it.
        """
        database = self._database

        def look(table: Table, goes_on: GoesOn) -> SearchResult:
            puzzles: list[Puzzle] = []
            played = among_games(table, analyzed_parts(database, table.name))
            own = chain(confirmed(table, mistakes), played)
            own_new = {p.board: p for p in own if p.board not in known and goes_on(0)}
            taken = {*known, *own_new}
            new = (p for p in find_puzzles(table, seed, goes_on) if p.board not in taken)
            for puzzle in islice(new, count):
                puzzles.append(puzzle)
                self.progressed.emit(len(puzzles))
            return SearchResult(path, tuple(puzzles), tuple(own_new.values()))

        self._start(path, look)

    def find_daily(self, path: Path, day: date) -> None:
        """Search for a daily puzzle; does nothing while a search runs."""

        def look(table: Table, goes_on: GoesOn) -> SearchResult:
            puzzle = daily_puzzle(table, day, goes_on)
            return SearchResult(path, (puzzle,) if puzzle else (), day=day)

        self._start(path, look)

    def cancel(self) -> None:
        """Stop soon; puzzles found until then are kept."""
        self._stop.set()

    def _start(self, path: Path, look: Callable[[Table, GoesOn], SearchResult]) -> None:
        if self.is_running:
            return
        self.path, self._stop = path, threading.Event()
        stop = self._stop

        def work() -> SearchResult:
            table = self._open_table(path)
            try:
                return look(table, lambda _: not stop.is_set())
            finally:
                table.close()

        self._tasks.run(work, self._end, self._fail)

    def _end(self, result: SearchResult) -> None:
        self.path = None
        self.ended.emit(result)

    def _fail(self, error: BaseException) -> None:
        self.path = None
        self.failed.emit(error)
