"""Iteration of kernels over a layer: block by block, in each run by run, in each up to 64 boards.

A block is all boards with the same outer rows, a run those that have the same mid row as well; in a
run they ascend by their inner row. Array indices are unsigned numbers where it matters, see
`tablebase.kernels.block_addressing.Spot`.

Functions take only those arrays of KernelTables that they read: if all were passed, numba would
compile for nearly a second per function.
"""

from typing import NamedTuple

import numpy as np

from engine.platform.jit import inline_kernel
from tablebase.rank.kernel_tables import INNER_ROWS, INNER_SUMS, MID_ROWS, MID_SUMS, PAIR, SLIDES


class Lists(NamedTuple):
    """The starts of the lists of one arrangement in the arrays of KernelTables."""

    mids: np.uint64  # the mid rows in `rows`
    inners: int  # int64: the inner rows in `rows`
    mid_sums: int  # int64: the half-sums of the mid rows in `row_end`
    inner_sums: np.uint64  # the half-sums of the inner rows in `row_begin` and `count_3`
    slides: int  # int64: the same in `slide_part`


class Block(NamedTuple):
    """One block of a layer."""

    start: int  # int64: its first slot
    n: int  # int64: number of slots
    rest: int  # int64: Half-sum of mid and inner row together
    arrangement: int  # int32
    # int64: the outer rows.
    row_0: int
    row_1: int


class SlotRun(NamedTuple):
    """One run of a block."""

    mid: np.uint64  # number of its mid row in `KernelTables.rows`
    rest: int  # int64: Half-sum of the inner rows
    sums: np.uint64  # place of that half-sum in `KernelTables.row_begin` and `count_3`
    n: int  # int64: number of slots


class SlotPart(NamedTuple):
    """Up to 64 slots of a run."""

    bits: np.uint64  # bits of the slots that hold a board, the first slot lowest
    begin: int  # int64: start of the inner rows of the run in `KernelTables.rows`
    done: int  # int64: number of slots of the run before these
    n: int  # int64: number of slots of the run
    at: int  # int64 or uint64: number of boards of the layer before these; 0 if not needed


@inline_kernel
def lists_of(facts, arrangement):
    """Return the Lists of an arrangement; `facts` is `KernelTables.arrangement`."""
    return Lists(
        np.uint64(facts[arrangement, MID_ROWS]),
        facts[arrangement, INNER_ROWS],
        facts[arrangement, MID_SUMS],
        np.uint64(facts[arrangement, INNER_SUMS]),
        facts[arrangement, SLIDES],
    )


@inline_kernel
def block_at(facts, count_23, blocks, i):
    """Return the Block that is number i of Blocks; `facts` is `KernelTables.arrangement`."""
    rest, arrangement = blocks.rest[i], blocks.arrangement[i]
    return Block(
        blocks.start[i],
        count_23[facts[arrangement, PAIR] + rest],
        rest,
        arrangement,
        blocks.rows[i] >> 16,
        blocks.rows[i] & 0xFFFF,
    )


@inline_kernel
def run_of(sums, count_3, lists, block, i):
    """Return the Run that is number i of a block."""
    mid = lists.mids + np.uint64(i)
    rest = block.rest - sums[mid]
    at = lists.inner_sums + np.uint64(rest)
    return SlotRun(mid, rest, at, count_3[at])


@inline_kernel
def first_row(part):
    """Return the number of the inner row of a part's first slot in `KernelTables.rows`."""
    return np.uint64(part.begin + part.done)


@inline_kernel
def rows_below(low_cells, part, spot, image, is_rest_less):
    """Return the inner rows that are less than that of a run's transposed image, as bits.

    `low_cells` is that of KernelTables, `part` the result of `slides_of`, `image` the transposed
    upper rows. With `is_rest_less` equal rows count as well. Rows are compared from the left; their
    cell on the diagonal is the same in both.
    """
    line, corner = image >> spot.shift_3, np.int64(3) - np.int64(spot.shift_3 >> np.uint64(4))
    less = ~np.uint64(0) if is_rest_less else np.uint64(0)
    for column in range(3, -1, -1):
        if column != corner:
            tile = (line >> np.uint64(12 - 4 * column)) & np.uint64(15)
            at = (np.uint64(4) * part + np.uint64(column)) * np.uint64(17) + tile
            less = low_cells[at] | (low_cells[at + np.uint64(1)] & less)
    return less


@inline_kernel
def slides_of(slide_part, lists, run, done):
    """Return the part of `KernelTables.column_slides` for the slots from `done` on."""
    return np.uint64(slide_part[lists.slides + run.rest] + (done >> 6))
