"""The forward half-steps of symmetric formations: as in tablebase.kernels.expand, of fewer images.

For what is held of a position's images see tablebase.rank.orientation. F tiles never move here.
"""

import numpy as np

from engine.jit import inline_kernel, kernel, trailing_zeros
from tablebase.kernels.bits import is_empty, or_bits, read_bits, set_bit
from tablebase.kernels.block_addressing import gather, moved_columns, spot_of
from tablebase.kernels.block_moves import outer_of
from tablebase.kernels.oriented_addressing import (
    add_board,
    add_run,
    fact_1,
    fact_mid,
    free_cells,
    lines_of,
    lines_of_board,
    most_mid,
    pair_runs,
    run_at,
)
from tablebase.rank.kernel_tables import (
    INNER_ROWS,
    INNER_SUMS,
    MID_ROWS,
    MOVED,
    PAIR,
    REACHES,
    SHIFTS,
)

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_BAD = SHIFTS | REACHES


@kernel
def expand_spawns_oriented(t, o, blocks, lo, hi, after, exponent, places, pre, shared):
    """Add to the pre-states every after-state of some blocks with a new tile in each free cell.

    `o` is the Orientation; other parameters as in `expand_spawns`.
    """
    for block in range(lo, hi):
        start, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        if is_empty(after, start, t.count_23[t.arrangement[a, PAIR] + rest]):
            continue
        row_0, row_1 = blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF
        spot = spot_of(t, places, a)
        lines = lines_of(t, o, spot, row_0)
        outer_free = _free_of(row_0) << np.uint64(8) | free_cells(fact_1(o, row_1)) << np.uint64(4)
        inners, inner_sums = t.arrangement[a, INNER_ROWS], np.uint64(t.arrangement[a, INNER_SUMS])
        most = most_mid(o, row_1)
        for pair in range(o.pair_begin[rest], o.pair_begin[rest + 1]):
            first_run, n, rest_3, i = pair_runs(o, start, pair)
            h = inner_sums + np.uint64(rest_3)
            while o.mids[i] <= most:
                mid, run = o.mids[i], first_run + o.mid_indices[i] * n
                for done in range(0, n, 64):
                    bits = read_bits(after, run + done, n - done)
                    if bits == _ZERO:
                        continue
                    first = inners + t.row_begin[h] + done
                    free = outer_free | free_cells(fact_mid(o, mid))
                    _spawn_in_upper_rows(
                        t, o, spot, places, lines, row_0, row_1, mid, free, exponent, bits, first,
                        done, n, pre, shared,
                    )  # fmt: skip
                    to = run_at(t, o, spot, places, lines[0], row_1, mid)
                    if n <= 64 and t.count_3[h + np.uint64(exponent)] <= 64:
                        new_bits = gather(t.spawn_bits[exponent - 1], bits, first)
                        if new_bits != _ZERO:  # or there may be no such block
                            or_bits(pre, to, new_bits, shared)
                    else:
                        _spawn_in_long_run(t, bits, first, exponent, pre, to, shared)
                i += _ONE


@inline_kernel
def _spawn_in_upper_rows(
    t, o, spot, places, lines, row_0, row_1, mid, free, exponent, bits, first, done, n, pre, shared,
):  # fmt: skip
    """Add the boards of a run with a new tile in each of the free cells of the upper rows."""
    while free != _ZERO:
        cell = trailing_zeros(free)
        free &= free - _ONE
        tile = np.int64(np.uint64(exponent) << ((cell & np.uint64(3)) << np.uint64(2)))
        new_1, new_mid, new_lines = row_1, mid, lines
        if cell < np.uint64(4):
            new_mid |= tile
        elif cell < np.uint64(8):
            new_1 |= tile
        else:
            new_lines = lines_of(t, o, spot, row_0 | tile)
        add_run(t, o, spot, places, new_lines, new_1, new_mid, bits, first, done, n, pre, shared)


