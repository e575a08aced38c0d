"""The features of a position and of its search values that predict the chance of the goal.

Features of the position are the same for all its moves: the number and layout of the cells left
beside the large tiles, the distance to the goal, and the largest of the other tiles. Features of a
move are its search value minus the value of the large tiles alone, and how much it is below the
best move's.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ai.chances.goal import ChanceGoal
from ai.evaluation.large_tiles import search_board
from ai.evaluation.line_tables import LineTables, static_value
from engine.bitboard import LARGEST_NIBBLE

N_OTHERS = 6
"""So many of the other tiles count, the largest first."""

FEATURES = (
    *("large", "difficulty", "progress", "log_progress", "empty", "exponent"),
    *(f"other_{i}" for i in range(N_OTHERS)),
    *("pairs", "squares", "whole_lines", "corners", "center"),
    *("value", "fine_value", "log_behind", "behind", "below"),
)
_UNIT = 1e4  # for values: an ordinary move changes them by a few hundred
_CORNERS, _CENTER = (0, 3, 12, 15), (5, 6, 9, 10)


def features(
    cells: Sequence[int], goal: ChanceGoal, values: Sequence[float], evaluator: LineTables
) -> npt.NDArray[np.float32]:
    """Return the features of moves in one position, float32[n, 22] in the order of `FEATURES`.

    `cells` are exponents up to 17, `values` the search's values by `evaluator`, on the scale of
    lines.
    """
    order = sorted(range(16), key=lambda cell: -cells[cell])
    others = [cells[cell] for cell in order[goal.n_large :]]
    large = sum(1 << cell for cell in order[: goal.n_large])
    largest = [*others, *[0] * N_OTHERS][:N_OTHERS]
    nearness = [1 / (1 + goal.exponent - other) for other in largest]  # 0.5: half of the goal
    of_position = [*_distance(goal, others), *nearness, *_room(large)]
    board = int(search_board(np.array(cells, np.uint8), LARGEST_NIBBLE))
    large_cells = sum(0xF << 4 * (15 - cell) for cell in order[: goal.n_large])
    alone = float(static_value(np.uint64(board & large_cells), evaluator))
    best = max(values)
    rows = [[*of_position, *_of_move(value, best, alone)] for value in values]
    return np.array(rows, np.float32)


def _distance(goal: ChanceGoal, others: Sequence[int]) -> list[float]:
    n_large, exponent = goal
    share = sum(1 << other for other in others if other) / (1 << exponent)
    n_empty = others.count(0)
    return [
        n_large / 3 - 1,
        (exponent - 16 + n_large) / 2,
        2 * share - 1,
        float(np.log2(share + 1e-3)) / 5,
        n_empty / 8 - 0.5,
        exponent - 10.0,
    ]


@cache
def _room(large: int) -> tuple[float, ...]:
    """Return the features of the cells beside the large tiles; bit i of `large` is for cell i."""
    free = [1 - (large >> cell & 1) for cell in range(16)]
    rows = [free[4 * row : 4 * row + 4] for row in range(4)]
    lines = [*rows, *map(list, zip(*rows, strict=True))]
    pairs = sum(a * b for line in lines for a, b in pairwise(line))
    squares = sum(
        rows[y][x] * rows[y][x + 1] * rows[y + 1][x] * rows[y + 1][x + 1]
        for y in range(3)
        for x in range(3)
    )
    n_whole = sum(map(all, lines))
    corners, center = (sum(1 - free[cell] for cell in cells) for cells in (_CORNERS, _CENTER))
    return pairs / 12 - 1, squares / 4 - 1, n_whole / 2 - 1, corners / 2, float(center)


def _of_move(value: float, best: float, alone: float) -> list[float]:
    """Return the features of a move: its value, that of the best one, and of large tiles alone."""
    above, behind = (value - alone) / _UNIT, best - value
    return [
        min(max(above, -20.0), 5.0) / 3,
        float(np.arcsinh(4 * above)) / 3,
        float(np.log1p(behind / 100)) / 4,
        min(behind, 3e5) / 1e5,
        float(np.log1p(max(0.0, alone - best) / 1e3)) / 3,
    ]
