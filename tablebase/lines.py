"""Pieces that the expanding and the solving kernels share: slots of blocks, runs and boards."""

import numpy as np

from engine.jit import inline_kernel, trailing_zeros
from tablebase.tables import (
    INDEX_SHIFT,
    OUTSIDE,
    REACHED,
    REST_MASK,
    REST_SHIFT,
    RUN_MASK,
    RUN_SHIFT,
    SUM_ID_MASK,
    SUM_ID_SHIFT,
)

_ROW = np.uint64(0xFFFF)
_IDS = np.uint32(SUM_ID_MASK)
_ID_SHIFT, _X_SHIFT = np.uint32(SUM_ID_SHIFT), np.uint32(INDEX_SHIFT)

# A slot that is none.
IS_OUTSIDE, IS_REACHED = np.int64(-1), np.int64(-2)


@inline_kernel
def sum_id_of(code):
    """Return the number of the half-sum in a row's code."""
    return np.int64((code >> _ID_SHIFT) & _IDS)


@inline_kernel
def index_of(code):
    """Return the index among the rows of its sum in a row's code."""
    return np.int64(code >> _X_SHIFT)


@inline_kernel
def worst(a, b):
    """Return IS_OUTSIDE or IS_REACHED for two codes of which one at least is special."""
    return IS_OUTSIDE if a == OUTSIDE or b == OUTSIDE else IS_REACHED


@inline_kernel
def gather(table, bits, first):
    """Return the `or` of ``table[first + k]`` over the ones k of `bits`."""
    found = np.uint64(0)
    while bits != np.uint64(0):
        found |= table[first + np.int64(trailing_zeros(bits))]
        bits &= bits - np.uint64(1)
    return found


@inline_kernel
def may_slide(bits, done, which, opened, clash, half_sum, mid_row):
    """Return those of a run's bits that a move up (0) or down (1) need not be tried in vain for.

    Of the first 64 slots of a run, those where no locked F slides into an empty cell, nor after a
    merge of mid and inner row.
    """
    if done == 0:
        bits &= opened[which, half_sum]
        if bits != np.uint64(0):
            for column in range(4):
                tile = np.int64(mid_row >> np.uint16(12 - 4 * column)) & 15
                bits &= ~clash[which, half_sum, column, tile]
    return bits


@inline_kernel
def block_slot(t, place, row_0, row_1):
    """Return the first slot of the block of two outer rows, or IS_OUTSIDE, or IS_REACHED."""
    i = t.outer[0, row_0]
    j = t.outer[1, row_1]
    if i >= REACHED or j >= REACHED:
        return worst(i, j)
    return place[np.int64(i), np.int64(j)] >> REST_SHIFT


@inline_kernel
def run_slot(runs, rest, code):
    """Return where, in a block of half-sum `rest`, the run of the mid row with that code begins."""
    run = runs[rest, sum_id_of(code)]
    return (run >> RUN_SHIFT) + index_of(code) * (run & RUN_MASK)


@inline_kernel
def board_slot(t, shift_0, shift_1, shift_2, shift_3, place, board):
    """Return the slot of a board that has F in all locked cells; or IS_REACHED.

    The shifts are those of `t`, kept in registers by the caller: the compiler cannot know that
    what the kernels write is not the tables.
    """
    i = t.outer[0, np.int64((board >> shift_0) & _ROW)]
    j = t.outer[1, np.int64((board >> shift_1) & _ROW)]
    mid = t.code[0, np.int64((board >> shift_2) & _ROW)]
    inner = t.code[1, np.int64((board >> shift_3) & _ROW)]
    if max(max(i, j), max(mid, inner)) >= REACHED:
        return IS_REACHED
    block = place[np.int64(i), np.int64(j)]
    return (block >> REST_SHIFT) + run_slot(t.runs, block & REST_MASK, mid) + index_of(inner)


@inline_kernel
def columns_of(row_0, row_1):
    """Return the cells of the two outer rows where they lie in the four columns."""
    columns = np.uint64(0)
    for column in range(4):
        pair = ((row_0 >> (12 - 4 * column)) & 15) << 4 | ((row_1 >> (12 - 4 * column)) & 15)
        columns |= np.uint64(pair) << np.uint64(56 - 16 * column)
    return columns


@inline_kernel
def moved_columns(spread, columns):
    """Return the board of these columns, each moved as `spread` says."""
    board = spread[np.int64(columns >> np.uint64(48))]
    board |= spread[np.int64((columns >> np.uint64(32)) & _ROW)] >> np.uint64(4)
    board |= spread[np.int64((columns >> np.uint64(16)) & _ROW)] >> np.uint64(8)
    return board | (spread[np.int64(columns & _ROW)] >> np.uint64(12))
