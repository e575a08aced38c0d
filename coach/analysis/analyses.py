"""Finished analyses in ``user.db``: a summary of each report and the paths of its files.

One row per game and one per segment. The rows hold the events of ``analyze --json``, so any caller
of that command can store its output.
"""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from coach.analysis.course import CoursePhase
from coach.record.database import Store
from engine.platform.surrogates import escaped


@dataclass(frozen=True)
class StoredSegment:
    """A segment as ``analyze --json`` tells it and, in this order, as the database has it."""

    table: str
    first_move: int
    last_move: int
    end: str
    judged: int
    match_rate: float
    points_lost: float
    luck_log: float | None
    start_rate: float
    end_rate: float
    grades: Mapping[str, int]
    rpl: Path | None  # its recording


@dataclass(frozen=True)
class GameSummary:
    """The summary of a game that was judged as a whole."""

    # judged, by_search: numbers of moves.
    judged: int
    by_search: int
    match_rate: float
    points_lost: float
    luck_log: float | None  # None when a tile lost everything
    grades: Mapping[str, int]
    phases: tuple[CoursePhase, ...]
    is_done: bool  # False if the search was canceled
    data: Mapping[str, Any] = field(repr=False)  # the command's full output; this is what is stored

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "GameSummary":
        """Return a game from plain data; raise KeyError, TypeError or ValueError if invalid."""
        luck = data["luck_log"]
        return cls(
            int(data["judged"]),
            int(data["by_search"]),
            float(data["match_rate"]),
            float(data["points_lost"]),
            None if luck is None else float(luck),
            {str(grade): int(n) for grade, n in data["grades"].items()},
            tuple(map(CoursePhase.of, data["phases"])),
            bool(data["complete"]),
            data,
        )


@dataclass(frozen=True)
class StoredAnalysis:
    """A game as stored; the fields are those of the database."""

    id: int  # 0 until it is stored
    at: datetime
    path: Path
    recorded_as: str
    moves: int
    points: int
    largest_tile: int
    covered: int
    is_complete: bool
    problems: tuple[str, ...]
    reports: Mapping[str, Path]
    segments: tuple[StoredSegment, ...]
    game: GameSummary | None = None  # None if it was not judged as a whole

    @property
    def files(self) -> list[Path]:
        return [*self.reports.values(), *(one.rpl for one in self.segments if one.rpl)]


class Analyses(Store):
    """The analyses in the user's database."""

    def keep(self, one: StoredAnalysis) -> int:
        """Store an analysis and return its id: the one it has, unless another has taken that."""
        with self.writing():
            if self.connection.execute("SELECT 1 FROM analysis WHERE id = ?", (one.id,)).fetchone():
                one = replace(one, id=0)
            row = self.connection.execute(
                "INSERT INTO analysis VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", _row_of(one)
            )
            number = int(row.lastrowid or 0)
            self.connection.executemany(
                "INSERT INTO analysis_segment VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (number, i, *figures, json.dumps(dict(grades)), str(rpl or ""))
                    for i, part in enumerate(one.segments)
                    for *figures, grades, rpl in [astuple(part)]
                ],
            )
        return number

    def latest(self, most: int = 200) -> list[StoredAnalysis]:
        with self.reading():
            rows = self.connection.execute(
                "SELECT * FROM analysis ORDER BY at DESC, id DESC LIMIT ?", (most,)
            ).fetchall()
            return [self._read(row) for row in rows]

    def remove(self, number: int) -> None:
        """Delete an analysis; its files stay."""
        with self.writing():
            self.connection.execute("DELETE FROM analysis WHERE id = ?", (number,))

    def _read(self, row: sqlite3.Row) -> StoredAnalysis:
        parts = self.connection.execute(
            "SELECT * FROM analysis_segment WHERE analysis = ? ORDER BY number", (row["id"],)
        )
        values = dict(row) | {
            "at": datetime.fromisoformat(row["at"]),
            "path": Path(row["path"]),
            "problems": tuple(json.loads(row["problems"])),
            "reports": {kind: Path(path) for kind, path in json.loads(row["reports"]).items()},
            "game": GameSummary.of(json.loads(row["game"])) if row["game"] else None,
            "segments": tuple(map(_read_segment, parts)),
        }
        return StoredAnalysis(is_complete=bool(values.pop("complete")), **values)


def _row_of(one: StoredAnalysis) -> tuple[object, ...]:
    return (
        one.id or None,
        one.at.isoformat(),
        escaped(str(one.path)),
        one.recorded_as,
        one.moves,
        one.points,
        one.largest_tile,
        one.covered,
        one.is_complete,
        json.dumps(one.problems),
        json.dumps({kind: str(path) for kind, path in one.reports.items()}),
        json.dumps(one.game.data) if one.game else "",
    )


def _read_segment(row: sqlite3.Row) -> StoredSegment:
    values: list[Any] = list(row)[2:]  # after its analysis and number
    values[-2:] = json.loads(values[-2]), Path(values[-1]) if values[-1] else None
    return StoredSegment(*values)
