"""Symmetric formations whose F never move: of each position's images only some are held.

Some symmetries of a formation keep the inner row where it is: they may mirror all rows, and
exchange row 1 with the mid row. Among a position's images under these alone, held are those whose
mid row is the least number: which they are is known of a whole run. The image of the least number
of all is among them, which is the one that is stored.
"""

from typing import NamedTuple

import numpy as np

from engine.geometry import destinations
from engine.jit import inline_kernel, trailing_zeros
from tablebase.bits import or_bits, set_bit
from tablebase.lines import IS_OUTSIDE, IS_REACHED, gather, index_of, run_slot
from tablebase.row_lists import RowKind
from tablebase.space import Space
from tablebase.tables import (
    I64,
    INDEX_SHIFT,
    OUTSIDE,
    REACHED,
    REST_MASK,
    REST_SHIFT,
    U8,
    U16,
    U64,
)

_ROW = np.uint64(0xFFFF)


class Orientation(NamedTuple):
    """What the kernels know of the symmetries that keep the inner row where it is, h of them."""

    exchange: U8  # [h] whether row 1 and the mid row change places; the identity comes first
    mirrored: U8  # [h] whether all rows are mirrored
    mirror_row: U16  # [65536] the mirrored row
    mirror_index: U8  # [n] of each row of `Tables.rows`, the index of the mirrored one
    mirror_bits: U64  # [n] 1 << that index, 0 from 64 on


def orientation_of(space: Space) -> Orientation | None:
    """Return the symmetries that leave the inner row where it is; None when there are none."""
    if len(space.formation.arrangements) > 1:
        return None
    turns: dict[tuple[bool, bool], list[int]] = {}
    for goes_to in destinations(space.formation.symmetry):
        turn = _turn(space, goes_to)
        if turn is not None:
            turns[turn] = goes_to
    if len(turns) < 2:
        return None
    order = sorted(turns)
    mirrors = [goes_to for (_, is_mirrored), goes_to in turns.items() if is_mirrored]
    row = _mirrored_rows(mirrors[0]) if mirrors else np.arange(1 << 16, dtype=np.uint16)
    index = np.concatenate([_mirrored_indices(kind, row) for kind in space.kinds.values()])
    fits = index < 64
    return Orientation(
        np.array([exchange for exchange, _ in order], np.uint8),
        np.array([is_mirrored for _, is_mirrored in order], np.uint8),
        row,
        index.astype(np.uint8),
        np.where(fits, np.uint64(1) << (index & 63).astype(np.uint64), np.uint64(0)),
    )


def held_ones(o: Orientation, space: Space, boards: U64) -> U64:
    """Return those of some boards that are held themselves, not another image of theirs."""
    _, at_1, at_mid, _ = space.arrangements[0].row_order
    row_1, mid = ((boards >> np.uint64(48 - 16 * at)) & _ROW for at in (at_1, at_mid))
    least = mid
    for exchange, is_mirrored in zip(o.exchange, o.mirrored, strict=True):
        top = row_1 if exchange else mid
        least = np.minimum(least, o.mirror_row[top.astype(np.int64)] if is_mirrored else top)
    return boards[mid == least]


