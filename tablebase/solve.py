"""The backward half-steps: how likely the target is.

``V(pre) = max over legal moves of A(after)``, 1 when a move reaches the target; and
``A(after) = mean over free cells of (1 - spawn4) V(pre with 2) + spawn4 V(pre with 4)``.
All values are float64; each is computed by one thread from finished ones, in one order, so the
result does not depend on the number of threads.
"""

import numpy as np

from engine.jit import inline_kernel, kernel, trailing_zeros
from tablebase.bits import position, read_indexed, value_of
from tablebase.lines import (
    block_slot,
    board_slot,
    moved_columns,
    run_slot,
    spot_of,
)
from tablebase.tables import (
    INNER_ROWS,
    INNER_SUMS,
    MID_ROWS,
    MID_SUMS,
    MOVED,
    PAIR,
    REACHED,
    REACHES,
    SHIFTS,
)
from tablebase.walk import may_slide, outer_of

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

    Notes
    -----
    For formations whose F tiles never move, see `tablebase.shifting_solve` for others.
    """
    places = blocks.places
    for block in range(lo, hi):
        start, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        at = position(pre_index, start)
        if at == position(pre_index, start + t.count_23[t.arrangement[a, PAIR] + rest]):
            continue
        spot = spot_of(t, places, a)
        outer = outer_of(t, a, spot, places, blocks.rows[block])
        left, right = outer.left, outer.right
        run = start
        mids, inners = np.uint64(t.arrangement[a, MID_ROWS]), t.arrangement[a, INNER_ROWS]
        inner_sums = np.uint64(t.arrangement[a, INNER_SUMS])
        for i in range(t.row_end[t.arrangement[a, MID_SUMS] + rest]):
            j = mids + np.uint64(i)
            rest_3 = rest - t.sums[j]
            h = inner_sums + np.uint64(rest_3)
            n = t.count_3[h]
            for done in range(0, n, 64):
                bits = read_indexed(pre_index, run + done, n - done)
                if bits == _ZERO:
                    continue
                first = inners + t.row_begin[h] + done
                mid_row = t.rows[j]
                up, down = may_slide(t, a, outer, bits, done, rest_3, mid_row)
                at = _solve_run_moves(
                    t, a, spot, bits, up, down, first,
                    outer.rows | (np.uint64(mid_row) << spot.shift_2),
                    outer.columns | t.mid_columns[j],
                    outer.left_flags | t.left_step[j], left + (t.left_step[j] >> 16) * n,
                    outer.right_flags | t.right_step[j], right + (t.right_step[j] >> 16) * n,
                    places, index, values, pre_values, at,
                )  # fmt: skip
            run += n
            left += n
            right += n


@inline_kernel
def _solve_run_moves(
    t,
    a,
    spot,
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
    places,
    index,
    values,
    pre_values,
    at,
):
    """Fill the values of up to 64 slots of one run; return the position after the last one.

    `up` and `down` are those of `bits` that are not stuck, `upper` and `columns` the upper rows;
    `to_left` and `to_right` the runs that moves along the rows lead to, with the upper rows' flags
    and what these look like then.
    """
    f_cells = t.f_cells[a]
    while bits != _ZERO:
        lowest = bits & (~bits + _ONE)
        k = np.uint64(first) + trailing_zeros(bits)
        bits ^= lowest
        row = t.rows[k]
        move = np.int64(t.left[k])
        flags = left_flags | move
        best = 0.0
        if flags & (MOVED | SHIFTS) == MOVED:
            best = _slide_value(flags, to_left + (move & 0x7F), index, values)
        move = np.int64(t.right[k])
        flags = right_flags | move
        if flags & (MOVED | SHIFTS) == MOVED:
            best = max(best, _slide_value(flags, to_right + (move & 0x7F), index, values))
        all_columns = columns | t.inner_columns[k]
        board = upper | (np.uint64(row) << spot.shift_3)
        if up & lowest != _ZERO:
            moved = moved_columns(t.column_up, spot.columns, all_columns)
            stays = moved & f_cells == f_cells
            if stays & (moved != board):
                slot = board_slot(t, spot, places, moved)
                best = max(best, value_of(index, values, slot) if slot >= 0 else 1.0)
        if down & lowest != _ZERO:
            moved = moved_columns(t.column_down, spot.columns, all_columns)
            stays = moved & f_cells == f_cells
            if stays & (moved != board):
                slot = board_slot(t, spot, places, moved)
                best = max(best, value_of(index, values, slot) if slot >= 0 else 1.0)
        pre_values[at] = best
        at += 1
    return at


@inline_kernel
def _slide_value(flags, slot, index, values):
    """Return the value after a legal move along the rows that shifts no F."""
    return 1.0 if flags & REACHES != 0 else value_of(index, values, slot)


@kernel
def solve_spawns(
    t,
    blocks,
    lo,
    hi,
    index,
    values,
    places_a,
    index_a,
    values_a,
    places_b,
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
    places_a, index_a, values_a
        Places, index and values of the pre-states one layer further.
    places_b, index_b, values_b
        The same two layers further.
    spawn4 : float
        Probability that a new tile is a 4.
    scratch : int64[4, 8]
        Working memory of the calling thread.
    """
    outer_a, outer_b, mid_a, mid_b = scratch[0], scratch[1], scratch[2], scratch[3]
    for block in range(lo, hi):
        start, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        at = position(index, start)
        if at == position(index, start + t.count_23[t.arrangement[a, PAIR] + rest]):
            continue
        row_0, row_1 = blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF
        spot_a, spot_b = spot_of(t, places_a, a), spot_of(t, places_b, a)
        n_outer = _outer_spawns(t, spot_a, places_a, 1, row_0, row_1, outer_a)
        _outer_spawns(t, spot_b, places_b, 2, row_0, row_1, outer_b)
        for c in range(n_outer):  # relative to the block, so that adding a slot gives the slot
            outer_a[c] -= start
            outer_b[c] -= start
        block_a = block_slot(t, spot_a, places_a, row_0, row_1)
        block_b = block_slot(t, spot_b, places_b, row_0, row_1)
        run = start
        mids, inners = np.uint64(t.arrangement[a, MID_ROWS]), t.arrangement[a, INNER_ROWS]
        inner_sums = np.uint64(t.arrangement[a, INNER_SUMS])
        for i in range(t.row_end[t.arrangement[a, MID_SUMS] + rest]):
            j = mids + np.uint64(i)
            rest_3 = rest - t.sums[j]
            h = inner_sums + np.uint64(rest_3)
            n = t.count_3[h]
            done = 0
            while done < n:
                bits = read_indexed(index, run + done, n - done)
                if bits != _ZERO:
                    at = _solve_run(
                        t, spot_a, bits, run + done, done, rest, j,
                        inners + t.row_begin[h] + done, outer_a, outer_b, n_outer,
                        mid_a, mid_b, block_a, block_b, index_a, values_a, index_b, values_b,
                        spawn4, values, at,
                    )  # fmt: skip
                done += 64
            run += n


