"""Tables for moves that may shift an F: which rows of a run they move, and how.

The boards of a run share their three upper rows, so that in each column only the last tile varies.
The tiles that let a column move, shift its F or push it out of the formation are one of some fifty
sets of tiles, and which inner rows of a half-sum have one of these there is precomputed: a few
lookups for each run give the effect of a move on all its boards.
"""

from typing import Any

import numpy as np

from engine.platform.array_types import I64, U8, U16, U32, U64
from tablebase.rank.column_tables import by_row_order, line_patterns
from tablebase.rank.kernel_tables import LEAVES, MOVED, SHIFTS, RowList
from tablebase.rank.space import Space

_CELL_SHIFTS = (12, 8, 4, 0)
_MOVES, _SHIFTS, _LEAVES = 0, 16, 32  # starts of the tiles of each kind in a set


def no_slide_facts(space: Space) -> tuple[dict[str, Any], I64]:
    """Return empty tables in the form of `slide_facts`, for callers that move no runs."""
    empty = dict.fromkeys(("column_slides", "row_slides", "low_cells"), np.zeros(0, np.uint64))
    first = np.zeros(len(space.arrangements), np.int64)
    sets = {"column_sets": np.zeros(0, np.uint32), "set_words": np.zeros(1, np.int64)}
    return {**sets, **empty, "slide_part": first}, first


def slide_facts(
    space: Space, moved: tuple[U16, U16], rows_moved: tuple[U16, U16], possible: tuple[int, ...]
) -> tuple[dict[str, Any], I64]:
    """Return the arrays of `KernelTables` on the effects of moves on inner rows.

    Then come the starts of the half-sums of each arrangement in `slide_part`. `moved`
    (uint16[65536] each) are the columns after a move up, and down, by their cells from the top;
    `rows_moved` are `left` and `right` of `KernelTables`; `possible` has the patterns of F that
    each column has in any arrangement, as bit sets.
    """
    column_sets, sets = _column_sets(space, moved, possible)
    kinds = dict(zip((keys[3] for keys in space.row_kinds), space.first_rows[:, 3], strict=True))
    n_parts, parts, columns, rows, low = 0, [], [], [], []
    for key, first_row in kinds.items():
        inner = space.kinds[key].open_rows
        part = _first_parts(inner, space.top + 1)
        at = part[inner.sums] + (inner.indices >> 6)
        bits = np.uint64(1) << (inner.indices & 63).astype(np.uint64)
        having = _by_tile(inner, at, bits, part[-1])
        columns.append(_by_set(having, sets))
        low.append(_below(having))
        listed = slice(first_row, first_row + inner.rows.size)
        rows.append(_by_flag([moves[listed] for moves in rows_moved], at, bits, part[-1]))
        parts.append(part[:-1] + n_parts)
        n_parts += part[-1]
    number = [list(kinds).index(keys[3]) for keys in space.row_kinds]
    facts = {
        "column_sets": column_sets,
        "set_words": np.array([3 * len(sets)]),
        "slide_part": np.concatenate(parts),
        "column_slides": np.concatenate(columns),
        "row_slides": np.concatenate(rows),
        "low_cells": np.concatenate(low),
    }
    return facts, np.array(number, np.int64) * (space.top + 1)


def _column_sets(
    space: Space, moved: tuple[U16, U16], possible: tuple[int, ...]
) -> tuple[U32, list[int]]:
    """Return the number of the set of inner tiles of every column, and the sets.

    A set has 16 bits for each of: the tiles that let the column move, those that shift an F, and
    those that shift one to a place where no arrangement has it.
    """
    of_column = [[_flags(to, patterns) for to in moved] for patterns in possible]
    numbers: dict[int, int] = {}
    columns = []
    for order in dict.fromkeys(arrangement.row_order for arrangement in space.arrangements):
        for of_moves in of_column:
            both = np.zeros(1 << 12, np.uint32)
            for shift, flags in zip((0, 16), of_moves, strict=True):
                sets = _sets_of_tiles(by_row_order(flags, order))
                different, which = np.unique(sets, return_inverse=True)
                ids = [numbers.setdefault(key, len(numbers)) for key in different.tolist()]
                both |= (3 * np.array(ids, np.uint32))[which] << np.uint32(shift)
            columns.append(both)
    return np.concatenate(columns), list(numbers)


def _flags(to: U16, possible: int) -> U8:
    """Return bits 0, 1, 2 of each column that becomes `to`: moves, shifts an F, none has that F."""
    before = line_patterns()
    shifts = before[to] != before
    leaves = shifts & (possible >> before[to].astype(np.int64) & 1 == 0)
    flags = (to != np.arange(1 << 16)).astype(np.uint8)
    return flags | shifts.astype(np.uint8) << 1 | leaves.astype(np.uint8) << 2


def _sets_of_tiles(flags: U8) -> I64:
    """Return, for all upper three cells, the sets of the last tiles of the columns."""
    sets = np.zeros(1 << 12, np.int64)
    for bit, first in enumerate((_MOVES, _SHIFTS, _LEAVES)):
        tiles = np.packbits(flags & np.uint8(1 << bit), bitorder="little").view("<u2")
        sets |= tiles.astype(np.int64) << first
    return sets


def _first_parts(inner: RowList, n_sums: int) -> I64:
    """Return the starts of the words for the rows of each half-sum, and the number of words."""
    counts = np.bincount(inner.sums, minlength=n_sums)
    return np.concatenate((np.zeros(1, np.int64), np.cumsum((counts + 63) // 64)))


def _by_tile(inner: RowList, at: I64, bits: U64, n_parts: int) -> U64:
    """Return the rows that have each tile in each cell (uint64[n_parts, 4, 16])."""
    having = np.zeros((n_parts, 4, 16), np.uint64)
    for column, shift in enumerate(_CELL_SHIFTS):
        tiles = (inner.rows >> np.uint16(shift)) & np.uint16(15)
        np.bitwise_or.at(having[:, column], (at, tiles), bits)
    return having


def _below(having: U64) -> U64:
    """Return the rows with less than each tile in each cell (uint64[n_parts, 4, 17], raveled)."""
    low = np.zeros((*having.shape[:2], 17), np.uint64)
    np.bitwise_or.accumulate(having, axis=2, out=low[:, :, 1:])
    return low.ravel()


def _by_set(having: U64, sets: list[int]) -> U64:
    """Return the rows whose tile is in each set (uint64[n_parts, 4, n_sets, 3], raveled)."""
    rows = np.zeros((*having.shape[:2], len(sets), 3), np.uint64)
    for i, bits in enumerate(sets):
        for what, first in enumerate((_MOVES, _SHIFTS, _LEAVES)):
            for tile in range(16):
                if bits >> (first + tile) & 1:
                    rows[:, :, i, what] |= having[:, :, tile]
    return rows.ravel()


def _by_flag(moved: list[U16], at: I64, bits: U64, n_parts: int) -> U64:
    """Return the rows that move, shift an F, leave (uint64[n_parts, 2, 3], raveled)."""
    rows = np.zeros((n_parts, 2, 3), np.uint64)
    for side, moves in enumerate(moved):
        for what, flag in enumerate((MOVED, SHIFTS, LEAVES)):
            fits = moves & np.uint16(flag) != 0
            np.bitwise_or.at(rows[:, side, what], at[fits], bits[fits])
    return rows.ravel()
