"""Intervals against numbers from elsewhere, and what they are for."""

import math
import tracemalloc

import numpy as np
import pytest

from ai.match.report import Z_95, bootstrap_mean, wilson


@pytest.mark.parametrize(("hits", "n"), [(0, 10), (10, 10), (1, 2), (45, 100), (861, 1000)])
def test_wilson_bounds_are_where_the_observed_share_is_just_not_surprising(hits, n):
    """Wilson's definition: at a bound p, the observed share is 1.96 standard errors of p away."""
    for bound in wilson(hits, n):
        if 1e-9 < bound < 1 - 1e-9:
            error = math.sqrt(bound * (1 - bound) / n)
            assert abs(hits / n - bound) == pytest.approx(1.959964 * error, rel=1e-6)
    low, high = wilson(hits, n)
    assert 0 <= low <= hits / n <= high <= 1


def test_none_and_all_have_exact_bounds():
    """What rounding leaves of a bound would be shown as "-0 %" or as "100 %" that is not one."""
    assert [n for n in range(1, 500) if wilson(0, n)[0] != 0.0] == []
    assert [n for n in range(1, 500) if wilson(n, n)[1] != 1.0] == []
    assert wilson(0, 0) == (0.0, 1.0)


def test_bootstrap_intervals_cover_the_true_mean():
    """Of 200 samples of 40 numbers, some 95 % of the intervals hold the mean they came from."""
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(200):
        low, high = bootstrap_mean(rng.exponential(100.0, 40).tolist())
        hits += low <= 100 <= high
    assert 0.86 <= hits / 200 <= 0.99


def test_bootstrap_is_the_same_for_the_same_values_and_needs_some():
    values = [1.0, 5.0, 9.0]
    assert bootstrap_mean(values) == bootstrap_mean(values)
    many = np.random.default_rng(2).exponential(100.0, 50).tolist()
    assert bootstrap_mean(many) == bootstrap_mean(many[::-1]), "games end in any order"
    assert bootstrap_mean([7.0]) == (7.0, 7.0)
    with pytest.raises(ValueError, match="at least one"):
        bootstrap_mean([])


def test_the_bootstrap_of_many_values_needs_little_memory_and_is_the_usual_interval():
    values = np.random.default_rng(3).normal(100.0, 20.0, 10_000)
    tracemalloc.start()
    try:
        low, high = bootstrap_mean(values.tolist())
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak_bytes < 100 << 20, "all at once, it would be 640 MB"
    half = Z_95 * values.std() / 100
    assert low == pytest.approx(values.mean() - half, abs=0.05 * half)
    assert high == pytest.approx(values.mean() + half, abs=0.05 * half)
