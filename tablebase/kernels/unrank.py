"""From slots to boards and back, many at a time; which boards represent their images."""

import numpy as np

from engine.kernels.symmetry import transpose
from engine.platform.array_types import I64, U64
from engine.platform.jit import inline_kernel, kernel, trailing_zeros
from engine.symmetry import canonical_many
from tablebase.kernels.bits import build_index, or_bits, position, read_indexed
from tablebase.kernels.block_addressing import (
    IS_OUTSIDE,
    board_slot,
    pattern_of,
    spot_of,
    turned,
    upper_rows,
)
from tablebase.kernels.layer_walk import block_at, lists_of, rows_below, run_of, slides_of
from tablebase.memory.arrays import NewArray, parts
from tablebase.rank.kernel_tables import KEPT_BY, Blocks, KernelTables
from tablebase.rank.space import Space

_ONE, _ZERO, _ROW = np.uint64(1), np.uint64(0), np.uint64(0xFFFF)
_FIRST_ROW = np.uint64(48)  # position of row 0 in a board
_DIAGONAL = 1 | 1 << 4  # in KEPT_BY: the identity, and exchanging rows and columns


@kernel
def list_boards(t, blocks, lo, hi, index, boards, before):
    """Fill `boards` (uint64[n]) with the boards of some blocks, in slot order.

    `before` is the number of the layer's boards in the blocks before these.
    """
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        slot, at = block.start, position(index, block.start)
        if at == position(index, slot + block.n):
            continue
        spot = spot_of(t, blocks.places, block.arrangement)
        lists = lists_of(t.arrangement, block.arrangement)
        outer = upper_rows(spot, block.row_0, block.row_1)
        for i in range(t.row_end[lists.mid_sums + block.rest]):
            run = run_of(t.sums, t.count_3, lists, block, i)
            upper = outer | (np.uint64(t.rows[run.mid]) << spot.shift_2)
            for done in range(0, run.n, 64):
                bits = read_indexed(index, slot + done, run.n - done)
                first = np.uint64(lists.inners + t.row_begin[run.sums] + done)
                while bits != _ZERO:
                    row = np.uint64(t.rows[first + trailing_zeros(bits)])
                    bits &= bits - _ONE
                    boards[at - before] = upper | (row << spot.shift_3)
                    at += 1
            slot += run.n


@kernel
def fill_slots(t, places, boards, least, slots):
    """Fill `slots` (int64[n]) with the slots of `boards` (uint64[n]) of a layer; negative if none.

    With `least`, the slots of the stored image, among the images beside each board.
    """
    for i in range(boards.size):
        word = t.arrangement_of[pattern_of(boards[i])]
        if word < 0:
            slots[i] = IS_OUTSIDE
            continue
        board = turned(boards[i], word & 7)
        if least:
            board = least_of(board, t.arrangement[word >> 3, KEPT_BY])
        slots[i] = board_slot(t, spot_of(t, places, word >> 3), places, board)


@inline_kernel
def least_of(board, kept_by):
    best = board
    for symmetry in range(1, 8):
        if (kept_by >> symmetry) & 1 != 0:
            best = min(best, turned(board, symmetry))
    return best


@kernel
def add_least(t, blocks, index, least):
    """Add to a bitmap the boards that are the least of their images in the same arrangement."""
    for i in range(blocks.start.size):
        block = block_at(t.arrangement, t.count_23, blocks, i)
        start, n = block.start, block.n
        if position(index, start) == position(index, start + n):
            continue
        kept_by = t.arrangement[block.arrangement, KEPT_BY]
        if kept_by == 1:
            for done in range(0, n, 64):
                or_bits(least, start + done, read_indexed(index, start + done, n - done), False)
            continue
        spot = spot_of(t, blocks.places, block.arrangement)
        if kept_by == _DIAGONAL and spot.shift_3 == _FIRST_ROW and t.low_cells.size > 0:
            _add_block_below(t, spot, block, index, least)  # usually; it takes a fifth of the time
        else:
            _add_block(t, spot, block, kept_by, index, least)


@kernel
def _add_block_below(t, spot, block, index, least):
    """Add the boards not greater than their transposed images: the inner rows usually decide."""
    lists, slot = lists_of(t.arrangement, block.arrangement), block.start
    outer = upper_rows(spot, block.row_0, block.row_1)
    line = _ROW << _FIRST_ROW
    line |= transpose(line)
    for i in range(t.row_end[lists.mid_sums + block.rest]):
        run = run_of(t.sums, t.count_3, lists, block, i)
        upper = outer | (np.uint64(t.rows[run.mid]) << spot.shift_2)
        image = transpose(upper)
        is_rest_least = (upper & ~line) <= (image & ~line)
        for done in range(0, run.n, 64):
            bits = read_indexed(index, slot + done, run.n - done)
            if bits != _ZERO:
                part = slides_of(t.slide_part, lists, run, done)
                bits &= rows_below(t.low_cells, part, spot, image, is_rest_least)
                or_bits(least, slot + done, bits, False)
        slot += run.n


