"""Old databases whose tables are in ``user.db`` under other names."""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from coach.old_files.reading import OldFiles, ReadingError
from coach.record.database import sound_rows
from coach.record.schema import ANALYSES, MISTAKES, PUZZLES, SOUND
from engine.platform.language import tr, trn


@dataclass(frozen=True)
class SameTable:
    """A table whose columns the new one has, too."""

    old: str
    new: str
    order: str  # the columns of its primary key
    parent: tuple[str, str] | None = None  # a column, and the old table whose `id` it holds


class DatabaseReader:
    """Copies the tables of an old database, and leaves out rows that the program never wrote.

    `migrations` are those of the last version that had it; parents come first in `tables`.
    """

    def __init__(self, name: str, migrations: Sequence[str], tables: Sequence[SameTable]) -> None:
        self.name, self.migrations, self.tables = name, migrations, tables
        self._sound = {one.old: SOUND[one.new] for one in tables if one.new in SOUND}

    def read(self, old: OldFiles, new: sqlite3.Connection) -> Mapping[str, int]:
        source = old.database(self.name, self.migrations)
        if source is None:
            return {}
        counts: dict[str, int] = {}
        wanted = {one.old: old.n_rows(self.name, self.migrations, one.old) for one in self.tables}
        for one in self.tables:
            columns = _columns(source, one)
            marks = ",".join("?" * len(columns))
            sql = f"INSERT INTO {one.new} ({', '.join(columns)}) VALUES ({marks})"
            done = sum(counts.values())
            rows = _shown(self._rows(old, source, one, columns), old, done, sum(wanted.values()))
            new.executemany(sql, rows)
            counts[one.new] = new.execute(f"SELECT count(*) FROM {one.new}").fetchone()[0]
            if n_left_out := wanted[one.old] - counts[one.new]:
                old.problems.append(_left_out(n_left_out, old, self.name, one.old))
        return counts

    def check(self, old: OldFiles, new: sqlite3.Connection) -> None:
        source = old.database(self.name, self.migrations)
        if source is None:
            return
        for one in self.tables:
            columns = _columns(source, one)
            here = f"SELECT {', '.join(columns)} FROM {one.new} ORDER BY {one.order}"
            pairs = zip_longest(self._rows(old, source, one, columns), new.execute(here))
            if not all(there == stored for there, stored in pairs):
                problem = tr("not all rows of its table {name!r} were copied", name=one.old)
                raise ReadingError(f"{old.folder / self.name}: {problem}")

    def _rows(
        self, old: OldFiles, source: sqlite3.Connection, one: SameTable, columns: Sequence[str]
    ) -> Iterator[tuple[Any, ...]]:
        where = sound_rows(source, one.old, self._sound)
        if one.parent:
            column, parent = one.parent
            sound = sound_rows(source, parent, self._sound)
            where += f" AND {column} IN (SELECT id FROM {parent} WHERE {sound})"
        sql = f"SELECT {', '.join(columns)} FROM {one.old} WHERE {where} ORDER BY {one.order}"
        return old.rows(self.name, sql)


def _columns(source: sqlite3.Connection, one: SameTable) -> list[str]:
    """Return the columns of the old table: the new one may get others some day."""
    rows = source.execute("SELECT name FROM pragma_table_info(?)", (one.old,))
    return [str(row[0]) for row in rows]


def _shown(
    rows: Iterator[tuple[Any, ...]], old: OldFiles, done: int, total: int
) -> Iterator[tuple[Any, ...]]:
    for i, row in enumerate(rows):
        if i % 1000 == 0:
            old.show((done + i) / max(1, total))
        yield row


def _left_out(n: int, old: OldFiles, name: str, table: str) -> str:
    return trn(
        "{n} row of the table {table!r} in {path} was not written by this program: it was skipped "
        "and is still there",
        "{n:,} rows of the table {table!r} in {path} were not written by this program: they were "
        "skipped and are still there",
        n,
        path=old.folder / name,
        table=table,
    )


_MISTAKE, _PUZZLE = ("mistake_id", "mistake"), ("puzzle_id", "puzzle")
_MISTAKES_SQL = (
    MISTAKES.replace("mistake_attempt", "attempt")
    .replace("mistake_answer", "answer")
    .replace("mistake_tag", "tag")
)
_PUZZLES_SQL = re.sub(r" +removed INTEGER,.*\n", "", PUZZLES)
_PUZZLES_SQL = _PUZZLES_SQL.replace("puzzle_answer", "answer").replace("puzzle_daily", "daily")
_ANALYSES_SQL = (
    re.sub(r",.*\n +game TEXT.*", "", ANALYSES)
    .replace("analysis_segment", "segments")
    .replace("analysis_at", "analyses_by_time")
    .replace(" analysis (", " analyses (")  # no text
)
DATABASES = (
    DatabaseReader(
        "mistakes.db",
        (_MISTAKES_SQL,),
        (
            SameTable("mistake", "mistake", "id"),
            SameTable("attempt", "mistake_attempt", "id", _MISTAKE),
            SameTable("answer", "mistake_answer", "id", _MISTAKE),
            SameTable("tag", "mistake_tag", "mistake_id, name", _MISTAKE),  # no text
        ),
    ),
    DatabaseReader(
        "puzzles.db",
        (_PUZZLES_SQL, "ALTER TABLE puzzle ADD COLUMN removed INTEGER;"),
        (
            SameTable("puzzle", "puzzle", "id"),
            SameTable("answer", "puzzle_answer", "id", _PUZZLE),
            SameTable("daily", "puzzle_daily", "day, table_name, spawn4", _PUZZLE),  # no text
        ),
    ),
    DatabaseReader(
        "analyses.db",
        (_ANALYSES_SQL, "ALTER TABLE analyses ADD COLUMN game TEXT NOT NULL DEFAULT '';"),
        (
            SameTable("analyses", "analysis", "id"),
            SameTable(
                "segments",
                "analysis_segment",
                "analysis, number",  # no text
                ("analysis", "analyses"),
            ),
        ),
    ),
)
"""The readers of ``mistakes.db``, ``puzzles.db`` and ``analyses.db``."""
