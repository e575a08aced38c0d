"""The moves of `tablebase.kernels.solve` where F tiles may shift into other cells.

What a move does with the boards of a run, and how look-ups wait for each other, is told in
tablebase.kernels.shifting_expand. Here the boards wait together with the positions of the
pre-states they come from.
"""

import numpy as np

from engine.jit import inline_kernel, kernel, popcount, trailing_zeros
from tablebase.kernels.bits import position, read_indexed, value_of
from tablebase.kernels.block_addressing import (
    IS_OUTSIDE,
    any_slot,
    board_slot,
    moved_columns,
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
    REACHES,
    SLIDES,
)

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_REACHED = np.uint64(1 << 63)  # above the position of a board that reaches the target


@kernel
def solve_moves_shifting(t, blocks, lo, hi, pre_index, pre_values, index, values, waiting):
    """Fill the values of the pre-states of some blocks from the after-states of their layer.

    Parameters as in `solve_moves`, but for

    waiting : uint64[4, MOST_WAITING]
        Working memory of the calling thread.
    """
    places = blocks.places
    for block in range(lo, hi):
        run, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        end = run + t.count_23[t.arrangement[a, PAIR] + rest]
        at, end = np.uint64(position(pre_index, run)), np.uint64(position(pre_index, end))
        if at == end:
            continue
        for k in range(at, end):
            pre_values[k] = 0.0
        spot = spot_of(t, places, a)
        outer = outer_of(t, a, spot, places, blocks.rows[block])
        left, right = outer.left, outer.right
        mids, inners = np.uint64(t.arrangement[a, MID_ROWS]), t.arrangement[a, INNER_ROWS]
        inner_sums = np.uint64(t.arrangement[a, INNER_SUMS])
        n_here = n_away = _ZERO
        for i in range(t.row_end[t.arrangement[a, MID_SUMS] + rest]):
            j = mids + np.uint64(i)
            rest_3 = rest - t.sums[j]
            h = inner_sums + np.uint64(rest_3)
            n = t.count_3[h]
            for done in range(0, n, 64):
                bits = read_indexed(pre_index, run + done, n - done)
                if bits == _ZERO:
                    continue
                part = np.uint64(t.slide_part[t.arrangement[a, SLIDES] + rest_3] + (done >> 6))
                n_here, n_away = _solve_run(
                    t, spot, outer, part, j, bits, np.uint64(inners + t.row_begin[h] + done),
                    left + (t.left_step[j] >> 16) * n, right + (t.right_step[j] >> 16) * n,
                    index, values, pre_values, at, waiting, n_here, n_away,
                )  # fmt: skip
                at += popcount(bits)
                if n_here > PLENTY:
                    n_here = _rate_all_here(
                        t, spot, places, waiting, n_here, index, values, pre_values
                    )
                if n_away > PLENTY:
                    n_away = _rate_all_away(t, places, waiting, n_away, index, values, pre_values)
            run += n
            left += n
            right += n
        _rate_all_here(t, spot, places, waiting, n_here, index, values, pre_values)
        _rate_all_away(t, places, waiting, n_away, index, values, pre_values)


@inline_kernel
def _solve_run(
    t,
    spot,
    outer,
    part,
    j,
    bits,
    first,
    to_left,
    to_right,
    index,
    values,
    pre_values,
    at,
    waiting,
    n_here,
    n_away,
):
    """Raise the values of up to 64 slots of one run to those of their moves, or let these wait.

    `at` is the position of the first of `bits`; `to_left` and `to_right` are the runs that moves
    along the rows lead to. Return how many boards are waiting.
    """
    here, at_here, away, at_away = waiting[0], waiting[1], waiting[2], waiting[3]
    mid_row = t.rows[j]
    flags = outer.left_flags | t.left_step[j]
    stays, shifts = row_slides(t, part, 0, flags, bits)
    _slide_run(t.left, bits, stays, first, flags, to_left, index, values, pre_values, at)
    upper = outer.left_rows | np.uint64(t.row_left[mid_row]) << spot.shift_2
    n_away = _put_rows(t, t.row_left, spot, upper, first, bits, shifts, at, away, at_away, n_away)
    flags = outer.right_flags | t.right_step[j]
    stays, shifts = row_slides(t, part, 1, flags, bits)
    _slide_run(t.right, bits, stays, first, flags, to_right, index, values, pre_values, at)
    upper = outer.right_rows | np.uint64(t.row_right[mid_row]) << spot.shift_2
    n_away = _put_rows(t, t.row_right, spot, upper, first, bits, shifts, at, away, at_away, n_away)
    columns = outer.columns | t.mid_columns[j]
    up, up_away, down, down_away = column_slides(t, spot, part, columns, bits)
    spread = t.column_up
    n_here = _put_columns(t, spread, spot, columns, first, bits, up, at, here, at_here, n_here)
    n_away = _put_columns(t, spread, spot, columns, first, bits, up_away, at, away, at_away, n_away)
    spread = t.column_down
    n_here = _put_columns(t, spread, spot, columns, first, bits, down, at, here, at_here, n_here)
    n_away = _put_columns(
        t, spread, spot, columns, first, bits, down_away, at, away, at_away, n_away
    )
    return n_here, n_away


