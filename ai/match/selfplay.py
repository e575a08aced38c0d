"""Whole games as machine code: the same spawns as `engine.game.Game` gives for the same seed."""

import numpy as np
import numpy.typing as npt

from ai.evaluation.game_net import tile_sum
from ai.evaluation.large_tiles import search_board
from ai.evaluation.late_net import is_late_board
from ai.evaluation.walls import MIN_CHANCE, goal_of, walled_board
from ai.search.deepening import best_direction, deepen
from ai.search.expectimax import NODES
from engine.kernels.cells import slide_cells, spawn_in_cells
from engine.platform.jit import kernel

U8 = npt.NDArray[np.uint8]
SCORE, MOVES, SEARCHED, DEPTHS, N_TALLIES = range(5)
"""Places in `tally` (int64[5]): points, moves made, nodes and sum of depths of their searches."""


OVER, GOES_ON, HOPELESS = range(3)
"""The outcome of `play`: no legal move left, unfinished, or given up by `MIN_CHANCE`."""


def new_tally() -> npt.NDArray[np.int64]:
    return np.zeros(N_TALLIES, np.int64)


@kernel
def play(
    cells, state, tally, n_moves, sums, goal, is_late, largest, spawn4, plan,
    rules, evaluator, table, control, values
):  # fmt: skip
    """Play up to `n_moves` moves by search; return `OVER`, `GOES_ON` or `HOPELESS`.

    `cells` (uint8[16]) is overwritten, `state` (uint64[1], the generator of the spawns) advanced,
    `tally` added to. Stops before `n_moves` where another evaluation applies: the tile sum of the
    search board is below the first of `sums` or not below the second; the position has another
    `goal` (`ai.evaluation.walls.goal_of`; -1: never stop); or it `is_late` and the network for late
    games doesn't apply. For `largest` see `ai.evaluation.large_tiles.search_board`, for `plan`,
    `rules`, `evaluator`, `table`, `control` and `values` see `deepen`.
    """
    for _ in range(n_moves):
        if goal >= 0 and goal_of(cells) != goal:
            break
        board = walled_board(cells) if goal > 0 else search_board(cells, largest)
        if is_late and not is_late_board(board):
            break
        if not sums[0] <= tile_sum(board) < sums[1]:
            break
        depth = deepen(board, plan, rules, evaluator, table, control, values)
        if depth == 0:
            return OVER
        direction = best_direction(values)
        if goal > 0 and values[direction] < MIN_CHANCE:
            return HOPELESS
        points = slide_cells(cells, direction)
        if points < 0:
            return OVER
        spawn_in_cells(cells, state, spawn4)
        tally[SCORE] += points
        tally[MOVES] += 1
        tally[SEARCHED] += control[NODES]
        tally[DEPTHS] += depth
    return GOES_ON
