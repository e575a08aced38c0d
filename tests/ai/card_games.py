"""Games played by both a processor and a graphics card, to be compared."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ai.evaluation.game_net import STAGE_SIZE
from ai.train.game_training import LEARNED_0
from engine.bitboard import cells

LATE = (0xCEDB_9871_6523_1010, 0xCED0_B124_1231_4200, 0xEE93_2000_0000_0000)
WHOLE = (0x1020_2468_3579_1243, 0x1914_4DBA_3777_0416, 0x1914_4DBA_3777_0416)
"""Boards from which games continue. The second of each reaches the next stage, the last of the
late ones is won."""

SEED = 7


def tile_sum(board: int) -> int:
    return sum(1 << tile for tile in cells(board) if tile)


def learned(play: Any) -> tuple[Any, ...]:
    """Return the weights of which something was learned, their errors, boards kept and spawns."""
    stages = range(0, play.weights.size, STAGE_SIZE)  # one at a time: all of them take gigabytes
    places = np.concatenate([begin + _learned_at(play, begin) for begin in stages])
    errors = play.errors.reshape(-1, 2)[places]
    return places, play.weights[places], errors, play.first[:, :2].copy(), play.spawns.copy()


def _learned_at(play: Any, begin: int) -> npt.NDArray[np.int64]:
    """Return where a stage has weights of which something was learned."""
    return np.flatnonzero(np.abs(play.weights[begin : begin + STAGE_SIZE]) > LEARNED_0)
