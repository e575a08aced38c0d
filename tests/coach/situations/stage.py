"""A made-up search, and attempts played by a table."""

from collections.abc import Callable
from datetime import datetime, timezone
from types import SimpleNamespace

from ai.chances.chance_search import ChanceEstimate
from coach.grading.formation_cells import has_reached
from coach.play.rules import End
from coach.play.run import Run
from coach.situations.situation import Situation
from engine.formats.replay import Cells, Rates
from engine.trace import slide_cells
from tablebase.probe.reader import Tablebase

NOON = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
BESIDE_LARGE = (14, 13, 12, 9, 8, 3, 2, 0, 1, *[0] * 7)
"""16384, 8192 and 4096: the goal is 2048."""


def made_up(position: Cells, _nodes: int) -> ChanceEstimate:
    """Return made-up chances that fall from left to down: 40 %, 30 %, 20 %, 10 %."""
    chances = [
        None if slide_cells(position, one).cells == position else 0.4 - one / 10 for one in range(4)
    ]
    return SimpleNamespace(chances=tuple(chances))


Chooses = Callable[[Rates], int]


def best(rates: Rates) -> int:
    return max(range(4), key=lambda one: -1.0 if rates[one] is None else rates[one])


def played(
    situation: Situation,
    seed: int,
    table: Tablebase,
    choose: Chooses = best,
    most_moves: int = 10_000,
) -> Run:
    """Return an attempt played with a table lookup before every move."""
    session = Run(situation.attempt(seed), NOON)
    while session.n_moves < most_moves:
        if has_reached(session.board, table.target, table.formation):
            session.finish(End.REACHED, NOON)
            break
        rates = table.probe(session.board).rates
        if end := session.conclude(rates):
            session.finish(end, NOON)
            break
        session.play(choose(rates), rates, ms=700)
    return session
