"""Functions shared by the expanding and solving kernels: slots of blocks, runs and boards."""

from typing import NamedTuple

import numpy as np

from engine.kernels.symmetry import flip, mirror, transpose
from engine.platform.jit import inline_kernel
from tablebase.rank.kernel_tables import (
    CODE_INNER,
    CODE_MID,
    COLUMNS,
    INDEX_SHIFT,
    NUMBER_0,
    NUMBER_1,
    OUTSIDE,
    REACHED,
    REST_MASK,
    REST_SHIFT,
    RUN_MASK,
    RUN_SHIFT,
    RUNS,
    STRIDE,
    SUM_ID_MASK,
    SUM_ID_SHIFT,
)

_ROW = np.uint64(0xFFFF)
_FOUR, _LOW4, _NEXT_FOUR = np.uint64(4), np.uint64(15), np.uint64(64)
_IDS = np.uint32(SUM_ID_MASK)
_ID_SHIFT, _X_SHIFT = np.uint32(SUM_ID_SHIFT), np.uint32(INDEX_SHIFT)

# A slot that is none.
IS_OUTSIDE, IS_REACHED = np.int64(-1), np.int64(-2)


class Spot(NamedTuple):
    """The place of the boards of one arrangement in one layer, kept in registers by the kernels.

    Otherwise the compiler must assume that kernels overwrite the tables. Numbers that form array
    indices are unsigned, because for a signed index it would have to test whether it is negative.
    """

    start: int
    at: np.uint64
    stride: np.uint64
    runs: np.uint64
    run_sums: np.uint64
    number_0: np.uint64
    number_1: np.uint64
    code_mid: np.uint64
    code_inner: np.uint64
    columns: np.uint64
    shift_0: np.uint64
    shift_1: np.uint64
    shift_2: np.uint64
    shift_3: np.uint64


@inline_kernel
def spot_of(t, places, arrangement):
    """Return the Spot of an arrangement in the layer that `places` belongs to."""
    a = arrangement
    return Spot(
        places.start[a],
        np.uint64(places.at[a]),
        np.uint64(t.arrangement[a, STRIDE]),
        np.uint64(t.arrangement[a, RUNS]),
        np.uint64(t.run_sums[0]),
        np.uint64(t.arrangement[a, NUMBER_0]),
        np.uint64(t.arrangement[a, NUMBER_1]),
        np.uint64(t.arrangement[a, CODE_MID]),
        np.uint64(t.arrangement[a, CODE_INNER]),
        np.uint64(t.arrangement[a, COLUMNS]),
        t.shift[a, 0],
        t.shift[a, 1],
        t.shift[a, 2],
        t.shift[a, 3],
    )


@inline_kernel
def sum_id_of(code):
    return np.uint64((code >> _ID_SHIFT) & _IDS)


@inline_kernel
def index_of(code):
    return np.int64(code >> _X_SHIFT)


@inline_kernel
def gather(fours, bits, first):
    """Return the bits that rows ``first + k`` become for ones k of `bits` (see fours_of)."""
    gathered = np.uint64(0)
    at = np.uint64(first) << _FOUR
    while bits != np.uint64(0):
        gathered |= fours[at + (bits & _LOW4)]
        bits >>= _FOUR
        at += _NEXT_FOUR
    return gathered


@inline_kernel
def block_slot(t, spot, places, row_0, row_1):
    """Return the first slot of the block of two outer rows, or IS_OUTSIDE, or IS_REACHED."""
    i = t.number[spot.number_0 + np.uint64(row_0)]
    j = t.number[spot.number_1 + np.uint64(row_1)]
    if i >= REACHED or j >= REACHED:
        return IS_OUTSIDE if i == OUTSIDE or j == OUTSIDE else IS_REACHED
    place = places.place[spot.at + np.uint64(i) * spot.stride + np.uint64(j)]
    return spot.start + (place >> REST_SHIFT)


