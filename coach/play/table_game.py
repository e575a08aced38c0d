"""Games that a table plays, now and then not by its best move."""

from collections.abc import Iterator

from coach.grading.rated import Rated, read
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.errors import ProbeError
from tablebase.probe.table import Table


def game_on(
    table: Table, rng: Rng, often: int = 10, least: float = 0.9
) -> Iterator[tuple[int, Rated]]:
    """Yield the positions of a game, as far as all their rates are known.

    One move in `often` is any that keeps `least` of the best rate.
    """
    board, follows = table.start_board(rng), False
    walls = table.formation.walls
    while True:
        try:
            found = read(table, board, follows)
        except ProbeError:  # past the last layer
            return
        direction = _choice(found, rng, often, least)
        if direction is None:
            return
        yield board, found
        follows = True
        board = spawn(move(board, direction, walls), rng, table.spawn4)[0]


def _choice(found: Rated, rng: Rng, often: int, least: float) -> int | None:
    """Return the move to continue with; None if a rate is unknown or all are 0."""
    if found.unknown_rates or found.best is None or not (best := found.rates[found.best]):
        return None
    if rng.below(often):
        return found.best
    good = [i for i, rate in enumerate(found.rates) if rate is not None and rate >= least * best]
    return good[rng.below(len(good))]
