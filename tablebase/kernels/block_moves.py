"""What the kernels that try moves share: where whole blocks move, and which boards do not at all.

They walk the blocks of a layer, in each the runs, in each the boards that are there.
"""

from typing import NamedTuple

import numpy as np

from engine.jit import inline_kernel, trailing_zeros
from tablebase.kernels.bits import or_bits
from tablebase.kernels.block_addressing import (
    IS_REACHED,
    block_slot,
    columns_of,
    gather,
    upper_rows,
)
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


class Outer(NamedTuple):
    """The two outer rows of a block, and what becomes of them.

    `left` and `right` are the blocks that moves along the rows lead to, `left_flags` and
    `right_flags` what MOVED, SHIFTS, LEAVES and REACHES say of both rows together; `rows`,
    `left_rows` and `right_rows` the boards of these rows alone.
    """

    rows: np.uint64
    columns: np.uint64
    left: int
    left_flags: int
    left_rows: np.uint64
    right: int
    right_flags: int
    right_rows: np.uint64
    stuck: int


@inline_kernel
def outer_of(t, a, spot, places, rows):
    """Return the Outer of a block of arrangement `a`; `rows` as in Blocks."""
    row_0, row_1 = rows >> 16, rows & 0xFFFF
    left_0, left_1 = np.int64(t.row_left[row_0]), np.int64(t.row_left[row_1])
    right_0, right_1 = np.int64(t.row_right[row_0]), np.int64(t.row_right[row_1])
    left, left_flags = _moved_outer(t, a, spot, places, row_0, row_1, left_0, left_1)
    right, right_flags = _moved_outer(t, a, spot, places, row_0, row_1, right_0, right_1)
    stuck_0 = t.stuck[t.arrangement[a, STUCK_0] + row_0]
    stuck_1 = t.stuck[t.arrangement[a, STUCK_1] + row_1]
    return Outer(
        upper_rows(spot, row_0, row_1),
        columns_of(row_0, row_1),
        left,
        left_flags,
        upper_rows(spot, left_0, left_1),
        right,
        right_flags,
        upper_rows(spot, right_0, right_1),
        np.int64(stuck_0 | stuck_1),
    )


@inline_kernel
def _moved_outer(t, a, spot, places, row_0, row_1, moved_0, moved_1):
    """Return the block that a move along the outer rows leads to, and its flags.

    There is a block unless it SHIFTS or REACHES.
    """
    flags = MOVED if moved_0 != row_0 or moved_1 != row_1 else 0
    new_0, new_1 = np.int64(t.pattern[moved_0]), np.int64(t.pattern[moved_1])
    if new_0 != t.pattern[row_0] or new_1 != t.pattern[row_1]:
        possible = (t.arrangement[a, POSSIBLE_0] >> new_0) & (t.arrangement[a, POSSIBLE_1] >> new_1)
        return np.int64(0), flags | (SHIFTS if possible & 1 != 0 else SHIFTS | LEAVES)
    slot = block_slot(t, spot, places, moved_0, moved_1)
    if slot < 0:
        flags |= REACHES if slot == IS_REACHED else SHIFTS | LEAVES
    return slot, flags


@inline_kernel
def may_slide(t, a, outer, bits, done, rest_3, mid_row):
    """Return those of a run's bits for which moves up, and down, need not be tried in vain.

    `bits` are those of a run from slot `done` on, `rest_3` is the half-sum of its inner rows. Left
    out, of the first 64 slots, are boards where an F slides into an empty cell and out of the
    formation, or does so after a merge of mid and inner row.
    """
    stuck = outer.stuck | np.int64(t.stuck[np.uint64(t.arrangement[a, STUCK_MID]) + mid_row])
    up = _not_stuck(t, a, bits, done, 0, rest_3, mid_row) if stuck & STUCK_UP == 0 else _ZERO
    down = _not_stuck(t, a, bits, done, 1, rest_3, mid_row) if stuck & STUCK_DOWN == 0 else _ZERO
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
def row_slides(t, part, side, flags, bits):
    """Return those of a run's bits that a move to the left (`side` 0) or right may concern.

    Two sets: boards that it moves and shifts no F of, and those it may shift one of. `flags` are
    the upper rows', `part` is that of the inner rows (see `Tables.slide_part`).
    """
    first = np.uint64(6) * part + np.uint64(3 * side)
    if flags & LEAVES != 0:
        return _ZERO, _ZERO
    if flags & SHIFTS != 0:
        return _ZERO, bits & ~t.row_slides[first + _TWO]
    shifted = t.row_slides[first + _ONE]
    stays = bits & ~shifted
    if flags & MOVED == 0:
        stays &= t.row_slides[first]
    return stays, bits & shifted & ~t.row_slides[first + _TWO]


@inline_kernel
def column_slides(t, spot, part, columns, bits):
    """Return those of a run's bits that moves along the columns may concern.

    Four sets: boards that a move up moves and shifts no F of, those it may shift one of, and the
    same of a move down. `columns` are the upper rows, `part` is that of the inner ones.
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
def slide_run(inner_moves, inner_bits, bits, first, n, flags, after, to, shared):
    """Add the legal moves of some boards of one run along the rows; `flags` are the upper rows'."""
    if bits == _ZERO or flags & REACHES != 0:
        return
    if n <= 64:
        new_bits = gather(inner_bits[1], bits, first)
        if new_bits != _ZERO:
            or_bits(after, to, new_bits, shared)
        return
    while bits != _ZERO:
        move = np.int64(inner_moves[first + trailing_zeros(bits)])
        bits &= bits - _ONE
        if move & REACHES == 0:
            or_bits(after, to + (move & 0x7F), _ONE, shared)
