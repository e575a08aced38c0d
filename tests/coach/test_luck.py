"""Luck and skill: every change of the success rate has one author, and the dice are fair."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.grading.luck import Fortune, spawn_luck
from engine.bitboard import cells
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.probe.reader import Tablebase

rates = st.floats(1e-9, 1.0)


def test_a_tile_by_hand() -> None:
    luck = spawn_luck(0.25, 0.5)
    assert luck
    assert luck.log == pytest.approx(math.log(2))
    assert luck.points == 0.25


def test_a_tile_after_which_nothing_is_left() -> None:
    luck = spawn_luck(0.25, 0.0)
    assert luck
    assert (luck.log, luck.points) == (-math.inf, -0.25)


@pytest.mark.parametrize(("rate", "after"), [(None, 0.5), (0.5, None), (0.0, 0.0)])
def test_where_a_rate_is_not_known_or_nothing_was_left_there_is_no_luck(rate, after) -> None:
    assert spawn_luck(rate, after) is None


def test_a_game_by_hand() -> None:
    """0.8, keeps 0.4 (half), is lucky twice: 0.6; keeps all, bad luck: 0.3."""
    game = Fortune.from_rate(0.8).add(0.4, 0.6).add(0.6, 0.3)
    assert game.skill == pytest.approx(math.log(0.5))
    assert game.luck == pytest.approx(math.log(1.5) + math.log(0.5))
    assert game.difficulty == -game.luck
    assert game.points_lost == pytest.approx(0.4)
    assert game.points_of_luck == pytest.approx(0.2 - 0.3)
    assert (game.n_tiles, game.worst_tile, game.best_tile) == (2, -0.3, pytest.approx(0.2))


def test_the_worst_and_the_best_tile_may_be_any_of_a_game() -> None:
    game = Fortune.from_rate(0.5)
    for after in (0.6, 0.2, 0.9, 0.8):
        game = game.add(game.end, after)
    assert game.worst_tile == pytest.approx(-0.4)
    assert game.best_tile == pytest.approx(0.7)


@given(rates, st.lists(st.tuples(st.floats(1e-6, 1.0), rates), max_size=40))
def test_skill_and_luck_explain_the_whole_way(start, steps) -> None:
    game, best = Fortune.from_rate(start), start
    for kept, after in steps:
        game = game.add(best * kept, after)
        best = after
    assert game.end == best
    assert math.log(best) == pytest.approx(math.log(start) + game.skill + game.luck, abs=1e-9)
    assert best == pytest.approx(start - game.points_lost + game.points_of_luck, abs=1e-9)
    assert game.skill <= 1e-12


def test_after_a_move_that_leaves_nothing_the_sum_is_all_lost_and_nothing_follows() -> None:
    game = Fortune.from_rate(0.5).add(0.0, 0.0)
    assert (game.skill, game.end, game.luck) == (-math.inf, 0.0, 0.0)
    assert game.points_lost == 0.5
    with pytest.raises(ValueError, match="nothing is left"):
        game.add(0.0, 0.0)


def test_luck_is_fair_in_rates_and_below_zero_in_logarithms(table) -> None:
    """Over all tiles that may come, of moves of a random game."""
    choice, rng, n_checked = random.Random(3), Rng(5), 0
    with Tablebase.open(table("44", 64)) as opened:
        board = opened.start_board(rng)
        for _ in range(60):
            probe = opened.get(board)
            legal = [d for d in range(4) if probe and (probe.rates[d] or 0) > 1e-3]
            if probe is None or not legal or 6 in cells(board):
                board = opened.start_board(rng)
                continue
            after = move(board, choice.choice(legal))
            rate = opened.rate_of(after)
            if rate < 1.0:
                means = expected_luck(opened, after, rate)
                assert means[0] == pytest.approx(0.0, abs=2e-9)  # rates are rounded to 2.5e-10
                assert means[1] <= 1e-6
                n_checked += 1
            board = spawn(after, rng, 0.1)[0]
    assert n_checked > 20


def expected_luck(table, after, rate):
    """The mean luck of the tiles after an after-state: in rates, and in logarithms."""
    empty = [i for i, tile in enumerate(cells(after)) if tile == 0]
    points, logs = [], []
    for cell in empty:
        for tile, chance in ((1, 0.9), (2, 0.1)):
            found = table.get(after | tile << 60 - 4 * cell)
            best = max((one for one in found.rates if one is not None), default=0.0)
            luck = spawn_luck(rate, best)
            points.append(chance * luck.points / len(empty))
            logs.append(chance * luck.log / len(empty))
    return math.fsum(points), sum(logs)
