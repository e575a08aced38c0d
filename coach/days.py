"""The day that a moment belongs to: it begins at an hour that the user chooses.

Whoever plays until two in the morning is still in the evening before; a drill, a puzzle or a route
of the day belongs to that evening then. Dates themselves stay those of the calendar.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone, tzinfo

DAY_BEGINS = 4
"""The hour at which a day begins unless the user chooses another, as in Anki."""
LATEST_BEGIN = 6


def day_of(when: datetime, begins: int, zone: tzinfo | None = None) -> date:
    """Return the day that a moment belongs to.

    Parameters
    ----------
    begins : int
        The hour of the clock at which a day begins.
    zone : tzinfo, optional
        The time zone of the clock; None for the computer's.

    >>> late = datetime(2026, 3, 2, 3, 59, tzinfo=timezone.utc)
    >>> day_of(late, 4, timezone.utc), day_of(late, 0, timezone.utc)
    (datetime.date(2026, 3, 1), datetime.date(2026, 3, 2))
    """
    # By the clock, not by the time that passed: on a day when the clocks change, too.
    return (when.astimezone(zone) - timedelta(hours=begins)).date()


@dataclass(frozen=True)
class Today:
    """The current time and day."""

    now: datetime
    began: datetime  # start of the day in the user's time zone; both in UTC
    begins: int = 0  # the hour of the clock at which a day begins

    @property
    def day(self) -> date:
        """Its date in the user's time zone."""
        return self.began.astimezone().date()

    def days_since(self, when: datetime) -> int:
        """Return how many days ago a moment was; negative for days to come."""
        return (self.day - day_of(when, self.begins)).days

    def start(self, ago: int) -> datetime:
        """Return the start of an earlier day, that many days ago, in UTC."""
        return start_of(self.day - timedelta(days=ago), self.begins)


def days_in_a_row(days: Collection[date], today: date) -> int:
    """Return how many of the days follow each other up to today, or to yesterday.

    >>> days_in_a_row([date(2026, 3, 1), date(2026, 3, 2)], date(2026, 3, 3))
    2
    """
    n, day = 0, today if today in days else today - timedelta(days=1)
    while day in days:
        n, day = n + 1, day - timedelta(days=1)
    return n


def today_of(now: datetime, begins: int) -> Today:
    """Return the current time with the start of its day in the computer's time zone.

    Parameters
    ----------
    begins : int
        The hour of the clock at which a day begins.
    """
    return Today(now, start_of(day_of(now, begins), begins), begins)


def start_of(day: date, begins: int) -> datetime:
    """Return the time in UTC at which a day begins in the computer's time zone."""
    # Without a zone: at that hour the clocks may have shown another time than they do now.
    return datetime(day.year, day.month, day.day, begins).astimezone(timezone.utc)
