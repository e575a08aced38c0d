"""Training a network for whole games by play: temporal difference learning with coherent steps.

The player is greedy: it moves to where the points of the move and the value of the after-state are
most. Every `SEGMENT` moves, from the last after-state to the first, each value is pulled toward the
points of the next move plus a mixture of the estimate of the next after-state and its outcome
(TD(lambda)). Every weight has its own step size, |sum of its errors| / sum of its |errors|: weights
whose errors agree learn fast, those whose errors cancel stay put (temporal coherence). A final part
with smaller steps removes the noise of the latest games from the weights. A network whose file
keeps only some of the weights continues without the others (pruning and fine-tuning): the remaining
ones compensate for those missing.

The late stages of a game would hardly be seen if each game began with an empty board: the games
begin in turn at each stage, with a board at which an earlier game came there (carousel shaping).
After Jaskowski; see `ai.evaluation.game_net`. Since a player only sees the positions it aims for
and would be lost in others, every eighth game begins with the large tiles in other places, in any
order.

Most time goes into fetching weights scattered over gigabytes: so all indices of a move are computed
and prefetched together before they are summed, and the weights, used most, are stored apart from
the data needed only for learning.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ai.evaluation.game_net import N_LOOKUPS, N_STAGES, STAGE_SIZE, stage_of, tile_sum, tuple_places
from ai.evaluation.tuple_net import images
from engine.kernels.moves import slide_four, slide_score
from engine.kernels.spawn import below, spawn_tile
from engine.moves import RowTables, row_tables
from engine.platform.jit import inline_kernel, kernel, prefetch

F32 = npt.NDArray[np.float32]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
I64 = npt.NDArray[np.int64]

SEGMENT = 256
"""Moves between two times of learning."""

N_FIRST = 1024
"""Boards that are kept for each stage to begin with, the latest."""

MOVES, GAMES, SCORES, N_COUNTS = 0, 1, 2, 2 + N_STAGES
"""Places in the counts: moves of all games; games from an empty board, the sum of their scores, and
from `SCORES` + 1 on how many of them came to each stage after the first."""

TILE_SUM, SCORE, IS_FRESH, STAGE, TURN, N_PLACES = range(6)
"""Places in the game that is being played: the sum of its tiles, its score, whether it began with
an empty board, its stage; and how many games were begun."""

REARRANGED_EVERY = 8
"""Of so many games, one begins with its large tiles rearranged: each stage has its turn, for the
two numbers have no common divisor."""

LARGE = 11
"""The exponent from which on tiles are rearranged: 2048."""

PLACES = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7],  # rows
        [0, 1, 4, 5, 2, 6, 3, 7],  # a square, then rows
        [0, 1, 2, 4, 5, 6, 3, 7],  # two rows of three
        [0, 1, 2, 4, 3, 5, 6, 7],  # three and one
        [0, 1, 4, 2, 8, 5, 3, 12],  # along both edges
    ]
)
"""Cells for the large tiles, the first of these first."""

SPAWN4 = 0.1
_AHEAD = 2  # while one after-state is learned, the weights of the next but one are fetched

LEARNED_0 = np.float32(1e-30)
"""Stands for a learned weight of 0; 0 itself means "not learned"."""

_U = np.uint64


class GameTraining(NamedTuple):
    """The state of a training."""

    # float32[n_stages * STAGE_SIZE]: 0: not learned. Zeros use no memory before something is
    # written.
    weights: F32
    # float32[2 * n_stages * STAGE_SIZE]: of each weight: the sum of its errors, and that of their
    # absolute values.
    errors: F32
    trace: np.float32  # lambda: the weight of a position's outcome against its estimate
    # float32[1]: factor of every step, up to 1. The sums of errors don't include it.
    step_size: F32
    # bool[1]: whether weights not learned yet may start learning.
    adds_weights: npt.NDArray[np.bool_]
    spawns: U64  # uint64[1]: the generator
    board: U64  # uint64[1]: the position of the current game; 0: none
    game: I64  # int64[N_PLACES]
    counts: I64  # int64[N_COUNTS]: accumulated; set it to 0 to start counting again
    first: U64  # uint64[n_stages, N_FIRST]: boards at which a stage began
    n_first: I64  # int64[n_stages]: number of such boards seen
    # uint32[SEGMENT, N_LOOKUPS]: indices of the weights of each move's after-state in the segment.
    places: U32
    points: I64  # int64[SEGMENT]: of each move
    choices: U32  # uint32[4, N_LOOKUPS]: indices of the weights of the four after-states of a move
    moves: RowTables


def new_training(seed: int, trace: float = 0.5, n_stages: int = N_STAGES) -> GameTraining:
    return GameTraining(
        np.zeros(n_stages * STAGE_SIZE, np.float32),
        np.zeros(2 * n_stages * STAGE_SIZE, np.float32),
        np.float32(trace),
        np.ones(1, np.float32),
        np.ones(1, np.bool_),
        np.array([seed & (1 << 64) - 1], np.uint64),
        np.zeros(1, np.uint64),
        np.zeros(N_PLACES, np.int64),
        np.zeros(N_COUNTS, np.int64),
        np.zeros((n_stages, N_FIRST), np.uint64),
        np.zeros(n_stages, np.int64),
        np.zeros((SEGMENT, N_LOOKUPS), np.uint32),
        np.zeros(SEGMENT, np.int64),
        np.zeros((4, N_LOOKUPS), np.uint32),
        row_tables(),
    )


@inline_kernel
def note_places(after, stage, places, weights):
    """Write the indices of an after-state's weights (uint32[N_LOOKUPS]), and prefetch them."""
    begin, i = _U(stage * STAGE_SIZE), 0
    for image in images(after):
        for at in tuple_places(image):
            place = begin + at
            places[i] = np.uint32(place)
            prefetch(weights, place)
            i += 1


