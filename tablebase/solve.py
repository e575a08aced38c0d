"""The backward half-steps: how likely the target is.

``V(pre) = max over legal moves of A(after)``, 1 when a move reaches the target; and
``A(after) = mean over free cells of (1 - spawn4) V(pre with 2) + spawn4 V(pre with 4)``.
All values are float64; each is computed by one thread from finished ones, in one order, so the
result does not depend on the number of threads.
"""

import numpy as np

from engine.jit import inline_kernel, kernel, trailing_zeros
from tablebase.bits import position, read_indexed
from tablebase.lines import (
    IS_REACHED,
    block_slot,
    board_slot,
    columns_of,
    may_slide,
    moved_columns,
    run_slot,
)
from tablebase.tables import LEAVES, MOVED, REACHED, REACHES, STUCK_DOWN, STUCK_UP

_ONE, _ZERO = np.uint64(1), np.uint64(0)


@kernel
def solve_moves(t, blocks, lo, hi, pre_index, pre_values, index, values):
    """Fill the values of the pre-states of some blocks from the after-states of their layer.

    Parameters
    ----------
    t : Tables
    blocks : Blocks
        Those from `lo` to `hi` are solved.
    pre_index : uint64[...]
        Index (see tablebase.bits) of the pre-states.
    pre_values : float64[n_pre]
        Their values, overwritten for these blocks.
    index, values : uint64[...], float64[n_after]
        The after-states of the same layer; all that can come up are there.
    """
    place = blocks.place
    for block in range(lo, hi):
        start, rest = blocks.start[block], blocks.rest[block]
        row_0, row_1 = blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF
        left_0, left_1 = np.int64(t.row_left[row_0]), np.int64(t.row_left[row_1])
        right_0, right_1 = np.int64(t.row_right[row_0]), np.int64(t.row_right[row_1])
        left = block_slot(t, place, left_0, left_1)
        right = block_slot(t, place, right_0, right_1)
        outer_left = _flags_of(left, left_0 != row_0 or left_1 != row_1)
        outer_right = _flags_of(right, right_0 != row_0 or right_1 != row_1)
        outer = (np.uint64(row_0) << t.shift[0]) | (np.uint64(row_1) << t.shift[1])
        outer_columns = columns_of(row_0, row_1)
        stuck = t.outer_stuck[0, row_0] | t.outer_stuck[1, row_1]
        run = start
        at = position(pre_index, start)
        for j in range(t.mid_end[rest]):
            rest_3 = rest - t.mid_sums[j]
            n = t.count_3[rest_3]
            for done in range(0, n, 64):
                bits = read_indexed(pre_index, run + done, n - done)
                if bits == _ZERO:
                    continue
                first = t.inner_first[rest_3] + done
                mid_row = t.mid_rows[j]
                columns = outer_columns | t.mid_columns[j]
                upper = outer | (np.uint64(mid_row) << t.shift[2])
                up = down = _ZERO
                run_stuck = stuck | t.mid_stuck[j]
                if run_stuck & STUCK_UP == 0:
                    up = may_slide(bits, done, 0, t.inner_open, t.inner_clash, rest_3, mid_row)
                if run_stuck & STUCK_DOWN == 0:
                    down = may_slide(bits, done, 1, t.inner_open, t.inner_clash, rest_3, mid_row)
                at = _solve_run_moves(
                    t, bits, up, down, first, upper, columns,
                    outer_left | t.mid_left[j], left + (t.mid_left[j] >> 16) * n,
                    outer_right | t.mid_right[j], right + (t.mid_right[j] >> 16) * n,
                    place, index, values, pre_values, at,
                )  # fmt: skip
            run += n
            left += n
            right += n


@inline_kernel
def _flags_of(slot, moved):
    """Return the flags of the two outer rows' move, given the block it leads to."""
    flags = MOVED if moved else 0
    if slot < 0:
        flags |= REACHES if slot == IS_REACHED else LEAVES
    return flags


@kernel
def _solve_run_moves(
    t,
    bits,
    up,
    down,
    first,
    upper,
    columns,
    left_flags,
    to_left,
    right_flags,
    to_right,
    place,
    index,
    values,
    pre_values,
    at,
):
    """Fill the values of up to 64 slots of one run; return the position after the last one.

    `up` and `down` are those of `bits` that are not stuck, `upper` and `columns` the upper rows;
    `to_left` and `to_right` the runs that moves along the rows lead to, with the upper rows' flags.
    """
    locked = t.locked[0]
    shift_0, shift_1, shift_2, shift_3 = t.shift[0], t.shift[1], t.shift[2], t.shift[3]
    while bits != _ZERO:
        lowest = bits & (~bits + _ONE)
        k = first + np.int64(trailing_zeros(bits))
        bits ^= lowest
        move = np.int64(t.inner_left[k])
        best = _slide_value(left_flags | move, to_left, move, index, values)
        move = np.int64(t.inner_right[k])
        best = max(best, _slide_value(right_flags | move, to_right, move, index, values))
        all_columns = columns | t.inner_columns[k]
        board = upper | (np.uint64(t.inner_rows[k]) << shift_3)
        if up & lowest != _ZERO:
            moved = moved_columns(t.column_up, all_columns)
            if moved != board and moved & locked == locked:
                slot = board_slot(t, shift_0, shift_1, shift_2, shift_3, place, moved)
                best = max(best, values[position(index, slot)] if slot >= 0 else 1.0)
        if down & lowest != _ZERO:
            moved = moved_columns(t.column_down, all_columns)
            if moved != board and moved & locked == locked:
                slot = board_slot(t, shift_0, shift_1, shift_2, shift_3, place, moved)
                best = max(best, values[position(index, slot)] if slot >= 0 else 1.0)
        pre_values[at] = best
        at += 1
    return at


