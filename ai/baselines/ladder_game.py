"""Whole games of the ladder's players, with the cost of each move."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ai.baselines.ladder_players import LadderPlayer
from ai.evaluation.large_tiles import search_board
from ai.game_result import GameResult, cells_text
from engine.bitboard import LARGEST_NIBBLE
from engine.kernels.cells import slide_cells, spawn_in_cells


@dataclass(frozen=True)
class MoveStatistics:
    """The cost of one move."""

    # seed, number: the game, and the move in it, from 1.
    seed: int
    number: int
    direction: int
    moves_evaluated: int
    cache_hits: int
    cpu_ms: float


def play_game(
    player: LadderPlayer,
    seed: int,
    *,
    spawn4: float = 0.1,
    start: Sequence[int] | None = None,
    max_moves: int | None = None,
    on_move: Callable[[MoveStatistics], object] | None = None,
    source: str = "player",
) -> GameResult:
    """Play one game; the same seed gives the same game, and the same spawns for all players.

    It starts from two random tiles unless 16 exponents are given.
    """
    player.begin(seed)
    state = np.array([seed & (1 << 64) - 1], np.uint64)
    cells = np.array(start if start is not None else [0] * 16, np.uint8)
    if start is None:
        spawn_in_cells(cells, state, spawn4)
        spawn_in_cells(cells, state, spawn4)
    score = n_moves = nodes = 0
    began = time.thread_time()
    while max_moves is None or n_moves < max_moves:
        chosen_at = time.thread_time() if on_move else 0.0
        direction = player.choose(np.uint64(search_board(cells, LARGEST_NIBBLE)))
        points = int(slide_cells(cells, direction)) if direction >= 0 else -1
        if points < 0:
            break
        spawn_in_cells(cells, state, spawn4)
        score, n_moves = score + points, n_moves + 1
        nodes += player.moves_evaluated
        if on_move:
            cpu_ms = 1000 * (time.thread_time() - chosen_at)
            counts = (player.moves_evaluated, player.cache_hits)
            on_move(MoveStatistics(seed, n_moves, direction, *counts, cpu_ms))
    cpu_s = time.thread_time() - began
    largest, sources = int(cells.max()), {source: n_moves} if n_moves else {}
    return GameResult(seed, score, n_moves, largest, cells_text(cells), cpu_s, nodes, 0, sources)
