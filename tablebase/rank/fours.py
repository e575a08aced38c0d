"""What becomes of four rows of a run at once, for each of the 16 ways to choose some of them.

A kernel that knows which boards of a run there are, and wants the bits of what they become, looks
at four rows at a time: to go from one board to the next takes longer, most of all because nobody
can guess when the last one comes.
"""

import numpy as np

from tablebase.rank.kernel_tables import U64


def fours_of(bits: U64) -> U64:
    """Return the `or` of the bits of each row and the three behind it, for each choice of these.

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
