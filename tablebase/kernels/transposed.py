"""Formations whose boards may be transposed as well: moves along the columns for half the work.

A move of a board along its columns is the move along the rows of its transposed image, transposed.
For every position an image of either kind is held (see tablebase.rank.orientation). So the kernels
of tablebase.kernels.oriented_expand and tablebase.kernels.oriented_solve only try the rows of every
board, and this module adds the results of the transposed one. It also selects the held image of a
position that is stored.
"""

import numpy as np

from engine.kernels.symmetry import transpose
from engine.platform.jit import inline_kernel, kernel, popcount, trailing_zeros
from tablebase.kernels.bits import is_empty, or_bits, position, read_bits, read_indexed
from tablebase.kernels.block_addressing import spot_of, upper_rows
from tablebase.kernels.layer_boards import Queue
from tablebase.kernels.layer_walk import block_at, lists_of
from tablebase.kernels.oriented_addressing import (
    add_board,
    image_rows,
    lines_of,
    most_mid,
    pair_runs,
    put_images,
    rows_of,
    turned_rows,
)
from tablebase.kernels.shifting_expand import PLENTY

_ONE, _TWO, _ZERO, _ROW = np.uint64(1), np.uint64(2), np.uint64(0), np.uint64(0xFFFF)


@kernel
def add_transposed(t, o, blocks, lo, hi, found, after):
    """Add to the after-states the transposed images of the results of moves along the rows.

    `found` is the bitmap of these results, `after` a GrowingBitmap; other parameters as in
    `expand_moves_oriented`.
    """
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        if is_empty(found, block.start, block.n):
            continue
        row_0, row_1 = block.row_0, block.row_1
        spot = spot_of(t, blocks.places, block.arrangement)
        lists = lists_of(t.arrangement, block.arrangement)
        outer, lines = upper_rows(spot, row_0, row_1), lines_of(t, o, spot, row_0)
        most = most_mid(o, row_1)
        for pair in range(o.pair_begin[block.rest], o.pair_begin[block.rest + 1]):
            first_run, n, rest_3, i = pair_runs(o, block, pair)
            row = lists.inners + t.row_begin[lists.inner_sums + np.uint64(rest_3)]
            while o.mids[i] <= most:
                mid, run = o.mids[i], first_run + o.mid_indices[i] * n
                upper = outer | np.uint64(mid) << spot.shift_2
                for done in range(0, n, 64):
                    bits = read_bits(found, run + done, n - done)
                    first = row + done
                    while bits != _ZERO:
                        k = np.uint64(first) + trailing_zeros(bits)
                        bits &= bits - _ONE
                        board = transpose(upper | np.uint64(t.rows[k]) << spot.shift_3)
                        add_board(t, o, spot, blocks.places, lines, board, after)
                i += _ONE


@kernel
def rate_transposed(t, o, blocks, lo, hi, pre, waiting):
    """Raise the values of the pre-states of some blocks to those of moves along the columns.

    The values of `pre`, a Solved, are as if moves along the columns were not allowed; those of the
    transposed boards are raised too, in other blocks as well. `waiting` (uint64[4, MAX_WAITING]) is
    working memory of the calling thread; other parameters as in `solve_moves_oriented`.

    Of a board and its transposed image the one with the lesser mid row is processed. If several
    images are held, threads may raise one at the same time, but always to the same value. Boards
    wait in queues as in tablebase.kernels.shifting_expand.
    """
    queue, index = Queue(waiting[0], waiting[1]), pre.indexed
    n_waiting = _ZERO
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        at = np.uint64(position(index, block.start))
        if at == np.uint64(position(index, block.start + block.n)):
            continue
        row_0, row_1 = block.row_0, block.row_1
        spot = spot_of(t, blocks.places, block.arrangement)
        lists = lists_of(t.arrangement, block.arrangement)
        outer, lines = upper_rows(spot, row_0, row_1), lines_of(t, o, spot, row_0)
        most = most_mid(o, row_1)
        for pair in range(o.pair_begin[block.rest], o.pair_begin[block.rest + 1]):
            first_run, n, rest_3, i = pair_runs(o, block, pair)
            row = lists.inners + t.row_begin[lists.inner_sums + np.uint64(rest_3)]
            while o.mids[i] <= most:
                mid, run = o.mids[i], first_run + o.mid_indices[i] * n
                upper = outer | np.uint64(mid) << spot.shift_2
                for done in range(0, n, 64):
                    bits = read_indexed(index, run + done, n - done)
                    if bits == _ZERO:
                        continue
                    first = row + done
                    _, left = below_transposed(o, spot, upper, mid, rest_3, done, bits)
                    while left != _ZERO:
                        lowest = left & (~left + _ONE)
                        left ^= lowest
                        k = np.uint64(first) + trailing_zeros(lowest)
                        board = transpose(upper | np.uint64(t.rows[k]) << spot.shift_3)
                        here = at + popcount(bits & (lowest - _ONE))
                        n_waiting = put_images(
                            t, o, spot, blocks.places, lines, board, here, queue, n_waiting
                        )
                    at += popcount(bits)
                    if n_waiting > PLENTY:
                        n_waiting = _raise_all(pre, queue, n_waiting)
                i += _ONE
    _raise_all(pre, queue, n_waiting)


@inline_kernel
def _raise_all(pre, queue, n):
    """Raise the values at n positions and slots to the greater of each pair; return 0."""
    index, values, slots, positions = pre.indexed, pre.values, queue.boards, queue.positions
    for i in range(n):
        slots[i] = np.uint64(position(index, slots[i]))
    for i in range(n):
        value = max(values[positions[i]], values[slots[i]])
        values[positions[i]] = values[slots[i]] = value
    return _ZERO


@inline_kernel
def below_transposed(o, spot, upper, mid, rest_3, done, bits):
    """Return the bits of a run that have a lesser mid row than their transposed images.

    And the bits for which it is not greater. Images are the held ones; `upper` are the upper rows
    of the run. Beyond the first 64 slots this is unknown; then the result is no bits and all bits.
    """
    if done != 0:
        return _ZERO, bits
    image, shift = transpose(upper), spot.shift_3 >> _TWO
    first = np.uint64(34 * rest_3)
    row = np.int64((image >> spot.shift_2) & _ROW)
    less, no_more = _least_tiles(o, row, shift, mid)
    is_less, is_no_more = o.high_cells[first + less], o.high_cells[first + no_more]
    if o.exchanges:
        row = np.int64((image >> spot.shift_1) & _ROW)
        less, no_more = _least_tiles(o, row, shift, mid)
        is_less &= o.high_cells[first + np.uint64(17) + less]
        is_no_more &= o.high_cells[first + np.uint64(17) + no_more]
    return bits & is_less, bits & is_no_more


@inline_kernel
def _least_tiles(o, row, shift, mid):
    """Return the least tiles by which a row and its mirror are greater than `mid`, and not less.

    The tile is put into the empty cell of the row at `shift`.
    """
    other_shift = trailing_zeros(np.uint64(o.mirror_row[_ONE << shift]))
    lack, other_lack = mid - row, mid - np.int64(o.mirror_row[row])
    shift, other_shift = np.int64(shift), np.int64(other_shift)
    less = max(lack >> shift, other_lack >> other_shift) + 1
    no_more = max((lack - 1) >> shift, (other_lack - 1) >> other_shift) + 1
    return np.uint64(min(max(less, 0), 16)), np.uint64(min(max(no_more, 0), 16))


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
