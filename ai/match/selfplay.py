"""Whole games as machine code: the same spawns as `engine.game.Game` gives for the same seed."""

import numpy as np
import numpy.typing as npt

from ai.evaluation.large_tiles import search_board
from ai.evaluation.walls import goal_of, walled_board
from ai.search.deepening import best_direction, deepen
from ai.search.expectimax import NODES
from engine.jit import kernel
from engine.kernels.spawn import below, random

U8 = npt.NDArray[np.uint8]
SCORE, MOVES, SEARCHED, DEPTHS, N_TALLIES = range(5)
"""Places in `tally` (int64[5]): points, moves made, nodes and sum of depths of their searches."""


OVER, GOES_ON, HOPELESS = range(3)
"""How `play` ended: without a legal move, or not, or as `LEAST_CHANCE` says."""

LEAST_CHANCE = 0.02
"""Where a network sees less chance than this for its best move, lines are better judges of what can
still be done: the network only knows that all is lost."""


def new_tally() -> npt.NDArray[np.int64]:
    """Return a tally of nothing."""
    return np.zeros(N_TALLIES, np.int64)


@kernel
def slide_cells(cells, direction):
    """Slide 16 exponents (uint8[16], overwritten) as the game does; return the points, -1: illegal.

    Two 32768 merge here, and two 65536.
    """
    points, changed = 0, False
    for line in range(4):
        # Cell i of the line, counted from the side it slides to, is at start + i * step.
        if direction < 2:
            start, step = 4 * line, 1
        else:
            start, step = line, 4
        if direction & 1:
            start, step = start + 3 * step, -step
        filled, may_merge = 0, False
        for i in range(4):
            at = start + i * step
            tile = cells[at]
            if tile == 0:
                continue
            cells[at] = 0
            last = start + (filled - 1) * step
            if may_merge and cells[last] == tile:
                cells[last] = tile + 1
                points += 2 << np.int64(tile)
                may_merge, changed = False, True
            else:
                target = start + filled * step
                cells[target] = tile
                changed |= target != at
                filled += 1
                may_merge = True
    return points if changed else -1


@kernel
def spawn_in_cells(cells, state, spawn4):
    """Put a new tile on 16 exponents (uint8[16]), as `engine.spawn.draw_spawn` draws it."""
    n_empty = 0
    for i in range(16):
        n_empty += cells[i] == 0
    chosen = np.int64(below(state, np.uint64(n_empty)))
    tile = 2 if random(state) < spawn4 else 1
    for i in range(16):
        if cells[i] == 0:
            if chosen == 0:
                cells[i] = tile
                return
            chosen -= 1


@kernel
def cells_sum(cells):
    """Return the sum of the tiles in face value."""
    total = 0
    for i in range(16):
        if cells[i]:
            total += 1 << np.int64(cells[i])
    return total


@kernel
def play(
    cells, state, tally, n_moves, until_sum, goal, spawn4, plan,
    rules, evaluator, table, control, values
):  # fmt: skip
    """Play up to `n_moves` moves by search; return `OVER`, `GOES_ON` or `HOPELESS`.

    Parameters
    ----------
    cells : uint8[16]
        The position, overwritten.
    state : uint64[1]
        The generator of the spawns, advanced.
    tally : int64[N_TALLIES]
        Added to; see `SCORE`.
    n_moves : int
    until_sum : int
        Stop when the tiles sum to so much: from there on another evaluation counts.
    goal : int
        Stop when the position has another, see `ai.evaluation.walls.goal_of`: it is not for this
        evaluation; -1: play whatever comes, by lines.
    spawn4 : float
    plan, rules, evaluator, table, control, values
        As `deepen` takes them.
    """
    for _ in range(n_moves):
        if cells_sum(cells) >= until_sum:
            break
        if goal >= 0 and goal_of(cells) != goal:
            break
        board = walled_board(cells) if goal > 0 else search_board(cells)
        depth = deepen(board, plan, rules, evaluator, table, control, values)
        if depth == 0:
            return OVER
        direction = best_direction(values)
        if goal > 0 and values[direction] < LEAST_CHANCE:
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
