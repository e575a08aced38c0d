"""Moves of many boards by arithmetic on whole boards, without row tables.

A bitboard is four lanes of 16 bits, its rows. Each step below treats the four rows, and, as there
is no branch, LLVM makes the loops treat 2, 4 or 8 boards per instruction (SSE, AVX2, AVX-512). All
four moves of random boards on one core of a Zen 4 server: 260 million boards a second, where row
tables do 80 (tests/bench/bench_moves.py).

How the row ``2 . 2 2`` slides:

    close the gaps            2 2 2 .
    which pairs are equal     ^ ^          cell 0 with 1, cell 1 with 2
    merge from the left       4 . 2 .      a pair whose left neighbour merges does not
    close the gaps            4 2 . .      the result of LEFT
    a run of exactly three    2 4 . .      is where LEFT and RIGHT differ: exchange the two
    push to the other side    . . 2 4      the result of RIGHT

Up and down are left and right of the transposed board. The numbers 0x1000_1000_1000_1000 and so on
select a bit in each row: nibble and bit positions in a row are counted from its right end.
"""

import numpy as np
import numpy.typing as npt

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.jit import inline_kernel, kernel
from engine.kernels.moves import slide, slide_score
from engine.kernels.symmetry import transpose
from engine.moves import RowTables, row_tables

U64 = npt.NDArray[np.uint64]
U32 = npt.NDArray[np.uint32]

_U = np.uint64
_CELL_3 = _U(0x000F_000F_000F_000F)  # the rightmost cell of each row
_CELL_2 = _U(0x00F0_00F0_00F0_00F0)
_CELL_1 = _U(0x0F00_0F00_0F00_0F00)
_CELL_0 = _U(0xF000_F000_F000_F000)
_BIT_0 = _U(0x0001_0001_0001_0001)
_BIT_4 = _U(0x0010_0010_0010_0010)
_BIT_8 = _U(0x0100_0100_0100_0100)
_BIT_12 = _U(0x1000_1000_1000_1000)
_BITS_4_8 = _U(0x0110_0110_0110_0110)
_LOW_BITS = _U(0x7777_7777_7777_7777)  # the three low bits of every cell
_HIGH_BITS_0_TO_2 = _U(0x8880_8880_8880_8880)  # the high bit of every cell but the rightmost


@inline_kernel
def _close_gaps(board: np.uint64) -> np.uint64:
    """Push all tiles to the left, none merging: where a cell is empty, what is right of it moves.

    Cell 2 first, so that what moves has no gap inside; no step changes whether the next cell is
    empty, so all three masks come from the board as it is and do not wait for one another.
    """
    # 16 minus a nibble keeps the bit above the nibble exactly when the nibble is 0.
    empty_2 = (_BIT_8 - (board & _CELL_2)) & _BIT_8
    empty_1 = (_BIT_12 - (board & _CELL_1)) & _BIT_12
    empty_0 = (_BIT_12 - ((board >> _U(4)) & _CELL_1)) & _BIT_12
    # A bit minus the lowest bit of the row: all bits in between.
    tail_2 = empty_2 - (empty_2 >> _U(8))
    tail_1 = empty_1 - (empty_1 >> _U(12))
    tail_0 = empty_0 - (empty_0 >> _U(12))
    rows = (board & ~tail_2) | ((board & tail_2) << _U(4))
    rows = (rows & ~tail_1) | ((rows & tail_1) << _U(4))
    return (rows & ~tail_0) | ((rows & tail_0) << _U(4))


@inline_kernel
def _equal_pairs(rows: np.uint64) -> np.uint64:
    """Return bit 0 of each cell that may merge (1 to 14) with its equal right neighbour."""
    # Adding 7 to the three low bits sets the high bit exactly when one of them is set.
    neither_0_nor_15 = ((rows ^ (rows >> _U(1))) & _LOW_BITS) + _LOW_BITS
    difference = rows ^ (rows << _U(4))
    differs = ((difference & _LOW_BITS) + _LOW_BITS) | difference
    return (neither_0_nor_15 & ~differs & _HIGH_BITS_0_TO_2) >> _U(3)


@inline_kernel
def _merging_pairs(equal: np.uint64) -> np.uint64:
    """Return the pairs that merge towards the left: those that no merging pair overlaps."""
    second_or_later = (equal & ~(equal >> _U(4))) >> _U(4)
    return equal & ~second_or_later


