"""An evaluation of whole games by tuples of cells: the points still to come from an after-state.

Four tuples of six cells are looked up in all eight images of the board; the value is the sum of the
32 weights. The large tiles make seven tasks of a game, one after the other, and each has weights of
its own: until the tiles sum to 16384, from there to 16384 + 8192, and so on. Where a later stage
has learned nothing of a weight, that of the stage before counts (weight promotion).

The tuples are those of Yeh et al.: Multistage temporal difference learning for 2048-like games,
IEEE TCIAIG 9(4), 2016; stages and promotion after Jaskowski: Mastering 2048 with delayed temporal
coherence learning, multi-stage weight promotion, redundant encoding and carousel shaping, IEEE
Transactions on Games 10(1), 2018.

    a b c d      0  abcdef      2 x 3 in the corner and on
    e f g h      1  efghij
    i j k l      2  abcefg      2 x 3 in the corner
    m n o p      3  efgijk      2 x 3 in the middle
"""

import numpy as np
import numpy.typing as npt

from engine.jit import inline_kernel

TUPLES = ((0, 1, 2, 3, 4, 5), (4, 5, 6, 7, 8, 9), (0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10))
"""The cells of each tuple, the first in the highest place of its number."""

TUPLE_SIZE = 16**6
STAGE_SIZE = len(TUPLES) * TUPLE_SIZE
STAGE_SUMS = (16384, 24576, 28672, 30720, 32768, 49152)
"""Where the stages after the first begin, as sums of the tiles in face value."""

N_STAGES = len(STAGE_SUMS) + 1
N_LOOKUPS = 8 * len(TUPLES)

_U = np.uint64
_SIX, _THREE = _U(0xFF_FFFF), _U(0xFFF)
_ROW = _U(12)
_SUMS = np.array(STAGE_SUMS)

F32 = npt.NDArray[np.float32]


@inline_kernel
def stage_of(tile_sum):
    """Return the stage of a board whose tiles sum to so much in face value."""
    stage = 0
    for first in _SUMS:
        stage += tile_sum >= first
    return stage


@inline_kernel
def tuple_places(image):
    """Return where the weights of the four tuples of one image are, in a stage."""
    return (
        image >> _U(40),
        _U(TUPLE_SIZE) + ((image >> _U(24)) & _SIX),
        _U(2 * TUPLE_SIZE) + ((image >> _U(52)) << _ROW | ((image >> _U(36)) & _THREE)),
        _U(3 * TUPLE_SIZE) + (((image >> _U(36)) & _THREE) << _ROW | ((image >> _U(20)) & _THREE)),
    )
