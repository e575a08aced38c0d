"""``tests.db``, and the files of tests and their logs in ``tests/``."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PureWindowsPath
from typing import Any

from coach.exam.history import FOLDER
from coach.exam.run_rows import row_of, stored_move
from coach.exam.session_file import (
    CURRENT,
    SessionFileError,
    add_move,
    file_name,
    read_session,
    session_from_json,
)
from coach.mistakes.mistake import microseconds
from coach.old_files.reading import OldFiles
from coach.old_files.runs import aware, differ, left_out
from coach.play.run import Run
from coach.record.database import insert_row, sound_rows
from coach.record.runs import GRADE_COLUMNS, StoredMove, insert_moves, moves_of
from coach.recordings.recording import written_at
from engine.bitboard import DIRECTIONS
from engine.platform.files.damaged_file import is_set_aside
from engine.platform.files.input_file import read_limited
from engine.platform.language import tr

SUFFIX = ".log"


@dataclass(frozen=True)
class LoggedSession:
    """A test read from its log."""

    session: Run
    moved: datetime | None  # when its last move was made, if that is known


def read_session_log(path: Path) -> LoggedSession:
    """Return the test in a log, up to the first invalid line.

    Raises SessionFileError if even its first line is unusable.
    """
    try:
        first, *lines = read_limited(path, 256 << 20).split(b"\n")[:-1] or [b""]
    except OSError as error:
        raise SessionFileError(
            "cannot read {path}: {reason}", path=path, reason=error.strerror or error
        ) from error
    try:
        session = session_from_json(first)
    except SessionFileError as error:
        raise SessionFileError(
            "{path} cannot be used: {reason}", path=path, reason=error
        ) from error
    times = [_time(entry) for entry in json.loads(first)["moves"]]
    for line in lines:
        try:
            entry = None if line == b"u" else json.loads(line)
            if entry is None and not session.undo():
                break
            if entry is not None:
                add_move(session, entry)
        except (ValueError, RecursionError):
            break
        times = [*times, _time(entry)] if entry else times[:-1]
    return LoggedSession(session, times[-1] if times else None)


def _time(entry: dict[str, Any]) -> datetime | None:
    try:
        return datetime.fromisoformat(entry["at"])
    except (KeyError, TypeError, ValueError):
        return None


NAME = "tests.db"
MIGRATIONS = (
    f"""
    CREATE TABLE tests (
        id INTEGER PRIMARY KEY,
        ended TEXT NOT NULL,
        name TEXT NOT NULL,
        spawn4 REAL NOT NULL,
        n_moves INTEGER NOT NULL,
        match_rate REAL NOT NULL,
        {" ".join(f"{name} INTEGER NOT NULL," for name in GRADE_COLUMNS)}
        n_forced INTEGER NOT NULL,
        longest_combo INTEGER NOT NULL,
        largest_loss REAL NOT NULL,
        n_undos INTEGER NOT NULL,
        played_ms INTEGER NOT NULL,
        seconds_per_move INTEGER NOT NULL,
        seed TEXT NOT NULL,
        start TEXT NOT NULL,
        outcome TEXT NOT NULL,
        path TEXT NOT NULL UNIQUE
    );
    CREATE INDEX tests_by_name ON tests (name, ended);
    CREATE INDEX tests_by_date ON tests (ended);
    """,
    "ALTER TABLE tests ADD COLUMN perfect_within REAL NOT NULL DEFAULT 0",
    "ALTER TABLE tests ADD COLUMN goal_moves INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE tests ADD COLUMN ends_at_miss INTEGER NOT NULL DEFAULT 0;",
)
_DIGITS = "length({0}) = 16 AND {0} NOT GLOB '*[^0-9a-f]*'"
SOUND = {
    "tests": " AND ".join(
        [
            "datetime(ended) IS NOT NULL",
            "match_rate BETWEEN 0 AND 1.000001 AND spawn4 BETWEEN 0 AND 1",
            "largest_loss BETWEEN 0 AND 1",
            "n_moves BETWEEN 0 AND 1 << 31",
            "played_ms BETWEEN 0 AND 1 << 50",
            *(f"{name} BETWEEN 0 AND 1 << 31" for name in (*GRADE_COLUMNS, "n_forced")),
            "longest_combo BETWEEN 0 AND 1 << 31 AND n_undos BETWEEN 0 AND 1 << 31",
            "seconds_per_move BETWEEN 0 AND 3600",
            "perfect_within BETWEEN 0 AND 100",
            "goal_moves BETWEEN 0 AND 100000 AND ends_at_miss BETWEEN 0 AND 1",
            _DIGITS.format("seed"),
            _DIGITS.format("start"),
            "instr(path, char(0)) = 0",
        ]
    )
}
_FIGURES = (
    "spawn4 n_moves match_rate n_forced longest_combo largest_loss n_undos played_ms"  # no text
    " seconds_per_move seed start outcome perfect_within goal_moves ends_at_miss"  # no text
)
_SAME = (*_FIGURES.split(), *GRADE_COLUMNS)
_NOT_LISTED = (
    *("played", "target", "rate", "walls", "symmetry", "is_given", "allows_undo"),
    *("leaves_out_forced", "points_lost"),
)
"""What only the file of a test says."""
_SECOND = 1_000_000


class ListReader:
    """Reads ``tests.db``: the list of tests, which need not have files."""

    name = NAME

    def read(self, old: OldFiles, new: sqlite3.Connection) -> Mapping[str, int]:
        """Store the entries of the list; the moves follow."""
        entries = self._entries(old)
        for row in entries:
            insert_row(new, "run", row)
        if n := old.n_rows(NAME, MIGRATIONS, "tests") - sum(1 for _ in self._rows(old)):
            old.problems.append(left_out(n, old.folder / NAME))
        return {"run": len(entries)}

    def check(self, old: OldFiles, new: sqlite3.Connection) -> None:
        wanted = self._entries(old)
        names = ", ".join(wanted[0]) if wanted else "id"
        stored = new.execute(f"SELECT {names} FROM run WHERE kind = 'exam' ORDER BY id").fetchall()
        if stored != [tuple(row.values()) for row in wanted]:
            raise differ(old.folder / NAME)

    def _entries(self, old: OldFiles) -> list[dict[str, object]]:
        """Return one entry for each test: once the data had moved, some were listed again."""
        return list({row["name"]: row for row in self._rows(old)}.values())

    def _rows(self, old: OldFiles) -> Iterator[dict[str, object]]:
        source = old.database(NAME, MIGRATIONS)
        if source is None:
            return
        sound = sound_rows(source, "tests", SOUND)
        names = ", ".join(("path", "ended", "name", *_SAME))
        for path, ended, table, *same in old.rows(
            NAME, f"SELECT {names} FROM tests WHERE {sound} ORDER BY id"
        ):
            when = microseconds(aware(datetime.fromisoformat(ended)))
            yield {
                "kind": "exam",
                # From any system: the data may have moved.
                "name": PureWindowsPath(path).name,
                "played": when,
                "ended": when,
                "table_name": table,
                **dict(zip(_SAME, same, strict=True)),
            }


@dataclass(frozen=True)
class _Unfinished:
    """A test that was in play, or that a crash left."""

    session: Run
    path: Path
    moved: datetime | None = None  # when the last move was made, if that is known


class FilesReader:
    """Reads the files of tests, and the test in play with its log.

    A file that is not on the list was removed from it: it only counts in the profile. Without a
    list, all are on it.
    """

    name = FOLDER

    def read(self, old: OldFiles, new: sqlite3.Connection) -> Mapping[str, int]:
        row = new.execute("SELECT counts FROM old_file WHERE name = ?", (NAME,)).fetchone()
        is_listed = row is None or "run" not in json.loads(row[0])
        paths = _finished(old.folder / FOLDER)
        for i, path in enumerate(paths):
            old.show(i / len(paths))
            if session := _readable(path, old):
                _store(new, path.name, session, _ended(session, path), is_listed)
        self._read_unfinished(old, new)
        sql = "SELECT (SELECT count(*) FROM run WHERE kind = 'exam'), count(*) FROM move"
        return dict(zip(("run", "move"), new.execute(sql).fetchone(), strict=True))

    def check(self, old: OldFiles, new: sqlite3.Connection) -> None:
        """Compare every move with those in the files, taken as plain JSON."""
        for path in _finished(old.folder / FOLDER):
            sql = "SELECT id FROM run WHERE kind = 'exam' AND name = ? AND ended IS NOT NULL"
            row = new.execute(sql, (path.name,)).fetchone()
            if row is None and not _is_readable(path):
                continue
            if row is None or moves_of(new, row[0]) != _plain_moves(path):
                raise differ(path)

    def _read_unfinished(self, old: OldFiles, new: sqlite3.Connection) -> None:
        """Store the last test as the one in play, unless it is over; others count as given up."""
        found = [one for one in _unfinished(old) if not _list_if_whole(one.session, new)]
        for one in found:
            ended = None if one is found[-1] else _ended(one.session, one.path)
            name = file_name(one.session)
            _store(new, name, one.session, ended, is_listed=True, moved=one.moved)


def _unfinished(old: OldFiles) -> list[_Unfinished]:
    """Return the tests of ``current.json`` and the logs, the latest one last."""
    folder = old.folder / FOLDER
    current = folder / CURRENT
    found: list[_Unfinished] = []
    if current.exists() and (session := _readable(current, old)):
        found.append(_Unfinished(session, current))
    logs = [path for path in folder.glob(f"*{SUFFIX}") if not is_set_aside(path)]
    for path in sorted(logs, key=lambda log: log.stat().st_mtime_ns):
        try:
            logged = read_session_log(path)
        except SessionFileError as error:
            old.problems.append(_skipped(error))
            continue
        name = file_name(logged.session)
        found = [one for one in found if file_name(one.session) != name]
        found.append(_Unfinished(logged.session, path, logged.moved))
    return [one for one in found if one.session.n_moves]


def _list_if_whole(session: Run, new: sqlite3.Connection) -> bool:
    """Put a test on the list that is whole in a file of its own; return whether it is."""
    sql = "SELECT id, n_undos, n_moves FROM run WHERE kind = 'exam' AND name = ?"
    row = new.execute(sql, (file_name(session),)).fetchone()
    is_whole = row is not None and row[1] == session.n_undos and row[2] >= session.n_moves
    if is_whole:
        new.execute("UPDATE run SET is_listed = 1 WHERE id = ?", (row[0],))
    return is_whole


def _store(
    new: sqlite3.Connection,
    name: str,
    session: Run,
    ended: datetime | None,
    is_listed: bool,
    moved: datetime | None = None,
) -> None:
    """Store a test with its moves; one that is on the list stays there as it is."""
    row: dict[str, object] = row_of(session)
    row["ended"] = microseconds(ended) if ended else None
    row["moved"] = microseconds(moved) if moved else None
    known = new.execute("SELECT id, ended FROM run WHERE kind = 'exam' AND name = ?", (name,))
    found = known.fetchone()
    if found is None:
        number = insert_row(new, "run", {"name": name, "is_listed": is_listed, **row})
    else:
        number = found[0]
        if ended is not None:  # what was found out when it ended stays
            row = {name: row[name] for name in _NOT_LISTED}
            if session.ended and microseconds(session.ended) // _SECOND == found[1] // _SECOND:
                row["ended"] = microseconds(session.ended)
        names = ", ".join(f"{name} = ?" for name in row)
        new.execute(f"UPDATE run SET {names} WHERE id = ?", (*row.values(), number))
        new.execute("DELETE FROM move WHERE run = ?", (number,))
    insert_moves(new, number, map(stored_move, session.moves))


def _finished(folder: Path) -> list[Path]:
    found = [path for path in sorted(folder.glob("*.json")) if not is_set_aside(path)]
    return [path for path in found if path.name != CURRENT]


def _readable(path: Path, old: OldFiles) -> Run | None:
    try:
        return read_session(path)
    except SessionFileError as error:
        old.problems.append(_skipped(error))
        return None


def _is_readable(path: Path) -> bool:
    try:
        read_session(path)
    except SessionFileError:
        return False
    return True


def _skipped(error: SessionFileError) -> str:
    return tr("{why}; the file was skipped and is unchanged", why=error)


def _ended(session: Run, path: Path) -> datetime:
    return session.ended or written_at(path) or session.started


def _plain_moves(path: Path) -> list[StoredMove]:
    return [
        StoredMove(
            DIRECTIONS.index(one["move"]),
            None,
            one["cell"],
            one["tile"] // 2,
            tuple(one["rates"]),
            sum(1 << DIRECTIONS.index(way) for way in one.get("unknown", ())),
            one["ms"],
            one.get("retry", False),
        )
        for one in json.loads(path.read_bytes())["moves"]
    ]


LISTED_TESTS, TESTS = ListReader(), FilesReader()
