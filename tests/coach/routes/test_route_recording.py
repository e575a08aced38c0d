"""Runs as recorded games, in the profile and of the day: each once, as long as it is kept."""

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from makers import Solver

from coach.grading.grade import UINT32
from coach.play.rules import End
from coach.play.run import Run
from coach.profile.facts import JudgedMoves
from coach.profile.played_games import open_played, played_games
from coach.record.user_database import UserDatabase
from coach.recordings.recording import recording_of_run
from coach.routes.code import Route
from coach.routes.daily import DAILY_MOVES, daily_record, daily_route, is_daily
from coach.routes.result import RECEIVED, TABLE, YOU, RouteResult, result_of
from coach.routes.results import RouteResults, StoredRun
from coach.routes.setup import route_on, setup_of
from tablebase.formation.formation import Formation
from tests.coach.routes.route_stage import BruteTable, is_over, new_run, walk
from tests.coach.routes.test_route_results import GAME, NOON, RESULT

SEED = 9


@pytest.fixture
def table(formations: dict[str, Formation], solution: Solver) -> BruteTable:
    return BruteTable(formations["44"], solution("44", 64))


def careless(n_moves: int, table: BruteTable | None, is_corrected: bool = True) -> Run:
    rng = random.Random(SEED)
    route = (
        route_on(table, SEED, n_moves, is_corrected) if table else replace(GAME, n_moves=n_moves)
    )
    run = new_run(route, table)
    while not is_over(run, rates := table.probe(run.board).rates if table else None, table):
        legal = [d for d in range(4) if run.refusal(d, rates) is None]
        run.play(rng.choice(legal), rates, 40)
    return run


@pytest.mark.parametrize("is_corrected", [True, False])
def test_the_recording_has_the_boards_of_the_route_and_judges_what_was_pressed(table, is_corrected):
    run = careless(20, table, is_corrected)
    pressed = iter([move.direction for move in run.moves])
    slow = walk(table, SEED, run.n_moves, is_corrected, lambda *_: next(pressed))
    found = recording_of_run(run, "a route", played=NOON)
    assert [list(one) for one in found.positions] == slow.boards
    assert [move.direction for move in found.replay.moves] == slow.made
    assert [found.direction_at(i) for i in range(run.n_moves)] == [m.direction for m in run.moves]
    assert len(found.pressed) == sum(m.direction != m.made for m in run.moves)
    assert bool(found.pressed) is is_corrected
    assert found.score.match_rate == pytest.approx(slow.match_rate)
    assert float(found.points_lost.sum()) == pytest.approx(slow.points_lost)
    # What the board did met its tile, not what was pressed.
    first = found.luck[0]
    rates = run.moves[0].rates
    then = found.best_rate(1)
    assert first is not None
    assert rates
    assert then
    assert 2.718281828459045**first == pytest.approx(then / (rates[slow.made[0]] or 0))
    assert (found.table, found.played_at, found.is_filed) == ("44_64", NOON, True)


def test_a_whole_game_is_a_recording_without_rates():
    run = careless(40, None)
    found = recording_of_run(run, "a game")
    assert found.n_moves == 40
    assert found.replay.merge_32768
    assert not found.n_judged
    assert not found.is_filed
    assert found.tolerance == replace(UINT32, relative=0.0, absolute=0.0)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[RouteResults]:
    with closing(RouteResults(UserDatabase(tmp_path))) as found:
        yield found


def keep(kept: RouteResults, run: Run, number: int, days: int = 0, who: str = "") -> None:
    played = NOON + timedelta(days=days)
    kept.keep(StoredRun(number, played, result_of(run, who), rate=run.setup.rate), run.moves)


def losses(run: Run) -> list[float]:
    """What each move with a choice lost, by its rates alone."""
    found = []
    for move in run.moves:
        known = [rate for rate in move.rates or () if rate is not None]
        if len(known) > 1:
            found.append(round(max(known) - (move.rates or ())[move.direction], 9))
    return found


