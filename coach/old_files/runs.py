"""Runs and moves of old files as rows of the new database."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from coach.old_files.reading import OldFiles, ReadingError
from coach.record.database import insert_row
from coach.record.runs import StoredMove, insert_moves, moves_of
from engine.platform.language import trn

RunRow = tuple[dict[str, Any], list[StoredMove]]
"""The columns of a run, and its moves."""


class RunsReader(ABC):
    """Reads runs; each is called as the profile of its time calls it."""

    name: str
    migrations: Sequence[str]
    table: str  # of the runs

    @abstractmethod
    def runs(self, old: OldFiles) -> Iterator[RunRow]:
        """Yield the runs; what can't be read of them is noted in `old.problems`."""

    def read(self, old: OldFiles, new: sqlite3.Connection) -> Mapping[str, int]:
        n_runs = n_moves = 0
        for row, moves in self.runs(old):
            number = row.get("id")
            if new.execute("SELECT 1 FROM run WHERE id = ?", (number,)).fetchone():
                number = None
            insert_moves(new, insert_row(new, "run", {**row, "id": number}), moves)
            n_runs, n_moves = n_runs + 1, n_moves + len(moves)
        if n_left_out := old.n_rows(self.name, self.migrations, self.table) - n_runs:
            old.problems.append(left_out(n_left_out, old.folder / self.name))
        return {"run": n_runs, "move": n_moves}

    def check(self, old: OldFiles, new: sqlite3.Connection) -> None:
        n_problems = len(old.problems)
        for row, moves in self.runs(old):
            names = [name for name in row if name != "id"]
            sql = f"SELECT id, {', '.join(names)} FROM run WHERE kind = ? AND name = ?"
            found = new.execute(sql, (row["kind"], row["name"])).fetchone()
            is_same = found is not None and list(found[1:]) == [row[name] for name in names]
            if not is_same or moves_of(new, found[0]) != moves:
                raise differ(old.folder / self.name)
        del old.problems[n_problems:]  # reported before


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
    return ReadingError("{path} was not copied as it is", path=path)
