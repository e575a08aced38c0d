"""What the kernels must know of columns: where they move, and when a locked F forbids it."""

from dataclasses import dataclass

import numpy as np

from tablebase.space import Space
from tablebase.tables import STUCK_DOWN, STUCK_UP, U8, U16, U64

_CELL_SHIFTS = (12, 8, 4, 0)


def spread_columns(space: Space, moved_up: U16, moved_down: U16) -> tuple[U64, U64, list[int]]:
    """Return what becomes of each column, laid into column 0 of a board, for every row order.

    Returns
    -------
    up, down : uint64[n_orders * 65536]
    numbers : list of int
        Which row order each arrangement has.
    """
    orders = list(dict.fromkeys(one.row_order for one in space.arrangements))
    up = np.concatenate([_spread(moved_up, order) for order in orders])
    down = np.concatenate([_spread(moved_down, order) for order in orders])
    return up, down, [orders.index(one.row_order) for one in space.arrangements]


@dataclass(frozen=True)
class LockedFacts:
    """Which boards a locked F forbids to move up or down; nothing when F tiles may shift.

    `outer` is uint8[2, 65536] by row, `mid` uint8[n], `inner_open` uint64[2, h] and `inner_clash`
    uint64[2, h, 4, 16]: see `Tables`.
    """

    outer: U8
    mid: U8
    inner_open: U64
    inner_clash: U64


def locked_f_facts(space: Space) -> LockedFacts:
    """Return when a move up or down need not be tried, for a formation whose F stay."""
    n = space.top + 1
    if len(space.formation.arrangements) > 1:
        return LockedFacts(
            np.zeros((2, 1 << 16), np.uint8),
            np.zeros(space.rows.size, np.uint8),
            np.full((2, n), ~np.uint64(0)),
            np.zeros((2, n, 4, 16), np.uint64),
        )
    every_row = np.arange(1 << 16, dtype=np.uint16)
    order = space.arrangements[0].row_order
    return LockedFacts(
        outer=np.stack([_stuck(space, every_row, position) for position in order[:2]]),
        mid=_stuck(space, space.rows, order[2]),
        inner_open=_open_runs(space),
        inner_clash=_clashes(space),
    )


def _spread(moved: U16, row_order: tuple[int, ...]) -> U64:
    column = np.arange(moved.size)
    from_the_top = np.zeros(moved.size, np.int64)
    for k, position in enumerate(row_order):
        from_the_top |= ((column >> (12 - 4 * k)) & 15) << (12 - 4 * position)
    spread = np.zeros(moved.size, np.uint64)
    for row, shift in enumerate(_CELL_SHIFTS):
        nibble = ((moved[from_the_top] >> np.uint16(shift)) & np.uint16(15)).astype(np.uint64)
        spread |= nibble << np.uint64(60 - 16 * row)
    return spread


def _must_be_filled(space: Space, upward: bool) -> int:
    """Return the cells that must not be empty, or a move up (or down) shifts a locked F.

    The free cells on the near side of a locked F in its column; walls never shift.
    """
    locked = space.arrangements[0].f_cells
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


def _stuck(space: Space, rows: U16, position: int) -> U8:
    """Return STUCK_UP | STUCK_DOWN: whether an empty cell of the row forbids these moves."""
    stuck = np.zeros(rows.size, np.uint8)
    for upward, flag in ((True, STUCK_UP), (False, STUCK_DOWN)):
        filled = (_must_be_filled(space, upward) >> (48 - 16 * position)) & 0xFFFF
        for shift in _CELL_SHIFTS:
            if (filled >> shift) & 15:
                empty = (rows >> np.uint16(shift)) & np.uint16(15) == 0
                stuck |= np.where(empty, flag, 0).astype(np.uint8)
    return stuck


def _open_runs(space: Space) -> U64:
    """Return, per half-sum, the bits of the first 64 inner rows that permit a move up and down."""
    inner = space.shapes[0].lists[3]
    stuck = _stuck(space, inner.rows, space.arrangements[0].row_order[3])
    open_bits = np.zeros((2, space.top + 1), np.uint64)
    for which, flag in enumerate((STUCK_UP, STUCK_DOWN)):
        fits = (stuck & flag == 0) & (inner.indices < 64)
        bits = np.uint64(1) << inner.indices[fits].astype(np.uint64)
        np.bitwise_or.at(open_bits[which], inner.sums[fits], bits)
    return open_bits


def _clashes(space: Space) -> U64:
    """Return, per half-sum, column and mid tile, the bits of the rows that merge with that tile.

    Only where the merge would let a locked F slide; uint64[2, h, 4, 16], up and down.
    """
    inner = space.shapes[0].lists[3]
    mid_at, inner_at = space.arrangements[0].row_order[2:]
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
