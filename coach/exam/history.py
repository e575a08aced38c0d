"""The tests in the database of a person: the one in play, finished ones, queries for them.

A test is known by the name of the file that it would be exported to, see
`coach.exam.session_file.file_name`; lists and charts need nothing but its row.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from coach.exam.run_rows import row_of, run_of, stored_move
from coach.exam.session_file import CURRENT, SessionFileError, file_name, read_session
from coach.grading.grade import GRADES, Grade
from coach.mistakes.mistake import microseconds, time_of
from coach.mistakes.query import searched_digits
from coach.play.rules import TARGET, ExamGoal
from coach.play.run import Run
from coach.record.runs import GRADE_COLUMNS, Runs
from engine.bitboard import N_CELLS, format_board, parse_board
from engine.platform.errors import AppError
from engine.platform.files.damaged_file import is_set_aside
from engine.platform.language import tr
from engine.symmetry import images


@dataclass(frozen=True)
class ExamQuery:
    """The filter; all conditions must hold."""

    table: str = ""  # such as "L3_512"; "" for any
    formation: str = ""  # such as "L3": its tables of all targets; "" for any
    since: datetime | None = None  # earliest time at which the test ended
    # The start: 16 hex digits in any orientation, or some consecutive digits in the test's own
    # orientation; "" for any.
    start: str = ""
    # Percentage points that a perfect move could lose; None for any.
    perfect_within: float | None = None
    goal: ExamGoal | None = None  # None for any
    leaves_out_abandoned: bool = False  # whether tests that were given up are left out


ALL_TESTS = ExamQuery()


def formation_of(table: str) -> str:
    return table.rpartition("_")[0]


def condition(query: ExamQuery) -> tuple[str, list[object]]:
    """Return the SQL condition for a query, and its values; InvalidBoardError for its start."""
    where = list(_conditions(query))
    text = " AND ".join(one for one, _ in where) or "1"
    return text, [value for _, some in where for value in some]


def _conditions(query: ExamQuery) -> Iterator[tuple[str, list[object]]]:
    if query.table:
        yield "table_name = ?", [query.table]
    if query.formation:
        head = f"{query.formation}_"  # followed by nothing but the target
        yield (
            "substr(table_name, 1, ?) = ? AND instr(substr(table_name, ?), '_') = 0",
            [len(head), head, len(head) + 1],
        )
    if query.since:
        yield "ended >= ?", [microseconds(query.since.replace(microsecond=0))]
    if query.perfect_within is not None:
        yield "perfect_within = ?", [query.perfect_within]
    if query.goal is not None:
        yield "goal_moves = ?", [query.goal.moves]
        yield "ends_at_miss = ?", [query.goal.ends_at_miss]
    if query.leaves_out_abandoned:
        yield "outcome != ''", []
    digits = searched_digits(query.start)
    if len(digits) >= N_CELLS:
        turned = sorted(set(images(parse_board(query.start), "full")))
        marks = ",".join("?" * len(turned))
        yield f"start IN ({marks})", [format_board(board) for board in turned]
    elif digits:
        yield "start LIKE ?", [f"%{digits}%"]


FOLDER = "tests"
"""In the data folder: files of tests, of an earlier version or put there by the user."""

_IN_PLAY = "kind = 'exam' AND ended IS NULL"
_LISTED = "kind = 'exam' AND ended IS NOT NULL AND is_listed"
_log = logging.getLogger(__name__)


class MissingTestError(AppError, LookupError):
    """There is no such test, or its moves are missing."""


@dataclass(frozen=True)
class FinishedTest:
    """The history's entry for a test."""

    name: str  # of the file that it would be exported to; identifies it
    # In UTC; lists show when it began, and the end is exact to the second.
    started: datetime
    ended: datetime
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
    # As a sum of differences of rates; None for a test of an earlier version without its file.
    points_lost: float | None = 0.0
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
        return self.n_undos > 0


@dataclass(frozen=True)
class StoredTest:
    """A stored test, and the best earlier one with the same start and tiles."""

    test: FinishedTest
    rival: FinishedTest | None


@dataclass(frozen=True)
class InterruptedTest:
    """The test in play when the program ended."""

    session: Run
    moved: datetime | None  # when its last move was made, if that is known