@inline_kernel
def _merge(rows: np.uint64, merging: np.uint64) -> np.uint64:
    """Let the left tile of each merging pair grow, take the right one away, close that gap."""
    partner = merging >> _U(4)
    # Pair 0 leaves a gap that cells 2 and 3 close, pair 1 one that cell 3 closes, pair 2 none.
    tail = (partner & _BITS_4_8) - (((partner >> _U(4)) | (partner >> _U(8))) & _BIT_0)
    rows = (rows + merging) & ~(merging - partner)
    return (rows & ~tail) | ((rows & tail) << _U(4))


@inline_kernel
def _exchange_in_threes(left: np.uint64, equal: np.uint64) -> np.uint64:
    """Turn the result of LEFT into that of merging from the right, still at the left side.

    They differ where exactly three equal tiles meet: two neighbouring equal pairs, and not three.
    """
    two_pairs = equal & (equal << _U(4))
    exchange = two_pairs & ~(two_pairs << _U(4)) & ~(two_pairs >> _U(4))
    difference = (left ^ (left << _U(4))) & ((exchange << _U(4)) - exchange)
    return left ^ difference ^ (difference >> _U(4))


@inline_kernel
def _push_right(rows: np.uint64) -> np.uint64:
    """Push rows without gaps from the left side to the right: by two cells, then by one."""
    empty_2 = (_BIT_8 - (rows & _CELL_2)) & _BIT_8
    head = (empty_2 << _U(8)) - empty_2
    rows = (rows & ~head) | ((rows & head) >> _U(8))
    empty_3 = (_BIT_4 - (rows & _CELL_3)) & _BIT_4
    head = (empty_3 << _U(12)) - empty_3
    return (rows & ~head) | ((rows & head) >> _U(4))


@inline_kernel
def _points(packed: np.uint64, merging: np.uint64) -> np.uint64:
    """Return the sum of the tiles that arise when `merging` pairs of gapless rows merge."""
    arisen = (packed + merging) & ((merging << _U(4)) - merging)
    # Pairs 0 and 1 never both merge, so eight places hold all exponents: 1 and 2 of each row.
    arisen = (arisen & (_CELL_1 | _CELL_2)) | ((arisen & _CELL_0) >> _U(4))
    # An empty place gives 1: fewer than four of them are taken off by clearing the two low bits.
    tiles = ~_U(3)
    some = (_tile(arisen, _U(4)) + _tile(arisen, _U(8)) + _tile(arisen, _U(20))) & tiles
    more = (_tile(arisen, _U(24)) + _tile(arisen, _U(36)) + _tile(arisen, _U(40))) & tiles
    rest = (_tile(arisen, _U(52)) + _tile(arisen, _U(56))) & tiles
    return some + more + rest


@inline_kernel
def _tile(board: np.uint64, shift: np.uint64) -> np.uint64:
    return _U(1) << ((board >> shift) & _U(15))


@inline_kernel
def _left(board: np.uint64) -> np.uint64:
    packed = _close_gaps(board)
    return _merge(packed, _merging_pairs(_equal_pairs(packed)))


@inline_kernel
def _right(board: np.uint64) -> np.uint64:
    packed = _close_gaps(board)
    equal = _equal_pairs(packed)
    left = _merge(packed, _merging_pairs(equal))
    return _push_right(_exchange_in_threes(left, equal))


@kernel
def _slide_left_many(boards: U64, out: U64) -> None:
    for i in range(boards.size):
        out[i] = _left(boards[i])


@kernel
def _slide_right_many(boards: U64, out: U64) -> None:
    for i in range(boards.size):
        out[i] = _right(boards[i])


@kernel
def _slide_up_many(boards: U64, out: U64) -> None:
    for i in range(boards.size):
        out[i] = transpose(_left(transpose(boards[i])))


@kernel
def _slide_down_many(boards: U64, out: U64) -> None:
    for i in range(boards.size):
        out[i] = transpose(_right(transpose(boards[i])))


