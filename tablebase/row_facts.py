"""What the kernels must know of every row beforehand: its moves, its spawns, its columns."""

import numpy as np
import numpy.typing as npt

from engine.moves import row_tables
from tablebase.space import Space
from tablebase.tables import (
    I64,
    INDEX_SHIFT,
    LEAVES,
    MOVED,
    OUTSIDE,
    REACHED,
    REACHES,
    RUN_SHIFT,
    STUCK_DOWN,
    STUCK_UP,
    U16,
    U32,
    RowList,
    Tables,
)

U64 = npt.NDArray[np.uint64]
_CELL_SHIFTS = (12, 8, 4, 0)


def kernel_tables(space: Space) -> Tables:
    """Return the arrays that the kernels read, for one formation and target."""
    moves = row_tables(space.formation.walls)
    every_row = np.arange(1 << 16, dtype=np.uint16)
    left, right = every_row ^ moves.left, every_row ^ moves.right
    mid, inner = space.row_lists[2], space.row_lists[3]
    code_mid, code_inner = space.code[2], space.code[3]
    _, count_23, count_3 = space.counts
    halves = np.arange(space.top + 1)
    lengths = count_3[np.maximum(halves[:, None] - mid.distinct[None, :], 0)]
    inner_left = _inner_moves(inner.rows, left[inner.rows], code_inner)
    inner_right = _inner_moves(inner.rows, right[inner.rows], code_inner)
    inner_spawn = (_spawn_codes(inner.rows, code_inner) >> INDEX_SHIFT).astype(np.uint8)
    inner_free = _count_free(inner.rows)
    return Tables(
        shift=np.array([48 - 16 * position for position in space.row_order], np.uint64),
        code=space.code[2:],
        outer=np.stack([_numbers(space, 0), _numbers(space, 1)]),
        count_23=count_23,
        count_3=count_3,
        runs=(space.base_2 << RUN_SHIFT) | lengths,
        mid_rows=mid.rows,
        mid_sums=mid.sums,
        mid_end=np.searchsorted(mid.sums, halves, "right"),
        mid_columns=_as_columns(mid.rows, 2),
        mid_left=_mid_moves(mid, left[mid.rows], code_mid),
        mid_right=_mid_moves(mid, right[mid.rows], code_mid),
        mid_spawn=_spawn_codes(mid.rows, code_mid),
        inner_rows=inner.rows,
        inner_first=np.searchsorted(inner.sums, halves, "left"),
        inner_columns=_as_columns(inner.rows, 3),
        mid_stuck=_stuck(space, mid.rows, space.row_order[2]),
        outer_stuck=np.stack([_stuck(space, every_row, k) for k in space.row_order[:2]]),
        inner_left=inner_left,
        inner_right=inner_right,
        inner_left_bits=_move_bits(inner_left),
        inner_right_bits=_move_bits(inner_right),
        inner_spawn=inner_spawn,
        inner_spawn_bits=_spawn_bits(inner_spawn, inner_free),
        inner_open=_open_runs(space, inner),
        inner_clash=_clashes(space, inner),
        inner_free=inner_free,
        row_left=left,
        row_right=right,
        column_up=_spread(left, space.row_order),
        column_down=_spread(right, space.row_order),
        locked=np.array([space.formation.fixed_mask], np.uint64),
    )


def _numbers(space: Space, k: int) -> U32:
    """Return, for each of the 65,536 rows, its number in an outer row list, or a special code."""
    numbers = np.where(space.code[k] >= REACHED, space.code[k], np.uint32(0))
    rows = space.row_lists[k].rows
    numbers[rows] = np.arange(rows.size, dtype=np.uint32)
    return numbers


def _as_columns(rows: U16, k: int) -> U64:
    """Return each row's cells where they lie in the four columns (see `Tables`)."""
    columns = np.zeros(rows.size, np.uint64)
    for column, shift in enumerate(_CELL_SHIFTS):
        nibble = ((rows >> np.uint16(shift)) & np.uint16(15)).astype(np.uint64)
        columns |= nibble << np.uint64(60 - 16 * column - 4 * k)
    return columns


def _spread(moved: U16, row_order: tuple[int, ...]) -> U64:
    """Return what becomes of each column (see `Tables`), laid into column 0 of a board."""
    column = np.arange(moved.size)
    from_the_top = np.zeros(moved.size, np.int64)
    for k, position in enumerate(row_order):
        from_the_top |= ((column >> (12 - 4 * k)) & 15) << (12 - 4 * position)
    spread = np.zeros(moved.size, np.uint64)
    for row, shift in enumerate(_CELL_SHIFTS):
        nibble = ((moved[from_the_top] >> np.uint16(shift)) & np.uint16(15)).astype(np.uint64)
        spread |= nibble << np.uint64(60 - 16 * row)
    return spread


def _flags(rows: U16, moved: U16, codes: U32) -> I64:
    flags = np.where(moved != rows, MOVED, 0)
    flags |= np.where(codes == OUTSIDE, LEAVES, 0)
    flags |= np.where(codes == REACHED, REACHES, 0)
    return flags.astype(np.int64)


