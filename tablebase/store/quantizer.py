"""Choosing the levels of a layer for the compact rate type, and the level of each rate.

Rates that differ by at most `_NOISE`, the float64 error of equal ones, share a level. If the others
are few enough, each has its own level: then every order is preserved. Otherwise levels are spread
so that each gets about the same number of boards, with `_WIDTH_SHARE` of them spread evenly over
[0, 1], which bounds the distance of a rate from its level. Competing moves of a position are close
together where rates are close together, hence the first rule; 1 has a level of its own and so stays
apart from everything below.
"""

import numpy as np

from engine.platform.array_types import F64, I64, U8, U16, U32
from engine.platform.jit import kernel
from engine.platform.language import tr
from tablebase.memory.arrays import NewArray
from tablebase.store.codebook import GAPS, MAX_LEVELS, WIDE, WIDE_UNIT, Codebook

_NOISE = 1e-14
_WIDTH_SHARE = 0.03
_MAX_BELOW_ONE = MAX_LEVELS - 1


def encode(rates: F64, new_array: NewArray = np.empty) -> tuple[U16, Codebook]:
    """Return the level of each rate (float64[n]) of a layer, and the levels.

    `new_array` makes large arrays, such as ``Arrays.empty``. Raises ValueError if a rate lies
    outside (0, 1].
    """
    ordered = new_array(rates.size, np.float64)
    ordered[:] = rates
    ordered.sort()
    if ordered.size and (ordered[0] <= 0.0 or ordered[-1] > 1.0):
        raise ValueError(
            tr("rates from {first} to {last}: expected (0, 1]", first=ordered[0], last=ordered[-1])
        )
    below = ordered[: np.searchsorted(ordered, 1.0)]
    firsts = _firsts_of_levels(below)
    lowest, highest = below[firsts], below[np.append(firsts, below.size)[1:] - 1]
    levels = _lay_out(lowest, highest, has_one=below.size < ordered.size)
    codes = new_array(rates.size, np.uint16)
    lowest = np.append(lowest, 1.0) if levels.has_one else lowest
    n_buckets = 1 << max(lowest.size, 1).bit_length()
    starts = np.searchsorted(lowest, np.arange(n_buckets + 2) / n_buckets, "right")
    assign_levels(rates, lowest, starts, codes)
    return codes, levels


def _firsts_of_levels(below: F64) -> I64:
    """Return the index of the first rate of each level among the ascending rates below 1."""
    room = np.empty(_MAX_BELOW_ONE, np.int64)
    n = mark_levels(below, _NOISE, 0.0, 0.0, 0.0, room)
    if n <= _MAX_BELOW_ONE:
        return room[:n]
    by_place = (1.0 - _WIDTH_SHARE) / below.size
    firsts, scale = room[:0], float(_MAX_BELOW_ONE)
    for _ in range(4):  # attempts
        starts = np.empty(_MAX_BELOW_ONE, np.int64)
        n = mark_levels(below, _NOISE, by_place, _WIDTH_SHARE, scale, starts)
        if not firsts.size < n <= _MAX_BELOW_ONE:
            break
        firsts = starts[:n]
        # A rate that many boards share takes many numbers and needs one: distribute the others.
        scale *= _MAX_BELOW_ONE / n
    return firsts


@kernel
def mark_levels(
    below: F64, noise: float, by_place: float, by_rate: float, scale: float, firsts: I64
) -> np.int64:
    """Find where levels begin; return their number, which may exceed the room for them.

    Of the ascending rates `below` (float64[n]) the first, and each more than `noise` above the one
    before, may begin a level. With `scale` 0 all of these do; otherwise only those with a larger
    number than the last candidate: ``(index * by_place + rate * by_rate) * scale``, truncated.
    `firsts` (int64[m]) receives the index of each level's first rate, as far as there is room.
    """
    n, last = np.int64(0), np.int64(-1)
    for i in range(below.size):
        if i > 0 and not below[i] - below[i - 1] > noise:
            continue
        number = np.int64((np.float64(i) * by_place + below[i] * by_rate) * scale)
        if i == 0 or scale == 0.0 or number > last:
            if n < firsts.size:
                firsts[n] = i
            n += 1
        last = number
    return n


def _lay_out(lowest: F64, highest: F64, has_one: bool) -> Codebook:
    codes = np.empty(lowest.size, np.uint8)
    wide = np.empty(lowest.size, np.uint32)
    rates = np.empty(lowest.size)
    n_wide = lay_out_gaps((lowest + highest) / 2, GAPS, codes, wide, rates)
    error = np.maximum(np.abs(rates - lowest), np.abs(highest - rates)).max(initial=0.0)
    return Codebook(codes, wide[:n_wide], has_one, float(error))


@kernel
def lay_out_gaps(wanted: F64, gaps: F64, codes: U8, wide: U32, rates: F64) -> np.int64:
    """Choose the gaps between the levels `wanted`, ascending in (0, 1); return how many are wide.

    `codes` (uint8[k]) and `wide` (uint32[k]) receive the codes of the gaps and the wide ones,
    `rates` (float64[k]) the levels as they will be read; for `gaps` see tablebase.store.codebook.
    """
    at = 0.0
    n_wide = 0
    widest = gaps[gaps.size - 1] * 1.15
    for i in range(wanted.size):
        gap = wanted[i] - at
        if gap > widest:
            units = np.uint32(gap / WIDE_UNIT)
            codes[i] = WIDE
            wide[n_wide] = units
            n_wide += 1
            at += units * WIDE_UNIT
        else:
            lo, hi = 1, gaps.size  # the last gap not above it, but at least the smallest
            while hi - lo > 1:
                middle = (lo + hi) >> 1
                if gaps[middle] <= gap:
                    lo = middle
                else:
                    hi = middle
            codes[i] = lo
            at += gaps[lo]
        rates[i] = at
    return np.int64(n_wide)


@kernel
def assign_levels(rates: F64, lowest: F64, starts: I64, codes: U16) -> None:
    """Fill `codes` (uint16[n]) with the number of each rate's level (float64[n]).

    `lowest` (float64[k]) is the lowest rate of each level, ascending; `starts` (int64[m + 2]) the
    number of levels that begin at or below b / m, for each b up to m + 1; m a power of 2, so that a
    product with it is exact.
    """
    n_buckets = starts.size - 2
    for i in range(rates.size):
        bucket = np.int64(rates[i] * n_buckets)
        lo, hi = starts[bucket] - 1, starts[bucket + 1]
        if lo < 0:
            lo = np.int64(0)
        while hi - lo > 1:
            middle = (lo + hi) >> 1
            if lowest[middle] <= rates[i]:
                lo = middle
            else:
                hi = middle
        codes[i] = lo
