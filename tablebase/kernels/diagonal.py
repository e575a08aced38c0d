"""Formations that are their own transposed image: half of the work for column moves.

A move of a board along its columns is the move along the rows of its transposed image, transposed;
and both are held. So the kernels of tablebase.kernels.expand and tablebase.kernels.solve only try
the rows of every board, and this module exchanges the results between a board and its image: one
lookup for each two boards instead of two for each board. F tiles never move here. If rows may be
mirrored as well, fewer images are held: see tablebase.kernels.transposed.
"""

from typing import NamedTuple

import numpy as np

from engine.kernels.symmetry import transpose
from engine.platform.array_types import I64, U64
from engine.platform.jit import (
    inline_kernel,
    kernel,
    popcount,
    prefetch,
    put,
    queued,
    trailing_zeros,
)
from tablebase.kernels.batched_lookup import look_up_transposed
from tablebase.kernels.bits import is_empty, position, read_bits, read_indexed, set_bit
from tablebase.kernels.block_addressing import run_slot, spot_of, upper_rows
from tablebase.kernels.layer_boards import Queue
from tablebase.kernels.layer_walk import (
    SlotPart,
    block_at,
    first_row,
    lists_of,
    rows_below,
    run_of,
    slides_of,
)
from tablebase.kernels.shifting_expand import PLENTY


class Outside(NamedTuple):
    """Which images of boards are outside, and a list of those that were found."""

    # Images in slots from `first` up to `last` are inside.
    first: np.uint64
    last: np.uint64
    # uint64[m]: slots of the others, and positions of the boards whose images they are; m is more
    # than there can be. Both are empty if all are inside.
    slots: U64
    positions: U64
    n: I64  # int64[1]: number of listed ones


_ONE, _TWO, _ZERO = np.uint64(1), np.uint64(2), np.uint64(0)


@kernel
def add_images(t, blocks, lo, hi, found, after, waiting):
    """Add to the after-states the transposed images of some blocks of those in `found`.

    `found` is the bitmap of the results of moves along the rows, `after` the GrowingBitmap of the
    after-states; other parameters as in `expand_moves`.
    """
    spot, lists = spot_of(t, blocks.places, 0), lists_of(t.arrangement, 0)
    queue, n_waiting = waiting[0], _ZERO
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        if is_empty(found, block.start, block.n):
            continue
        outer, slot = upper_rows(spot, block.row_0, block.row_1), block.start
        for i in range(t.row_end[lists.mid_sums + block.rest]):
            run = run_of(t.sums, t.count_3, lists, block, i)
            upper = outer | np.uint64(t.rows[run.mid]) << spot.shift_2
            for done in range(0, run.n, 64):
                bits = read_bits(found, slot + done, run.n - done)
                first = np.uint64(lists.inners + t.row_begin[run.sums] + done)
                while bits != _ZERO:
                    row = np.uint64(t.rows[first + trailing_zeros(bits)])
                    bits &= bits - _ONE
                    queue[n_waiting] = upper | row << spot.shift_3
                    n_waiting += _ONE
                if n_waiting > PLENTY:
                    n_waiting = _add_all(t, spot, blocks.places, queue, n_waiting, after)
            slot += run.n
    _add_all(t, spot, blocks.places, queue, n_waiting, after)


@inline_kernel
def _add_all(t, spot, places, queue, n, after):
    """Add the images of n boards; return the number left: 0."""
    look_up_transposed(t, spot, places, queue, n)
    for i in range(n):
        prefetch(after.words, queue[i] >> np.uint64(6))
    for i in range(n):
        set_bit(after.words, queue[i], after.is_shared)
    return _ZERO


