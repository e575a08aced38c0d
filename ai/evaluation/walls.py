"""Four large tiles as walls: the positions that an n-tuple network evaluates, and their boards."""

import numpy as np

from engine.geometry import destinations, permute
from engine.platform.jit import inline_kernel, kernel

N_WALLS = 4
GOALS = (10, 11)
"""Possible exponents of the smallest wall: 1024 and 2048. Another like it is the goal."""

_U = np.uint64
_LOW = _U(0x1111_1111_1111_1111)
_F = 15

SHAPES = (
    0xFF00_FF00_0000_0000,
    0xFFF0_F000_0000_0000,
    0xFFF0_0F00_0000_0000,
    0xF0F0_FF00_0000_0000,
    0x0FF0_FF00_0000_0000,
)
"""Where the walls may stand, in all eight images. In 20 games of search alone, 1,200 nodes a move,
60 % of the positions with four such tiles had the first shape and nearly all others the second; the
rest are theirs with the walls and the next largest tile in another order."""

SQUARE = SHAPES[0]
"""Elsewhere the network for 2048 is asked only once half of its goal is made. Until then lines do
better: with tables, of 75 starts beside other walls 46 were won by lines and 39 by the network, and
5 and 21 of all 100 were lost before the 450th move; beside this one 20 and 23 of 25 were won (3,000
nodes a move). This choice was made from these very starts, so other ones have yet to confirm it."""


def _images(shapes):
    return np.array(
        sorted({permute(shape, image) for shape in shapes for image in destinations("full")}),
        np.uint64,
    )


_IMAGES, _SQUARES = _images(SHAPES), _images([SQUARE])

MIN_CHANCE = 0.02
"""Where a network sees less chance than this for its best move, lines are better judges of what can
still be done: the network only knows that all is lost."""


@kernel
def walled_board(cells):
    """Return the bitboard of 16 exponents with the four largest as F."""
    least = 0
    for exponent in range(17, 0, -1):
        n_larger = 0
        for i in range(16):
            n_larger += cells[i] >= exponent
        if n_larger == N_WALLS:
            least = exponent
            break
    board = _U(0)
    for i in range(16):
        board = board << _U(4) | _U(_F if cells[i] >= least else cells[i])
    return board


@inline_kernel
def walls_of(board):
    ones = board & board >> _U(1)
    return (ones & ones >> _U(2) & _LOW) * _U(_F)


@kernel
def goal_of(cells):
    """Return the goal of 16 exponents (uint8[16]) beside four walls, as an exponent.

    The four largest tiles must differ and be in one of the `SHAPES`, the smallest of them must be
    one of the `GOALS`, and all others smaller: the goal is to make another like it, which merges
    with it, and then all may merge. 0 if these are not walls, if more is to be made, or if lines do
    better: see `SQUARE`.
    """
    next_largest, n_walls, least = 0, 0, 18
    for exponent in range(17, 0, -1):
        n_alike = 0
        for i in range(16):
            n_alike += cells[i] == exponent
        if n_alike == 0:
            continue
        if n_walls == N_WALLS:
            next_largest = exponent
            break
        if n_alike > 1 or exponent < GOALS[0]:
            return 0
        n_walls, least = n_walls + 1, exponent
    if n_walls < N_WALLS or least > GOALS[-1] or next_largest >= least:
        return 0
    walls = walls_of(walled_board(cells))
    has_half = next_largest >= least - 1
    for image in _IMAGES if has_half or least < GOALS[-1] else _SQUARES:
        if walls == image:
            return least
    return 0
