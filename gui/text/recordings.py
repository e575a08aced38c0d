"""Titles of recorded games and their tables. No Qt."""

from datetime import datetime

from coach.recordings.heading import Heading
from engine.platform.language import tr, trn
from engine.platform.quantities import day_text
from gui.text.dates import format_date
from gui.text.lists import fact_list
from gui.text.numbers import format_whole, table_title
from gui.text.rates import match_text


def recording_title(heading: Heading, now: datetime, has_result: bool = True) -> str:
    """Return the title of a recorded game: `442 \u2192 128, today 11:52, 86 % perfect`."""
    name = table_title(heading.table) if heading.table else heading.name
    when = format_day(heading.played_at, now) if heading.played_at else ""
    first = heading.first_move
    part = tr("from move {number}", number=format_whole(first)) if first else ""
    return fact_list((name, part, when, _result(heading) if has_result else ""))


def format_day(when: datetime, now: datetime) -> str:
    """Return a time today, else a date: `today 11:52`, `Nov 3 11:52`, `2025-11-03`."""
    when, now = when.astimezone(), now.astimezone()
    days = (now.date() - when.date()).days
    if days in (0, 1):
        time = f"{when:%H:%M}"
        return tr("yesterday {time}", time=time) if days else tr("today {time}", time=time)
    if when.year == now.year:
        return tr("{day} {time}", day=day_text(when.date()), time=f"{when:%H:%M}")
    return format_date(when)


def _result(heading: Heading) -> str:
    if heading.points is not None:
        return trn("{n} point", "{n:,} points", heading.points)
    if heading.perfect_share is not None:
        return tr("{share} perfect", share=match_text(heading.perfect_share))
    if heading.n_moves is None:
        return ""
    return trn("{n} move", "{n:,} moves", heading.n_moves)
