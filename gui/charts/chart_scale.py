"""The numbers behind a chart: ranges, ticks, and points thinned to the pixels. No Qt."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int_]

_MAX_DECADES = 6
_LOG_10, _MAX_LOG = math.log(10), 700.0
_MIN_SHARE = 0.02  # of the height, for a value above 0 that is too small for the scale


@dataclass(frozen=True)
class ValueScale:
    """The scale that maps values to heights."""

    # The values at the bottom and at the top; ``low < high``, both above 0 on a log scale.
    low: float
    high: float
    is_log: bool = False

    def share(self, value: float) -> float:
        """Return the height of a value as a share of the chart's, in [0, 1]."""
        if not self.is_log:
            return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))
        if value <= 0:
            return 0.0
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return min(1.0, max(_MIN_SHARE, share))

    def ticks(self) -> list[float]:
        if self.is_log:
            decades = round(math.log10(self.high / self.low))
            every = max(1, math.ceil(decades / 3))
            return [self.high / 10.0**i for i in range(0, decades + 1, every)][::-1]
        step = _round_step((self.high - self.low) / 3)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [i * step for i in range(first, last + 1)]


def place_ticks(first: int, last: int, most: int) -> list[int]:
    """Return round numbers from `first` to `last`: multiples of 1, 2 or 5 times a power of ten.

    There are about `most` of them, which is at least 2.

    >>> place_ticks(1, 2829, 6), place_ticks(0, 41, 2), place_ticks(1, 1, 6)
    ([500, 1000, 1500, 2000, 2500], [0, 20, 40], [1])
    """
    step = max(1, round(_round_step(max(1, last - first) / max(2, most))))
    while step > max(1, last):  # too small a range for such a large round number
        step = max(1, round(_round_step(step / 2.6)))
    return list(range(-(-first // step) * step, last + 1, step))


def scale_of(values: Sequence[Floats], is_log: bool) -> ValueScale:
    """Return a scale that covers all these values; NaN are gaps.

    A log scale covers whole decades, six at most; what is below them stays at the bottom.
    """
    joined = np.concatenate([np.zeros(0), *values])
    finite = joined[np.isfinite(joined)]
    if is_log:
        finite = finite[finite > 0]
        if not len(finite):
            return ValueScale(1e-3, 1.0, is_log=True)
        most = math.ceil(math.log10(float(finite.max())) - 1e-9)
        least = math.floor(math.log10(float(finite.min())) + 1e-9)
        least = max(min(least, most - 1), most - _MAX_DECADES)
        return ValueScale(10.0**least, 10.0**most, is_log=True)
    if not len(finite):
        return ValueScale(0.0, 1.0)
    low, high = float(finite.min()), float(finite.max())
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        room = abs(high) * 0.1 or 1.0
        return ValueScale(low - room, high if high == 1.0 else high + room)  # 1: the most there is
    step = _round_step((high - low) / 3)
    return ValueScale(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step)


def thinned(values: Floats, n_columns: int) -> tuple[Floats, Floats]:
    """Return where the points of a line lie, and their values: at most two in a column of pixels.

    NaN are gaps. The minimum and maximum of every column are kept, so that no peak is lost.
    """
    n = len(values)
    if n <= 2 * n_columns:
        return np.arange(n, dtype=np.float64), values
    starts = np.arange(n_columns) * n // n_columns
    ends = np.append(starts[1:], n)
    lows, highs = np.fmin.reduceat(values, starts), np.fmax.reduceat(values, starts)
    falls = values[ends - 1] < values[starts]
    pairs = np.stack([np.where(falls, highs, lows), np.where(falls, lows, highs)], axis=1)
    return np.repeat((starts + ends - 1) / 2, 2), pairs.reshape(-1)


def thin_out(
    places: Sequence[float] | Floats, weights: Sequence[int] | Ints, gap: float
) -> list[int]:
    """Return the marks to draw, ascending: none closer than `gap` pixels to one of more weight.

    In each pixel column, only the mark of most weight is considered, as there may be thousands.
    """
    where, heavy = np.asarray(places, np.float64), np.asarray(weights, int)
    columns = where.astype(int)
    order = np.lexsort((-heavy, columns))
    _, firsts = np.unique(columns[order], return_index=True)
    heaviest = order[firsts]
    heaviest = heaviest[np.lexsort((where[heaviest], -heavy[heaviest]))]
    thinned_out: list[tuple[float, int]] = []
    for i, place in zip(heaviest.tolist(), where[heaviest].tolist(), strict=True):
        at = bisect_left(thinned_out, (place, -1))
        is_free = at == 0 or place - thinned_out[at - 1][0] >= gap
        if is_free and (at == len(thinned_out) or thinned_out[at][0] - place >= gap):
            thinned_out.insert(at, (place, i))
    return [i for _, i in thinned_out]


def spread(wanted: Sequence[float], size: float, low: float, high: float) -> list[float]:
    """Return the centers of labels that should be at `wanted` but must not overlap.

    They stay between `low` and `high`, pixels like their height `size`; too many overlap evenly.
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    size = min(size, (high - low) / max(1, len(order)))
    middles = [0.0] * len(wanted)
    at = low - size / 2
    for i in order:
        at = middles[i] = max(wanted[i], at + size)
    at = high + size / 2
    for i in reversed(order):
        at = middles[i] = min(middles[i], at - size)
    return middles


def _round_step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next((m * power for m in (1.0, 2.0, 5.0) if m * power >= least * (1 - 1e-9)), 10 * power)
