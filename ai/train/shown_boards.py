"""Boards at which training of late games begins: those of games that another network played.

A network that begins with nothing finds its own way beside three large tiles, makes the next 2048
below the middle of their row, and never learns that at the end of the row it is worth twice as
much beside four: to get there several tiles in turn have to grow in that cell. So it is shown how:
it begins as well at boards of games that the network for whole games played, without looking ahead,
from three large tiles in a row until four stood there.
"""

import numpy as np
import numpy.typing as npt

from ai.evaluation.game_net import STAGE_SIZE, stage_of, tile_sum
from ai.evaluation.staged_net import StagedNet
from ai.train.game_training import SPAWN4, best_move, new_training
from engine.jit import inline_kernel, kernel
from engine.kernels.spawn import spawn_tile

U64 = npt.NDArray[np.uint64]

_EVERY = 9  # moves
_LONGEST = 400  # of the kept ones
_SETTLED = 30  # moves after the next 2048, for it to go where it belongs
_BLOCK = 11
_U = np.uint64


def fill_shown(net: StagedNet, rows: U64, shown: U64, seed: int) -> None:
    """Fill `shown` with boards of games of a network for whole games.

    Parameters
    ----------
    net : StagedNet
    rows : uint64[n]
        Boards with three large tiles in a row, with which the games begin in turn.
    shown : uint64[m]
    seed : int
    """
    player = new_training(seed)  # a player by tables of weights, which learns nothing
    for stage, own in enumerate(net.stages):
        player.weights[stage * STAGE_SIZE + own.places.astype(np.int64)] = own.steps * net.unit
    _fill(player, rows, shown, np.zeros(_LONGEST, np.uint64))


@kernel
def _fill(player, rows, shown, boards):
    n_shown, n_games = 0, 0
    while n_shown < shown.size:
        n = _play(rows[n_games % rows.size], player, boards)
        n_games += 1
        for i in range(min(n, shown.size - n_shown)):
            shown[n_shown + i] = boards[i]
        n_shown = min(n_shown + n, shown.size)


@inline_kernel
def _play(row, player, boards):
    """Play one game; return how many boards were written, 0 if no four came to stand in a row."""
    spawns = player.spawns
    board = spawn_tile(spawn_tile(row, spawns, SPAWN4), spawns, SPAWN4)
    until = large_sum(row) + (1 << _BLOCK)
    n_moves, n_kept, n_after = 0, 0, 0
    while n_after < _SETTLED:
        _direction, after, _points, _value = best_move(board, stage_of(tile_sum(board)), player)
        if after == _U(0):
            return 0
        board = spawn_tile(after, spawns, SPAWN4)
        n_moves += 1
        if n_moves % _EVERY == 0 and n_kept < boards.size:
            boards[n_kept] = board
            n_kept += 1
        n_after += large_sum(board) >= until
    return n_kept if has_four_in_a_row(board) else 0


@inline_kernel
def large_sum(board):
    """Return the sum of the tiles from 2048 on, in face value."""
    total = 0
    for shift in range(0, 64, 4):
        tile = np.int64((board >> _U(shift)) & _U(15))
        total += 1 << tile if tile >= _BLOCK else 0
    return total


@inline_kernel
def has_four_in_a_row(board):
    """Tell whether all tiles of a line at the edge are from 2048 on."""
    large = _U(0)
    for cell in range(16):
        if (board >> _U(60 - 4 * cell)) & _U(15) >= _U(_BLOCK):
            large |= _U(1) << _U(cell)
    return (
        large & _U(0x000F) == _U(0x000F)
        or large & _U(0xF000) == _U(0xF000)
        or large & _U(0x1111) == _U(0x1111)
        or large & _U(0x8888) == _U(0x8888)
    )
