"""Precomputed tables of rows for the kernels: moves, spawns, columns.

The boards of a run share their three upper rows, so that in each column only the last tile varies.
The tiles that let a column move, shift its F or push it out of the formation are one of some fifty
sets of tiles, and which inner rows of a half-sum have one of these there is precomputed: a few
lookups for each run give the effect of a move on all its boards.
"""

from typing import Any

import numpy as np

from engine.moves import row_tables
from engine.platform.array_types import I64, U8, U16, U32, U64
from tablebase.rank import kernel_tables as t
from tablebase.rank.column_tables import (
    as_column,
    by_row_order,
    line_patterns,
    possible_columns,
    possible_rows,
    spread_columns,
    stuck_facts,
)
from tablebase.rank.kernel_tables import (
    INDEX_SHIFT,
    LEAVES,
    MOVED,
    OUTSIDE,
    REACHED,
    REACHES,
    RUN_SHIFT,
    SHIFTS,
    KernelTables,
    RowList,
    fours_of,
)
from tablebase.rank.space import Classes, Shape, Space

_CELL_SHIFTS = (12, 8, 4, 0)


def kernel_tables(space: Space, *, slides: bool = True, fours: bool = True) -> KernelTables:
    """Return the arrays that the kernels read, for one formation and target.

    Without `slides` the tables of moves of whole runs are empty: only the kernels of `Layers` that
    try all moves read them. Without `fours` those of four rows at once are empty, which take most
    of the time and are used by all its kernels that expand.
    """
    moves = row_tables(space.formation.walls)
    every_row = np.arange(1 << 16, dtype=np.uint16)
    row_left, row_right = every_row ^ moves.left, every_row ^ moves.right
    patterns, of_columns = possible_rows(space.formation), possible_columns(space.formation)
    facts = _RowFacts(space, row_left, row_right, patterns)
    classes = _ClassFacts(space)
    column_up, column_down, order_ids = spread_columns(space, row_left, row_right)
    stuck, first_stuck = stuck_facts(space, row_left, row_right, of_columns)
    moved = (row_left, row_right), (facts.left, facts.right)
    slid, first_slides = slide_facts(space, *moved, of_columns) if slides else no_slide_facts(space)
    number = np.stack([_numbers(space, targets) for targets in space.code])
    none = np.zeros((2, 0), np.uint64)
    return KernelTables(
        arrangement=_arrangement_facts(
            space, classes, order_ids, first_stuck, patterns, first_slides
        ),
        arrangement_of=space.placed.of_pattern,
        shift=np.array(
            [[48 - 16 * p for p in arrangement.row_order] for arrangement in space.arrangements],
            "u8",
        ),
        f_cells=np.array([arrangement.f_cells for arrangement in space.arrangements], np.uint64),
        code=np.concatenate(list(space.code.values())),
        number=number.ravel(),
        pattern=line_patterns(),
        count_23=classes.count_23,
        count_3=classes.count_3,
        runs=classes.runs.ravel(),
        run_sums=np.array([classes.runs.shape[2]]),
        row_begin=classes.row_begin,
        row_end=classes.row_end,
        rows=space.rows,
        sums=np.concatenate([kind.open_rows.sums for kind in space.kinds.values()]),
        mid_columns=as_column(space.rows) >> np.uint64(8),
        inner_columns=as_column(space.rows) >> np.uint64(12),
        left_step=facts.steps(facts.left),
        right_step=facts.steps(facts.right),
        left=facts.left,
        right=facts.right,
        left_fours=fours_of(_move_bits(facts.left)) if fours else none,
        right_fours=fours_of(_move_bits(facts.right)) if fours else none,
        spawn_codes=facts.spawn_codes,
        spawn_index=(facts.spawn_codes >> INDEX_SHIFT).astype(np.uint8),
        spawn_fours=fours_of(_spawn_bits(facts.spawn_codes)) if fours else none,
        free=_count_free(space.rows),
        **stuck,
        **slid,
        row_left=row_left,
        row_right=row_right,
        column_up=column_up,
        column_down=column_down,
    )


