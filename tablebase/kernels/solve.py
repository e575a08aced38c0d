"""The backward half-steps: how likely the target is.

``V(pre) = max over legal moves of A(after)``, 1 when a move reaches the target; and
``A(after) = mean over free cells of (1 - spawn4) V(pre with 2) + spawn4 V(pre with 4)``.
All values are float64; each is computed by one thread from finished ones, in one order, so the
result does not depend on the number of threads.
"""

import numpy as np

from engine.jit import inline_kernel, kernel, popcount, trailing_zeros
from tablebase.kernels.batched_lookup import look_up_moved, raise_to_values
from tablebase.kernels.bits import position, read_indexed, read_window, value_of
from tablebase.kernels.block_addressing import (
    block_slot,
    run_slot,
    spot_of,
)
from tablebase.kernels.block_moves import column_slides, outer_of, row_slides
from tablebase.kernels.shifting_expand import PLENTY
from tablebase.rank.kernel_tables import (
    INNER_ROWS,
    INNER_SUMS,
    MID_ROWS,
    MID_SUMS,
    PAIR,
    REACHED,
    REACHES,
    SLIDES,
)

_ONE, _ZERO = np.uint64(1), np.uint64(0)


@kernel
def solve_moves(t, blocks, lo, hi, pre_index, pre_values, index, values, waiting):
    """Fill the values of the pre-states of some blocks from the after-states of their layer.

    Parameters
    ----------
    t : Tables
    blocks : Blocks
        Those from `lo` to `hi` are solved.
    pre_index : uint64[...]
        Index (see tablebase.kernels.bits) of the pre-states.
    pre_values : float64[n_pre]
        Their values, overwritten for these blocks.
    index, values : uint64[...], float64[n_after]
        The after-states of the same layer; all that can come up are there.
    waiting : uint64[4, MOST_WAITING]
        Working memory of the calling thread.

    Notes
    -----
    For formations whose F tiles never move, see `tablebase.kernels.shifting_solve` for others. What
    a move does with the boards of a run is known at once (see tablebase.rank.slide_masks): one loop
    for each move, over the boards for which it is legal, takes far less time than to ask each
    board.
    """
    places = blocks.places
    spot = spot_of(t, places, 0)
    mids, inners = np.uint64(t.arrangement[0, MID_ROWS]), t.arrangement[0, INNER_ROWS]
    inner_sums = np.uint64(t.arrangement[0, INNER_SUMS])
    going_up, going_down = (waiting[0], waiting[1]), (waiting[2], waiting[3])
    n_up = n_down = _ZERO
    for block in range(lo, hi):
        run, rest = blocks.start[block], blocks.rest[block]
        end = run + t.count_23[t.arrangement[0, PAIR] + rest]
        at, end = np.uint64(position(pre_index, run)), np.uint64(position(pre_index, end))
        if at == end:
            continue
        for k in range(at, end):
            pre_values[k] = 0.0
        outer = outer_of(t, 0, spot, places, blocks.rows[block])
        left, right = outer.left, outer.right
        for i in range(t.row_end[t.arrangement[0, MID_SUMS] + rest]):
            j = mids + np.uint64(i)
            rest_3 = rest - t.sums[j]
            h = inner_sums + np.uint64(rest_3)
            n = t.count_3[h]
            for done in range(0, n, 64):
                bits = read_indexed(pre_index, run + done, n - done)
                if bits == _ZERO:
                    continue
                part = np.uint64(t.slide_part[t.arrangement[0, SLIDES] + rest_3] + (done >> 6))
                first = np.uint64(inners + t.row_begin[h] + done)
                flags = outer.left_flags | t.left_step[j]
                stays, _ = row_slides(t, part, 0, flags, bits)
                to = left + (flags >> 16) * n
                _slide_run(t.left, bits, stays, first, flags, to, n, index, values, pre_values, at)
                flags = outer.right_flags | t.right_step[j]
                stays, _ = row_slides(t, part, 1, flags, bits)
                to = right + (flags >> 16) * n
                _slide_run(t.right, bits, stays, first, flags, to, n, index, values, pre_values, at)
                columns = outer.columns | t.mid_columns[j]
                up, _, down, _ = column_slides(t, spot, part, columns, bits)
                n_up = _put_columns(t, columns, first, bits, up, at, going_up, n_up)
                n_down = _put_columns(t, columns, first, bits, down, at, going_down, n_down)
                at += popcount(bits)
                if n_up > PLENTY:
                    n_up = _raise_all(
                        t, t.column_up, spot, places, going_up, n_up, index, values, pre_values
                    )
                if n_down > PLENTY:
                    n_down = _raise_all(
                        t, t.column_down, spot, places, going_down, n_down,
                        index, values, pre_values,
                    )  # fmt: skip
            run += n
            left += n
            right += n
    _raise_all(t, t.column_up, spot, places, going_up, n_up, index, values, pre_values)
    _raise_all(t, t.column_down, spot, places, going_down, n_down, index, values, pre_values)


@inline_kernel
def _slide_run(moves, bits, chosen, first, flags, to, n, index, values, pre_values, at):
    """Raise the values of the chosen ones of `bits` to those of legal moves along the rows.

    The run of n slots from `to` on is where they lead, `flags` are the upper rows', `at` is the
    position of the first of `bits`.
    """
    if chosen == _ZERO:
        return
    if flags & REACHES != 0:
        to = 0  # there is no such run
    there, before = read_window(index, to)
    while chosen != _ZERO:
        lowest = chosen & (~chosen + _ONE)
        move = np.int64(moves[first + trailing_zeros(chosen)])
        chosen ^= lowest
        if n <= 64:
            value = values[before + popcount(there & ((_ONE << np.uint64(move & 0x3F)) - _ONE))]
        else:
            value = value_of(index, values, to + (move & 0x7F))
        value = 1.0 if (flags | move) & REACHES != 0 else value
        here = at + popcount(bits & (lowest - _ONE))
        pre_values[here] = max(pre_values[here], value)


@inline_kernel
def _put_columns(t, columns, first, bits, chosen, at, queue, n):
    """Put the columns of the chosen ones of `bits`, with their positions, behind n others."""
    while chosen != _ZERO:
        lowest = chosen & (~chosen + _ONE)
        queue[0][n] = columns | t.inner_columns[first + trailing_zeros(chosen)]
        queue[1][n] = at + popcount(bits & (lowest - _ONE))
        chosen ^= lowest
        n += _ONE
    return n


@inline_kernel
def _raise_all(t, spread, spot, places, queue, n, index, values, pre_values):
    """Raise values to those of n boards moved along their columns; return how many are left: 0."""
    look_up_moved(t, spread, spot, places, queue[0], n)
    raise_to_values(index, values, queue[0], queue[1], n, pre_values)
    return _ZERO


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
