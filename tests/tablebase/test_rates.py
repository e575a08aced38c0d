"""Rate types keep what they promise: how close, in which order, and 0 and 1 apart from the rest."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablebase.errors import DamagedTableError
from tablebase.store.codebook import GAPS, MAX_LEVELS, WIDE_UNIT, unpack_levels
from tablebase.store.quantizer import assign_levels, lay_out_gaps, mark_levels
from tablebase.store.rates import RATE_TYPES, find_rate_type

NOISE = 1e-14  # rates that differ by less may share a level

rates_of_a_layer = st.lists(
    st.one_of(
        st.floats(1e-12, 1.0),
        st.floats(1e-12, 1e-3),
        st.floats(0.999999, 1.0),
        st.sampled_from([1.0, 0.5, 1 - 2**-53, 0.9, np.nextafter(0.9, 1), 1e-12]),
    ),
    max_size=200,
).map(lambda rates: np.array(rates, np.float64))


def decoded(name: str, rates: np.ndarray) -> np.ndarray:
    """Return the rates as a file of this type would give them back."""
    rate = find_rate_type(name)
    values, levels = rate.encode(rates)
    assert values.dtype == rate.dtype
    assert (levels is not None) == rate.has_levels
    if levels is not None:
        packed = levels.pack()
        read = unpack_levels(packed, levels.max_error)
        assert read.pack() == packed
        values = read.rates()[values]
    many = rate.decode_many(values)
    assert many.dtype == np.float64
    assert many.tolist() == [rate.decode(value) for value in values]
    return many


@pytest.mark.parametrize("name", RATE_TYPES)
@given(rates=rates_of_a_layer)
@settings(max_examples=60, deadline=None)
def test_a_rate_comes_back_within_the_largest_error(name, rates):
    rate = find_rate_type(name)
    _, levels = rate.encode(rates)
    error = levels.max_error if levels else rate.max_error
    assert np.abs(decoded(name, rates) - rates).max(initial=0.0) <= error


@pytest.mark.parametrize(("name", "most"), [("uint32", 1.01), ("float32", 10.0)])
def test_the_largest_error_is_not_promised_larger_than_it_is(name, most):
    """`verify` takes for right whatever lies within it."""
    rates = np.random.default_rng(11).uniform(0.5, 1.0, 20_000)
    found = np.abs(decoded(name, rates) - rates).max()
    assert found <= find_rate_type(name).max_error < most * found


@given(rates=rates_of_a_layer)
@settings(max_examples=100, deadline=None)
def test_few_different_rates_keep_their_order_exactly(rates):
    found = decoded("uint16", rates)
    order = np.argsort(rates)
    apart = np.diff(rates[order]) > NOISE
    assert np.all(np.diff(found[order]) >= 0)
    assert np.all(np.diff(found[order])[apart] > 0)


@given(rates=rates_of_a_layer)
@settings(max_examples=100, deadline=None)
def test_certain_and_possible_stay_apart_from_the_rest(rates):
    found = decoded("uint16", rates)
    assert np.array_equal(found == 1.0, rates == 1.0)
    assert np.all(found > 0.0)


@pytest.fixture(scope="module")
def many_rates() -> np.ndarray:
    rng = np.random.default_rng(5)
    rates = np.concatenate(
        [rng.random(150_000), rng.beta(0.1, 5, 50_000), 1 - rng.beta(0.1, 5, 50_000), np.ones(1000)]
    )
    return np.clip(rates, 1e-12, 1.0)


def test_many_different_rates_never_change_their_order(many_rates):
    values, levels = find_rate_type("uint16").encode(many_rates)
    assert levels is not None
    rates = levels.rates()
    assert rates.size <= MAX_LEVELS
    assert rates.size > MAX_LEVELS // 2
    assert np.all(np.diff(rates) > 0)
    order = np.argsort(many_rates)
    assert np.all(np.diff(values[order].astype(int)) >= 0)
    assert np.array_equal(rates[values] == 1.0, many_rates == 1.0)


def test_many_different_rates_are_close_to_their_levels(many_rates):
    values, levels = find_rate_type("uint16").encode(many_rates)
    assert levels is not None
    error = np.abs(levels.rates()[values] - many_rates)
    assert error.max() <= levels.max_error < 4e-4
    assert error.mean() < 1e-5
    assert len(levels.pack()) < MAX_LEVELS  # less than a byte each


def test_uint64_gives_back_what_the_solver_found():
    rates = np.random.default_rng(6).random(10_000)
    assert np.abs(decoded("uint64", rates) - rates).max() <= 2.0**-64
    high = rates[rates > 2**-10]
    assert np.array_equal(decoded("uint64", high), high)


@pytest.mark.parametrize("rate", [0.0, -0.5, 1.0000001])
def test_a_rate_that_is_none_is_refused(rate):
    with pytest.raises(ValueError, match="expected"):
        find_rate_type("uint16").encode(np.array([0.5, rate]))


def test_levels_are_found_as_by_looking_at_all_of_them():
    rng = np.random.default_rng(7)
    lowest = np.sort(rng.beta(0.2, 0.2, 500))
    rates = np.concatenate([rng.choice(lowest, 500), rng.uniform(lowest[0], 1.0, 500), [1.0]])
    slow = [max(k for k in range(lowest.size) if lowest[k] <= rate) for rate in rates]
    for n_buckets in (1, 64, 1024):
        starts = np.searchsorted(lowest, np.arange(n_buckets + 2) / n_buckets, "right")
        codes = np.empty(rates.size, np.uint16)
        assign_levels(rates, lowest, starts, codes)
        assert codes.tolist() == slow


def slow_firsts(below: np.ndarray, by_place: float, by_rate: float, scale: float) -> list[int]:
    """Return the starts of levels, by listing all candidates with their level numbers."""
    may = [i for i in range(below.size) if i == 0 or below[i] - below[i - 1] > NOISE]
    if scale == 0.0:
        return may
    numbers = [int((i * by_place + float(below[i]) * by_rate) * scale) for i in may]
    return [i for k, i in enumerate(may) if k == 0 or numbers[k] > numbers[k - 1]]


@pytest.mark.parametrize("scale", [0.0, 1.0, 40.0, 1000.0, 1e6])
def test_levels_begin_where_a_list_of_all_numbers_says(scale):
    rng = np.random.default_rng(9)
    spread = rng.beta(0.2, 0.2, 1000)
    below = np.sort(np.concatenate([spread, spread[::3], spread[::5] + NOISE / 3]))
    wanted = slow_firsts(below, 0.97 / below.size, 0.03, scale)
    for room in (0, len(wanted) // 2, len(wanted), 2000):
        firsts = np.full(room, -1, np.int64)
        n = mark_levels(below, NOISE, 0.97 / below.size, 0.03, scale, firsts)
        assert n == len(wanted), "even where there is no room for them"
        assert firsts[:n].tolist() == wanted[:room]
        assert (firsts[n:] == -1).all()
    assert mark_levels(below[:0], NOISE, 0.0, 0.0, scale, firsts) == 0


def test_gaps_are_laid_out_as_by_trying_all_of_them():
    wanted = np.sort(np.random.default_rng(8).beta(0.2, 0.2, 300))
    codes, wide = np.empty(300, np.uint8), np.empty(300, np.uint32)
    rates = np.empty(300)
    n_wide = lay_out_gaps(wanted, GAPS, codes, wide, rates)
    at, wides = 0.0, []
    for level, code, rate in zip(wanted.tolist(), codes.tolist(), rates.tolist(), strict=True):
        if code:
            fitting = [k for k in range(1, GAPS.size) if GAPS[k] <= level - at]
            assert code == max(fitting, default=1)
            at += GAPS[code]
        else:
            wides.append(int((level - at) // WIDE_UNIT))
            at += wides[-1] * WIDE_UNIT
        assert rate == at
    assert wide[:n_wide].tolist() == wides
    assert 0 < n_wide < 300


def test_a_damaged_list_of_levels_is_told():
    _, levels = find_rate_type("uint16").encode(np.linspace(1e-9, 1.0, 300))
    assert levels is not None
    packed = levels.pack()
    for cut in (0, 5, 12, len(packed) - 1):
        with pytest.raises(DamagedTableError):
            unpack_levels(packed[:cut], 0.0)
    for n in (levels.codes.size - 1, levels.codes.size + 1):
        with pytest.raises(DamagedTableError, match=f"does not hold {n} of them"):
            unpack_levels(n.to_bytes(4, "little") + packed[4:], 0.0)
    for at in range(len(packed)):
        damaged = bytearray(packed)
        damaged[at] ^= 0x55
        try:
            unpack_levels(bytes(damaged), 0.0)
        except DamagedTableError:
            continue
