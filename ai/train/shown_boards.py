"""Boards at which training of late games begins, from games of other players.

A network trained from scratch sticks to the first way it finds. Beside four large tiles in a row it
never learns that the next 2048 succeeds more often beside three and one: several tiles in turn
would have to grow in cells that did badly before. So it is shown: games also begin at boards of
games by lines, about half of which reach the best place for a fifth large tile, and, if there is a
table of the formation 4421 to 1024, at boards of exact games from there.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai.evaluation.evaluation import load_evaluation
from ai.evaluation.game_net import tile_sum
from ai.evaluation.late_net import FIFTH_STANDS, LATE_SUMS
from ai.search.search import Search
from ai.search.time_management import effort
from ai.train.fifth_tile import BEST, LARGE, worth_of
from ai.train.game_training import SPAWN4
from engine.bitboard import cells as cells_of
from engine.kernels.moves import slide_four
from engine.kernels.spawn import spawn_tile
from engine.moves import row_tables
from engine.platform.default_callbacks import never_cancelled
from engine.platform.jit import kernel
from engine.platform.language import mark, tr
from tablebase.errors import BuildCancelledError, TableError
from tablebase.library.opening import open_table
from tablebase.probe.probes import best_of
from tablebase.probe.reader import Tablebase

U64 = npt.NDArray[np.uint64]

_EVERY = 7  # moves
_NODES = 200
_FIFTH_SUM, _BLOCK_SUM = LATE_SUMS[FIFTH_STANDS - 1], LATE_SUMS[FIFTH_STANDS]
_N_GAMES = 500  # exact games side by side
_FORMATION, _TARGET = "4421", 1 << LARGE
_WALL = 15
_U = np.uint64


def show_games_by_lines(
    begins: U64, shown: U64, seed: int, is_cancelled: Callable[[], bool] = never_cancelled
) -> list[int]:
    """Fill `shown` with boards of games by lines that reach the best place for a fifth tile.

    The games begin with `begins` in turn, after two new tiles. Returns the boards with the fifth
    tile. Raises BuildCancelledError; `is_cancelled` is asked before each game.
    """
    search, row = Search(load_evaluation()), row_tables()
    spawns = np.array([seed & (1 << 64) - 1], np.uint64)
    n_shown, n_games, fifths = 0, 0, []
    while n_shown < shown.size:
        _raise_if_cancelled(is_cancelled)
        search.forget()
        board = begins[n_games % begins.size]
        board = _U(_spawned(_U(_spawned(board, spawns)), spawns))
        n_games += 1
        boards = []
        while _sum_of(board) < _FIFTH_SUM:
            cells = np.array(cells_of(int(board)), np.uint8)
            answer = search.by_nodes(cells.tolist(), max(1, int(_NODES * effort(cells))))
            if answer.direction is None:
                break
            board = _U(_moved(board, answer.direction, row, spawns))
            boards.append(board)
        if _sum_of(board) >= _FIFTH_SUM and _is_best(board):
            fifths.append(int(board))
            sampled = boards[::_EVERY][: shown.size - n_shown]
            shown[n_shown : n_shown + len(sampled)] = sampled
            n_shown += len(sampled)
    return fifths


@contextmanager
def open_exact_table(folder: Path) -> Iterator[Tablebase]:
    """Open the table for exact games from the fifth large tile on.

    Raises TableError if it cannot be opened, or has another formation or target.
    """
    with open_table(folder) as table:
        if table.pattern != _FORMATION or table.target != _TARGET:
            text = tr(
                "{folder} is a table of {formation} to {target}; expected one of {wanted} to "
                "{tile}: name another folder, or leave it out",
                folder=folder,
                formation=table.pattern,
                target=table.target.words(),
                wanted=_FORMATION,
                tile=_TARGET,
            )
            raise TableError(text)
        yield table


def show_exact_games(
    table: Tablebase,
    fifths: list[int],
    shown: U64,
    seed: int,
    is_cancelled: Callable[[], bool] = never_cancelled,
) -> None:
    """Fill `shown` with boards of exact games that make another tile like the fifth.

    The games begin with `fifths` in turn; for the table see `open_exact_table`. Raises TableError
    if it cannot be read or none of many games made another such tile, and BuildCancelledError;
    `is_cancelled` is asked before each round of games.
    """
    spawns, row = np.array([seed & (1 << 64) - 1], np.uint64), row_tables()
    rng, n_shown = np.random.default_rng(seed), 0
    large = table.target.tile.bit_length() - 1
    while n_shown < shown.size:
        _raise_if_cancelled(is_cancelled)
        boards = rng.choice(np.array(fifths, np.uint64), _N_GAMES)
        goes_on, is_won = np.ones(_N_GAMES, np.bool_), np.zeros(_N_GAMES, np.bool_)
        history, walled = [], np.zeros_like(boards)
        for n_moves in range(_BLOCK_SUM - _FIFTH_SUM):
            _wall_in(boards, large, walled)
            rates, _ = table.many_probes(walled, comes_up=True)
            _move_all(boards, best_of(rates), goes_on, row, spawns)
            _note_won(boards, large, goes_on, is_won)
            if not goes_on.any():
                break
            if n_moves % _EVERY == 0:
                history.append(np.where(goes_on, boards, _U(0)))
        won_boards = np.array(history, np.uint64).reshape(-1, _N_GAMES)[:, is_won].ravel()
        won_boards = won_boards[won_boards != 0][: shown.size - n_shown]
        if won_boards.size == 0:  # the next round would go the same way
            text = mark(
                "none of {n} games with the table made another {tile}: it does not know the "
                "boards of these games, so verify it, or build it again"
            )
            raise TableError(text, n=_N_GAMES, tile=table.target.tile)
        shown[n_shown : n_shown + won_boards.size] = won_boards
        n_shown += won_boards.size


def _raise_if_cancelled(is_cancelled: Callable[[], bool]) -> None:
    if is_cancelled():
        text = tr("stopped before the first move: the boards to begin with were not all made yet")
        raise BuildCancelledError(text)


@kernel
def _spawned(board, spawns):
    return spawn_tile(board, spawns, SPAWN4)


@kernel
def _sum_of(board):
    return tile_sum(board)


@kernel
def _is_best(board):
    return worth_of(board) == BEST


@kernel
def _moved(board, direction, row, spawns):
    return spawn_tile(slide_four(board, row)[direction], spawns, SPAWN4)


@kernel
def _wall_in(boards, large, walled):
    for i in range(boards.size):
        walled[i] = 0
        for shift in range(0, 64, 4):
            tile = (boards[i] >> _U(shift)) & _U(15)
            walled[i] |= (_U(_WALL) if tile >= _U(large) else tile) << _U(shift)


@kernel
def _move_all(boards, directions, goes_on, row, spawns):
    """Move in games that go on; a game ends if no direction is known."""
    for i in range(boards.size):
        goes_on[i] &= directions[i] >= 0
        if goes_on[i]:
            boards[i] = spawn_tile(slide_four(boards[i], row)[directions[i]], spawns, SPAWN4)


@kernel
def _note_won(boards, large, goes_on, is_won):
    """End games that have made another such tile: there are six large tiles until the two merge."""
    for i in range(boards.size):
        n_large = 0
        for shift in range(0, 64, 4):
            n_large += (boards[i] >> _U(shift)) & _U(15) >= _U(large)
        if goes_on[i] and n_large > 5:
            is_won[i] = True
            goes_on[i] = False
