"""Optimal play only: which after-states are the best reply to a pre-state that may come up.

From every board that is kept in layers S-1 and S-2 each spawn leads to a pre-state of layer S; the
after-state of its best move is kept, the first of equal ones in the order left, right, up, down.
Values are the table's stored rates, so that a table's own boards decide what is kept.
"""

import numpy as np

from engine.platform.jit import inline_kernel, kernel, trailing_zeros
from tablebase.kernels.bits import position, read_bits, set_bit, value_or_zero
from tablebase.kernels.block_addressing import (
    IS_OUTSIDE,
    IS_REACHED,
    any_slot,
    board_slot,
    moved_columns,
    spot_of,
)
from tablebase.kernels.block_moves import Upper, may_slide, moved_run, outer_of
from tablebase.kernels.layer_walk import SlotPart, block_at, first_row, lists_of, run_of
from tablebase.rank.kernel_tables import LEAVES, MOVED, REACHES, SHIFTS

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_AWAY = SHIFTS | LEAVES


@kernel
def mark_best(t, blocks, lo, hi, pre, after, kept, shifts):
    """Add to `kept` the best after-state of every pre-state of some blocks, both of one layer.

    A move that reaches the target counts 1, and needs no after-state. Nothing is kept for a
    pre-state without a chance.

    Of the `blocks` those from `lo` to `hi` are processed; `pre` is the bitmap of the pre-states,
    `after` the Solved of the stored after-states with all their images (others count 0), `kept` a
    GrowingBitmap. `shifts` is None if F tiles never move: the compiler then leaves out the code for
    moving ones.
    """
    places = blocks.places
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        spot = spot_of(t, places, block.arrangement)
        lists = lists_of(t.arrangement, block.arrangement)
        outer = outer_of(t, spot, places, block)
        inside = 0
        for i in range(t.row_end[lists.mid_sums + block.rest]):
            run = run_of(t.sums, t.count_3, lists, block, i)
            for done in range(0, run.n, 64):
                bits = read_bits(pre, block.start + inside + done, run.n - done)
                if bits == _ZERO:
                    continue
                part = SlotPart(bits, lists.inners + t.row_begin[run.sums], done, run.n, 0)
                j, mid_row = run.mid, t.rows[run.mid]
                upper = Upper(
                    outer.rows | np.uint64(mid_row) << spot.shift_2,
                    outer.columns | t.mid_columns[j],
                )
                left = moved_run(spot, outer.left, t.left_step[j], t.row_left[mid_row], run, inside)
                right = moved_run(
                    spot, outer.right, t.right_step[j], t.row_right[mid_row], run, inside
                )
                up, down = may_slide(t, block.arrangement, outer, part, run)
                _mark_part(
                    t, block.arrangement, spot, part, up, down, upper, left, right, after, kept,
                    shifts,
                )  # fmt: skip
            inside += run.n


@inline_kernel
def _mark_part(t, arrangement, spot, part, up, down, upper, left, right, after, kept, shifts):
    """Mark the best replies to pre-states of a part; `up`, `down`: bits of those to move so."""
    f_cells, first, bits = t.f_cells[arrangement], first_row(part), part.bits
    while bits != _ZERO:
        lowest = bits & (~bits + _ONE)
        k = first + trailing_zeros(bits)
        bits ^= lowest
        row = t.rows[k]
        best, best_slot = 0.0, IS_OUTSIDE
        for side in range(2):
            move = np.int64(t.left[k] if side == 0 else t.right[k])
            flags = (left.flags if side == 0 else right.flags) | move
            slot = IS_OUTSIDE
            if flags & (MOVED | SHIFTS) == MOVED:
                to = left.slot if side == 0 else right.slot
                slot = IS_REACHED if flags & REACHES != 0 else np.int64(to + (move & 0x7F))
            elif shifts is not None and flags & _AWAY == SHIFTS:
                moved_row = t.row_left[row] if side == 0 else t.row_right[row]
                moved_upper = left.rows if side == 0 else right.rows
                board = moved_upper | np.uint64(moved_row) << spot.shift_3
                slot = any_slot(t, after.places, board)
            value = _rate_of(after, slot)
            if value > best:
                best, best_slot = value, slot
        all_columns = upper.columns | t.inner_columns[k]
        board = upper.rows | (np.uint64(row) << spot.shift_3)
        if up & lowest != _ZERO:
            moved = moved_columns(t.column_up, spot.columns, all_columns)
            slot = _slot_beside(t, spot, f_cells, board, moved, after.places, shifts)
            value = _rate_of(after, slot)
            if value > best:
                best, best_slot = value, slot
        if down & lowest != _ZERO:
            moved = moved_columns(t.column_down, spot.columns, all_columns)
            slot = _slot_beside(t, spot, f_cells, board, moved, after.places, shifts)
            value = _rate_of(after, slot)
            if value > best:
                best, best_slot = value, slot
        if best_slot >= 0:
            set_bit(kept.words, best_slot, kept.is_shared)


@inline_kernel
def _slot_beside(t, spot, f_cells, board, moved, places, shifts):
    """Return the slot that a move along the columns leads to, IS_OUTSIDE if it is not legal."""
    if moved & f_cells == f_cells:
        return board_slot(t, spot, places, moved) if moved != board else IS_OUTSIDE
    if shifts is not None:
        return any_slot(t, places, moved)
    return IS_OUTSIDE


@inline_kernel
def _rate_of(after, slot):
    """Return the rate in a slot: 1 if the target is reached, 0 if none is stored."""
    if slot >= 0:
        return value_or_zero(after.indexed, after.values, slot)
    return 1.0 if slot == IS_REACHED else 0.0


@kernel
def set_slots(words, slots):
    """Set the bits of many slots (int64[n]); negative ones are skipped."""
    for i in range(slots.size):
        if slots[i] >= 0:
            set_bit(words, slots[i], False)


@kernel
def put_values(index, values, slots, rates):
    """Write rates (float64[n]) to the places of their slots (int64[n]); skip negative ones."""
    for i in range(slots.size):
        if slots[i] >= 0:
            values[position(index, slots[i])] = rates[i]


@kernel
def mark_common(words, others, marks):
    """Mark (bool[n]) which of the n ones of `words` are ones of `others` too."""
    at = 0
    for i in range(words.size):
        word = words[i]
        while word != _ZERO:
            lowest = word & (~word + _ONE)
            word ^= lowest
            marks[at] = others[i] & lowest != _ZERO
            at += 1
