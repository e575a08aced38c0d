"""The database of situations and of all attempts at them.

An attempt stores its moves in the format of a test file (`coach.exam.session_file`), so Review can
open it and an unfinished one can be resumed. Its seed is stored from the first move on: nobody gets
other tiles by leaving.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from coach.exam.session_file import SessionFileError, session_from_json, session_to_json
from coach.play.rules import End
from coach.play.run import Run
from coach.play.setup import Kind
from coach.record.database import Store
from coach.situations.situation import DEFAULT_COUNT, Situation, given_situation
from coach.situations.statistics import AttemptOutcome, Statistics, statistics_of
from engine.bitboard import format_board
from tablebase.formation.goal import read_goal

MIGRATIONS = (
    """
    CREATE TABLE situation (
        id INTEGER PRIMARY KEY,
        asked TEXT NOT NULL,          -- when it was last asked for, ISO 8601 with a zone
        board TEXT NOT NULL,          -- 16 hex digits
        table_name TEXT NOT NULL,     -- such as L3_512; 'search' where no table knows it
        target TEXT NOT NULL,         -- as in a table's name
        spawn4 REAL NOT NULL,
        rate TEXT NOT NULL,           -- the type of the table's rates
        walls INTEGER NOT NULL,
        chance REAL NOT NULL,         -- of the goal, with best play
        nodes INTEGER NOT NULL,       -- searched for each move, 0 on a table
        wanted INTEGER NOT NULL,      -- attempts
        UNIQUE (board, table_name, target, spawn4)
    );
    CREATE TABLE attempt (
        id INTEGER PRIMARY KEY,
        situation INTEGER NOT NULL REFERENCES situation (id) ON DELETE CASCADE,
        seed INTEGER NOT NULL,
        started TEXT NOT NULL,        -- ISO 8601 with a zone
        outcome TEXT NOT NULL,        -- coach.exam.session.End, '' while it goes on
        n_moves INTEGER NOT NULL,
        points_lost REAL NOT NULL,
        match_rate REAL NOT NULL,
        played_ms INTEGER NOT NULL,
        session TEXT NOT NULL,        -- see coach.exam.session_file
        UNIQUE (situation, seed)
    );
    """,
)
_OUTCOMES = ", ".join(f"'{end.value}'" for end in End)
SOUND = {
    "situation": " AND ".join(
        [
            "datetime(asked) IS NOT NULL",
            "length(board) = 16 AND length(table_name) BETWEEN 1 AND 100",
            "length(target) BETWEEN 1 AND 12 AND length(rate) <= 20",
            "spawn4 BETWEEN 0 AND 1 AND chance BETWEEN 0 AND 1 AND walls IN (0, 1)",
            "nodes BETWEEN 0 AND 1 << 40 AND wanted BETWEEN 1 AND 1 << 20",
        ]
    ),
    "attempt": " AND ".join(
        [
            f"datetime(started) IS NOT NULL AND outcome IN ('', {_OUTCOMES})",
            "n_moves BETWEEN 0 AND 1 << 31 AND played_ms BETWEEN 0 AND 1 << 50",
            "points_lost BETWEEN 0 AND 1 << 31 AND match_rate BETWEEN 0 AND 1.000001",
        ]
    ),
}
_KEY = ("board", "table_name", "target", "spawn4")
_FACTS = (
    *("id", "seed", "started", "outcome"),
    *("n_moves", "points_lost", "match_rate", "played_ms"),
)


@dataclass(frozen=True)
class Attempt(AttemptOutcome):
    """An attempt, without its moves."""

    number: int  # in the database
    seed: int  # of its new tiles
    started: datetime
    match_rate: float
    played_ms: int


@dataclass(frozen=True)
class StoredSituation:
    """A situation with its attempts."""

    number: int  # in the database
    situation: Situation
    asked: datetime  # time it was last requested
    wanted: int  # number of attempts wanted
    attempts: tuple[Attempt, ...] = ()  # in the order they were begun

    @property
    def statistics(self) -> Statistics:
        """The statistics of the attempts."""
        return statistics_of(self.situation.chance, self.attempts)

    @property
    def open_attempt(self) -> Attempt | None:
        """The unfinished attempt, which is resumed first."""
        return next((one for one in self.attempts if not one.outcome), None)

    @property
    def n_left(self) -> int:
        """The number of attempts left, including an unfinished one."""
        return max(0, self.wanted - sum(bool(one.outcome) for one in self.attempts))


@dataclass(frozen=True)
class Removed:
    """A situation that was removed, with its attempts: the rows as they were."""

    situation: Mapping[str, object]
    attempts: tuple[Mapping[str, object], ...]


class Situations(Store):
    """The database of situations."""

    migrations, sound = MIGRATIONS, SOUND

    def ask(
        self, situation: Situation, now: datetime, more: int = DEFAULT_COUNT
    ) -> StoredSituation:
        """Return the stored entry of a situation, created if it is new.

        If all attempts were made, `more` are added.
        """
        setup, key = situation.setup, _key_of(situation)
        with self.writing():
            self.connection.execute(
                "INSERT INTO situation (board, table_name, target, spawn4, asked, rate, walls, "
                "chance, nodes, wanted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET asked = excluded.asked, chance = excluded.chance, "
                "nodes = excluded.nodes, rate = excluded.rate",
                (
                    *key,
                    now.isoformat(),
                    setup.rate,
                    int(setup.walls),
                    situation.chance,
                    situation.nodes,
                    more,
                ),
            )
            number = self._number_of(key)
        assert number is not None  # it has just been written
        return self.with_attempts_left(number, more)

    def add(self, situations: Iterable[Situation], now: datetime) -> tuple[int, int]:
        """Store imported situations; return the numbers of new and of already known ones."""
        n_new = n_known = 0
        for situation in situations:
            is_new = self._number_of(_key_of(situation)) is None
            if is_new:
                self.ask(situation, now)
            n_new += is_new
            n_known += not is_new
        return n_new, n_known

    def with_attempts_left(self, number: int, more: int = DEFAULT_COUNT) -> StoredSituation:
        """Return a situation with attempts left; if all were made, `more` are added."""
        kept = self._one(number)
        if kept.n_left:
            return kept
        with self.writing():
            self.connection.execute(
                "UPDATE situation SET wanted = wanted + ? WHERE id = ?", (more, number)
            )
        return self._one(number)

    def get(self, number: int) -> StoredSituation | None:
        """Return a situation; None if it no longer exists."""
        return next(iter(self._select("WHERE id = ?", (number,))), None)

    def all(self) -> list[StoredSituation]:
        """Return all situations, latest requested first."""
        return self._select("ORDER BY asked DESC, id DESC", ())

    def remove(self, number: int) -> Removed | None:
        """Delete a situation and its attempts; return them for `restore`, None if there is none."""
        with self.writing():
            one, attempts = (
                self.connection.execute(f"SELECT * FROM {name} WHERE {column} = ?", (number,))
                for name, column in (("situation", "id"), ("attempt", "situation"))
            )
            found, rows = one.fetchone(), attempts.fetchall()
            self.connection.execute("DELETE FROM situation WHERE id = ?", (number,))
        return Removed(_fields(found), tuple(map(_fields, rows))) if found else None

    def restore(self, removed: Removed) -> None:
        """Restore a situation with its attempts.

        One requested again in the meantime keeps its new attempts, and as many are left.
        """
        with self.writing():
            key = tuple(removed.situation[name] for name in _KEY)
            number = self._number_of(key)
            if number is None:
                self.insert("situation", removed.situation, "INSERT OR IGNORE")
                number = self._number_of(key)
            else:
                n_over = sum(bool(one["outcome"]) for one in removed.attempts)
                self.connection.execute(
                    "UPDATE situation SET wanted = wanted + ? WHERE id = ?", (n_over, number)
                )
            for attempt in removed.attempts:
                row = {**attempt, "situation": number}
                self.insert("attempt", row, "INSERT OR IGNORE")

    def keep(self, number: int, session: Run) -> StoredSituation | None:
        """Store an attempt and return its situation; None if that no longer exists."""
        with self.writing():
            there = self.connection.execute("SELECT 1 FROM situation WHERE id = ?", (number,))
            if there.fetchone() is None:
                return None
            self.connection.execute(
                "INSERT INTO attempt (situation, seed, started, outcome, n_moves, points_lost, "
                "match_rate, played_ms, session) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET outcome = excluded.outcome, "
                "n_moves = excluded.n_moves, points_lost = excluded.points_lost, "
                "match_rate = excluded.match_rate, played_ms = excluded.played_ms, "
                "session = excluded.session",
                (
                    number,
                    session.setup.seed,
                    session.started.isoformat(),
                    session.end.value if session.end else "",
                    session.n_moves,
                    sum(move.judgement.points_lost for move in session.moves),
                    session.score.match_rate,
                    session.played_ms,
                    session_to_json(session),
                ),
            )
        return self._one(number)

    def judged(self) -> dict[int, str]:
        """Return a stamp for each attempt with moves, which changes when it does, by number."""
        sql = "SELECT id, started || ' ' || n_moves FROM attempt WHERE n_moves > 0 ORDER BY id"
        with self.reading():
            return {int(row[0]): str(row[1]) for row in self.connection.execute(sql)}

    def session(self, attempt: int) -> Run | None:
        """Return an attempt with its moves; None if it no longer exists."""
        with self.reading():
            row = self.connection.execute(
                "SELECT session FROM attempt WHERE id = ?", (attempt,)
            ).fetchone()
            return _session(row["session"]) if row else None

    def _number_of(self, key: tuple[object, ...]) -> int | None:
        where = " AND ".join(f"{name} = ?" for name in _KEY)
        found = self.connection.execute(f"SELECT id FROM situation WHERE {where}", key).fetchone()
        return int(found[0]) if found else None

    def _one(self, number: int) -> StoredSituation:
        found = self.get(number)
        assert found is not None  # it has just been written
        return found

    def _select(self, rest: str, values: tuple[object, ...]) -> list[StoredSituation]:
        with self.reading():
            rows = self.connection.execute(f"SELECT * FROM situation {rest}", values).fetchall()
            return [self._kept(row) for row in rows]

    def _kept(self, row: sqlite3.Row) -> StoredSituation:
        attempts = self.connection.execute(
            f"SELECT {', '.join(_FACTS)} FROM attempt WHERE situation = ? ORDER BY id", (row["id"],)
        )
        return StoredSituation(
            row["id"],
            _situation(row),
            datetime.fromisoformat(row["asked"]),
            row["wanted"],
            tuple(map(_attempt, attempts)),
        )


def _key_of(situation: Situation) -> tuple[object, ...]:
    setup = situation.setup
    return format_board(setup.start), setup.table, str(setup.target), setup.spawn4


def _fields(row: sqlite3.Row) -> dict[str, object]:
    """Return a row by its columns, without its number, which may have been reused."""
    return {name: row[name] for name in row.keys() if name != "id"}  # noqa: SIM118, no mapping


def _session(text: str) -> Run:
    try:
        return session_from_json(text, Kind.SITUATION)
    except SessionFileError as error:  # not a user's file, but damage
        raise LookupError(str(error)) from error


def _situation(row: sqlite3.Row) -> Situation:
    target = read_goal(row["target"])
    if target is None:
        raise ValueError(f"no target: {row['target']!r}")  # no text
    return given_situation(
        table=row["table_name"],
        goal=target,
        spawn4=float(row["spawn4"]),
        rate=row["rate"],
        board=int(row["board"], 16),
        walls=bool(row["walls"]),
        chance=float(row["chance"]),
        nodes=int(row["nodes"]),
    )


def _attempt(row: sqlite3.Row) -> Attempt:
    return Attempt(
        outcome=row["outcome"],
        n_moves=int(row["n_moves"]),
        points_lost=float(row["points_lost"]),
        number=row["id"],
        seed=int(row["seed"]),
        started=datetime.fromisoformat(row["started"]),
        match_rate=float(row["match_rate"]),
        played_ms=int(row["played_ms"]),
    )
