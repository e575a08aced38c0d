"""The tables of stored runs along routes, for Review and the profile."""

from collections.abc import Mapping
from dataclasses import dataclass

from coach.routes.code import fingerprint_of
from coach.routes.results import StoredRun
from engine.spawn import Rng
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal
from tablebase.probe.probes import Probe
from tablebase.store.options import TableOptions


@dataclass(frozen=True)
class PlayedTable:
    """The table of a stored run without its files: it has no answers, they are with the moves."""

    name: str
    target: Goal
    spawn4: float
    rate: str
    formation: Formation
    is_thinned: bool = False  # what was not known of a move is kept with it
    is_limited: bool = False  # no routes are played on others

    @property
    def n_large(self) -> int:
        return self.formation.n_large

    def probe(self, board: int, comes_up: bool = False) -> Probe:
        raise NotImplementedError("a stored run has its rates")  # no text

    def start_board(self, rng: Rng) -> int:
        raise NotImplementedError("a stored run has its start")  # no text

    def close(self) -> None: ...


def played_table(kept: StoredRun, formations: Mapping[str, Formation]) -> PlayedTable | None:
    """Return the table of a stored run; None if its formation is unknown, or for a whole game."""
    route, goal = kept.result.route, kept.result.route.goal
    for name, formation in formations.items():
        is_right = (
            name.upper() == route.formation and fingerprint_of(formation) == route.fingerprint
        )
        if goal and is_right:
            # Runs stored before rate types were saved are assumed to have the usual type.
            rate = kept.rate or TableOptions().rate
            return PlayedTable(f"{name}_{route.target}", goal, route.spawn4, rate, formation)
    return None
