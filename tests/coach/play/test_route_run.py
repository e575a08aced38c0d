"""Going along a route: the boards that come, what moves are worth, when it is over."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from makers import Solver

from coach.grading.grade import GRADES, Grade
from coach.play.rules import End, Refusal
from coach.play.run import Run
from coach.routes.code import Route, RouteCodeError, fingerprint_of
from coach.routes.setup import route_on, start_of
from tablebase.formation.formation import Formation
from tests import oracle
from tests.coach.routes.route_stage import BruteTable, Walk, is_over, new_run, walk

SEEDS = range(12)
LEFT, RIGHT, UP, DOWN = range(4)


@pytest.fixture(params=["44", "tinyshift", "tinypair"])
def table(request, formations: dict[str, Formation], solution: Solver) -> BruteTable:
    return BruteTable(formations[request.param], solution(request.param, 64))


@pytest.fixture
def plain(formations: dict[str, Formation], solution: Solver) -> BruteTable:
    return BruteTable(formations["44"], solution("44", 64))


def presser(seed: int) -> Callable[[list[int], Sequence[float | None]], int]:
    """Press any move that is rated, by a die of one's own."""
    rng = random.Random(seed)

    def press(_board: list[int], rates: Sequence[float | None]) -> int:
        return rng.choice([d for d in range(4) if rates[d] is not None])

    return press


def anything(seed: int) -> Callable[[list[int], Sequence[float | None]], int]:
    """Press any move that slides something."""
    rng = random.Random(seed)

    def press(board: list[int], _rates: Sequence[float | None]) -> int:
        legal = [d for d in range(4) if oracle.move(board, d, merge_32768=True)[0] != board]
        return rng.choice(legal)

    return press


def run_along(route: Route, table: BruteTable, press) -> Run:
    run = new_run(route, table)
    while not is_over(run, table.probe(run.board).rates, table):
        rates = table.probe(run.board).rates
        run.play(press(list(run.cells), rates), rates, ms=7)
    return run


def assert_same(run: Run, found: Walk) -> None:
    assert [list(move.before) for move in run.moves] == found.boards[:-1]
    assert list(run.cells) == found.boards[-1]
    assert [move.made for move in run.moves] == found.made
    assert [(move.cell, move.exponent) for move in run.moves] == found.tiles
    assert run.score.match_rate == pytest.approx(found.match_rate, rel=1e-12)
    assert run.totals.points_lost == pytest.approx(found.points_lost, rel=1e-9, abs=1e-15)
    assert run.totals.points == found.points


@pytest.mark.sample(1)
@pytest.mark.parametrize("is_corrected", [True, False])
def test_a_run_is_what_the_rules_make_of_it(table, is_corrected):
    n_moves = 0
    for seed in SEEDS:
        route = route_on(table, seed, 40, is_corrected)
        run = run_along(route, table, presser(seed))
        assert_same(run, walk(table, seed, run.n_moves, is_corrected, presser(seed)))
        n_moves += run.n_moves
    assert n_moves > 60


def test_a_whole_game_is_what_the_rules_make_of_it():
    for seed in SEEDS:
        run = new_run(Route("", "", seed, 0, False))
        press = anything(seed)
        while not is_over(run):
            run.play(press(list(run.cells), (None,) * 4))
        assert run.end is End.NO_MOVE
        assert_same(run, walk(None, seed, run.n_moves, False, anything(seed)))
        assert run.n_moves > 50
        assert run.totals.n_mistakes == 0


@pytest.mark.sample(1)
@pytest.mark.thorough
@pytest.mark.parametrize("is_corrected", [True, False])
def test_two_who_move_differently_still_have_the_same_values(table, is_corrected):
    differ = 0
    for seed in SEEDS:
        route = route_on(table, seed, 40, is_corrected)
        one, other = (run_along(route, table, presser(die)) for die in (1, 2))
        both = list(zip(one.moves, other.moves, strict=False))
        assert [a.exponent for a, _ in both] == [b.exponent for _, b in both]
        differ += one.cells != other.cells
    assert differ


def open_run(table: BruteTable) -> Run:
    """Return a run of which the first move goes to the left or to the right."""
    runs = [new_run(route_on(table, seed, 9, is_corrected=True), table) for seed in SEEDS]
    return next(one for one in runs if one.is_legal(LEFT) and one.is_legal(RIGHT))


def test_an_equally_good_move_is_perfect_and_stands(plain):
    rates = (0.5, 0.5, 0.25, None)
    run = open_run(plain)
    move = run.play(RIGHT, rates)
    assert (move.made, move.is_corrected, move.is_mistake) == (RIGHT, False, False)
    assert move.judged
    assert move.judged.is_perfect
    assert run.score.match_rate == 1.0


