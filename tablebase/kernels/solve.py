"""The backward half-steps: how likely the target is.

``V(pre) = max over legal moves of A(after)``, 1 when a move reaches the target; and
``A(after) = mean over free cells of (1 - spawn4) V(pre with 2) + spawn4 V(pre with 4)``.
All values are float64; each is computed by one thread from finished ones, in one order, so the
result does not depend on the number of threads.
"""

from typing import NamedTuple

import numpy as np

from engine.jit import inline_kernel, kernel, popcount, trailing_zeros
from tablebase.kernels.batched_lookup import look_up_moved, look_up_moved_images, raise_to_values
from tablebase.kernels.bits import position, read_indexed, read_window, value_of
from tablebase.kernels.block_addressing import (
    block_slot,
    run_slot,
    spot_of,
)
from tablebase.kernels.block_moves import (
    column_slides,
    moved_run,
    outer_of,
    row_slides,
)
from tablebase.kernels.layer_boards import Queue, Solved
from tablebase.kernels.layer_walk import (
    Part,
    block_at,
    first_row,
    lists_of,
    run_of,
    slides_of,
)
from tablebase.kernels.shifting_expand import PLENTY
from tablebase.rank.kernel_tables import I64, PAIR, REACHED, REACHES

_ONE, _ZERO = np.uint64(1), np.uint64(0)


class Grown(NamedTuple):
    """Where the boards of a block lie after a new tile of one kind, and the values there.

    Attributes
    ----------
    outer : int64[8]
        For each free outer cell, the block with the tile in it, less the block's own first slot.
    mid : int64[8]
        Working memory for the same of a run: where the run begins with the tile in its mid row.
    block : int64
        First slot of the block of the same outer rows.
    pre : Solved
        The pre-states there.
    """

    outer: I64
    mid: I64
    block: int
    pre: Solved


@kernel
def solve_moves(t, blocks, lo, hi, pre, after, waiting, rows_only, as_images):
    """Fill the values of the pre-states of some blocks from the after-states of their layer.

    Parameters
    ----------
    t : KernelTables
    blocks : Blocks
        Those from `lo` to `hi` are solved.
    pre : Solved
        The pre-states; their values are overwritten for these blocks.
    after : Solved
        The after-states of the same layer; all that can come up are there.
    waiting : uint64[4, MOST_WAITING]
        Working memory of the calling thread.
    rows_only : bool
        Whether to leave out moves along the columns (see tablebase.kernels.diagonal).
    as_images : bool
        Whether to look them up as what they are worth there: as moves along the rows of the
        transposed boards. Values of images differ by rounding.

    Notes
    -----
    For formations whose F tiles never move, see `tablebase.kernels.shifting_solve` for others. What
    a move does with the boards of a run is known at once (see tablebase.rank.slide_masks): one loop
    for each move, over the boards for which it is legal, takes far less time than to ask each
    board.
    """
    places = blocks.places
    spot, lists = spot_of(t, places, 0), lists_of(t.arrangement, 0)
    going_up, going_down = Queue(waiting[0], waiting[1]), Queue(waiting[2], waiting[3])
    n_up = n_down = _ZERO
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        at = np.uint64(position(pre.indexed, block.start))
        end = np.uint64(position(pre.indexed, block.start + block.n))
        if at == end:
            continue
        for k in range(at, end):
            pre.values[k] = 0.0
        outer = outer_of(t, spot, places, block)
        inside = 0
        for i in range(t.row_end[lists.mid_sums + block.rest]):
            run = run_of(t.sums, t.count_3, lists, block, i)
            for done in range(0, run.n, 64):
                bits = read_indexed(pre.indexed, block.start + inside + done, run.n - done)
                if bits == _ZERO:
                    continue
                part = Part(bits, lists.inners + t.row_begin[run.sums], done, run.n, at)
                j, mid_row = run.mid, t.rows[run.mid]
                slides = slides_of(t.slide_part, lists, run, done)
                moved = moved_run(
                    spot, outer.left, t.left_step[j], t.row_left[mid_row], run, inside
                )
                stays, _ = row_slides(t.row_slides, slides, 0, moved.flags, bits)
                _slide_run(t.left, part, stays, moved, after, pre.values)
                moved = moved_run(
                    spot, outer.right, t.right_step[j], t.row_right[mid_row], run, inside
                )
                stays, _ = row_slides(t.row_slides, slides, 1, moved.flags, bits)
                _slide_run(t.right, part, stays, moved, after, pre.values)
                at += popcount(bits)
                if rows_only:
                    continue
                columns = outer.columns | t.mid_columns[j]
                up, _, down, _ = column_slides(t, spot, slides, columns, bits)
                n_up = _put_columns(t.inner_columns, columns, part, up, going_up, n_up)
                n_down = _put_columns(t.inner_columns, columns, part, down, going_down, n_down)
                if n_up > PLENTY:
                    n_up = _raise_all(
                        t, t.column_up, spot, going_up, n_up, after, pre.values, as_images
                    )
                if n_down > PLENTY:
                    n_down = _raise_all(
                        t, t.column_down, spot, going_down, n_down, after, pre.values, as_images
                    )
            inside += run.n
    _raise_all(t, t.column_up, spot, going_up, n_up, after, pre.values, as_images)
    _raise_all(t, t.column_down, spot, going_down, n_down, after, pre.values, as_images)