@inline_kernel
def _free_of(row):
    """Return the free cells of a row: 4 bits, the right one lowest."""
    free = _ZERO
    for cell in range(4):
        if (row >> (4 * cell)) & 15 == 0:
            free |= _ONE << np.uint64(cell)
    return free


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
        start, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        if is_empty(pre, start, t.count_23[t.arrangement[a, PAIR] + rest]):
            continue
        spot = spot_of(t, places, a)
        outer = outer_of(t, a, spot, places, blocks.rows[block])
        row_0, row_1 = blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF
        left_lines = lines_of(t, o, spot, np.int64(t.row_left[row_0]))
        right_lines = lines_of(t, o, spot, np.int64(t.row_right[row_0]))
        left_1, right_1 = np.int64(t.row_left[row_1]), np.int64(t.row_right[row_1])
        mids = np.uint64(t.arrangement[a, MID_ROWS])
        inners, inner_sums = t.arrangement[a, INNER_ROWS], np.uint64(t.arrangement[a, INNER_SUMS])
        most = most_mid(o, row_1)
        for pair in range(o.pair_begin[rest], o.pair_begin[rest + 1]):
            first_run, n, rest_3, i = pair_runs(o, start, pair)
            h = inner_sums + np.uint64(rest_3)
            while o.mids[i] <= most:
                mid, run = o.mids[i], first_run + o.mid_indices[i] * n
                for done in range(0, n, 64):
                    bits = read_bits(pre, run + done, n - done)
                    if bits == _ZERO:
                        continue
                    begin = inners + t.row_begin[h]
                    first = begin + done
                    j = mids + np.uint64(o.mid_numbers[i])
                    _slide_run(
                        t, o, spot, places, t.left, t.left_bits, left_lines, left_1,
                        np.int64(t.row_left[mid]), bits, begin, done, n,
                        outer.left_flags | t.left_step[j], after, shared,
                    )  # fmt: skip
                    _slide_run(
                        t, o, spot, places, t.right, t.right_bits, right_lines, right_1,
                        np.int64(t.row_right[mid]), bits, begin, done, n,
                        outer.right_flags | t.right_step[j], after, shared,
                    )  # fmt: skip
                    if o.is_transposed:  # then moves along the columns are those along the rows
                        continue  # of another board, see tablebase.kernels.transposed
                    columns = outer.columns | t.mid_columns[j]
                    upper = outer.rows | (np.uint64(mid) << spot.shift_2)
                    _slide_columns(
                        t, o, a, spot, bits, first, upper, columns, places, after, shared
                    )
                i += _ONE


@inline_kernel
def _slide_run(
    t, o, spot, places, inner_moves, inner_bits, lines, row_1, mid, bits, begin, done, n, flags,
    after, shared,
):  # fmt: skip
    """Add the moves along the rows of up to 64 boards of a run; the upper rows are moved ones."""
    if flags & _BAD != 0:
        return
    moved = flags & MOVED != 0
    if n <= 64:
        new_bits = gather(inner_bits[1 if moved else 0], bits, begin)
        if new_bits != _ZERO:
            add_run(t, o, spot, places, lines, row_1, mid, new_bits, begin, 0, n, after, shared)
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
        add_run(t, o, spot, places, lines, row_1, mid, low, begin, 0, n, after, shared)
    if high != _ZERO:
        add_run(t, o, spot, places, lines, row_1, mid, high, begin + 64, 64, n, after, shared)


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
            add_board(
                t,
                o,
                spot,
                places,
                lines_of_board(t, o, spot, moved),
                moved,
                after,
                shared,
            )
        moved = moved_columns(t.column_down, spot.columns, all_columns)
        if (moved & f_cells == f_cells) & (moved != board):
            add_board(
                t,
                o,
                spot,
                places,
                lines_of_board(t, o, spot, moved),
                moved,
                after,
                shared,
            )
