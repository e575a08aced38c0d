"""What was made of the route of the day, and for how many days in a row."""

from contextlib import closing
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone

import pytest

from coach.play.run import Run
from coach.record.user_database import UserDatabase
from coach.routes.code import Route
from coach.routes.daily import DAILY_MOVES, daily_record, daily_route, is_daily
from coach.routes.result import RECEIVED, TABLE, YOU, RouteResult
from coach.routes.results import RouteResults, StoredRun
from coach.routes.setup import setup_of
from tests.coach.routes.test_route_results import GAME, RESULT

ZONE = timezone(timedelta(hours=9))
NOW = datetime(2026, 5, 10, 20, tzinfo=ZONE)
TODAY = NOW.date()


class SomeTable:
    """A table as far as a route of the day needs one."""

    name, target, spawn4, rate = "442_512", 512, 0.1, "uint32"

    class formation:  # noqa: N801
        masks, target_cells, seeds, extra_steps, walls = (), 0xFFFF, (0x1000,), 0, False


def on(day: date) -> Route:
    return daily_route(day, SomeTable())


def run(result: RouteResult, day: date = TODAY, hour: int = 12) -> StoredRun:
    played = datetime(day.year, day.month, day.day, hour, tzinfo=ZONE)
    return StoredRun(1, played.astimezone(timezone.utc), result, has_moves=True)


def result(day: date = TODAY, **more) -> RouteResult:
    return replace(RESULT, route=on(day), **more)


def ago(n: int) -> date:
    return TODAY - timedelta(days=n)


def test_the_route_of_a_day_is_told_from_all_others():
    route = on(TODAY)
    assert is_daily(route, TODAY)
    assert is_daily(daily_route(TODAY), TODAY)
    others = (
        *(on(ago(1)), replace(route, n_moves=DAILY_MOVES + 1), replace(route, is_corrected=False)),
        *(replace(route, formation="443"), replace(route, seed=route.seed ^ 1)),
        *(GAME, replace(daily_route(TODAY), n_moves=100)),
    )
    assert not any(is_daily(one, TODAY) for one in others)


def test_without_runs_there_is_nothing_to_tell():
    found = daily_record([], NOW, 0)
    assert (found.own, found.ai, found.n_days, found.is_done) == (None, None, 0, False)


def test_the_best_run_that_is_over_counts_beside_the_best_of_an_ai():
    good, bad = result(points_lost=0.1), result(points_lost=0.5)
    begun = result(outcome="", n_moves=7, points_lost=0.0)
    weak, strong = result(who="search", points_lost=0.2), result(who="network", points_lost=0.05)
    others = [
        *(result(who=TABLE, points_lost=0.0), result(who=RECEIVED, match_rate=1.0)),
        *(result(ago(1), points_lost=0.0), result(ago(1), who="search", points_lost=0.01)),
    ]
    found = daily_record([run(one) for one in (begun, bad, good, weak, strong, *others)], NOW, 0)
    assert (found.own, found.ai, found.is_done) == (good, strong, True)
    found = daily_record([run(begun), run(strong)], NOW, 0)
    assert (found.own, found.is_done, found.n_days) == (begun, False, 0)


def test_a_result_without_moves_is_nobodys_run():
    passed_on = replace(run(result()), has_moves=False)
    assert daily_record([passed_on], NOW, 0).own is None


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ([0], 1),
        ([0, 1, 2], 3),
        ([0, 2], 1),
        ([1, 2], 2),
        ([2, 3], 0),
        ([0, 0, 1, 1], 2),
        ([1, 3, 4], 1),
    ],
)
def test_days_in_a_row_end_today_or_yesterday(days, expected):
    runs = [run(result(ago(n)), ago(n)) for n in days]
    assert daily_record(runs, NOW, 0).n_days == expected


def test_a_day_counts_when_its_route_was_played_to_its_end_on_it_or_into_the_night():
    late = run(result(ago(1)), TODAY, hour=1)
    assert daily_record([late], NOW, 0).n_days == 1
    for runs in (
        [run(result(ago(3)), TODAY)],  # made up for
        [run(result(outcome=""))],
        [run(replace(result(), who="search"))],
    ):
        assert daily_record(runs, NOW, 0).n_days == 0
    assert daily_record([run(replace(result(), who=YOU))], NOW, 0).n_days == 1


def test_the_route_of_a_day_is_that_of_the_evening_until_the_day_ends():
    night = datetime(TODAY.year, TODAY.month, TODAY.day, 2, tzinfo=ZONE)
    runs = [run(result(ago(1)), TODAY, hour=1), run(result(ago(2)), ago(2))]
    found = daily_record(runs, night, 4)
    assert (found.is_done, found.n_days) == (True, 2)
    found = daily_record(runs, night, 0)
    assert (found.is_done, found.n_days) == (False, 2)


def test_whole_games_and_tables_make_one_row():
    game = replace(GAME, seed=daily_route(ago(1)).seed)
    runs = [run(result()), run(replace(RESULT, route=game), ago(1))]
    assert daily_record(runs, NOW, 0).n_days == 2


def test_days_in_a_row_count_however_many_other_runs_there_are(tmp_path):
    played = Run(setup_of(GAME), NOW)
    played.play(next(one for one in range(4) if played.is_legal(one)))
    with closing(RouteResults(UserDatabase(tmp_path))) as results:
        for n in range(60):
            for nth in range(10):
                one = run(result(ago(n)) if nth == 0 else replace(RESULT, who=TABLE), ago(n), 8)
                results.keep(replace(one, number=0), played.moves)
        results.keep(replace(run(result(ago(60)), ago(60)), number=0))
        assert daily_record(results.all_in_brief(), NOW, 0).n_days == 60


def test_days_in_a_row_count_when_the_clocks_were_changed_in_between():
    summer = timezone(ZONE.utcoffset(None) + timedelta(hours=1))
    days = [ago(n) for n in range(6)]
    runs = [
        replace(run(result(day)), played=datetime(day.year, day.month, day.day, 0, 30, tzinfo=zone))
        for day, zone in zip(days, [ZONE] * 3 + [summer] * 3, strict=True)
    ]
    assert daily_record(runs, NOW, 0).n_days == 6
