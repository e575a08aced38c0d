"""``routes.db``."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from coach.grading.rated import best_of
from coach.mistakes.mistake import mask_of, microseconds
from coach.old_files.reading import OldFiles
from coach.old_files.runs import add_moves, add_run, aware, differ, left_out, moves_of
from coach.play.rules import End
from coach.record.database import sound_rows
from coach.record.runs import StoredMove
from coach.routes.code import Route, RouteCodeError, read_code
from engine.platform.language import tr

NAME = "routes.db"
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
_SAME = (
    "code",
    "who",
    "outcome",
    "n_moves",
    "n_mistakes",
    "match_rate",
    "points_lost",
    "points",
    "played_ms",
    "line",
    "rate",
)


class RoutesReader:
    """Reads ``routes.db``; a run is called as the profile of its time calls it."""

    name = NAME

    def read(self, old: OldFiles, new: sqlite3.Connection) -> Mapping[str, int]:
        n_runs = n_moves = 0
        for row, moves in self._runs(old):
            is_taken = new.execute("SELECT 1 FROM run WHERE id = ?", (row["id"],)).fetchone()
            number = add_run(new, {**row, "id": None if is_taken else row["id"]})
            add_moves(new, number, moves)
            n_runs, n_moves = n_runs + 1, n_moves + len(moves)
        if n_left_out := self._n_rows(old) - n_runs:
            old.problems.append(left_out(n_left_out, old.folder / NAME))
        return {"run": n_runs, "move": n_moves}

    def check(self, old: OldFiles, new: sqlite3.Connection) -> None:
        n_problems = len(old.problems)
        for row, moves in self._runs(old):
            names = [name for name in row if name != "id"]
            sql = f"SELECT id, {', '.join(names)} FROM run WHERE kind = 'route' AND name = ?"
            found = new.execute(sql, (row["name"],)).fetchone()
            is_same = found is not None and list(found[1:]) == [row[name] for name in names]
            if not is_same or moves_of(new, found[0]) != moves:
                raise differ(old.folder / NAME)
        del old.problems[n_problems:]  # reported before

    def _runs(self, old: OldFiles) -> Iterator[tuple[dict[str, Any], list[StoredMove]]]:
        source = old.database(NAME, MIGRATIONS)
        if source is None:
            return
        names = ", ".join(("id", "played", "moves", *_SAME))
        sound = sound_rows(source, "runs", SOUND)
        for number, played, text, *same in old.rows(
            NAME, f"SELECT {names} FROM runs WHERE {sound} ORDER BY id"
        ):
            fields = dict(zip(_SAME, same, strict=True))
            try:
                route = read_code(fields["code"])
            except RouteCodeError:
                continue
            when = microseconds(aware(datetime.fromisoformat(played)))
            moves = self._moves(text, route, old, number)
            is_over = fields["outcome"] or not moves
            yield (
                {
                    "id": number,
                    "kind": "route",
                    "name": f"route {number}",
                    "played": when,
                    "ended": when if is_over else None,
                    **fields,
                },
                moves,
            )

    def _moves(self, text: str, route: Route, old: OldFiles, number: int) -> list[StoredMove]:
        try:
            return [_move(*entry, route=route) for entry in json.loads(text or "[]")]
        except (ValueError, TypeError, LookupError, RecursionError):
            problem = tr("the moves of a run cannot be read, its result is kept ({id})", id=number)
            old.problems.append(f"{old.folder / NAME}: {problem}")
            return []

    def _n_rows(self, old: OldFiles) -> int:
        if old.database(NAME, MIGRATIONS) is None:
            return 0
        return int(next(old.rows(NAME, "SELECT count(*) FROM runs"))[0])


def _move(
    direction: int,
    ms: int,
    rates: list[float | None] | None = None,
    unknown: list[int] | None = None,
    *,
    route: Route,
) -> StoredMove:
    left, right, up, down = rates or (None,) * 4
    four = (left, right, up, down) if rates else None
    best = best_of(four) if four and route.is_corrected else None
    made = None if best is None or best == direction else best
    known = [rate for rate in (left, right, up, down) if rate is not None]
    if direction not in range(4) or not all(0 <= rate <= 1 for rate in known) or ms < 0:
        raise ValueError(direction)
    return StoredMove(direction, made, None, None, four, mask_of(unknown or ()), ms)


ROUTES = RoutesReader()
