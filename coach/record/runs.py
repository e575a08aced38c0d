"""Runs and their moves: everything a person played, move by move, and what was judged of it.

A run is a test, a run along a route, an attempt at a situation, the guesses of a day in Practice,
or a whole game. Its row holds what lists and charts need. A move is stored when it is made; what a
profile asks of it (``lost`` to ``ai_lost``) follows once it is judged, see `coach.profile`.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from coach.record.database import Store
from coach.record.schema import GRADE_COLUMNS as GRADE_COLUMNS
from engine.bitboard import DIRECTIONS
from engine.formats.replay import Rates

M = TypeVar("M")


class StoredMove(NamedTuple):
    """A move as it was made."""

    direction: int | None
    made: int | None  # the move on the board, if it is another one
    # The new tile.
    cell: int | None
    exponent: int | None
    rates: Rates | None  # of the position before it
    unknown: int  # the directions whose rate is not known, as bits
    ms: int | None
    is_retry: bool = False

    @property
    def unknown_moves(self) -> tuple[int, ...]:
        """The directions whose rate is not known."""
        return tuple(way for way in range(4) if self.unknown >> way & 1)

    @property
    def columns(self) -> tuple[object, ...]:
        return (*self[:4], *(self.rates or (None,) * 4), *self[5:])

    @classmethod
    def of_columns(cls, row: Sequence[Any]) -> "StoredMove":
        """Return the move in a row; raise TypeError or ValueError if it isn't ours."""
        for value in row:
            if value is not None and not isinstance(value, int | float):
                raise TypeError(repr(value)[:40])
        if any(rate is not None and not 0 <= rate <= 1 for rate in row[4:8]):
            raise ValueError(repr(row[4:8])[:80])
        left, right, up, down = row[4:8]
        is_rated = any(rate is not None for rate in row[4:8])
        rates = (left, right, up, down) if is_rated else None
        direction, made, cell, exponent = row[:4]
        return cls(direction, made, cell, exponent, rates, row[8], row[9], bool(row[10]))


_MADE = ("direction", "made", "cell", "exponent", *(f"rate_{way}" for way in DIRECTIONS))
MOVE_COLUMNS = (*_MADE, "unknown", "ms", "is_retry")
"""The columns of a `StoredMove`."""


def insert_moves(
    db: sqlite3.Connection, run: int, moves: Iterable[StoredMove], first: int = 1
) -> None:
    """Store moves of a run from number `first` on."""
    names, marks = ", ".join(MOVE_COLUMNS), ", ".join("?" * (2 + len(MOVE_COLUMNS)))
    db.executemany(
        f"INSERT INTO move (run, number, {names}) VALUES ({marks})",
        [(run, at, *move.columns) for at, move in enumerate(moves, first)],
    )


def moves_of(db: sqlite3.Connection, run: int) -> list[StoredMove]:
    sql = f"SELECT {', '.join(MOVE_COLUMNS)} FROM move WHERE run = ? ORDER BY number"
    return [StoredMove.of_columns(row) for row in db.execute(sql, (run,))]


@dataclass(frozen=True)
class RemovedRun:
    """A run that was removed, with its moves: the rows as they were."""

    row: Mapping[str, Any]
    moves: tuple[Mapping[str, Any], ...]


class Runs(Store):
    """The runs in the database of a person; `coach.exam.history` and others read them."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        # The run written last and its moves in the file: mostly one more follows.
        self._latest: tuple[int, list[StoredMove]] = 0, []

    def write_run(
        self,
        number: int,
        row: Mapping[str, object],
        moves: Sequence[M],
        stored: Callable[[M], StoredMove],
    ) -> int:
        """Store a run as it is now, writing what is new, and return its number.

        Parameters
        ----------
        number : int
            The number of a stored run; 0 or that of no run stores a new one.
        moves : sequence
            All of them. Those taken back are deleted, and with them what was judged of them.
        """
        written = self._written(number)
        n_same = min(len(written), len(moves))  # moves are only added and taken back
        while n_same and written[n_same - 1] != stored(moves[n_same - 1]):
            n_same -= 1
        new = list(map(stored, moves[n_same:]))
        with self.writing() as db:
            before = self.row(number) if number else None
            if before is None:
                number = self.insert("run", {"id": number or None, **row})
            else:
                if written and not new and n_same == len(written):
                    row = _with_times_of(before, row)  # nothing was played
                names = ", ".join(f"{name} = ?" for name in row)
                db.execute(f"UPDATE run SET {names} WHERE id = ?", (*row.values(), number))
            if n_same < len(written):
                db.execute("DELETE FROM move WHERE run = ? AND number > ?", (number, n_same))
                db.execute(
                    "UPDATE run SET n_judged = min(n_judged, ?) WHERE id = ?", (n_same, number)
                )
            insert_moves(db, number, new, n_same + 1)
        self._latest = number, [*written[:n_same], *new]
        return number

    def row(self, number: int) -> sqlite3.Row | None:
        found: sqlite3.Row | None = self.rows(
            "SELECT * FROM run WHERE id = ?", (number,)
        ).fetchone()
        return found

    def moves(self, number: int) -> list[StoredMove]:
        return moves_of(self.connection, number)

    def take_out(self, where: str, values: Sequence[object]) -> tuple[RemovedRun, ...]:
        """Delete runs and return them for `put_back`; call within `writing`."""
        found = self.rows(f"SELECT * FROM run WHERE {where} ORDER BY id", values).fetchall()
        removed = []
        for row in found:
            moves = self.rows("SELECT * FROM move WHERE run = ? ORDER BY number", (row["id"],))
            removed.append(RemovedRun(dict(row), tuple(map(dict, moves))))
            self.rows("DELETE FROM run WHERE id = ?", (row["id"],))
        self._latest = 0, []
        return tuple(removed)

    def put_back(self, removed: RemovedRun, **changes: object) -> int | None:
        """Store a removed run again and return its number, a new one if that was taken.

        None if there is another run with the same key. Call within `writing`.
        """
        row = {**removed.row, **changes}
        if self.row(removed.row["id"]) is not None:
            row["id"] = None
        before = self.connection.total_changes
        number = self.insert("run", row, "INSERT OR IGNORE")
        if self.connection.total_changes == before:
            return None
        for move in removed.moves:
            self.insert("move", {**move, "run": number})
        return number

    def _written(self, number: int) -> list[StoredMove]:
        if self._latest[0] != number or not number:
            self._latest = number, self.moves(number) if number else []
        return self._latest[1]


def _with_times_of(before: sqlite3.Row, row: Mapping[str, object]) -> Mapping[str, object]:
    """Return a row with the times of a stored one if it ended no more than that."""
    is_same = (before["outcome"], before["ended"] is None) == (
        row.get("outcome"),
        row.get("ended") is None,
    )
    return {**row, "played": before["played"], "ended": before["ended"]} if is_same else row
