"""A search board for any position: tiles that do not fit a nibble, or that could not merge there.

A game goes up to 131072 (exponent 17), a search board to 32768 (nibble F), and there two F never
merge. As long as tiles are too large, the highest gap below the largest tile closes: everything
above it counts half.

    65536 32768 . 8192 ...       the gap is 16384
    32768 16384 . 8192 ...       order and distances of all others stay

Two 32768 count as two 16384, so the search sees that they merge. A gap below 64 is left alone:
tiles that small come and go during a search. What then still does not fit is F.
"""

import numpy as np

from engine.jit import kernel

LOWEST_GAP = 6
_U = np.uint64


@kernel
def search_board(cells):
    """Return the bitboard for a search of 16 exponents (uint8[16], up to 17)."""
    present, n_twin = 0, 0
    for i in range(16):
        present |= 1 << np.int64(cells[i])
        n_twin += cells[i] == 15
    shifts_above_1, shifts_above_2 = 99, 99
    largest = 17
    while largest > 0 and not present >> largest & 1:
        largest -= 1
    if largest == 17:
        shifts_above_1 = _gap_below(present, 17, LOWEST_GAP)
        shifts_above_2 = _gap_below(present, shifts_above_1, LOWEST_GAP)
    elif largest == 16 or n_twin > 1:
        shifts_above_1 = _gap_below(present, largest, LOWEST_GAP)
    board = _U(0)
    for i in range(16):
        exponent = np.int64(cells[i])
        lowered = exponent - (exponent > shifts_above_1) - (exponent > shifts_above_2)
        board = board << _U(4) | _U(min(lowered, 15))
    return board


@kernel
def _gap_below(present, exponent, lowest):
    """Return the highest exponent below one that no tile has; 99 when it is below `lowest`."""
    for gap in range(exponent - 1, lowest - 1, -1):
        if not present >> gap & 1:
            return gap
    return 99
