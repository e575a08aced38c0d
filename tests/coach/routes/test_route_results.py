"""Results as lines of text and in the database, the route of a day, and who plays by itself."""

import random
import zlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from makers import Solver

from ai.choice import Choice
from coach.exam.run_rows import stored_move
from coach.play.rules import End
from coach.play.run import Run
from coach.record.database import DamagedDatabaseError
from coach.record.user_database import UserDatabase
from coach.routes.code import Route, RouteCodeError, code_of
from coach.routes.daily import DAILY_MOVES, daily_route
from coach.routes.play import play
from coach.routes.result import (
    RECEIVED,
    TABLE,
    YOU,
    RouteResult,
    is_result,
    line_of,
    read_result,
    result_of,
)
from coach.routes.results import RouteResults, RouteRunError, StoredRun, run_of
from coach.routes.setup import route_on
from engine.platform import language
from tablebase.formation.formation import Formation
from tests.coach.routes import route_twin as twin
from tests.coach.routes.route_stage import BruteTable, is_over, new_run

NOON = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)
ROUTE = Route("442", "512", 12345, 100, True, 100, 5)
GAME = Route("", "", 12345, 0, False)
RESULT = RouteResult(ROUTE, YOU, 100, 3, 0.97312849, 2.5, 0, 250_900, 700, "moves")


@pytest.fixture
def table(formations: dict[str, Formation], solution: Solver) -> BruteTable:
    return BruteTable(formations["44"], solution("44", 64))


def played(table: BruteTable, seed: int = 1, n_moves: int = 20, most: int = 99) -> Run:
    """A run with some wrong moves, to its end or as many moves."""
    rng = random.Random(seed)
    run = new_run(route_on(table, seed, n_moves, is_corrected=True), table)
    while run.n_moves < most and not is_over(run, table.probe(run.board).rates, table):
        rates = table.probe(run.board).rates
        run.play(rng.choice([d for d in range(4) if rates[d] is not None]), rates, 40)
    return run


def test_a_line_that_was_written_down_once():
    line = line_of(RESULT)
    head, _, tail = line.partition(" #")
    assert head == f"2048 route {code_of(ROUTE)}: 97.3128 %, 3 mistakes, 100 moves, 4:10"
    assert tail[:2] == "NW"  # 700 is 21 * 32 + 28
    assert line_of(replace(RESULT, route=GAME, points=53_204, n_mistakes=0)).startswith(
        f"2048 route {code_of(GAME)}: 53204 points, 100 moves, 4:10 #"
    )


results = st.builds(
    RouteResult,
    route=st.sampled_from([ROUTE, GAME]),
    who=st.just(YOU),
    n_moves=st.integers(0, 100_000),
    n_mistakes=st.integers(0, 5000),
    match_rate=st.floats(0, 1),
    points_lost=st.just(0.0),
    points=st.integers(0, 10_000_000),
    played_ms=st.integers(0, 10**9),
    line=st.integers(0, 1023),
)


@given(results, st.sampled_from(["en", "zh_CN"]))
def test_a_line_is_read_as_what_it_was_made_of(result, code):
    language.use(code)
    try:
        found = read_result(f"Look: {line_of(result)}\nBye!")
    finally:
        language.use("en")
    assert found.who == RECEIVED
    assert (found.route, found.n_moves, found.line) == (result.route, result.n_moves, result.line)
    assert found.played_ms == result.played_ms // 1000 * 1000
    if result.route.is_game:
        assert found.points == result.points
    else:
        assert found.n_mistakes == result.n_mistakes
        assert 0 <= result.match_rate - found.match_rate < 1.1e-6


def test_only_who_lost_nothing_has_100_percent():
    assert ": 100.0000 %," in line_of(replace(RESULT, match_rate=1.0))
    assert ": 99.9999 %," in line_of(replace(RESULT, match_rate=1 - 1e-15))


@pytest.mark.parametrize("result", [RESULT, replace(RESULT, route=GAME, points=53_204)])
def test_every_wrong_digit_is_noticed(result):
    line = line_of(result)
    for at, right in enumerate(line):
        if not right.isdigit() or at < len("2048 route "):
            continue
        for wrong in "0123456789":
            text = line[:at] + wrong + line[at + 1 :]
            if wrong != right:
                with pytest.raises(RouteCodeError):
                    read_result(text)


def test_digits_that_changed_places_are_noticed():
    line = line_of(RESULT)
    for at in range(len("2048 route "), len(line) - 1):
        one, other = line[at : at + 2]
        if one != other and one.isalnum() and other.isalnum() and (one + other).isdigit():
            with pytest.raises(RouteCodeError):
                read_result(line[:at] + other + one + line[at + 2 :])


@pytest.mark.parametrize(
    "text", ["", "#", "x" * 1000, "2048 route GAME-1: 2 #ABCD", "a-b: 1 #0000"]
)
def test_what_is_no_result_is_told(text):
    with pytest.raises(RouteCodeError):
        read_result(text)


@given(st.text(max_size=100))
def test_any_text_gets_a_message(text):
    with pytest.raises(RouteCodeError):
        read_result(text)


