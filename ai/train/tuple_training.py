"""Training an n-tuple network by play: temporal difference learning with coherent steps.

The player is greedy: it moves to the after-state with the highest value, and keeps the walls if it
can. After the episode, from its last after-state to its first, each value is pulled toward a
mixture of the next estimate and the final outcome (TD(lambda)); every weight has its own step size,
|sum of its errors| / sum of its |errors|: weights whose errors agree learn fast, those whose errors
cancel stay put. After Jaskowski: Mastering 2048 with delayed temporal coherence learning,
multi-stage weight promotion, redundant encoding and carousel shaping, IEEE Transactions on Games
10(1), 2018.

The goal is worth 1. As random play never reaches it, losing is worth a part of it, too, depending
on the progress made: `Lesson.consolation`, which decreases during training. The late part of an
episode would hardly be seen if each began with an empty board: many begin with an eighth to a half
of the goal somewhere, and lost ones are often resumed where all was still well.

The way to 2048 is learned in two parts. The late one begins with a 1024 near the walls; the early
one ends with the 1024, whose value is what the late part learned for its place.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.evaluation.tuple_net import (
    LOST,
    MADE,
    N_LOOKUPS,
    N_WEIGHTS,
    WALL_SYMBOL,
    everywhere,
    has_tile,
    images,
    stage_offset,
    symbols_of_nibbles,
    tuple_indices,
)
from ai.evaluation.walls import walls_of
from engine.kernels.moves import slide
from engine.kernels.spawn import below, random, spawn_tile
from engine.moves import RowTables, row_tables
from engine.platform.jit import inline_kernel, kernel

F32 = npt.NDArray[np.float32]
U64 = npt.NDArray[np.uint64]
I32 = npt.NDArray[np.int32]

GAMES, WINS, MOVES, N_COUNTS = range(4)
"""Places in the counts of a training: episodes from an empty board, those of them that reached the
goal, and the moves of all episodes."""

MAX_MOVES = 2048
"""Longer than any episode: tiles that sum to 2 * 2048 at most, each move adding 2 or more."""

SPAWN4 = 0.1
_U = np.uint64
_TAKEN_UP = 0.7  # of all lost episodes
_LATE_FROM = 10  # the exponent of the tile with which the late part begins, and the early one ends
_HALF = 14  # in the boards below: half of the goal
_EMPTY = ((0.6, 0xFF00_FF00_0000_0000), (0.4, 0xFFF0_F000_0000_0000))
_WITH_HALF = (
    (0.5, 0xFFE0_FF00_0000_0000), (0.3, 0xFFF0_FE00_0000_0000), (0.1, 0xFFF0_EF00_0000_0000),
    (0.05, 0xFEF0_FF00_0000_0000), (0.05, 0xEFF0_FF00_0000_0000),
)  # fmt: skip
"""Frequencies of walls at the start of episodes, guessed from positions of games by lines alone."""


class Lesson(NamedTuple):
    """The parameters of learning."""

    trace: np.float32  # lambda: the weight of the final outcome against the next estimate
    consolation: np.float32  # value of losing with a tile sum of at least the goal: well below 1


class TupleTraining(NamedTuple):
    """The state of a training."""

    # float32[N_WEIGHTS, 3]: for each weight: its change since the start, the sum of its errors and
    # that of their absolute values. Zeros use no memory before something is written.
    state: F32
    first_weight: np.float32  # initial value of every weight
    # The tile to make and the tile that ends an episode, in all 16 nibbles: the same except in an
    # early part.
    goal: np.uint64
    last: np.uint64
    spawns: U64  # uint64[1]: the generator
    # int64[N_COUNTS]: accumulated; set it to 0 to start counting again.
    counts: npt.NDArray[np.int64]
    path: U64  # uint64[MAX_MOVES]: the after-states of the episode
    symbols: I32  # int32[4096]: see `ai.evaluation.tuple_net.TupleNet`
    first: U64  # uint64[n]: boards with nothing but walls, and half of the goal
    # float64[n]: cumulative shares of episodes that begin with each of them.
    shares: npt.NDArray[np.float64]
    moves: RowTables


def new_training(goal: int, seed: int, first_value: float = 0.6) -> TupleTraining:
    first = _WITH_HALF if goal > _LATE_FROM else tuple((p / 2, b) for p, b in _EMPTY + _WITH_HALF)
    return TupleTraining(
        np.zeros((N_WEIGHTS, 3), np.float32),
        np.float32(first_value / N_LOOKUPS),
        everywhere(goal),
        everywhere(goal),
        np.array([seed & (1 << 64) - 1], np.uint64),
        np.zeros(N_COUNTS, np.int64),
        np.zeros(MAX_MOVES, np.uint64),
        symbols_of_nibbles(),
        np.array([board for _, board in first], np.uint64),
        np.cumsum([share for share, _ in first]),
        row_tables(),
    )


def early_part(training: TupleTraining) -> TupleTraining:
    return training._replace(
        last=everywhere(_LATE_FROM),
        first=np.array([board for _, board in _EMPTY], np.uint64),
        shares=np.cumsum([share for share, _ in _EMPTY]),
    )


@inline_kernel
def _value(after, training):
    offset, total = stage_offset(after), training.first_weight * np.float32(N_LOOKUPS)
    for image in images(after):
        for at in tuple_indices(image, offset, training.symbols):
            total += training.state[at, 0]
    return total


@inline_kernel
def _late_value(after, training):
    """Return the late part's value of an after-state; unseen weights count 0."""
    offset, total = stage_offset(after), np.float32(0)
    for image in images(after):
        for at in tuple_indices(image, offset, training.symbols):
            if training.state[at, 2] > 0:
                total += training.first_weight + training.state[at, 0]
    return min(max(total, np.float32(LOST)), np.float32(MADE))


