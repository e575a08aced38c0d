"""The rules of the game that a search needs besides the board."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.moves import RowTables, row_tables

I64 = npt.NDArray[np.int64]

SLACK_UNIT = 16  # per bit
N_TAGS = 4  # evaluations whose values a transposition table tells apart


class SearchRules(NamedTuple):
    """The rules of the game, for the search."""

    moves: RowTables
    # int64[2, 17]: slack used by the spawn of a 2 and of a 4, by the number of empty cells.
    costs: I64
    # The probabilities of the two tiles.
    chance_2: np.float32
    chance_4: np.float32
    likely: np.int64  # the tile that is at least as likely as the other: 0 for the 2, 1 for the 4
    dead: np.float32  # the value of a position without a legal move
    points: np.float32  # value of a point of the score, on the evaluation's scale


def game_rules(dead: float, points: float = 0.0, spawn4: float = 0.1) -> SearchRules:
    empty = np.arange(17)
    empty[0] = 1  # never used
    chances = np.array([max(1.0 - spawn4, 1e-9), max(spawn4, 1e-9)])
    costs = np.rint(SLACK_UNIT * np.log2(empty / chances[:, None])).astype(np.int64)
    chance_2, chance_4 = np.float32(1 - spawn4), np.float32(spawn4)
    likely = np.int64(chance_4 > chance_2)
    worth = np.float32(dead), np.float32(points)
    return SearchRules(row_tables(), costs, chance_2, chance_4, likely, *worth)
