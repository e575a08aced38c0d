"""Training a network of tuples by play: temporal difference learning with coherent steps.

The player is greedy: it moves to where the points of the move and the value of the after-state
are most. Each after-state's value is then pulled towards what the next move found, every weight
by its own step, |sum of its errors| / sum of its |errors|: weights whose errors agree learn fast,
those whose errors cancel stand still. After Jaskowski: Mastering 2048 with delayed temporal
coherence learning, multi-stage weight promotion, redundant encoding and carousel shaping, IEEE
Transactions on Games 10(1), 2018 (without delay, stages and carousel).

The state of a training is float32[4 * 2**24, 3]: weight, sum of errors, sum of |errors|: 805 MB.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.tuple_net import N_TUPLES, TUPLE_SIZE, images, tuple_indices
from engine.jit import inline_kernel, kernel
from engine.kernels.moves import slide, slide_score
from engine.kernels.spawn import spawn_tile
from engine.moves import RowTables, row_tables

F32 = npt.NDArray[np.float32]
U64 = npt.NDArray[np.uint64]
N_LOOKUPS = 8 * N_TUPLES
GAMES, POINTS, BEST, N_COUNTS = range(4)
"""Places in the counts of a training: finished games, their points, the best of them."""

_U = np.uint64


class Training(NamedTuple):
    """A training that goes on.

    Attributes
    ----------
    state : float32[4 * 2**24, 3]
        See the module.
    spawns : uint64[1]
        The generator.
    counts : int64[N_COUNTS]
        Added to; set it to 0 to count anew.
    moves : RowTables
    """

    state: F32
    spawns: U64
    counts: npt.NDArray[np.int64]
    moves: RowTables


def new_training(seed: int, first_value: float = 0.0) -> Training:
    """Return a training of which every after-state is worth `first_value` points."""
    state = np.zeros((N_TUPLES * TUPLE_SIZE, 3), np.float32)
    if first_value:
        state[:, 0] = first_value / N_LOOKUPS
    spawns = np.array([seed & (1 << 64) - 1], np.uint64)
    return Training(state, spawns, np.zeros(N_COUNTS, np.int64), row_tables())


@inline_kernel
def _value(after, state):
    total = np.float32(0)
    for image in images(after):
        for at in tuple_indices(image):
            total += state[at, _U(0)]
    return total


@inline_kernel
def _learn(after, error, state):
    """Move the value of an after-state by a part of `error`."""
    share = error / np.float32(N_LOOKUPS)
    for image in images(after):
        for at in tuple_indices(image):
            errors, absolute = state[at, _U(1)], state[at, _U(2)]
            step = abs(errors) / absolute if absolute > 0 else np.float32(1)
            state[at, _U(0)] += step * share
            state[at, _U(1)] = errors + share
            state[at, _U(2)] = absolute + abs(share)


@kernel
def train(training, n_moves, spawn4):
    """Play `n_moves` moves, game after game, and learn from each; the last game is given up."""
    state, spawns, counts = training.state, training.spawns, training.counts
    board = spawn_tile(spawn_tile(_U(0), spawns, spawn4), spawns, spawn4)
    last, points = _U(0), 0  # the after-state before; none yet
    for _ in range(n_moves):
        best, best_after, gained = np.float32(-np.inf), _U(0), 0
        for direction in range(4):
            after = slide(board, direction, training.moves)
            if after != board:
                earned = np.int64(slide_score(board, direction, training.moves))
                value = np.float32(earned) + _value(after, state)
                if value > best:
                    best, best_after, gained = value, after, earned
        is_over = best_after == _U(0)
        if last != _U(0):
            target = np.float32(0) if is_over else best
            _learn(last, target - _value(last, state), state)
        if is_over:
            counts[GAMES] += 1
            counts[POINTS] += points
            counts[BEST] = max(counts[BEST], points)
            board = spawn_tile(spawn_tile(_U(0), spawns, spawn4), spawns, spawn4)
            last, points = _U(0), 0
        else:
            points += gained
            last = best_after
            board = spawn_tile(best_after, spawns, spawn4)