def test_results_and_codes_are_told_apart():
    assert is_result(line_of(RESULT))
    assert not is_result(code_of(ROUTE))


@pytest.mark.parametrize("is_corrected", [True, False])
def test_results_are_compared_by_what_was_lost_however_long_they_are(is_corrected):
    careful = replace(RESULT, route=replace(ROUTE, is_corrected=is_corrected), points_lost=0.3)
    wild = replace(careful, n_moves=87, n_mistakes=2, points_lost=2.16, match_rate=0.99)
    assert careful.merit > wild.merit, "few mistakes, but dear ones"
    assert replace(careful, n_mistakes=2).merit > careful.merit
    game = replace(RESULT, route=GAME, points=500)
    assert replace(game, points=501).merit > game.merit
    assert replace(game, n_moves=101).merit > game.merit


@pytest.mark.parametrize("result", [RESULT, replace(RESULT, route=GAME)])
def test_who_did_not_end_a_route_beats_nobody(result):
    begun = replace(result, outcome="", n_moves=1, n_mistakes=0, points_lost=0.0, points=9999)
    assert result.merit > begun.merit


def test_a_received_result_counts_with_the_most_that_it_can_have_lost():
    friend = replace(RESULT, who=RECEIVED, outcome="", points_lost=0.0)
    good, ruined = replace(friend, match_rate=0.8), replace(friend, match_rate=0.0)
    own = replace(RESULT, points_lost=0.2)  # 0.8 of one chance is 0.2 less, of two more
    assert own.merit > good.merit > replace(own, points_lost=0.23).merit
    assert replace(own, points_lost=2.9).merit > ruined.merit
    assert ruined.merit > replace(own, points_lost=3.1).merit
    assert replace(friend, match_rate=1.0, n_mistakes=0).merit > own.merit
    many_small = replace(friend, match_rate=0.98, n_mistakes=0)
    assert replace(own, n_mistakes=0, points_lost=0.019).merit > many_small.merit


@pytest.fixture
def path(tmp_path: Path) -> UserDatabase:
    return UserDatabase(tmp_path)


def test_runs_come_back_the_newest_first_and_those_of_a_route_the_best_first(path):
    with closing(RouteResults(path)) as kept:
        for day, rate in enumerate((0.5, 0.9, 0.7)):
            result = replace(RESULT, match_rate=rate, points_lost=1 - rate)
            number = kept.keep(StoredRun(0, NOON + timedelta(days=day), result))
            assert number == day + 1
        early = NOON - timedelta(days=1)
        kept.keep(StoredRun(0, early, replace(RESULT, route=GAME, points=8)))
    with closing(RouteResults(path)) as kept:
        runs = kept.runs()
        assert [run.result.match_rate for run in runs[:3]] == [0.7, 0.9, 0.5]
        assert len(runs) == 4
        assert kept.runs(most=1) == runs[:1]
        assert [run.result.match_rate for run in kept.runs_of(ROUTE)] == [0.9, 0.7, 0.5]
        assert [run.result.points for run in kept.runs_of(GAME)] == [8]


def test_a_run_takes_the_place_of_the_one_of_its_number(path):
    with closing(RouteResults(path)) as kept:
        kept.keep(StoredRun(77, NOON, replace(RESULT, outcome="")))
        kept.keep(StoredRun(77, NOON, RESULT))
        assert kept.runs() == [StoredRun(77, NOON, RESULT)]
        found = kept.remove(77)
        assert kept.runs() == []
        assert kept.remove(77) is None
        assert found
        assert kept.restore(found) == 77
        assert kept.runs() == [StoredRun(77, NOON, RESULT)]


def test_a_run_is_restored_beside_the_one_that_took_its_number(path):
    with closing(RouteResults(path)) as kept:
        removed = kept.remove(kept.keep(StoredRun(0, NOON, RESULT)))
        assert removed
        newer = StoredRun(removed.row["id"], NOON, replace(RESULT, n_mistakes=9))
        assert kept.keep(replace(newer, number=0)) == newer.number
        number = kept.restore(removed)
        assert number
        assert number != newer.number
        assert kept.get(number) == StoredRun(number, NOON, RESULT)
        assert kept.get(newer.number) == newer


def test_a_run_saved_again_keeps_its_time_until_it_goes_on_or_ends(path, table):
    run, later = played(table), NOON + timedelta(hours=1)
    result = result_of(run)
    with closing(RouteResults(path)) as kept:
        number = kept.keep(StoredRun(0, NOON, replace(result, outcome="")), run.moves[:-1])
        for outcome, n_moves, now in (
            ("", run.n_moves - 1, NOON),
            ("", run.n_moves, later),
            ("lost", run.n_moves, later + timedelta(hours=1)),
        ):
            one = replace(result, outcome=outcome)
            for saved in (now, now + timedelta(minutes=2)):
                kept.keep(StoredRun(number, saved, one), run.moves[:n_moves])
                assert kept.runs()[0].played == now


