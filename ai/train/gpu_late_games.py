"""Training of late games on a graphics card; see `ai.train.late_training`."""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import float32, float64, uint64

from ai.evaluation.game_net import tile_sum
from ai.evaluation.late_net import FIFTH_STANDS, late_stage_of
from ai.train.fifth_tile import BEST, worth_of
from ai.train.game_training import MOVES, N_FIRST, SEGMENT, SPAWN4, rearranged
from ai.train.gpu_games import GpuGames
from ai.train.gpu_kernels import N_SHARED, best_move, cuda, device, learn_segment, note_first
from ai.train.late_training import (
    ANY_THREE,
    BEGUN,
    COSTS,
    FUTURE,
    N_BEGINS,
    N_SHOWN,
    N_WAYS,
    REARRANGED,
    SECOND,
    SHOWN,
    WON,
    WON_POINTS,
    LateTraining,
    has_goal,
)
from engine.kernels.spawn import below, spawn_tile
from engine.moves import RowTables

_WAY, _TILE_SUM, _N_PLACES = range(3)  # in a game: how it began, and its tile sum
_ALL_MOVES, _GAMES, _WON, _N_COUNTS = range(4)  # for games that began in one way
_U = np.uint64


@device
def _begin(game, state, begins, shown, first, n_first, spent, counts):
    """Return the first board of the next game, of the way furthest behind its share.

    The game's cost is estimated at once from earlier lengths, as hundreds begin before it ends.
    """
    way = 0
    for i in range(N_BEGINS):
        if i >= SHOWN:
            known = shown[i - SHOWN, 0] != _U(0)
        else:
            known = i < SECOND or n_first[i - SECOND + 1] > 0
        if known and spent[i] < spent[way]:
            way = i
    length = (counts[way, _ALL_MOVES] + _U(1000)) // (counts[way, _GAMES] + _U(1))
    cuda.atomic.add(spent, way, float64(length) * COSTS[way])
    if way >= SHOWN:
        board = shown[way - SHOWN, np.int64(below(state, _U(N_SHOWN)))]
    elif way >= SECOND:
        stage = way - SECOND + 1
        n_kept = min(n_first[stage], _U(N_FIRST))
        board = first[stage, np.int64(below(state, n_kept))]
    elif way < N_WAYS:
        board = begins[way]
    else:
        board = rearranged(begins[REARRANGED[way - ANY_THREE]], state)
    if way < SECOND:
        board = spawn_tile(spawn_tile(board, state, SPAWN4), state, SPAWN4)
    game[_WAY] = way
    game[_TILE_SUM] = tile_sum(board)
    return board


@device
def _note_end(way, is_won, counts):
    cuda.atomic.add(counts, (way, _GAMES), _U(1))
    cuda.atomic.add(counts, (way, _WON), _U(is_won))


@cuda.jit
def train_late_on_gpu(
    trace, step_size, adds_weights, n_segments,
    weights, errors, boards, spawns, games, places, points, first, n_first, counts,
    left, right, score, begins, shown, spent,
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
                shared_board[0] = _begin(game, state, begins, shown, first, n_first, spent, counts)
            cuda.syncthreads()
            board = shared_board[0]
        way, found = game[_WAY], game[_TILE_SUM]
        stage = late_stage_of(found)
        n, final, is_over = 0, float32(0), False
        while n < SEGMENT:
            after, gained, _best, one, other = best_move(board, stage, row, weights, thread, parts)
            if after == _U(0):
                is_over = True
                if thread == 0:
                    _note_end(way, False, counts)
                break
            places[number, n, 2 * thread] = one
            places[number, n, 2 * thread + 1] = other
            points[number, n] = gained
            n += 1
            if has_goal(after):
                is_over, final = True, FUTURE
                if thread == 0:
                    _note_end(way, True, counts)
                break
            if thread == 0:
                shared_board[0] = spawn_tile(after, state, SPAWN4)
            cuda.syncthreads()
            board = shared_board[0]
            found += 4 if (board ^ after) & _U(0x2222_2222_2222_2222) else 2
            now = late_stage_of(found)
            if now != stage:
                stage = now
                worth = worth_of(board)
                if thread == 0 and (stage != FIFTH_STANDS or worth == BEST):
                    note_first(stage, board, first, n_first)
                if stage == FIFTH_STANDS:
                    is_over, final = True, worth * WON_POINTS
                    if thread == 0:
                        _note_end(way, worth == BEST, counts)
                    break
        if is_over:
            board = _U(0)
        if thread == 0:
            game[_TILE_SUM] = found
            cuda.atomic.add(counts, (way, _ALL_MOVES), _U(n))
        learn_segment(
            number, board, stage, n, final, trace, step_size, adds_weights, thread, parts,
            row, weights, errors, places, points,
        )  # fmt: skip
    if thread == 0:
        boards[number] = board


class GpuLateGames(GpuGames):
    """Late games on the graphics card."""

    kernel = train_late_on_gpu
    n_places = _N_PLACES
    counts_shape = (N_BEGINS, _N_COUNTS)

    def sent_of_its_own(self, training: LateTraining) -> tuple[Any, ...]:
        spent = training.spent.astype(np.float64)
        return tuple(map(cuda.to_device, (training.begins, training.shown, spent)))

    def gather_its_own(self, training: LateTraining) -> None:
        training.spent[:] = self.own[-1].copy_to_host()

    def count(self, more: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> None:
        """Add moves, games that were over, and those that were won, by how they began."""
        counts[MOVES] += more[:, _ALL_MOVES].sum()
        counts[BEGUN : BEGUN + N_BEGINS] += more[:, _GAMES]
        counts[WON : WON + N_BEGINS] += more[:, _WON]
