"""The results for four rows of a run at once, for each of the 16 ways to choose some of them.

A kernel that has the bits of a run's boards, and wants the bits of their results, processes four
rows at a time: going from one board to the next takes longer, above all because the end of the loop
is unpredictable.
"""

import numpy as np

from tablebase.rank.kernel_tables import U64


def fours_of(bits: U64) -> U64:
    """Return the `or` of the bits of each row and the three after it, for each choice of these.

    Parameters
    ----------
    bits : uint64[..., n]

    Returns
    -------
    uint64[..., 16 n]
        The choice ``1 << j`` of row i takes ``bits[..., i + j]``; past the last one is nothing.
    """
    *before, n = bits.shape
    padded = np.concatenate((bits, np.zeros((*before, 3), np.uint64)), axis=-1)
    fours = np.zeros((*before, n, 16), np.uint64)
    for j in range(4):
        chosen = np.flatnonzero(np.arange(16) >> j & 1)
        fours[..., chosen] |= padded[..., j : n + j, None]
    return fours.reshape(*before, 16 * n)
