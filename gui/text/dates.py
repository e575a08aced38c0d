"""Days and times in the format of the current language: `Nov 23, 2026`, `2026年11月23日`."""

from datetime import date, datetime

from engine.platform.language import tr
from engine.platform.quantities import day_text


def format_date(when: date) -> str:
    """Return a day with its year.

    >>> format_date(date(2048, 5, 9))
    'May 9, 2048'
    """
    return tr("{day}, {year}", day=day_text(when), year=when.year)


def format_moment(when: datetime) -> str:
    """Return a day and a time of day, as the clock of this computer shows it."""
    local = when.astimezone()
    return tr("{day} {time}", day=format_date(local), time=f"{local:%H:%M}")
