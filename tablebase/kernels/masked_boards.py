"""A player's boards with their large tiles as F, and their sums, many at a time."""

import numpy as np

from engine.platform.jit import kernel, popcount

SEVERAL, NONE = -1, -2
"""Replace a half-sum: SEVERAL if only some of equal tiles are large; NONE for unfit boards."""

_ONES = np.uint64(0x1111_1111_1111_1111)
_ONE, _TWO, _FOUR = np.uint64(1), np.uint64(2), np.uint64(4)


@kernel
def mask_large_tiles(boards, n_large, least, masked, half_sums):
    """Fill in the boards with their `n_large` largest tiles as F, and half the sum of the rest.

    `least` is the least exponent that each of these must have. `masked` (uint64[n]) and `half_sums`
    (int64[n]) are overwritten, the latter by half the face values of all tiles that are not F, or
    SEVERAL, or NONE.
    """
    for i in range(boards.size):
        large, n, exponent = np.uint64(0), 0, 15
        while exponent >= least:
            apart = boards[i] ^ (_ONES * np.uint64(exponent))
            apart |= apart >> _ONE
            apart |= apart >> _TWO
            equal = ~apart & _ONES
            n += popcount(equal)
            large |= equal * np.uint64(15)
            if n >= n_large:
                break
            exponent -= 1
        masked[i] = boards[i] | large
        if n != n_large:
            # Too many tiles 32768 cannot be small ones; of other equal tiles, some can.
            half_sums[i] = SEVERAL if n > n_large and exponent < 15 else NONE
            continue
        rest, half = boards[i] & ~large, 0
        while rest != np.uint64(0):
            half += (1 << np.int64(rest & np.uint64(15))) >> 1
            rest >>= _FOUR
        half_sums[i] = half
