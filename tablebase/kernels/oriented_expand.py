"""The forward half-steps of symmetric formations: like tablebase.kernels.expand, fewer images.

For which images of a position are held see tablebase.rank.orientation. F tiles never move here.
"""

import numpy as np

from engine.platform.jit import inline_kernel, kernel, trailing_zeros
from tablebase.kernels.bits import is_empty, or_bits, read_bits, set_bit
from tablebase.kernels.block_addressing import gather, moved_columns, spot_of
from tablebase.kernels.block_moves import Upper, outer_of
from tablebase.kernels.layer_walk import SlotPart, block_at, first_row, lists_of
from tablebase.kernels.oriented_addressing import (
    UpperRows,
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
from tablebase.rank.kernel_tables import MOVED, REACHES, SHIFTS

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_BAD = SHIFTS | REACHES


@kernel
def expand_spawns_oriented(t, o, blocks, lo, hi, after, exponent, places, pre):
    """Do the work of `expand_spawns` for an Orientation `o`; parameters as there."""
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        if is_empty(after, block.start, block.n):
            continue
        row_0, row_1 = block.row_0, block.row_1
        spot = spot_of(t, places, block.arrangement)
        lists = lists_of(t.arrangement, block.arrangement)
        lines = lines_of(t, o, spot, row_0)
        outer_free = _free_of(row_0) << np.uint64(8) | free_cells(fact_1(o, row_1)) << np.uint64(4)
        most = most_mid(o, row_1)
        for pair in range(o.pair_begin[block.rest], o.pair_begin[block.rest + 1]):
            first_run, n, rest_3, i = pair_runs(o, block, pair)
            h = lists.inner_sums + np.uint64(rest_3)
            while o.mids[i] <= most:
                mid, run = o.mids[i], first_run + o.mid_indices[i] * n
                for done in range(0, n, 64):
                    bits = read_bits(after, run + done, n - done)
                    if bits == _ZERO:
                        continue
                    part = SlotPart(bits, lists.inners + t.row_begin[h], done, n, 0)
                    upper = UpperRows(lines, row_1, mid)
                    free = outer_free | free_cells(fact_mid(o, mid))
                    _spawn_in_upper_rows(
                        t, o, spot, places, row_0, upper, free, exponent, part, pre
                    )
                    to = run_at(t, o, spot, places, lines.own, row_1, mid)
                    if n <= 64 and t.count_3[h + np.uint64(exponent)] <= 64:
                        new_bits = gather(t.spawn_fours[exponent - 1], bits, first_row(part))
                        if new_bits != _ZERO:  # otherwise there may be no such block
                            or_bits(pre.words, to, new_bits, pre.is_shared)
                    else:
                        _spawn_in_long_run(t, bits, first_row(part), exponent, to, pre)
                i += _ONE


@inline_kernel
def _spawn_in_upper_rows(t, o, spot, places, row_0, upper, free, exponent, part, pre):
    """Add the boards of a part of a run with a new tile in each free cell of the upper rows.

    `row_0` and `upper` are these rows, `free` their free cells: 4 bits for each, row 0 highest.
    """
    while free != _ZERO:
        cell = trailing_zeros(free)
        free &= free - _ONE
        tile = np.int64(np.uint64(exponent) << ((cell & np.uint64(3)) << np.uint64(2)))
        new_1, new_mid, new_lines = upper.row_1, upper.mid, upper.lines
        if cell < np.uint64(4):
            new_mid |= tile
        elif cell < np.uint64(8):
            new_1 |= tile
        else:
            new_lines = lines_of(t, o, spot, row_0 | tile)
        add_run(t, o, spot, places, UpperRows(new_lines, new_1, new_mid), part, pre)


@inline_kernel
def _free_of(row):
    """Return the free cells of a row: 4 bits, the right one lowest."""
    free = _ZERO
    for cell in range(4):
        if (row >> (4 * cell)) & 15 == 0:
            free |= _ONE << np.uint64(cell)
    return free


@inline_kernel
def _spawn_in_long_run(t, bits, first, exponent, to, pre):
    while bits != _ZERO:
        k = first + trailing_zeros(bits)
        bits &= bits - _ONE
        for c in range(np.int64(t.free[k])):
            slot = to + np.int64(t.spawn_index[exponent - 1, k, c])
            set_bit(pre.words, slot, pre.is_shared)


@kernel
def expand_moves_oriented(t, o, blocks, lo, hi, pre, after):
    """Do the work of `expand_moves` for an Orientation `o`; parameters as there."""
    places = blocks.places
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        if is_empty(pre, block.start, block.n):
            continue
        spot = spot_of(t, places, block.arrangement)
        lists = lists_of(t.arrangement, block.arrangement)
        outer = outer_of(t, spot, places, block)
        row_0, row_1 = block.row_0, block.row_1
        left_lines = lines_of(t, o, spot, np.int64(t.row_left[row_0]))
        right_lines = lines_of(t, o, spot, np.int64(t.row_right[row_0]))
        left_1, right_1 = np.int64(t.row_left[row_1]), np.int64(t.row_right[row_1])
        most = most_mid(o, row_1)
        for pair in range(o.pair_begin[block.rest], o.pair_begin[block.rest + 1]):
            first_run, n, rest_3, i = pair_runs(o, block, pair)
            h = lists.inner_sums + np.uint64(rest_3)
            while o.mids[i] <= most:
                mid, run = o.mids[i], first_run + o.mid_indices[i] * n
                for done in range(0, n, 64):
                    bits = read_bits(pre, run + done, n - done)
                    if bits == _ZERO:
                        continue
                    part = SlotPart(bits, lists.inners + t.row_begin[h], done, n, 0)
                    j = lists.mids + np.uint64(o.mid_numbers[i])
                    moved = UpperRows(left_lines, left_1, np.int64(t.row_left[mid]))
                    flags = outer.left.flags | t.left_step[j]
                    _slide_run(t, o, spot, places, t.left, t.left_fours, moved, flags, part, after)
                    moved = UpperRows(right_lines, right_1, np.int64(t.row_right[mid]))
                    flags = outer.right.flags | t.right_step[j]
                    _slide_run(
                        t, o, spot, places, t.right, t.right_fours, moved, flags, part, after
                    )
                    if o.is_transposed:  # then moves along the columns are those along the rows
                        continue  # of another board, see tablebase.kernels.transposed
                    upper = Upper(
                        outer.rows | np.uint64(mid) << spot.shift_2,
                        outer.columns | t.mid_columns[j],
                    )
                    _slide_columns(
                        t, o, spot, places, t.f_cells[block.arrangement], upper, part, after
                    )
                i += _ONE


@inline_kernel
def _slide_run(t, o, spot, places, inner_moves, inner_fours, moved, flags, part, after):
    """Add the moves along the rows of a part of a run; `moved` are the resulting UpperRows."""
    if flags & _BAD != 0:
        return
    is_moved, bits, begin, n = flags & MOVED != 0, part.bits, part.begin, part.n
    if n <= 64:
        new_bits = gather(inner_fours[1 if is_moved else 0], bits, begin)
        if new_bits != _ZERO:
            add_run(t, o, spot, places, moved, SlotPart(new_bits, begin, 0, n, 0), after)
        return
    low = high = _ZERO
    while bits != _ZERO:
        move = np.int64(inner_moves[first_row(part) + trailing_zeros(bits)])
        bits &= bits - _ONE
        if move & _BAD == 0 and (is_moved or move & MOVED != 0):
            at = np.uint64(move & 0x7F)
            if at < np.uint64(64):
                low |= _ONE << at
            else:
                high |= _ONE << (at - np.uint64(64))
    if low != _ZERO:
        add_run(t, o, spot, places, moved, SlotPart(low, begin, 0, n, 0), after)
    if high != _ZERO:
        add_run(t, o, spot, places, moved, SlotPart(high, begin, 64, n, 0), after)


@inline_kernel
def _slide_columns(t, o, spot, places, f_cells, upper, part, after):
    """Add the moves along the columns of a part of a run; `upper` is its Upper."""
    bits, first = part.bits, first_row(part)
    while bits != _ZERO:
        k = first + trailing_zeros(bits)
        bits &= bits - _ONE
        board = upper.rows | (np.uint64(t.rows[k]) << spot.shift_3)
        all_columns = upper.columns | t.inner_columns[k]
        moved = moved_columns(t.column_up, spot.columns, all_columns)
        if (moved & f_cells == f_cells) & (moved != board):
            add_board(t, o, spot, places, lines_of_board(t, o, spot, moved), moved, after)
        moved = moved_columns(t.column_down, spot.columns, all_columns)
        if (moved & f_cells == f_cells) & (moved != board):
            add_board(t, o, spot, places, lines_of_board(t, o, spot, moved), moved, after)
