"""The backward half-steps of symmetric formations: as in tablebase.kernels.solve, of fewer images.

For what is held of a position's images see tablebase.rank.orientation. F tiles never move here.
"""

import numpy as np

from engine.jit import inline_kernel, kernel, trailing_zeros
from tablebase.kernels.bits import position, read_indexed, value_of
from tablebase.kernels.block_addressing import moved_columns, spot_of
from tablebase.kernels.block_moves import outer_of
from tablebase.kernels.oriented_addressing import (
    held_slot,
    image_of,
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
def solve_moves_oriented(t, o, blocks, lo, hi, pre_index, pre_values, index, values):
    """Fill the values of the pre-states of some blocks from the after-states of their layer.

    `o` is the Orientation; other parameters as in `solve_moves`.
    """
    places = blocks.places
    for block in range(lo, hi):
        start, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        at = position(pre_index, start)
        if at == position(pre_index, start + t.count_23[t.arrangement[a, PAIR] + rest]):
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
                    bits = read_indexed(pre_index, run + done, n - done)
                    if bits == _ZERO:
                        continue
                    j = mids + np.uint64(o.mid_numbers[i])
                    left_flags = outer.left_flags | t.left_step[j]
                    right_flags = outer.right_flags | t.right_step[j]
                    to_left = to_right = np.int64(0)
                    left_mirrored = right_mirrored = np.int64(0)
                    if left_flags & _BAD == 0:
                        to_left, left_mirrored = image_of(
                            t, o, spot, places, left_lines, left_1, np.int64(t.row_left[mid])
                        )
                    if right_flags & _BAD == 0:
                        to_right, right_mirrored = image_of(
                            t, o, spot, places, right_lines, right_1, np.int64(t.row_right[mid])
                        )
                    at = _solve_run_moves(
                        t, o, a, spot, bits, inners + t.row_begin[h], done,
                        outer.rows | (np.uint64(mid) << spot.shift_2),
                        outer.columns | t.mid_columns[j], left_flags, to_left, left_mirrored,
                        right_flags, to_right, right_mirrored, places, index, values, pre_values,
                        at,
                    )  # fmt: skip
                i += _ONE


@inline_kernel
def _solve_run_moves(
    t, o, a, spot, bits, begin, done, upper, columns, left_flags, to_left, left_mirrored,
    right_flags, to_right, right_mirrored, places, index, values, pre_values, at,
):  # fmt: skip
    """Fill the values of up to 64 slots of one run; return the position after the last one."""
    f_cells = t.f_cells[a]
    while bits != _ZERO:
        k = np.uint64(begin + done) + trailing_zeros(bits)
        bits &= bits - _ONE
        best = _slide_value(
            o, left_flags | np.int64(t.left[k]), to_left, left_mirrored, begin, index, values
        )
        value = _slide_value(
            o, right_flags | np.int64(t.right[k]), to_right, right_mirrored, begin, index, values
        )
        best = max(best, value)
        if o.is_transposed:  # then moves along the columns are those along the rows of another
            pre_values[at] = best  # board, see tablebase.kernels.transposed
            at += 1
            continue
        board = upper | (np.uint64(t.rows[k]) << spot.shift_3)
        all_columns = columns | t.inner_columns[k]
        moved = moved_columns(t.column_up, spot.columns, all_columns)
        if (moved & f_cells == f_cells) & (moved != board):
            slot = held_slot(
                t,
                o,
                spot,
                places,
                lines_of_board(t, o, spot, moved),
                moved,
            )
            best = max(best, value_of(index, values, slot) if slot >= 0 else 1.0)
        moved = moved_columns(t.column_down, spot.columns, all_columns)
        if (moved & f_cells == f_cells) & (moved != board):
            slot = held_slot(
                t,
                o,
                spot,
                places,
                lines_of_board(t, o, spot, moved),
                moved,
            )
            best = max(best, value_of(index, values, slot) if slot >= 0 else 1.0)
        pre_values[at] = best
        at += 1
    return at


@inline_kernel
def _slide_value(o, flags, to, is_mirrored, begin, index, values):
    """Return the value after a move along the rows, 0 when it is none; `flags` are all rows'."""
    if flags & (MOVED | SHIFTS) != MOVED:
        return 0.0
    if flags & REACHES != 0:
        return 1.0
    inner = flags & 0x7F
    if is_mirrored != 0:
        inner = np.int64(o.mirror_index[np.uint64(begin + inner)])
    return value_of(index, values, to + inner)


@kernel
def solve_spawns_oriented(
    t, o, blocks, lo, hi, index, values, places_a, index_a, values_a,
    places_b, index_b, values_b, spawn4, scratch,
):  # fmt: skip
    """Fill the values of the after-states of some blocks from the pre-states of the next layers.

    `o` is the Orientation, `scratch` int64[4, 12]; other parameters as in `solve_spawns`.
    """
    to_a, to_b, mirrored_a, mirrored_b = scratch[0], scratch[1], scratch[2], scratch[3]
    for block in range(lo, hi):
        start, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        at = position(index, start)
        if at == position(index, start + t.count_23[t.arrangement[a, PAIR] + rest]):
            continue
        row_0, row_1 = blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF
        spot_a, spot_b = spot_of(t, places_a, a), spot_of(t, places_b, a)
        lines_a, lines_b = lines_of(t, o, spot_a, row_0), lines_of(t, o, spot_b, row_0)
        inners, inner_sums = t.arrangement[a, INNER_ROWS], np.uint64(t.arrangement[a, INNER_SUMS])
        most = most_mid(o, row_1)
        for pair in range(o.pair_begin[rest], o.pair_begin[rest + 1]):
            first_run, n, rest_3, i = pair_runs(o, start, pair)
            h = inner_sums + np.uint64(rest_3)
            while o.mids[i] <= most:
                mid, run = o.mids[i], first_run + o.mid_indices[i] * n
                for done in range(0, n, 64):
                    bits = read_indexed(index, run + done, n - done)
                    if bits == _ZERO:
                        continue
                    n_upper = _upper_spawns(
                        t, o, spot_a, places_a, 1, lines_a, row_0, row_1, mid, to_a, mirrored_a
                    )
                    _upper_spawns(
                        t, o, spot_b, places_b, 2, lines_b, row_0, row_1, mid, to_b, mirrored_b
                    )
                    at = _solve_run(
                        t, o, bits, inners + t.row_begin[h], done, to_a, to_b, mirrored_a,
                        mirrored_b, n_upper,
                        run_at(t, o, spot_a, places_a, lines_a[0], row_1, mid),
                        run_at(t, o, spot_b, places_b, lines_b[0], row_1, mid),
                        index_a, values_a, index_b, values_b, spawn4, values, at,
                    )  # fmt: skip
                i += _ONE


@inline_kernel
def _upper_spawns(t, o, spot, places, exponent, lines, row_0, row_1, mid, to, mirrored):
    """Fill in the run after a new tile in each free cell of the upper rows; return how many."""
    n = 0
    for shift in range(0, 16, 4):
        new = exponent << shift
        if (row_0 >> shift) & 15 == 0:
            grown = lines_of(t, o, spot, row_0 | new)
            to[n], mirrored[n] = image_of(t, o, spot, places, grown, row_1, mid)
            n += 1
        if (row_1 >> shift) & 15 == 0:
            to[n], mirrored[n] = image_of(t, o, spot, places, lines, row_1 | new, mid)
            n += 1
        if (mid >> shift) & 15 == 0:
            to[n], mirrored[n] = image_of(t, o, spot, places, lines, row_1, mid | new)
            n += 1
    return n


@inline_kernel
def _solve_run(
    t, o, bits, begin, done, to_a, to_b, mirrored_a, mirrored_b, n_upper, own_a, own_b,
    index_a, values_a, index_b, values_b, spawn4, values, at,
):  # fmt: skip
    """Fill the values of up to 64 slots of one run; return the position after the last one."""
    while bits != _ZERO:
        inner = np.int64(trailing_zeros(bits)) + done
        bits &= bits - _ONE
        k = np.uint64(begin + inner)
        other = np.int64(o.mirror_index[k])
        sum_a = sum_b = 0.0
        for c in range(n_upper):
            in_a = other if mirrored_a[c] != 0 else inner
            in_b = other if mirrored_b[c] != 0 else inner
            sum_a += value_of(index_a, values_a, to_a[c] + in_a)
            sum_b += value_of(index_b, values_b, to_b[c] + in_b)
        n_inner = np.int64(t.free[k])
        for c in range(n_inner):
            sum_a += value_of(index_a, values_a, own_a + np.int64(t.spawn_index[0, k, c]))
            sum_b += value_of(index_b, values_b, own_b + np.int64(t.spawn_index[1, k, c]))
        # A board without a free cell can only be a seed; nothing can come of it.
        values[at] = ((1.0 - spawn4) * sum_a + spawn4 * sum_b) / max(n_upper + n_inner, 1)
        at += 1
    return at
