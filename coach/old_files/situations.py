"""``situations.db``."""

import sqlite3
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from coach.exam.run_rows import row_of, stored_move
from coach.exam.session_file import SessionFileError, session_from_json
from coach.mistakes.mistake import microseconds
from coach.old_files.databases import DatabaseReader, SameTable
from coach.old_files.reading import OldFiles
from coach.old_files.runs import RunRow, RunsReader, aware
from coach.play.rules import End
from coach.play.setup import Kind
from coach.record import schema
from coach.record.database import sound_rows
from coach.record.runs import StoredMove
from engine.platform.language import tr

NAME = "situations.db"
MIGRATIONS = (
    schema.SITUATIONS
    + """
    CREATE TABLE attempt (
        id INTEGER PRIMARY KEY,
        situation INTEGER NOT NULL REFERENCES situation (id) ON DELETE CASCADE,
        seed INTEGER NOT NULL,
        started TEXT NOT NULL,        -- ISO 8601 with a zone
        outcome TEXT NOT NULL,        -- coach.exam.session.End, '' while it goes on
        n_moves INTEGER NOT NULL,
        points_lost REAL NOT NULL,
        match_rate REAL NOT NULL,
        played_ms INTEGER NOT NULL,
        session TEXT NOT NULL,        -- see coach.exam.session_file
        UNIQUE (situation, seed)
    );
    """,
)
_OUTCOMES = ", ".join(f"'{end.value}'" for end in End)
SOUND = {
    "situation": schema.SOUND["situation"],
    "attempt": " AND ".join(
        [
            f"datetime(started) IS NOT NULL AND outcome IN ('', {_OUTCOMES})",
            "n_moves BETWEEN 0 AND 1 << 31 AND played_ms BETWEEN 0 AND 1 << 50",
            "points_lost BETWEEN 0 AND 1 << 31 AND match_rate BETWEEN 0 AND 1.000001",
            "seed >= 0",
        ]
    ),
}
_FACTS = ("outcome", "n_moves", "points_lost", "match_rate", "played_ms")
_POSITIONS = DatabaseReader(NAME, MIGRATIONS, (SameTable("situation", "situation", "id"),))


class SituationsReader(RunsReader):
    """Reads ``situations.db``."""

    name, migrations, table = NAME, MIGRATIONS, "attempt"

    def read(self, old: OldFiles, new: sqlite3.Connection) -> Mapping[str, int]:
        return {**_POSITIONS.read(old, new), **super().read(old, new)}

    def check(self, old: OldFiles, new: sqlite3.Connection) -> None:
        _POSITIONS.check(old, new)
        super().check(old, new)

    def runs(self, old: OldFiles) -> Iterator[RunRow]:
        source = old.database(NAME, MIGRATIONS)
        if source is None:
            return
        names = ", ".join(("id", "situation", "seed", "started", "session", *_FACTS))
        sound = sound_rows(source, "situation", SOUND)
        where = (
            f"{sound_rows(source, 'attempt', SOUND)} "
            f"AND situation IN (SELECT id FROM situation WHERE {sound})"
        )
        for number, situation, seed, started, text, *facts in old.rows(
            NAME, f"SELECT {names} FROM attempt WHERE {where} ORDER BY id"
        ):
            begun = microseconds(aware(datetime.fromisoformat(started)))
            row: dict[str, Any] = {"played": begun, "ended": begun}
            moves: list[StoredMove] = []
            try:
                session = session_from_json(text, Kind.SITUATION)
                row, moves = row_of(session), list(map(stored_move, session.moves))
            except SessionFileError as error:
                problem = tr("the moves of an attempt cannot be read: {why}", why=error)
                old.problems.append(f"{old.folder / NAME}: {problem}")
            row |= {"kind": "situation", "name": f"situation {number}", "situation": situation}
            row |= {
                "played": begun,
                "seed": f"{seed:016x}",
                **dict(zip(_FACTS, facts, strict=True)),
            }
            yield row, moves


SITUATIONS = SituationsReader()
