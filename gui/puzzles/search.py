"""Searching for puzzles in the background: one search at a time, on its own thread."""

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, islice
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from coach.days import Today, today_of
from coach.mistakes.mistake import TableKey
from coach.mistakes.mistakes import Mistakes
from coach.puzzles.finder import (
    among_games,
    among_mistakes,
    analyzed_parts,
    confirmed,
    daily_puzzle,
    find_puzzles,
)
from coach.puzzles.puzzle import Puzzle
from coach.puzzles.puzzles import FROM_GAMES, FROM_TABLE, DailyPuzzle, Puzzles
from coach.record.user_database import UserDatabase
from engine.platform.tasks import Tasks
from gui.play.services import PlayServices
from gui.work.mistake_service import MistakeService
from gui.work.store_service import StoreService
from tablebase.probe.table import Table

AT_ONCE, AT_FIRST = 50, 10
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

    `tasks` is its own runner: a search may take minutes.
    """

    progressed = Signal(int)  # the number of puzzles so far
    ended = Signal(object)  # SearchResult, also of a stopped search
    failed = Signal(object)  # Exception

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

        Those of the mistakes, of any table, that are of this one are checked with it.
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


class PuzzleFinder(QObject):
    """Searches a table, the user's mistakes and analyzed games, and keeps what it finds."""

    changed = Signal()  # a search has begun or ended, or has found more
    found = Signal(int)  # a search has ended, with so many new puzzles
    daily_found = Signal(object)  # DailyPuzzle
    daily_missing = Signal()
    table_needed = Signal()  # there is none to find a puzzle in
    failed = Signal(object)  # Exception

    def __init__(
        self,
        services: PlayServices,
        puzzles: StoreService[Puzzles],
        mistakes: MistakeService,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._services, self._puzzles, self._mistakes = services, puzzles, mistakes
        self.n_found = 0
        self.is_asked = False  # whether somebody wants the search that runs, or ran last
        self._then_daily: Path | None = None
        self.search = PuzzleSearch(services.open_table, services.files, puzzles.database, self)
        self.search.progressed.connect(self._count)
        self.search.ended.connect(self._keep)
        self.search.failed.connect(self.failed)

    @property
    def today(self) -> Today:
        return today_of(self._services.now(), self._services.settings.get("day.begins"))

    def ask_daily(self, path: Path | None) -> None:
        today = self.today

        def take(daily: DailyPuzzle) -> None:
            if daily.stored:
                self.daily_found.emit(daily)
            elif path is None:
                self.table_needed.emit()
            elif self.search.is_running:
                self._then_daily = path
                self.search.cancel()
            else:
                self.search.find_daily(path, today.day)
                self._count(0)

        self._puzzles.ask(lambda puzzles: puzzles.daily(today), take, self.failed.emit)

    def find(self, path: Path, key: TableKey, *, is_asked: bool = True) -> None:
        self.is_asked, self._then_daily = is_asked, None

        def seek(known: set[int], mistakes: list[Puzzle]) -> None:
            count = AT_ONCE if is_asked or known else AT_FIRST
            self.search.find(path, self._services.rng.next_u64(), known, mistakes, count)
            self._count(0)

        def ask_known(mistakes: list[Puzzle]) -> None:
            self._puzzles.ask(
                lambda puzzles: puzzles.boards(key),
                lambda known: seek(known, mistakes),
                self.failed.emit,
            )

        def work(mistakes: Mistakes) -> list[Puzzle]:
            return list(among_mistakes(mistakes.get(mistakes.ids()).values()))

        self._mistakes.ask(work, ask_known, self.failed.emit)

    def _count(self, n: int) -> None:
        self.n_found = n
        self.changed.emit()

    def _keep(self, result: SearchResult) -> None:
        today, puzzles, day = self.today, result.puzzles, result.day
        self.changed.emit()
        if day and not puzzles:
            self.daily_missing.emit()
        elif day:

            def keep_daily(store: Puzzles) -> DailyPuzzle:
                stored = store.keep_daily(day, puzzles[0], today.now)
                daily = store.daily(today)
                return daily if daily.stored else DailyPuzzle(stored)  # of the day that has ended

            self._puzzles.change(keep_daily, self.daily_found.emit, self.failed.emit)
        else:

            def keep(store: Puzzles) -> int:
                own = store.add(result.own, FROM_GAMES, today.now)
                return own.n_new + store.add(puzzles, FROM_TABLE, today.now).n_new

            self._puzzles.change(keep, self.found.emit, self.failed.emit)
        if self._then_daily:
            path, self._then_daily = self._then_daily, None
            self.ask_daily(path)
