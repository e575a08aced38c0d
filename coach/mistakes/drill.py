"""Drills: choosing which mistakes to repeat, and recording answers.

There are two ways to choose. *Scheduled*: spaced repetition by the ``fsrs`` package says when each
position is due; due ones come first, then a few that were never drilled, then wrong answers due
within minutes. *Weighted*: a random queue outside the schedule; the more often a mistake was made,
or the more it cost, the more likely it is drawn.

A position answered correctly several times in a row retires; a wrong answer, the same mistake in a
game, or the user brings it back.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from coach.days import Today, today_of
from coach.grading.grade import Grade, worth_of_answer
from coach.mistakes.mistake import DRILL, Attempt, Mistake, TableKey, microseconds, time_of
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.query import in_chunks
from engine.platform.errors import AppError
from engine.platform.language import tr

if TYPE_CHECKING:
    from fsrs import Card, Scheduler

RETIRE_AFTER = 5
NEW_PER_DAY = 20
MAX_QUEUE_LENGTH = 1000
LEARN_AHEAD = timedelta(minutes=20)
"""A wrong answer due within this time is repeated as soon as nothing else is left, as in Anki."""
SLOW_S = 20.0
"""A right answer that took longer counts as hard. None counts as easy: of four moves a guess is
right too often to prove anything by its haste."""

# Raised by fsrs for a card that an import brought and that no scheduler wrote.
_SPOILED = (
    *(ValueError, TypeError, LookupError),
    *(ArithmeticError, AssertionError, AttributeError),
)
_IS_ACTIVE = "retired IS NULL AND table_name = ? AND spawn4 = ?"


class Weighting(Enum):
    """The weight by which mistakes are drawn."""

    COUNT = "count"
    LOSS = "loss"
    BOTH = "both"


@dataclass(frozen=True)
class Outcome:
    """The result of an answer."""

    is_right: bool
    loss: float | None  # the loss of the answer; None if its rate is unknown
    grade: Grade | None
    has_retired: bool  # whether the mistake has retired just now
    mistake: Mistake  # the mistake after the answer


@dataclass(frozen=True)
class Progress:
    """Progress in drilling the mistakes of a table.

    `n_due` were drilled before and are to be drilled now; `n_new` were never drilled. `n_right` and
    `n_wrong` count answers so far.
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

    `retire_after`: correct answers in a row after which a mistake retires; 0 for never.
    """

    def __init__(
        self, mistakes: Mistakes, retire_after: int = RETIRE_AFTER, new_per_day: int = NEW_PER_DAY
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
        """Return the id of the mistake to repeat now; None if nothing is left for now.

        `more_new`: new ones wanted today beyond the usual number; `without`: those skipped today.
        """
        skipped = _without(without)
        with self.mistakes.reading():
            mistake_id = self._first(f"{_due_by(today.now)}{skipped}", "due", key)
            if mistake_id is None and self._new_left(today) + more_new > 0:
                mistake_id = self._first(f"card IS NULL{skipped}", "-total_loss", key)
            if mistake_id is None:
                mistake_id = self._first(f"{_wants_drill(today.now)}{skipped}", "due", key)
        return mistake_id

    def next_review(self, today: Today, key: TableKey | None = None) -> datetime | None:
        """Return when the next mistake is due that `next_due` doesn't return yet; None if none."""
        which = f"card IS NOT NULL AND NOT ({_wants_drill(today.now)})"
        sql = f"SELECT min(due) FROM mistake WHERE {_IS_ACTIVE} AND {which}"
        with self.mistakes.reading():
            due = [row[0] for row in self._ask(sql, key) if row[0] is not None]
        return time_of(min(due)) if due else None

    def more_for(self, n: int, today: Today) -> int:
        with self.mistakes.reading():
            return n - self._new_left(today)

    def count_new(self, key: TableKey | None = None) -> int:
        """Return the number of mistakes never drilled, regardless of the daily limit."""
        with self.mistakes.reading():
            return self._count("card IS NULL", key)

    def count_due(self, today: Today, key: TableKey | None = None, more_new: int = 0) -> int:
        """Return the number of mistakes that `next_due` would return in sequence."""
        with self.mistakes.reading():
            known = self._count(_wants_drill(today.now), key)
            left = max(0, self._new_left(today) + more_new)
            new = self._count(f"card IS NULL LIMIT {left}", key)
        return known + min(left, new)

    def queue(
        self,
        weighting: Weighting,
        rng: np.random.Generator,
        key: TableKey | None = None,
        longest: int = MAX_QUEUE_LENGTH,
    ) -> list[int]:
        """Return ids drawn without replacement in proportion to weight.

        That is the square of the count, the square of the total loss, or their product. If all
        weights are 0 they count as equal; otherwise those with weight 0 come last.

        Notes
        -----
        Drawing in proportion to weight without replacement is the same as sorting by waiting times
        that are exponential with the weight as their rate: Efraimidis and Spirakis, Weighted
        random sampling with a reservoir (2006).
        """
        where, values = ("retired IS NULL", ()) if key is None else (_IS_ACTIVE, (*key,))
        with self.mistakes.reading():
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
        return [int(mistake_id) for mistake_id in ids[order]]

    def answer(
        self,
        mistake_id: int,
        direction: int,
        when: datetime,
        seconds: float,
        *,
        is_scheduled: bool = True,
    ) -> Outcome:
        """Record an answer, its direction in the orientation of the mistake's board.

        `is_scheduled`: the schedule chose the mistake. A correct answer outside the schedule
        doesn't change it: it doesn't show that the position would have been remembered until due.
        AppError: the mistake no longer exists.
        """
        before = self._get(mistake_id)
        is_right, at = direction in before.right, microseconds(when)
        loss, grade = worth_of_answer(before.rates, before.best, direction)
        run = before.run + 1 if is_right else 0
        is_reviewed = is_scheduled or not is_right
        has_retired = bool(self.retire_after) and run >= self.retire_after and not before.retired
        with self.mistakes.writing() as db:
            card = _card(db.execute("SELECT card FROM mistake WHERE id = ?", (mistake_id,)))
            db.execute(
                "INSERT OR IGNORE INTO mistake_answer "
                "(mistake_id, at, direction, is_right, seconds, was_new) VALUES (?, ?, ?, ?, ?, ?)",
                # Without a review it stays new, and must not use up one of the day's new ones.
                (mistake_id, at, direction, is_right, seconds, card is None and is_reviewed),
            )
            if not is_right:
                attempt = Attempt(when, direction, loss, grade, DRILL, 0)
                self.mistakes.add_attempts(mistake_id, [attempt])
            db.execute("UPDATE mistake SET run = ? WHERE id = ?", (run, mistake_id))
            if is_reviewed:
                text, due = _reviewed(mistake_id, card, is_right, when, seconds)
                sql = "UPDATE mistake SET card = ?, due = ? WHERE id = ?"
                db.execute(sql, (text, due, mistake_id))
            if has_retired or not is_right:
                retired = at if has_retired else None
                db.execute("UPDATE mistake SET retired = ? WHERE id = ?", (retired, mistake_id))
            self.mistakes.refresh([mistake_id])
        return Outcome(is_right, loss, grade, has_retired, self._get(mistake_id))

    def retire(self, ids: Iterable[int], when: datetime) -> None:
        with self.mistakes.writing() as db:
            for chunk, marks in in_chunks(ids):
                sql = f"UPDATE mistake SET retired = coalesce(retired, ?) WHERE id IN ({marks})"
                db.execute(sql, (microseconds(when), *chunk))

    def revive(self, ids: Iterable[int], when: datetime) -> None:
        """Bring retired mistakes back into repetition, due now; others are unchanged."""
        with self.mistakes.writing() as db:
            for chunk, marks in in_chunks(ids):
                db.execute(
                    "UPDATE mistake SET retired = NULL, run = 0, due = ? "
                    f"WHERE retired IS NOT NULL AND id IN ({marks})",
                    (microseconds(when), *chunk),
                )

    def progress(self, today: Today) -> list[Progress]:
        with self.mistakes.reading():
            rows = self.mistakes.connection.execute(
                "SELECT table_name, spawn4, count(*), "
                f"sum(retired IS NULL AND {_wants_drill(today.now)}), "
                "sum(retired IS NULL AND card IS NULL), sum(retired IS NOT NULL), "
                # With the table index, SQLite would look up every row separately.
                "sum(n_right), sum(n_wrong) FROM mistake NOT INDEXED GROUP BY 1, 2 ORDER BY 1, 2"
            )
            return [Progress(TableKey(*row[:2]), *row[2:]) for row in rows]

    def _get(self, mistake_id: int) -> Mistake:
        stored = self.mistakes.get([mistake_id])
        if not stored:
            raise AppError(tr("this mistake was deleted meanwhile; continue with the next one"))
        return stored[mistake_id]

    def _new_left(self, today: Today) -> int:
        """Return the number of new ones left for today; negative if more were requested."""
        sql = "SELECT count(*) FROM mistake_answer WHERE was_new AND at >= ?"
        began = microseconds(today.began)
        return self.new_per_day - int(self.mistakes.connection.execute(sql, (began,)).fetchone()[0])

    def _first(self, which: str, order: str, key: TableKey | None) -> int | None:
        """Return the first mistake in an order; indexes exist per table, none for all together."""
        # As in the index: an expression would make SQLite sort.
        column = f"{order[1:]} DESC" if order.startswith("-") else order
        sql = (
            f"SELECT id, {order} FROM mistake WHERE {_IS_ACTIVE} AND {which} "
            f"ORDER BY {column} LIMIT 1"
        )
        firsts = self._ask(sql, key)
        return min(firsts, key=lambda row: row[1], default=(None,))[0]

    def _count(self, which: str, key: TableKey | None) -> int:
        sql = f"SELECT count(*) FROM (SELECT 1 FROM mistake WHERE {_IS_ACTIVE} AND {which})"
        return sum(row[0] for row in self._ask(sql, key))

    def _ask(self, sql: str, key: TableKey | None) -> Iterator[tuple[int, ...]]:
        for one in [key] if key else self.mistakes.tables():
            yield from map(tuple, self.mistakes.connection.execute(sql, tuple(one)))


