"""Games played by both a processor and a graphics card, to be compared."""

from typing import Any

import numpy as np

from ai.train.game_training import LEARNED_0
from engine.bitboard import cells

LATE = (0xCEDB_9871_6523_1010, 0xCED0_B124_1231_4200, 0xEE93_2000_0000_0000)
WHOLE = (0x1020_2468_3579_1243, 0x1914_4DBA_3777_0416, 0x1914_4DBA_3777_0416)
"""Boards from which games continue. The second of each reaches the next stage, the last of the
late ones is won."""

SEED = 7


def tile_sum(board: int) -> int:
    """Return the sum of the tiles in face value."""
    return sum(1 << tile for tile in cells(board) if tile)


def learned(play: Any) -> tuple[Any, ...]:
    """Return the weights of which something was learned, their errors, boards kept and spawns."""
    places = np.flatnonzero(np.abs(play.weights) > LEARNED_0)
    errors = play.errors.reshape(-1, 2)[places]
    return places, play.weights[places], errors, play.first[:, :2].copy(), play.spawns.copy()
