"""Tables of columns for the kernels: results of moves, and when an F prevents them.

The pattern of a line, a row or a column, is the set of its cells that hold F: four bits, the left
or top cell in the highest.
"""

from functools import cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from engine.platform.array_types import I64, U8, U16, U64
from tablebase.formation.formation import Formation
from tablebase.rank.kernel_tables import STUCK_DOWN, STUCK_UP, RowList
from tablebase.rank.space import Space

_CELL_SHIFTS = (12, 8, 4, 0)
_Word = TypeVar("_Word", bound=np.generic)


@cache
def line_patterns() -> U8:
    """Return the pattern of every line of four cells (uint8[65536], read-only)."""
    lines = np.arange(1 << 16)
    holds = [(lines >> shift) & 15 == 15 for shift in _CELL_SHIFTS]
    patterns = np.packbits(np.stack(holds), axis=0).ravel() >> np.uint8(4)
    patterns.flags.writeable = False
    return patterns


def column_pattern(f_cells: int, column: int) -> int:
    return sum(8 >> row for row in range(4) if (f_cells >> (60 - 16 * row - 4 * column)) & 15)


def possible_rows(formation: Formation) -> tuple[int, ...]:
    """Return, as bit sets, the patterns that each row of a board has in any arrangement."""
    return tuple(_patterns_in(formation, range(4 * row, 4 * row + 4)) for row in range(4))


def possible_columns(formation: Formation) -> tuple[int, ...]:
    return tuple(_patterns_in(formation, range(column, 16, 4)) for column in range(4))


def _patterns_in(formation: Formation, cells: range) -> int:
    placed = np.array(formation.arrangements, np.uint64)
    holds = [placed >> np.uint64(60 - 4 * cell) & np.uint64(1) for cell in cells]
    patterns = np.packbits(np.stack(holds).astype(np.uint8), axis=0).ravel() >> np.uint8(4)
    return sum(1 << pattern for pattern in np.unique(patterns).tolist())


def spread_columns(space: Space, moved_up: U16, moved_down: U16) -> tuple[U64, U64, list[int]]:
    """Return the moved form of each column, in column 0 of a board, for every row order.

    That is up and down, uint64[n_orders * 65536], and the number of each arrangement's row order.
    """
    orders = list(dict.fromkeys(arrangement.row_order for arrangement in space.arrangements))
    up, down = as_column(moved_up), as_column(moved_down)
    return (
        np.concatenate([by_row_order(up, order) for order in orders]),
        np.concatenate([by_row_order(down, order) for order in orders]),
        [orders.index(arrangement.row_order) for arrangement in space.arrangements],
    )


def by_row_order(of_columns: npt.NDArray[_Word], row_order: tuple[int, ...]) -> npt.NDArray[_Word]:
    """Return a table (array[65536]) of columns from the top, by cells in the order of rows."""
    return of_columns.reshape(16, 16, 16, 16).transpose(row_order).ravel()


def stuck_facts(
    space: Space, moved_up: U16, moved_down: U16, possible: tuple[int, ...]
) -> tuple[dict[str, Any], I64]:
    """Return the arrays of `KernelTables` on moves up or down that need not be tried.

    An F would slide out of the formation. Equal parts are stored once: then come their starts for
    each arrangement (int64[n_arrangements, 5]), in `stuck` those of row 0, row 1 and the mid row,
    then in `inner_open` and `inner_clash`. `possible` has the patterns of F, as a bit set, that
    each column has in some arrangement.
    """
    must = _MustBeFilled(space, moved_up, moved_down, possible)
    stuck: dict[object, U8] = {}
    opened: dict[object, U64] = {}
    clash: dict[object, U64] = {}
    numbers = []
    for arrangement, keys in zip(space.arrangements, space.row_kinds, strict=True):
        filled = must.cells(arrangement.f_cells, True), must.cells(arrangement.f_cells, False)
        rows = [tuple(_row_of(cells, at) for cells in filled) for at in arrangement.row_order]
        for masks in rows[:3]:
            if masks not in stuck:
                stuck[masks] = _stuck(np.arange(1 << 16, dtype=np.uint16), masks)
        mid_at, inner_at = arrangement.row_order[2:]
        both = tuple(a & b for a, b in zip(rows[2], rows[3], strict=True))
        if abs(mid_at - inner_at) != 1:
            both = (0, 0)
        open_key = (keys[3], rows[3]) if any(rows[3]) else None
        clash_key = (keys[3], both) if any(both) else None
        inner = space.kinds[keys[3]].open_rows
        if open_key not in opened:
            opened[open_key] = _open_runs(inner, rows[3], space.top + 1)
        if clash_key not in clash:
            clash[clash_key] = _clashes(inner, both, space.top + 1)
        at = [list(stuck).index(masks) for masks in rows[:3]]
        numbers.append([*at, list(opened).index(open_key), list(clash).index(clash_key)])
    h = space.top + 1
    facts = {
        "stuck": np.concatenate(list(stuck.values())),
        "inner_open": np.concatenate(list(opened.values())),
        "inner_clash": np.concatenate(list(clash.values())),
    }
    return facts, np.array(numbers, np.int64) * np.array([1 << 16] * 3 + [2 * h, 128 * h])


