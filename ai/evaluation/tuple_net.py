"""The n-tuple evaluation beside walls: the chance of 1024 or 2048 beside four larger tiles.

The hard part of a game begins with four large tiles that cannot merge: the next one, say 2048, must
be made in twelve cells. The four count as walls, F, and the rest are tiles below the goal: twelve
symbols. Four tuples of six cells are looked up in all eight images of the board; the value is the
sum of the 32 weights. Boards with and without a 1024, a 512 and a 256, eight stages, have weights
of their own, and each goal has a network of its own. Such networks learn by play; after Szubert
and Jaskowski: Temporal difference learning of n-tuple networks for the game 2048, CIG 2014, with
the tuples and the stages of Yeh et al.: Multistage temporal difference learning for 2048-like
games, IEEE TCIAIG 9(4), 2016.

    a b c d      0  abcdef      2 x 3 in the corner and on
    e f g h      1  efghij
    i j k l      2  abcefg      2 x 3 in the corner
    m n o p      3  efgijk      2 x 3 in the middle
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.kernels.moves import slide
from engine.kernels.symmetry import flip, mirror, transpose
from engine.platform.jit import inline_kernel

N_SYMBOLS = 12
WALL_SYMBOL = N_SYMBOLS - 1  # for F; no other nibble from 11 up is ever looked up
TUPLES = ((0, 1, 2, 3, 4, 5), (4, 5, 6, 7, 8, 9), (0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10))
"""The cells of each tuple, the first in the highest place of its number."""

TUPLE_SIZE = N_SYMBOLS**6
N_STAGES = 8
STAGE_SIZE = len(TUPLES) * TUPLE_SIZE
N_WEIGHTS = N_STAGES * STAGE_SIZE
N_LOOKUPS = 8 * len(TUPLES)
MADE = 1.0
"""The value of a board on which the goal has been made."""

LOST = 1e-3
"""The least value of any other, so that it is worth to live on."""

_U = np.uint64
_ALL = 0x1111_1111_1111_1111
_LOW = _U(_ALL)
_1024, _512, _256 = _U(10 * _ALL), _U(9 * _ALL), _U(8 * _ALL)
_TWO, _THREE = N_SYMBOLS**2, N_SYMBOLS**3
I16 = npt.NDArray[np.int16]
I32 = npt.NDArray[np.int32]


class TupleNet(NamedTuple):
    """A network."""

    weights: I16  # int16[8 * 4 * 12**6]: by stage, tuple and number of the tuple
    unit: np.float32  # value of a step of a weight
    symbols: I32  # int32[4096]: the number that three nibbles make in base 12
    goal: np.uint64  # the tile to make, in all 16 nibbles: A for 1024


def tuple_net(weights: I16, unit: float, goal: int) -> TupleNet:
    return TupleNet(weights, np.float32(unit), symbols_of_nibbles(), everywhere(goal))


def everywhere(nibble: int) -> np.uint64:
    return np.uint64(nibble * _ALL)


def symbols_of_nibbles() -> I32:
    """Return the numbers that three nibbles make in base 12."""
    symbol = np.minimum(np.arange(16), WALL_SYMBOL)
    three = np.arange(4096)
    high, middle, low = symbol[three >> 8], symbol[three >> 4 & 15], symbol[three & 15]
    return (_TWO * high + N_SYMBOLS * middle + low).astype(np.int32)


@inline_kernel
def has_tile(board, tile):
    same = ~(board ^ tile)
    same &= same >> _U(1)
    return same & (same >> _U(2)) & _LOW != _U(0)


@inline_kernel
def stage_offset(board):
    stage = 4 * np.int64(has_tile(board, _1024)) + 2 * np.int64(has_tile(board, _512))
    return (stage + np.int64(has_tile(board, _256))) * STAGE_SIZE


@inline_kernel
def images(board):
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
def tuple_indices(image, offset, symbols):
    first, second = image >> _U(48), (image >> _U(32)) & _U(0xFFFF)
    third = (image >> _U(16)) & _U(0xFFFF)
    abc, efg = np.int64(symbols[first >> _U(4)]), np.int64(symbols[second >> _U(4)])
    ijk = np.int64(symbols[third >> _U(4)])
    ef, ij = np.int64(symbols[second >> _U(8)]), np.int64(symbols[third >> _U(8)])
    d, h = np.int64(symbols[first & _U(15)]), np.int64(symbols[second & _U(15)])
    return (
        offset + (abc * N_SYMBOLS + d) * _TWO + ef,
        offset + TUPLE_SIZE + (efg * N_SYMBOLS + h) * _TWO + ij,
        offset + 2 * TUPLE_SIZE + abc * _THREE + efg,
        offset + 3 * TUPLE_SIZE + efg * _THREE + ijk,
    )


@inline_kernel
def net_value(after, net):
    """Return the value of an after-state: roughly the chance to make the goal, `LOST` to `MADE`."""
    if has_tile(after, net.goal):
        return np.float32(MADE)
    offset, weights = stage_offset(after), net.weights
    total = np.int64(0)
    for image in images(after):
        first, second, third, fourth = tuple_indices(image, offset, net.symbols)
        total += np.int64(weights[first]) + weights[second] + weights[third] + weights[fourth]
    value = np.float32(total) * net.unit
    return min(max(value, np.float32(LOST)), np.float32(MADE))


@inline_kernel
def best_net_value(board, net, rules):
    """Return the best value of the moves; `dead` if none is legal."""
    best = rules.dead
    for direction in range(4):
        after = slide(board, direction, rules.moves)
        if after != board:
            best = max(best, net_value(after, net))
    return best


@inline_kernel
def net_spawns_value(after, tiles, net, rules):
    """Return the sum of the best moves' values over spawns; see `evaluate.spawns_value`."""
    total = np.float32(0)
    while tiles:
        tile = tiles & (_U(0) - tiles)
        tiles ^= tile
        total += best_net_value(after | tile, net, rules)
    return total
