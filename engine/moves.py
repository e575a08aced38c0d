"""The rules of sliding, as tables over the 65,536 rows.

Two rules:

* standard: every tile slides; equal neighbors merge once, except two 32768, since their sum does
  not fit a nibble (`engine.game` merges them; tables never do);
* walls: nibble F is a wall that never moves and splits the line into separate ones.

The tables hold ``row XOR result``, so an unchanged row contributes nothing. Up and
down are left and right of the transposed board. The machine-code versions are in
`engine.kernels.moves` (single boards) and `engine.kernels.bulk_moves` (arrays): this module needs
no compiler and loads at once.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.bitboard import LARGEST_NIBBLE, LEFT, RIGHT, UP, transpose

N_ROWS = 1 << 16
_SHIFTS = (12, 8, 4, 0)


class RowTables(NamedTuple):
    """The result of sliding every row; read-only arrays, shared by all callers."""

    # uint16[65536]: row XOR the row after the move: ``row ^ left[row]``; 0 when the row does not
    # change.
    left: npt.NDArray[np.uint16]
    right: npt.NDArray[np.uint16]
    # uint32[65536]: the points of sliding the row. Left and right earn the same: of n equal
    # neighbors n // 2 pairs merge, from either side.
    score: npt.NDArray[np.uint32]


@cache
def row_tables(walls: bool = False) -> RowTables:
    rows = np.arange(N_ROWS, dtype=np.uint16)
    row_cells = np.stack([(rows >> shift) & 15 for shift in _SHIFTS])
    left_cells, score = _slide_left(row_cells, walls)
    right_cells = _slide_left(row_cells[::-1], walls)[0][::-1]
    tables = RowTables(rows ^ _pack(left_cells), rows ^ _pack(right_cells), score)
    for table in tables:
        table.setflags(write=False)
    return tables


def _slide_left(
    row_cells: npt.NDArray[np.uint16], walls: bool
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint32]]:
    """Slide all rows at once: tile by tile from the left, each up to the filled part of its row."""
    after = np.zeros_like(row_cells)
    score = np.zeros(row_cells.shape[1], np.uint32)
    every = np.arange(row_cells.shape[1])
    filled = np.zeros(every.size, np.int64)  # how far the row is filled
    may_merge = np.zeros(every.size, bool)  # whether its last tile may still merge
    for place, tile in enumerate(row_cells):
        is_large = tile == LARGEST_NIBBLE
        merges = (tile > 0) & ~is_large & may_merge & (after[filled - 1, every] == tile)
        after[filled[merges] - 1, every[merges]] += 1
        score[merges] += np.uint32(2) << tile[merges].astype(np.uint32)
        may_merge[merges] = False
        if walls:
            filled[is_large] = place
        lands = (tile > 0) & ~merges
        after[filled[lands], every[lands]] = tile[lands]
        filled[lands] += 1
        may_merge[lands] = True
    return after, score


def _pack(row_cells: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
    packed = np.zeros(row_cells.shape[1], np.uint16)
    for shift, tile in zip(_SHIFTS, row_cells, strict=True):
        packed |= tile << np.uint16(shift)
    return packed


@cache
def _table_views(walls: bool) -> "tuple[memoryview[int], memoryview[int], memoryview[int]]":
    """Return left, right and score as memory views: their items are Python ints."""
    tables = row_tables(walls)
    return tables.left.data, tables.right.data, tables.score.data


def move(board: int, direction: int, walls: bool = False) -> int:
    """Return the board after a slide, before the spawn; the same board when the move is illegal.

    >>> f"{move(0x1120_0000_0000_0000, LEFT):016x}"
    '2200000000000000'
    """
    table = _table_views(walls)[direction & 1]
    board = int(board)
    if direction in (LEFT, RIGHT):
        return board ^ _look_up_rows(board, table)
    return board ^ transpose(_look_up_rows(transpose(board), table))


def move_score(board: int, direction: int, walls: bool = False) -> int:
    """Return the points of a slide: the sum of the merged tiles in face value."""
    score = _table_views(walls)[2]
    rows = transpose(int(board)) if direction >= UP else int(board)
    return sum(score[(rows >> shift) & 0xFFFF] for shift in (48, 32, 16, 0))


def can_move(board: int, walls: bool = False) -> bool:
    return any(move(board, direction, walls) != board for direction in range(4))


def _look_up_rows(board: int, table: "memoryview[int]") -> int:
    return (
        table[board >> 48] << 48
        | table[(board >> 32) & 0xFFFF] << 32
        | table[(board >> 16) & 0xFFFF] << 16
        | table[board & 0xFFFF]
    )