class _RowFacts:
    """Moves and spawns of the rows of all kinds, one list after the other."""

    def __init__(
        self, space: Space, row_left: U16, row_right: U16, patterns: tuple[int, ...]
    ) -> None:
        self.indices = np.concatenate([kind.open_rows.indices for kind in space.kinds.values()])
        left, right, spawns = [], [], []
        possible = dict.fromkeys(space.kinds, 0)
        for arrangement, keys in zip(space.arrangements, space.row_kinds, strict=True):
            for position, key in zip(arrangement.row_order, keys, strict=True):
                possible[key] |= patterns[position]
        for key, kind in space.kinds.items():
            code = np.full(1 << 16, OUTSIDE, np.uint32)
            kind.fill_codes(code)
            rows = kind.open_rows.rows
            left.append(_moved(rows, row_left[rows], code, possible[key]))
            right.append(_moved(rows, row_right[rows], code, possible[key]))
            spawns.append(_spawn_codes(rows, code))
        self.left, self.right = np.concatenate(left), np.concatenate(right)
        self.spawn_codes: U32 = np.concatenate(spawns, axis=1)

    def steps(self, moves: U16) -> I64:
        """Return ``(new index - old index) << 16 | flags`` of every row."""
        flags = (moves & np.uint16(MOVED | SHIFTS | REACHES | LEAVES)).astype(np.int64)
        step = (moves & np.uint16(0x7F)).astype(np.int64) - self.indices
        step[flags & (SHIFTS | REACHES) != 0] = 0
        return (step << 16) | flags


class _ClassFacts:
    """Counts by half-sum, one part after the other for each class and pair of classes."""

    def __init__(self, space: Space) -> None:
        n = space.top + 1
        halves = np.arange(n)
        shapes: dict[Classes, Shape] = {}
        for classes, shape in zip(space.classes, space.shapes, strict=True):
            shapes.setdefault(classes[2:], shape)
        kinds = {kind.row_class: kind.open_rows for kind in space.kinds.values()}
        self.first = {row_class: n * i for i, row_class in enumerate(kinds)}
        self.pairs = {pair: i for i, pair in enumerate(shapes)}
        self.n = n
        lists = kinds.values()
        self.row_begin = np.concatenate([np.searchsorted(r.sums, halves, "left") for r in lists])
        self.row_end = np.concatenate([np.searchsorted(r.sums, halves, "right") for r in lists])
        self.count_3 = self.row_end - self.row_begin
        self.count_23 = np.concatenate([shape.counts[1] for shape in shapes.values()])
        most = max(shape.lists[2].distinct.size for shape in shapes.values())
        self.runs = np.zeros((len(shapes), n, most), np.int64)
        for runs, shape in zip(self.runs, shapes.values(), strict=True):
            rest = np.maximum(halves[:, None] - shape.lists[2].distinct[None, :], 0)
            runs[:, : rest.shape[1]] = (shape.base_2 << RUN_SHIFT) | shape.counts[2][rest]


