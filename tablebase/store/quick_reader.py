"""Unpacks blocks and levels by machine code, for callers that need a block every millisecond.

The milliseconds of `tablebase.store.codecs.BlockReader` become a fifth; but the compiler must be
loaded first, which is not worth waiting for when looking up single boards.
"""

from typing import Any

import numpy as np

from engine.platform.array_types import F64, I64, U8, U32, U64
from engine.platform.jit import kernel, popcount
from tablebase.store.block_values import BlockValues, Repeats, outside
from tablebase.store.codebook import GAPS, WIDE, WIDE_UNIT, Codebook
from tablebase.store.codecs import BlockReader

IS_OUTSIDE, TOO_FAR = -1, -2

_ONE, _ZERO = np.uint64(1), np.uint64(0)


class _QuickValues(BlockValues):
    """Values of a block that are traced back by machine code."""

    def _origins(self, places: I64, repeats: Repeats) -> I64 | None:
        origins = np.empty(places.size, np.int64)
        steps = follow_back(*repeats, places, self._n, origins)
        if steps == IS_OUTSIDE:
            raise outside()
        return origins if steps >= 0 else None

    def _every_origin(self, repeats: Repeats) -> I64:
        origins = np.empty(self._n, np.int64)
        if not follow_all(repeats.flags, repeats.low, repeats.high, origins):
            raise outside()
        return origins


class QuickReader(BlockReader):
    """Unpacks the same data as `BlockReader`, and reports the same damage."""

    _values = _QuickValues

    def level_rates(self, levels: Codebook) -> F64:
        rates = np.ones(levels.codes.size + levels.has_one)
        fill_levels(levels.codes, GAPS, levels.wide, rates)
        return rates


@kernel
def follow_back(
    flags: U64, before: I64, low: U8, high: U8, places: I64, most_steps: int, origins: I64
) -> int:
    """Fill in the indices of the new values at some places; return the number of steps needed.

    IS_OUTSIDE if one leads out of the block, TOO_FAR if more than `most_steps` are needed. For
    flags, before, low and high see `Repeats`; `places` and `origins` are int64[m].
    """
    steps = 0
    for i in range(places.size):
        place = places[i]
        while True:
            word, bit = flags[place >> 6], np.uint64(place & 63)
            n_before = before[place >> 6] + np.int64(popcount(word & ((_ONE << bit) - _ONE)))
            if word >> bit & _ONE == _ZERO:
                break
            distance = np.int64(low[n_before]) | np.int64(high[n_before]) << 8
            if distance < 1 or distance > place:
                return IS_OUTSIDE
            place -= distance
            steps += 1
        if steps > most_steps:
            return TOO_FAR
        origins[i] = place - n_before
    return steps


@kernel
def follow_all(flags: U64, low: U8, high: U8, origins: I64) -> bool:
    """Fill `origins` (int64[n]) like `follow_back` for all values; return whether all are inside.

    Which values are repeated is practically random, so there is no branch on it.
    """
    last = low.size - 1
    n_repeated: Any = 0
    is_outside: Any = False
    for i in range(origins.size):
        hit = np.int64(flags[i >> 6] >> np.uint64(i & 63)) & 1
        at = min(n_repeated, last)
        distance = (np.int64(low[at]) | np.int64(high[at]) << 8) * hit
        is_outside |= (distance > i) | (distance < hit)
        back: Any = max(i - distance, 0)
        source = origins[back]
        origins[i] = source if hit else i - n_repeated
        n_repeated += hit
    return not is_outside


@kernel
def fill_levels(codes: U8, gaps: F64, wide: U32, levels: F64) -> None:
    """Fill in the levels from their gaps, summed as in `Codebook.rates`."""
    level, n_wide = 0.0, 0
    for i in range(codes.size):
        gap = gaps[codes[i]]
        if codes[i] == WIDE:
            gap = wide[n_wide] * WIDE_UNIT
            n_wide += 1
        level += gap
        levels[i] = level
