"""Training of whole games on a graphics card; see `ai.train.game_training`."""

from typing import Any

import numpy as np
from numba import float32, uint64

from ai.evaluation.game_net import N_STAGES, stage_of, tile_sum
from ai.train.game_training import (
    GAMES,
    MOVES,
    N_COUNTS,
    N_FIRST,
    REARRANGED_EVERY,
    SCORES,
    SEGMENT,
    SPAWN4,
    TURN,
    GameTraining,
    rearranged,
)
from ai.train.gpu_games import GpuGames
from ai.train.gpu_kernels import N_SHARED, best_move, cuda, device, learn_segment, note_first
from engine.kernels.spawn import below, spawn_tile
from engine.moves import RowTables

_TILE_SUM, _SCORE, _IS_FRESH, _N_PLACES = range(4)  # values of a game, as with one game at a time
_U = np.uint64


@device
def _begin(game, state, first, n_first, n_begun):
    """Return the first board of the next game: of each stage in turn."""
    turn = cuda.atomic.add(n_begun, 0, _U(1))
    stage = np.int64(turn % _U(N_STAGES))
    n_kept = min(n_first[stage], _U(N_FIRST))
    is_fresh = stage == 0 or n_kept == 0
    if is_fresh:
        board = spawn_tile(spawn_tile(_U(0), state, SPAWN4), state, SPAWN4)
    else:
        board = first[stage, np.int64(below(state, n_kept))]
        if (turn + _U(1)) % _U(REARRANGED_EVERY) == 0:
            board = rearranged(board, state)
    game[_TILE_SUM] = tile_sum(board)
    game[_SCORE] = 0
    game[_IS_FRESH] = is_fresh
    return board


@cuda.jit
def train_whole_on_gpu(
    trace, step_size, adds_weights, n_segments,
    weights, errors, boards, spawns, games, places, points, first, n_first, counts,
    left, right, score, n_begun,
):  # fmt: skip
    """Play `n_segments` times up to `SEGMENT` moves of each game, and learn from them."""
    number, thread = cuda.blockIdx.x, cuda.threadIdx.x
    parts = cuda.shared.array(N_SHARED, float32)
    shared_board = cuda.shared.array(1, uint64)
    row = RowTables(left, right, score)
    game, state = games[number], spawns[number : number + 1]
    board = boards[number]
    for _ in range(n_segments):
        if board == _U(0):
            if thread == 0:
                shared_board[0] = _begin(game, state, first, n_first, n_begun)
            cuda.syncthreads()
            board = shared_board[0]
        found, is_fresh = game[_TILE_SUM], game[_IS_FRESH]
        stage = stage_of(found)
        n, made, final, is_over = 0, 0, float32(0), False
        while n < SEGMENT:
            after, gained, _best, one, other = best_move(board, stage, row, weights, thread, parts)
            if after == _U(0):
                is_over = True
                break
            places[number, n, 2 * thread] = one
            places[number, n, 2 * thread + 1] = other
            points[number, n] = gained
            made += np.int64(gained)
            n += 1
            if thread == 0:
                shared_board[0] = spawn_tile(after, state, SPAWN4)
            cuda.syncthreads()
            board = shared_board[0]
            found += 4 if (board ^ after) & _U(0x2222_2222_2222_2222) else 2
            now = stage_of(found)
            if now != stage:
                stage = now
                if thread == 0:
                    note_first(stage, board, first, n_first)
                    if is_fresh:
                        cuda.atomic.add(counts, SCORES + stage, _U(1))
        if is_over:
            board = _U(0)
        if thread == 0:
            game[_TILE_SUM] = found
            game[_SCORE] += made
            cuda.atomic.add(counts, MOVES, _U(n))
            if is_over and is_fresh:
                cuda.atomic.add(counts, GAMES, _U(1))
                cuda.atomic.add(counts, SCORES, _U(game[_SCORE]))
        learn_segment(
            number, board, stage, n, final, trace, step_size, adds_weights, thread, parts,
            row, weights, errors, places, points,
        )  # fmt: skip
    if thread == 0:
        boards[number] = board


class GpuWholeGames(GpuGames):
    """Whole games on the graphics card."""

    kernel = train_whole_on_gpu
    n_places = _N_PLACES
    counts_shape = (N_COUNTS,)

    def sent_of_its_own(self, training: GameTraining) -> tuple[Any, ...]:
        return (cuda.to_device(training.game[TURN : TURN + 1].astype(np.uint64)),)

    def gather_its_own(self, training: GameTraining) -> None:
        training.game[TURN] = self.own[0].copy_to_host()[0]