@inline_kernel
def _weight(place, weights):
    """Return a weight, or that of the stage before if it is not learned."""
    weight = weights[place]
    while weight == 0 and place >= _U(STAGE_SIZE):
        place -= _U(STAGE_SIZE)
        weight = weights[place]
    return weight


@inline_kernel
def value_at(places, weights):
    """Return the learned value of an after-state: the points still to come."""
    total = np.float32(0)
    for i in range(N_LOOKUPS):
        total += _weight(_U(places[i]), weights)
    return total


@inline_kernel
def learn(places, share, step_size, adds_weights, weights, errors):
    """Move each of the weights by a part of `share`, which is not 0, times `step_size`."""
    step = step_size * share
    for i in range(N_LOOKUPS):
        place = _U(places[i])
        both = place << _U(1)
        error, absolute = errors[both], errors[both | _U(1)]
        if absolute > 0:
            weight = weights[place] + abs(error) / absolute * step
        elif not adds_weights:
            continue
        else:
            weight = _weight(place, weights) + step
        weights[place] = weight if weight != 0 else LEARNED_0
        errors[both] = error + share
        errors[both | _U(1)] = absolute + abs(share)


@inline_kernel
def best_move(board, stage, training):
    """Return the best direction, its after-state, its points, and its value including them.

    The after-state is 0 if no move is legal.
    """
    best, best_after, best_points, best_direction = np.float32(-np.inf), _U(0), 0, 0
    afters = slide_four(board, training.moves)
    for direction in range(4):
        if afters[direction] != board:
            note_places(afters[direction], stage, training.choices[direction], training.weights)
    for direction in range(4):
        after = afters[direction]
        if after != board:
            points = np.int64(slide_score(board, direction, training.moves))
            value = np.float32(points) + value_at(training.choices[direction], training.weights)
            if value > best:
                best, best_after, best_points, best_direction = value, after, points, direction
    return best_direction, best_after, best_points, best


@inline_kernel
def spawned(after, training):
    board = spawn_tile(after, training.spawns, SPAWN4)
    training.game[TILE_SUM] += np.int64(4) if (board ^ after) & _U(0x2222_2222_2222_2222) else 2
    return board


@inline_kernel
def _swapped(board, one, other):
    first, second = _U(60 - 4 * one), _U(60 - 4 * other)
    change = ((board >> first) ^ (board >> second)) & _U(15)
    return board ^ (change << first) ^ (change << second) if one != other else board


