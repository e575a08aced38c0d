"""Selection of the held image of a position that is stored, in machine code."""

import numpy as np

from engine.kernels.symmetry import transpose
from engine.platform.jit import inline_kernel, kernel, trailing_zeros
from tablebase.kernels.bits import or_bits, position, read_indexed
from tablebase.kernels.block_addressing import spot_of, upper_rows
from tablebase.kernels.layer_walk import block_at, lists_of
from tablebase.kernels.oriented_addressing import (
    image_rows,
    most_mid,
    pair_runs,
    rows_of,
    turned_rows,
)
from tablebase.kernels.transposed import below_transposed

_ONE, _ZERO = np.uint64(1), np.uint64(0)


@kernel
def add_least_oriented(t, o, blocks, index, least):
    """Add to a bitmap the boards of a layer that are the least of all their images.

    For an Orientation that has all symmetries (`is_whole`) and held boards: the other held images
    have the same mid row, which is the first row of a board that is not F.
    """
    for i_block in range(blocks.start.size):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        if position(index, block.start) == position(index, block.start + block.n):
            continue
        row_0, row_1 = block.row_0, block.row_1
        spot = spot_of(t, blocks.places, block.arrangement)
        lists = lists_of(t.arrangement, block.arrangement)
        outer = upper_rows(spot, row_0, row_1)
        most = most_mid(o, row_1)
        for pair in range(o.pair_begin[block.rest], o.pair_begin[block.rest + 1]):
            first_run, n, rest_3, i = pair_runs(o, block, pair)
            while o.mids[i] <= most:
                mid, run = o.mids[i], first_run + o.mid_indices[i] * n
                upper = outer | np.uint64(mid) << spot.shift_2
                for done in range(0, n, 64):
                    bits = read_indexed(index, run + done, n - done)
                    if bits == _ZERO:
                        continue
                    _, _, _, is_tied = turned_rows(o, row_1, mid)
                    first = lists.inners + t.row_begin[lists.inner_sums + np.uint64(rest_3)] + done
                    are_least = maybe = bits
                    if o.is_transposed:
                        are_least, maybe = below_transposed(o, spot, upper, mid, rest_3, done, bits)
                    if is_tied:
                        are_least = _ZERO
                    maybe ^= are_least
                    while maybe != _ZERO:
                        lowest = maybe & (~maybe + _ONE)
                        maybe ^= lowest
                        k = np.uint64(first) + trailing_zeros(lowest)
                        board = upper | np.uint64(t.rows[k]) << spot.shift_3
                        is_least = not is_tied or _least(o, spot, row_0, board) == board
                        if o.is_transposed:
                            is_least &= _is_below(o, spot, row_0, mid, board, transpose(board))
                        if is_least:
                            are_least |= lowest
                    or_bits(least, run + done, are_least, False)
                i += _ONE


@inline_kernel
def _is_below(o, spot, row_0, mid, board, other):
    """Return whether a board with mid row `mid` is at most any image of `other`."""
    other_1, other_mid, _ = rows_of(spot, other)
    _, top, _, _ = turned_rows(o, other_1, other_mid)
    return mid < top if mid != top else board <= _least(o, spot, row_0, other)


@inline_kernel
def _least(o, spot, row_0, board):
    """Return the least image of a board under symmetries that keep the inner row in place."""
    row_1, mid, inner = rows_of(spot, board)
    least = board
    for h in range(o.exchange.size):
        bottom, top = image_rows(o, h, row_1, mid)
        is_mirrored = o.mirrored[h] != 0
        other_0 = np.int64(o.mirror_row[row_0]) if is_mirrored else row_0
        other_inner = np.uint64(o.mirror_row[inner]) if is_mirrored else inner
        image = upper_rows(spot, other_0, bottom)
        image |= np.uint64(top) << spot.shift_2 | other_inner << spot.shift_3
        least = min(least, image)
    return least
