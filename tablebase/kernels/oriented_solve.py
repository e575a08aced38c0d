"""The backward half-steps of symmetric formations: like tablebase.kernels.solve, fewer images.

For which images of a position are held see tablebase.rank.orientation. F tiles never move here.
"""

from typing import NamedTuple

import numpy as np

from engine.platform.array_types import I64
from engine.platform.jit import inline_kernel, kernel, trailing_zeros
from tablebase.kernels.bits import position, read_indexed, value_of
from tablebase.kernels.block_addressing import moved_columns, spot_of
from tablebase.kernels.block_moves import Upper, outer_of
from tablebase.kernels.layer_boards import Solved
from tablebase.kernels.layer_walk import SlotPart, block_at, first_row, lists_of
from tablebase.kernels.oriented_addressing import (
    UpperRows,
    held_slot,
    image_of,
    lines_of,
    lines_of_board,
    most_mid,
    pair_runs,
    run_at,
)
from tablebase.kernels.solve import mark_slots
from tablebase.rank.kernel_tables import MOVED, REACHES, SHIFTS

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_BAD = SHIFTS | REACHES


class HeldRun(NamedTuple):
    """The result of a move along the rows for a run, by its held image."""

    slot: int  # int64: first slot of that image; there is one unless it SHIFTS or REACHES
    flags: int  # int64: the flags MOVED, SHIFTS and REACHES of the three upper rows together
    is_mirrored: int  # int64: 1 if the image is mirrored, 0 if not


class OrientedSpawnPlaces(NamedTuple):
    """The places of a run's boards after a new tile of one kind, and the values there."""

    # int64[12]: for each free cell of the upper rows, the first slot of the held image of the run
    # with the tile in it, and 1 if that image is mirrored, 0 if not.
    to: I64
    mirrored: I64
    own: int  # int64: first slot of the run of the same upper rows
    pre: Solved  # the pre-states there


@kernel
def solve_moves_oriented(t, o, blocks, lo, hi, pre, after):
    """Do the work of `solve_moves` for an Orientation `o`; parameters as there."""
    places = blocks.places
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        at = position(pre.indexed, block.start)
        if at == position(pre.indexed, block.start + block.n):
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
                    bits = read_indexed(pre.indexed, run + done, n - done)
                    if bits == _ZERO:
                        continue
                    part = SlotPart(bits, lists.inners + t.row_begin[h], done, n, at)
                    j = lists.mids + np.uint64(o.mid_numbers[i])
                    upper = Upper(
                        outer.rows | np.uint64(mid) << spot.shift_2,
                        outer.columns | t.mid_columns[j],
                    )
                    moved = UpperRows(left_lines, left_1, np.int64(t.row_left[mid]))
                    flags = outer.left.flags | t.left_step[j]
                    left = _held_run(t, o, spot, places, moved, flags)
                    moved = UpperRows(right_lines, right_1, np.int64(t.row_right[mid]))
                    flags = outer.right.flags | t.right_step[j]
                    right = _held_run(t, o, spot, places, moved, flags)
                    at = _solve_part_moves(
                        t, o, spot, t.f_cells[block.arrangement], part, upper, left, right,
                        after, pre.values,
                    )  # fmt: skip
                i += _ONE


@inline_kernel
def _held_run(t, o, spot, places, moved, flags):
    """Return the HeldRun of the UpperRows that a move leads to."""
    to = is_mirrored = np.int64(0)
    if flags & _BAD == 0:
        to, is_mirrored = image_of(t, o, spot, places, moved)
    return HeldRun(to, flags, is_mirrored)


@inline_kernel
def _solve_part_moves(t, o, spot, f_cells, part, upper, left, right, after, pre_values):
    """Fill the values of a part of a run; return the position after the last one."""
    bits, at, first = part.bits, part.at, first_row(part)
    while bits != _ZERO:
        k = first + trailing_zeros(bits)
        bits &= bits - _ONE
        best = _slide_value(o, left, t.left[k], part.begin, after)
        best = max(best, _slide_value(o, right, t.right[k], part.begin, after))
        if o.is_transposed:  # then moves along the columns are those along the rows of another
            pre_values[at] = best  # board, see tablebase.kernels.transposed
            at += 1
            continue
        board = upper.rows | (np.uint64(t.rows[k]) << spot.shift_3)
        all_columns = upper.columns | t.inner_columns[k]
        moved = moved_columns(t.column_up, spot.columns, all_columns)
        if (moved & f_cells == f_cells) & (moved != board):
            best = max(best, _board_value(t, o, spot, moved, after))
        moved = moved_columns(t.column_down, spot.columns, all_columns)
        if (moved & f_cells == f_cells) & (moved != board):
            best = max(best, _board_value(t, o, spot, moved, after))
        pre_values[at] = best
        at += 1
    return at


@inline_kernel
def _board_value(t, o, spot, board, after):
    slot = held_slot(t, o, spot, after.places, lines_of_board(t, o, spot, board), board)
    return value_of(after.indexed, after.values, slot) if slot >= 0 else 1.0


@inline_kernel
def _slide_value(o, held, move, begin, after):
    """Return the value after a move along the rows, 0 if illegal; the run begins at `begin`."""
    flags = held.flags | np.int64(move)
    if flags & (MOVED | SHIFTS) != MOVED:
        return 0.0
    if flags & REACHES != 0:
        return 1.0
    inner = flags & 0x7F
    if held.is_mirrored != 0:
        inner = np.int64(o.mirror_index[np.uint64(begin + inner)])
    return value_of(after.indexed, after.values, held.slot + inner)


