"""The database of route runs, one row each: figures to list and compare, moves to replay or resume.

The moves are JSON, ``[[direction, ms, [rates], [unknown]], ...]``, the last two only on tables;
boards, new tiles and grades are computed from them.
"""

import json
import sqlite3
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from coach.play.rules import End
from coach.play.run import Run
from coach.record.database import Store
from coach.routes.code import GAME, Route, RouteCodeError, code_of, read_code
from coach.routes.result import YOU, RouteResult, ended
from coach.routes.setup import setup_of
from engine.platform.errors import AppError
from engine.platform.language import tr
from tablebase.probe.table import Table

MIGRATIONS = (
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        played TEXT NOT NULL,
        code TEXT NOT NULL,
        who TEXT NOT NULL,
        outcome TEXT NOT NULL,
        n_moves INTEGER NOT NULL,
        n_mistakes INTEGER NOT NULL,
        match_rate REAL NOT NULL,
        points_lost REAL NOT NULL,
        points INTEGER NOT NULL,
        played_ms INTEGER NOT NULL,
        line INTEGER NOT NULL,
        moves TEXT NOT NULL
    );
    CREATE INDEX runs_by_code ON runs (code);
    CREATE INDEX runs_by_date ON runs (played);
    """,
    "ALTER TABLE runs ADD COLUMN rate TEXT NOT NULL DEFAULT '';",
)
_OUTCOMES = ", ".join(f"'{end.value}'" for end in End)
SOUND = {
    "runs": " AND ".join(
        [
            "datetime(played) IS NOT NULL",
            "length(code) BETWEEN 1 AND 80",
            "length(who) <= 80 AND instr(who, char(0)) = 0 AND length(rate) <= 20",
            f"outcome IN ('', {_OUTCOMES})",
            "match_rate BETWEEN 0 AND 1.000001",
            "points_lost BETWEEN 0 AND 1 << 31",
            *(f"{name} BETWEEN 0 AND 1 << 50" for name in ("n_moves", "n_mistakes", "points")),
            "played_ms BETWEEN 0 AND 1 << 50",
            "line BETWEEN 0 AND 1023",
        ]
    )
}
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

    number: int  # the row's id; 0 if not in the database
    played: datetime  # time of its end, or of its last move so far, with a time zone
    result: RouteResult
    moves: str = ""  # JSON; "" if only the result is known
    rate: str = ""  # the type of the rates of its table; "" for a whole game, or if unknown

    @property
    def is_unfinished(self) -> bool:
        """Whether it is the user's own unfinished run."""
        return not self.result.outcome and bool(self.moves)


class RouteResults(Store):
    """The database of runs."""

    migrations, sound = MIGRATIONS, SOUND

    def keep(self, run: StoredRun) -> int:
        """Store a run, replacing the one with its number if it has one; return the number."""
        with self.writing():
            return self.insert("runs", _to_row(run), "INSERT OR REPLACE")

    def restore(self, run: StoredRun) -> int:
        """Restore a removed run; return its number, a new one if another run has taken it."""
        is_taken = self.get(run.number) is not None
        return self.keep(replace(run, number=0) if is_taken else run)

    def remove(self, number: int) -> StoredRun | None:
        """Delete a run and return it for `restore`."""
        with self.writing():
            found = self._select("WHERE id = ?", (number,))
            self.connection.execute("DELETE FROM runs WHERE id = ?", (number,))
        return found[0] if found else None

    def runs(self, most: int = _MAX_LISTED) -> list[StoredRun]:
        """Return at most `most` runs, newest first."""
        return self._select(f"ORDER BY played DESC, id DESC LIMIT {int(most)}", ())

    def all_in_brief(self) -> list[StoredRun]:
        """Return all runs, newest first, with no more of their moves than whether there are any."""
        columns = ", ".join(
            ("id", "played", "code", *_SAME, "substr(moves, 1, 1) AS moves", "rate")
        )
        return self._select("ORDER BY played DESC, id DESC", (), columns)

    def runs_of(self, route: Route) -> list[StoredRun]:
        """Return all runs along a route, best first."""
        found = self._select(f"WHERE code = ? LIMIT {_MAX_LISTED}", (code_of(route),))
        return sorted(found, key=lambda run: run.result.merit, reverse=True)

    def get(self, number: int) -> StoredRun | None:
        """Return a run; None if it no longer exists."""
        return next(iter(self._select("WHERE id = ?", (number,))), None)

    def judged(self) -> dict[int, str]:
        """Return a stamp for each of the user's own runs on tables, which changes when it does.

        Keyed by number; the stamp is the time it was last played, as text.
        """
        sql = (
            "SELECT id, played FROM runs "
            f"WHERE who = '{YOU}' AND moves != '' AND code NOT LIKE '{GAME}-%' ORDER BY id"
        )
        with self.reading():
            return {row["id"]: str(row["played"]) for row in self.connection.execute(sql)}

    def _select(self, rest: str, values: tuple[object, ...], columns: str = "*") -> list[StoredRun]:
        with self.reading():
            return [
                _from_row(row) for row in self.rows(f"SELECT {columns} FROM runs {rest}", values)
            ]


def moves_text(run: Run) -> str:
    """Return the moves of a run as JSON."""
    moves: list[list[Any]] = []
    for move in run.moves:
        entry: list[Any] = [move.direction, move.ms]
        if move.judged:
            entry.append(list(move.rates))
        if move.unknown:
            entry.append(list(move.unknown))
        moves.append(entry)
    return json.dumps(moves, separators=(",", ":"))


def run_of(kept: StoredRun, table: Table | None = None) -> Run:
    """Return a stored run, replayed.

    Parameters
    ----------
    table : Table, optional
        The route's table; None for a whole game.

    Raises
    ------
    RouteCodeError
        The formation is not the one it was played on.
    RouteRunError
        The stored moves are impossible.
    """
    run = Run(setup_of(kept.result.route, table), kept.played)
    try:
        for direction, ms, *rated in json.loads(kept.moves or "[]"):
            rates, unknown = [*rated, None, ()][:2] if rated else (None, ())
            run.play(int(direction), rates, int(ms), unknown or ())
    except (ValueError, TypeError, IndexError, RecursionError) as error:
        raise RouteRunError(
            tr("this run cannot be shown: its moves do not follow from one another")
        ) from error
    if end := ended(kept.result):
        run.finish(end, kept.played)
    return run


def _to_row(run: StoredRun) -> dict[str, object]:
    row: dict[str, object] = {
        "played": run.played.isoformat(),
        "code": code_of(run.result.route),
        **{name: getattr(run.result, name) for name in _SAME},
        "moves": run.moves,
        "rate": run.rate,
    }
    return {"id": run.number, **row} if run.number else row


def _from_row(row: sqlite3.Row) -> StoredRun:
    try:
        route = read_code(row["code"])
    except RouteCodeError as error:  # not a typing error, but damage
        raise LookupError(str(error)) from error
    for name, kind in {**_SAME, "moves": str, "rate": str}.items():
        if not isinstance(row[name], kind):  # large files are not checked when opened
            raise TypeError(name)
    return StoredRun(
        number=row["id"],
        played=datetime.fromisoformat(row["played"]),
        result=RouteResult(route=route, **{name: row[name] for name in _SAME}),
        moves=row["moves"],
        rate=row["rate"],
    )