def summary_of(session: Run, name: str, ended: datetime) -> FinishedTest:
    """Return the entry of a test that ended, or was given up; `ended` must be timezone-aware."""
    return _finished({**row_of(session), "name": name, "ended": microseconds(ended)})


class History(Runs):
    """The tests in the database of a person."""

    def write(self, session: Run, moved: datetime | None = None) -> int:
        """Store a test in play as it is now; `moved`: when its last move was made."""
        name = file_name(session)
        row = {"name": name, **row_of(session), "ended": None}
        row["moved"] = microseconds(moved) if moved else None
        stored = self._row(name)
        return self.write_run(stored["id"] if stored else 0, row, session.moves, stored_move)

    def keep(self, session: Run, now: datetime) -> StoredTest:
        """Store a finished or abandoned test, and put it on the list."""
        ended = session.ended or now
        test = summary_of(session, file_name(session), ended)
        with self.writing() as db:
            number = self.write(session)
            rival = self.best_like(test)  # it is not on the list yet
            db.execute(
                "UPDATE run SET ended = ?, is_listed = 1 WHERE id = ?",
                (microseconds(ended), number),
            )
        return StoredTest(test, rival)

    def interrupted(self, now: datetime) -> InterruptedTest | None:
        """Return the test that is not over; earlier ones, left by a crash, count as given up."""
        with self.writing() as db:
            db.execute(f"DELETE FROM run WHERE {_IN_PLAY} AND n_moves = 0")
            rows = self.rows(f"SELECT * FROM run WHERE {_IN_PLAY} ORDER BY played, id").fetchall()
            found = [one for row in rows if (one := self._interrupted(row))]
            for one in found[:-1]:
                self.keep(one.session, now)
        return found[-1] if found else None

    def session(self, name: str) -> Run:
        """Return a test with its moves; raise MissingTestError without it or them."""
        with self.reading():
            row = self._row(name)
            moves = self.moves(row["id"]) if row else []
            # Of some tests of earlier versions only the entry of the list was there.
            if row is None or not row["target"] or len(moves) < row["n_moves"]:
                raise MissingTestError("the moves of this test are missing: {name}", name=name)
            return run_of(row, moves)

    def has(self, name: str) -> bool:
        """Return whether there is a test with moves, even if not on the list."""
        with self.reading():
            row = self._row(name)
            return row is not None and bool(row["n_moves"])

    def latest(self) -> str:
        sql = (
            "SELECT name FROM run WHERE kind = 'exam' AND is_listed AND n_moves > 0 "
            "ORDER BY played DESC, id DESC LIMIT 1"
        )
        with self.reading():
            row = self.rows(sql).fetchone()
        if row is None:
            raise MissingTestError(tr("no tests yet: take one on the Test page"))
        return str(row[0])

    def take_files(self) -> None:
        """Read files of tests that were put into the folder and are not known yet.

        An unreadable one is left out: Review says what is wrong with it.
        """
        folder = self.path.parent / FOLDER
        with self.reading():
            rows = self.rows("SELECT name FROM run WHERE kind = 'exam'")
            known = {str(row[0]) for row in rows} | {CURRENT}
        for path in sorted(folder.glob("*.json")):
            if path.name in known or is_set_aside(path):
                continue
            try:
                session = read_session(path)
            except SessionFileError as error:
                _log.warning("not in the history: %s", error)
                continue
            self.add_file(path.name, session, session.ended or session.started)

    def add_file(self, name: str, session: Run, ended: datetime) -> int:
        """Store the test in a file, and put it on the list; return its number."""
        row = {"name": name, **row_of(session)}
        row["ended"] = microseconds(ended)
        return self.write_run(0, row, session.moves, stored_move)

    def remove(self, name: str) -> FinishedTest | None:
        """Take a test off the list and return it; it stays in the database, for `restore`."""
        with self.writing() as db:
            found = self._select(f"name = ? AND {_LISTED}", (name,))
            db.execute(f"UPDATE run SET is_listed = 0 WHERE name = ? AND {_LISTED}", (name,))
        return found[0] if found else None

    def restore(self, test: FinishedTest) -> None:
        with self.writing() as db:
            db.execute(
                "UPDATE run SET is_listed = 1 WHERE kind = 'exam' AND name = ?", (test.name,)
            )

    def tests(self, query: ExamQuery = ALL_TESTS, most: int | None = None) -> list[FinishedTest]:
        """Return at most `most` tests that match a query, newest first.

        InvalidBoardError: the query's start is not part of a position.
        """
        where, values = condition(query)
        limit = "" if most is None else f" LIMIT {int(most)}"
        return self._select(f"{_LISTED} AND {where} ORDER BY ended DESC, id DESC{limit}", values)

    def tables(self) -> list[tuple[str, int]]:
        """Return the tables with tests and the number of tests on each, latest used first."""
        with self.reading():
            rows = self.rows(
                f"SELECT table_name, COUNT(*) FROM run WHERE {_LISTED} "
                "GROUP BY table_name ORDER BY MAX(ended) DESC, table_name"
            )
            return [(row[0], row[1]) for row in rows]

    def allowances(self) -> list[float]:
        """Return the allowances of perfect moves used in the stored tests, smallest first."""
        with self.reading():
            rows = self.rows(
                f"SELECT DISTINCT perfect_within FROM run WHERE {_LISTED} ORDER BY perfect_within"
            )
            return [float(row[0]) for row in rows]

    def goals(self) -> list[ExamGoal]:
        with self.reading():
            rows = self.rows(
                f"SELECT DISTINCT goal_moves, ends_at_miss FROM run WHERE {_LISTED} ORDER BY 1, 2"
            )
            return [ExamGoal(row[0], bool(row[1])) for row in rows]

    def best_like(self, test: FinishedTest) -> FinishedTest | None:
        """Return the best unmarked test with the same start and new tiles: the one to beat.

        Its goal and grading rules must be the same, too, and it must not have been abandoned. If
        two kept equally much, or the goal was a streak, the longer one counts as better.
        """
        by_length = "n_moves DESC, " if test.goal.ends_at_miss else ""
        goal = test.goal.moves, test.goal.ends_at_miss
        found = self._select(
            f"{_LISTED} AND table_name = ? AND seed = ? AND start = ? AND n_undos = 0 "
            "AND outcome != '' AND perfect_within = ? AND goal_moves = ? AND ends_at_miss = ? "
            f"ORDER BY {by_length}match_rate DESC, n_moves DESC, id LIMIT 1",
            (test.table, f"{test.seed:016x}", f"{test.start:016x}", test.perfect_within, *goal),
        )
        return found[0] if found else None

    def _select(self, where: str, values: Sequence[object]) -> list[FinishedTest]:
        with self.reading():
            rows = self.rows(f"SELECT * FROM run WHERE {where}", values)
            return [_finished(row) for row in rows]

    def _row(self, name: str) -> Any:
        sql = "SELECT * FROM run WHERE kind = 'exam' AND name = ? ORDER BY id DESC LIMIT 1"
        return self.rows(sql, (name,)).fetchone()

    def _interrupted(self, row: Any) -> InterruptedTest | None:
        """Return the test in a row; an impossible one ends as it is, so that others can follow."""
        try:
            session = run_of(row, self.moves(row["id"]))
            return InterruptedTest(session, time_of(row["moved"]))
        except (ValueError, LookupError, TypeError) as error:
            _log.warning("a test in play cannot be continued: %s", error)
            self.rows("UPDATE run SET ended = played WHERE id = ?", (row["id"],))
            return None


_OTHERS = ("started", "ended", "table", "counts", "seed", "start", "goal")
_SAME = tuple(field.name for field in fields(FinishedTest) if field.name not in _OTHERS)
"""The columns that are fields of an entry."""
_NUMBERS = (*GRADE_COLUMNS, *(name for name in _SAME if name not in ("name", "outcome")))


def _finished(row: Mapping[str, Any]) -> FinishedTest:
    started, ended = time_of(row["played"]), time_of(row["ended"])
    if started is None or ended is None:
        raise LookupError("ended")
    for name in _NUMBERS:  # large files are not checked when opened
        if not isinstance(row[name], int | float):
            raise TypeError(name)
    same = {name: row[name] for name in _SAME}
    if row["largest_loss"] and not row["points_lost"]:
        same["points_lost"] = None
    return FinishedTest(
        started=started,
        ended=ended.replace(microsecond=0),
        table=row["table_name"],
        counts=tuple(row[name] for name in GRADE_COLUMNS),
        seed=int(row["seed"], 16),
        start=int(row["start"], 16),
        goal=ExamGoal(row["goal_moves"], bool(row["ends_at_miss"])),
        **same,
    )
