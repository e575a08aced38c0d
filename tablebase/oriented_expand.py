"""The forward half-steps of symmetric formations: as in tablebase.expand, of fewer images.

For what is held of a position's images see tablebase.orientation. F tiles never move here.
"""

import numpy as np

from engine.jit import inline_kernel, kernel, trailing_zeros
from tablebase.bits import is_empty, or_bits, read_bits, set_bit
from tablebase.lines import gather, moved_columns, spot_of
from tablebase.orientation import add_board, add_run, least_top, run_at
from tablebase.tables import (
    INNER_ROWS,
    INNER_SUMS,
    MID_ROWS,
    MID_SUMS,
    MOVED,
    PAIR,
    REACHES,
    SHIFTS,
)
from tablebase.walk import outer_of

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_BAD = SHIFTS | REACHES


@kernel
def expand_spawns_oriented(t, o, blocks, lo, hi, after, exponent, places, pre, shared):
    """Add to the pre-states every after-state of some blocks with a new tile in each free cell.

    `o` is the Orientation; other parameters as in `expand_spawns`.
    """
    for block in range(lo, hi):
        run, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        if is_empty(after, run, t.count_23[t.arrangement[a, PAIR] + rest]):
            continue
        row_0, row_1 = blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF
        spot = spot_of(t, places, a)
        mids, inners = np.uint64(t.arrangement[a, MID_ROWS]), t.arrangement[a, INNER_ROWS]
        inner_sums = np.uint64(t.arrangement[a, INNER_SUMS])
        for i in range(t.row_end[t.arrangement[a, MID_SUMS] + rest]):
            mid = np.int64(t.rows[mids + np.uint64(i)])
            h = inner_sums + np.uint64(rest - t.sums[mids + np.uint64(i)])
            n = t.count_3[h]
            if least_top(o, row_1, mid) != mid:  # all images may be there, the one held as well
                run += n
                continue
            for done in range(0, n, 64):
                bits = read_bits(after, run + done, n - done)
                if bits == _ZERO:
                    continue
                first = inners + t.row_begin[h] + done
                for cell in range(12):
                    top = _with_tile(cell, exponent, row_0, row_1, mid)
                    if top[0] >= 0:
                        add_run(t, o, spot, places, *top, bits, first, done, n, pre, shared)
                to = run_at(t, spot, places, row_0, row_1, mid)
                if n <= 64 and t.count_3[h + np.uint64(exponent)] <= 64:
                    new_bits = gather(t.spawn_bits[exponent - 1], bits, first)
                    if new_bits != _ZERO:  # or there may be no such block
                        or_bits(pre, to, new_bits, shared)
                else:
                    _spawn_in_long_run(t, bits, first, exponent, pre, to, shared)
            run += n


@inline_kernel
def _with_tile(cell, exponent, row_0, row_1, mid):
    """Return the upper rows with a new tile in one of their 12 cells; -1 where it is not free."""
    tile = exponent << (4 * (cell & 3))
    taken = 15 << (4 * (cell & 3))
    if cell < 4:
        return (row_0 | tile, row_1, mid) if row_0 & taken == 0 else (-1, row_1, mid)
    if cell < 8:
        return (row_0, row_1 | tile, mid) if row_1 & taken == 0 else (-1, row_1, mid)
    return (row_0, row_1, mid | tile) if mid & taken == 0 else (-1, row_1, mid)


@inline_kernel
def _spawn_in_long_run(t, bits, first, exponent, pre, to, shared):
    while bits != _ZERO:
        k = np.uint64(first) + trailing_zeros(bits)
        bits &= bits - _ONE
        for c in range(np.int64(t.free[k])):
            set_bit(pre, to + np.int64(t.spawn_index[exponent - 1, k, c]), shared)


