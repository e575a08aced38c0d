"""A person's puzzles in ``user.db``: storing, choosing, answering and rating them."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice, takewhile

from coach.days import Today, day_of, days_in_a_row
from coach.mistakes.mistake import TableKey, microseconds, time_of
from coach.mistakes.query import in_chunks
from coach.mistakes.record import Imported
from coach.puzzles.puzzle import Puzzle
from coach.puzzles.rating import MAX_RATING, MIN_RATING, Rating, after_answer, first_rating
from coach.record.database import Store
from engine.bitboard import format_board
from engine.geometry import MODES
from engine.platform.errors import AppError
from engine.platform.language import tr
from engine.spawn import Rng

FROM_TABLE, FROM_GAMES, FROM_TEXT = "table", "games", "import"
"""Where a puzzle was found: in a table's games, in the user's own, in a line of text."""

SEEN_LATELY = timedelta(days=7)
"""For so long a puzzle that was answered is not chosen again, and an answer changes no rating: what
is remembered shows no strength."""

_NEAR = 10  # one of this many puzzles nearest to the person's rating is drawn
_LOOKED_THROUGH = 500  # puzzles at most, for wanted ones
Wanted = Callable[[Puzzle], bool]


@dataclass(frozen=True)
class StoredPuzzle:
    """A puzzle with its rating and answers."""

    id: int
    puzzle: Puzzle
    rating: Rating
    origin: str  # see `FROM_TABLE`
    n_right: int
    n_wrong: int
    last_seen: datetime | None  # time of the last answer, in UTC
    found: datetime  # time it was stored, in UTC


@dataclass(frozen=True)
class DailyPuzzle:
    """The puzzle of a day."""

    stored: StoredPuzzle | None = None  # None until it was searched for
    is_right: bool | None = None  # whether the first answer of that day was right; None until then


@dataclass(frozen=True)
class Course:
    """How a person has done so far."""

    ratings: tuple[float, ...] = ()  # after each rated answer
    streak: int = 0  # the latest right answers in a row
    n_days: int = 0  # days in a row with an answer, until today or yesterday


@dataclass(frozen=True)
class Outcome:
    """The result of an answer."""

    is_right: bool
    is_rated: bool  # whether it changed the ratings; not if the puzzle was seen recently
    # The person's rating before and after.
    before: Rating
    person: Rating
    stored: StoredPuzzle  # the puzzle after the answer
    course: Course = Course()  # if it was asked for


class Puzzles(Store):
    """The puzzles in the user's database."""

    def get(self, ids: Iterable[int]) -> dict[int, StoredPuzzle]:
        """Return puzzles by id, in the given order; deleted ones are missing."""
        wanted = list(ids)
        found = {}
        with self.reading():
            for chunk, marks in in_chunks(wanted):
                for row in self.rows(f"SELECT * FROM puzzle WHERE id IN ({marks})", chunk):
                    found[row["id"]] = _stored(row)
        return {one: found[one] for one in wanted if one in found}

    def ids(self, key: TableKey | None = None) -> list[int]:
        """Return the ids of all puzzles or those of a table, in the order they were found."""
        where, values = _of(key)
        with self.reading():
            rows = self.rows(f"SELECT id FROM puzzle WHERE {where} ORDER BY id", values)
            return [row[0] for row in rows]

    def has(self, puzzle: Puzzle) -> bool:
        with self.reading():
            return self._id_of(puzzle) in self.ids(puzzle.key)

    def boards(self, key: TableKey) -> set[int]:
        """Return the boards of a table's puzzles, including removed ones."""
        with self.reading():
            rows = self.rows(f"SELECT board FROM puzzle WHERE {_OF_TABLE}", tuple(key))
            return {int(row[0], 16) for row in rows}

    def tables(self) -> list[TableKey]:
        with self.reading():
            sql = f"SELECT DISTINCT table_name, spawn4 FROM puzzle WHERE {_IS_KEPT} ORDER BY 1, 2"
            return [TableKey(*row) for row in self.rows(sql)]

    def person(self, now: datetime) -> Rating:
        sql = (
            # In order of insertion: a clock may be set back.
            "SELECT at, person, person_deviation FROM puzzle_answer WHERE is_rated "
            "ORDER BY id DESC LIMIT 1"
        )
        with self.reading():
            row = next(self.rows(sql), None)
            if row is None:
                return Rating()
            days = (microseconds(now) - row[0]) / (24 * 3600 * 1e6)
            if not MIN_RATING <= row[1] <= MAX_RATING:
                raise ValueError(str(row[1]))
            return Rating(row[1], row[2]).aged(days)

    def course(self, today: Today) -> Course:
        with self.reading():
            sql = "SELECT at, is_right, is_rated, person FROM puzzle_answer ORDER BY id"
            rows = self.rows(sql).fetchall()
        days = {day_of(when, today.begins) for row in rows if (when := time_of(row["at"]))}
        return Course(
            tuple(row["person"] for row in rows if row["is_rated"]),
            sum(1 for _ in takewhile(lambda row: row["is_right"], reversed(rows))),
            days_in_a_row(days, today.day),
        )

    def next(
        self,
        now: datetime,
        rng: Rng,
        key: TableKey | None = None,
        without: int | None = None,
        wanted: Wanted | None = None,
    ) -> StoredPuzzle | None:
        """Return a puzzle to solve: one near the person's rating that was not seen recently.

        If all were, it is the one seen longest ago. None if there are no puzzles. `rng` draws one
        of the nearest puzzles; the id `without` is avoided unless it is the only one.
        """
        if near := self.near(now, _NEAR, key, without, wanted):
            chosen = near[rng.below(len(near))]
            return self.get([chosen])[chosen]
        where, values = _of(key)
        sql = f"SELECT id FROM puzzle WHERE {where} ORDER BY id = ?, last_seen, id LIMIT ?"
        oldest = self._first(sql, (*values, without or 0), 1, wanted)
        return self.get(oldest)[oldest[0]] if oldest else None

    def near(
        self,
        now: datetime,
        most: int,
        key: TableKey | None = None,
        without: int | None = None,
        wanted: Wanted | None = None,
    ) -> list[int]:
        """Return puzzles that were not seen recently, nearest to the person's rating first."""
        (where, values), rating = _of(key), self.person(now).value
        since = microseconds(now - SEEN_LATELY)
        sql = (
            f"SELECT id FROM puzzle WHERE {where} AND coalesce(last_seen, ?) <= ? AND id != ? "
            "ORDER BY abs(rating - ?), id LIMIT ?"
        )
        return self._first(sql, (*values, since, since, without or 0, rating), most, wanted)

    def _first(
        self, sql: str, values: Sequence[object], most: int, wanted: Wanted | None
    ) -> list[int]:
        """Return the first ids of a query that ends with its limit."""
        with self.reading():
            ids = [row[0] for row in self.rows(sql, (*values, _LOOKED_THROUGH if wanted else most))]
        if wanted is None:
            return ids
        return list(islice((i for i, one in self.get(ids).items() if wanted(one.puzzle)), most))

    def latest_seconds(self, most: int) -> list[float]:
        sql = "SELECT seconds FROM puzzle_answer ORDER BY id DESC LIMIT ?"
        with self.reading():
            return [row[0] for row in self.rows(sql, (most,))]

    def daily(self, today: Today) -> DailyPuzzle:
        """Return the puzzle of the day, on whichever table it was searched for.

        Once there is one, it stays: another table in use doesn't make another one.
        """
        sql = (
            "SELECT puzzle_id, (SELECT is_right FROM puzzle_answer AS answer WHERE "
            "answer.puzzle_id = daily.puzzle_id AND at >= ? ORDER BY id LIMIT 1) AS is_right "
            "FROM puzzle_daily AS daily WHERE day = ? ORDER BY is_right IS NULL, puzzle_id LIMIT 1"
        )
        values = (microseconds(today.began), today.day.isoformat())
        with self.reading():
            row = self.rows(sql, values).fetchone()
        if row is None:
            return DailyPuzzle()
        is_right = None if row["is_right"] is None else bool(row["is_right"])
        return DailyPuzzle(self.get([row["puzzle_id"]]).get(row["puzzle_id"]), is_right)

    def add(self, puzzles: Iterable[Puzzle], origin: str, when: datetime) -> Imported:
        """Store puzzles, `origin` as `FROM_TABLE`; those already stored are unchanged.

        A removed puzzle comes back if it is imported, not if it is found again.
        """
        n_new = n_known = 0
        with self.writing():
            for puzzle in puzzles:
                known = self._id_of(puzzle)
                is_new = known is None or (origin == FROM_TEXT and self._restore(known))
                if known is None:
                    self._insert(puzzle, origin, when)
                n_new += is_new
                n_known += not is_new
        return Imported(n_new, n_known)

    def keep_daily(self, day: date, puzzle: Puzzle, when: datetime) -> StoredPuzzle:
        with self.writing() as db:
            self.add([puzzle], FROM_TABLE, when)
            puzzle_id = self._id_of(puzzle)
            row = (day.isoformat(), *puzzle.key, puzzle_id)
            db.execute("INSERT OR REPLACE INTO puzzle_daily VALUES (?, ?, ?, ?)", row)
        assert puzzle_id is not None
        return self.get([puzzle_id])[puzzle_id]

    def answer(self, puzzle_id: int, direction: int, when: datetime, seconds: float) -> Outcome:
        """Record an answer and update the ratings of puzzle and person.

        The direction is in the orientation of the puzzle's board. AppError: the puzzle no longer
        exists.
        """
        at = microseconds(when)
        with self.writing() as db:
            stored = self.get([puzzle_id]).get(puzzle_id)
            if stored is None:
                raise AppError(tr("this puzzle was deleted meanwhile; continue with the next one"))
            is_right = direction == stored.puzzle.best
            is_rated = stored.last_seen is None or when - stored.last_seen >= SEEN_LATELY
            before, rating = self.person(when), stored.rating
            person = before
            if is_rated:
                person, rating = after_answer(before, rating, is_right)
            row = {
                "puzzle_id": puzzle_id,
                "at": at,
                "direction": direction,
                "is_right": is_right,
                "seconds": max(0.0, seconds),
                "is_rated": is_rated,
                "person": person.value,
                "person_deviation": person.deviation,
            }
            self.insert("puzzle_answer", row, "INSERT OR IGNORE")
            db.execute(
                "UPDATE puzzle SET rating = ?, deviation = ?, n_right = n_right + ?, "
                "n_wrong = n_wrong + ?, last_seen = ? WHERE id = ?",
                (rating.value, rating.deviation, is_right, not is_right, at, puzzle_id),
            )
            after = self.get([puzzle_id])[puzzle_id]
        return Outcome(is_right, is_rated, before, person, after)

    def remove(self, ids: Iterable[int], when: datetime) -> list[int]:
        """Remove puzzles and return the ids of those actually removed, for `restore`."""
        at = microseconds(when)
        with self.writing() as db:
            wanted = set(ids)
            gone = [one for one in self.ids() if one in wanted]
            db.executemany("UPDATE puzzle SET removed = ? WHERE id = ?", [(at, i) for i in gone])
        return gone

    def restore(self, ids: Iterable[int]) -> None:
        with self.writing():
            for one in ids:
                self._restore(one)

    def _id_of(self, puzzle: Puzzle) -> int | None:
        sql = "SELECT id FROM puzzle WHERE table_name = ? AND spawn4 = ? AND board = ?"
        row = self.rows(sql, (*puzzle.key, format_board(puzzle.board))).fetchone()
        return int(row[0]) if row else None

    def _restore(self, puzzle_id: int) -> bool:
        sql = "UPDATE puzzle SET removed = NULL WHERE id = ? AND removed IS NOT NULL"
        return self.connection.execute(sql, (puzzle_id,)).rowcount > 0

    def _insert(self, puzzle: Puzzle, origin: str, when: datetime) -> None:
        rating = first_rating(puzzle)
        self.connection.execute(
            "INSERT INTO puzzle (table_name, spawn4, board, symmetry, rate_left, rate_right, "
            "rate_up, rate_down, rating, deviation, found, origin) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *puzzle.key,
                format_board(puzzle.board),
                puzzle.symmetry,
                *puzzle.rates,
                rating.value,
                rating.deviation,
                microseconds(when),
                origin,
            ),
        )


