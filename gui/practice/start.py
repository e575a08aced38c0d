"""Varied start positions. No Qt."""

from engine.bitboard import cells, from_cells
from engine.spawn import Rng, spawn
from engine.trace import slide_cells
from gui.play.lookup import answer_of
from tablebase.probe.table import Table

MAX_MOVES = 9  # about the first ten layers, where most of a formation is still ahead
MIN_KEPT = 0.5  # share of the best rate: a bad move doesn't lead to a start


def varied_start(table: Table, rng: Rng) -> int:
    """Return a board some random moves into a game, avoiding bad moves.

    Parameters
    ----------
    table : Table
        Queried up to nine times; call this off the GUI thread.
    rng : Rng
        Source of the number of moves, the moves and the tiles; advanced.
    """
    board = table.start_board(rng)
    for _ in range(rng.below(MAX_MOVES + 1)):
        answer = answer_of(table, board, follows=True)
        good = [
            direction
            for direction, rate in enumerate(answer.rates)
            if rate is not None and rate > 0 and rate >= MIN_KEPT * answer.best_rate
        ]
        if not good or answer.best_rate >= 1.0:
            break
        direction = good[rng.below(len(good))]
        motion = slide_cells(cells(board), direction, table.formation.walls)
        board = spawn(from_cells(motion.cells), rng, table.spawn4)[0]
    return board
