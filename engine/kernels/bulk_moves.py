"""Moves of many boards: each instruction works on one bit of many cells.

Sixteen words, each a board, become sixteen other words: word (c, k) is bit k of cell c of the
four rows of all sixteen boards. Then "cell b is empty" or "cells b and c are equal" are a few AND,
OR and XOR on words, for 64 rows at a time, and as there are no branches, LLVM vectorizes this for
2, 4 or 8 words (SSE, AVX2, AVX-512). For columns word (r, k) is bit k of row r.

Exchanging the number of a word with the number of a bit in it takes four rounds there and four
back, two instructions per word and round; the two rounds inside cells serve rows and columns alike.
With AVX-512, where any function of three words is one instruction, about 60 instructions give 8
boards all four moves, two thirds of them for exchanges; 40 more load and store
(tests/bench/bench_moves.py).

How the row ``2 . 2 2`` slides:

    close the gaps            2 2 2 .
    which pairs are equal     ^ ^          cell a with b, cell b with c
    merge from the left       4 . 2 .      a pair whose left neighbour merges does not
    close the gaps            4 2 . .      the result of LEFT
    a run of exactly three    2 4 . .      is where LEFT and RIGHT differ: exchange the two
    push to the other side    . . 2 4      the result of RIGHT
"""

import numpy as np
import numpy.typing as npt

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.kernels.moves import slide
from engine.moves import RowTables, row_tables
from engine.platform.jit import inline_kernel, kernel, load_apart, store_apart, widest_vectors

U64 = npt.NDArray[np.uint64]
_Word = np.uint64
_Four = tuple[_Word, _Word, _Word, _Word]  # for instance a cell: its four bits, the lowest first
_FourFours = tuple[_Four, _Four, _Four, _Four]
_Fields = tuple[_Word, _Word, _Word]

_U = np.uint64
_LANES = _U(8)  # words that the widest instructions process at once
BLOCK = 128  # boards that are processed together: 16 for each lane
_BLOCK = _U(BLOCK)

# Four words, each of four fields in turn: the width of a field in bits, the lower of two fields
# next to one another, the lower of two pairs.
_BITS_OF_CELLS = (_U(1), _U(0x5555_5555_5555_5555), _U(0x3333_3333_3333_3333))
_CELLS_OF_ROWS = (_U(4), _U(0x0F0F_0F0F_0F0F_0F0F), _U(0x00FF_00FF_00FF_00FF))
_ROWS_OF_BOARDS = (_U(16), _U(0x0000_FFFF_0000_FFFF), _U(0x0000_0000_FFFF_FFFF))


@inline_kernel
def _exchange_fields(x: _Word, y: _Word, width: _Word, low: _Word) -> tuple[_Word, _Word]:
    """Return the low fields of two words, then the high ones: ``x1 x0, y1 y0 -> y0 x0, y1 x1``."""
    return (x & low) | ((y << width) & ~low), ((x >> width) & low) | (y & ~low)


@inline_kernel
def _exchange(words: _Four, fields: _Fields) -> _Four:
    """Return word i with field k of word k in field k: its own inverse, like every transposition.

    x3 x2 x1 x0           w0 z0 y0 x0
    y3 y2 y1 y0           w1 z1 y1 x1
    z3 z2 z1 z0    ->     w2 z2 y2 x2
    w3 w2 w1 w0           w3 z3 y3 x3
    """
    x, y, z, w = words
    width, low, low_pair = fields
    x, y = _exchange_fields(x, y, width, low)
    z, w = _exchange_fields(z, w, width, low)
    x, z = _exchange_fields(x, z, width + width, low_pair)
    y, w = _exchange_fields(y, w, width + width, low_pair)
    return x, y, z, w


@inline_kernel
def _exchange_each(fours: _FourFours, fields: _Fields) -> _FourFours:
    x, y, z, w = fours
    return _exchange(x, fields), _exchange(y, fields), _exchange(z, fields), _exchange(w, fields)


@inline_kernel
def _turned(fours: _FourFours) -> _FourFours:
    """Return the transpose of four fours: the first items, the second items, and so on."""
    x, y, z, w = fours
    return (
        (x[0], y[0], z[0], w[0]),
        (x[1], y[1], z[1], w[1]),
        (x[2], y[2], z[2], w[2]),
        (x[3], y[3], z[3], w[3]),
    )


@inline_kernel
def _cells_of(bits: _FourFours, fields: _Fields) -> _FourFours:
    """Return four cells, the rightmost or lowest first, from words already separated by bits."""
    return _turned(_exchange_each(bits, fields))


@inline_kernel
def _boards_of(cells: _FourFours, fields: _Fields) -> _FourFours:
    """Return the boards with these cells: the inverse."""
    return _exchange_each(_turned(_exchange_each(_turned(cells), fields)), _BITS_OF_CELLS)


@inline_kernel
def _if(mask: _Word, x: _Four, y: _Four) -> _Four:
    """Return cell x where the mask is set, else cell y."""
    rest = ~mask
    return (
        (x[0] & mask) | (y[0] & rest),
        (x[1] & mask) | (y[1] & rest),
        (x[2] & mask) | (y[2] & rest),
        (x[3] & mask) | (y[3] & rest),
    )