def test_what_counts_as_a_mistake_begins_where_the_book_takes_it_down(plain):
    found = {}
    for lost in (0.0, 0.0005, 0.002, 0.02, 0.2):
        run = open_run(plain)
        move = run.play(RIGHT, (0.5, 0.5 * (1 - lost), None, None))
        assert move.made == (LEFT if move.is_mistake else RIGHT)
        assert move.is_corrected is move.is_mistake
        assert move.judged
        found[move.judged.grade] = move.is_mistake
        assert run.totals.n_mistakes == int(move.is_mistake)
    assert found == {
        Grade.PERFECT: False,
        Grade.EXCELLENT: False,
        Grade.GOOD: True,
        Grade.INACCURATE: True,
        Grade.BLUNDER: True,
    }
    assert len(found) < len(GRADES)


def test_the_worst_moves_come_worst_first(plain):
    run = run_along(route_on(plain, 3, 40, is_corrected=True), plain, presser(3))
    losses = [run.moves[i].judgement.loss for i in run.worst(5)]  # type: ignore[union-attr]
    every = [move.judged.loss for move in run.moves if move.judged and move.is_mistake]
    assert losses == sorted(every, reverse=True)[:5]
    assert losses
    assert run.played_ms == 7 * run.n_moves
    assert run.match_rates[-1] == run.score.match_rate


def test_a_route_ends_after_its_moves_or_with_the_target(plain):
    short = [run_along(route_on(plain, s, 6, True), plain, presser(s)) for s in SEEDS]
    assert {(run.end, run.n_moves) for run in short} == {(End.MOVES, 6)}

    def best(_board: list[int], rates: Sequence[float | None]) -> int:
        return rates.index(max(rate for rate in rates if rate is not None))

    runs = [run_along(route_on(plain, s, 0, True), plain, best) for s in SEEDS]
    reached = [run for run in runs if run.end is End.REACHED]
    assert reached
    assert all(6 in run.cells for run in reached)


def test_other_ends(plain):
    run = new_run(route_on(plain, 1, 0, is_corrected=True), plain)
    assert run.conclude((0.0, 0.0, None, None)) is End.LOST
    assert run.conclude((None,) * 4) is End.NO_MOVE
    assert run.conclude(None) is End.OUTSIDE
    assert run.conclude((0.5, None, None, None), is_best_known=False) is End.OUTSIDE
    assert run.conclude((0.5, None, None, None)) is None


def test_moves_are_refused_as_in_a_test(plain):
    run = new_run(route_on(plain, 1, 9, is_corrected=True), plain)
    legal = [d for d in range(4) if run.is_legal(d)]
    illegal = next(d for d in range(4) if d not in legal)
    rates = tuple(0.5 if d == legal[0] else None for d in range(4))
    assert run.refusal(illegal, rates) is Refusal.ILLEGAL
    assert run.refusal(legal[1], rates) is Refusal.LEAVES
    assert run.refusal(legal[1], rates, unknown=[legal[1]]) is Refusal.UNKNOWN
    assert run.refusal(legal[0], rates) is None
    for direction in (illegal, legal[1]):
        with pytest.raises(ValueError, match="not possible"):
            run.play(direction, rates)
    with pytest.raises(ValueError, match="judged"):
        run.play(legal[0])
    run.end = End.MOVES
    with pytest.raises(ValueError, match="not possible"):
        run.play(legal[0], rates)


def test_another_formation_of_the_same_name_is_refused(plain):
    route = route_on(plain, 1, 9, is_corrected=True)
    changes = (
        {"seeds": (0x0001_0000_FFFF_FFFF,)},
        {"target_cells": 0xFFFF_0000_0000_0000},
        {"masks": ()},
        {"extra_steps": 12},
    )
    for change in changes:
        other = replace(plain.formation, **change)
        with pytest.raises(RouteCodeError, match="another formation"):
            start_of(route, other)
    renamed = replace(plain.formation, category="elsewhere")
    assert start_of(route, renamed) == start_of(route, plain.formation)


def test_tables_without_routes_are_refused(plain):
    with pytest.raises(RouteCodeError, match=r"12\.34 %"):
        route_on(replace(plain, spawn4=0.1234), 1, 0, is_corrected=True)
    named = replace(plain, formation=replace(plain.formation, name="game"))
    with pytest.raises(RouteCodeError, match="rename"):
        route_on(named, 1, 0, is_corrected=True)


def test_every_share_of_fours_in_tenths_of_a_percent_has_routes(plain):
    for fours in range(1, 1000):
        route = route_on(replace(plain, spawn4=fours / 1000), 1, 0, is_corrected=True)
        assert route.fours == fours
        assert route.spawn4 == fours / 1000


def test_starts_are_turned_in_every_way(plain):
    starts = {start_of(route_on(plain, seed, 0, True), plain.formation) for seed in range(60)}
    large = {tuple(cell for cell in range(16) if start[cell] == 15) for start in starts}
    assert len(large) == 4, "two rows of large tiles, at each of four sides"


def test_walls_stay_where_they_are(formations):
    formation = formations["3x3"]
    walls = {0x000F_000F_000F_FFFF}
    route = Route("3X3", "64", 0, fingerprint=0)
    for seed in range(20):
        route = replace(route, seed=seed, fingerprint=fingerprint_of(formation))
        start = start_of(route, formation)
        found = sum(15 << (60 - 4 * cell) for cell in range(16) if start[cell] == 15)
        assert found in walls
