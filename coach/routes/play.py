"""Playing a route automatically: by the table's best moves, or by an AI."""

from collections.abc import Callable, Sequence

from ai.choice import Choice
from coach.grading.formation_cells import has_reached
from coach.grading.rated import Rated, read
from coach.play.run import Run
from engine.platform.default_callbacks import never_cancelled
from tablebase.errors import ProbeError
from tablebase.probe.table import Table

Choose = Callable[[Sequence[int]], Choice]
"""Chooses a move for 16 exponents."""


def play(
    run: Run,
    table: Table | None,
    choose: Choose | None = None,
    is_cancelled: Callable[[], bool] = never_cancelled,
) -> bool:
    """Play a run to its end, from its current position; return False if it was stopped.

    Without a table it is a whole game; without `choose`, the AI, the table's best moves are made.
    `is_cancelled` is asked before each move.
    """
    follows = False
    while not is_cancelled():
        rated = None if table is None else _look(table, run.board, follows)
        rates = rated.rates if rated else None
        is_target = bool(table and has_reached(run.board, table.target, table.formation))
        is_best_known = rated is None or rated.is_best_known
        if end := run.goal_end(is_target) or run.conclude(rates, is_best_known):
            run.finish(end, run.started)  # it takes no time that counts
            return True
        follows = rated is not None and not rated.unknown_rates
        unknown = rated.unknown if rated else frozenset[int]()
        allowed = [d for d in range(4) if run.refusal(d, rates, unknown) is None]
        best = rated.best if rated else None
        direction = _chosen(choose(run.cells), allowed) if choose else best
        assert direction is not None  # `conclude` has seen to it
        run.play(direction, rates, 0, unknown)
    return False


def _look(table: Table, board: int, follows: bool) -> Rated | None:
    try:
        return read(table, board, follows)
    except ProbeError:
        return None


def _chosen(choice: Choice, allowed: Sequence[int]) -> int:
    """Return the AI's move, or the one it values highest among those that the table rates."""
    if choice.direction is not None and choice.direction in allowed:
        return choice.direction

    def worth(direction: int) -> float:
        value = choice.values[direction]
        return float("-inf") if value is None else value

    return max(allowed, key=worth)