@inline_kernel
def _slide_run(moves, part, chosen, moved, after, pre_values):
    """Raise the values of chosen boards of a part of a run to those of moves along the rows.

    The moves are legal ones, `moved` is the MovedRun.
    """
    if chosen == _ZERO:
        return
    flags, first = moved.flags, first_row(part)
    to = 0 if flags & REACHES != 0 else moved.slot  # there is no such run
    there, before = read_window(after.indexed, to)
    while chosen != _ZERO:
        lowest = chosen & (~chosen + _ONE)
        move = np.int64(moves[first + trailing_zeros(chosen)])
        chosen ^= lowest
        if part.n <= 64:
            below = (_ONE << np.uint64(move & 0x3F)) - _ONE
            value = after.values[before + popcount(there & below)]
        else:
            value = value_of(after.indexed, after.values, to + (move & 0x7F))
        value = 1.0 if (flags | move) & REACHES != 0 else value
        here = part.at + popcount(part.bits & (lowest - _ONE))
        pre_values[here] = max(pre_values[here], value)


@inline_kernel
def _put_columns(inner_columns, columns, part, chosen, queue, n):
    """Put the columns of chosen boards of a part, with their positions, behind n others."""
    first = first_row(part)
    while chosen != _ZERO:
        lowest = chosen & (~chosen + _ONE)
        queue.boards[n] = columns | inner_columns[first + trailing_zeros(chosen)]
        queue.positions[n] = part.at + popcount(part.bits & (lowest - _ONE))
        chosen ^= lowest
        n += _ONE
    return n


@inline_kernel
def _raise_all(t, spread, spot, queue, n, after, pre_values, as_images):
    """Raise values to those of n boards moved along their columns; return how many are left: 0."""
    if as_images:
        look_up_moved_images(t, spread, spot, after.places, queue.boards, n)
    else:
        look_up_moved(t, spread, spot, after.places, queue.boards, n)
    raise_to_values(after.indexed, after.values, queue.boards, queue.positions, n, pre_values)
    return _ZERO


@kernel
def solve_spawns(t, blocks, lo, hi, after, one_on, two_on, spawn4, scratch):
    """Fill the values of the after-states of some blocks from the pre-states of the next layers.

    Parameters
    ----------
    t, blocks, lo, hi
        As in `solve_moves`.
    after : Solved
        The after-states of a layer; values are overwritten for these blocks.
    one_on, two_on : Solved
        The pre-states one and two layers further.
    spawn4 : float
        Probability that a new tile is a 4.
    scratch : int64[4, 8]
        Working memory of the calling thread.
    """
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        at = position(after.indexed, block.start)
        if at == position(after.indexed, block.start + block.n):
            continue
        row_0, row_1, a = block.row_0, block.row_1, block.arrangement
        spot, spot_b = spot_of(t, one_on.places, a), spot_of(t, two_on.places, a)
        n_outer = _outer_spawns(t, spot, one_on.places, 1, block, scratch[0])
        _outer_spawns(t, spot_b, two_on.places, 2, block, scratch[1])
        with_2 = Grown(
            scratch[0], scratch[2], block_slot(t, spot, one_on.places, row_0, row_1), one_on
        )
        with_4 = Grown(
            scratch[1], scratch[3], block_slot(t, spot_b, two_on.places, row_0, row_1), two_on
        )
        lists, slot = lists_of(t.arrangement, a), block.start
        for i in range(t.row_end[lists.mid_sums + block.rest]):
            run = run_of(t.sums, t.count_3, lists, block, i)
            done = 0
            while done < run.n:
                bits = read_indexed(after.indexed, slot + done, run.n - done)
                if bits != _ZERO:
                    part = Part(bits, lists.inners + t.row_begin[run.sums], done, run.n, at)
                    at = _solve_part(
                        t, spot, block, run, part, slot + done, n_outer, with_2, with_4,
                        spawn4, after.values,
                    )  # fmt: skip
                done += 64
            slot += run.n


