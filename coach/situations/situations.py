"""The situations in the database of a person, and all attempts at them.

An attempt is a run. It is stored from its first move on, with its seed: nobody gets other tiles by
leaving.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ai.match.report import wilson
from coach.exam.run_rows import row_of, run_of, stored_move
from coach.mistakes.mistake import TableKey, time_of
from coach.play.rules import End
from coach.play.run import Run
from coach.record.runs import RemovedRun, Runs
from coach.situations.offers import Offer, OfferKind
from coach.situations.situation import DEFAULT_COUNT, Situation, given_situation
from engine.bitboard import format_board
from tablebase.formation.goal import read_goal

REACHED = End.REACHED.value
COUNTED = (REACHED, *(end.value for end in (End.NO_MOVE, End.LOST)))
"""The ends that count. An attempt that the table cannot follow to its end says nothing."""

_NEARLY_SURE = 0.995  # it rounds to 100 %: attempts would tell nothing


@dataclass(frozen=True)
class AttemptOutcome:
    """The part of an attempt that statistics use."""

    outcome: str  # a value of `End`; "" while in play
    n_moves: int
    points_lost: float  # total loss of its moves, as a sum of differences of rates

    @property
    def is_reached(self) -> bool:
        return self.outcome == REACHED


@dataclass(frozen=True)
class Statistics:
    """Statistics of attempts."""

    # Attempts that count, and those among them that reached the goal.
    n: int
    n_reached: int
    # The Wilson interval (95 %) of the share of the latter.
    low: float
    high: float
    n_moves: int
    points_lost: float  # of the moves of the attempts that count

    @property
    def share(self) -> float | None:
        return self.n_reached / self.n if self.n else None

    @property
    def lost_per_move(self) -> float | None:
        """The mean loss per move, as a difference of rates; None without a move."""
        return self.points_lost / self.n_moves if self.n_moves else None


def statistics_of(attempts: Iterable[AttemptOutcome]) -> Statistics:
    counted: Sequence[AttemptOutcome] = [one for one in attempts if one.outcome in COUNTED]
    n_reached = sum(one.is_reached for one in counted)
    low, high = wilson(n_reached, len(counted))
    return Statistics(
        len(counted),
        n_reached,
        low,
        high,
        sum(one.n_moves for one in counted),
        sum(one.points_lost for one in counted),
    )


_KEY = ("board", "table_name", "target", "spawn4")
_FACTS = "id, seed, played, outcome, n_moves, points_lost, match_rate, played_ms"  # no text


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
        return statistics_of(self.attempts)

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
    attempts: tuple[RemovedRun, ...]


class Situations(Runs):
    """The situations in the database of a person."""

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
        return next(iter(self._select("WHERE id = ?", (number,))), None)

    def all(self) -> list[StoredSituation]:
        """Return all situations, latest requested first."""
        return self._select("ORDER BY asked DESC, id DESC", ())

    def latest_mistakes(self, most: int) -> list[Offer]:
        """Return the positions of the latest mistakes whose rates are known, no sure win."""
        sql = (
            "SELECT table_name, spawn4, board, max(coalesce(rate_left, 0), "
            "coalesce(rate_right, 0), coalesce(rate_up, 0), coalesce(rate_down, 0)) AS chance "
            "FROM mistake WHERE chance > 0 AND chance < ? ORDER BY last DESC, id DESC LIMIT ?"
        )
        with self.reading():
            return [
                Offer(OfferKind.MISTAKE, TableKey(name, spawn4), int(board, 16), chance)
                for name, spawn4, board, chance in self.rows(sql, (_NEARLY_SURE, most))
            ]

    def remove(self, number: int) -> Removed | None:
        """Delete a situation and its attempts; return them for `restore`, None if there is none."""
        with self.writing() as db:
            found = self.rows("SELECT * FROM situation WHERE id = ?", (number,)).fetchone()
            attempts = self.take_out("situation = ?", (number,))
            db.execute("DELETE FROM situation WHERE id = ?", (number,))
        # Without its number, which may be reused.
        return (
            Removed({k: v for k, v in dict(found).items() if k != "id"}, attempts)
            if found
            else None
        )

    def restore(self, removed: Removed) -> None:
        """Restore a situation with its attempts.

        One requested again in the meantime keeps its new attempts, and as many are left.
        """
        with self.writing() as db:
            key = tuple(removed.situation[name] for name in _KEY)
            number = self._number_of(key)
            if number is None:
                self.insert("situation", removed.situation, "INSERT OR IGNORE")
                number = self._number_of(key)
            else:
                n_over = sum(bool(one.row["outcome"]) for one in removed.attempts)
                db.execute(
                    "UPDATE situation SET wanted = wanted + ? WHERE id = ?", (n_over, number)
                )
            for attempt in removed.attempts:
                self.put_back(attempt, situation=number)

    def keep(self, number: int, session: Run) -> StoredSituation | None:
        """Store an attempt and return its situation; None if that no longer exists."""
        row = {"situation": number, **row_of(session)}
        with self.writing():
            if not self.rows("SELECT 1 FROM situation WHERE id = ?", (number,)).fetchone():
                return None
            known = self.rows(
                "SELECT id FROM run WHERE situation = ? AND seed = ?", (number, row["seed"])
            ).fetchone()
            self.write_run(known[0] if known else 0, row, session.moves, stored_move)
        return self._one(number)

    def session(self, attempt: int) -> Run | None:
        with self.reading():
            row = self.row(attempt)
            return run_of(row, self.moves(attempt)) if row else None

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
            return [self._stored_situation(row) for row in rows]

    def _stored_situation(self, row: sqlite3.Row) -> StoredSituation:
        attempts = self.connection.execute(
            f"SELECT {_FACTS} FROM run WHERE situation = ? ORDER BY id", (row["id"],)
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
    started = time_of(row["played"])
    if started is None:
        raise LookupError("played")
    return Attempt(
        outcome=row["outcome"],
        n_moves=int(row["n_moves"]),
        points_lost=float(row["points_lost"]),
        number=row["id"],
        seed=int(row["seed"], 16),
        started=started,
        match_rate=float(row["match_rate"]),
        played_ms=int(row["played_ms"]),
    )
