"""Shared parts of games on a graphics card: lookup, choice of moves and learning, in CUDA.

Each game is played by the 32 threads of one block. Each thread looks up 2 of the 64 weights of an
after-state, of all four moves together, and updates the same two when learning from the
after-state. All games share the weights. Games that update the same one at the same time do so in
any order, so no two trainings are bit-identical; and updates use values that are some microseconds
old, so more games than needed to saturate the card's memory would do harm.
"""

from typing import Any

import numpy as np
from numba import cuda as numba_cuda
from numba import float32

from ai.evaluation.game_net import N_LOOKUPS, STAGE_SIZE, tuple_places
from ai.train.game_training import N_FIRST
from engine.kernels.moves import slide_four, slide_score
from engine.kernels.symmetry import flip, mirror, transpose

N_THREADS = N_LOOKUPS // 2
N_SHARED = 5 * N_THREADS
"""Numbers that the threads of a game share, to add up."""

N_PARTS = 4 * N_THREADS
IN_A_ROW = 4  # numbers that a thread sums
_U = np.uint64
cuda: Any = numba_cuda
device: Any = cuda.jit(device=True)


@device
def image(board, number):
    if number & 1:
        board = transpose(board)
    if number & 2:
        board = mirror(board)
    if number & 4:
        board = flip(board)
    return board


@device
def places_of(after, stage, thread):
    """Return the indices of the two weights that a thread looks up."""
    places = tuple_places(image(after, thread & 7))
    begin, pair = _U(stage * STAGE_SIZE), thread >> 3
    if pair == 0:
        one, other = places[0], places[1]
    elif pair == 1:
        one, other = places[2], places[3]
    elif pair == 2:
        one, other = places[4], places[5]
    else:
        one, other = places[6], places[7]
    return begin + one, begin + other


@device
def promoted(weight, place, weights):
    """Return a weight, or that of the stage before if it is not learned."""
    while weight == 0 and place >= _U(STAGE_SIZE):
        place -= _U(STAGE_SIZE)
        weight = weights[place]
    return weight


@device
def four_sums(one, two, three, four, thread, parts):
    """Return the sums of four numbers over the threads, in every thread."""
    parts[thread] = one
    parts[32 + thread] = two
    parts[64 + thread] = three
    parts[96 + thread] = four
    cuda.syncthreads()
    begin, total = thread * IN_A_ROW, float32(0)
    for i in range(IN_A_ROW):
        total += parts[begin + i]
    parts[N_PARTS + thread] = total
    cuda.syncthreads()
    one = two = three = four = float32(0)
    for i in range(8):
        one += parts[N_PARTS + i]
        two += parts[N_PARTS + 8 + i]
        three += parts[N_PARTS + 16 + i]
        four += parts[N_PARTS + 24 + i]
    return one, two, three, four


@device
def total(share, thread, parts):
    """Return the sum of a number over the threads, in every thread."""
    parts[thread] = share
    cuda.syncthreads()
    begin, found = (thread & 7) * IN_A_ROW, float32(0)
    for i in range(IN_A_ROW):
        found += parts[begin + i]
    parts[N_PARTS + thread] = found
    cuda.syncthreads()
    found = float32(0)
    for i in range(8):
        found += parts[N_PARTS + i]
    return found


@device
def best_move(board, stage, row, weights, thread, parts):
    """Return the after-state of the best move, 0 if there is none, its points, its value with them,
    and the indices of this thread's two weights."""
    left, right, up, down = slide_four(board, row)
    left_1, left_2 = places_of(left, stage, thread)
    right_1, right_2 = places_of(right, stage, thread)
    up_1, up_2 = places_of(up, stage, thread)
    down_1, down_2 = places_of(down, stage, thread)
    of_left_1, of_left_2 = weights[left_1], weights[left_2]
    of_right_1, of_right_2 = weights[right_1], weights[right_2]
    of_up_1, of_up_2 = weights[up_1], weights[up_2]
    of_down_1, of_down_2 = weights[down_1], weights[down_2]
    by_left, by_right, by_up, by_down = four_sums(
        promoted(of_left_1, left_1, weights) + promoted(of_left_2, left_2, weights),
        promoted(of_right_1, right_1, weights) + promoted(of_right_2, right_2, weights),
        promoted(of_up_1, up_1, weights) + promoted(of_up_2, up_2, weights),
        promoted(of_down_1, down_1, weights) + promoted(of_down_2, down_2, weights),
        thread,
        parts,
    )
    across = float32(slide_score(board, 0, row))
    along = float32(slide_score(board, 2, row))
    best, after, points, first, second = float32(-np.inf), _U(0), float32(0), left_1, left_2
    if left != board and by_left + across > best:
        best, after, points, first, second = by_left + across, left, across, left_1, left_2
    if right != board and by_right + across > best:
        best, after, points, first, second = by_right + across, right, across, right_1, right_2
    if up != board and by_up + along > best:
        best, after, points, first, second = by_up + along, up, along, up_1, up_2
    if down != board and by_down + along > best:
        best, after, points, first, second = by_down + along, down, along, down_1, down_2
    return after, points, best, first, second


@device
def add(place, weight, share, step, adds_weights, weights, errors):
    """Move a weight by a part of `share`; `weight` is its effective value.

    Of the threads that are the first to learn a weight, one adds the value it has had so far.
    """
    error, absolute = errors[_U(2) * place], errors[_U(2) * place + _U(1)]
    if absolute > 0:
        cuda.atomic.add(errors, _U(2) * place + _U(1), abs(share))
        cuda.atomic.add(weights, place, abs(error) / absolute * step)
    elif adds_weights:
        if cuda.atomic.add(errors, _U(2) * place + _U(1), abs(share)) == 0:
            step += weight
        cuda.atomic.add(weights, place, step)
    else:
        return
    cuda.atomic.add(errors, _U(2) * place, share)


@device
def learn_segment(
    number, board, stage, n, final, trace, step_size, adds_weights, thread, parts,
    row, weights, errors, places, points,
):  # fmt: skip
    """Learn from the `n` after-states of a game's segment, the last first.

    As `ai.train.game_training.learn_segment`: `final` is the value after the last one if the game
    is over; then `board` is 0.
    """
    target = final
    if board != _U(0):
        after, _points, best, _first, _second = best_move(board, stage, row, weights, thread, parts)
        if after != _U(0):
            target = best
    cuda.syncthreads()
    for i in range(n - 1, -1, -1):
        first = _U(places[number, i, 2 * thread])
        second = _U(places[number, i, 2 * thread + 1])
        one = promoted(weights[first], first, weights)
        other = promoted(weights[second], second, weights)
        thought = total(one + other, thread, parts)
        share = (target - thought) / float32(N_LOOKUPS)
        if share != 0:
            step = share * step_size
            add(first, one, share, step, adds_weights, weights, errors)
            add(second, other, share, step, adds_weights, weights, errors)
        target = thought + trace * (target - thought) + points[number, i]


@device
def note_first(stage, board, first, n_first):
    at = cuda.atomic.add(n_first, stage, _U(1))
    first[stage, np.int64(at % _U(N_FIRST))] = board
