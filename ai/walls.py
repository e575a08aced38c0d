"""Five large tiles as walls: which positions a network of tuples is for, and how it sees them."""

import numpy as np

from engine.geometry import destinations, permute
from engine.jit import inline_kernel, kernel

N_WALLS = 5
GOALS = (9, 10)
"""What may be made beside walls, as exponents: 512 and 1024."""

LEAST_WALL = GOALS[0]
"""The exponent of the smallest tile that is a wall: beside smaller ones lines play better."""

_U = np.uint64
_LOW = _U(0x1111_1111_1111_1111)
_F = 15

SHAPES = (0xFFF0_FF00_0000_0000, 0xFFFF_F000_0000_0000, 0xFF00_FF00_0F00_0000)
"""Where the walls may stand, in all eight images. In 30 games of search alone, 1,500 nodes a move,
97 % of the positions with five walls had the first shape and nearly all others the second."""

_IMAGES = np.array(
    sorted({permute(shape, image) for shape in SHAPES for image in destinations("full")}),
    np.uint64,
)


@kernel
def walled_board(cells):
    """Return the bitboard of 16 exponents with the five largest as F."""
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
    """Return F in the cells of the walls of a bitboard."""
    ones = board & board >> _U(1)
    return (ones & ones >> _U(2) & _LOW) * _U(_F)


@kernel
def goal_of(cells):
    """Return what is to be made of 16 exponents (uint8[16]) beside five walls, as an exponent.

    The five largest tiles have to be 512 or more, all different, in one of the `SHAPES`, and no
    other as large as the smallest: what makes another of its kind merges with it, and then all
    may. 10 when that is 1024 or more, for larger tiles are not made in eleven cells at once; 0 when
    these are no walls.
    """
    present, n_walls, least = 0, 0, 18
    for exponent in range(17, LEAST_WALL - 1, -1):
        n_alike = 0
        for i in range(16):
            n_alike += cells[i] == exponent
        if n_walls < N_WALLS:
            if n_alike > 1:
                return 0
            if n_alike:
                n_walls, least = n_walls + 1, exponent
        else:
            present |= n_alike << exponent
    if n_walls < N_WALLS or present >> GOALS[-1]:
        return 0
    walls = walls_of(walled_board(cells))
    for image in _IMAGES:
        if walls == image:
            return min(least, GOALS[-1])
    return 0
