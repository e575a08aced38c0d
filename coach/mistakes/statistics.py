"""Statistics of mistakes: by grade and by day."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo

from coach.days import day_of
from coach.grading.grade import GRADES
from coach.mistakes.mistake import DRILL, TableKey, microseconds, time_of
from coach.mistakes.mistakes import Mistakes

_QUARTER_US = 15 * 60 * 1_000_000  # in every time zone, days begin on a quarter of an hour


@dataclass(frozen=True)
class Day:
    """One day in the user's time zone."""

    date: date
    n_mistakes: int = 0  # mistakes in games, not in drills
    loss: float = 0.0  # their total loss
    # Answers in drills.
    n_right: int = 0
    n_wrong: int = 0


@dataclass(frozen=True)
class Statistics:
    """All mistakes, or those of one table."""

    n_mistakes: int  # positions, retired ones too
    total_loss: float
    n_retired: int
    # Answers in drills.
    n_right: int
    n_wrong: int
    by_grade: tuple[int, ...]  # positions by their worst attempt, in the order of `GRADES`
    days: tuple[Day, ...]  # days with events, ascending

    @property
    def n_answers(self) -> int:
        return self.n_right + self.n_wrong

    def last_days(self, today: date, n: int) -> list[Day]:
        """Return the last `n` days up to today, including those without events."""
        known = {day.date: day for day in self.days}
        dates = [today - timedelta(days=ago) for ago in range(n - 1, -1, -1)]
        return [known.get(one, Day(one)) for one in dates]


def statistics(
    mistakes: Mistakes,
    zone: tzinfo | None,
    begins: int,
    key: TableKey | None = None,
    since: datetime | None = None,
) -> Statistics:
    """Return the statistics of the mistakes.

    `zone`: that of the days, None for the computer's; `begins`: the hour at which a day begins;
    `since`: start of the period that `days` covers; the sums cover all time.
    """
    where, values = ("1", ()) if key is None else ("table_name = ? AND spawn4 = ?", (*key,))
    join = "" if key is None else "JOIN mistake ON mistake.id = mistake_id"  # no text
    later = (microseconds(since) if since else 0, *values)
    with mistakes.reading():
        by_grade = mistakes.tuples(
            "SELECT grade, count(*), total(total_loss), count(retired), "
            f"total(n_right), total(n_wrong) FROM mistake WHERE {where} GROUP BY grade",
            values,
        )
        made = mistakes.tuples(
            f"SELECT at / {_QUARTER_US}, count(*), total(loss) FROM mistake_attempt {join} "
            f"WHERE at >= ? AND {where} AND source <> '{DRILL}' GROUP BY 1",
            later,
        )
        answered = mistakes.tuples(
            f"SELECT at / {_QUARTER_US}, sum(is_right), sum(NOT is_right) "
            f"FROM mistake_answer {join} WHERE at >= ? AND {where} GROUP BY 1",
            later,
        )
    counts = {grade: count for grade, count, *_ in by_grade}
    sums = [sum(column) for column in zip(*(row[1:] for row in by_grade), strict=True)] or [0] * 5
    return Statistics(
        n_mistakes=sums[0],
        total_loss=sums[1],
        n_retired=sums[2],
        n_right=int(sums[3]),
        n_wrong=int(sums[4]),
        by_grade=tuple(counts.get(i, 0) for i in range(len(GRADES))),
        days=_days(made, answered, zone, begins),
    )


def _days(
    made: Sequence[Sequence[float]],
    answered: Sequence[Sequence[int]],
    zone: tzinfo | None,
    begins: int,
) -> tuple[Day, ...]:
    days: dict[date, Day] = {}
    for quarter, count, loss in made:
        day = _day_at(days, int(quarter), zone, begins)
        days[day.date] = replace(day, n_mistakes=day.n_mistakes + int(count), loss=day.loss + loss)
    for quarter, right, wrong in answered:
        day = _day_at(days, quarter, zone, begins)
        days[day.date] = replace(day, n_right=day.n_right + right, n_wrong=day.n_wrong + wrong)
    return tuple(days[one] for one in sorted(days))


def _day_at(days: dict[date, Day], quarter: int, zone: tzinfo | None, begins: int) -> Day:
    when = time_of(quarter * _QUARTER_US)
    assert when is not None
    one = day_of(when, begins, zone)
    return days.get(one, Day(one))
