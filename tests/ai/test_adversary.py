"""The adversary against the plainest alternating search on lists."""

import random

import numpy as np
import oracle
import pytest

from ai.choice import make_adversary
from ai.evaluation.evaluation import load_evaluation
from ai.evaluation.line_tables import line_value
from ai.search.adversary import Adversary, worst_value
from engine.bitboard import cells, from_cells
from engine.platform.jit import kernel


@kernel
def value_of(after, evaluator):
    return np.float32(line_value(after, evaluator))


@pytest.fixture(scope="module")
def evaluation():
    return load_evaluation()


def spawns(board: list[int]) -> list[tuple[int, int]]:
    return [(cell, e) for cell in range(16) if not board[cell] for e in (1, 2)]


def slow_worst(board: list[int], plies: int, phase) -> float:
    """Return the least value over all tiles of the highest over all moves, without a bound."""
    return min(slow_best(with_tile(board, *tile), plies, phase) for tile in spawns(board))


def slow_best(board: list[int], plies: int, phase) -> float:
    found = [float(phase.rules.dead)]
    for direction in range(4):
        after, _points = oracle.move(board, direction, False, False)
        if after == board:
            continue
        if plies == 1:
            found.append(float(value_of(np.uint64(from_cells(after)), phase.evaluator)))
        else:
            found.append(slow_worst(after, plies - 2, phase))
    return max(found)


def with_tile(board: list[int], cell: int, exponent: int) -> list[int]:
    return [exponent if i == cell else e for i, e in enumerate(board)]


def after_states(n_empty: int, count: int) -> list[list[int]]:
    """Return boards as slides leave them, with about so many empty cells."""
    rng, found = random.Random(n_empty), []
    while len(found) < count:
        board = [rng.randint(1, 9) for _ in range(16)]
        for cell in rng.sample(range(16), n_empty):
            board[cell] = 0
        found.append(board)
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(("plies", "n_empty"), [(1, 9), (3, 4), (5, 2)])
def test_the_tile_chosen_is_as_bad_as_any_by_the_slow_search(evaluation, plies, n_empty):
    phase = evaluation.phase_of(0)
    chosen = np.zeros(1, np.uint64)
    for board in after_states(n_empty, 12):
        value = worst_value(
            np.uint64(from_cells(board)),
            plies,
            phase.rules.dead,
            np.float32(np.inf),
            phase.rules,
            phase.evaluator,
            chosen,
        )
        bit = int(chosen[0]).bit_length() - 1
        tile = 15 - bit // 4, 1 + bit % 4
        assert tile in spawns(board)
        want = slow_worst(board, plies, phase)
        assert value == pytest.approx(want)
        assert slow_best(with_tile(board, *tile), plies, phase) == pytest.approx(want)


@pytest.mark.thorough
def test_where_the_game_can_be_ended_it_is(evaluation):
    # One empty cell, and a 2 there ends the game; a 4 ends it one move later.
    board, phase = cells(0x5678_8765_5672_8760), evaluation.phase_of(0)
    tile = Adversary(evaluation).choose(board)
    assert slow_best(with_tile(board, *tile), 5, phase) == float(phase.rules.dead)


def test_the_one_of_the_window_is_the_same(evaluation, monkeypatch):
    monkeypatch.setattr("ai.evaluation.evaluation.load_evaluation", lambda: evaluation)
    choose = make_adversary()
    for board in after_states(3, 5):
        assert choose(board) == Adversary(evaluation).choose(board)


def test_a_full_board_is_refused(evaluation):
    with pytest.raises(ValueError, match="no empty cell"):
        Adversary(evaluation).choose([1] * 16)
