"""Searching one position: deeper and deeper, until the budget is spent."""

from typing import NamedTuple

import numpy as np

from ai.evaluation.evaluate import held_at_root
from ai.search.expectimax import (
    AGE,
    LIMIT,
    LOCK,
    NODES,
    STOP,
    chance_value,
    keeps,
    lock_below,
    lock_that_holds,
)
from ai.search.transposition import MAX_SLACK, N_AGES
from engine.kernels.moves import slide, slide_score
from engine.platform.jit import kernel


class Plan(NamedTuple):
    """How deep to search, and how long."""

    max_depth: np.int64  # moves looked ahead at most, 1 to 63
    # Improbability at which a line is cut: ``slack + depth * slack_per_move``, in 1/16 bit.
    slack: np.int64
    slack_per_move: np.int64
    n_rare: np.int64  # how many of the rarer tile, usually the 4, may come on a line, 0 to 3
    nodes: np.int64  # a search that has used this many nodes does not go deeper
    most_nodes: np.int64  # at this many nodes it stops and discards the current iteration


@kernel
def deepen(board, plan, rules, evaluator, table, control, values):
    """Fill `values` (float32[4], by direction; -inf where illegal); return the depth reached.

    Depth 0: no move is legal. Where all lines end earlier, the depth is that of the longest.
    `control` is initialized and counts nodes; see ai.search.expectimax.
    Moves that break walls (see ai.evaluation.walls) while others do not are worth less than losing:
    the network never saw the positions after them.
    """
    n_legal, n_kept = 0, 0
    held = lock_that_holds(board, held_at_root(board, evaluator), rules.moves)
    for direction in range(4):
        values[direction] = -np.inf
        after = slide(board, direction, rules.moves)
        n_legal += after != board
        n_kept += after != board and keeps(board, after, held)
    if n_legal == 0:
        return 0
    control[NODES] = 1
    control[LIMIT] = plan.most_nodes
    control[AGE] = (control[AGE] + 1) % N_AGES
    reached, n_all, n_nodes = 0, 1, 0
    found_0 = found_1 = found_2 = found_3 = np.float32(-np.inf)
    for depth in range(1, plan.max_depth + 1):
        slack = min(plan.slack + depth * plan.slack_per_move, MAX_SLACK)
        for direction in range(4):
            after = slide(board, direction, rules.moves)
            value = np.float32(-np.inf)
            if after != board and not keeps(board, after, held):
                value = rules.dead - np.float32(1)
            elif after != board:
                control[LOCK] = np.int64(lock_below(after, evaluator))
                value = chance_value(
                    after, depth - 1, slack, plan.n_rare, rules, evaluator, table, control
                )
                points = np.float32(slide_score(board, direction, rules.moves))
                value += rules.points * points
            if direction == 0:
                found_0 = value
            elif direction == 1:
                found_1 = value
            elif direction == 2:
                found_2 = value
            else:
                found_3 = value
        is_whole = control[NODES] < control[LIMIT] and not control[STOP]
        if not is_whole and depth > 1:
            break
        n_before, n_nodes = n_nodes, control[NODES] - n_all
        n_all = control[NODES]
        is_same = values[0] == found_0 and values[1] == found_1 and values[2] == found_2
        is_same = is_same and values[3] == found_3 and n_nodes == n_before
        if is_same and n_nodes and plan.slack_per_move == 0:
            break  # all lines had ended in the iteration before
        values[0], values[1], values[2], values[3] = found_0, found_1, found_2, found_3
        reached = depth
        if n_kept == 1 or not is_whole or control[NODES] >= plan.nodes:
            break
    return reached


@kernel
def best_direction(values):
    """Return the direction of the highest value, the first of equal ones."""
    best = 0
    for direction in range(1, 4):
        if values[direction] > values[best]:
            best = direction
    return best
