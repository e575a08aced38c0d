"""Boards that a limited table does not expand: too many equal large tiles, or too much beside them.

Tiles are large from a given one on. A board is beyond the limits if it has more equal large tiles
than allowed, or if it has a large tile and its other tiles add up to more than allowed. F are not
tiles here. Both conditions are the same for all images of a board, and follow from the tiles of its
four rows, so there is a table of rows. In its words every large tile has five bits, the smallest
one the lowest: ``count + (15 - most)`` sets the highest of them if there are more than `most`; so
all tiles are tested at once.
"""

from typing import NamedTuple

import numpy as np

from engine.platform.array_types import I64, U64, Bools
from engine.platform.jit import inline_kernel, kernel, popcount, trailing_zeros
from tablebase.kernels.bits import is_empty, or_bits, read_bits
from tablebase.kernels.layer_walk import block_at, lists_of, run_of

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_F = 15
_N_ROWS, _FIELD_BITS = 1 << 16, 5
_NO_LIMIT = 1 << 20  # more than all tiles of a board together, in half-sums


class BoardLimits(NamedTuple):
    """The two limits in the form for kernels."""

    large: U64  # uint64[65536]: counts of each large tile in a row, five bits each
    small: I64  # int64[65536]: Half-sum of a row's other tiles
    room: np.uint64  # added to the counts of a board
    beyond: np.uint64  # mask: if the sum has such a bit, there are too many of a tile
    most_small: np.int64  # largest half-sum allowed beside large tiles


def limits_of(most_equal: int, small_sum: int, large_from: int) -> BoardLimits:
    """Return the limits of `tablebase.store.options.TableOptions`; 0 means no limit."""
    first = large_from.bit_length() - 1
    shifts = [_FIELD_BITS * (exponent - first) for exponent in range(first, _F)]
    rows = np.arange(_N_ROWS, dtype=np.uint64)
    large, small = np.zeros(_N_ROWS, np.uint64), np.zeros(_N_ROWS, np.int64)
    for cell in range(0, 16, 4):
        tile = (rows >> np.uint64(cell)) & np.uint64(15)
        for exponent, shift in enumerate(shifts, start=first):
            large += np.uint64(1 << shift) * (tile == exponent)
        small += np.where((tile > 0) & (tile < first), 1 << tile.astype(np.int64) >> 1, 0)
    top = 1 << _FIELD_BITS - 1
    free = top - 1 - most_equal
    return BoardLimits(
        large,
        small,
        np.uint64(sum(free << shift for shift in shifts) if most_equal else 0),
        np.uint64(sum(top << shift for shift in shifts) if most_equal else 0),
        np.int64(small_sum // 2 if small_sum else _NO_LIMIT),
    )


def are_within(limits: BoardLimits, boards: U64) -> Bools:
    """Return a mask (bool[n]) of the boards (uint64[n]) within the limits."""
    rows = [(boards >> np.uint64(shift)) & np.uint64(0xFFFF) for shift in (48, 32, 16, 0)]
    large = sum((limits.large[row] for row in rows), np.zeros(boards.size, np.uint64))
    small = sum((limits.small[row] for row in rows), np.zeros(boards.size, np.int64))
    is_calm = (large == 0) | (small <= limits.most_small)
    return np.asarray(is_calm & ((large + limits.room) & limits.beyond == 0))


@inline_kernel
def is_within(limits, large, small):
    """Return whether a board is within the limits, from the sums over its rows."""
    is_calm = (large == _ZERO) | (small <= limits.most_small)
    return is_calm & ((large + limits.room) & limits.beyond == _ZERO)


@kernel
def keep_within(t, limits, blocks, lo, hi, found, kept):
    """Add to the GrowingBitmap `kept` the boards of some blocks that are within the limits.

    Of the layer's `blocks` those from `lo` to `hi` are processed; `found` is the bitmap of its
    boards.
    """
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        if is_empty(found, block.start, block.n):
            continue
        lists, slot = lists_of(t.arrangement, block.arrangement), block.start
        row_0, row_1 = np.uint64(block.row_0), np.uint64(block.row_1)
        outer_large = limits.large[row_0] + limits.large[row_1]
        outer_small = limits.small[row_0] + limits.small[row_1]
        for i in range(t.row_end[lists.mid_sums + block.rest]):
            run = run_of(t.sums, t.count_3, lists, block, i)
            mid_row = t.rows[run.mid]
            large = outer_large + limits.large[mid_row]
            small = outer_small + limits.small[mid_row]
            for done in range(0, run.n, 64):
                bits = read_bits(found, slot + done, run.n - done)
                if bits == _ZERO:
                    continue
                first = np.uint64(lists.inners + t.row_begin[run.sums] + done)
                left = bits
                while left != _ZERO:
                    lowest = left & (~left + _ONE)
                    left ^= lowest
                    row = t.rows[first + trailing_zeros(lowest)]
                    if not is_within(limits, large + limits.large[row], small + limits.small[row]):
                        bits ^= lowest
                or_bits(kept.words, slot + done, bits, kept.is_shared)
            slot += run.n


@kernel
def end_others(indexed, kept, values):
    """Set the `values` (float64[...], in slot order) of boards that are not kept to 0.

    `indexed` (uint64[2 n]) is the boards' index (see tablebase.kernels.bits), `kept` (uint64[n]) a
    bitmap.
    """
    for i in range(kept.size):
        word = indexed[2 * i]
        left = word & ~kept[i]
        while left != _ZERO:
            lowest = left & (~left + _ONE)
            left ^= lowest
            values[indexed[2 * i + 1] + popcount(word & (lowest - _ONE))] = 0.0
