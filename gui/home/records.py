"""The records for Home: read from the files of other pages, off the GUI thread. No Qt.

A damaged file is reported on its own page; here it just counts as empty.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from coach.analysis.analyses import Analyses, StoredAnalysis
from coach.days import day_of, today_of
from coach.exam.history import ExamQuery, FinishedTest, History
from coach.mistakes.mistake import TableKey
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.statistics import statistics
from coach.puzzles.puzzles import DailyPuzzle, Puzzles
from coach.record.database import Store
from coach.record.user_database import UserDatabase
from coach.routes.daily import DailyRecord, daily_record
from coach.routes.results import RouteResults
from engine.game import Game
from engine.game_log import read_log
from engine.platform.errors import AppError
from engine.platform.language import sentences
from minigames.records import DailyResult, daily_result
from minigames.run import daily_game
from minigames.store import load_slot

S = TypeVar("S", bound=Store)
T = TypeVar("T")
MAX_TESTS = 200
_WEEKS, _YEAR = timedelta(weeks=4), timedelta(days=365)
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LastGame:
    """The current state of the Game page's game."""

    # score, largest, n_moves: `largest` is the exponent of the largest tile.
    score: int
    largest: int
    n_moves: int
    is_over: bool
    exponents: tuple[int, ...]

    @classmethod
    def of(cls, game: Game) -> "LastGame | None":
        if not game.n_moves:
            return None
        return cls(game.score, game.max_exponent, game.n_moves, game.is_over, tuple(game.cells))


@dataclass(frozen=True)
class Daily:
    """The minigame of the day."""

    name: str
    result: DailyResult | None = None  # of today, in either mode; None before the first move
    problem: str = ""  # the problem with its file, which is then set aside; usually ""


@dataclass(frozen=True)
class Records:
    """All records found."""

    tests: tuple[FinishedTest, ...] = ()  # newest first, without those that were given up
    game: LastGame | None = None
    analysis: StoredAnalysis | None = None  # the newest
    daily: Daily | None = None
    puzzle: DailyPuzzle | None = None
    route: DailyRecord | None = None  # the results on the daily route


@dataclass
class RecordReader:
    """Reads the records of one data folder; one caller at a time."""

    database: UserDatabase
    _game: LastGame | None = field(default=None, init=False)
    _stamp: tuple[int, int] | None = field(default=None, init=False)

    def read(self, now: datetime, begins: int, hard: bool, game: LastGame | None) -> Records:
        """Return the records; a day begins at the hour `begins` in the time zone of `now`."""
        day, today = day_of(now, begins, now.tzinfo), today_of(now, begins)
        return Records(
            tests=self._stored(History, _results, ()),
            game=game or _or(self._last_game, None),
            analysis=self._stored(
                Analyses, lambda analyses: next(iter(analyses.latest(1)), None), None
            ),
            daily=_or(lambda: self._daily(now, day, hard), Daily(daily_game(day))),
            puzzle=self._stored(Puzzles, lambda puzzles: puzzles.daily(today), DailyPuzzle()),
            route=self._stored(
                RouteResults,
                lambda results: daily_record(results.all_in_brief(), now, begins),
                DailyRecord(),
            ),
        )

    @property
    def folder(self) -> Path:
        return self.database.folder

    def _stored(self, open_: Callable[[UserDatabase], S], read: Callable[[S], T], without: T) -> T:
        """Return what a store holds; `without` it until old files are read in: others wait."""
        if not self.database.path.exists():
            return without

        def work() -> T:
            with closing(open_(self.database)) as store:
                return read(store)

        return _or(work, without)

    def _last_game(self) -> LastGame | None:
        """Return the game in play; read only if its file has changed: a long one takes a second."""
        path = self.folder / "game" / "current.log"
        status = path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        if stamp != self._stamp:
            self._game, self._stamp = LastGame.of(read_log(path).game), stamp
        return self._game

    def _daily(self, now: datetime, day: date, hard: bool) -> Daily:
        """Return the result of the minigame of the day: in the chosen mode, or in the other one."""
        name, folder = daily_game(day), self.folder / "minigames"
        slots = [load_slot(folder, name, mode, lambda: now) for mode in (hard, not hard)]
        of_modes = [daily_result(slot.record, slot.run, day) for slot in slots]
        results = sorted(filter(None, of_modes), key=lambda result: not result.is_over)
        problem = sentences(*(slot.problem for slot in slots))
        return Daily(name, next(iter(results), None), problem)


def _results(history: History) -> tuple[FinishedTest, ...]:
    query = ExamQuery(leaves_out_abandoned=True)  # three moves are no result
    return tuple(history.tests(query, MAX_TESTS))


def _or(read: Callable[[], T], otherwise: T) -> T:
    try:
        return read()
    except FileNotFoundError:
        return otherwise
    except (AppError, OSError, ValueError) as error:
        _log.warning("not told of on Home: %s", error)
        return otherwise


@dataclass(frozen=True)
class MistakeRecords:
    """Recent statistics from the database of mistakes."""

    # Loss by mistakes of the last weeks, by table.
    losses: Mapping[TableKey, float] = field(default_factory=dict)
    # Answers in the drills of the last week.
    n_right: int = 0
    n_wrong: int = 0
    drill_days: frozenset[date] = frozenset()  # of the last year


def read_mistakes(mistakes: Mistakes, now: datetime, begins: int) -> MistakeRecords:
    since, week = now - _WEEKS, day_of(now, begins, now.tzinfo) - timedelta(days=6)
    of_tables = {
        key: statistics(mistakes, now.tzinfo, begins, key, since) for key in mistakes.tables()
    }
    days = [day for statistics in of_tables.values() for day in statistics.days if day.date >= week]
    year = statistics(mistakes, now.tzinfo, begins, since=now - _YEAR)
    return MistakeRecords(
        {key: sum(day.loss for day in statistics.days) for key, statistics in of_tables.items()},
        sum(day.n_right for day in days),
        sum(day.n_wrong for day in days),
        frozenset(day.date for day in year.days if day.n_right or day.n_wrong),
    )