@kernel
def expand_moves_oriented(t, o, blocks, lo, hi, pre, after, shared):
    """Add to the after-states every move of the pre-states of some blocks, both of one layer.

    `o` is the Orientation; other parameters as in `expand_moves`.
    """
    places = blocks.places
    for block in range(lo, hi):
        run, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        if is_empty(pre, run, t.count_23[t.arrangement[a, PAIR] + rest]):
            continue
        spot = spot_of(t, places, a)
        outer = outer_of(t, a, spot, places, blocks.rows[block])
        row_0, row_1 = blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF
        left_0, left_1 = np.int64(t.row_left[row_0]), np.int64(t.row_left[row_1])
        right_0, right_1 = np.int64(t.row_right[row_0]), np.int64(t.row_right[row_1])
        mids, inners = np.uint64(t.arrangement[a, MID_ROWS]), t.arrangement[a, INNER_ROWS]
        inner_sums = np.uint64(t.arrangement[a, INNER_SUMS])
        for i in range(t.row_end[t.arrangement[a, MID_SUMS] + rest]):
            j = mids + np.uint64(i)
            h = inner_sums + np.uint64(rest - t.sums[j])
            n = t.count_3[h]
            for done in range(0, n, 64):
                bits = read_bits(pre, run + done, n - done)
                if bits == _ZERO:
                    continue
                begin = inners + t.row_begin[h]
                first = begin + done
                mid = np.int64(t.rows[j])
                _slide_run(
                    t, o, spot, places, t.left, t.left_bits, left_0, left_1,
                    np.int64(t.row_left[mid]), bits, begin, done, n,
                    outer.left_flags | t.left_step[j], after, shared,
                )  # fmt: skip
                _slide_run(
                    t, o, spot, places, t.right, t.right_bits, right_0, right_1,
                    np.int64(t.row_right[mid]), bits, begin, done, n,
                    outer.right_flags | t.right_step[j], after, shared,
                )  # fmt: skip
                columns = outer.columns | t.mid_columns[j]
                upper = outer.rows | (np.uint64(mid) << spot.shift_2)
                _slide_columns(t, o, a, spot, bits, first, upper, columns, places, after, shared)
            run += n


@inline_kernel
def _slide_run(
    t, o, spot, places, inner_moves, inner_bits, row_0, row_1, mid, bits, begin, done, n, flags,
    after, shared,
):  # fmt: skip
    """Add the moves along the rows of up to 64 boards of a run; the upper rows are moved ones."""
    if flags & _BAD != 0:
        return
    moved = flags & MOVED != 0
    if n <= 64:
        new_bits = gather(inner_bits[1 if moved else 0], bits, begin)
        if new_bits != _ZERO:
            add_run(t, o, spot, places, row_0, row_1, mid, new_bits, begin, 0, n, after, shared)
        return
    low = high = _ZERO
    while bits != _ZERO:
        move = np.int64(inner_moves[np.uint64(begin + done) + trailing_zeros(bits)])
        bits &= bits - _ONE
        if move & _BAD == 0 and (moved or move & MOVED != 0):
            at = np.uint64(move & 0x7F)
            if at < np.uint64(64):
                low |= _ONE << at
            else:
                high |= _ONE << (at - np.uint64(64))
    if low != _ZERO:
        add_run(t, o, spot, places, row_0, row_1, mid, low, begin, 0, n, after, shared)
    if high != _ZERO:
        add_run(t, o, spot, places, row_0, row_1, mid, high, begin + 64, 64, n, after, shared)


@inline_kernel
def _slide_columns(t, o, a, spot, bits, first, upper, columns, places, after, shared):
    """Add the moves along the columns of one run; `upper` and `columns` are its upper rows."""
    f_cells = t.f_cells[a]
    while bits != _ZERO:
        k = np.uint64(first) + trailing_zeros(bits)
        bits &= bits - _ONE
        board = upper | (np.uint64(t.rows[k]) << spot.shift_3)
        all_columns = columns | t.inner_columns[k]
        moved = moved_columns(t.column_up, spot.columns, all_columns)
        if (moved & f_cells == f_cells) & (moved != board):
            add_board(t, o, spot, places, moved, after, shared)
        moved = moved_columns(t.column_down, spot.columns, all_columns)
        if (moved & f_cells == f_cells) & (moved != board):
            add_board(t, o, spot, places, moved, after, shared)