@kernel
def rearranged(board, spawns):
    """Return a board with its large tiles moved to random `PLACES` in random order.

    Displaced tiles swap places with them; if there are more large tiles than places, some stay
    where they are.
    """
    order = PLACES[np.int64(below(spawns, _U(PLACES.shape[0])))]
    for n_placed, place in enumerate(order):
        n_left = 0
        for cell in range(16):
            n_left += (board >> _U(60 - 4 * cell)) & _U(15) >= _U(LARGE)
        n_left -= n_placed
        if n_left <= 0:
            break
        chosen = np.int64(below(spawns, _U(n_left)))
        for cell in range(16):
            is_placed = False
            for i in range(n_placed):
                is_placed |= order[i] == cell
            if not is_placed and (board >> _U(60 - 4 * cell)) & _U(15) >= _U(LARGE):
                if chosen == 0:
                    board = _swapped(board, cell, place)
                    break
                chosen -= 1
    return board


@inline_kernel
def _begin(training):
    game = training.game
    stage = game[TURN] % N_STAGES
    game[TURN] += 1
    n_kept = min(training.n_first[stage], N_FIRST)
    game[IS_FRESH] = stage == 0 or n_kept == 0
    game[SCORE] = game[TILE_SUM] = 0
    if game[IS_FRESH]:
        board = spawned(spawned(_U(0), training), training)
    else:
        board = training.first[stage, np.int64(below(training.spawns, _U(n_kept)))]
        if game[TURN] % REARRANGED_EVERY == 0:
            board = rearranged(board, training.spawns)
        game[TILE_SUM] = tile_sum(board)
    game[STAGE] = stage_of(game[TILE_SUM])
    return board


@inline_kernel
def _note_stage(board, training):
    game, stage = training.game, stage_of(training.game[TILE_SUM])
    if stage != game[STAGE]:
        game[STAGE] = stage
        training.first[stage, training.n_first[stage] % N_FIRST] = board
        training.n_first[stage] += 1
        training.counts[SCORES + stage] += game[IS_FRESH]


@inline_kernel
def _play_segment(board, training):
    """Play until the segment is full or the game lost; return the board, 0 if lost, and moves."""
    game, counts = training.game, training.counts
    for n in range(SEGMENT):
        direction, after, points, _best = best_move(board, game[STAGE], training)
        if after == _U(0):
            counts[GAMES] += game[IS_FRESH]
            counts[SCORES] += game[IS_FRESH] * game[SCORE]
            return _U(0), n
        game[SCORE] += points
        training.points[n] = points
        for i in range(N_LOOKUPS):
            training.places[n, i] = training.choices[direction, i]
        board = spawned(after, training)
        _note_stage(board, training)
    return board, SEGMENT


@inline_kernel
def learn_segment(board, n_moves, final, training):
    """Learn from the after-states of a segment, the last first.

    `final` is the value after the last one if the game is over; then `board` is 0.
    """
    target = final
    if board != _U(0):
        _direction, after, _points, value = best_move(board, training.game[STAGE], training)
        if after != _U(0):
            target = value
    weights, errors = training.weights, training.errors
    step_size, adds_weights = training.step_size[0], training.adds_weights[0]
    for i in range(n_moves - 1, -1, -1):
        for j in range(N_LOOKUPS):
            place = _U(training.places[max(0, i - _AHEAD), j])
            prefetch(weights, place)
            prefetch(errors, place << _U(1))
        value = value_at(training.places[i], weights)
        share = (target - value) / np.float32(N_LOOKUPS)
        if share != 0:
            learn(training.places[i], share, step_size, adds_weights, weights, errors)
        mixed = value + training.trace * (target - value)
        target = mixed + np.float32(training.points[i])


@kernel
def train(training, n_moves):
    until = training.counts[MOVES] + n_moves
    while training.counts[MOVES] < until:
        board = training.board[0]
        if board == _U(0):
            board = _begin(training)
        board, n = _play_segment(board, training)
        learn_segment(board, n, np.float32(0), training)
        training.board[0] = board
        training.counts[MOVES] += n
