"""Unpacks blocks and levels by machine code: for who asks for a block every millisecond.

What `tablebase.store.codecs.BlockReader` does in milliseconds takes a fifth of one; but the
compiler is loaded first, which who looks up single boards does not want to wait for.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from tablebase.store.codebook import GAPS, WIDE, WIDE_UNIT, Codebook
from tablebase.store.codecs import U8, BlockReader

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]


class QuickReader(BlockReader):
    """Unpacks what `BlockReader` does, and tells the same damage."""

    def level_rates(self, levels: Codebook) -> F64:
        """Return the levels: float64[k], ascending."""
        rates = np.ones(levels.codes.size + levels.has_one)
        fill_levels(levels.codes, GAPS, levels.wide, rates)
        return rates

    def _sources(self, n: int, flags: U8, low: U8, high: U8) -> I64:
        sources = np.empty(n, np.int64)
        n_repeated, is_inside = follow_repeats(flags, low, high, sources)
        return self._checked(sources, n_repeated, low.size, is_inside)


@kernel
def follow_repeats(flags: U8, low: U8, high: U8, sources: I64) -> Any:
    """Fill in which of the new values each value is.

    Parameters
    ----------
    flags : uint8[(n + 7) // 8]
        A bit per value, the lowest first, that tells the repeated ones.
    low, high : uint8[r]
        How far back the last occurrence of each repeated value lies; r > 0.
    sources : int64[n]

    Returns
    -------
    int
        How many values are repeated.
    bool
        Whether all point inside the block.

    Notes
    -----
    Which values are repeated is as good as random, so there is no branch on it.
    """
    last = low.size - 1
    n_repeated: Any = 0
    is_outside: Any = False
    for i in range(sources.size):
        hit = np.int64(flags[i >> 3] >> np.uint8(i & 7)) & 1
        at = min(n_repeated, last)
        distance = (np.int64(low[at]) | np.int64(high[at]) << 8) * hit
        is_outside |= (distance > i) | (distance < hit)
        back: Any = max(i - distance, 0)
        source = sources[back]
        sources[i] = source if hit else i - n_repeated
        n_repeated += hit
    return n_repeated, not is_outside


@kernel
def fill_levels(codes: U8, gaps: F64, wide: npt.NDArray[np.uint32], levels: F64) -> None:
    """Fill in the levels that gaps lead to, as `Codebook.rates` adds them up."""
    level, n_wide = 0.0, 0
    for i in range(codes.size):
        gap = gaps[codes[i]]
        if codes[i] == WIDE:
            gap = wide[n_wide] * WIDE_UNIT
            n_wide += 1
        level += gap
        levels[i] = level
