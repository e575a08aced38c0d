"""Which mistakes to repeat, and what an answer changes.

Two ways to choose. *Scheduled*: the spaced repetition of the ``fsrs`` package says when each
position is about to be forgotten; what is due comes first, then a few that were never drilled.
*Weighted*: a queue drawn at random, outside of the schedule; the more often a mistake was made, or
the more it cost, the likelier it comes.

A position that is answered right several times in a row retires; a wrong answer, the same mistake
in a game, or the person brings it back.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from coach.database import explained
from coach.grading.grade import Grade, grade_of
from coach.mistakes.mistake import DRILL, Attempt, Mistake, TableKey, microseconds
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.query import in_chunks
from engine.errors import AppError
from engine.language import tr

if TYPE_CHECKING:
    from fsrs import Card, Scheduler

RETIRE_AFTER = 5
NEW_PER_DAY = 20
LONGEST_QUEUE = 1000
SLOW_S = 20.0
"""A right answer that took longer counts as hard. None counts as easy: of four moves a guess is
right too often to prove anything by its haste."""

_IS_ACTIVE = "retired IS NULL AND table_name = ? AND spawn4 = ?"


class Weighting(Enum):
    """What makes a mistake likely to be drawn."""

    COUNT = "count"
    LOSS = "loss"
    BOTH = "both"


@dataclass(frozen=True)
class Today:
    """The present.

    Attributes
    ----------
    now : datetime
    began : datetime
        When the day began where the person is; both in UTC.
    """

    now: datetime
    began: datetime


def today_of(now: datetime) -> Today:
    """Return the present with the midnight before it, where the computer is."""
    began = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    return Today(now, began.astimezone(timezone.utc))


@dataclass(frozen=True)
class Outcome:
    """What became of an answer.

    Attributes
    ----------
    is_right : bool
    loss : float or None
        What the answer gives away; None where no rate is known for it.
    grade : Grade or None
    has_retired : bool
        The mistake has retired just now.
    mistake : Mistake
        As it is now.
    """

    is_right: bool
    loss: float | None
    grade: Grade | None
    has_retired: bool
    mistake: Mistake


@dataclass(frozen=True)
class Progress:
    """How far a person is with the mistakes of a table.

    Attributes
    ----------
    key : TableKey
    n_mistakes, n_due, n_new, n_retired : int
        `n_due` were drilled before and are due; `n_new` were never drilled.
    n_right, n_wrong : int
        Answers so far.
    """

    key: TableKey
    n_mistakes: int
    n_due: int
    n_new: int
    n_retired: int
    n_right: int
    n_wrong: int


class Drill:
    """The drills on a database of mistakes.

    Parameters
    ----------
    mistakes : Mistakes
    retire_after : int
        Right answers in a row after which a mistake retires; 0 for never.
    new_per_day : int
        How many that were never drilled come up on one day.
    """

    def __init__(
        self,
        mistakes: Mistakes,
        retire_after: int = RETIRE_AFTER,
        new_per_day: int = NEW_PER_DAY,
    ) -> None:
        self.mistakes = mistakes
        self.retire_after, self.new_per_day = retire_after, new_per_day

    def next_due(
        self,
        today: Today,
        key: TableKey | None = None,
        more_new: int = 0,
        without: Collection[int] = (),
    ) -> int | None:
        """Return the id of the mistake to repeat now; None when all is done for now.

        Parameters
        ----------
        today : Today
        key : TableKey, optional
            Only mistakes of this table.
        more_new : int
            New ones wanted today beyond the usual number.
        without : collection of int
            Ids passed over: those skipped today.
        """
        skipped = _without(without)
        with explained(self.mistakes.path):
            found = self._first(f"card IS NOT NULL AND due <= ?{skipped}", "due", today, key)
            if found is None and self._new_left(today) + more_new > 0:
                which = f"card IS NULL AND ? > 0{skipped}"
                found = self._first(which, "-total_loss", today, key)
        return found

    def more_for(self, n: int, today: Today) -> int:
        """Return the `more_new` by which `n` new ones may come up from now on."""
        with explained(self.mistakes.path):
            return n - self._new_left(today)

    def count_new(
        self, today: Today, key: TableKey | None = None, without: Collection[int] = ()
    ) -> int:
        """Return how many were never drilled, however many a day may have."""
        with explained(self.mistakes.path):
            return self._count(f"card IS NULL AND ? > 0{_without(without)}", today, key)

    def count_due(self, today: Today, key: TableKey | None = None, more_new: int = 0) -> int:
        """Return how many mistakes `next_due` would name, one after the other."""
        with explained(self.mistakes.path):
            known = self._count("card IS NOT NULL AND due <= ?", today, key)
            left = max(0, self._new_left(today) + more_new)
            new = self._count(f"card IS NULL AND ? > 0 LIMIT {left}", today, key)
        return known + min(left, new)

    def queue(
        self,
        weighting: Weighting,
        rng: np.random.Generator,
        key: TableKey | None = None,
        longest: int = LONGEST_QUEUE,
    ) -> list[int]:
        """Return ids drawn one after the other without repeats, likelier by weight.

        Parameters
        ----------
        weighting : Weighting
            By the square of the count, the square of the total loss, or their product. When all
            weights are 0 they count as equal; otherwise those of weight 0 come last.
        rng : numpy Generator
        key : TableKey, optional
            Only mistakes of this table.
        longest : int

        Notes
        -----
        Drawing in proportion to weight without replacement is the same as sorting by waiting times
        that are exponential with the weight as their rate: Efraimidis and Spirakis, Weighted
        random sampling with a reservoir (2006).
        """
        where, values = ("retired IS NULL", ()) if key is None else (_IS_ACTIVE, (*key,))
        with explained(self.mistakes.path):
            rows = self.mistakes.tuples(
                f"SELECT id, count, total_loss FROM mistake WHERE {where} ORDER BY id", values
            )
        if not rows:
            return []
        ids, counts, losses = (np.array(column, np.float64) for column in zip(*rows, strict=True))
        weights = {
            Weighting.COUNT: counts**2,
            Weighting.LOSS: losses**2,
            Weighting.BOTH: counts * losses,
        }[weighting]
        waiting = rng.exponential(size=ids.size)
        drawn = weights > 0
        waiting[drawn] /= weights[drawn]
        order = np.lexsort((waiting, ~drawn))[:longest]
        return [int(one) for one in ids[order]]

    def answer(
        self,
        mistake_id: int,
        direction: int,
        when: datetime,
        seconds: float,
        *,
        is_scheduled: bool = True,
    ) -> Outcome:
        """Take an answer.

        Parameters
        ----------
        mistake_id : int
        direction : int
            In the orientation of the mistake's board.
        when : datetime
            In UTC.
        seconds : float
            How long it took.
        is_scheduled : bool
            Whether the schedule had chosen it. A right answer outside of it leaves the schedule as
            it is: nothing shows that the position would have been remembered until it was due.

        Raises
        ------
        AppError
            There is no such mistake any more.
        """
        before = self._get(mistake_id)
        is_right, at = direction in before.best, microseconds(when)
        loss, grade = worth(before, direction)
        run = before.run + 1 if is_right else 0
        has_retired = bool(self.retire_after) and run >= self.retire_after and not before.retired
        with self.mistakes.writing() as db:
            card = _card(db.execute("SELECT card FROM mistake WHERE id = ?", (mistake_id,)))
            db.execute(
                "INSERT OR IGNORE INTO answer "
                "(mistake_id, at, direction, is_right, seconds, was_new) VALUES (?, ?, ?, ?, ?, ?)",
                (mistake_id, at, direction, is_right, seconds, card is None),
            )
            if not is_right:
                attempt = Attempt(when, direction, loss, grade, DRILL, 0)
                self.mistakes.add_attempts(mistake_id, [attempt])
            db.execute("UPDATE mistake SET run = ? WHERE id = ?", (run, mistake_id))
            if is_scheduled or not is_right:
                text, due = _reviewed(mistake_id, card, is_right, when, seconds)
                sql = "UPDATE mistake SET card = ?, due = ? WHERE id = ?"
                db.execute(sql, (text, due, mistake_id))
            if has_retired or not is_right:
                retired = at if has_retired else None
                db.execute("UPDATE mistake SET retired = ? WHERE id = ?", (retired, mistake_id))
            self.mistakes.refresh([mistake_id])
        return Outcome(is_right, loss, grade, has_retired, self._get(mistake_id))

    def retire(self, ids: Iterable[int], when: datetime) -> None:
        """Let mistakes be repeated no more."""
        with self.mistakes.writing() as db:
            for chunk in in_chunks(ids):
                marks = ",".join("?" * len(chunk))
                sql = f"UPDATE mistake SET retired = coalesce(retired, ?) WHERE id IN ({marks})"
                db.execute(sql, (microseconds(when), *chunk))

    def revive(self, ids: Iterable[int], when: datetime) -> None:
        """Let retired mistakes be repeated again, from now on; others stay as they are."""
        with self.mistakes.writing() as db:
            for chunk in in_chunks(ids):
                marks = ",".join("?" * len(chunk))
                db.execute(
                    "UPDATE mistake SET retired = NULL, run = 0, due = ? "
                    f"WHERE retired IS NOT NULL AND id IN ({marks})",
                    (microseconds(when), *chunk),
                )

    def progress(self, today: Today) -> list[Progress]:
        """Return how far the person is with each table, by name."""
        with explained(self.mistakes.path):
            rows = self.mistakes.connection.execute(
                "SELECT table_name, spawn4, count(*), "
                "sum(retired IS NULL AND card IS NOT NULL AND due <= ?), "
                "sum(retired IS NULL AND card IS NULL), sum(retired IS NOT NULL), "
                # By the index of tables every row would be looked up by itself.
                "sum(n_right), sum(n_wrong) FROM mistake NOT INDEXED GROUP BY 1, 2 ORDER BY 1, 2",
                (microseconds(today.now),),
            )
            return [Progress(TableKey(*row[:2]), *row[2:]) for row in rows]

    def _get(self, mistake_id: int) -> Mistake:
        found = self.mistakes.get([mistake_id])
        if not found:
            raise AppError(tr("this mistake was deleted meanwhile; go on with the next one"))
        return found[mistake_id]

    def _keys(self, key: TableKey | None) -> list[TableKey]:
        return self.mistakes.tables() if key is None else [key]

    def _new_left(self, today: Today) -> int:
        """Return how many new ones may still come up today; below 0 when more were wanted."""
        sql = "SELECT count(*) FROM answer WHERE was_new AND at >= ?"
        began = microseconds(today.began)
        return self.new_per_day - int(self.mistakes.connection.execute(sql, (began,)).fetchone()[0])

    def _first(self, which: str, order: str, today: Today, key: TableKey | None) -> int | None:
        """Return the first mistake in an order; each table has an index, all together have none."""
        sql = (
            f"SELECT id, {order} FROM mistake WHERE {_IS_ACTIVE} AND {which} "
            f"ORDER BY {_indexed(order)} LIMIT 1"
        )
        firsts = self._ask(sql, today, key)
        return min(firsts, key=lambda row: row[1], default=(None,))[0]

    def _count(self, which: str, today: Today, key: TableKey | None) -> int:
        sql = f"SELECT count(*) FROM (SELECT 1 FROM mistake WHERE {_IS_ACTIVE} AND {which})"
        return sum(row[0] for row in self._ask(sql, today, key))

    def _ask(self, sql: str, today: Today, key: TableKey | None) -> Iterator[tuple[int, ...]]:
        for one in self._keys(key):
            values = (*one, microseconds(today.now))
            yield from map(tuple, self.mistakes.connection.execute(sql, values))


def rating_of(is_right: bool, seconds: float) -> str:
    """Return the name of fsrs's rating of an answer."""
    if not is_right:
        return "Again"  # no text: these are names of fsrs
    return "Hard" if seconds > SLOW_S else "Good"  # no text


