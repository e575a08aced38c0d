"""Today's session: what it is made of, and how it is said."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from coach.mistakes.mistake import TableKey
from gui.home.session import todays_session
from tests.gui.home.made_tests import NOON, finished
from tests.gui.window_fakes import table_info

SMALL, LARGE = (table_info(Path("tables") / name) for name in ("442_128", "L3_256"))


def session(tables=(SMALL, LARGE), tests=(), losses=None, last="", n_due=0, now=NOON):
    found = todays_session(tables, tests, losses or {}, last, n_due, now, 0)
    assert found
    return found


def test_without_a_table_there_is_none():
    assert todays_session([], [finished("442_128", 0.9)], {}, "", 5, NOON, 0) is None


def test_the_test_is_on_the_table_where_most_is_lost():
    worst = [replace(finished("L3_256", 0.9), counts=(15, 5, 0, 0, 0, 0, 0))] * 5
    found = session(tests=[finished("442_128", 0.99), *worst])
    assert found.table is LARGE
    assert "a test on L3 \u2192 256, where you lose the most: on average, each move" in found.text
    assert found.text.endswith("% of your chance.")


@pytest.mark.parametrize(
    ("counts", "n_tests", "others"),
    [
        ((15, 5, 0, 0, 0, 0, 0), 4, [finished("442_128", 0.99)]),
        ((20, 0, 0, 0, 0, 0, 0), 5, [finished("442_128", 0.99)]),
        ((15, 5, 0, 0, 0, 0, 0), 5, []),
    ],
)
def test_no_more_is_said_than_the_profile_would(counts, n_tests, others):
    """Eighty moves, all of them perfect, or nothing to compare with."""
    worst = [replace(finished("L3_256", 0.9), counts=counts)] * n_tests
    found = session(tests=[*others, *worst])
    assert found.table is LARGE
    assert found.text == "Nothing is due, so take a test on L3 \u2192 256."


def test_mistakes_tell_where_there_are_no_tests():
    found = session(losses={TableKey("L3_256", 0.1): 1.0, TableKey("442_128", 0.1): 0.5})
    assert found.table is LARGE
    assert "where your recent mistakes cost the most" in found.text


def test_the_table_in_use_last_is_taken_where_nothing_is_known():
    found = session(last=str(LARGE.path))
    assert found.table is LARGE
    assert found.text.endswith("a test on L3 \u2192 256, the table you used last.")
    assert session(last="gone").table is SMALL


def test_nobody_is_told_why_there_is_one_table():
    found = session([SMALL], tests=[finished("442_128", 0.9)])
    assert found.text == "Nothing is due, so take a test on 442 \u2192 128."


@pytest.mark.parametrize(
    ("n_due", "said"), [(1, "the move that's due"), (1200, "the 1,200 moves that are due")]
)
def test_what_is_due_comes_first(n_due, said):
    found = session([SMALL], n_due=n_due)
    assert found.text == f"Drill {said}, then take a test on 442 \u2192 128."
    assert found.button == "Start today's session"


def test_a_test_today_ends_it():
    today = finished("442_128", 0.9, ago=timedelta(hours=2))
    found = session([SMALL], [today])
    assert found.is_done
    assert (found.title, found.button) == ("Today's session is done", "Take another test")
    assert found.text.startswith("1 test today, and nothing is due.")
    assert not session([SMALL], [today], n_due=3).is_done, "there is something to drill"


def test_a_drill_after_todays_test_promises_no_other_one():
    found = session([SMALL], [finished("442_128", 0.9, ago=timedelta(hours=2))], n_due=3)
    assert found.text == "You took today's test. Drill the 3 moves that are due to finish."
    assert found.button == "Finish today's session"


def test_a_day_begins_at_midnight_where_the_person_is():
    zone = timezone(timedelta(hours=-5))
    test = finished("442_128", 0.9, ago=timedelta(hours=8))  # 23:00 of the day before, there
    now = datetime(2026, 3, 5, 7, tzinfo=zone)
    assert now == NOON
    assert not session([SMALL], [test], now=now).is_done
    assert session([SMALL], [test]).is_done