@kernel
def mark_grown(t, blocks, lo, hi, after, exponent, places, shift, marks):
    """Mark the pieces of a layer that `solve_spawns` reads for some blocks.

    Parameters
    ----------
    t, blocks, lo, hi
        As in `solve_spawns`.
    after : Solved
        The after-states whose values it fills; blocks without any are left out.
    exponent : int
        1 for a new 2, 2 for a new 4; also how many layers further the pre-states lie.
    places : Places
        Of their layer.
    shift : int
        A piece has ``1 << shift`` slots.
    marks : bool[...]
        One for each piece; added to.
    """
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        if position(after.indexed, block.start) == position(after.indexed, block.start + block.n):
            continue
        row_0, row_1, a = block.row_0, block.row_1, block.arrangement
        spot = spot_of(t, places, a)
        own = block_slot(t, spot, places, row_0, row_1)
        mark_slots(own, t.count_23[t.arrangement[a, PAIR] + block.rest + exponent], shift, marks)
        for cell in range(0, 16, 4):
            tile = exponent << cell
            if (row_0 >> cell) & 15 == 0:
                mark_slots(block_slot(t, spot, places, row_0 | tile, row_1), block.n, shift, marks)
            if (row_1 >> cell) & 15 == 0:
                mark_slots(block_slot(t, spot, places, row_0, row_1 | tile), block.n, shift, marks)


@inline_kernel
def mark_slots(slot, n, shift, marks):
    """Mark the pieces of n slots from a block's first one on, if there is such a block."""
    if slot >= 0 and n > 0:
        marks[slot >> shift : ((slot + n - 1) >> shift) + 1] = True


@kernel
def _outer_spawns(t, spot, places, exponent, block, found):
    """Fill `found` with the blocks after a new tile in each free outer cell; return how many.

    Relative to the block, so that adding a slot gives the slot.
    """
    row_0, row_1 = block.row_0, block.row_1
    n = 0
    for shift in range(0, 16, 4):
        if (row_0 >> shift) & 15 == 0:
            to = block_slot(t, spot, places, row_0 | (exponent << shift), row_1)
            found[n] = to - block.start
            n += 1
        if (row_1 >> shift) & 15 == 0:
            to = block_slot(t, spot, places, row_0, row_1 | (exponent << shift))
            found[n] = to - block.start
            n += 1
    return n


@kernel
def _solve_part(t, spot, block, run, part, slot, n_outer, with_2, with_4, spawn4, values):
    """Fill the values of a part of a run; return the position after the last one.

    Parameters
    ----------
    t : KernelTables
    spot : Spot
        Of the arrangement, in any layer.
    block, run, part : Block, Run, Part
    slot : int64
        First slot of the part.
    n_outer : int64
        Free outer cells.
    with_2, with_4 : Grown
    spawn4 : float
        Probability that a new tile is a 4.
    values : float64[...]
        Of the after-states.
    """
    code = t.code[spot.code_mid + np.uint64(t.rows[run.mid])]
    to_a = with_2.block + run_slot(t, spot, block.rest + 1, code)
    to_b = with_4.block + run_slot(t, spot, block.rest + 2, code)
    outer_a, mid_a, outer_b, mid_b = with_2.outer, with_2.mid, with_4.outer, with_4.mid
    index_a, values_a = with_2.pre.indexed, with_2.pre.values
    index_b, values_b = with_4.pre.indexed, with_4.pre.values
    n_mid = 0
    for c in range(4):
        new = t.spawn_codes[0, run.mid, c]
        if new >= REACHED:
            break
        mid_a[c] = with_2.block + run_slot(t, spot, block.rest + 1, new) + part.done
        new = t.spawn_codes[1, run.mid, c]
        mid_b[c] = with_4.block + run_slot(t, spot, block.rest + 2, new) + part.done
        n_mid += 1
    bits, at, first = part.bits, part.at, part.begin + part.done
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