@dataclass(frozen=True)
class DrillRules:
    """The rules of the drill in the settings: see `Drill`; and the hour at which a day begins."""

    # The settings, one for each rule.
    NAMES: ClassVar = ("mistakes.retire_after", "mistakes.new_per_day", "day.begins")

    retire_after: int
    new_per_day: int
    day_begins: int

    @classmethod
    def of(cls, get: Callable[[str], Any]) -> "DrillRules":
        return cls(*map(get, cls.NAMES))

    def drill(self, mistakes: Mistakes) -> Drill:
        return Drill(mistakes, self.retire_after, self.new_per_day)

    def today(self, now: datetime) -> Today:
        return today_of(now, self.day_begins)


def rating_of(is_right: bool, seconds: float) -> str:
    if not is_right:
        return "Again"  # no text: these are names of fsrs
    return "Hard" if seconds > SLOW_S else "Good"  # no text


def _reviewed(
    mistake_id: int, card: "Card | None", is_right: bool, when: datetime, seconds: float
) -> tuple[str, int]:
    import fsrs  # 60 ms, which a window that only lists mistakes needn't wait for

    rating, at = fsrs.Rating[rating_of(is_right, seconds)], when.astimezone(timezone.utc)
    fresh = fsrs.Card(card_id=mistake_id, due=when)
    try:
        after, _ = load_scheduler().review_card(card or fresh, rating, at)
        return after.to_json(), microseconds(after.due)
    except _SPOILED:
        after, _ = load_scheduler().review_card(fresh, rating, at)
        return after.to_json(), microseconds(after.due)


def _due_by(when: datetime) -> str:
    return f"card IS NOT NULL AND due <= {microseconds(when)}"


def _wants_drill(now: datetime) -> str:
    """Return the condition for what was drilled before and is to be drilled today without a wait.

    A right answer waits for its time: nothing is learned by giving it again at once.
    """
    return f"{_due_by(now + LEARN_AHEAD)} AND (due <= {microseconds(now)} OR run = 0)"  # no text


def _without(ids: Collection[int]) -> str:
    return f" AND id NOT IN ({','.join(map(str, ids))})" if ids else ""


def _card(rows: Iterable[tuple[str | None]]) -> "Card | None":
    """Return the card of a mistake; None if it is new, or spoiled by an import."""
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
    """Return the scheduler; call it early so that the first answer needn't wait for the import."""
    import fsrs

    # Its own fuzzing of dates is not seeded, and a year is long enough for any position.
    return fsrs.Scheduler(enable_fuzzing=False, maximum_interval=365)
