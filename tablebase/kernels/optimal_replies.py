"""Optimal play only: which after-states are the best reply to something that may come up.

From every board that is kept in layers S-1 and S-2 each spawn leads to a pre-state of layer S; the
after-state of its best move is kept, the first of equal ones in the order left, right, up, down.
Values are the rates that the table stores, so that a table's own boards decide what is kept.
"""

import numpy as np

from engine.jit import inline_kernel, kernel, trailing_zeros
from tablebase.kernels.bits import position, read_bits, set_bit, value_or_zero
from tablebase.kernels.block_addressing import (
    IS_OUTSIDE,
    IS_REACHED,
    any_slot,
    board_slot,
    moved_columns,
    spot_of,
)
from tablebase.kernels.block_moves import may_slide, outer_of
from tablebase.rank.kernel_tables import (
    INNER_ROWS,
    INNER_SUMS,
    LEAVES,
    MID_ROWS,
    MID_SUMS,
    MOVED,
    REACHES,
    SHIFTS,
)

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_AWAY = SHIFTS | LEAVES


@kernel
def mark_best(t, blocks, lo, hi, pre, index, values, kept, shared, shifts):
    """Add to `kept` the best after-state of every pre-state of some blocks, both of one layer.

    A move that reaches the target counts 1, and needs no after-state. Nothing is kept for a
    pre-state without a chance.

    Parameters
    ----------
    t : Tables
    blocks : Blocks
        Those from `lo` to `hi` are looked at.
    pre : uint64[...]
        Bitmap of the pre-states.
    index, values : uint64[...], float64[n]
        Index (see tablebase.kernels.bits) of the after-states that are stored, with all their
        images, and their rates; others count 0.
    kept : uint64[...]
        Bitmap of after-states, added to.
    shared : bool
        Whether other threads write to `kept` at the same time.
    shifts : None or int
        None when F tiles never move: the compiler then leaves out what is only for those that do.
    """
    places = blocks.places
    for block in range(lo, hi):
        run, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        spot = spot_of(t, places, a)
        outer = outer_of(t, a, spot, places, blocks.rows[block])
        left, right = outer.left, outer.right
        mids, inners = np.uint64(t.arrangement[a, MID_ROWS]), t.arrangement[a, INNER_ROWS]
        inner_sums = np.uint64(t.arrangement[a, INNER_SUMS])
        for i in range(t.row_end[t.arrangement[a, MID_SUMS] + rest]):
            j = mids + np.uint64(i)
            rest_3 = rest - t.sums[j]
            h = inner_sums + np.uint64(rest_3)
            n = t.count_3[h]
            for done in range(0, n, 64):
                bits = read_bits(pre, run + done, n - done)
                if bits == _ZERO:
                    continue
                mid_row = t.rows[j]
                up, down = may_slide(t, a, outer, bits, done, rest_3, mid_row)
                _mark_run(
                    t, a, spot, bits, up, down, inners + t.row_begin[h] + done,
                    outer.rows | (np.uint64(mid_row) << spot.shift_2),
                    outer.columns | t.mid_columns[j],
                    outer.left_flags | t.left_step[j], left + (t.left_step[j] >> 16) * n,
                    outer.left_rows | np.uint64(t.row_left[mid_row]) << spot.shift_2,
                    outer.right_flags | t.right_step[j], right + (t.right_step[j] >> 16) * n,
                    outer.right_rows | np.uint64(t.row_right[mid_row]) << spot.shift_2,
                    places, index, values, kept, shared, shifts,
                )  # fmt: skip
            run += n
            left += n
            right += n


@inline_kernel
def _mark_run(
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
    upper_left,
    right_flags,
    to_right,
    upper_right,
    places,
    index,
    values,
    kept,
    shared,
    shifts,
):
    """Mark the best replies to up to 64 pre-states of one run; parameters as in solve_moves."""
    f_cells = t.f_cells[a]
    while bits != _ZERO:
        lowest = bits & (~bits + _ONE)
        k = np.uint64(first) + trailing_zeros(bits)
        bits ^= lowest
        row = t.rows[k]
        best, best_slot = 0.0, IS_OUTSIDE
        for side in range(2):
            move = np.int64(t.left[k] if side == 0 else t.right[k])
            flags = (left_flags if side == 0 else right_flags) | move
            slot = IS_OUTSIDE
            if flags & (MOVED | SHIFTS) == MOVED:
                to = to_left if side == 0 else to_right
                slot = IS_REACHED if flags & REACHES != 0 else np.int64(to + (move & 0x7F))
            elif shifts is not None and flags & _AWAY == SHIFTS:
                moved_row = t.row_left[row] if side == 0 else t.row_right[row]
                moved_upper = upper_left if side == 0 else upper_right
                slot = any_slot(t, places, moved_upper | np.uint64(moved_row) << spot.shift_3)
            value = _rate_of(index, values, slot)
            if value > best:
                best, best_slot = value, slot
        all_columns = columns | t.inner_columns[k]
        board = upper | (np.uint64(row) << spot.shift_3)
        if up & lowest != _ZERO:
            moved = moved_columns(t.column_up, spot.columns, all_columns)
            slot = _slot_beside(t, spot, f_cells, board, moved, places, shifts)
            value = _rate_of(index, values, slot)
            if value > best:
                best, best_slot = value, slot
        if down & lowest != _ZERO:
            moved = moved_columns(t.column_down, spot.columns, all_columns)
            slot = _slot_beside(t, spot, f_cells, board, moved, places, shifts)
            value = _rate_of(index, values, slot)
            if value > best:
                best, best_slot = value, slot
        if best_slot >= 0:
            set_bit(kept, best_slot, shared)


@inline_kernel
def _slot_beside(t, spot, f_cells, board, moved, places, shifts):
    """Return where a move along the columns leads to, IS_OUTSIDE when it is not legal."""
    if moved & f_cells == f_cells:
        return board_slot(t, spot, places, moved) if moved != board else IS_OUTSIDE
    if shifts is not None:
        return any_slot(t, places, moved)
    return IS_OUTSIDE


@inline_kernel
def _rate_of(index, values, slot):
    """Return the rate in a slot: 1 when the target is reached, 0 of what is not stored."""
    if slot >= 0:
        return value_or_zero(index, values, slot)
    return 1.0 if slot == IS_REACHED else 0.0


@kernel
def set_slots(words, slots):
    """Set the bits of many slots (int64[n]); negative ones are none."""
    for i in range(slots.size):
        if slots[i] >= 0:
            set_bit(words, slots[i], False)


@kernel
def put_values(index, values, slots, rates):
    """Write rates (float64[n]) to the places of their slots (int64[n]); negative ones are none."""
    for i in range(slots.size):
        if slots[i] >= 0:
            values[position(index, slots[i])] = rates[i]


@kernel
def mark_kept(words, kept, marks):
    """Tell (bool[n]) which of the n ones of `words` are ones of `kept` too."""
    at = 0
    for i in range(words.size):
        word = words[i]
        while word != _ZERO:
            lowest = word & (~word + _ONE)
            word ^= lowest
            marks[at] = kept[i] & lowest != _ZERO
            at += 1
