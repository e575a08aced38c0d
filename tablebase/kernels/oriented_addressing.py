"""Functions shared by the kernels of symmetric formations: runs and boards by held images.

Which images are held is defined in tablebase.rank.orientation. A *line* is the start of the places
of the blocks of one row 0, negative if it holds the target; lines come in pairs, for the row itself
and for the mirrored one.
"""

from typing import NamedTuple

import numpy as np

from engine.platform.jit import inline_kernel, trailing_zeros
from tablebase.kernels.bits import or_bits, set_bit
from tablebase.kernels.block_addressing import IS_OUTSIDE, IS_REACHED, gather
from tablebase.kernels.layer_walk import first_row
from tablebase.rank.kernel_tables import (
    REACHED,
    REST_MASK,
    REST_SHIFT,
    RUN_MASK,
    RUN_SHIFT,
    SUM_ID_MASK,
)
from tablebase.rank.orientation import FREE_AT, INDEX_AT, NUMBER_AT, OTHER_INDEX_AT, SUM_ID_AT

_ONE = np.uint64(1)
_TOP, _EXCHANGED, _MIRRORED = np.uint64(18), np.uint64(1 << 17), np.uint64(1 << 16)
_MIRRORED_AT = np.uint64(16)
_ROW, _ROW_END = np.uint64(0xFFFF), np.int64(1 << 16)
_SUM_ID, _INDEX = np.uint64(SUM_ID_MASK), np.uint64(0x7F)
_INDEX_AT = np.uint64(INDEX_AT)
_SUM_ID_AT, _NUMBER_AT, _FREE_AT = np.uint64(SUM_ID_AT), np.uint64(NUMBER_AT), np.uint64(FREE_AT)


class Lines(NamedTuple):
    """The lines of a row 0: its own and that of the mirrored row, both int64."""

    own: int
    mirrored: int


class UpperRows(NamedTuple):
    """The three upper rows of a run, in any orientation."""

    lines: Lines  # of row 0
    # int64: the other two rows.
    row_1: int
    mid: int


@inline_kernel
def pair_runs(o, block, pair):
    """Return the runs of a pair of half-sums in a block.

    The start of the first run, the length of each, the half-sum of the inner rows, and the start of
    the mid rows in `Orientation.mids`. Held are those up to `most_mid`, and there is at least one
    more row after them.
    """
    runs = o.pair_runs[pair]
    return (
        block.start + (runs >> RUN_SHIFT),
        runs & RUN_MASK,
        o.pair_sums[pair],
        np.uint64(o.pair_mids[pair]),
    )


@inline_kernel
def most_mid(o, row_1):
    """Return the greatest mid row that is held with a row 1."""
    return min(row_1, np.int64(o.mirror_row[row_1])) if o.exchanges else _ROW_END


@inline_kernel
def lines_of(t, o, spot, row_0):
    i = t.number[spot.number_0 + np.uint64(row_0)]
    j = t.number[spot.number_0 + np.uint64(o.mirror_row[row_0])]
    if max(i, j) >= REACHED:
        return Lines(np.int64(IS_REACHED), np.int64(IS_REACHED))
    return Lines(
        np.int64(spot.at + np.uint64(i) * spot.stride),
        np.int64(spot.at + np.uint64(j) * spot.stride),
    )


@inline_kernel
def fact_1(o, row):
    return o.facts[o.facts_1 + (np.uint64(row) >> o.row_shift)]


@inline_kernel
def fact_mid(o, row):
    return o.facts[o.facts_mid + (np.uint64(row) >> o.row_shift)]


@inline_kernel
def free_cells(fact):
    """Return the free cells of a row: 4 bits, the right one lowest."""
    return (fact >> _FREE_AT) & np.uint64(15)


@inline_kernel
def turned_rows(o, row_1, mid):
    """Return row 1 and mid row of a held image, 1 if mirrored, and whether there are more.

    It is the first of several. Which one it is is unpredictable, so there are no branches: the
    least of four numbers that begin with the mid row and end with the requested results.
    """
    row_1, mid = np.uint64(row_1), np.uint64(mid)
    other_1, other_mid = fact_1(o, row_1) & _ROW, fact_mid(o, mid) & _ROW
    best = min(mid << _TOP | row_1, other_mid << _TOP | _MIRRORED | other_1)
    n_best = np.int64(0)
    if o.exchanges:
        best = min(best, row_1 << _TOP | _EXCHANGED | mid)
        best = min(best, other_1 << _TOP | _EXCHANGED | _MIRRORED | other_mid)
        n_best = np.int64(row_1 == best >> _TOP) + np.int64(other_1 == best >> _TOP)
    n_best += np.int64(mid == best >> _TOP) + np.int64(other_mid == best >> _TOP)
    is_mirrored = np.int64((best >> _MIRRORED_AT) & _ONE)
    return np.int64(best & _ROW), np.int64(best >> _TOP), is_mirrored, n_best > 1


@inline_kernel
def _line(lines, is_mirrored):
    """Return the line of a row 0 or, if 1, of the mirrored one; without a branch."""
    return lines.own ^ ((lines.own ^ lines.mirrored) & -is_mirrored)


@inline_kernel
def image_rows(o, h, row_1, mid):
    """Return row 1 and mid row of the image under one of the symmetries."""
    bottom, top = (mid, row_1) if o.exchange[h] != 0 else (row_1, mid)
    if o.mirrored[h] != 0:
        return np.int64(o.mirror_row[bottom]), np.int64(o.mirror_row[top])
    return bottom, top


