"""Where a test is worth most."""

import math
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from coach.exam.history import FinishedTest
from coach.exam.weak_spot import Evidence, loss_per_move, weak_spot
from coach.mistakes.mistake import TableKey

EASY, HARD = TableKey("442_128", 0.1), TableKey("L3_512", 0.1)
NOW = datetime(2026, 3, 5, 12, tzinfo=timezone.utc)
MODEL = FinishedTest(
    *("x", NOW, NOW, "442_128", 0.1, 100, 1.0, (100, 0, 0, 0, 0, 0, 0)),
    *(0, 10, 0.0, 0, 1000, 0, 1, 2, "reached"),
)


def taken(key: TableKey, match_rate: float, n_moves: int, age: int = 0) -> FinishedTest:
    return replace(
        MODEL,
        name=f"{key.name}-{age}",
        ended=NOW - timedelta(days=age),
        table=key.name,
        spawn4=key.spawn4,
        match_rate=match_rate,
        counts=(n_moves, 0, 0, 0, 0, 0, 0),
    )


def test_a_long_test_is_not_worse_than_a_short_one_with_the_same_moves():
    loss = 0.01
    tests = [taken(EASY, (1 - loss) ** 30, 30), taken(HARD, (1 - loss) ** 500, 500)]
    assert loss_per_move(tests, EASY) == pytest.approx(loss)
    assert loss_per_move(tests, HARD) == pytest.approx(loss)


def test_the_table_that_loses_most_a_move_is_the_weak_spot():
    tests = [taken(EASY, 0.5, 1000), taken(HARD, 0.6, 20)]
    found = weak_spot(tests, [EASY, HARD], {})
    assert found
    assert (found.key, found.evidence) == (HARD, Evidence.TESTS)
    assert found.loss == pytest.approx(1 - 0.6 ** (1 / 20))


def test_only_the_latest_tests_count():
    latest = [taken(HARD, 0.99, 10, age) for age in range(10)]
    old = [taken(HARD, 0.01, 10, age) for age in range(10, 40)]
    found = weak_spot([*latest, taken(EASY, 0.9, 10), *old], [EASY, HARD], {})
    assert found
    assert found.key == EASY


def test_a_table_that_is_gone_is_nobodys_weak_spot():
    tests = [taken(HARD, 0.1, 10), taken(EASY, 0.9, 10)]
    found = weak_spot(tests, [EASY], {HARD: 5.0})
    assert found
    assert found.key == EASY
    same_name = TableKey(EASY.name, 0.2)
    assert weak_spot(tests, [same_name], {}) is None, "other odds, another table"


def test_without_tests_it_is_where_mistakes_cost_most():
    found = weak_spot([], [EASY, HARD], {EASY: 0.2, HARD: 0.7})
    assert found
    assert (found.key, found.evidence, found.loss) == (HARD, Evidence.MISTAKES, 0.7)


def test_who_loses_nothing_has_none():
    assert weak_spot([], [EASY], {}) is None
    assert weak_spot([], [EASY], {EASY: 0.0}) is None
    assert weak_spot([taken(EASY, 1.0, 40)], [EASY], {EASY: 3.0}) is None


def test_a_test_in_which_all_was_lost_is_finite():
    loss = loss_per_move([taken(EASY, 0.0, 10)], EASY)
    assert loss is not None
    assert 0 < loss < 1
    assert math.isfinite(loss)
    assert loss_per_move([taken(EASY, 0.0, 0)], EASY) is None, "nothing was judged"
