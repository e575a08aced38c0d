"""What the kernels know of a formation: the codes of rows, and the arrays they read."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

OUTSIDE = np.uint32(0xFFFF_FFFF)
REACHED = np.uint32(0xFFFF_FFFE)

# A row's code: index among the rows of its sum | number of its sum | its half-sum.
INDEX_SHIFT, SUM_ID_SHIFT = 25, 14
SUM_ID_MASK, SUM_MASK = 0x7FF, 0x3FFF

# Flags of a moved mid or inner row, above the 7 bits of its new index.
MOVED, LEAVES, REACHES = 0x80, 0x100, 0x200

# An empty cell of the row lets a locked F slide when the board moves up, or down.
STUCK_UP, STUCK_DOWN = 1, 2

RUN_SHIFT, RUN_MASK = 8, 0xFF
REST_SHIFT, REST_MASK = 14, 0x3FFF

MAX_HALF_SUM = SUM_MASK - 4

U16 = npt.NDArray[np.uint16]
U32 = npt.NDArray[np.uint32]
I64 = npt.NDArray[np.int64]


class RowList(NamedTuple):
    """The rows of one position, ascending by (half-sum, value); n rows, m distinct sums."""

    rows: U16  # [n] 16-bit rows
    sums: I64  # [n] half-sums, ascending
    sum_ids: I64  # [n] number of the half-sum among the m
    indices: I64  # [n] index among the rows of the same sum
    distinct: I64  # [m] the half-sums, ascending
    counts: I64  # [m] rows of each sum


class Tables(NamedTuple):
    """What the kernels read: the same for all layers of a table.

    The columns of a board are one uint64, column 0 in the highest 16 bits; in each the cell of
    row 0 comes first and that of the inner row last, so that the columns of one run lie side by
    side in the tables that say where they move.

    `shift` says where the rows 0, 1, mid and inner lie in a board, `code` what they are worth.
    Arrays named ``mid_`` and ``inner_`` run over the rows of these lists.
    """

    shift: npt.NDArray[np.uint64]  # [4]
    code: U32  # [2, 65536] of the mid and the inner row
    outer: U32  # [2, 65536] number of the row in its list, or OUTSIDE, or REACHED
    count_23: I64  # [h] boards of mid and inner rows by half-sum: the length of a block
    count_3: I64  # [h] inner rows by half-sum: the length of a run
    runs: I64  # [h, m2] base_2 << RUN_SHIFT | length of the runs that begin there
    mid_rows: U16
    mid_sums: I64
    mid_end: I64  # [h] mid rows of at most this half-sum
    mid_columns: npt.NDArray[np.uint64]  # [n] the row's cells in the columns
    mid_left: I64  # new index minus old, and flags (see pack_moves)
    mid_right: I64
    mid_spawn: U32  # [2, n, 4] codes after a 2 or 4 appears in its free cells, OUTSIDE as filler
    mid_stuck: npt.NDArray[np.uint8]  # [n] STUCK_UP | STUCK_DOWN
    outer_stuck: npt.NDArray[np.uint8]  # [2, 65536]
    inner_rows: U16
    inner_first: I64  # [h] first inner row of this half-sum
    inner_columns: npt.NDArray[np.uint64]
    inner_left: U16  # new index | MOVED | LEAVES | REACHES
    inner_right: U16
    inner_left_bits: npt.NDArray[np.uint64]  # [2, n] 1 << new index: if moved itself; anyhow
    inner_right_bits: npt.NDArray[np.uint64]
    inner_spawn: npt.NDArray[np.uint8]  # [2, n, 4] new indices
    inner_spawn_bits: npt.NDArray[np.uint64]  # [2, n] 1 << new index, all free cells together
    inner_open: npt.NDArray[np.uint64]  # [2, h] bits of the rows that are not stuck up, down
    inner_clash: npt.NDArray[np.uint64]  # [2, h, 4, 16] bits of rows that merge with a mid tile
    inner_free: npt.NDArray[np.uint8]  # [n] number of free cells
    row_left: U16  # [65536] the moved row
    row_right: U16
    column_up: npt.NDArray[np.uint64]  # [65536] the moved column, laid into column 0 of a board
    column_down: npt.NDArray[np.uint64]
    locked: npt.NDArray[np.uint64]  # [1] the cells that must hold F


class Blocks(NamedTuple):
    """The blocks of one layer in slot order, and where to find that of two given rows."""

    start: I64  # [n] first slot
    rows: I64  # [n] row 0 << 16 | row 1
    rest: I64  # [n] half-sum of mid and inner row together
    place: I64  # [n0, n1] first slot << REST_SHIFT | rest, by the rows' numbers; -1: no block