@kernel
def fill_four(boards: U64, moved: U64) -> None:
    """Fill `moved` (uint64[4, n], overwritten) with LEFT, RIGHT, UP, DOWN of `boards` (uint64[n]).

    Notes
    -----
    Standard rule. The two orientations take turns line by line: independent of one another, they
    keep the processor busy while one waits for its own last result (a fifth faster).
    """
    for i in range(boards.size):
        packed_h = _close_gaps(boards[i])
        packed_v = _close_gaps(transpose(boards[i]))
        equal_h, equal_v = _equal_pairs(packed_h), _equal_pairs(packed_v)
        left = _merge(packed_h, _merging_pairs(equal_h))
        up = _merge(packed_v, _merging_pairs(equal_v))
        moved[0, i] = left
        moved[1, i] = _push_right(_exchange_in_threes(left, equal_h))
        moved[2, i] = transpose(up)
        moved[3, i] = transpose(_push_right(_exchange_in_threes(up, equal_v)))


@kernel
def fill_four_and_points(boards: U64, moved: U64, points: U32) -> None:
    """Do what `fill_four` does and fill `points` (uint32[2, n], overwritten).

    ``points[0]`` are those of LEFT and of RIGHT, which are the same, ``points[1]`` of UP and DOWN.
    """
    for i in range(boards.size):
        packed_h = _close_gaps(boards[i])
        packed_v = _close_gaps(transpose(boards[i]))
        equal_h, equal_v = _equal_pairs(packed_h), _equal_pairs(packed_v)
        merging_h, merging_v = _merging_pairs(equal_h), _merging_pairs(equal_v)
        left, up = _merge(packed_h, merging_h), _merge(packed_v, merging_v)
        moved[0, i] = left
        moved[1, i] = _push_right(_exchange_in_threes(left, equal_h))
        moved[2, i] = transpose(up)
        moved[3, i] = transpose(_push_right(_exchange_in_threes(up, equal_v)))
        points[0, i] = np.uint32(_points(packed_h, merging_h))
        points[1, i] = np.uint32(_points(packed_v, merging_v))


@kernel
def _fill_by_tables(boards: U64, tables: RowTables, moved: U64, points: U32) -> None:
    for i in range(boards.size):
        for direction in range(4):
            moved[direction, i] = slide(boards[i], direction, tables)
        points[0, i] = np.uint32(slide_score(boards[i], LEFT, tables))
        points[1, i] = np.uint32(slide_score(boards[i], UP, tables))


@kernel
def _slide_many_by_tables(boards: U64, direction: int, tables: RowTables, out: U64) -> None:
    for i in range(boards.size):
        out[i] = slide(boards[i], direction, tables)


_SLIDE_MANY = {
    LEFT: _slide_left_many,
    RIGHT: _slide_right_many,
    UP: _slide_up_many,
    DOWN: _slide_down_many,
}


def slide_many(boards: U64, direction: int, walls: bool = False) -> U64:
    """Return each board after sliding in one direction.

    Parameters
    ----------
    boards : uint64[n]
        Bitboards; unchanged.
    direction : int
        LEFT, RIGHT, UP or DOWN.
    walls : bool
        The rule: whether nibble F is a wall (slower: by row tables).

    Returns
    -------
    uint64[n]
        The after-states; where the move is illegal, the board itself.
    """
    found = np.ascontiguousarray(boards, np.uint64)
    out = np.empty_like(found)
    if walls:
        _slide_many_by_tables(found, direction, row_tables(True), out)
    else:
        _SLIDE_MANY[direction](found, out)
    return out


def slide_all(boards: U64, walls: bool = False) -> tuple[U64, U32]:
    """Return all four moves of each board and their points.

    Parameters
    ----------
    boards : uint64[n]
        Bitboards; unchanged.
    walls : bool
        The rule: whether nibble F is a wall (slower: by row tables).

    Returns
    -------
    moved : uint64[4, n]
        The after-states by direction, LEFT RIGHT UP DOWN.
    points : uint32[2, n]
        The points of LEFT and RIGHT, which are the same, then those of UP and DOWN.
    """
    found = np.ascontiguousarray(boards, np.uint64)
    moved = np.empty((4, found.size), np.uint64)
    points = np.empty((2, found.size), np.uint32)
    if walls:
        _fill_by_tables(found, row_tables(True), moved, points)
    else:
        fill_four_and_points(found, moved, points)
    return moved, points