def _indexed(order: str) -> str:
    """Return an order as the index has it: an expression would make SQLite sort."""
    return f"{order[1:]} DESC" if order.startswith("-") else order


def worth(mistake: Mistake, direction: int) -> tuple[float | None, Grade | None]:
    """Return what a move gives away, and its grade; None where no rate is known for it."""
    if direction in mistake.best:
        return 0.0, Grade.PERFECT
    rate = mistake.rates[direction]
    best_rate = max((one for one in mistake.rates if one is not None), default=0.0)
    if rate is None or best_rate <= 0:
        return None, None
    ratio = min(1.0, rate / best_rate)
    return 1.0 - ratio, grade_of(ratio)


def _reviewed(
    mistake_id: int, card: "Card | None", is_right: bool, when: datetime, seconds: float
) -> tuple[str, int]:
    """Return the card after an answer, as text, and when it is due."""
    import fsrs  # 60 ms, which a window that only lists mistakes does not have to wait for

    rating = fsrs.Rating[rating_of(is_right, seconds)]
    start = card or fsrs.Card(card_id=mistake_id, due=when)
    after, _ = load_scheduler().review_card(start, rating, when.astimezone(timezone.utc))
    return after.to_json(), microseconds(after.due)


def _without(ids: Collection[int]) -> str:
    return f" AND id NOT IN ({','.join(map(str, ids))})" if ids else ""


def _card(rows: Iterable[tuple[str | None]]) -> "Card | None":
    """Return the card of a mistake; None for a new one, or one that an import has spoilt."""
    text = next(iter(rows))[0]
    if text is None:
        return None
    import fsrs

    try:
        return fsrs.Card.from_json(text)
    except (ValueError, KeyError, TypeError):
        return None


@cache
def load_scheduler() -> "Scheduler":
    """Return the scheduler; called ahead, it spares the first answer the wait for the import."""
    import fsrs

    # Its own scatter of the dates is not seeded, and a year is long enough for any position.
    return fsrs.Scheduler(enable_fuzzing=False, maximum_interval=365)