def _arrangement_facts(
    space: Space,
    classes: _ClassFacts,
    order_ids: list[int],
    first_stuck: I64,
    patterns: tuple[int, ...],
    first_slides: I64,
) -> I64:
    facts = np.zeros((len(space.arrangements), t.N_FACTS), np.int64)
    parts = {targets: i << 16 for i, targets in enumerate(space.code)}
    for i, (arrangement, kinds) in enumerate(zip(space.arrangements, space.classes, strict=True)):
        pair = classes.pairs[kinds[2:]]
        where = [parts[space.targets[position]] for position in arrangement.row_order]
        facts[i, t.MID_ROWS], facts[i, t.INNER_ROWS] = space.first_rows[i, 2:]
        facts[i, t.MID_SUMS], facts[i, t.INNER_SUMS] = (classes.first[kind] for kind in kinds[2:])
        facts[i, t.PAIR] = pair * classes.n
        facts[i, t.RUNS] = pair * classes.runs[0].size
        facts[i, t.STRIDE] = space.shapes[i].lists[1].rows.size
        facts[i, [t.NUMBER_0, t.NUMBER_1, t.CODE_MID, t.CODE_INNER]] = where
        facts[i, t.COLUMNS] = order_ids[i] << 16
        facts[i, t.KEPT_BY] = sum(1 << symmetry for symmetry in arrangement.kept_by)
        facts[i, [t.STUCK_0, t.STUCK_1, t.STUCK_MID, t.OPEN, t.CLASH]] = first_stuck[i]
        facts[i, [t.POSSIBLE_0, t.POSSIBLE_1]] = [patterns[p] for p in arrangement.row_order[:2]]
        facts[i, t.SLIDES] = first_slides[i]
    return facts


def _numbers(space: Space, targets: int) -> U32:
    """Return, for each of the 65,536 rows, its number in its list, or a special code."""
    number = np.full(1 << 16, OUTSIDE, np.uint32)
    for key in space.kinds_at[targets]:
        space.kinds[key].fill_numbers(number)
    return number


def _moved(rows: U16, moved: U16, code: U32, possible: int) -> U16:
    """Return ``new index | flags`` of rows of one kind; `possible`: bits of their patterns of F."""
    codes = code[moved]
    index = (codes >> np.uint32(INDEX_SHIFT)).astype(np.int64)
    index[codes >= REACHED] = 0
    index |= np.where(moved != rows, MOVED, 0)
    index |= np.where(codes == OUTSIDE, SHIFTS, 0)
    index |= np.where(codes == REACHED, REACHES, 0)
    leaves = (possible >> line_patterns()[moved].astype(np.int64)) & 1 == 0
    index |= np.where((codes == OUTSIDE) & leaves, LEAVES, 0)
    return index.astype(np.uint16)


def _spawn_codes(rows: U16, code: U32) -> U32:
    """Return the codes after a 2 (first) or 4 appears in each free cell, OUTSIDE as filler."""
    spawned = np.full((2, rows.size, 4), OUTSIDE, np.uint32)
    filled = np.zeros(rows.size, np.int64)
    for shift in _CELL_SHIFTS:
        free = np.nonzero((rows >> np.uint16(shift)) & np.uint16(15) == 0)[0]
        for exponent in (1, 2):
            new_rows = rows[free] | np.uint16(exponent << shift)
            spawned[exponent - 1, free, filled[free]] = code[new_rows]
        filled[free] += 1
    return spawned


def _move_bits(moves: U16) -> U64:
    """Return the bit that a row becomes by a move: just for rows that moved, and for all rows."""
    legal = moves & np.uint16(SHIFTS | REACHES) == 0
    index = (moves & np.uint16(0x7F)).astype(np.uint64)
    bits = np.where(legal & (index < 64), np.uint64(1) << (index & np.uint64(63)), np.uint64(0))
    moved = moves & np.uint16(MOVED) != 0
    return np.stack([np.where(moved, bits, np.uint64(0)), bits])


def _spawn_bits(codes: U32) -> U64:
    """Return the bits that a row becomes if a 2 (first) or a 4 appears in one of its free cells."""
    bits = np.zeros(codes.shape[:2], np.uint64)
    for c in range(4):
        index = (codes[:, :, c] >> np.uint32(INDEX_SHIFT)).astype(np.uint64)
        fits = (codes[:, :, c] < REACHED) & (index < 64)
        bits |= np.where(fits, np.uint64(1) << (index & np.uint64(63)), np.uint64(0))
    return bits


def _count_free(rows: U16) -> U8:
    free = np.zeros(rows.size, np.uint8)
    for shift in _CELL_SHIFTS:
        free += (rows >> np.uint16(shift)) & np.uint16(15) == 0
    return free


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
