"""Choosing the levels of a layer for the compact rate type, and the level of each rate.

Rates that differ by no more than `_NOISE`, which is what float64 leaves of equal ones, share a
level. When the others are few enough, each has its own: then every order is kept. Otherwise levels
are spread so that each gets about the same number of boards, with `_WIDTH_SHARE` of them spread
evenly over [0, 1], which bounds how far a rate can be from its level. Rivals of a position lie
close together where rates lie close together, hence the first; 1 is a level of its own and so
stays apart from everything below.
"""

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from tablebase.store.level_list import GAPS, MOST_LEVELS, WIDE, WIDE_UNIT, LevelList

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]

_NOISE = 1e-14
_WIDTH_SHARE = 0.03
_MOST_BELOW_ONE = MOST_LEVELS - 1
_ATTEMPTS = 4


def encode(rates: F64) -> tuple[npt.NDArray[np.uint16], LevelList]:
    """Return the level of each rate of a layer, and the levels.

    Parameters
    ----------
    rates : float64[n], each in (0, 1]

    Raises
    ------
    ValueError
        A rate lies outside (0, 1].
    """
    ordered = np.sort(rates)
    if ordered.size and (ordered[0] <= 0.0 or ordered[-1] > 1.0):
        raise ValueError(f"rates from {ordered[0]} to {ordered[-1]}: expected (0, 1]")
    below = ordered[: np.searchsorted(ordered, 1.0)]
    firsts = _firsts_of_levels(below)
    lowest, highest = below[firsts], below[np.append(firsts, below.size)[1:] - 1]
    levels = _lay_out(lowest, highest, has_one=below.size < ordered.size)
    codes = np.empty(rates.size, np.uint16)
    lowest = np.append(lowest, 1.0) if levels.has_one else lowest
    n_buckets = 1 << max(lowest.size, 1).bit_length()
    starts = np.searchsorted(lowest, np.arange(n_buckets + 2) / n_buckets, "right")
    assign_levels(rates, lowest, starts, codes)
    return codes, levels


def _firsts_of_levels(below: F64) -> I64:
    """Return the index of the first rate of each level among the ascending rates below 1."""
    is_new = np.ones(below.size, np.bool_)
    np.greater(np.diff(below), _NOISE, out=is_new[1:])
    firsts = np.flatnonzero(is_new)
    if firsts.size <= _MOST_BELOW_ONE:
        return firsts
    place = firsts * ((1.0 - _WIDTH_SHARE) / below.size) + below[firsts] * _WIDTH_SHARE
    found, scale = firsts[:0], float(_MOST_BELOW_ONE)
    for _ in range(_ATTEMPTS):
        number = (place * scale).astype(np.int64)
        starts = firsts[np.append(True, np.diff(number) > 0)]
        if not found.size < starts.size <= _MOST_BELOW_ONE:
            break
        found = starts
        # A rate that many boards share takes many numbers and needs one: hand out the others.
        scale *= _MOST_BELOW_ONE / starts.size
    return found


def _lay_out(lowest: F64, highest: F64, has_one: bool) -> LevelList:
    """Return the list of levels that lie in the middle between the bounds."""
    codes = np.empty(lowest.size, np.uint8)
    wide = np.empty(lowest.size, np.uint32)
    rates = np.empty(lowest.size)
    n_wide = lay_out_gaps((lowest + highest) / 2, GAPS, codes, wide, rates)
    error = np.maximum(np.abs(rates - lowest), np.abs(highest - rates)).max(initial=0.0)
    return LevelList(codes, wide[:n_wide], has_one, float(error))


@kernel
def lay_out_gaps(
    wanted: F64,
    gaps: F64,
    codes: npt.NDArray[np.uint8],
    wide: npt.NDArray[np.uint32],
    rates: F64,
) -> np.int64:
    """Choose the gaps between ascending levels; return how many are wide.

    Parameters
    ----------
    wanted : float64[k]
        The levels, ascending, in (0, 1).
    gaps : float64[...]
        See tablebase.store.level_list.
    codes, wide : uint8[k], uint32[k]
        Get the codes of the gaps, and the wide ones.
    rates : float64[k]
        Gets the levels as they will be read.
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
            lo, hi = 1, gaps.size  # the last gap not above, but at least the smallest
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
def assign_levels(rates: F64, lowest: F64, starts: I64, codes: npt.NDArray[np.uint16]) -> None:
    """Fill `codes` with the number of each rate's level.

    Parameters
    ----------
    rates : float64[n]
    lowest : float64[k]
        The lowest rate of each level, ascending.
    starts : int64[m + 2]
        How many levels begin at or below b / m, for each b up to m + 1; m a power of two, so that
        a product with it is exact.
    codes : uint16[n]
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
