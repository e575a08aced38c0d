"""Runs and moves of old files as rows of the new database."""

import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from pathlib import Path

from coach.old_files.reading import ReadingError
from coach.record.runs import MOVE_COLUMNS, StoredMove
from engine.platform.language import tr, trn

_NAMES = ", ".join(MOVE_COLUMNS)


def add_run(new: sqlite3.Connection, row: Mapping[str, object]) -> int:
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    sql = f"INSERT INTO run ({names}) VALUES ({marks})"
    return int(new.execute(sql, tuple(row.values())).lastrowid or 0)


def add_moves(new: sqlite3.Connection, run: int, moves: Iterable[StoredMove]) -> None:
    marks = ", ".join("?" * (2 + len(MOVE_COLUMNS)))
    rows = [(run, number, *move.columns) for number, move in enumerate(moves, 1)]
    new.executemany(f"INSERT INTO move (run, number, {_NAMES}) VALUES ({marks})", rows)


def moves_of(new: sqlite3.Connection, run: int) -> list[StoredMove]:
    rows = new.execute(f"SELECT {_NAMES} FROM move WHERE run = ? ORDER BY number", (run,))
    return [StoredMove.of_columns(row) for row in rows]


def aware(when: datetime) -> datetime:
    """Return a time with its zone, that of UTC if it has none."""
    return when if when.tzinfo else when.replace(tzinfo=timezone.utc)


def left_out(n: int, path: Path) -> str:
    return trn(
        "{n} entry of {path} was not written by this program: it was skipped and is still there",
        "{n:,} entries of {path} were not written by this program: they were skipped and are still "
        "there",
        n,
        path=path,
    )


def differ(path: Path) -> ReadingError:
    return ReadingError(tr("{path} was not copied as it is", path=path))
