"""Positions with their truth, the fit of a model to them, and how the two are compared."""

import math
import random

import numpy as np
import pytest

from ai.chances.goal import ChanceGoal, goal_of
from ai.errors import PlayError
from ai.train.chance_positions import Collector, Sample
from ai.train.chance_training import Rows, calibration, compare_best, fit, rows_of, train_chances
from engine.trace import slide_cells

PLAY_NODES = 300  # poor games are games too


class CornerTable:
    """Knows a position whenever its first two large tiles lie in the upper row; by no search."""

    name, n_large, exponent = "made_512", 6, 9

    def __init__(self):
        self.asked = 0

    def rates(self, masked):
        self.asked += 1
        cells = [(masked >> 60 - 4 * i) & 15 for i in range(16)]
        if cells[0] != 15 or cells[1] != 15:
            return None
        afters = [slide_cells(tuple(cells), one).cells for one in range(4)]
        chance = random.Random(masked)
        return tuple(chance.random() if one != tuple(cells) else None for one in afters)


def collected(seed, games, tables=()):
    collector = Collector(tables, seed, play_nodes=PLAY_NODES)
    return [sample for game in games for sample in collector.play(game)]


@pytest.mark.thorough
def test_positions_are_of_the_game_and_settled():
    games = [4, 6, 7, 8, 11]
    table = CornerTable()
    found = collected(1, games, [table])
    assert table.asked > 0
    assert len(found) > 100
    assert {one.game for one in found} == set(games)
    for one in found:
        legal = [
            direction
            for direction in range(4)
            if slide_cells(one.cells, direction, merge_32768=True).cells != one.cells
        ]
        assert [d for d in range(4) if one.values[d] is not None] == legal
        if one.table:
            assert one.outcome is None
            assert one.goal == ChanceGoal(6, 9)
        else:
            assert one.goal == goal_of(one.cells)
            assert one.outcome is not None
            assert 0.0 <= one.outcome <= 1.0


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_positions():
    assert collected(5, [6]) == collected(5, [6])
    assert collected(5, [6]) != collected(6, [6])


def sample(values, rates=None, outcome=None):
    cells = (14, 13, 12, 11, 10, 9, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0)
    nothing = (None,) * 4
    return Sample(
        0, cells, ChanceGoal(6, 9), values, rates or nothing, outcome, "t" if rates else ""
    )


@pytest.mark.thorough
def test_what_is_known_of_each_move():
    lines = Collector((), 1).evaluator
    values = (-5000.0, None, -4000.0, -9000.0)
    rows = rows_of(
        [
            sample(values, rates=(0.5, None, None, 0.25)),
            sample(values, outcome=1.0),
            sample(values),
        ],
        lines,
    )
    assert rows.truth.tolist() == [0.5, 0.25, 1.0]
    assert rows.position.tolist() == [0, 0, 1]
    assert rows.weight.tolist() == [1.0, 1.0, 0.5]
    assert rows.figures.shape == (3, 22)
    assert rows.figures[2].tolist() != rows.figures[0].tolist()


def made_rows(n, seed):
    """Return rows whose truth is a logistic function of two figures."""
    rng = np.random.default_rng(seed)
    figures = rng.normal(size=(n, 22)).astype(np.float32)
    truth = 1 / (1 + np.exp(-(1.5 * figures[:, 0] - figures[:, 3] + 0.5)))
    return Rows(figures, truth.astype(np.float64), np.ones(n), np.arange(n))


@pytest.mark.thorough
def test_a_fit_finds_what_is_there():
    *_, model = fit(made_rows(3000, 1), seed=1)
    others = made_rows(500, 2)
    error = np.abs(model.chances(others.figures) - others.truth)
    assert error.mean() < 0.03
    *_, again = fit(made_rows(3000, 1), seed=1)
    assert again.chances(others.figures).tolist() == model.chances(others.figures).tolist()


@pytest.mark.thorough
def test_weights_count():
    rows = made_rows(2000, 3)
    both = Rows(
        np.concatenate([rows.figures, rows.figures]),
        np.concatenate([np.ones(2000), np.zeros(2000)]),
        np.concatenate([np.full(2000, 3.0), np.ones(2000)]),
        np.arange(4000),
    )
    *_, model = fit(both, seed=1)
    assert model.chances(rows.figures).mean() == pytest.approx(0.75, abs=0.02)


def test_calibration_by_hand():
    said = np.array([0.05, 0.02, 0.55, 0.51, 1.0, 0.95])
    true = np.array([0.10, 0.00, 0.40, 0.60, 1.0, 0.90])
    found = calibration(said, true)
    assert [one.n for one in found.bins] == [2, 2, 2]
    assert found.bins[0].said == pytest.approx(0.035)
    assert found.bins[1].true == pytest.approx(0.5)
    assert found.expected_error == pytest.approx((2 * 0.015 + 2 * 0.03 + 2 * 0.025) / 6)
    assert found.mean_error == pytest.approx((0.05 + 0.02 + 0.15 + 0.09 + 0.0 + 0.05) / 6)


class Echo:
    """Says the first figure of each row."""

    def chances(self, figures):
        return figures[:, 0].astype(float)


def test_the_best_moves_are_compared():
    figures = np.zeros((4, 22), np.float32)
    figures[:, 0] = (0.25, 0.5, 0.75, 0.125)
    rows = Rows(figures, np.array([0.5, 0.25, 1.0, 0.0]), np.ones(4), np.array([0, 0, 1, 2]))
    found = compare_best(Echo(), rows, np.array([True, False, True]))
    assert found.n == 2
    assert found.mean_error == pytest.approx((0.0 + 0.125) / 2)
    assert compare_best(Echo(), rows, np.zeros(3, bool)) is None


@pytest.mark.thorough
def test_training_from_end_to_end():
    told = []
    model, found = train_chances(
        Collector([CornerTable()], 2, play_nodes=PLAY_NODES), 12, 1, lambda *one: told.append(one)
    )
    assert [game for game, _ in told] == list(range(1, 13))
    assert found["outcome"].n > 20
    assert found["outcome"].expected_error < 0.5
    assert all(math.isfinite(one) for weights, _ in model.layers for one in weights.ravel())


@pytest.mark.thorough
def test_too_few_games_are_told():
    with pytest.raises(PlayError, match="too few games"):
        train_chances(Collector((), 1), 1, 1, lambda *_: None)
