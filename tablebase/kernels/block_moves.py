"""Functions shared by the kernels that try moves: targets of whole blocks, immobile boards.

The kernels walk the blocks of a layer, in each its runs, in each its boards.
"""

from typing import NamedTuple

import numpy as np

from engine.platform.jit import inline_kernel, trailing_zeros
from tablebase.kernels.bits import or_bits
from tablebase.kernels.block_addressing import (
    IS_REACHED,
    block_slot,
    columns_of,
    gather,
    upper_rows,
)
from tablebase.kernels.layer_walk import first_row
from tablebase.rank.kernel_tables import (
    CLASH,
    LEAVES,
    MOVED,
    OPEN,
    POSSIBLE_0,
    POSSIBLE_1,
    REACHES,
    SHIFTS,
    STUCK_0,
    STUCK_1,
    STUCK_DOWN,
    STUCK_MID,
    STUCK_UP,
)

_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


class MovedOuter(NamedTuple):
    """The result of a move along the rows for the two outer rows of a block."""

    # int64: first slot of the block that it leads to; there is one unless it SHIFTS or REACHES.
    slot: int
    flags: int  # int64: the flags MOVED, SHIFTS, LEAVES and REACHES of both rows together
    rows: np.uint64  # the board of the moved rows alone


class Outer(NamedTuple):
    """The two outer rows of a block, and the results of moving them."""

    rows: np.uint64  # the board of these rows alone
    columns: np.uint64  # their cells at their places in the four columns
    left: MovedOuter
    right: MovedOuter
    stuck: int  # int64: their flags STUCK_UP and STUCK_DOWN


class Upper(NamedTuple):
    """The three upper rows of a run: a board of them alone, and their cells in the columns."""

    rows: np.uint64
    columns: np.uint64


class MovedRun(NamedTuple):
    """The result of a move along the rows for the three upper rows of a run."""

    # int64: first slot of the run that it leads to; there is one unless it SHIFTS or REACHES.
    slot: int
    # int64: the flags MOVED, SHIFTS, LEAVES and REACHES of the three rows together, in the lowest
    # 16 bits.
    flags: int
    rows: np.uint64  # the board of the moved rows alone


@inline_kernel
def outer_of(t, spot, places, block):
    """Return the Outer of a Block; `spot` is that of its arrangement in the layer of `places`."""
    row_0, row_1, a = block.row_0, block.row_1, block.arrangement
    stuck_0 = t.stuck[t.arrangement[a, STUCK_0] + row_0]
    stuck_1 = t.stuck[t.arrangement[a, STUCK_1] + row_1]
    return Outer(
        upper_rows(spot, row_0, row_1),
        columns_of(row_0, row_1),
        _moved_outer(t, spot, places, block, t.row_left),
        _moved_outer(t, spot, places, block, t.row_right),
        np.int64(stuck_0 | stuck_1),
    )


@inline_kernel
def moved_run(spot, moved, step, mid_row, run, inside):
    """Return the MovedRun of a Run that begins `inside` slots after the start of its block.

    `moved` is the MovedOuter, `step` that of the mid row in `KernelTables.left_step` or
    `right_step`, `mid_row` the moved one.
    """
    return MovedRun(
        moved.slot + inside + (step >> 16) * run.n,
        moved.flags | step,
        moved.rows | np.uint64(mid_row) << spot.shift_2,
    )


@inline_kernel
def _moved_outer(t, spot, places, block, row_moves):
    """Return the MovedOuter of a Block; `row_moves` are the moved rows."""
    row_0, row_1, a = block.row_0, block.row_1, block.arrangement
    moved_0, moved_1 = np.int64(row_moves[row_0]), np.int64(row_moves[row_1])
    rows = upper_rows(spot, moved_0, moved_1)
    flags = MOVED if moved_0 != row_0 or moved_1 != row_1 else 0
    new_0, new_1 = np.int64(t.pattern[moved_0]), np.int64(t.pattern[moved_1])
    if new_0 != t.pattern[row_0] or new_1 != t.pattern[row_1]:
        possible = (t.arrangement[a, POSSIBLE_0] >> new_0) & (t.arrangement[a, POSSIBLE_1] >> new_1)
        return MovedOuter(
            np.int64(0), flags | (SHIFTS if possible & 1 != 0 else SHIFTS | LEAVES), rows
        )
    slot = block_slot(t, spot, places, moved_0, moved_1)
    if slot < 0:
        flags |= REACHES if slot == IS_REACHED else SHIFTS | LEAVES
    return MovedOuter(slot, flags, rows)


