"""Search boards for any position: mapping tiles that an evaluation doesn't know or can't merge.

A game goes up to 131072 (exponent 17). A search board goes up to 32768 (nibble F), and there two F
never merge; a network for whole games has only seen enough boards up to 16384. As long as tiles are
too large, the highest gap below the largest tile is closed: everything above it is halved.

    65536 32768 . 8192 ...       the gap is 16384
    32768 16384 . 8192 ...       order and distances of all others are kept

The task stays the same: to make another of the largest tile below the gap. On a search board
up to 32768, two of the largest tile from 32768 on count as two 16384, so the search sees that they
merge. A gap below 64 is left alone, unless two tiles from 32768 on could not merge otherwise: tiles
that small come and go during a search. What still does not fit becomes F.
"""

import numpy as np

from engine.bitboard import LARGEST_NIBBLE
from engine.platform.jit import inline_kernel, kernel

LOWEST_GAP = 6

_NONE = 99
_U = np.uint64


@kernel
def search_board(cells, most):
    """Return the bitboard for a search of 16 exponents (uint8[16], up to 17).

    `most` is the largest exponent that the evaluation knows: 14 or `LARGEST_NIBBLE`.
    """
    present, twins = 0, 0
    for i in range(16):
        tile = 1 << np.int64(cells[i])
        twins |= present & tile
        present |= tile
    gaps = _gaps(present, twins, most)
    board = _U(0)
    for i in range(16):
        board = board << _U(4) | _lowered(np.int64(cells[i]), gaps)
    return board


@kernel
def known_board(board, most):
    """Return the same for a bitboard whose tiles all fit, but are not all known."""
    present = 0
    for shift in range(0, 64, 4):
        present |= 1 << np.int64((board >> _U(shift)) & _U(15))
    gaps = _gaps(present, 0, most)
    lowered = _U(0)
    for shift in range(0, 64, 4):
        lowered |= _lowered(np.int64((board >> _U(shift)) & _U(15)), gaps) << _U(shift)
    return lowered


@inline_kernel
def _gaps(present, twins, most):
    """Return the three exponents above which tiles are lowered.

    `present` and `twins` have a bit for each exponent: whether one tile has it, or several.
    """
    largest = 17
    while largest > 0 and not present >> largest & 1:
        largest -= 1
    n_gaps = max(largest - most, 0)
    if largest >= most == LARGEST_NIBBLE and twins >> largest & 1:
        n_gaps += 1  # F would not merge
    lowest = 1 if twins >> LARGEST_NIBBLE else LOWEST_GAP
    first = _gap_below(present, largest, lowest) if n_gaps > 0 else _NONE
    second = _gap_below(present, first, lowest) if n_gaps > 1 else _NONE
    third = _gap_below(present, second, lowest) if n_gaps > 2 else _NONE
    return first, second, third


@inline_kernel
def _lowered(exponent, gaps):
    first, second, third = gaps
    lowered = exponent - (exponent > first) - (exponent > second) - (exponent > third)
    return _U(min(lowered, LARGEST_NIBBLE))


@kernel
def _gap_below(present, exponent, lowest):
    """Return the highest exponent below `exponent`, from `lowest` on, that no tile has.

    `_NONE` if there is none.
    """
    if exponent != _NONE:
        for gap in range(exponent - 1, lowest - 1, -1):
            if not present >> gap & 1:
                return gap
    return _NONE
