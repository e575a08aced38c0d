"""Sums by grade and by day, in the time zone of the person."""

from collections.abc import Iterator
from datetime import date, timedelta, timezone
from pathlib import Path

import pytest

from coach.grading.grade import GRADES, Grade
from coach.mistakes.drill import Drill
from coach.mistakes.mistake import TableKey
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.statistics import Day, statistics
from tests.coach.mistake_stage import LEFT, RIGHT, UP, after, noted

MARCH_1, MARCH_2, MARCH_3 = (date(2026, 3, day) for day in (1, 2, 3))


@pytest.fixture
def mistakes(tmp_path: Path) -> Iterator[Mistakes]:
    found = Mistakes(tmp_path / "mistakes.db")
    yield found
    found.close()


def test_an_empty_book_adds_up_to_nothing(mistakes: Mistakes) -> None:
    found = statistics(mistakes, timezone.utc, 0)
    assert (found.n_mistakes, found.n_attempts, found.total_loss) == (0, 0, 0)
    assert (found.by_grade, found.days, found.n_answers) == ((0,) * len(GRADES), (), 0)


def test_what_a_few_mistakes_add_up_to(mistakes: Mistakes) -> None:
    one = noted(mistakes)  # noon of March 1: 10 %
    noted(mistakes, direction=UP, days=0.25)  # 50 %
    other = noted(mistakes, board=0x1234 << 48, days=1, table="442_128")
    drill = Drill(mistakes)
    drill.answer(one, RIGHT, after(1), 2)
    drill.answer(one, LEFT, after(1.1), 2)  # wrong: an attempt too, but not in a game
    drill.answer(one, RIGHT, after(2), 2)
    drill.retire([other], after(2))
    found = statistics(mistakes, timezone.utc, 0)
    assert (found.n_mistakes, found.n_attempts, found.n_retired) == (2, 4, 1)
    assert found.total_loss == pytest.approx(0.1 + 0.5 + 0.1 + 0.1)
    assert found.by_grade[GRADES.index(Grade.DISASTER)] == 1
    assert found.by_grade[GRADES.index(Grade.MISTAKE)] == 1
    assert sum(found.by_grade) == 2
    assert [(d.date, d.n_mistakes, d.n_right, d.n_wrong) for d in found.days] == [
        (MARCH_1, 2, 0, 0),
        (MARCH_2, 1, 1, 1),
        (MARCH_3, 0, 1, 0),
    ]
    assert [day.loss for day in found.days] == pytest.approx([0.6, 0.1, 0])
    assert (found.n_answers, found.n_right) == (3, 2)
    later = statistics(mistakes, timezone.utc, 0, since=after(0.5))
    assert [day.date for day in later.days] == [MARCH_2, MARCH_3]
    assert (later.n_attempts, later.n_answers) == (4, 3)
    of_table = statistics(mistakes, timezone.utc, 0, TableKey("442_128", 0.1))
    assert (of_table.n_mistakes, of_table.n_attempts, of_table.n_answers) == (1, 1, 0)
    assert [day.date for day in of_table.days] == [MARCH_2]


@pytest.mark.parametrize(
    ("hours", "expected"),
    [(0, MARCH_1), (11.75, MARCH_1), (12, MARCH_2), (-12.25, date(2026, 2, 28))],
)
def test_days_begin_where_the_person_is(mistakes: Mistakes, hours: float, expected: date) -> None:
    noted(mistakes, days=5 / 1440)  # five minutes past noon
    zone = timezone(timedelta(hours=hours))
    assert [day.date for day in statistics(mistakes, zone, 0).days] == [expected]


@pytest.mark.parametrize("hours", [0, 5.75, 8.5, -3.5, 12.75])
def test_a_minute_before_midnight_is_the_day_before(mistakes: Mistakes, hours: float) -> None:
    """In zones that are whole hours, halves or quarters apart from UTC."""
    zone = timezone(timedelta(hours=hours))
    midnight = 0.5 - hours / 24  # days from noon of March 1, UTC, to March 2 there
    for minutes, board in ((-1, 0x1230 << 48), (0, 0x1240 << 48), (1, 0x1250 << 48)):
        noted(mistakes, board=board, days=midnight + minutes / 1440)
    found = statistics(mistakes, zone, 0).days
    assert [(day.date, day.n_mistakes) for day in found] == [(MARCH_1, 1), (MARCH_2, 2)]


def test_a_day_ends_at_the_hour_that_the_user_chose(mistakes: Mistakes) -> None:
    four = 2 / 3  # days from noon of March 1 to 4 in the morning of March 2
    for minutes, board in ((-1, 0x1230 << 48), (0, 0x1240 << 48)):
        noted(mistakes, board=board, days=four + minutes / 1440)
    found = statistics(mistakes, timezone.utc, 4).days
    assert [(day.date, day.n_mistakes) for day in found] == [(MARCH_1, 1), (MARCH_2, 1)]


def test_the_last_days_have_no_gaps(mistakes: Mistakes) -> None:
    noted(mistakes)
    found = statistics(mistakes, timezone.utc, 0).last_days(MARCH_3, 4)
    assert [day.date for day in found] == [date(2026, 2, 28), MARCH_1, MARCH_2, MARCH_3]
    assert [day.n_mistakes for day in found] == [0, 1, 0, 0]
    assert found[-1] == Day(MARCH_3)
