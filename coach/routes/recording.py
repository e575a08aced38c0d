"""Runs along routes as recorded games, for Review and the profile."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from coach.grading.rated import UnknownRates
from coach.play.rules import End
from coach.play.run import PlayedMove, Run
from coach.recordings.recording import Recording, recording_of
from coach.routes.code import fingerprint_of
from coach.routes.results import StoredRun
from engine.formats.replay import Replay, ReplayMove
from engine.spawn import Rng
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal
from tablebase.probe.probes import Probe
from tablebase.store.options import TableOptions

_END_RATES = {End.REACHED: 1.0, End.NO_MOVE: 0.0, End.LOST: 0.0}


def recording_of_run(run: Run, name: str, played: datetime | None = None) -> Recording:
    """Return a run as a recorded game: the moves made on the board, judged by those pressed."""
    moves, is_game = run.moves, not run.setup.is_judged
    replay = Replay(
        moves[0].before if moves else run.cells,
        tuple(map(_replay_move, moves)),
        run.setup.walls,
        merge_32768=is_game,
    )
    doubts = {
        i: UnknownRates(frozenset(move.unknown), is_best_known=True)
        for i, move in enumerate(moves)
        if move.unknown
    }
    return recording_of(
        replay,
        name,
        table=run.setup.table or None,
        tolerance=run.setup.tolerance,
        end_rate=_END_RATES.get(run.end) if run.end and not is_game else None,
        played_at=played,
        doubts=doubts,
        pressed={i: move.direction for i, move in enumerate(moves) if move.made != move.direction},
        is_filed=not is_game,
    )


def _replay_move(move: PlayedMove) -> ReplayMove:
    rates = move.rates if move.judged else None
    return ReplayMove(move.made, move.cell, move.exponent, rates, move.ms or None)


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