@inline_kernel
def run_at(t, o, spot, places, line, row_1, mid):
    """Return the start of a run, or IS_REACHED, or IS_OUTSIDE if there is none."""
    fact, other = fact_mid(o, mid), fact_1(o, row_1)
    if (np.int64(fact | other) < 0) | (line < 0):
        return np.int64(IS_REACHED)
    place = places.place[np.uint64(line) + ((other >> _NUMBER_AT) & _ROW)]
    if place < 0:
        return np.int64(IS_OUTSIDE)
    sum_id = (fact >> _SUM_ID_AT) & _SUM_ID
    run = t.runs[spot.runs + np.uint64(place & REST_MASK) * spot.run_sums + sum_id]
    inside = (run >> RUN_SHIFT) + np.int64((fact >> _INDEX_AT) & _INDEX) * (run & RUN_MASK)
    return spot.start + (place >> REST_SHIFT) + inside


@inline_kernel
def image_of(t, o, spot, places, upper):
    """Return the start of the first held image of a run, or IS_REACHED, and 1 if it is mirrored."""
    row_1, mid, is_mirrored, _ = turned_rows(o, upper.row_1, upper.mid)
    line = _line(upper.lines, is_mirrored)
    return run_at(t, o, spot, places, line, row_1, mid), is_mirrored


@inline_kernel
def add_run(t, o, spot, places, upper, part, found):
    """Add a SlotPart to a GrowingBitmap, by its held images, unless it has reached the target."""
    bottom, top, is_mirrored, is_tied = turned_rows(o, upper.row_1, upper.mid)
    if not is_tied:
        slot = run_at(t, o, spot, places, _line(upper.lines, is_mirrored), bottom, top)
        if slot >= 0:
            _add_part(o, slot, is_mirrored, part, found)
        return
    for h in range(o.exchange.size):
        other_bottom, other_top = image_rows(o, h, upper.row_1, upper.mid)
        if other_top == top:
            is_mirrored = np.int64(o.mirrored[h])
            line = _line(upper.lines, is_mirrored)
            slot = run_at(t, o, spot, places, line, other_bottom, other_top)
            if slot >= 0:
                _add_part(o, slot, is_mirrored, part, found)


@inline_kernel
def _add_part(o, slot, is_mirrored, part, found):
    bits, first = part.bits, first_row(part)
    if is_mirrored == 0:
        or_bits(found.words, slot + part.done, bits, found.is_shared)
    elif part.n <= 64:
        or_bits(found.words, slot, gather(o.mirror_fours, bits, first), found.is_shared)
    else:
        while bits != np.uint64(0):
            k = first + trailing_zeros(bits)
            bits &= bits - np.uint64(1)
            set_bit(found.words, slot + np.int64(o.mirror_index[k]), found.is_shared)


@inline_kernel
def rows_of(spot, board):
    return (
        np.int64((board >> spot.shift_1) & _ROW),
        np.int64((board >> spot.shift_2) & _ROW),
        (board >> spot.shift_3) & _ROW,
    )


@inline_kernel
def lines_of_board(t, o, spot, board):
    return lines_of(t, o, spot, np.int64((board >> spot.shift_0) & _ROW))


@inline_kernel
def add_board(t, o, spot, places, lines, board, found):
    """Add a board to a GrowingBitmap, by its held images, unless it has reached the target."""
    row_1, mid, inner = rows_of(spot, board)
    bottom, top, is_mirrored, is_tied = turned_rows(o, row_1, mid)
    if not is_tied:
        slot = _slot_of(t, o, spot, places, lines, bottom, top, inner, is_mirrored)
        if slot >= 0:
            set_bit(found.words, slot, found.is_shared)
        return
    for h in range(o.exchange.size):
        other_bottom, other_top = image_rows(o, h, row_1, mid)
        if other_top == top:
            is_mirrored = np.int64(o.mirrored[h])
            slot = _slot_of(t, o, spot, places, lines, other_bottom, other_top, inner, is_mirrored)
            if slot >= 0:
                set_bit(found.words, slot, found.is_shared)


@inline_kernel
def put_images(t, o, spot, places, lines, board, here, queue, n):
    """Append the slots of a board's held images, with `here` beside them; return the number."""
    row_1, mid, inner = rows_of(spot, board)
    bottom, top, is_mirrored, is_tied = turned_rows(o, row_1, mid)
    if not is_tied:
        queue.boards[n] = _slot_of(t, o, spot, places, lines, bottom, top, inner, is_mirrored)
        queue.positions[n] = here
        return n + _ONE
    for h in range(o.exchange.size):
        bottom, top_h = image_rows(o, h, row_1, mid)
        if top_h == top:
            is_mirrored = np.int64(o.mirrored[h])
            queue.boards[n] = _slot_of(t, o, spot, places, lines, bottom, top, inner, is_mirrored)
            queue.positions[n] = here
            n += _ONE
    return n


@inline_kernel
def held_slot(t, o, spot, places, lines, board):
    """Return the slot of a board's held image, the first of several; or IS_REACHED."""
    row_1, mid, inner = rows_of(spot, board)
    row_1, mid, is_mirrored, _ = turned_rows(o, row_1, mid)
    return _slot_of(t, o, spot, places, lines, row_1, mid, inner, is_mirrored)


@inline_kernel
def _slot_of(t, o, spot, places, lines, row_1, mid, inner, is_mirrored):
    """Return the slot of a board whose row 1 and mid row are already turned; or IS_REACHED."""
    fact = o.facts[o.facts_inner + (inner >> o.row_shift)]
    index = (fact >> np.uint64(INDEX_AT + (OTHER_INDEX_AT - INDEX_AT) * is_mirrored)) & _INDEX
    slot = run_at(t, o, spot, places, _line(lines, is_mirrored), row_1, mid)
    if (slot < 0) | (np.int64(fact) < 0):
        return np.int64(IS_REACHED)
    return slot + np.int64(index)