def _turn(space: Space, goes_to: list[int]) -> tuple[bool, bool] | None:
    """Return whether a symmetry exchanges row 1 and mid row, and whether it mirrors rows.

    None when it does anything else.
    """
    (one,), (kinds,) = space.arrangements, space.row_kinds
    order = one.row_order
    rows = [goes_to[4 * r] // 4 for r in range(4)]
    columns = [goes_to[c] % 4 for c in range(4)]
    free = [cell for cell in range(16) if not (one.f_cells >> (60 - 4 * cell)) & 15]
    if any(goes_to[cell] != 4 * rows[cell // 4] + columns[cell % 4] for cell in free):
        return None
    if min(free) // 4 != order[2]:  # what is held would not be what is stored
        return None
    to = tuple(rows[position] for position in order[1:])
    if to == order[1:]:
        return False, columns != [0, 1, 2, 3]
    if to == (order[2], order[1], order[3]) and kinds[1] == kinds[2]:
        return True, columns != [0, 1, 2, 3]
    return None


def _mirrored_rows(goes_to: list[int]) -> U16:
    """Return every row with its cells where a symmetry takes those of its columns."""
    every_row = np.arange(1 << 16)
    mirrored = np.zeros(1 << 16, np.int64)
    for column in range(4):
        to = goes_to[column] % 4
        mirrored |= ((every_row >> (12 - 4 * column)) & 15) << (12 - 4 * to)
    return mirrored.astype(np.uint16)


def _mirrored_indices(kind: RowKind, mirrored: U16) -> I64:
    code = np.full(1 << 16, OUTSIDE, np.uint32)
    kind.fill_codes(code)
    found = code[mirrored[kind.open_rows.rows]]
    # Rows of a kind that has no mirror image beside it are none of the inner row's.
    return np.where(found < REACHED, found >> np.uint32(INDEX_SHIFT), 0).astype(np.int64)


@inline_kernel
def least_top(o, row_1, mid):
    """Return the least mid row of a run's images."""
    least = mid
    for h in range(o.exchange.size):
        least = min(least, turned_top(o, h, row_1, mid))
    return least


@inline_kernel
def turned_top(o, h, row_1, mid):
    """Return the mid row of an image of a run."""
    top = row_1 if o.exchange[h] != 0 else mid
    return np.int64(o.mirror_row[top]) if o.mirrored[h] != 0 else top


@inline_kernel
def turned_run(t, o, h, spot, places, row_0, row_1, mid):
    """Return where an image of a run begins; as run_at."""
    row_0 = np.int64(o.mirror_row[row_0]) if o.mirrored[h] != 0 else row_0
    bottom = turned_top(o, h, mid, row_1)
    return run_at(t, spot, places, row_0, bottom, turned_top(o, h, row_1, mid))


@inline_kernel
def run_at(t, spot, places, row_0, row_1, mid):
    """Return where a run begins, or IS_REACHED, or IS_OUTSIDE when there is none."""
    i = t.number[spot.number_0 + np.uint64(row_0)]
    j = t.number[spot.number_1 + np.uint64(row_1)]
    code = t.code[spot.code_mid + np.uint64(mid)]
    if max(max(i, j), code) >= REACHED:
        return np.int64(IS_REACHED)
    place = places.place[spot.at + np.uint64(i) * spot.stride + np.uint64(j)]
    if place < 0:
        return np.int64(IS_OUTSIDE)
    return spot.start + (place >> REST_SHIFT) + run_slot(t, spot, place & REST_MASK, code)


@inline_kernel
def image_of(t, o, spot, places, row_0, row_1, mid):
    """Return where the image of a run that is held begins, and whether it is mirrored.

    The first of several; IS_REACHED if it has reached the target.
    """
    least = least_top(o, row_1, mid)
    for h in range(o.exchange.size):
        if turned_top(o, h, row_1, mid) == least:
            return turned_run(t, o, h, spot, places, row_0, row_1, mid), o.mirrored[h] != 0
    return np.int64(IS_REACHED), False  # never


@inline_kernel
def add_run(t, o, spot, places, row_0, row_1, mid, bits, first, done, n, words, shared):
    """Add up to 64 boards of a run to a bitmap, by those images that are held.

    `bits` are those of inner rows from `first` on, which are number `done` and so on of `n` of
    their sum. Boards that have reached the target are not added.
    """
    least = least_top(o, row_1, mid)
    for h in range(o.exchange.size):
        if turned_top(o, h, row_1, mid) != least:
            continue
        slot = turned_run(t, o, h, spot, places, row_0, row_1, mid)
        if slot < 0:
            return
        if o.mirrored[h] == 0:
            or_bits(words, slot + done, bits, shared)
        elif n <= 64:
            or_bits(words, slot, gather(o.mirror_bits, bits, first), shared)
        else:
            left = bits
            while left != np.uint64(0):
                k = np.uint64(first) + trailing_zeros(left)
                left &= left - np.uint64(1)
                set_bit(words, slot + np.int64(o.mirror_index[k]), shared)


@inline_kernel
def rows_of(spot, board):
    """Return row 0, row 1, mid and inner row of a board."""
    return (
        np.int64((board >> spot.shift_0) & _ROW),
        np.int64((board >> spot.shift_1) & _ROW),
        np.int64((board >> spot.shift_2) & _ROW),
        np.int64((board >> spot.shift_3) & _ROW),
    )


@inline_kernel
def add_board(t, o, spot, places, board, words, shared):
    """Add a board to a bitmap, by those images that are held, unless it has reached the target."""
    row_0, row_1, mid, inner = rows_of(spot, board)
    least = least_top(o, row_1, mid)
    for h in range(o.exchange.size):
        if turned_top(o, h, row_1, mid) != least:
            continue
        slot = turned_run(t, o, h, spot, places, row_0, row_1, mid)
        row = np.int64(o.mirror_row[inner]) if o.mirrored[h] != 0 else inner
        code = t.code[spot.code_inner + np.uint64(row)]
        if slot < 0 or code >= REACHED:
            return
        set_bit(words, slot + index_of(code), shared)


@inline_kernel
def held_slot(t, o, spot, places, board):
    """Return the slot of a board's image that is held, the first of several; or IS_REACHED."""
    row_0, row_1, mid, inner = rows_of(spot, board)
    slot, is_mirrored = image_of(t, o, spot, places, row_0, row_1, mid)
    row = np.int64(o.mirror_row[inner]) if is_mirrored else inner
    code = t.code[spot.code_inner + np.uint64(row)]
    if slot < 0 or code >= REACHED:
        return np.int64(IS_REACHED)
    return slot + index_of(code)