@inline_kernel
def _slide_value(flags, to, move, index, values):
    """Return the value after a move along the rows; 0 when it is illegal."""
    value = 0.0
    if flags & (MOVED | LEAVES) == MOVED:
        value = 1.0
        if flags & REACHES == 0:
            value = values[position(index, to + (move & 0x7F))]
    return value


@kernel
def solve_spawns(
    t,
    blocks,
    lo,
    hi,
    index,
    values,
    place_a,
    index_a,
    values_a,
    place_b,
    index_b,
    values_b,
    spawn4,
    scratch,
):
    """Fill the values of the after-states of some blocks from the pre-states of the next layers.

    Parameters
    ----------
    t, blocks, lo, hi
        As in `solve_moves`.
    index, values : uint64[...], float64[n_after]
        The after-states of a layer; values are overwritten for these blocks.
    place_a, index_a, values_a
        The blocks' places, index and values of the pre-states one layer further.
    place_b, index_b, values_b
        The same two layers further.
    spawn4 : float
        Probability that a new tile is a 4.
    scratch : int64[4, 8]
        Working memory of the calling thread.
    """
    outer_a, outer_b, mid_a, mid_b = scratch[0], scratch[1], scratch[2], scratch[3]
    for block in range(lo, hi):
        start, rest = blocks.start[block], blocks.rest[block]
        row_0, row_1 = blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF
        n_outer = _outer_spawns(t, place_a, 1, row_0, row_1, outer_a)
        _outer_spawns(t, place_b, 2, row_0, row_1, outer_b)
        for c in range(n_outer):  # relative to the block, so that adding a slot gives the slot
            outer_a[c] -= start
            outer_b[c] -= start
        block_a = block_slot(t, place_a, row_0, row_1)
        block_b = block_slot(t, place_b, row_0, row_1)
        run = start
        at = position(index, start)
        for j in range(t.mid_end[rest]):
            rest_3 = rest - t.mid_sums[j]
            n = t.count_3[rest_3]
            done = 0
            while done < n:
                bits = read_indexed(index, run + done, n - done)
                if bits != _ZERO:
                    at = _solve_run(
                        t, bits, run + done, done, rest, j, outer_a, outer_b, n_outer,
                        mid_a, mid_b, block_a, block_b, index_a, values_a, index_b, values_b,
                        spawn4, values, at,
                    )  # fmt: skip
                done += 64
            run += n


@kernel
def _outer_spawns(t, place, exponent, row_0, row_1, found):
    """Fill `found` with the blocks after a new tile in each free outer cell; return how many."""
    n = 0
    for shift in range(0, 16, 4):
        if (row_0 >> shift) & 15 == 0:
            found[n] = block_slot(t, place, row_0 | (exponent << shift), row_1)
            n += 1
        if (row_1 >> shift) & 15 == 0:
            found[n] = block_slot(t, place, row_0, row_1 | (exponent << shift))
            n += 1
    return n


@kernel
def _solve_run(
    t,
    bits,
    slot,
    done,
    rest,
    j,
    outer_a,
    outer_b,
    n_outer,
    mid_a,
    mid_b,
    block_a,
    block_b,
    index_a,
    values_a,
    index_b,
    values_b,
    spawn4,
    values,
    at,
):
    """Fill the values of up to 64 slots of one run; return the position after the last one."""
    rest_3 = rest - t.mid_sums[j]
    first = t.inner_first[rest_3] + done
    code = t.code[0, t.mid_rows[j]]
    to_a = block_a + run_slot(t.runs, rest + 1, code)
    to_b = block_b + run_slot(t.runs, rest + 2, code)
    n_mid = 0
    for c in range(4):
        new = t.mid_spawn[0, j, c]
        if new >= REACHED:
            break
        mid_a[c] = block_a + run_slot(t.runs, rest + 1, new) + done
        new = t.mid_spawn[1, j, c]
        mid_b[c] = block_b + run_slot(t.runs, rest + 2, new) + done
        n_mid += 1
    while bits != _ZERO:
        k = np.int64(trailing_zeros(bits))
        bits &= bits - _ONE
        sum_a = sum_b = 0.0
        for c in range(n_outer):
            sum_a += values_a[position(index_a, outer_a[c] + slot + k)]
            sum_b += values_b[position(index_b, outer_b[c] + slot + k)]
        for c in range(n_mid):
            sum_a += values_a[position(index_a, mid_a[c] + k)]
            sum_b += values_b[position(index_b, mid_b[c] + k)]
        n_inner = np.int64(t.inner_free[first + k])
        for c in range(n_inner):
            sum_a += values_a[position(index_a, to_a + np.int64(t.inner_spawn[0, first + k, c]))]
            sum_b += values_b[position(index_b, to_b + np.int64(t.inner_spawn[1, first + k, c]))]
        n_free = n_outer + n_mid + n_inner
        # A board without a free cell can only be a seed; nothing can come of it.
        values[at] = ((1.0 - spawn4) * sum_a + spawn4 * sum_b) / max(n_free, 1)
        at += 1
    return at
