"""Positions to start from that are not always the same few. No Qt."""

from engine.bitboard import cells, from_cells
from engine.spawn import Rng, spawn
from engine.trace import slide_cells
from gui.core.lookup import Table, answer_of

MOST_MOVES = 9  # into the first ten layers or so, where most of a formation is still to be done
LEAST_KEPT = 0.5  # of the best rate: a move that spoils the game makes no start


def varied_start(table: Table, rng: Rng) -> int:
    """Return a board some moves into a game: any move that does not spoil it, any tile.

    Parameters
    ----------
    table : Table
        Asked up to nine times; call it off the GUI thread.
    rng : Rng
        Decides how many moves, which, and which tiles; advanced.
    """
    board = table.start_board(rng)
    for _ in range(rng.below(MOST_MOVES + 1)):
        answer = answer_of(table, board, follows=True)
        good = [
            direction
            for direction, rate in enumerate(answer.rates)
            if rate is not None and rate > 0 and rate >= LEAST_KEPT * answer.best_rate
        ]
        if not good or answer.best_rate >= 1.0:
            break
        direction = good[rng.below(len(good))]
        motion = slide_cells(cells(board), direction, table.formation.walls)
        board = spawn(from_cells(motion.cells), rng, table.spawn4)[0]
    return board
