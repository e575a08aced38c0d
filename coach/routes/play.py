"""A route that nobody has to be there for: the table's own best play, and an AI's."""

from collections.abc import Callable, Sequence
from typing import Protocol

from ai.choice import Choice
from coach.grading.unknown_rates import RatedPosition, Table, read
from coach.routes.run import RouteRun, RouteTable
from tablebase.errors import ProbeError

Choose = Callable[[Sequence[int]], Choice]
"""Chooses a move for 16 exponents."""


class RatingTable(RouteTable, Table, Protocol):
    """A table that is played on, and asked."""


def _always() -> bool:
    return True


def play(
    run: RouteRun,
    table: RatingTable | None,
    choose: Choose | None = None,
    is_wanted: Callable[[], bool] = _always,
) -> bool:
    """Play a run to its end, from wherever it is.

    Parameters
    ----------
    run : RouteRun
    table : RatingTable, optional
        The one it is played on, here and now; None for a whole game.
    choose : callable, optional
        The AI; where there is none, the table's best moves are made.
    is_wanted : callable
        Asked before each move.

    Returns
    -------
    bool
        Whether it came to its end; else it was not wanted any more.
    """
    follows = False
    while is_wanted():
        rated = None if table is None else _look(table, run.board, follows)
        doubt = rated.unknown_rates if rated else None
        if run.conclude(rated.rates if rated else None, doubt is None or doubt.is_best_known):
            return True
        follows = rated is not None and doubt is None
        unknown = doubt.moves if doubt else frozenset[int]()
        rates = rated.rates if rated else None
        allowed = [d for d in range(4) if run.refusal(d, rates, unknown) is None]
        best = rated.best if rated else None
        direction = _chosen(choose(run.cells), allowed) if choose else best
        assert direction is not None  # `conclude` has seen to it
        run.play(direction, rates, 0, unknown)
    return False


def _look(table: RatingTable, board: int, follows: bool) -> RatedPosition | None:
    try:
        return read(table, board, follows)
    except ProbeError:
        return None


def _chosen(choice: Choice, allowed: Sequence[int]) -> int:
    """Return the AI's move, or of those that the table rates the one that it holds for best."""
    if choice.direction is not None and choice.direction in allowed:
        return choice.direction

    def worth(direction: int) -> float:
        value = choice.values[direction]
        return float("-inf") if value is None else value

    return max(allowed, key=worth)