@inline_kernel
def _only(mask: _Word, x: _Four) -> _Four:
    """Return cell x where the mask is set, else an empty cell."""
    return x[0] & mask, x[1] & mask, x[2] & mask, x[3] & mask


@inline_kernel
def _full(x: _Four) -> _Word:
    return x[0] | x[1] | x[2] | x[3]


@inline_kernel
def _may_merge(x: _Four) -> _Word:
    """Return the mask where a cell is neither empty nor 15: its bits are not all the same."""
    return (x[0] ^ x[1]) | (x[1] ^ x[2]) | (x[2] ^ x[3])


@inline_kernel
def _differ(x: _Four, y: _Four) -> _Word:
    return (x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3])


@inline_kernel
def _grown(x: _Four, merges: _Word) -> _Four:
    """Return the cell, one higher where the mask is set."""
    carry_1 = x[0] & merges
    carry_2 = x[1] & carry_1
    return x[0] ^ merges, x[1] ^ carry_1, x[2] ^ carry_2, x[3] ^ (x[2] & carry_2)


@inline_kernel
def _both_ways(cells: _FourFours) -> tuple[_FourFours, _FourFours]:
    """Return the cells after sliding left (or up), and after sliding right (or down)."""
    d, c, b, a = cells
    # The gap furthest to the right first, so that what moves has no gap inside; no step changes
    # whether the next cell is empty, so the masks do not wait for one another.
    full_a, full_b, full_c = _full(a), _full(b), _full(c)
    c, d = _if(full_c, c, d), _only(full_c, d)
    b, c, d = _if(full_b, b, c), _if(full_b, c, d), _only(full_b, d)
    a, b, c, d = _if(full_a, a, b), _if(full_a, b, c), _if(full_a, c, d), _only(full_a, d)

    b_merges = _may_merge(b)
    ab, bc = b_merges & ~_differ(a, b), b_merges & ~_differ(b, c)
    cd = _may_merge(c) & ~_differ(c, d)
    # Of four equal tiles the first two become the same: it does not matter that they exchange.
    three_left, three_right = ab & bc, bc & cd & ~ab
    bc_merges = bc & ~ab
    cd_merges = cd & ~bc_merges
    a, b, c, d = _grown(a, ab), _grown(b, bc_merges), _grown(c, cd_merges), _only(~cd_merges, d)
    closes = ab | bc_merges
    b, c, d = _if(ab, c, b), _if(closes, d, c), _only(~closes, d)

    e, f = _if(three_left, b, a), _if(three_left, a, _if(three_right, c, b))
    g = _if(three_right, b, c)
    more_than_2 = _full(g)  # else push by two, then by one
    g, h = _if(more_than_2, g, e), _if(more_than_2, d, f)
    e, f = _only(more_than_2, e), _only(more_than_2, f)
    full_h = _full(h)
    e, f, g, h = _only(full_h, e), _if(full_h, f, e), _if(full_h, g, f), _if(full_h, h, g)
    return (d, c, b, a), (h, g, f, e)


@kernel
def fill_four(boards: U64, moved: U64) -> None:
    """Fill `moved` (uint64[4, n], overwritten) with LEFT, RIGHT, UP, DOWN of `boards` (uint64[n]).

    Standard rule; at least BLOCK boards, and arrays that do not overlap. The last block may process
    boards of the one before a second time.
    """
    widest_vectors()
    n = _U(boards.size)
    for block in range((n + _BLOCK - _U(1)) // _BLOCK):
        first = min(block * _BLOCK, n - _BLOCK)
        for lane in range(_LANES):
            i = first + lane
            bits = _turned(_exchange_each(load_apart(boards, i, _LANES), _BITS_OF_CELLS))
            left, right = _both_ways(_cells_of(bits, _CELLS_OF_ROWS))
            store_apart(moved, LEFT, i, _LANES, _boards_of(left, _CELLS_OF_ROWS))
            store_apart(moved, RIGHT, i, _LANES, _boards_of(right, _CELLS_OF_ROWS))
            up, down = _both_ways(_cells_of(bits, _ROWS_OF_BOARDS))
            store_apart(moved, UP, i, _LANES, _boards_of(up, _ROWS_OF_BOARDS))
            store_apart(moved, DOWN, i, _LANES, _boards_of(down, _ROWS_OF_BOARDS))


@kernel
def fill_four_by_tables(boards: U64, tables: RowTables, moved: U64) -> None:
    """Fill `moved` like `fill_four`, by row tables: for either rule, and for few boards too."""
    for i in range(boards.size):
        for direction in range(4):
            moved[direction, i] = slide(boards[i], direction, tables)


def slide_all(boards: U64, walls: bool = False) -> U64:
    """Return after-states (uint64[4, n]), LEFT RIGHT UP DOWN; an illegal move gives the board."""
    originals = np.ascontiguousarray(boards, np.uint64)
    moved = np.empty((4, originals.size), np.uint64)
    if walls or originals.size < BLOCK:
        fill_four_by_tables(originals, row_tables(walls), moved)
    else:
        fill_four(originals, moved)
    return moved
