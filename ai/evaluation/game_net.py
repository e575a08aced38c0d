"""The n-tuple evaluation of whole games: the points still to come from an after-state.

Eight tuples of six cells are looked up in all eight images of the board; the value is the sum of
the 64 weights. The large tiles divide a game into nine stages, each with weights of its own: until
the tiles sum to 8192 + 4096, from there to 8192 + 4096 + 2048, and so on. A weight that a later
stage has not learned is taken from the stage before (weight promotion).

The first four tuples are those of Yeh et al.: Multistage temporal difference learning for 2048-like
games, IEEE TCIAIG 9(4), 2016, the others are among those of Matsuzaki: Systematic selection of
N-tuple networks with consideration of interinfluence for game 2048, TAAI 2016; stages and promotion
after Jaskowski: Mastering 2048 with delayed temporal coherence learning, multi-stage weight
promotion, redundant encoding and carousel shaping, IEEE Transactions on Games 10(1), 2018.

    a b c d      0  abcdef      2 x 3 in the corner and on     4  abfghk      steps
    e f g h      1  efghij                                     5  abcfjk
    i j k l      2  abcefg      2 x 3 in the corner            6  abfjno      from edge to edge
    m n o p      3  efgijk      2 x 3 in the middle            7  abfijn
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.evaluation.tuple_net import images
from engine.kernels.moves import slide, slide_score
from engine.platform.jit import inline_kernel, kernel

TUPLES = (
    (0, 1, 2, 3, 4, 5),
    (4, 5, 6, 7, 8, 9),
    (0, 1, 2, 4, 5, 6),
    (4, 5, 6, 8, 9, 10),
    (0, 1, 5, 6, 7, 10),
    (0, 1, 2, 5, 9, 10),
    (0, 1, 5, 9, 13, 14),
    (0, 1, 5, 8, 9, 13),
)
"""The cells of each tuple, the first in the highest place of its number."""

TUPLE_SIZE = 16**6
STAGE_SIZE = len(TUPLES) * TUPLE_SIZE
STAGE_SUMS = (12288, 14336, 16384, 24576, 28672, 30720, 32768, 49152)
"""Tile sums, in face value, at which the stages after the first begin."""

N_STAGES = len(STAGE_SUMS) + 1
LARGEST_KNOWN = 14
"""The largest exponent that a network is asked about, 16384: with a 32768 few games of a training
went on. Beside 32768, 8192 and 4096 the next 2048 was made from 2 of 40 starts; from the same ones
with 16384 for 32768, which is as hard to do, from 39 (300 nodes a move)."""

N_LOOKUPS = 8 * len(TUPLES)

_U = np.uint64
_SIX, _THREE, _TWO, _ONE = _U(0xFF_FFFF), _U(0xFFF), _U(0xFF), _U(0xF)
_SUMS = np.array(STAGE_SUMS)

I16 = npt.NDArray[np.int16]


class GameNet(NamedTuple):
    """The network of one stage, as a search reads it."""

    weights: I16  # int16[STAGE_SIZE]: 0: not learned, neither in this stage nor before
    unit: np.float32  # points per step of a weight


@inline_kernel
def stage_of(found):
    stage = 0
    for first in _SUMS:
        stage += found >= first
    return stage


@inline_kernel
def tile_sum(board):
    total = 0
    for shift in range(0, 64, 4):
        tile = np.int64((board >> _U(shift)) & _U(15))
        total += 1 << tile if tile else 0
    return total


@kernel
def sum_of_board(board):
    return np.int64(tile_sum(board))


@kernel
def stage_of_board(board):
    return np.int64(stage_of(tile_sum(board)))


@inline_kernel
def tuple_places(image):
    """Return the indices of the tuple weights of one image, within a stage."""
    ab, abc = image >> _U(56), image >> _U(52)
    f, efg = (image >> _U(40)) & _ONE, (image >> _U(36)) & _THREE
    abf = ab << _U(4) | f
    ijk, j = (image >> _U(20)) & _THREE, (image >> _U(24)) & _ONE
    return (
        image >> _U(40),
        _U(TUPLE_SIZE) + ((image >> _U(24)) & _SIX),
        _U(2 * TUPLE_SIZE) + (abc << _U(12) | efg),
        _U(3 * TUPLE_SIZE) + (efg << _U(12) | ijk),
        _U(4 * TUPLE_SIZE)
        + (ab << _U(16) | ((image >> _U(32)) & _THREE) << _U(4) | (image >> _U(20)) & _ONE),
        _U(5 * TUPLE_SIZE) + (abc << _U(12) | f << _U(8) | (image >> _U(20)) & _TWO),
        _U(6 * TUPLE_SIZE) + (abf << _U(12) | j << _U(8) | (image >> _U(4)) & _TWO),
        _U(7 * TUPLE_SIZE)
        + (abf << _U(12) | ((image >> _U(24)) & _TWO) << _U(4) | (image >> _U(8)) & _ONE),
    )


@inline_kernel
def game_net_value(after, net):
    """Return the value of an after-state: the points still to come, always more than 0.

    A network is wrong now and then, especially on untidy boards. Values below one point are mapped
    to between 0 and 1, in the same order: a lost game is worth 0, and any board that can still move
    is worth more.
    """
    total = np.int64(0)
    for image in images(after):
        for at in tuple_places(image):
            total += net.weights[at]
    value = np.float32(total) * net.unit
    point = np.float32(1)
    return value if value >= point else point / (np.float32(2) - value)


@inline_kernel
def game_net_spawns_value(after, tiles, net, rules):
    """Return the sum of the best moves' values over spawns; see `evaluate.spawns_value`."""
    total = np.float32(0)
    while tiles:
        tile = tiles & (_U(0) - tiles)
        tiles ^= tile
        board, best = after | tile, rules.dead
        for direction in range(4):
            moved = slide(board, direction, rules.moves)
            if moved != board:
                points = np.float32(slide_score(board, direction, rules.moves))
                best = max(best, game_net_value(moved, net) + rules.points * points)
        total += best
    return total
