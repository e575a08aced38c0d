"""A person's mistakes in ``user.db``: filing, finding, deleting and restoring them."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from coach.grading.grade import GRADES, Rates
from coach.grading.position import canonical_turn
from coach.mistakes.mistake import (
    Attempt,
    Mistake,
    NotedMove,
    TableKey,
    directions_of,
    mask_of,
    microseconds,
    time_of,
)
from coach.mistakes.query import ALL, Query, in_chunks, selection
from coach.mistakes.to_drill import THRESHOLD, is_to_drill
from coach.record.database import DatabaseFile, Store
from engine.bitboard import format_board

_REFRESH = """
UPDATE mistake SET
    count = unlisted + (SELECT count(*) FROM mistake_attempt WHERE mistake_id = mistake.id),
    total_loss = unlisted_loss
        + (SELECT coalesce(sum(loss), 0) FROM mistake_attempt WHERE mistake_id = mistake.id),
    worst_loss = max(unlisted_worst,
        (SELECT coalesce(max(loss), 0) FROM mistake_attempt WHERE mistake_id = mistake.id)),
    grade = max(unlisted_grade,
        (SELECT coalesce(max(grade), 1) FROM mistake_attempt WHERE mistake_id = mistake.id)),
    first = (SELECT min(at) FROM (SELECT at FROM mistake_attempt WHERE mistake_id = mistake.id
        UNION ALL SELECT unlisted_first)),
    last = (SELECT max(at) FROM (SELECT at FROM mistake_attempt WHERE mistake_id = mistake.id
        UNION ALL SELECT unlisted_last)),
    n_right = (SELECT count(*) FROM mistake_answer WHERE mistake_id = mistake.id AND is_right),
    n_wrong = (SELECT count(*) FROM mistake_answer WHERE mistake_id = mistake.id AND NOT is_right)