@inline_kernel
def may_slide(t, a, outer, part, run):
    """Return those boards of a part of a run for which moves up, and down, may be possible.

    Among the first 64 slots, boards are left out where an F slides into an empty cell and out of
    the formation, or does so after a merge of mid and inner row. `a` is the arrangement.
    """
    mid_row = t.rows[run.mid]
    stuck = outer.stuck | np.int64(t.stuck[np.uint64(t.arrangement[a, STUCK_MID]) + mid_row])
    bits, done = part.bits, part.done
    up = _not_stuck(t, a, bits, done, 0, run.rest, mid_row) if stuck & STUCK_UP == 0 else _ZERO
    down = _not_stuck(t, a, bits, done, 1, run.rest, mid_row) if stuck & STUCK_DOWN == 0 else _ZERO
    return up, down


@inline_kernel
def _not_stuck(t, a, bits, done, which, rest_3, mid_row):
    if done != 0:
        return bits
    at = np.uint64(2 * rest_3 + which)
    bits &= t.inner_open[np.uint64(t.arrangement[a, OPEN]) + at]
    if bits != _ZERO:
        first = np.uint64(t.arrangement[a, CLASH]) + np.uint64(64) * at
        for column in range(4):
            tile = np.uint64(mid_row >> np.uint16(12 - 4 * column)) & np.uint64(15)
            bits &= ~t.inner_clash[first + np.uint64(16 * column) + tile]
    return bits


@inline_kernel
def row_slides(table, part, side, flags, bits):
    """Return the bits of a run that a move to the left (`side` 0) or right may affect.

    Two sets: boards that it moves without shifting an F, and those where it may shift one. `flags`
    are those of the upper rows, `part` is that of the inner rows in `KernelTables.row_slides`.
    """
    first = np.uint64(6) * part + np.uint64(3 * side)
    if flags & LEAVES != 0:
        return _ZERO, _ZERO
    if flags & SHIFTS != 0:
        return _ZERO, bits & ~table[first + _TWO]
    shifted = table[first + _ONE]
    stays = bits & ~shifted
    if flags & MOVED == 0:
        stays &= table[first]
    return stays, bits & shifted & ~table[first + _TWO]


@inline_kernel
def column_slides(t, spot, part, columns, bits):
    """Return the bits of a run that moves along the columns may affect.

    Four sets: boards that a move up moves without shifting an F, those where it may shift one, and
    the same for a move down. `columns` are the upper rows, `part` is that of the inner ones.
    """
    up_moves = up_shifts = up_leaves = down_moves = down_shifts = down_leaves = _ZERO
    words = np.uint64(t.set_words[0])
    first = np.uint64(4) * words * part
    sets = spot.columns >> np.uint64(2)
    for column in range(4):
        upper = (columns >> np.uint64(52 - 16 * column)) & np.uint64(0xFFF)
        both = t.column_sets[sets + np.uint64(column << 12) + upper]
        up = first + np.uint64(both & np.uint32(0xFFFF))
        down = first + np.uint64(both >> np.uint32(16))
        up_moves |= t.column_slides[up]
        up_shifts |= t.column_slides[up + _ONE]
        up_leaves |= t.column_slides[up + _TWO]
        down_moves |= t.column_slides[down]
        down_shifts |= t.column_slides[down + _ONE]
        down_leaves |= t.column_slides[down + _TWO]
        first += words
    return (
        bits & up_moves & ~up_shifts,
        bits & up_shifts & ~up_leaves,
        bits & down_moves & ~down_shifts,
        bits & down_shifts & ~down_leaves,
    )


@inline_kernel
def slide_run(inner_moves, inner_fours, part, chosen, moved, after):
    """Add the legal moves of the chosen boards of a part of a run along the rows."""
    if chosen == _ZERO or moved.flags & REACHES != 0:
        return
    first = first_row(part)
    if part.n <= 64:
        new_bits = gather(inner_fours[1], chosen, first)
        if new_bits != _ZERO:
            or_bits(after.words, moved.slot, new_bits, after.is_shared)
        return
    while chosen != _ZERO:
        move = np.int64(inner_moves[first + trailing_zeros(chosen)])
        chosen &= chosen - _ONE
        if move & REACHES == 0:
            or_bits(after.words, moved.slot + (move & 0x7F), _ONE, after.is_shared)
