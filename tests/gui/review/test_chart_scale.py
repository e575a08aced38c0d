"""Ranges, ticks and thinning of charts, against slow twins and by hand."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.charts.chart_scale import ValueScale, place_ticks, scale_of, spread, thin_out, thinned

finite = st.floats(-1e6, 1e6, allow_nan=False)
with_gaps = st.lists(st.one_of(finite, st.just(math.nan)), max_size=300)


def array(*values: float) -> np.ndarray:
    return np.array(values, np.float64)


def test_a_linear_scale_ends_at_round_values():
    scale = scale_of([array(0.913, 1.0), array(0.95)], is_log=False)
    assert (scale.low, scale.high) == pytest.approx((0.9, 1.0))
    assert scale.share(0.95) == pytest.approx(0.5)
    assert scale.ticks() == pytest.approx([0.9, 0.95, 1.0])


def test_a_log_scale_covers_whole_decades_and_keeps_small_values_in_sight():
    scale = scale_of([array(0.0, 0.002, 0.05)], is_log=True)
    assert (scale.low, scale.high) == pytest.approx((0.001, 0.1))
    assert scale.share(0.01) == pytest.approx(0.5)
    assert scale.share(0.0) == 0.0
    assert 0 < scale.share(1e-9) < 0.05
    assert scale.ticks() == pytest.approx([0.001, 0.01, 0.1])


def test_a_log_scale_never_covers_more_than_six_decades():
    scale = scale_of([array(1e-12, 1.0)], is_log=True)
    assert (scale.low, scale.high) == pytest.approx((1e-6, 1.0))


@pytest.mark.parametrize("values", [[], [math.nan], [1.0], [0.0, 0.0], [-3.0, -3.0]])
@pytest.mark.parametrize("is_log", [False, True])
def test_a_scale_has_a_height_whatever_the_values(values, is_log):
    scale = scale_of([array(*values)], is_log)
    assert scale.low < scale.high
    assert all(0 <= scale.share(v) <= 1 for v in values if v == v)


def test_nothing_lies_above_a_match_rate_of_one():
    assert scale_of([array(1.0, 1.0)], is_log=False).high == 1.0


@given(st.lists(finite, min_size=1))
def test_all_values_lie_inside_a_linear_scale(values):
    scale = scale_of([array(*values)], is_log=False)
    room = (scale.high - scale.low) * 1e-6
    assert scale.low - room <= min(values)
    assert max(values) <= scale.high + room
    assert 1 <= len(scale.ticks()) <= 8


@given(with_gaps, st.integers(1, 40))
def test_thinning_keeps_the_extremes_of_every_column(values, n_columns):
    places, kept = thinned(array(*values), n_columns)
    n = len(values)
    if n <= 2 * n_columns:
        np.testing.assert_array_equal(kept, array(*values))
        return
    assert len(kept) == 2 * n_columns
    assert list(places) == sorted(places)
    for column in range(n_columns):
        part = values[column * n // n_columns : (column + 1) * n // n_columns]
        known = [value for value in part if value == value]
        pair = sorted(float(v) for v in kept[2 * column : 2 * column + 2])
        if known:
            assert pair == [min(known), max(known)]
        else:
            assert all(math.isnan(value) for value in pair)


def test_a_falling_column_falls_in_the_thinned_line_too():
    _, kept = thinned(array(5, 4, 3, 2, 1, 0, 7, 8, 9, 10), 2)
    assert list(kept) == [5, 1, 0, 10]


marks = st.lists(st.tuples(st.floats(0, 500), st.integers(0, 6)), max_size=60)


@given(marks, st.floats(1, 50))
def test_of_marks_too_near_to_each_other_the_weightier_stay(marks, gap):
    places, weights = [p for p, _ in marks], [w for _, w in marks]
    kept = thin_out(places, weights, gap)
    drawn = [places[i] for i in kept]
    assert drawn == sorted(drawn)
    assert all(b - a >= gap for a, b in pairwise(drawn))
    for i in set(range(len(marks))) - set(kept):
        near = [k for k in kept if abs(places[i] - places[k]) < gap + 1]
        assert any(weights[k] >= weights[i] for k in near)


def test_labels_are_pushed_apart_and_stay_inside():
    assert spread([50, 50], 10, 0, 100) == pytest.approx([50, 60])
    assert spread([98, 99], 10, 0, 100) == pytest.approx([85, 95])
    assert spread([30, 10], 10, 0, 100) == pytest.approx([30, 10])
    assert spread([], 10, 0, 100) == []


@given(st.lists(st.floats(0, 100), max_size=12))
def test_labels_never_overlap_where_there_is_room(wanted):
    found = sorted(spread(wanted, 8, 0, 100))
    assert all(b - a >= 8 - 1e-9 for a, b in pairwise(found))
    assert all(4 - 1e-9 <= at <= 96 + 1e-9 for at in found)


def test_a_value_beyond_the_scale_stays_on_it():
    assert ValueScale(0, 1).share(7) == 1.0
    assert ValueScale(0, 1).share(-7) == 0.0


def is_round(number: float) -> bool:
    """Return whether a number is 1, 2 or 5 times a power of ten."""
    digits = f"{number:.6e}".split("e")[0].rstrip("0").rstrip(".")
    return digits in ("1", "2", "5")


@given(st.integers(0, 1), st.integers(0, 300_000), st.integers(0, 40))
def test_numbers_below_a_chart_are_round(first, more, most):
    ticks = place_ticks(first, first + more, most)
    assert ticks
    assert ticks[0] >= first
    assert ticks[-1] <= first + more
    assert len(ticks) <= max(2, most) + 2
    steps = {then - now for now, then in pairwise(ticks)}
    assert len(steps) <= 1
    assert all(is_round(step) and ticks[0] % step == 0 for step in steps)


def test_the_number_of_the_last_move_is_no_tick():
    assert place_ticks(1, 2829, 6) == [500, 1000, 1500, 2000, 2500]