_OF_TABLE = "table_name = ? AND spawn4 = ?"
_IS_KEPT = "removed IS NULL"


def _of(key: TableKey | None) -> tuple[str, tuple[object, ...]]:
    return (_IS_KEPT, ()) if key is None else (f"{_IS_KEPT} AND {_OF_TABLE}", tuple(key))


def _stored(row: sqlite3.Row) -> StoredPuzzle:
    """Return a row as an object; raise ValueError or TypeError if it is not one of ours."""
    rates = (row["rate_left"], row["rate_right"], row["rate_up"], row["rate_down"])
    key = TableKey(str(row["table_name"]), float(row["spawn4"]))
    puzzle = Puzzle(key, int(row["board"], 16), str(row["symmetry"]), rates)
    figures = [rate for rate in rates if rate is not None]
    is_one = len(figures) >= 2 and all(0 <= rate <= 1 for rate in figures) and max(figures) > 0
    is_position = 0 <= puzzle.board < 1 << 64 and puzzle.symmetry in MODES
    is_rated = MIN_RATING <= row["rating"] <= MAX_RATING
    found = time_of(row["found"])
    if found is None or not (is_one and is_position and is_rated and 0 <= key.spawn4 <= 1):
        raise ValueError(row["board"])
    return StoredPuzzle(
        id=row["id"],
        puzzle=puzzle,
        rating=Rating(float(row["rating"]), float(row["deviation"])),
        origin=str(row["origin"]),
        n_right=int(row["n_right"]),
        n_wrong=int(row["n_wrong"]),
        last_seen=time_of(row["last_seen"]),
        found=found,
    )
