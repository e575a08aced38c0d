"""The history of finished tests: one row each, with statistics over time.

The test itself is a file (`coach.exam.session_file`); the row holds what lists and charts need, so
that they don't have to read a thousand files.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timezone
from pathlib import Path

from coach.exam.query import ALL_TESTS, ExamQuery, condition
from coach.grading.grade import GRADES, Grade
from coach.play.rules import MAX_MOVES, TARGET, End, ExamGoal
from coach.play.run import Run
from coach.record.database import Store

_GRADE_COLUMNS = tuple(grade.value for grade in GRADES)
MIGRATIONS = (
    f"""
    CREATE TABLE tests (
        id INTEGER PRIMARY KEY,
        ended TEXT NOT NULL,
        name TEXT NOT NULL,
        spawn4 REAL NOT NULL,
        n_moves INTEGER NOT NULL,
        match_rate REAL NOT NULL,
        {" ".join(f"{name} INTEGER NOT NULL," for name in _GRADE_COLUMNS)}
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
            *(f"{name} BETWEEN 0 AND 1 << 31" for name in (*_GRADE_COLUMNS, "n_forced")),
            "longest_combo BETWEEN 0 AND 1 << 31 AND n_undos BETWEEN 0 AND 1 << 31",
            "seconds_per_move BETWEEN 0 AND 3600",
            "perfect_within BETWEEN 0 AND 100",
            f"goal_moves BETWEEN 0 AND {MAX_MOVES} AND ends_at_miss BETWEEN 0 AND 1",
            _DIGITS.format("seed"),
            _DIGITS.format("start"),
            "instr(path, char(0)) = 0",
        ]
    )
}


@dataclass(frozen=True)
class FinishedTest:
    """The history's entry for a test."""

    path: Path  # the file of the test; identifies it
    ended: datetime  # in UTC, to the second
    table: str  # the table's name, such as "L3_512"
    spawn4: float
    n_moves: int  # includes forced moves even if they were left out of the score
    match_rate: float
    counts: tuple[int, ...]  # moves by grade, in the order of `GRADES`
    n_forced: int
    longest_combo: int
    largest_loss: float
    n_undos: int
    played_ms: int
    seconds_per_move: int
    seed: int
    start: int
    outcome: str  # a value of `End`, or "" for an abandoned test
    perfect_within: float = 0.0  # percentage points that a perfect move could lose
    goal: ExamGoal = TARGET

    @property
    def perfect_share(self) -> float:
        """The share of perfect moves, in [0, 1]; 1 if none was judged."""
        judged = sum(self.counts)
        return self.counts[GRADES.index(Grade.PERFECT)] / judged if judged else 1.0

    @property
    def is_abandoned(self) -> bool:
        """Whether it was given up before its end; it is listed then, but counts in no figure."""
        return not self.outcome

    @property
    def is_marked(self) -> bool:
        """Whether moves were taken back."""
        return self.n_undos > 0


def summary_of(session: Run, path: Path, ended: datetime) -> FinishedTest:
    """Return the row for a test written to `path`; `ended` must be timezone-aware."""
    score, setup = session.score, session.setup
    return FinishedTest(
        path=path,
        ended=ended.astimezone(timezone.utc).replace(microsecond=0),
        table=setup.table,
        spawn4=setup.spawn4,
        n_moves=session.n_moves,
        match_rate=score.match_rate,
        counts=score.counts,
        n_forced=score.n_forced,
        longest_combo=score.longest_combo,
        largest_loss=score.largest_loss,
        n_undos=session.n_undos,
        played_ms=session.played_ms,
        seconds_per_move=setup.seconds_per_move,
        seed=setup.seed,
        start=setup.start,
        outcome=session.end.value if session.end else "",
        perfect_within=setup.perfect_within,
        goal=setup.goal,
    )