"""
_CHILDREN = ("mistake_attempt", "mistake_answer", "mistake_tag")
"""The tables whose rows belong to one of `mistake`."""


@dataclass(frozen=True)
class Deleted:
    """All data of deleted mistakes, to restore them as they were."""

    rows: dict[str, list[sqlite3.Row]]

    @property
    def n_mistakes(self) -> int:
        return len(self.rows["mistake"])


class Mistakes(Store):
    """The mistakes in the user's database.

    `threshold` in [0, 1]: moves whose ratio is this or higher are not filed; see `to_drill`.
    """

    def __init__(self, file: DatabaseFile, threshold: float = THRESHOLD) -> None:
        super().__init__(file)
        self.threshold = threshold

    def note(self, move: NotedMove) -> int | None:
        """File a judged move if it is a mistake; return its id, or None for a good enough move.

        A ratio of 0 never is good enough. A repeated mistake becomes due again, retired or not; a
        move that is filed already, as when a game is analyzed again, leaves the drills alone.
        """
        judgement = move.judgement
        if not is_to_drill(judgement, self.threshold):
            return None
        turn, at = canonical_turn(move.board, move.symmetry), microseconds(move.when)
        best = [turn.directions[one] for one in judgement.best]
        made = turn.directions[judgement.direction]
        attempt = Attempt(
            move.when, made, judgement.loss, judgement.grade, move.source, move.number
        )
        with self.writing() as db:
            mistake_id, _ = self.find_or_add(move.key, turn.board, move.symmetry, best)
            self.fill_rates([(mistake_id, turn.moved(move.rates), best)])
            if self.add_attempts(mistake_id, [attempt]):
                db.execute(
                    "UPDATE mistake SET run = 0, retired = NULL, due = min(coalesce(due, ?), ?) "
                    "WHERE id = ?",
                    (at, at, mistake_id),
                )
            self.refresh([mistake_id])
        return mistake_id

    def without_rates(self, key: TableKey, most: int) -> list[tuple[int, int]]:
        """Return id and board of mistakes without rates, costliest first."""
        sql = (
            "SELECT id, board FROM mistake WHERE table_name = ? AND spawn4 = ? "
            "AND coalesce(rate_left, rate_right, rate_up, rate_down) IS NULL "
            "ORDER BY total_loss DESC, id LIMIT ?"
        )
        with self.reading():
            return [(one, int(board, 16)) for one, board in self.tuples(sql, (*key, most))]

    def fill_rates(self, found: Iterable[tuple[int, Rates, Sequence[int]]]) -> None:
        with self.writing() as db:
            db.executemany(
                "UPDATE mistake SET rate_left = ?, rate_right = ?, rate_up = ?, rate_down = ?, "
                "best = ? WHERE id = ?",
                [(*rates, mask_of(best), one) for one, rates, best in found],
            )

    def ids(self, query: Query = ALL) -> list[int]:
        """Return the ids that a query selects, in its order; InvalidBoardError for its board."""
        with self.reading():
            sql, values = selection(query)
            return [row[0] for row in self.tuples(sql, values)]

    def get(self, ids: Iterable[int]) -> dict[int, Mistake]:
        """Return mistakes by id; deleted ones are missing."""
        found = {}
        with self.reading():
            for chunk, marks in in_chunks(ids):
                tags: dict[int, list[str]] = {}
                those = f"WHERE mistake_id IN ({marks})"  # no text
                sql = f"SELECT mistake_id, name FROM mistake_tag {those} ORDER BY 2"
                for mistake_id, name in self.rows(sql, chunk):
                    tags.setdefault(mistake_id, []).append(name)
                for row in self.rows(f"SELECT * FROM mistake WHERE id IN ({marks})", chunk):
                    found[row["id"]] = _mistake(row, tags.get(row["id"], ()))
        return found

    def attempts(self, mistake_id: int) -> list[Attempt]:
        """Return all attempts at a mistake, latest first."""
        sql = "SELECT * FROM mistake_attempt WHERE mistake_id = ? ORDER BY at DESC, id DESC"
        with self.reading():
            return [_attempt(row) for row in self.rows(sql, [mistake_id])]

    def ids_of_board(self, table: str, board: int, symmetry: str) -> list[int]:
        """Return the mistakes at a position, in any orientation, of all tables with a name."""
        sql = "SELECT id FROM mistake WHERE table_name = ? AND board = ? ORDER BY id"
        form = format_board(canonical_turn(board, symmetry).board)
        with self.reading():
            return [row[0] for row in self.tuples(sql, (table, form))]

    def latest_seconds(self, most: int) -> list[float]:
        """Return the times of the latest answers in drills, where known."""
        sql = (
            "SELECT seconds FROM mistake_answer WHERE seconds IS NOT NULL ORDER BY at DESC LIMIT ?"
        )
        with self.reading():
            return [row[0] for row in self.tuples(sql, (most,))]

    def answered_since(self, when: datetime) -> set[int]:
        sql = "SELECT DISTINCT mistake_id FROM mistake_answer WHERE at >= ?"
        with self.reading():
            return {row[0] for row in self.tuples(sql, (microseconds(when),))}

    def tables(self) -> list[TableKey]:
        found: list[TableKey] = []
        with self.reading():
            # Skip from one to the next by the index, however many mistakes each has.
            first = "SELECT table_name, spawn4 FROM mistake WHERE {} ORDER BY 1, 2 LIMIT 1"
            rows = self.tuples(first.format("1"))
            while rows:
                key = TableKey(*rows[0])
                found.append(key)
                rows = self.tuples(first.format("table_name = ? AND spawn4 > ?"), key) or (
                    self.tuples(first.format("table_name > ?"), key[:1])
                )
        return found

    def tags(self) -> list[str]:
        with self.reading():
            return [row[0] for row in self.rows("SELECT DISTINCT name FROM mistake_tag ORDER BY 1")]

    def count(self) -> int:
        with self.reading():
            return int(next(self.rows("SELECT count(*) FROM mistake"))[0])

    def set_tags(self, mistake_id: int, tags: Iterable[str]) -> None:
        """Give a mistake these tags and no others; blank ones are left out."""
        names = sorted({tag.strip() for tag in tags} - {""})
        with self.writing() as db:
            db.execute("DELETE FROM mistake_tag WHERE mistake_id = ?", (mistake_id,))
            rows = [(mistake_id, name) for name in names]
            db.executemany("INSERT INTO mistake_tag VALUES (?, ?)", rows)

    def delete(self, ids: Iterable[int]) -> Deleted:
        with self.writing():
            return self._delete(ids)

    def restore(self, deleted: Deleted) -> None:
        """Restore deleted mistakes.

        A mistake made again in the meantime keeps its new attempts, answers and tags, too. One
        whose id was taken by another mistake gets a new id.
        """
        again = {}
        with self.writing() as db:
            for row in deleted.rows["mistake"]:
                place = (row["table_name"], row["spawn4"], row["board"])
                if (known := self._id_at(place)) is not None:
                    again[row["id"]] = self._delete([known])
            new_ids = self._insert_mistakes(deleted.rows["mistake"])
            for name in _CHILDREN:
                self._insert_children(name, deleted.rows[name], new_ids)
            for old_id, newer in again.items():
                mistake_id = new_ids[old_id]
                (interim,) = newer.rows["mistake"]
                for name in _CHILDREN:
                    self._insert_children(name, newer.rows[name], {interim["id"]: mistake_id})
                db.execute("UPDATE mistake SET retired = NULL WHERE id = ?", (mistake_id,))
            self.refresh(new_ids[old_id] for old_id in again)

    def add_attempts(self, mistake_id: int, attempts: Iterable[Attempt]) -> int:
        """File attempts that are not filed yet and return their number.

        Call within `writing`, then call `refresh`.
        """
        rows = [
            (
                mistake_id,
                microseconds(one.when),
                one.direction,
                one.loss,
                None if one.grade is None else GRADES.index(one.grade),
                one.source,
                one.move,
            )
            for one in attempts
        ]
        added = self.connection.executemany(
            "INSERT OR IGNORE INTO mistake_attempt (mistake_id, at, direction, loss, grade, "
            "source, move) VALUES (?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        return max(0, added.rowcount)  # -1 when there were none

    def refresh(self, ids: Iterable[int]) -> None:
        """Recompute the sums of mistakes; call within `writing`."""
        for chunk, marks in in_chunks(ids):
            self.connection.execute(f"{_REFRESH} WHERE id IN ({marks})", chunk)

    def find_or_add(
        self, key: TableKey, board: int, symmetry: str, best: Sequence[int], **more: object
    ) -> tuple[int, bool]:
        """Return the id of the mistake at a position, and whether it is new, with `more` columns.

        Call within `writing`.
        """
        place = {"table_name": key.name, "spawn4": key.spawn4, "board": format_board(board)}
        if (known := self._id_at(tuple(place.values()))) is not None:
            return known, False
        row = {**place, "symmetry": symmetry, "best": mask_of(best), **more}
        return self.insert("mistake", row), True

    def _id_at(self, place: tuple[object, ...]) -> int | None:
        sql = "SELECT id FROM mistake WHERE table_name = ? AND spawn4 = ? AND board = ?"
        found = self.rows(sql, place).fetchone()
        return int(found[0]) if found else None

    def _delete(self, ids: Iterable[int]) -> Deleted:
        rows: dict[str, list[sqlite3.Row]] = {name: [] for name in ("mistake", *_CHILDREN)}
        for chunk, marks in in_chunks(ids):
            for name, found in rows.items():
                column = "id" if name == "mistake" else "mistake_id"
                found += self.rows(f"SELECT * FROM {name} WHERE {column} IN ({marks})", chunk)
            self.connection.execute(f"DELETE FROM mistake WHERE id IN ({marks})", chunk)
        return Deleted(rows)

    def _insert_mistakes(self, rows: Iterable[sqlite3.Row]) -> dict[int, int]:
        """Insert rows; return their ids by the ids they had, which SQLite may have reused."""
        new_ids = {}
        for row in rows:
            taken = self.rows("SELECT 1 FROM mistake WHERE id = ?", (row["id"],)).fetchone()
            marks = ",".join("?" * len(row))
            values = (None if taken else row["id"], *tuple(row)[1:])
            added = self.connection.execute(f"INSERT INTO mistake VALUES ({marks})", values)
            new_ids[row["id"]] = int(added.lastrowid or 0)
        return new_ids

    def _insert_children(
        self, name: str, rows: Sequence[sqlite3.Row], new_ids: Mapping[int, int]
    ) -> None:
        """Insert rows of `name` that are not there yet, under new ids of their mistakes."""
        if not rows:
            return
        # Without their own ids, which may have been reused.
        columns = [c for c in rows[0].keys() if c != "id"]  # noqa: SIM118, no mapping
        marks = ",".join("?" * len(columns))
        self.connection.executemany(
            f"INSERT OR IGNORE INTO {name} ({', '.join(columns)}) VALUES ({marks})",
            [[new_ids[row[c]] if c == "mistake_id" else row[c] for c in columns] for row in rows],
        )

    def tuples(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Return a query's rows as plain tuples, which takes a third of the time."""
        cursor = self.connection.cursor()
        cursor.row_factory = None
        return cursor.execute(sql, tuple(values)).fetchall()


def _mistake(row: sqlite3.Row, tags: Sequence[str]) -> Mistake:
    return Mistake(
        id=row["id"],
        key=TableKey(row["table_name"], row["spawn4"]),
        board=int(row["board"], 16),
        symmetry=row["symmetry"],
        rates=(row["rate_left"], row["rate_right"], row["rate_up"], row["rate_down"]),
        best=directions_of(row["best"]),
        count=row["count"],
        total_loss=row["total_loss"],
        worst_loss=row["worst_loss"],
        grade=GRADES[row["grade"]],
        first=time_of(row["first"]),
        last=time_of(row["last"]),
        n_right=row["n_right"],
        n_wrong=row["n_wrong"],
        run=row["run"],
        due=time_of(row["due"]),
        retired=time_of(row["retired"]),
        tags=tuple(tags),
    )


def _attempt(row: sqlite3.Row) -> Attempt:
    when = time_of(row["at"])
    assert when is not None
    grade = None if row["grade"] is None else GRADES[row["grade"]]
    return Attempt(when, row["direction"], row["loss"], grade, row["source"], row["move"])