@inline_kernel
def run_slot(t, spot, rest, code):
    """Return the start of the run of the mid row with this code in a block of half-sum `rest`."""
    run = t.runs[spot.runs + np.uint64(rest) * spot.run_sums + sum_id_of(code)]
    return (run >> RUN_SHIFT) + index_of(code) * (run & RUN_MASK)


@inline_kernel
def board_slot(t, spot, places, board):
    """Return the slot of a board of the spot's arrangement; or IS_REACHED."""
    i = t.number[spot.number_0 + ((board >> spot.shift_0) & _ROW)]
    j = t.number[spot.number_1 + ((board >> spot.shift_1) & _ROW)]
    mid = t.code[spot.code_mid + ((board >> spot.shift_2) & _ROW)]
    inner = t.code[spot.code_inner + ((board >> spot.shift_3) & _ROW)]
    # Of two codes of which neither is REACHED or OUTSIDE, the `or` is neither: their half-sums are
    # together at most MAX_HALF_SUM.
    if max(i | j, mid | inner) >= REACHED:
        return IS_REACHED
    block = places.place[spot.at + np.uint64(i) * spot.stride + np.uint64(j)]
    slot = spot.start + (block >> REST_SHIFT)
    return slot + run_slot(t, spot, block & REST_MASK, mid) + index_of(inner)


@inline_kernel
def any_slot(t, places, board):
    """Return the slot of any board of the layer's half-sum, or IS_OUTSIDE, or IS_REACHED."""
    word = t.arrangement_of[pattern_of(board)]
    if word < 0:
        return IS_OUTSIDE
    symmetry = word & 7
    if symmetry != 0:
        board = turned(board, symmetry)
    return board_slot(t, spot_of(t, places, word >> 3), places, board)


@inline_kernel
def turned(board, symmetry):
    """Return a board under a symmetry of the square (see tablebase.formation.arrangements)."""
    if symmetry & 4 != 0:
        board = transpose(board)
    if symmetry & 1 != 0:
        board = mirror(board)
    if symmetry & 2 != 0:
        board = flip(board)
    return board


@inline_kernel
def pattern_of(board):
    """Return the cells of a board that hold F: 16 bits, cell 0 highest."""
    ones = board & (board >> np.uint64(1))
    ones &= ones >> np.uint64(2)
    ones &= np.uint64(0x1111_1111_1111_1111)
    ones = (ones | (ones >> np.uint64(3))) & np.uint64(0x0303_0303_0303_0303)
    ones = (ones | (ones >> np.uint64(6))) & np.uint64(0x000F_000F_000F_000F)
    ones = (ones | (ones >> np.uint64(12))) & np.uint64(0x0000_00FF_0000_00FF)
    return np.int64((ones | (ones >> np.uint64(24))) & _ROW)


@inline_kernel
def upper_rows(spot, row_0, row_1):
    return (np.uint64(row_0) << spot.shift_0) | (np.uint64(row_1) << spot.shift_1)


@inline_kernel
def columns_of(row_0, row_1):
    """Return the cells of the two outer rows at their places in the four columns."""
    columns = np.uint64(0)
    for column in range(4):
        pair = ((row_0 >> (12 - 4 * column)) & 15) << 4 | ((row_1 >> (12 - 4 * column)) & 15)
        columns |= np.uint64(pair) << np.uint64(56 - 16 * column)
    return columns


@inline_kernel
def moved_columns(spread, first, columns):
    """Return the board of these columns, each moved by the table in `spread` from `first` on."""
    board = spread[first + (columns >> np.uint64(48))]
    board |= spread[first + ((columns >> np.uint64(32)) & _ROW)] >> np.uint64(4)
    board |= spread[first + ((columns >> np.uint64(16)) & _ROW)] >> np.uint64(8)
    return board | (spread[first + (columns & _ROW)] >> np.uint64(12))