@inline_kernel
def _slide_run(inner_moves, bits, chosen, first, flags, to, index, values, pre_values, at):
    """Raise the values of the chosen ones of `bits` to those of legal moves that shift no F."""
    if flags & REACHES != 0:
        to = 0  # there is no such run
    while chosen != _ZERO:
        lowest = chosen & (~chosen + _ONE)
        move = np.int64(inner_moves[first + trailing_zeros(chosen)])
        chosen ^= lowest
        value = value_of(index, values, to + (move & 0x7F))
        value = 1.0 if (flags | move) & REACHES != 0 else value
        here = at + popcount(bits & (lowest - _ONE))
        pre_values[here] = max(pre_values[here], value)


@inline_kernel
def _put_rows(t, row_moves, spot, upper, first, bits, chosen, at, boards, positions, n):
    """Let the chosen ones of `bits` wait behind n others, moved along the rows; return how many.

    `upper` are the upper rows, moved.
    """
    while chosen != _ZERO:
        lowest = chosen & (~chosen + _ONE)
        row = t.rows[first + trailing_zeros(chosen)]
        chosen ^= lowest
        boards[n] = upper | np.uint64(row_moves[row]) << spot.shift_3
        positions[n] = at + popcount(bits & (lowest - _ONE))
        n += _ONE
    return n


@inline_kernel
def _put_columns(t, spread, spot, columns, first, bits, chosen, at, boards, positions, n):
    """Let the chosen ones of `bits` wait behind n others, moved along the columns; return how many.

    `columns` are the upper rows.
    """
    while chosen != _ZERO:
        lowest = chosen & (~chosen + _ONE)
        k = first + trailing_zeros(chosen)
        chosen ^= lowest
        boards[n] = moved_columns(spread, spot.columns, columns | t.inner_columns[k])
        positions[n] = at + popcount(bits & (lowest - _ONE))
        n += _ONE
    return n


@inline_kernel
def _rate_all_here(t, spot, places, waiting, n, index, values, pre_values):
    """Look up n boards of the spot's arrangement; return how many are left: none."""
    boards, positions = waiting[0], waiting[1]
    for i in range(n):
        slot = board_slot(t, spot, places, boards[i])
        boards[i] = np.uint64(max(slot, 0))
        positions[i] |= _REACHED if slot < 0 else _ZERO
    return _raise_all(boards, positions, n, index, values, pre_values)


@inline_kernel
def _rate_all_away(t, places, waiting, n, index, values, pre_values):
    """Look up n boards of any arrangement or none; return how many are left: none."""
    boards, positions = waiting[2], waiting[3]
    n_slots = _ZERO
    for i in range(n):
        slot = any_slot(t, places, boards[i])
        boards[n_slots] = np.uint64(max(slot, 0))
        positions[n_slots] = positions[i] | (_REACHED if slot < 0 else _ZERO)
        n_slots += np.uint64(slot != IS_OUTSIDE)
    return _raise_all(boards, positions, n_slots, index, values, pre_values)


@inline_kernel
def _raise_all(slots, positions, n, index, values, pre_values):
    """Raise the values at some positions to those of their slots; return how many are left."""
    for i in range(n):
        slots[i] = np.uint64(position(index, slots[i]))
    for i in range(n):
        at = positions[i] & ~_REACHED
        value = values[slots[i]]
        value = 1.0 if positions[i] != at else value
        pre_values[at] = max(pre_values[at], value)
    return _ZERO
