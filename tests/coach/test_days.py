"""Which day a moment belongs to, when a day begins at an hour that the user chooses."""

import json
import time
from datetime import date, datetime, timedelta, timezone

import pytest

from coach.backup.settings_file import day_begins
from coach.days import DAY_BEGINS, day_of, today_of

MARCH_1, MARCH_2 = date(2026, 3, 1), date(2026, 3, 2)


@pytest.mark.parametrize(
    ("clock", "begins", "expected"),
    [
        ("03:59", 4, MARCH_1),
        ("04:00", 4, MARCH_2),
        ("23:59", 4, MARCH_2),
        ("00:00", 0, MARCH_2),
        ("00:00", 6, MARCH_1),
    ],
)
@pytest.mark.parametrize("hours", [0, 5.75, -3.5])
def test_until_the_hour_it_is_the_day_before(clock, begins, expected, hours):
    zone = timezone(timedelta(hours=hours))
    when = datetime.fromisoformat(f"2026-03-02T{clock}:00").replace(tzinfo=zone)
    assert day_of(when.astimezone(timezone.utc), begins, zone) == expected


@pytest.mark.parametrize(
    ("now", "began", "day"),
    [
        ("2026-03-29T02:05:00+00:00", "2026-03-29T02:00:00+00:00", "2026-03-29"),  # 4:05, was 3:05
        ("2026-03-29T01:55:00+00:00", "2026-03-28T03:00:00+00:00", "2026-03-28"),
        ("2026-10-25T02:55:00+00:00", "2026-10-24T02:00:00+00:00", "2026-10-24"),
        ("2026-10-25T03:05:00+00:00", "2026-10-25T03:00:00+00:00", "2026-10-25"),  # put back
    ],
)
def test_today_began_at_the_hour_of_the_clock_also_when_the_clocks_are_changed(
    monkeypatch, now, began, day
):
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        found = today_of(datetime.fromisoformat(now), 4)
        told = found.day.isoformat()
    time.tzset()
    assert (found.began, told) == (datetime.fromisoformat(began), day)


@pytest.mark.parametrize("begins", range(7))
def test_today_began_before_now_at_every_hour_of_a_year(monkeypatch, begins):
    """Whatever hour the clocks leave out or show twice."""
    first = datetime(2026, 1, 1, 0, 30, tzinfo=timezone.utc)
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        for days in (*range(80, 100), *range(290, 310)):
            for hour in range(24):
                now = first + timedelta(days=days, hours=hour)
                today = today_of(now, begins)
                assert today.began <= now < today.began + timedelta(hours=25)
                assert today.day == day_of(now, begins)
    time.tzset()


def test_days_are_counted_and_begin_from_the_day_that_still_goes_on():
    evening = datetime(2026, 3, 1, 23).astimezone()
    today = today_of(evening + timedelta(hours=3), 4)
    hours = (0, 2, 10, -18, -20)
    assert [today.days_since(evening + timedelta(hours=n)) for n in hours] == [0, 0, -1, 0, 1]
    assert [today.start(n).astimezone().isoformat()[:16] for n in (0, 1)] == [
        "2026-03-01T04:00",
        "2026-02-28T04:00",
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [({}, DAY_BEGINS), ({"day.begins": 0}, 0), ({"day.begins": 7}, 4), ({"day.begins": "2"}, 4)],
)
def test_commands_follow_the_setting_of_the_window(tmp_path, values, expected):
    assert day_begins(tmp_path) == DAY_BEGINS
    (tmp_path / "settings.json").write_text(json.dumps({"version": 1, "values": values}))
    assert day_begins(tmp_path) == expected
    (tmp_path / "settings.json").write_text("{")
    assert day_begins(tmp_path) == DAY_BEGINS
