"""The backward half-steps: the probability of reaching the target.

``V(pre) = max over legal moves of A(after)``, 1 if a move reaches the target; and
``A(after) = mean over free cells of (1 - spawn4) V(pre with 2) + spawn4 V(pre with 4)``.
All values are float64; each is computed by one thread from finished ones, in one order, so the
result does not depend on the number of threads.
"""

from typing import NamedTuple

import numpy as np

from engine.platform.array_types import I64
from engine.platform.jit import inline_kernel, kernel, popcount, prefetch, trailing_zeros
from tablebase.kernels.batched_lookup import look_up_moved, look_up_moved_images, raise_to_values
from tablebase.kernels.bits import position, read_indexed, read_window, value_of
from tablebase.kernels.block_addressing import block_slot, run_slot, spot_of
from tablebase.kernels.block_moves import column_slides, moved_run, outer_of, row_slides
from tablebase.kernels.layer_boards import Queue, Solved
from tablebase.kernels.layer_walk import SlotPart, block_at, first_row, lists_of, run_of, slides_of
from tablebase.kernels.shifting_expand import PLENTY
from tablebase.rank.kernel_tables import PAIR, REACHED, REACHES

_ZERO, _ONE, _TWO, _64 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(64)
_LINE = np.uint64(8)  # values that are fetched together

AHEAD = 4  # parts of runs whose values are fetched at a time
_OWN, _RUNS, _PART = np.uint64(12), np.uint64(13), np.uint64(14)  # after up to twelve free cells


class SpawnPlaces(NamedTuple):
    """The places of a block's boards after a new tile of one kind, and the values there."""

    # int64[8]: for each free outer cell, the block with the tile in it, minus the block's own first
    # slot.
    outer: I64
    block: int  # int64: first slot of the block of the same outer rows
    pre: Solved  # the pre-states there


@kernel
def solve_moves(t, blocks, lo, hi, pre, after, waiting, rows_only, as_images):
    """Fill the values of the pre-states of some blocks from the after-states of their layer.

    Of the `blocks` those from `lo` to `hi` are solved. The values of `pre`, a Solved, are
    overwritten for these; `after` is the Solved of all after-states that can come up. `waiting`
    (uint64[4, MAX_WAITING]) is working memory of the calling thread. With `rows_only` moves along
    the columns are left out (see tablebase.kernels.diagonal); with `as_images` their values are
    looked up under transposed boards, as moves along the rows of these: values of images differ by
    rounding.

    For formations whose F tiles never move; see `tablebase.kernels.shifting_solve` for others. The
    effect of a move on the boards of a run is computed at once (see tablebase.rank.row_tables):
    one loop for each move, over the boards for which it is legal, is far faster than testing each
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
                part = SlotPart(bits, lists.inners + t.row_begin[run.sums], done, run.n, at)
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
    """Raise the values of chosen boards of a part to those of legal moves along the rows."""
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
    """Append the columns of chosen boards of a part, with their positions, to n others."""
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
    """Raise values to those of n boards moved along their columns; return the number left: 0."""
    if as_images:
        look_up_moved_images(t, spread, spot, after.places, queue.boards, n)
    else:
        look_up_moved(t, spread, spot, after.places, queue.boards, n)
    raise_to_values(after.indexed, after.values, queue.boards, queue.positions, n, pre_values)
    return _ZERO


@kernel
def solve_spawns(t, blocks, lo, hi, after, one_on, two_on, spawn4, scratch, opened):
    """Fill the values of the after-states of some blocks from the pre-states of the next layers.

    The values of `after`, a Solved, are overwritten for these blocks; `one_on` and `two_on` are the
    Solved of the pre-states one and two layers further. `spawn4` is the probability that a new tile
    is a 4. `scratch` (int64[4, 12]) and `opened` (uint64[4, 16 * AHEAD or more]) are working memory
    of the calling thread; other parameters as in `solve_moves`.

    A part of a run needs values from some twenty places. They are prefetched while the parts before
    it are computed, which is a tenth faster than reading each when it is needed.
    """
    n_opened = 0
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        at = np.uint64(position(after.indexed, block.start))
        if at == np.uint64(position(after.indexed, block.start + block.n)):
            continue
        row_0, row_1, a = block.row_0, block.row_1, block.arrangement
        spot, spot_b = spot_of(t, one_on.places, a), spot_of(t, two_on.places, a)
        n_outer = _outer_spawns(t, spot, one_on.places, 1, block, scratch[0])
        _outer_spawns(t, spot_b, two_on.places, 2, block, scratch[1])
        own = block_slot(t, spot, one_on.places, row_0, row_1)
        with_2 = SpawnPlaces(scratch[0], own, one_on)
        own = block_slot(t, spot_b, two_on.places, row_0, row_1)
        with_4 = SpawnPlaces(scratch[1], own, two_on)
        lists, slot = lists_of(t.arrangement, a), block.start
        for i in range(t.row_end[lists.mid_sums + block.rest]):
            run = run_of(t.sums, t.count_3, lists, block, i)
            done = 0
            while done < run.n:
                bits = read_indexed(after.indexed, slot + done, run.n - done)
                if bits != _ZERO:
                    here = _opened_at(n_opened)
                    if n_opened >= AHEAD:
                        _finish_part(t, opened, here, one_on, two_on, spawn4, after.values)
                    part = SlotPart(bits, lists.inners + t.row_begin[run.sums], done, run.n, at)
                    _open_part(
                        t, spot, block, run, part, slot + done, n_outer, with_2, with_4,
                        opened, here,
                    )  # fmt: skip
                    n_opened += 1
                    at += popcount(bits)
                done += 64
            slot += run.n
    for i in range(max(n_opened - AHEAD, 0), n_opened):
        _finish_part(t, opened, _opened_at(i), one_on, two_on, spawn4, after.values)


@inline_kernel
def _opened_at(i):
    return np.uint64(i % AHEAD) * np.uint64(16)


@kernel
def mark_spawned(t, blocks, lo, hi, after, exponent, places, shift, marks):
    """Mark the pieces of a layer that `solve_spawns` reads for some blocks.

    `after` is the Solved whose values are filled; blocks without any are left out. `exponent` is 1
    for a new 2, 2 for a new 4; also the number of layers to the pre-states, whose layer has the
    `places`. A piece has ``1 << shift`` slots; `marks` (bool[...]) has one for each, and is added
    to.
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
    """Fill `found` with the blocks after a tile in each free outer cell, minus the own start."""
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


