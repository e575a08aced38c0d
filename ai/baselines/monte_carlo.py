"""Players that only use legal moves and random playouts: the lower half of the ladder.

* random: any legal move, all equally likely;
* hand: the legal move whose after-state has the best score;
* Monte-Carlo: for each legal move, many playouts by one of these two; the move whose playouts score
  the most points on average is played (Qiu and Li, as in `ai.evaluation.line_scores`).

Two 32768 never merge in playouts; no player here gets that far.
"""

import numpy as np

from ai.evaluation.line_scores import board_score
from engine.kernels.moves import slide, slide_score
from engine.kernels.spawn import below, spawn_tile
from engine.platform.jit import kernel

_U = np.uint64
_WORST = -np.inf


@kernel
def random_move(board, moves, state):
    """Return a random legal direction, all equally likely; -1 if there is none."""
    n_legal = 0
    for direction in range(4):
        n_legal += slide(board, direction, moves) != board
    if n_legal == 0:
        return -1
    chosen = np.int64(below(state, _U(n_legal)))
    for direction in range(4):
        if slide(board, direction, moves) != board:
            if chosen == 0:
                return direction
            chosen -= 1
    return -1


@kernel
def score_move(board, moves, scores):
    """Return the legal direction with the best after-state, the first of equal ones; -1: none."""
    best, best_score = -1, _WORST
    for direction in range(4):
        after = slide(board, direction, moves)
        if after != board:
            score = board_score(after, scores)
            if score > best_score:
                best, best_score = direction, score
    return best


@kernel
def play_out(board, by_score, moves, scores, state, spawn4):
    """Play a position to move to the end; return (points, moves made).

    Moves are chosen by `score_move` or else by `random_move`. `state` (uint64[1]) is the generator
    of spawns and random moves, and is advanced.
    """
    points, n_moves = 0, 0
    while True:
        if by_score:
            direction = score_move(board, moves, scores)
        else:
            direction = random_move(board, moves, state)
        if direction < 0:
            return points, n_moves
        points += np.int64(slide_score(board, direction, moves))
        board = spawn_tile(slide(board, direction, moves), state, spawn4)
        n_moves += 1


@kernel
def play_out_values(board, n_games, by_score, moves, scores, state, spawn4, values):
    """Fill `values` (float64[4]) with the mean points after each move; return the moves made.

    Illegal moves get -inf. See `play_out`.
    """
    made = 0
    for direction in range(4):
        after = slide(board, direction, moves)
        values[direction] = _WORST
        if after == board:
            continue
        total = 0
        for _ in range(n_games):
            first = spawn_tile(after, state, spawn4)
            points, n_moves = play_out(first, by_score, moves, scores, state, spawn4)
            total += points
            made += n_moves + 1
        values[direction] = slide_score(board, direction, moves) + total / n_games
    return made