@inline_kernel
def _learn(after, error, training):
    offset, state = stage_offset(after), training.state
    share = error / np.float32(N_LOOKUPS)
    for image in images(after):
        for at in tuple_indices(image, offset, training.symbols):
            errors, absolute = state[at, 1], state[at, 2]
            step = abs(errors) / absolute if absolute > 0 else np.float32(1)
            state[at, 0] += step * share
            state[at, 1] = errors + share
            state[at, 2] = absolute + abs(share)


@inline_kernel
def _best_move(board, may_break, training):
    """Return the best after-state; 0 if none is legal or each breaks the walls."""
    walls, best, best_after = walls_of(board), np.float32(-np.inf), _U(0)
    for direction in range(4):
        after = slide(board, direction, training.moves)
        if after != board and (may_break or walls_of(after) == walls):
            if has_tile(after, training.goal):
                return after  # other values may be above 1, as long as they are learned
            if has_tile(after, training.last):
                value = _late_value(after, training)
            else:
                value = _value(after, training)
            if value > best:
                best, best_after = value, after
    return best_after


@inline_kernel
def _with_tile(board, tile, spawns):
    while True:
        shift = below(spawns, _U(16)) * _U(4)
        if not (board >> shift) & _U(15):
            return board | (tile << shift)


@inline_kernel
def _first_board(training):
    """Return a first board with two new tiles, and whether nothing else was added."""
    spawns, drawn = training.spawns, random(training.spawns)
    at = 0
    while at < training.first.size - 1 and drawn >= training.shares[at]:
        at += 1
    board, kind = training.first[at], below(spawns, _U(8))
    half = (training.last & _U(15)) - _U(1)
    for shift in range(0, 64, 4):
        if (board >> _U(shift)) & _U(15) == _U(_HALF):
            board ^= (_U(_HALF) ^ half) << _U(shift)
    if training.last != training.goal and kind < _U(3):
        board = _with_tile(board, half, spawns)
    if kind < _U(2) or kind == _U(3):
        board = _with_tile(board, half - _U(1), spawns)
    if kind == _U(2) or kind == _U(3):
        board = _with_tile(board, half - _U(2), spawns)
    return spawn_tile(spawn_tile(board, spawns, SPAWN4), spawns, SPAWN4), kind > _U(3)


@kernel
def small_sum(board):
    total = 0
    for shift in range(0, 64, 4):
        tile = np.int64((board >> _U(shift)) & _U(15))
        if 0 < tile < WALL_SYMBOL:
            total += 1 << tile
    return total


@inline_kernel
def _play_on(board, training):
    """Play an episode to its end; return its moves, without the last if won, and whether won."""
    n_moves = 0
    while n_moves < MAX_MOVES:
        after = _best_move(board, False, training)
        if after == _U(0):
            after = _best_move(board, True, training)
        if after == _U(0):
            return n_moves, False
        training.counts[MOVES] += 1
        training.path[n_moves] = after
        if has_tile(after, training.last):
            return n_moves, True
        n_moves += 1
        board = spawn_tile(after, training.spawns, SPAWN4)
    return n_moves, False


@inline_kernel
def _learn_from(n_moves, is_won, lesson, training):
    """Learn from an episode of `n_moves` after-states, the last first."""
    path, target = training.path, np.float32(MADE)
    if is_won and training.last != training.goal:
        target = _late_value(path[n_moves], training)
    elif not is_won:
        reached = small_sum(path[n_moves - 1]) if n_moves else 0
        in_full = 1 << np.int64(training.last & _U(15))
        target = lesson.consolation * np.float32(max(0, 2 * min(reached, in_full) / in_full - 1))
    for i in range(n_moves - 1, -1, -1):
        value = _value(path[i], training)
        _learn(path[i], target - value, training)
        target = (np.float32(1) - lesson.trace) * value + lesson.trace * target


@kernel
def train(training, lesson, n_moves):
    spawns, counts = training.spawns, training.counts
    board, is_fresh = _first_board(training)
    until = counts[MOVES] + n_moves
    while counts[MOVES] < until:
        n, is_won = _play_on(board, training)
        _learn_from(n, is_won, lesson, training)
        if is_fresh:
            counts[GAMES] += 1
            counts[WINS] += is_won
        if not is_won and n > 20 and random(spawns) < _TAKEN_UP:
            first = n // 5
            again = first + np.int64(below(spawns, _U(n - 8 - first)))
            board, is_fresh = spawn_tile(training.path[again], spawns, SPAWN4), False
        else:
            board, is_fresh = _first_board(training)