@kernel
def _outer_spawns(t, spot, places, exponent, row_0, row_1, found):
    """Fill `found` with the blocks after a new tile in each free outer cell; return how many."""
    n = 0
    for shift in range(0, 16, 4):
        if (row_0 >> shift) & 15 == 0:
            found[n] = block_slot(t, spot, places, row_0 | (exponent << shift), row_1)
            n += 1
        if (row_1 >> shift) & 15 == 0:
            found[n] = block_slot(t, spot, places, row_0, row_1 | (exponent << shift))
            n += 1
    return n


@kernel
def _solve_run(
    t,
    spot,
    bits,
    slot,
    done,
    rest,
    j,
    first,
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
    code = t.code[spot.code_mid + np.uint64(t.rows[j])]
    to_a = block_a + run_slot(t, spot, rest + 1, code)
    to_b = block_b + run_slot(t, spot, rest + 2, code)
    n_mid = 0
    for c in range(4):
        new = t.spawn_codes[0, j, c]
        if new >= REACHED:
            break
        mid_a[c] = block_a + run_slot(t, spot, rest + 1, new) + done
        new = t.spawn_codes[1, j, c]
        mid_b[c] = block_b + run_slot(t, spot, rest + 2, new) + done
        n_mid += 1
    while bits != _ZERO:
        k = np.int64(trailing_zeros(bits))
        bits &= bits - _ONE
        sum_a = sum_b = 0.0
        for c in range(n_outer):
            sum_a += value_of(index_a, values_a, outer_a[c] + slot + k)
            sum_b += value_of(index_b, values_b, outer_b[c] + slot + k)
        for c in range(n_mid):
            sum_a += value_of(index_a, values_a, mid_a[c] + k)
            sum_b += value_of(index_b, values_b, mid_b[c] + k)
        inner = np.uint64(first + k)
        n_inner = np.int64(t.free[inner])
        for c in range(n_inner):
            sum_a += value_of(index_a, values_a, to_a + np.int64(t.spawn_index[0, inner, c]))
            sum_b += value_of(index_b, values_b, to_b + np.int64(t.spawn_index[1, inner, c]))
        n_free = n_outer + n_mid + n_inner
        # A board without a free cell can only be a seed; nothing can come of it.
        values[at] = ((1.0 - spawn4) * sum_a + spawn4 * sum_b) / max(n_free, 1)
        at += 1
    return at