@kernel
def _add_block(t, spot, block, kept_by, index, least):
    lists, slot = lists_of(t.arrangement, block.arrangement), block.start
    outer = upper_rows(spot, block.row_0, block.row_1)
    for i in range(t.row_end[lists.mid_sums + block.rest]):
        run = run_of(t.sums, t.count_3, lists, block, i)
        upper = outer | (np.uint64(t.rows[run.mid]) << spot.shift_2)
        for done in range(0, run.n, 64):
            bits = read_indexed(index, slot + done, run.n - done)
            first = np.uint64(lists.inners + t.row_begin[run.sums] + done)
            are_least = _ZERO
            while bits != _ZERO:
                lowest = bits & (~bits + _ONE)
                row = np.uint64(t.rows[first + trailing_zeros(bits)])
                bits ^= lowest
                board = upper | (row << spot.shift_3)
                if kept_by == _DIAGONAL:
                    is_least = board <= transpose(board)
                else:
                    is_least = least_of(board, kept_by) == board
                if is_least:
                    are_least |= lowest
            or_bits(least, slot + done, are_least, False)
        slot += run.n


@kernel
def add_chosen(index, chosen, added_to):
    """Add to a bitmap the ones of an indexed bitmap that are chosen (bool[n])."""
    at = 0
    for i in range(added_to.size):
        word, added = index[2 * i], _ZERO
        while word != _ZERO:
            lowest = word & (~word + _ONE)
            word ^= lowest
            if chosen[at]:
                added |= lowest
            at += 1
        added_to[i] |= added


def slots_of_boards(
    tables: KernelTables, blocks: Blocks, boards: U64, *, least: bool = False
) -> I64:
    """Return the slots (int64[n]) of boards of a layer, in any orientation; negative if none.

    With `least`, of the one image that is stored. The symmetries of a window (3x3, 3x4) are not
    tried: give those boards in canonical form.
    """
    slots = np.empty(boards.size, np.int64)
    fill_slots(tables, blocks.places, np.ascontiguousarray(boards, np.uint64), least, slots)
    return slots


def stored_boards(
    space: Space, tables: KernelTables, half_sum: int, words: U64, new_array: NewArray = np.empty
) -> U64:
    """Return the boards of a bitmap over one layer's slots, in slot order."""
    padded = new_array(words.size + 2, np.uint64)
    padded[:-2], padded[-2:] = words, 0
    index = new_array(2 * padded.size, np.uint64)
    boards = new_array(build_index(padded, index), np.uint64)
    blocks = space.blocks(half_sum)
    list_boards(tables, blocks, 0, blocks.start.size, index, boards, 0)
    return boards


def boards_of_layer(space: Space, tables: KernelTables, half_sum: int, words: U64) -> U64:
    """Return the boards of a bitmap over one layer's slots, in slot order, in canonical form."""
    return canonical_many(stored_boards(space, tables, half_sum, words), space.formation.symmetry)


def are_images_beside(space: Space) -> bool:
    """Return whether all images of a board have slots near it: False for windows (3x3, 3x4)."""
    return not space.formation.walls or len(space.placed.symmetries) > 1


def add_canonical(
    space: Space,
    tables: KernelTables,
    blocks: Blocks,
    index: U64,
    canonical: U64,
    new_array: NewArray = np.empty,
) -> None:
    """Add to the bitmap `canonical` the boards of a layer that are stored: one of each set.

    `blocks` are those of the layer; or some of them, if `are_images_beside`. `index` (see
    tablebase.kernels.bits) has the boards, and includes the least image of each.
    """
    if not are_images_beside(space):
        boards = new_array(int(index[-1]), np.uint64)
        list_boards(tables, blocks, 0, blocks.start.size, index, boards, 0)
        is_canonical = new_array(boards.size, np.bool_)
        for part in parts(boards.size):
            least = canonical_many(boards[part], space.formation.symmetry)
            np.equal(least, boards[part], out=is_canonical[part])
        add_chosen(index, is_canonical, canonical)
    else:
        add_least(tables, blocks, index, canonical)