def as_column(lines: U16) -> U64:
    """Return the four cells of each line one below the other, in column 0."""
    column = np.zeros(lines.size, np.uint64)
    for row, shift in enumerate(_CELL_SHIFTS):
        nibble = ((lines >> np.uint16(shift)) & np.uint16(15)).astype(np.uint64)
        column |= nibble << np.uint64(60 - 16 * row)
    return column


class _MustBeFilled:
    """The cells that must be filled, or a move up (or down) shifts an F out of the formation.

    These are on the near side of an F, in columns where no shift of that column's F leads to a
    column that any arrangement has.
    """

    def __init__(
        self, space: Space, moved_up: U16, moved_down: U16, possible: tuple[int, ...]
    ) -> None:
        self._walls = bool(space.formation.walls)
        self._possible = possible
        patterns = line_patterns()
        self._leads_to = {
            True: _leads_to(patterns, patterns[moved_up]),
            False: _leads_to(patterns, patterns[moved_down]),
        }

    def cells(self, f_cells: int, upward: bool) -> int:
        """Return the board with F in these cells and nothing else."""
        if self._walls:  # these never shift
            return 0
        filled = 0
        for column in range(4):
            pattern = column_pattern(f_cells, column)
            if not self._leads_to[upward][pattern] & self._possible[column]:
                filled |= _on_near_side(pattern, upward) >> 4 * column
        return filled


def _leads_to(patterns: U8, after: U8) -> list[int]:
    """Return, per pattern, the patterns that a move shifting an F may lead to, as a bit set."""
    leads_to = np.zeros(16, np.int64)
    shifted = patterns != after
    np.bitwise_or.at(leads_to, patterns[shifted], np.int64(1) << after[shifted].astype(np.int64))
    return [int(bits) for bits in leads_to]


@cache
def _on_near_side(pattern: int, upward: bool) -> int:
    """Return the board with F in just the cells of column 0 that an F moves toward."""
    filled, behind_f = 0, False
    for row in range(3, -1, -1) if upward else range(4):
        if pattern & 8 >> row:
            behind_f = True
        elif behind_f:
            filled |= 15 << (60 - 16 * row)
    return filled


def _row_of(cells: int, position: int) -> int:
    return (cells >> (48 - 16 * position)) & 0xFFFF


def _stuck(rows: U16, filled: tuple[int, ...]) -> U8:
    """Return STUCK_UP | STUCK_DOWN of rows: whether an empty cell prevents these moves."""
    stuck = np.zeros(rows.size, np.uint8)
    for cells, flag in zip(filled, (STUCK_UP, STUCK_DOWN), strict=True):
        for shift in _CELL_SHIFTS:
            if (cells >> shift) & 15:
                empty = (rows >> np.uint16(shift)) & np.uint16(15) == 0
                stuck |= np.where(empty, flag, 0).astype(np.uint8)
    return stuck


def _open_runs(inner: RowList, filled: tuple[int, ...], n_sums: int) -> U64:
    """Return, per half-sum, the bits of the first 64 inner rows that allow a move up and down."""
    stuck = _stuck(inner.rows, filled)
    open_bits = np.zeros((n_sums, 2), np.uint64)
    if not any(filled):  # for any rows
        return np.full(open_bits.size, ~np.uint64(0))
    for which, flag in enumerate((STUCK_UP, STUCK_DOWN)):
        fits = (stuck & flag == 0) & (inner.indices < 64)
        bits = np.uint64(1) << inner.indices[fits].astype(np.uint64)
        np.bitwise_or.at(open_bits[:, which], inner.sums[fits], bits)
    return open_bits.ravel()


def _clashes(inner: RowList, filled: tuple[int, ...], n_sums: int) -> U64:
    """Return, per half-sum, column and mid tile, the bits of the rows that merge with that tile.

    Only in the columns where mid and inner row must both be filled.
    """
    clash = np.zeros((n_sums, 2, 4, 16), np.uint64)
    fits = inner.indices < 64
    bits = np.uint64(1) << inner.indices[fits].astype(np.uint64)
    for which, cells in enumerate(filled):
        for column, shift in enumerate(_CELL_SHIFTS):
            if (cells >> shift) & 15:
                tile = (inner.rows[fits] >> np.uint16(shift)) & np.uint16(15)
                np.bitwise_or.at(clash[:, which, column], (inner.sums[fits], tile), bits)
    return clash.ravel()
