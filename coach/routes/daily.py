"""The daily route: the same for everybody with the same table; results and streaks of days."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from coach.days import day_of, days_in_a_row
from coach.routes.code import LARGEST_SEED, Route
from coach.routes.result import RECEIVED, TABLE, YOU, RouteResult
from coach.routes.results import StoredRun
from coach.routes.setup import route_on
from engine.spawn import Rng
from tablebase.probe.table import Table

DAILY_MOVES = 100
_GAME = Route("", "", 0, is_corrected=False)
_DAY = timedelta(days=1)


def daily_route(day: date, table: Table | None = None) -> Route:
    """Return the route of a day on a table, or the whole game of the day.

    On a table it corrects moves and ends after `DAILY_MOVES` moves. Everything follows from the
    day, the table's name and its formation. RouteCodeError: there are no routes on this table.
    """
    route = route_on(table, 0, DAILY_MOVES, is_corrected=True) if table else _GAME
    return replace(route, seed=_seed(day, route))


def is_daily(route: Route, day: date) -> bool:
    is_long = (route.n_moves, route.is_corrected) == (DAILY_MOVES, True)
    is_form = (route.n_moves, route.is_corrected) == (0, False) if route.is_game else is_long
    return is_form and route.seed == _seed(day, route)


@dataclass(frozen=True)
class DailyRecord:
    """The results on today's route."""

    # The best finished run, or else the latest one; None before the first move.
    own: RouteResult | None = None
    ai: RouteResult | None = None  # the best run of an AI along the same route
    # Number of days in a row with the daily route finished; today counts once finished.
    n_days: int = 0

    @property
    def is_done(self) -> bool:
        return self.own is not None and bool(self.own.outcome)


def daily_record(runs: Sequence[StoredRun], now: datetime, begins: int) -> DailyRecord:
    """Return the results on today's route, on any table.

    The runs are newest first; `now` has the time zone in which a day begins.
    """
    today = day_of(now, begins, now.tzinfo)
    own = [run.result for run in runs if run.result.who == YOU and run.has_moves]
    begun = [one for one in own if is_daily(one.route, today)]
    over = [one for one in begun if one.outcome]
    first = max(over, key=lambda one: one.merit) if over else next(iter(begun), None)
    ais = [
        run.result
        for run in runs
        if first and run.result.route == first.route
        if run.result.who not in (YOU, TABLE, RECEIVED)
    ]
    ai = max(ais, key=lambda one: one.merit, default=None)
    return DailyRecord(first, ai, _days(runs, now, begins))


def _days(runs: Sequence[StoredRun], now: datetime, begins: int) -> int:
    """Return the number of days in a row, up to today or yesterday, with the daily route finished.

    A route begun before the end of its day counts for that day. So does one of a day on which the
    clocks showed another time than in the zone of `now`.
    """
    days: set[date] = set()
    for run in runs:
        if run.result.who == YOU and run.has_moves and run.result.outcome:
            played = day_of(run.played, begins, now.tzinfo)
            near = (played + _DAY, played, played - _DAY)
            days.update(day for day in near if is_daily(run.result.route, day))
    return days_in_a_row(days, day_of(now, begins, now.tzinfo))


def _seed(day: date, route: Route) -> int:
    name = zlib.crc32(route.table.encode("ascii"))
    return Rng(day.toordinal() << 32 | name).next_u64() & LARGEST_SEED
