"""``routes.db``."""

import json
from collections.abc import Iterator
from datetime import datetime

from coach.grading.rated import best_of
from coach.mistakes.mistake import mask_of, microseconds
from coach.old_files.reading import OldFiles
from coach.old_files.runs import RunRow, RunsReader, aware
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
    *("code", "who", "outcome", "n_moves", "n_mistakes", "match_rate", "points_lost", "points"),
    *("played_ms", "line", "rate"),
)


class RoutesReader(RunsReader):
    """Reads ``routes.db``."""

    name, migrations, table = NAME, MIGRATIONS, "runs"

    def runs(self, old: OldFiles) -> Iterator[RunRow]:
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
            row = {"id": number, "kind": "route", "name": f"route {number}", "played": when}
            yield (
                {**row, "ended": when if fields["outcome"] or not moves else None, **fields},
                moves,
            )

    def _moves(self, text: str, route: Route, old: OldFiles, number: int) -> list[StoredMove]:
        try:
            return [_move(*entry, route=route) for entry in json.loads(text or "[]")]
        except (ValueError, TypeError, LookupError, RecursionError):
            problem = tr("the moves of a run cannot be read, its result is kept ({id})", id=number)
            old.problems.append(f"{old.folder / NAME}: {problem}")
            return []


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
