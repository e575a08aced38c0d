"""Grades at their thresholds, ties, disasters, and what a game adds up to."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.grading.grade import GRADES, UINT32, Grade, Score, Tolerance, judge

EXACT = Tolerance(0.0)


def judged(*rates: float | None, direction: int = 0, tolerance: Tolerance = EXACT):
    found = judge(rates, direction, tolerance)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("ratio", "grade"),
    [
        (0.9999, Grade.EXCELLENT),
        (0.999, Grade.EXCELLENT),
        (0.9989, Grade.GOOD),
        (0.99, Grade.GOOD),
        (0.9899, Grade.INACCURATE),
        (0.975, Grade.INACCURATE),
        (0.9749, Grade.MISTAKE),
        (0.9, Grade.MISTAKE),
        (0.8999, Grade.BLUNDER),
        (0.75, Grade.BLUNDER),
        (0.7499, Grade.DISASTER),
        (0.0, Grade.DISASTER),
    ],
)
def test_a_ratio_has_its_grade(ratio: float, grade: Grade) -> None:
    found = judged(ratio, 1.0, None, None)
    assert (found.grade, found.ratio) == (grade, ratio)
    assert found.loss == 1 - ratio
    assert not found.is_perfect


def test_every_move_as_good_as_the_best_is_perfect() -> None:
    for direction in (0, 2):
        found = judged(0.5, 0.4, 0.5, None, direction=direction)
        assert found.is_perfect
        assert found.ratio == 1.0
        assert found.best == (0, 2)


def test_rounding_apart_is_no_loss() -> None:
    unit = 1 / 4e9
    assert judged(0.5 - unit, 0.5, None, None, tolerance=UINT32).is_perfect
    assert not judged(0.5 - 2 * unit, 0.5, None, None, tolerance=UINT32).is_perfect
    low = 100 * unit  # a step is a percent of such a rate, and yet only a step
    assert judged(99 * unit, low, None, None, tolerance=UINT32).is_perfect
    assert not judged(98 * unit, low, None, None, tolerance=UINT32).is_perfect


def test_exact_types_tell_smaller_differences() -> None:
    exact = Tolerance.of_type("float64")
    assert judged(0.5 - 1e-15, 0.5, None, None, tolerance=exact).is_perfect
    assert not judged(0.5 - 1e-12, 0.5, None, None, tolerance=exact).is_perfect
    assert Tolerance.of_type("uint32") == UINT32
    assert Tolerance.of_type("uint64").absolute < 1e-18


def test_a_tiny_step_does_not_make_nothing_perfect() -> None:
    """A rate of 0 is a disaster, even beside a best rate of one step."""
    found = judged(0.0, 1 / 4e9, None, None, tolerance=UINT32)
    assert found.grade is Grade.DISASTER
    assert found.ratio == 0.0


@pytest.mark.parametrize(
    ("rates", "direction"),
    [((None, 0.5, None, None), 0), ((0.0, 0.0, None, None), 0), ((None,) * 4, 2)],
)
def test_what_cannot_be_judged_is_not(rates: tuple[float | None, ...], direction: int) -> None:
    assert judge(rates, direction, EXACT) is None


def test_the_only_move_is_forced() -> None:
    assert judged(None, 0.2, None, None, direction=1).is_forced
    assert not judged(0.0, 0.2, None, None, direction=1).is_forced


def test_a_disaster_ends_the_match_rate() -> None:
    score = Score().add(judged(0.0, 0.9, None, None))
    assert score.match_rate == 0.0
    assert score.add(judged(0.9, 0.1, None, None)).match_rate == 0.0
    assert score.largest_loss == 1.0


def test_forced_moves_may_be_left_out() -> None:
    forced = judged(0.5, None, None, None)
    assert Score().add(forced).count(Grade.PERFECT) == 1
    without = Score(combo=3, leaves_out_forced=True).add(forced)
    assert (without.n_moves, without.combo, without.n_forced) == (0, 3, 1)


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(1, 1000)), max_size=40))
def test_a_score_adds_up(moves: list[tuple[int, int]]) -> None:
    """Against sums, products and runs over the whole list, in exact fractions."""
    judgements = [judged(a / 1000, b / 1000, None, None) for a, b in moves]
    score = Score()
    for judgement in judgements:
        score = score.add(judgement)
    perfect = [a >= b for a, b in moves]
    runs = "".join("p" if one else " " for one in perfect).split(" ")
    product = math.prod((min(Fraction(1), Fraction(a, b)) for a, b in moves), start=Fraction(1))
    assert score.match_rate == pytest.approx(float(product), rel=1e-9, abs=1e-300)
    assert score.n_moves == len(moves)
    assert score.count(Grade.PERFECT) == sum(perfect)
    assert score.longest_combo == max(map(len, runs))
    assert score.combo == len(runs[-1])
    for grade, n in zip(GRADES, score.counts, strict=True):
        assert n == sum(one.grade is grade for one in judgements)


def test_nothing_to_add_changes_nothing() -> None:
    assert Score().add(None) == Score()


def test_rates_less_one_of_other_programs_have_a_tolerance_too() -> None:
    assert Tolerance.of_type("1-float32") == Tolerance.of_type("float32")
    assert Tolerance.of_type("1-float64").same(0.5, 0.5 + 4e-15)
