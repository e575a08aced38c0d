"""Runs along routes in the database of a person: figures to compare, moves to replay or resume.

Boards, new tiles and grades follow from the route and the moves.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from coach.exam.run_rows import stored_move
from coach.mistakes.mistake import microseconds, time_of
from coach.play.rules import End
from coach.play.run import PlayedMove, Run
from coach.record.runs import RemovedRun, Runs, StoredMove
from coach.routes.code import Route, RouteCodeError, code_of, fingerprint_of, read_code
from coach.routes.result import RouteResult
from coach.routes.setup import setup_of
from engine.platform.errors import AppError
from engine.platform.language import tr
from engine.spawn import Rng
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal
from tablebase.probe.probes import Probe
from tablebase.probe.table import Table

_OWN_KIND = "kind = 'route'"  # no text
_MAX_LISTED = 500
_SAME = {
    **dict.fromkeys(("who", "outcome"), str),
    **dict.fromkeys(("n_moves", "n_mistakes", "points", "played_ms", "line"), int),
    **dict.fromkeys(("match_rate", "points_lost"), float),
}
"""The columns that are fields of a result, and their types."""


class RouteRunError(AppError, ValueError):
    """A stored run can't be replayed."""


@dataclass(frozen=True)
class StoredRun:
    """A row."""

    number: int  # in the database; 0 if not in it
    played: datetime  # time of its end, or of its last move so far, with a time zone
    result: RouteResult
    moves: tuple[StoredMove, ...] = ()  # as far as they were asked for
    has_moves: bool = False  # whether more than the result is known
    rate: str = ""  # the type of the rates of its table; "" for a whole game, or if unknown

    @property
    def is_unfinished(self) -> bool:
        """Whether it is the user's own unfinished run."""
        return not self.result.outcome and self.has_moves


class RouteResults(Runs):
    """The runs along routes in the database of a person."""

    def keep(self, run: StoredRun, moves: Sequence[PlayedMove] | None = None) -> int:
        """Store a run, replacing the one with its number if it has one; return the number.

        `moves` are all its moves; without them only the result is stored.
        """
        result, played = run.result, microseconds(run.played)
        is_over = bool(result.outcome) or moves is None
        row = {
            "kind": "route",
            "played": played,
            "ended": played if is_over else None,
            "code": code_of(result.route),
            "rate": run.rate,
            **{name: getattr(result, name) for name in _SAME},
        }
        return self.write_run(run.number, row, moves or (), stored_move)

    def restore(self, removed: RemovedRun) -> int | None:
        """Restore a removed run; return its number, a new one if another run has taken it."""
        with self.writing():
            return self.put_back(removed)

    def remove(self, number: int) -> RemovedRun | None:
        with self.writing():
            return next(iter(self.take_out(f"id = ? AND {_OWN_KIND}", (number,))), None)

    def runs(self, most: int = _MAX_LISTED) -> list[StoredRun]:
        """Return at most `most` runs, newest first, without their moves."""
        return self._select(f"ORDER BY played DESC, id DESC LIMIT {int(most)}", ())

    def all_in_brief(self) -> list[StoredRun]:
        """Return all runs, newest first, without their moves."""
        return self._select("ORDER BY played DESC, id DESC", ())

    def runs_of(self, route: Route) -> list[StoredRun]:
        """Return all runs along a route, best first, without their moves."""
        found = self._select(f"AND code = ? LIMIT {_MAX_LISTED}", (code_of(route),))
        return sorted(found, key=lambda run: run.result.merit, reverse=True)

    def get(self, number: int) -> StoredRun | None:
        found = self._select("AND id = ?", (number,))
        with self.reading():
            return replace(found[0], moves=tuple(self.moves(number))) if found else None

    def _select(self, rest: str, values: tuple[object, ...]) -> list[StoredRun]:
        has_moves = "EXISTS (SELECT 1 FROM move WHERE run = run.id) AS has_moves"
        sql = f"SELECT *, {has_moves} FROM run WHERE {_OWN_KIND} {rest}"
        with self.reading():
            return [
                stored_run(row, has_moves=bool(row["has_moves"])) for row in self.rows(sql, values)
            ]


def run_of(kept: StoredRun, table: Table | None = None) -> Run:
    """Return a stored run, replayed on the route's table, without one a whole game.

    RouteCodeError: the formation is not the one it was played on. RouteRunError: the stored moves
    are impossible.
    """
    run = Run(setup_of(kept.result.route, table), kept.played)
    try:
        for move in kept.moves:
            if move.direction is None:
                raise ValueError("direction")
            made = move.direction if move.made is None else move.made
            run.play(move.direction, move.rates, move.ms or 0, move.unknown_moves, made)
        if kept.result.outcome:
            run.finish(End(kept.result.outcome), kept.played)
    except (ValueError, TypeError, IndexError) as error:
        raise RouteRunError(
            tr("this run cannot be shown: its moves do not follow from one another")
        ) from error
    return run


def stored_run(
    row: Mapping[str, Any], moves: Iterable[StoredMove] = (), has_moves: bool = False
) -> StoredRun:
    """Return the run in a row; raise LookupError if it is not one of ours."""
    played = time_of(row["played"])
    try:
        route = read_code(row["code"])
    except RouteCodeError as error:  # not a typing error, but damage
        raise LookupError(str(error)) from error
    for name, kind in _SAME.items():
        if not isinstance(row[name], kind):  # large files are not checked when opened
            raise TypeError(name)
    if played is None or row["outcome"] not in ("", *(end.value for end in End)):
        raise LookupError("played")
    found = tuple(moves)
    return StoredRun(
        number=row["id"],
        played=played,
        result=RouteResult(route=route, **{name: row[name] for name in _SAME}),
        moves=found,
        has_moves=has_moves or bool(found),
        rate=row["rate"],
    )


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
    from tablebase.store.options import TableOptions

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
