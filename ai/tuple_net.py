"""An evaluation by tuples of cells: what is still to be earned from an after-state, in points.

Four tuples of six cells, each looked up in all eight images of the board; the value is the sum of
the 32 weights. Such networks are trained by play (ai.train_tuples); after Szubert and Jaskowski:
Temporal difference learning of n-tuple networks for the game 2048, CIG 2014, and the four tuples
of Yeh et al.: Multistage temporal difference learning for 2048-like games, IEEE TCIAIG 9(4), 2016.

    a b c d      0  abcdef      2 x 3 in the corner and on
    e f g h      1  efghij
    i j k l      2  abcefg      2 x 3 in the corner
    m n o p      3  efgijk      2 x 3 in the middle
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.jit import inline_kernel
from engine.kernels.moves import slide, slide_score
from engine.kernels.symmetry import flip, mirror, transpose

N_TUPLES = 4
TUPLE_SIZE = 1 << 24
TUPLES = ((0, 1, 2, 3, 4, 5), (4, 5, 6, 7, 8, 9), (0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10))
"""The cells of each tuple, the first in the highest nibble of its index."""

F32 = npt.NDArray[np.float32]
_U = np.uint64
_SIX = _U(0xFF_FFFF)
_THREE = _U(0xFFF)


class TupleNet(NamedTuple):
    """A network.

    Attributes
    ----------
    weights : float32[4 * 2**24]
        Those of one tuple after the other, in points.
    """

    weights: F32


@inline_kernel
def tuple_indices(board):
    """Return where the weights of the four tuples of one image are."""
    middle = (board >> _U(36)) & _THREE
    return (
        board >> _U(40),
        _U(TUPLE_SIZE) + ((board >> _U(24)) & _SIX),
        _U(2 * TUPLE_SIZE) + (((board >> _U(52)) << _U(12)) | middle),
        _U(3 * TUPLE_SIZE) + ((middle << _U(12)) | ((board >> _U(20)) & _THREE)),
    )


@inline_kernel
def images(board):
    """Return the eight images of a board."""
    turned = transpose(board)
    mirrored, mirrored_turned = mirror(board), mirror(turned)
    return (
        board,
        turned,
        mirrored,
        mirrored_turned,
        flip(board),
        flip(turned),
        flip(mirrored),
        flip(mirrored_turned),
    )


@inline_kernel
def net_value(after, net):
    """Return the value of an after-state: the points still to come."""
    total = np.float32(0)
    for image in images(after):
        first, second, third, fourth = tuple_indices(image)
        weights = net.weights
        total += (weights[first] + weights[second]) + (weights[third] + weights[fourth])
    return total


@inline_kernel
def best_net_value(board, net, rules):
    """Return the best value of the moves, points of the move included; dead when none is legal."""
    best = rules.dead
    for direction in range(4):
        after = slide(board, direction, rules.moves)
        if after != board:
            points = np.float32(slide_score(board, direction, rules.moves))
            best = max(best, net_value(after, net) + rules.points * points)
    return best


@inline_kernel
def net_spawns_value(after, tiles, net, rules):
    """Return the sum of the best moves' values over spawns; see `ai.evaluate.spawns_value`."""
    total = np.float32(0)
    while tiles:
        tile = tiles & (_U(0) - tiles)
        tiles ^= tile
        total += best_net_value(after | tile, net, rules)
    return total