@inline_kernel
def _open_part(t, spot, block, run, part, slot, n_outer, with_2, with_4, opened, here):
    """Find the values that those of a part of a run depend on, and prefetch them.

    `spot` is that of the arrangement, in any layer; `slot` the first one of the part; `n_outer` the
    number of free outer cells; `with_2` and `with_4` are SpawnPlaces. `opened` (uint64[4, ...])
    receives the data for `_finish_part`, from `here` on: for each free cell of the upper rows the
    bits of the run with a 2 in that cell, the number of boards before these, and the same with a 4;
    and more as the constants of this module say.
    """
    code = t.code[spot.code_mid + np.uint64(t.rows[run.mid])]
    n = _ZERO
    for c in range(n_outer):
        _open_window(with_2.pre, with_2.outer[c] + slot, opened[0], opened[1], here + n)
        _open_window(with_4.pre, with_4.outer[c] + slot, opened[2], opened[3], here + n)
        n += _ONE
    for c in range(4):
        new, other = t.spawn_codes[0, run.mid, c], t.spawn_codes[1, run.mid, c]
        if new >= REACHED:
            break
        to = with_2.block + run_slot(t, spot, block.rest + 1, new) + part.done
        _open_window(with_2.pre, to, opened[0], opened[1], here + n)
        to = with_4.block + run_slot(t, spot, block.rest + 2, other) + part.done
        _open_window(with_4.pre, to, opened[2], opened[3], here + n)
        n += _ONE
    # The same upper rows; there may be no such block if no inner row has a free cell.
    own_2 = max(with_2.block + run_slot(t, spot, block.rest + 1, code), 0)
    own_4 = max(with_4.block + run_slot(t, spot, block.rest + 2, code), 0)
    _open_window(with_2.pre, own_2, opened[0], opened[1], here + _OWN)
    _open_window(with_4.pre, own_4, opened[2], opened[3], here + _OWN)
    longest = max(t.count_3[run.sums + _ONE], t.count_3[run.sums + _TWO])
    opened[0, here + _RUNS], opened[1, here + _RUNS] = np.uint64(own_2), np.uint64(own_4)
    opened[2, here + _RUNS] = np.uint64(longest)
    opened[0, here + _PART], opened[1, here + _PART] = part.bits, np.uint64(part.at)
    opened[2, here + _PART], opened[3, here + _PART] = np.uint64(part.begin + part.done), n


@inline_kernel
def _open_window(pre, slot, bits, before, at):
    """Read the bits of a run that begins in a slot, and prefetch the values of its boards."""
    bits[at], before[at] = read_window(pre.indexed, slot)
    prefetch(pre.values, before[at])
    prefetch(pre.values, before[at] + _LINE)


@inline_kernel
def _finish_part(t, opened, here, one_on, two_on, spawn4, values):
    """Fill the values of a part of a run; parameters as in `_open_part` and `solve_spawns`."""
    bits_2, before_2, bits_4, before_4 = opened[0], opened[1], opened[2], opened[3]
    values_2, values_4 = one_on.values, two_on.values
    bits, at = bits_2[here + _PART], before_2[here + _PART]
    first, n_upper = bits_4[here + _PART], before_4[here + _PART]
    own_2, own_4 = bits_2[here + _RUNS], before_2[here + _RUNS]
    is_long = bits_4[here + _RUNS] > _64
    while bits != _ZERO:
        k = trailing_zeros(bits)
        below = (_ONE << k) - _ONE
        bits &= bits - _ONE
        sum_2 = sum_4 = 0.0
        for c in range(here, here + n_upper):
            sum_2 += values_2[before_2[c] + popcount(bits_2[c] & below)]
            sum_4 += values_4[before_4[c] + popcount(bits_4[c] & below)]
        inner, c = first + k, here + _OWN
        n_inner = np.int64(t.free[inner])
        for free in range(n_inner):
            to_2, to_4 = t.spawn_index[0, inner, free], t.spawn_index[1, inner, free]
            if is_long:
                sum_2 += value_of(one_on.indexed, values_2, own_2 + np.uint64(to_2))
                sum_4 += value_of(two_on.indexed, values_4, own_4 + np.uint64(to_4))
            else:
                below = (_ONE << np.uint64(to_2)) - _ONE
                sum_2 += values_2[before_2[c] + popcount(bits_2[c] & below)]
                below = (_ONE << np.uint64(to_4)) - _ONE
                sum_4 += values_4[before_4[c] + popcount(bits_4[c] & below)]
        # A board without a free cell can only be a seed; nothing can follow from it.
        n_free = max(np.int64(n_upper) + n_inner, 1)
        values[at] = ((1.0 - spawn4) * sum_2 + spawn4 * sum_4) / n_free
        at += _ONE