@kernel
def raise_to_images(t, tiles, blocks, order, pre, waiting, outside):
    """Raise the values of the pre-states of some blocks to those of moves along the columns.

    `order` (int64[...]) are the blocks, from `blocks_by_tile`. The values of `pre`, a Solved, are
    as if moves along the columns were not allowed; for a board and its image, the one processed
    raises both, in another block as well. Images that are not inside are listed in `outside`
    instead. Other parameters as in `solve_moves`.

    Of two tiles that hold each other's images, only one is processed; in one that holds its own,
    only one of a board and its image, the one whose inner row is less.
    """
    spot, lists = spot_of(t, blocks.places, 0), lists_of(t.arrangement, 0)
    queue, n_waiting = Queue(waiting[0], waiting[1]), _ZERO
    column_0, column_1 = np.int64(spot.shift_0 >> _TWO), np.int64(spot.shift_1 >> _TWO)
    column_mid, line = np.int64(spot.shift_2 >> _TWO), np.int64(15) << (spot.shift_3 >> _TWO)
    in_tile = ~(line << 16 | line)
    first = last = 0
    while first < order.size:
        rows = blocks.rows[order[first]] & in_tile
        while last < order.size and blocks.rows[order[last]] & in_tile == rows:
            last += 1
        row_0, row_1 = rows >> 16, rows & 0xFFFF
        is_less = (row_0 >> column_1) & 15 < (row_1 >> column_0) & 15
        key = ((row_0 >> column_mid) & 15) << 4 | ((row_1 >> column_mid) & 15)
        for i_key in range(tiles.keys.size):
            if not is_less and tiles.keys[i_key] < key:
                continue
            holds_own = not is_less and tiles.keys[i_key] == key
            for i in range(first, last):
                block = block_at(t.arrangement, t.count_23, blocks, order[i])
                n_waiting = _raise_tile(
                    t, tiles, spot, lists, block, i_key, holds_own, pre, queue, n_waiting, outside
                )
        first = last
    _raise_all(t, spot, pre, queue, n_waiting, outside)


@inline_kernel
def _raise_tile(t, tiles, spot, lists, block, i_key, holds_own, pre, queue, n_waiting, outside):
    """Raise the boards of a block in a tile (see `raise_to_images`); return the number waiting."""
    index, rest = pre.indexed, block.rest
    if position(index, block.start) == position(index, block.start + block.n):
        return n_waiting
    outer = upper_rows(spot, block.row_0, block.row_1)
    for i in range(tiles.begin[i_key], tiles.begin[i_key + 1]):
        number = tiles.mids[i]
        row = np.uint64(t.rows[lists.mids + np.uint64(number)])
        if t.sums[lists.mids + np.uint64(number)] > rest:
            break
        run = run_of(t.sums, t.count_3, lists, block, number)
        slot = block.start + run_slot(t, spot, rest, t.code[spot.code_mid + row])
        upper = outer | row << spot.shift_2
        for done in range(0, run.n, 64):
            bits = read_indexed(index, slot + done, run.n - done)
            if bits == _ZERO:
                continue
            at = np.uint64(position(index, slot + done))
            part = SlotPart(bits, lists.inners + t.row_begin[run.sums], done, run.n, at)
            if holds_own:
                slides = slides_of(t.slide_part, lists, run, done)
                bits &= rows_below(t.low_cells, slides, spot, transpose(upper), False)
            n_waiting = _put_chosen(t.rows, upper, spot, part, bits, queue, n_waiting)
            if n_waiting > PLENTY:
                n_waiting = _raise_all(t, spot, pre, queue, n_waiting, outside)
    return n_waiting


@inline_kernel
def _put_chosen(rows, upper, spot, part, chosen, queue, n):
    at, first = np.uint64(part.at), first_row(part)
    while chosen != _ZERO:
        lowest = chosen & (~chosen + _ONE)
        row = np.uint64(rows[first + trailing_zeros(chosen)])
        chosen ^= lowest
        queue.boards[n] = upper | row << spot.shift_3
        queue.positions[n] = at + popcount(part.bits & (lowest - _ONE))
        n += _ONE
    return n


@inline_kernel
def _raise_all(t, spot, pre, queue, n, outside):
    """Raise the values of n boards and their images to the greater of both; return 0."""
    slots, positions, values = queue.boards, queue.positions, pre.values
    look_up_transposed(t, spot, pre.places, slots, n)
    if outside.slots.size > 0:
        n = _without_outside(slots, positions, n, outside)
    for i in range(n):
        prefetch(pre.indexed, (slots[i] >> np.uint64(6)) << np.uint64(1))
    for turn in range(n):
        i = np.uint64(turn)
        at = np.uint64(position(pre.indexed, queued(slots, i)))
        prefetch(values, at)
        put(slots, i, at)
    for i in range(n):
        value = max(values[positions[i]], values[slots[i]])
        values[positions[i]] = values[slots[i]] = value
    return _ZERO


@inline_kernel
def _without_outside(slots, positions, n, outside):
    """List the outside ones of n images, and close the gaps; return the number left."""
    left, n_outside = _ZERO, np.uint64(outside.n[0])
    for i in range(n):
        slot, at = slots[i], positions[i]
        is_inside = (slot >= outside.first) & (slot < outside.last)
        slots[left], positions[left] = slot, at
        outside.slots[n_outside], outside.positions[n_outside] = slot, at
        left += np.uint64(is_inside)
        n_outside += np.uint64(not is_inside)  # practically random: no branch
    outside.n[0] = n_outside
    return left


@kernel
def count_before(index, slot):
    return position(index, slot)