@pytest.mark.sample(1)
@pytest.mark.parametrize("most", [5, 99])
def test_a_kept_run_is_gone_through_again(path, table, most):
    run = played(table, most=most)
    with closing(RouteResults(path)) as results_:
        number = results_.keep(StoredRun(0, NOON, result_of(run)), run.moves)
        (listed,) = results_.runs()
        kept = results_.get(number)
    assert kept
    assert listed == replace(kept, moves=())
    assert kept.is_unfinished is (most == 5)
    again = run_of(kept, table)
    assert again.moves == run.moves
    assert again.end is run.end
    assert result_of(again) == result_of(run)


def test_a_whole_game_is_gone_through_again():
    run = new_run(GAME)
    while not is_over(run) and run.n_moves < 30:
        run.play(next(d for d in range(4) if run.is_legal(d)), ms=3)
    kept = StoredRun(1, NOON, result_of(run), tuple(map(stored_move, run.moves)))
    assert run_of(kept).moves == run.moves


def test_a_run_in_which_an_as_good_move_was_replaced_is_gone_through_again(table):
    """Earlier versions made the best move in place of any other."""
    left, right = 0, 1
    runs = [new_run(route_on(table, seed, 9, is_corrected=True), table) for seed in range(99)]
    run = next(one for one in runs if one.is_legal(left) and one.is_legal(right))
    move = run.play(right, (0.5, 0.5, None, None), made=left)
    kept = StoredRun(1, NOON, result_of(run), (stored_move(move),))
    assert (kept.moves[0].direction, kept.moves[0].made) == (right, left)
    assert run_of(kept, table).moves == (move,)


@pytest.mark.parametrize(
    "changes", [{"direction": None}, {"direction": 9}, {"rates": None}, {"rates": (1.0, 2.0)}]
)
def test_moves_that_cannot_be_are_told(changes, table):
    route = route_on(table, 1, 9, is_corrected=True)
    first = stored_move(played(table).moves[0])._replace(**changes)
    kept = StoredRun(1, NOON, replace(RESULT, route=route), (first,))
    with pytest.raises(RouteRunError):
        run_of(kept, table)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("code", "442-512-NOTHING"), ("code", ""), ("played", "yesterday"), ("outcome", "won")),
        *(("match_rate", 7.0), ("n_moves", -1), ("line", 4096), ("who", "x" * 99)),
    ],
)
def test_rows_that_we_do_not_write_are_damage(path, column, value):
    import sqlite3

    with closing(RouteResults(path)) as kept:
        kept.keep(StoredRun(0, NOON, RESULT))
    with closing(sqlite3.connect(path.path)) as connection:
        connection.execute(f"UPDATE run SET {column} = ?", (value,))
        connection.commit()
    with pytest.raises(DamagedDatabaseError), closing(RouteResults(path)) as kept:
        kept.runs()


def test_a_day_has_one_route_for_each_table(table):
    day = date(2026, 5, 1)
    route = daily_route(day, table)
    assert route == daily_route(day, table)
    assert (route.n_moves, route.is_corrected, route.table) == (DAILY_MOVES, True, "44_64")
    others = [
        daily_route(day + timedelta(days=1), table),
        daily_route(day, replace(table, target=128)),
        daily_route(day),
    ]
    assert len({route.seed, *(one.seed for one in others)}) == 4
    assert others[-1].is_game
    days = {daily_route(day + timedelta(days=i)).seed for i in range(1000)}
    assert len(days) == 1000


def test_the_route_of_a_day_that_was_written_down_once():
    day = date(2026, 5, 1)
    seed = twin.output(day.toordinal() << 32 | zlib.crc32(b"_"), ">") % (1 << 38)
    assert daily_route(day).seed == seed
    assert code_of(daily_route(day)) == "GAME-2000S0-06H496-YE6F8"


def test_the_table_loses_nothing_on_its_own_route(table):
    for seed in range(6):
        run = new_run(route_on(table, seed, 30, is_corrected=False), table)
        assert play(run, table)
        assert run.end in (End.MOVES, End.REACHED, End.LOST, End.NO_MOVE)
        assert run.score.match_rate == 1.0
        assert result_of(run, TABLE).who == "table"


def last_legal(_cells: Sequence[int]) -> Choice:
    """Wants to go down, values the others from right to left."""
    return Choice(3, (0.1, 0.9, None, 0.5), "a test")


def test_an_ai_plays_what_it_wants_where_the_table_lets_it(table):
    run = new_run(route_on(table, 4, 12, is_corrected=False), table)
    assert play(run, table, last_legal)
    assert run.n_moves
    for move in run.moves:
        assert move.rates
        allowed = [d for d in range(4) if move.rates[d] is not None]
        preferred = next(d for d in (3, 1, 0, 2) if d in allowed)
        assert move.direction == preferred


def test_play_stops_when_told_to(table):
    run = new_run(route_on(table, 4, 12, is_corrected=False), table)
    assert not play(run, table, is_cancelled=lambda: run.n_moves >= 2)
    assert run.n_moves == 2
    assert run.end is None


def test_where_the_table_does_not_answer_the_route_ends(table):
    run = new_run(route_on(table, 4, 12, is_corrected=False), table)
    table.outside.add(run.board)
    assert play(run, table)
    assert run.end is End.OUTSIDE