@kernel
def solve_spawns_oriented(t, o, blocks, lo, hi, after, one_on, two_on, spawn4, scratch):
    """Do the work of `solve_spawns` for an Orientation `o`; `scratch` is int64[4, 12]."""
    to_a, to_b, mirrored_a, mirrored_b = scratch[0], scratch[1], scratch[2], scratch[3]
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        at = position(after.indexed, block.start)
        if at == position(after.indexed, block.start + block.n):
            continue
        row_0, row_1, a = block.row_0, block.row_1, block.arrangement
        spot_a, spot_b = spot_of(t, one_on.places, a), spot_of(t, two_on.places, a)
        lines_a, lines_b = lines_of(t, o, spot_a, row_0), lines_of(t, o, spot_b, row_0)
        lists = lists_of(t.arrangement, a)
        most = most_mid(o, row_1)
        for pair in range(o.pair_begin[block.rest], o.pair_begin[block.rest + 1]):
            first_run, n, rest_3, i = pair_runs(o, block, pair)
            h = lists.inner_sums + np.uint64(rest_3)
            while o.mids[i] <= most:
                mid, run = o.mids[i], first_run + o.mid_indices[i] * n
                for done in range(0, n, 64):
                    bits = read_indexed(after.indexed, run + done, n - done)
                    if bits == _ZERO:
                        continue
                    part = SlotPart(bits, lists.inners + t.row_begin[h], done, n, at)
                    upper = UpperRows(lines_a, row_1, mid)
                    n_upper = _upper_spawns(
                        t, o, spot_a, one_on.places, 1, row_0, upper, to_a, mirrored_a
                    )
                    own = run_at(t, o, spot_a, one_on.places, lines_a.own, row_1, mid)
                    with_2 = OrientedSpawnPlaces(to_a, mirrored_a, own, one_on)
                    upper = UpperRows(lines_b, row_1, mid)
                    _upper_spawns(t, o, spot_b, two_on.places, 2, row_0, upper, to_b, mirrored_b)
                    own = run_at(t, o, spot_b, two_on.places, lines_b.own, row_1, mid)
                    with_4 = OrientedSpawnPlaces(to_b, mirrored_b, own, two_on)
                    at = _solve_part(t, o, part, n_upper, with_2, with_4, spawn4, after.values)
                i += _ONE


@kernel
def mark_spawned_oriented(t, o, blocks, lo, hi, after, exponent, places, shift, marks, scratch):
    """Do the work of `mark_spawned` for an Orientation `o`; `scratch` is int64[4, 12]."""
    to, mirrored = scratch[0], scratch[2]
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        if position(after.indexed, block.start) == position(after.indexed, block.start + block.n):
            continue
        row_0, row_1, a = block.row_0, block.row_1, block.arrangement
        spot, lists = spot_of(t, places, a), lists_of(t.arrangement, a)
        lines, most = lines_of(t, o, spot, row_0), most_mid(o, row_1)
        for pair in range(o.pair_begin[block.rest], o.pair_begin[block.rest + 1]):
            first_run, n, rest_3, i = pair_runs(o, block, pair)
            while o.mids[i] <= most:
                mid, run = o.mids[i], first_run + o.mid_indices[i] * n
                i += _ONE
                if position(after.indexed, run) == position(after.indexed, run + n):
                    continue
                upper = UpperRows(lines, row_1, mid)
                n_upper = _upper_spawns(t, o, spot, places, exponent, row_0, upper, to, mirrored)
                for c in range(n_upper):
                    mark_slots(to[c], n, shift, marks)
                own = run_at(t, o, spot, places, lines.own, row_1, mid)
                n_own = t.count_3[lists.inner_sums + np.uint64(rest_3 + exponent)]
                mark_slots(own, n_own, shift, marks)


@inline_kernel
def _upper_spawns(t, o, spot, places, exponent, row_0, upper, to, mirrored):
    """Fill in `to` and `mirrored` of OrientedSpawnPlaces; return the number of free upper cells."""
    row_1, mid, lines = upper.row_1, upper.mid, upper.lines
    n = 0
    for shift in range(0, 16, 4):
        new = exponent << shift
        if (row_0 >> shift) & 15 == 0:
            grown = UpperRows(lines_of(t, o, spot, row_0 | new), row_1, mid)
            to[n], mirrored[n] = image_of(t, o, spot, places, grown)
            n += 1
        if (row_1 >> shift) & 15 == 0:
            grown = UpperRows(lines, row_1 | new, mid)
            to[n], mirrored[n] = image_of(t, o, spot, places, grown)
            n += 1
        if (mid >> shift) & 15 == 0:
            grown = UpperRows(lines, row_1, mid | new)
            to[n], mirrored[n] = image_of(t, o, spot, places, grown)
            n += 1
    return n


@inline_kernel
def _solve_part(t, o, part, n_upper, with_2, with_4, spawn4, values):
    """Fill the values of a part of a run; return the position after the last one."""
    to_a, mirrored_a, own_a = with_2.to, with_2.mirrored, with_2.own
    to_b, mirrored_b, own_b = with_4.to, with_4.mirrored, with_4.own
    index_a, values_a = with_2.pre.indexed, with_2.pre.values
    index_b, values_b = with_4.pre.indexed, with_4.pre.values
    bits, at = part.bits, part.at
    while bits != _ZERO:
        inner = np.int64(trailing_zeros(bits)) + part.done
        bits &= bits - _ONE
        k = np.uint64(part.begin + inner)
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
        # A board without a free cell can only be a seed; nothing can follow from it.
        values[at] = ((1.0 - spawn4) * sum_a + spawn4 * sum_b) / max(n_upper + n_inner, 1)
        at += 1
    return at
