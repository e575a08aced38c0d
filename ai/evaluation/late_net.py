"""The network for late games: beside 16384, 8192 and 4096, with a 2048 or without.

It evaluates search boards (`ai.evaluation.large_tiles`), on which gaps below a 32768 are closed: so
also beside 32768, 16384 and 4096, and beside five large tiles, where the last of them is halved.
Most games end there.

It has the tuples of the network for whole games (`ai.evaluation.game_net`) and four stages: until a
2048 is made beside 16384, 8192 and 4096, then a 1024, then until the tiles sum to 32768, and until
all merges are done. A stage begins a few moves after its tile can be made, when that has been done
and the board is nearly empty. Next to the fifth large tile, little is as it was before: there the
weights of earlier stages don't count.
"""

import numpy as np

from engine.platform.jit import inline_kernel, kernel

FIRST_LATE_SUM = 28672
LATE_SUMS = (30720 + 80, 31744 + 80, 32768)
"""Tile sums, in face value, at which the stages after the first begin."""

FIFTH_STANDS = 2
"""The stage that begins with nothing: where it has learned nothing of a weight, that is 0."""

N_LATE_STAGES = len(LATE_SUMS) + 1
_LARGE = 0b0111 << 12  # there is a 16384, an 8192 and a 4096, and no 32768
_MASK = 0b1111 << 12

_SUMS = np.array(LATE_SUMS)

_U = np.uint64


@inline_kernel
def late_stage_of(found):
    stage = 0
    for first in _SUMS:
        stage += found >= first
    return stage


@kernel
def is_late_board(board):
    present = 0
    for shift in range(0, 64, 4):
        present |= 1 << np.int64((board >> _U(shift)) & _U(15))
    return present & _MASK == _LARGE