def take(facts: JudgedMoves, table: BruteTable) -> list[tuple[int, int]]:
    """Judge the moves; return the messages meanwhile."""
    told: list[tuple[int, int]] = []
    facts.judge_new({"44": table.formation}, lambda done, n: told.append((done, n)))
    return told


def test_each_move_with_a_choice_is_a_fact_once(facts, kept, table):
    run = careless(12, table)
    keep(kept, run, 1)
    keep(kept, run, 2, who=TABLE)  # the table's own run says nothing of a person
    keep(kept, careless(30, None), 3)
    assert take(facts, table) == [(0, 1)]
    assert take(facts, table) == []
    found = facts.all()
    assert [round(one.lost, 9) for one in found] == losses(run)
    assert {one.formation for one in found} == {"44"}
    assert {one.played for one in found} == {NOON}
    assert {one.ms for one in found} == {40}


def test_the_same_route_again_counts_again_and_a_removed_run_no_more(facts, kept, table):
    run = careless(12, table)
    keep(kept, run, 1)
    keep(kept, run, 2)
    take(facts, table)
    assert len(facts.all()) == 2 * len(losses(run))
    kept.remove(1)
    take(facts, table)
    assert len(facts.all()) == len(losses(run))


def test_a_run_that_went_on_is_taken_anew(facts, kept, table):
    short, run = careless(5, table), careless(12, table)
    keep(kept, short, 1)
    take(facts, table)
    keep(kept, run, 1, days=1)
    take(facts, table)
    assert [round(one.lost, 9) for one in facts.all()] == losses(run)


def test_a_run_on_an_unknown_formation_waits_for_it(facts, kept, table):
    keep(kept, careless(12, table), 1)
    other = replace(table.formation, extra_steps=table.formation.extra_steps + 1)
    for formations in ({}, {"44": other}, {"45": table.formation}):
        facts.judge_new(formations)
        assert facts.all() == []
    take(facts, table)
    assert facts.all()


def test_what_cannot_be_read_changes_nothing(facts, kept, table):
    keep(kept, run := careless(12, table), 1)
    keep(kept, run, 2)
    kept.rows("UPDATE move SET direction = NULL WHERE run = 2")
    take(facts, table)
    assert len(facts.all()) == len(losses(run))
    assert take(facts, table) == [], "it is not tried again"


def test_a_route_that_is_over_is_listed_and_opened_by_its_path(table, formations, kept):
    run = careless(20, table)
    if not run.end:
        run.finish(End.REACHED, NOON)
    number = kept.keep(StoredRun(0, NOON, result_of(run), rate="uint32"), run.moves)
    other = kept.keep(StoredRun(0, NOON, result_of(run, TABLE), rate="uint32"), run.moves)
    unfinished = replace(result_of(run), outcome="")
    kept.keep(StoredRun(0, NOON, unfinished, rate="uint32"), run.moves)
    database = UserDatabase(kept.path.parent)
    [(path, heading)] = played_games(database, formations)
    assert path.name == str(number) != str(other)
    assert (heading.table, heading.played_at, heading.n_moves) == ("44_64", NOON, 20)
    assert heading.points_lost == pytest.approx(run.totals.points_lost)
    found = open_played(database, path, formations)
    assert found
    assert [one.direction for one in found.replay.moves] == [one.made for one in run.moves]
    assert heading.perfect_share == run.score.perfect_share
    assert open_played(database, path, {}) is None, "its formation is unknown"
    assert played_games(database, {}) == []


def test_a_route_that_is_over_is_replayed_once_for_the_list(table, formations, kept, monkeypatch):
    run = careless(20, table)
    if not run.end:
        run.finish(End.REACHED, NOON)
    kept.keep(StoredRun(0, NOON, result_of(run), rate="uint32"), run.moves)
    database = UserDatabase(kept.path.parent)
    listed = played_games(database, formations)
    assert len(listed) == 1
    monkeypatch.setattr("coach.profile.played_games._route_recording", None)
    assert played_games(database, formations) == listed


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