def _mid_moves(rows: RowList, moved: U16, code: U32) -> I64:
    """Return ``(new index - old index) << 16 | flags`` of every mid row."""
    codes = code[moved]
    step = (codes >> np.uint32(INDEX_SHIFT)).astype(np.int64) - rows.indices
    step[codes >= REACHED] = 0
    return (step << 16) | _flags(rows.rows, moved, codes)


def _inner_moves(rows: U16, moved: U16, code: U32) -> U16:
    """Return ``new index | flags`` of every inner row."""
    codes = code[moved]
    index = (codes >> np.uint32(INDEX_SHIFT)).astype(np.int64)
    index[codes >= REACHED] = 0
    return (index | _flags(rows, moved, codes)).astype(np.uint16)


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


def _must_be_filled(space: Space, upward: bool) -> int:
    """Return the cells that must not be empty, or a move up (or down) shifts a locked F.

    The free cells on the near side of a locked F in its column; walls never shift.
    """
    locked = space.formation.fixed_mask
    filled = 0
    if space.formation.walls:
        return filled
    for column in range(4):
        cells = [60 - 16 * row - 4 * column for row in range(4)]
        behind_f = False
        for shift in reversed(cells) if upward else cells:
            if (locked >> shift) & 15:
                behind_f = True
            elif behind_f:
                filled |= 15 << shift
    return filled


def _stuck(space: Space, rows: U16, position: int) -> npt.NDArray[np.uint8]:
    """Return STUCK_UP | STUCK_DOWN: whether an empty cell of the row forbids these moves."""
    stuck = np.zeros(rows.size, np.uint8)
    for upward, flag in ((True, STUCK_UP), (False, STUCK_DOWN)):
        filled = (_must_be_filled(space, upward) >> (48 - 16 * position)) & 0xFFFF
        for shift in _CELL_SHIFTS:
            if (filled >> shift) & 15:
                stuck |= np.where((rows >> np.uint16(shift)) & np.uint16(15) == 0, flag, 0).astype(
                    np.uint8
                )
    return stuck


def _open_runs(space: Space, inner: RowList) -> U64:
    """Return, per half-sum, the bits of the first 64 inner rows that permit a move up and down."""
    stuck = _stuck(space, inner.rows, space.row_order[3])
    open_bits = np.zeros((2, space.top + 1), np.uint64)
    for which, flag in enumerate((STUCK_UP, STUCK_DOWN)):
        fits = (stuck & flag == 0) & (inner.indices < 64)
        bits = np.uint64(1) << inner.indices[fits].astype(np.uint64)
        np.bitwise_or.at(open_bits[which], inner.sums[fits], bits)
    return open_bits


def _clashes(space: Space, inner: RowList) -> U64:
    """Return, per half-sum, column and mid tile, the bits of the rows that merge with that tile.

    Only where the merge would let a locked F slide; uint64[2, h, 4, 16], up and down.
    """
    mid_at, inner_at = space.row_order[2], space.row_order[3]
    clash = np.zeros((2, space.top + 1, 4, 16), np.uint64)
    if abs(mid_at - inner_at) != 1:
        return clash
    fits = inner.indices < 64
    bits = np.uint64(1) << inner.indices[fits].astype(np.uint64)
    for which, upward in enumerate((True, False)):
        filled = _must_be_filled(space, upward)
        for column, shift in enumerate(_CELL_SHIFTS):
            both = (
                (filled >> (48 - 16 * mid_at + shift))
                & (filled >> (48 - 16 * inner_at + shift))
                & 15
            )
            if both:
                tile = (inner.rows[fits] >> np.uint16(shift)) & np.uint16(15)
                np.bitwise_or.at(clash[which, :, column], (inner.sums[fits], tile), bits)
    return clash


def _move_bits(moves: U16) -> U64:
    """Return the bit a row becomes when it moves: legal only if it moved itself, or anyhow."""
    legal = moves & np.uint16(LEAVES | REACHES) == 0
    index = (moves & np.uint16(0x7F)).astype(np.uint64)
    bits = np.where(legal & (index < 64), np.uint64(1) << (index & np.uint64(63)), np.uint64(0))
    moved = moves & np.uint16(MOVED) != 0
    return np.stack([np.where(moved, bits, np.uint64(0)), bits])


def _spawn_bits(spawned: npt.NDArray[np.uint8], free: npt.NDArray[np.uint8]) -> U64:
    """Return the bits a row becomes when a 2 (first) or a 4 appears in one of its free cells."""
    bits = np.zeros(spawned.shape[:2], np.uint64)
    for c in range(4):
        index = spawned[:, :, c].astype(np.uint64)
        fits = (c < free)[None, :] & (index < 64)
        bits |= np.where(fits, np.uint64(1) << (index & np.uint64(63)), np.uint64(0))
    return bits


def _count_free(rows: U16) -> npt.NDArray[np.uint8]:
    free = np.zeros(rows.size, np.uint8)
    for shift in _CELL_SHIFTS:
        free += (rows >> np.uint16(shift)) & np.uint16(15) == 0
    return free
