"""The moves of `tablebase.kernels.solve` where F tiles may shift into other cells.

The effect of a move on the boards of a run, and the queues of lookups, are described in
tablebase.kernels.shifting_expand. Here the boards wait together with the positions of the
pre-states they come from.
"""

import numpy as np

from engine.platform.jit import inline_kernel, kernel, popcount, trailing_zeros
from tablebase.kernels.bits import position, read_indexed, value_of
from tablebase.kernels.block_addressing import (
    IS_OUTSIDE,
    any_slot,
    board_slot,
    moved_columns,
    spot_of,
)
from tablebase.kernels.block_moves import column_slides, moved_run, outer_of, row_slides
from tablebase.kernels.layer_boards import Queue
from tablebase.kernels.layer_walk import SlotPart, block_at, first_row, lists_of, run_of, slides_of
from tablebase.kernels.shifting_expand import PLENTY
from tablebase.rank.kernel_tables import REACHES

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_REACHED = np.uint64(1 << 63)  # above the position of a board that reaches the target


@kernel
def solve_moves_shifting(t, blocks, lo, hi, pre, after, waiting):
    """Fill the values of the pre-states of some blocks; parameters as in `solve_moves`."""
    places = blocks.places
    here, away = Queue(waiting[0], waiting[1]), Queue(waiting[2], waiting[3])
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        at = np.uint64(position(pre.indexed, block.start))
        end = np.uint64(position(pre.indexed, block.start + block.n))
        if at == end:
            continue
        for k in range(at, end):
            pre.values[k] = 0.0
        spot = spot_of(t, places, block.arrangement)
        lists = lists_of(t.arrangement, block.arrangement)
        outer = outer_of(t, spot, places, block)
        inside = 0
        n_here = n_away = _ZERO
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
                stays, shifts = row_slides(t.row_slides, slides, 0, moved.flags, bits)
                _slide_run(t.left, part, stays, moved, after, pre.values)
                n_away = _put_rows(t.rows, t.row_left, spot, moved, part, shifts, away, n_away)
                moved = moved_run(
                    spot, outer.right, t.right_step[j], t.row_right[mid_row], run, inside
                )
                stays, shifts = row_slides(t.row_slides, slides, 1, moved.flags, bits)
                _slide_run(t.right, part, stays, moved, after, pre.values)
                n_away = _put_rows(t.rows, t.row_right, spot, moved, part, shifts, away, n_away)
                columns = outer.columns | t.mid_columns[j]
                up, up_away, down, down_away = column_slides(t, spot, slides, columns, bits)
                n_here = _put_columns(
                    t.inner_columns, t.column_up, spot, columns, part, up, here, n_here
                )
                n_away = _put_columns(
                    t.inner_columns, t.column_up, spot, columns, part, up_away, away, n_away
                )
                n_here = _put_columns(
                    t.inner_columns, t.column_down, spot, columns, part, down, here, n_here
                )
                n_away = _put_columns(
                    t.inner_columns, t.column_down, spot, columns, part, down_away, away, n_away
                )
                at += popcount(bits)
                if n_here > PLENTY:
                    n_here = _rate_all_here(t, spot, places, here, n_here, after, pre.values)
                if n_away > PLENTY:
                    n_away = _rate_all_away(t, places, away, n_away, after, pre.values)
            inside += run.n
        _rate_all_here(t, spot, places, here, n_here, after, pre.values)
        _rate_all_away(t, places, away, n_away, after, pre.values)


@inline_kernel
def _slide_run(inner_moves, part, chosen, moved, after, pre_values):
    """Raise the values of chosen boards of a part to those of legal moves that shift no F."""
    flags, first = moved.flags, first_row(part)
    to = 0 if flags & REACHES != 0 else moved.slot  # there is no such run
    while chosen != _ZERO:
        lowest = chosen & (~chosen + _ONE)
        move = np.int64(inner_moves[first + trailing_zeros(chosen)])
        chosen ^= lowest
        value = value_of(after.indexed, after.values, to + (move & 0x7F))
        value = 1.0 if (flags | move) & REACHES != 0 else value
        here = part.at + popcount(part.bits & (lowest - _ONE))
        pre_values[here] = max(pre_values[here], value)


@inline_kernel
def _put_rows(rows, row_moves, spot, moved, part, chosen, queue, n):
    """Append chosen boards of a part, moved along the rows, to n others; return the number."""
    first = first_row(part)
    while chosen != _ZERO:
        lowest = chosen & (~chosen + _ONE)
        row = rows[first + trailing_zeros(chosen)]
        chosen ^= lowest
        queue.boards[n] = moved.rows | np.uint64(row_moves[row]) << spot.shift_3
        queue.positions[n] = part.at + popcount(part.bits & (lowest - _ONE))
        n += _ONE
    return n


@inline_kernel
def _put_columns(inner_columns, spread, spot, columns, part, chosen, queue, n):
    """Append chosen boards of a part, moved along the columns, to n others; return the number."""
    first = first_row(part)
    while chosen != _ZERO:
        lowest = chosen & (~chosen + _ONE)
        k = first + trailing_zeros(chosen)
        chosen ^= lowest
        queue.boards[n] = moved_columns(spread, spot.columns, columns | inner_columns[k])
        queue.positions[n] = part.at + popcount(part.bits & (lowest - _ONE))
        n += _ONE
    return n


@inline_kernel
def _rate_all_here(t, spot, places, queue, n, after, pre_values):
    """Look up n boards of the spot's arrangement; return the number left: 0."""
    for i in range(n):
        slot = board_slot(t, spot, places, queue.boards[i])
        queue.boards[i] = np.uint64(max(slot, 0))
        queue.positions[i] |= _REACHED if slot < 0 else _ZERO
    return _raise_all(queue, n, after, pre_values)


@inline_kernel
def _rate_all_away(t, places, queue, n, after, pre_values):
    """Look up n boards of any arrangement or none; return the number left: 0."""
    boards, positions = queue.boards, queue.positions
    n_slots = _ZERO
    for i in range(n):
        slot = any_slot(t, places, boards[i])
        boards[n_slots] = np.uint64(max(slot, 0))
        positions[n_slots] = positions[i] | (_REACHED if slot < 0 else _ZERO)
        n_slots += np.uint64(slot != IS_OUTSIDE)
    return _raise_all(queue, n_slots, after, pre_values)


@inline_kernel
def _raise_all(queue, n, after, pre_values):
    """Raise the values at some positions to those of their slots; return the number left."""
    slots, positions = queue.boards, queue.positions
    for i in range(n):
        slots[i] = np.uint64(position(after.indexed, slots[i]))
    for i in range(n):
        at = positions[i] & ~_REACHED
        value = after.values[slots[i]]
        value = 1.0 if positions[i] != at else value
        pre_values[at] = max(pre_values[at], value)
    return _ZERO