class History(Store):
    """The database of finished tests."""

    migrations, sound = MIGRATIONS, SOUND

    def add(self, test: FinishedTest) -> None:
        """Store a test, replacing one with the same path."""
        with self.writing():
            self.insert("tests", _to_row(test), "INSERT OR REPLACE")

    def remove(self, path: Path) -> FinishedTest | None:
        """Delete a test and return it, so that `add` can restore it; its file stays."""
        with self.writing():
            found = self._select("WHERE path = ?", (str(path),))
            self.connection.execute("DELETE FROM tests WHERE path = ?", (str(path),))
        return found[0] if found else None

    def tests(self, query: ExamQuery = ALL_TESTS, most: int | None = None) -> list[FinishedTest]:
        """Return at most `most` tests that match a query, newest first.

        Raises
        ------
        InvalidBoardError
            The query's start is not part of a position.
        """
        where, values = condition(query)
        limit = "" if most is None else f" LIMIT {int(most)}"
        return self._select(f"WHERE {where} ORDER BY ended DESC, id DESC{limit}", values)

    def tables(self) -> list[tuple[str, int]]:
        """Return the tables with tests and the number of tests on each, latest used first."""
        with self.reading():
            rows = self.rows(
                "SELECT name, COUNT(*) FROM tests GROUP BY name ORDER BY MAX(ended) DESC, name"
            )
            return [(row[0], row[1]) for row in rows]

    def allowances(self) -> list[float]:
        """Return the allowances of perfect moves used in the stored tests, smallest first."""
        with self.reading():
            rows = self.rows("SELECT DISTINCT perfect_within FROM tests ORDER BY perfect_within")
            return [float(row[0]) for row in rows]

    def goals(self) -> list[ExamGoal]:
        """Return the goals of the stored tests."""
        with self.reading():
            rows = self.rows("SELECT DISTINCT goal_moves, ends_at_miss FROM tests ORDER BY 1, 2")
            return [ExamGoal(row[0], bool(row[1])) for row in rows]

    def best_like(self, test: FinishedTest) -> FinishedTest | None:
        """Return the best unmarked test with the same start and new tiles: the one to beat.

        Its goal and grading rules must be the same, too, and it must not have been abandoned. If
        two kept equally much, or the goal was a streak, the longer one counts as better.
        """
        by_length = "n_moves DESC, " if test.goal.ends_at_miss else ""
        goal = test.goal.moves, test.goal.ends_at_miss
        found = self._select(
            "WHERE name = ? AND seed = ? AND start = ? AND n_undos = 0 AND outcome != '' "
            "AND perfect_within = ? AND goal_moves = ? AND ends_at_miss = ? "
            f"ORDER BY {by_length}match_rate DESC, n_moves DESC, id LIMIT 1",
            (test.table, f"{test.seed:016x}", f"{test.start:016x}", test.perfect_within, *goal),
        )
        return found[0] if found else None

    def _select(self, rest: str, values: Sequence[object]) -> list[FinishedTest]:
        with self.reading():
            return [_from_row(row) for row in self.rows(f"SELECT * FROM tests {rest}", values)]


def outcome_of(test: FinishedTest) -> End | None:
    """Return the reason why a test ended; None if it was abandoned."""
    return next((end for end in End if end.value == test.outcome), None)


_SAME = tuple(
    field.name
    for field in fields(FinishedTest)
    if field.name not in ("path", "ended", "table", "counts", "seed", "start", "goal")
)


def _to_row(test: FinishedTest) -> dict[str, object]:
    return {
        "path": str(test.path),
        "ended": test.ended.isoformat(),
        "name": test.table,
        "seed": f"{test.seed:016x}",  # SQLite's integers are signed
        "start": f"{test.start:016x}",
        "goal_moves": test.goal.moves,
        "ends_at_miss": test.goal.ends_at_miss,
        **dict(zip(_GRADE_COLUMNS, test.counts, strict=True)),
        **{name: getattr(test, name) for name in _SAME},
    }


def _from_row(row: sqlite3.Row) -> FinishedTest:
    return FinishedTest(
        path=Path(row["path"]),
        ended=datetime.fromisoformat(row["ended"]),
        table=row["name"],
        counts=tuple(row[name] for name in _GRADE_COLUMNS),
        seed=int(row["seed"], 16),
        start=int(row["start"], 16),
        goal=ExamGoal(row["goal_moves"], bool(row["ends_at_miss"])),
        **{name: row[name] for name in _SAME},
    )
