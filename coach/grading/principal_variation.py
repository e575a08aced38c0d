"""The line of best moves from a position of a game, next to the line that was played.

The new tiles are those of the game as long as their cells are free, so that both lines have the
same luck; if a cell is taken, the new tile is the 2 that leaves the rate nearest to the expected
one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.bitboard import cells, from_cells
from engine.formats.replay import Rates, ReplayMove
from engine.trace import slide_cells

RatesAt = Callable[[int], Rates]
"""The four rates of a position, all None where nothing is known of it."""


@dataclass(frozen=True)
class Line:
    """Moves, and the chance with the first, before each later one, and after the last."""

    directions: tuple[int, ...]
    # One more than directions; None if unknown.
    rates: tuple[float | None, ...]


def played_line(rates_at: RatesAt, boards: Sequence[int], moves: Sequence[ReplayMove]) -> Line:
    """Return the line that was played; `boards` is one longer than `moves`."""
    directions = tuple(move.direction for move in moves)
    first = [rates_at(boards[0])[direction] for direction in directions[:1]]
    rates = (_best(rates_at(board)) for board in boards[len(first) :])
    return Line(directions, (*first, *rates))


def best_line(
    rates_at: RatesAt, board: int, moves: Sequence[ReplayMove], walls: bool = False
) -> Line:
    """Return the line of best moves from a position, at most as many as `moves`.

    Those are the moves of the game from there: this line uses their new tiles.
    """
    directions: list[int] = []
    found = rates_at(board)
    rates = [_best(found)]
    for move in moves:
        expected = _best(found)
        if not expected:
            break  # nothing is known, or no chance is left
        direction = found.index(expected)
        after = list(slide_cells(tuple(cells(board)), direction, walls).cells)
        board, found = _with_tile(rates_at, after, move, expected)
        directions.append(direction)
        rates.append(_best(found))
    return Line(tuple(directions), tuple(rates))


def _with_tile(
    rates_at: RatesAt, after: list[int], move: ReplayMove, expected: float
) -> tuple[int, Rates]:
    """Return the next position with its rates: with the game's tile, or with a typical one."""
    free = [cell for cell in range(16) if not after[cell]]
    tiles = [(move.cell, move.exponent)] if move.cell in free else [(cell, 1) for cell in free]
    boards = [from_cells([*after[:cell], e, *after[cell + 1 :]]) for cell, e in tiles]
    known = [(board, rates_at(board)) for board in boards]
    return min(known, key=lambda one: abs((_best(one[1]) or 0.0) - expected))


def _best(rates: Rates) -> float | None:
    return max((rate for rate in rates if rate is not None), default=None)
