"""The moves of `tablebase.kernels.expand` where F tiles may shift into other cells.

The effect of a move on the boards of a run is computed at once (see tablebase.rank.row_tables).
Boards moved along the columns, and those with a shifted F, wait in a queue: looking up hundreds in
one loop is far faster than one at a time, since no lookup waits for a branch or the one before.
"""

import numpy as np

from engine.platform.jit import inline_kernel, kernel, trailing_zeros
from tablebase.kernels.bits import is_empty, read_bits, set_bit
from tablebase.kernels.block_addressing import (
    any_slot,
    board_slot,
    moved_columns,
    pattern_of,
    spot_of,
    turned,
)
from tablebase.kernels.block_moves import column_slides, moved_run, outer_of, row_slides, slide_run
from tablebase.kernels.layer_walk import SlotPart, block_at, first_row, lists_of, run_of, slides_of
from tablebase.rank.kernel_tables import KEPT_BY

_ONE, _ZERO = np.uint64(1), np.uint64(0)

MAX_WAITING = 1040  # not a power of two, or the queues would share their places in the cache
PLENTY = np.uint64(MAX_WAITING - 4 * 64)  # 64 boards and four moves may come before the next check


@kernel
def expand_moves_shifting(t, blocks, lo, hi, pre, after, waiting):
    """Add to the after-states the moves of the pre-states of some blocks; see `expand_moves`."""
    places = blocks.places
    here, away = waiting[0], waiting[1]  # boards that keep their arrangement; that may not
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        if is_empty(pre, block.start, block.n):
            continue
        spot = spot_of(t, places, block.arrangement)
        lists = lists_of(t.arrangement, block.arrangement)
        outer = outer_of(t, spot, places, block)
        inside = 0
        n_here = n_away = _ZERO
        for i in range(t.row_end[lists.mid_sums + block.rest]):
            run = run_of(t.sums, t.count_3, lists, block, i)
            for done in range(0, run.n, 64):
                bits = read_bits(pre, block.start + inside + done, run.n - done)
                if bits == _ZERO:
                    continue
                part = SlotPart(bits, lists.inners + t.row_begin[run.sums], done, run.n, 0)
                j, mid_row = run.mid, t.rows[run.mid]
                first, slides = first_row(part), slides_of(t.slide_part, lists, run, done)
                moved = moved_run(
                    spot, outer.left, t.left_step[j], t.row_left[mid_row], run, inside
                )
                stays, shifts = row_slides(t.row_slides, slides, 0, moved.flags, bits)
                slide_run(t.left, t.left_fours, part, stays, moved, after)
                n_away = _put_rows(t.rows, t.row_left, spot, moved, first, shifts, away, n_away)
                moved = moved_run(
                    spot, outer.right, t.right_step[j], t.row_right[mid_row], run, inside
                )
                stays, shifts = row_slides(t.row_slides, slides, 1, moved.flags, bits)
                slide_run(t.right, t.right_fours, part, stays, moved, after)
                n_away = _put_rows(t.rows, t.row_right, spot, moved, first, shifts, away, n_away)
                columns = outer.columns | t.mid_columns[j]
                up, up_away, down, down_away = column_slides(t, spot, slides, columns, bits)
                n_here = _put_columns(
                    t.inner_columns, t.column_up, spot, columns, first, up, here, n_here
                )
                n_here = _put_columns(
                    t.inner_columns, t.column_down, spot, columns, first, down, here, n_here
                )
                n_away = _put_columns(
                    t.inner_columns, t.column_up, spot, columns, first, up_away, away, n_away
                )
                n_away = _put_columns(
                    t.inner_columns, t.column_down, spot, columns, first, down_away, away, n_away
                )
                if n_here > PLENTY:
                    n_here = _add_all_here(t, spot, places, here, n_here, after)
                if n_away > PLENTY:
                    n_away = _add_all_away(t, places, away, n_away, after)
            inside += run.n
        _add_all_here(t, spot, places, here, n_here, after)
        _add_all_away(t, places, away, n_away, after)


@inline_kernel
def _put_rows(rows, row_moves, spot, moved, first, bits, boards, n):
    """Append some boards of a run, moved along the rows, to n others; return the number of all."""
    while bits != _ZERO:
        k = first + trailing_zeros(bits)
        bits &= bits - _ONE
        boards[n] = moved.rows | np.uint64(row_moves[rows[k]]) << spot.shift_3
        n += _ONE
    return n


@inline_kernel
def _put_columns(inner_columns, spread, spot, columns, first, bits, boards, n):
    """Append some boards of a run, moved along the columns, to n others; return the number."""
    while bits != _ZERO:
        k = first + trailing_zeros(bits)
        bits &= bits - _ONE
        boards[n] = moved_columns(spread, spot.columns, columns | inner_columns[k])
        n += _ONE
    return n


@inline_kernel
def _add_all_here(t, spot, places, boards, n, after):
    """Add n boards of the spot's arrangement; return the number left: 0."""
    n_slots = _ZERO
    for i in range(n):
        slot = board_slot(t, spot, places, boards[i])
        boards[n_slots] = np.uint64(slot)
        n_slots += np.uint64(slot >= 0)
    for i in range(n_slots):
        set_bit(after.words, boards[i], after.is_shared)
    return _ZERO


@inline_kernel
def _add_all_away(t, places, boards, n, after):
    """Add n boards of any arrangement, with their images; return the number left: 0."""
    for i in range(n):
        board = boards[i]
        slot = any_slot(t, places, board)
        if slot >= 0:
            set_bit(after.words, slot, after.is_shared)
            _add_images(t, places, board, after)
    return _ZERO


@inline_kernel
def _add_images(t, places, board, after):
    word = t.arrangement_of[pattern_of(board)]
    kept_by = t.arrangement[word >> 3, KEPT_BY] >> 1
    symmetry = 1
    while kept_by != 0:
        if kept_by & 1 != 0:
            spot = spot_of(t, places, word >> 3)
            image = turned(turned(board, word & 7), symmetry)
            set_bit(after.words, board_slot(t, spot, places, image), after.is_shared)
        kept_by >>= 1
        symmetry += 1
