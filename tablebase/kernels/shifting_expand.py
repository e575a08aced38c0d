"""The moves of `tablebase.kernels.expand` where F tiles may shift into other cells.

What a move does with the boards of a run is known at once (see tablebase.rank.slide_masks). Boards
moved along the columns, and those with a shifted F, wait in a queue: hundreds looked up in one loop
take far less time than one here and there, for no look-up waits for a branch or for the one before.
"""

import numpy as np

from engine.jit import inline_kernel, kernel, trailing_zeros
from tablebase.kernels.bits import is_empty, read_bits, set_bit
from tablebase.kernels.block_addressing import (
    any_slot,
    board_slot,
    moved_columns,
    pattern_of,
    spot_of,
    turned,
)
from tablebase.kernels.block_moves import column_slides, outer_of, row_slides, slide_run
from tablebase.rank.kernel_tables import (
    INNER_ROWS,
    INNER_SUMS,
    KEPT_BY,
    MID_ROWS,
    MID_SUMS,
    PAIR,
    SLIDES,
)

_ONE, _ZERO = np.uint64(1), np.uint64(0)

MOST_WAITING = 1040  # not a power of two, or the queues would share their places in the cache
PLENTY = np.uint64(MOST_WAITING - 4 * 64)  # 64 boards and four moves may come before the next look


@kernel
def expand_moves_shifting(t, blocks, lo, hi, pre, after, shared, waiting):
    """Add to the after-states every move of the pre-states of some blocks, both of one layer.

    Parameters as in `expand_spawns`, but for

    waiting : uint64[4, MOST_WAITING]
        Working memory of the calling thread.
    """
    places = blocks.places
    here, away = waiting[0], waiting[1]  # boards that keep their arrangement; that may not
    for block in range(lo, hi):
        run, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        if is_empty(pre, run, t.count_23[t.arrangement[a, PAIR] + rest]):
            continue
        spot = spot_of(t, places, a)
        outer = outer_of(t, a, spot, places, blocks.rows[block])
        left, right = outer.left, outer.right
        mids, inners = np.uint64(t.arrangement[a, MID_ROWS]), t.arrangement[a, INNER_ROWS]
        inner_sums = np.uint64(t.arrangement[a, INNER_SUMS])
        n_here = n_away = _ZERO
        for i in range(t.row_end[t.arrangement[a, MID_SUMS] + rest]):
            j = mids + np.uint64(i)
            rest_3 = rest - t.sums[j]
            h = inner_sums + np.uint64(rest_3)
            n = t.count_3[h]
            for done in range(0, n, 64):
                bits = read_bits(pre, run + done, n - done)
                if bits == _ZERO:
                    continue
                first = np.uint64(inners + t.row_begin[h] + done)
                part = np.uint64(t.slide_part[t.arrangement[a, SLIDES] + rest_3] + (done >> 6))
                mid_row = t.rows[j]
                flags = outer.left_flags | t.left_step[j]
                stays, shifts = row_slides(t, part, 0, flags, bits)
                to = left + (flags >> 16) * n
                slide_run(t.left, t.left_bits, stays, first, n, flags, after, to, shared)
                upper = outer.left_rows | np.uint64(t.row_left[mid_row]) << spot.shift_2
                n_away = _put_rows(t, t.row_left, spot, upper, first, shifts, away, n_away)
                flags = outer.right_flags | t.right_step[j]
                stays, shifts = row_slides(t, part, 1, flags, bits)
                to = right + (flags >> 16) * n
                slide_run(t.right, t.right_bits, stays, first, n, flags, after, to, shared)
                upper = outer.right_rows | np.uint64(t.row_right[mid_row]) << spot.shift_2
                n_away = _put_rows(t, t.row_right, spot, upper, first, shifts, away, n_away)
                columns = outer.columns | t.mid_columns[j]
                up, up_away, down, down_away = column_slides(t, spot, part, columns, bits)
                n_here = _put_columns(t, t.column_up, spot, columns, first, up, here, n_here)
                n_here = _put_columns(t, t.column_down, spot, columns, first, down, here, n_here)
                n_away = _put_columns(t, t.column_up, spot, columns, first, up_away, away, n_away)
                n_away = _put_columns(
                    t, t.column_down, spot, columns, first, down_away, away, n_away
                )
                if n_here > PLENTY:
                    n_here = _add_all_here(t, spot, places, here, n_here, after, shared)
                if n_away > PLENTY:
                    n_away = _add_all_away(t, places, away, n_away, after, shared)
            run += n
            left += n
            right += n
        _add_all_here(t, spot, places, here, n_here, after, shared)
        _add_all_away(t, places, away, n_away, after, shared)


@inline_kernel
def _put_rows(t, row_moves, spot, upper, first, bits, boards, n):
    """Put some boards of a run, moved along the rows, behind n others; return how many there are.

    `upper` are the upper rows, moved.
    """
    while bits != _ZERO:
        k = first + trailing_zeros(bits)
        bits &= bits - _ONE
        boards[n] = upper | np.uint64(row_moves[t.rows[k]]) << spot.shift_3
        n += _ONE
    return n


@inline_kernel
def _put_columns(t, spread, spot, columns, first, bits, boards, n):
    """Put some boards of a run, moved along the columns, behind n others; return how many."""
    while bits != _ZERO:
        k = first + trailing_zeros(bits)
        bits &= bits - _ONE
        boards[n] = moved_columns(spread, spot.columns, columns | t.inner_columns[k])
        n += _ONE
    return n


@inline_kernel
def _add_all_here(t, spot, places, boards, n, after, shared):
    """Add n boards of the spot's arrangement; return how many are left: none."""
    n_slots = _ZERO
    for i in range(n):
        slot = board_slot(t, spot, places, boards[i])
        boards[n_slots] = np.uint64(slot)
        n_slots += np.uint64(slot >= 0)
    for i in range(n_slots):
        set_bit(after, boards[i], shared)
    return _ZERO


@inline_kernel
def _add_all_away(t, places, boards, n, after, shared):
    """Add n boards of any arrangement, with their images; return how many are left: none."""
    for i in range(n):
        board = boards[i]
        slot = any_slot(t, places, board)
        if slot >= 0:
            set_bit(after, slot, shared)
            _add_images(t, places, board, after, shared)
    return _ZERO


@inline_kernel
def _add_images(t, places, board, after, shared):
    """Add the images of a board that lie in the arrangement it belongs to."""
    word = t.arrangement_of[pattern_of(board)]
    kept_by = t.arrangement[word >> 3, KEPT_BY] >> 1
    symmetry = 1
    while kept_by != 0:
        if kept_by & 1 != 0:
            spot = spot_of(t, places, word >> 3)
            image = turned(turned(board, word & 7), symmetry)
            set_bit(after, board_slot(t, spot, places, image), shared)
        kept_by >>= 1
        symmetry += 1
