"""From slots to boards and back, many at a time; which boards stand for their images."""

import numpy as np
import numpy.typing as npt

from engine.jit import inline_kernel, kernel, trailing_zeros
from engine.symmetry import canonical_many
from tablebase.bits import U64, build_index, position, read_indexed
from tablebase.lines import any_slot, spot_of, turned, upper_rows
from tablebase.space import Space
from tablebase.tables import (
    I64,
    INNER_ROWS,
    INNER_SUMS,
    KEPT_BY,
    MID_ROWS,
    MID_SUMS,
    PAIR,
    Blocks,
    Tables,
)

Marks = npt.NDArray[np.bool_]

_ONE, _ZERO = np.uint64(1), np.uint64(0)


@kernel
def list_boards(t, blocks, lo, hi, index, boards):
    """Fill `boards` (uint64[n]) with the boards of some blocks, in slot order."""
    for block in range(lo, hi):
        run, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        at = position(index, run)
        if at == position(index, run + t.count_23[t.arrangement[a, PAIR] + rest]):
            continue
        outer = np.uint64(blocks.rows[block] >> 16) << t.shift[a, 0]
        outer |= np.uint64(blocks.rows[block] & 0xFFFF) << t.shift[a, 1]
        mids, inners = t.arrangement[a, MID_ROWS], t.arrangement[a, INNER_ROWS]
        inner_sums = t.arrangement[a, INNER_SUMS]
        for j in range(mids, mids + t.row_end[t.arrangement[a, MID_SUMS] + rest]):
            rest_3 = rest - t.sums[j]
            n = t.count_3[inner_sums + rest_3]
            upper = outer | (np.uint64(t.rows[j]) << t.shift[a, 2])
            for done in range(0, n, 64):
                bits = read_indexed(index, run + done, n - done)
                first = inners + t.row_begin[inner_sums + rest_3] + done
                while bits != _ZERO:
                    row = np.uint64(t.rows[first + np.int64(trailing_zeros(bits))])
                    bits &= bits - _ONE
                    boards[at] = upper | (row << t.shift[a, 3])
                    at += 1
            run += n


@kernel
def fill_slots(t, places, boards, slots):
    """Fill `slots` (int64[n]) with those of `boards` (uint64[n]) of one layer, negative if none."""
    for i in range(boards.size):
        slots[i] = any_slot(t, places, boards[i])


@kernel
def mark_least(t, blocks, index, least):
    """Tell (bool[n]) which boards of a layer are the least of those images that lie beside them.

    Images beside a board are those that have the same arrangement.
    """
    for block in range(blocks.start.size):
        run, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
        at = position(index, run)
        end = position(index, run + t.count_23[t.arrangement[a, PAIR] + rest])
        if t.arrangement[a, KEPT_BY] == 1:
            least[at:end] = True
        elif at < end:
            _mark_block(t, blocks, block, index, least)


@kernel
def _mark_block(t, blocks, block, index, least):
    run, rest, a = blocks.start[block], blocks.rest[block], blocks.arrangement[block]
    at = position(index, run)
    spot = spot_of(t, blocks.places, a)
    outer = upper_rows(spot, blocks.rows[block] >> 16, blocks.rows[block] & 0xFFFF)
    mids, inners = t.arrangement[a, MID_ROWS], t.arrangement[a, INNER_ROWS]
    inner_sums = t.arrangement[a, INNER_SUMS]
    kept_by = t.arrangement[a, KEPT_BY]
    for j in range(mids, mids + t.row_end[t.arrangement[a, MID_SUMS] + rest]):
        rest_3 = rest - t.sums[j]
        n = t.count_3[inner_sums + rest_3]
        upper = outer | (np.uint64(t.rows[j]) << spot.shift_2)
        for done in range(0, n, 64):
            bits = read_indexed(index, run + done, n - done)
            first = inners + t.row_begin[inner_sums + rest_3] + done
            while bits != _ZERO:
                row = np.uint64(t.rows[first + np.int64(trailing_zeros(bits))])
                bits &= bits - _ONE
                board = upper | (row << spot.shift_3)
                least[at] = _is_least(board, kept_by)
                at += 1
        run += n


@inline_kernel
def _is_least(board, kept_by):
    """Tell whether no image of a board under the symmetries of the bit set is less than it."""
    for symmetry in range(1, 8):
        if (kept_by >> symmetry) & 1 != 0 and turned(board, symmetry) < board:
            return False
    return True


def slots_of_boards(tables: Tables, blocks: Blocks, boards: U64) -> I64:
    """Return the slots (int64[n]) of boards (uint64[n]) in their layer, negative where none.

    All boards must have the layer's half-sum; `blocks` are the layer's.
    """
    slots = np.empty(boards.size, np.int64)
    fill_slots(tables, blocks.places, np.ascontiguousarray(boards, np.uint64), slots)
    return slots


def stored_boards(space: Space, tables: Tables, half_sum: int, words: U64) -> U64:
    """Return the boards of a bitmap over one layer's slots, in slot order."""
    padded = np.concatenate([words, np.zeros(2, np.uint64)])
    index = np.empty(2 * padded.size, np.uint64)
    boards = np.empty(build_index(padded, index), np.uint64)
    blocks = space.blocks(half_sum)
    list_boards(tables, blocks, 0, blocks.start.size, index, boards)
    return boards


def boards_of_layer(space: Space, tables: Tables, half_sum: int, words: U64) -> U64:
    """Return the boards of a bitmap over one layer's slots, in slot order, in canonical form."""
    return canonical_many(stored_boards(space, tables, half_sum, words), space.formation.symmetry)


def stands_for_images(space: Space, tables: Tables, blocks: Blocks, index: U64, n: int) -> Marks:
    """Tell which of the `n` boards of a layer are stored: one of each set of images.

    Parameters
    ----------
    blocks : Blocks
        Of the layer.
    index : uint64[...]
        Index (see tablebase.bits) of the boards; their set is closed under the symmetry.

    Returns
    -------
    bool[n]
    """
    least: Marks
    if space.formation.walls and len(space.placed.symmetries) == 1:  # those of a window
        boards = np.empty(n, np.uint64)
        list_boards(tables, blocks, 0, blocks.start.size, index, boards)
        least = canonical_many(boards, space.formation.symmetry) == boards
    else:
        least = np.empty(n, np.bool_)
        mark_least(tables, blocks, index, least)
    return least
