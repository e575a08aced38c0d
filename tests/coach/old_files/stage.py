"""A data folder of an earlier version, with rows of every old table that has a like one now."""

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from coach.old_files.databases import DATABASES
from coach.old_files.readers import READERS
from coach.old_files.reading import Watch, read_old_files
from coach.record.database import open_database
from coach.record.user_database import NAME, UserDatabase

BOARD = "1230000000000000"
MISTAKES = """
    INSERT INTO mistake (id, table_name, spawn4, board, symmetry, rate_left, rate_up, best, count,
        total_loss, worst_loss, grade, first, last, run, card, due) VALUES
        (3, 'L3_512', 0.1, '1230000000000000', 'full', 0.9, 0.1, 1, 2, 0.3, 0.2, 4, 5, 9, 1,
            '{"card": 1}', 77),
        (7, 'L3_512', 0.1, '1230000000000001', 'full', 0.9, NULL, 1, 1, 0.0, 0.0, 4, 5, 9, 0,
            NULL, NULL);
    INSERT INTO attempt VALUES (1, 3, 5, 2, 0.1, 4, 'a.json', 17), (4, 3, 9, 2, 0.2, 4, 'b', 1),
        (5, 7, 5, 3, NULL, NULL, 'Ä 谜', 2);
    INSERT INTO answer VALUES (2, 3, 11, 0, 1, 2.5, 1);
    INSERT INTO tag VALUES (3, 'edge'), (3, '谜');
"""
PUZZLES = """
    INSERT INTO puzzle (id, table_name, spawn4, board, symmetry, rate_left, rate_up, rating,
        deviation, found, origin) VALUES (5, 'L3_512', 0.1, '1230000000000000', 'full', 0.9, 0.1,
        1500.5, 80.25, 99, 'games');
    INSERT INTO answer VALUES (6, 5, 100, 0, 1, 3.5, 1, 1510.5, 300.0);
    INSERT INTO daily VALUES ('2026-03-01', 'L3_512', 0.1, 5);
"""
ANALYSES = """
    INSERT INTO analyses (id, at, path, recorded_as, moves, points, largest_tile, covered,
        complete, problems, reports) VALUES (2, '2026-03-01T12:00:00+00:00', 'a.txt', 'rec', 9, 8,
        4, 3, 1, '[]', '{}');
    INSERT INTO segments VALUES (2, 0, 'L3_512', 1, 3, 'end', 3, 0.5, 0.25, NULL, 1.0, 0.5, '{}',
        '');
"""
OLD: Mapping[str, tuple[Sequence[str], str]] = {
    reader.name: (reader.migrations, sql)
    for reader, sql in zip(DATABASES, (MISTAKES, PUZZLES, ANALYSES), strict=True)
}
SAME = {
    "mistakes.db": {
        "mistake": "mistake",
        "attempt": "mistake_attempt",
        "answer": "mistake_answer",
        "tag": "mistake_tag",
    },
    "puzzles.db": {"puzzle": "puzzle", "answer": "puzzle_answer", "daily": "puzzle_daily"},
    "analyses.db": {"analyses": "analysis", "segments": "analysis_segment"},
}


def make_old(folder: Path, name: str, n_migrations: int | None = None) -> None:
    """Write an old database as the program of that time left it."""
    migrations, rows = OLD[name]
    with closing(open_database(folder / name, migrations[:n_migrations])) as db:
        for statement in rows.split(";\n"):
            db.execute(statement)


def make_all(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for name in OLD:
        make_old(folder, name)
    return folder


def rows_of(path: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()


def old_rows(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    return {
        new: rows_of(folder / name, old)
        for name, names in SAME.items()
        for old, new in names.items()
    }


def new_rows(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    return {new: rows_of(folder / NAME, new) for names in SAME.values() for new in names.values()}


def state_of(folder: Path) -> dict[str, str]:
    """Return a digest of each file and folder but those of the new database."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not name.startswith("user."):
            is_file = path.is_file()
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest() if is_file else ""
    return found


def read(folder: Path, watch: Watch | None = None) -> None:
    read_old_files(folder, READERS, watch)


def database(folder: Path, watch: Watch | None = None) -> UserDatabase:
    return UserDatabase(folder, lambda where: read(where, watch))
