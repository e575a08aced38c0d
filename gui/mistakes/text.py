"""Mistakes in words: when, how costly, what to do next. No Qt."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from coach.mistakes.mistake import DRILL, Attempt, Mistake, TableKey
from gui.text.numbers import format_percent, format_table
from gui.text.rates import DIRECTION_NAMES

USUAL_SPAWN4 = 0.1


def table_title(key: TableKey) -> str:
    """Return a table's name as people read it; how often a 4 comes where that is unusual."""
    pattern, _, target = key.name.rpartition("_")
    name = format_table(pattern, int(target)) if pattern and target.isdigit() else key.name
    return name if key.spawn4 == USUAL_SPAWN4 else f"{name}, {format_percent(key.spawn4)} fours"


def loss_text(loss: float | None) -> str:
    """Return a share that was given away: precise where it is small.

    Examples
    --------
    >>> [loss_text(loss) for loss in (0.5, 0.0123, 0.00123, 1.0, 0.0, None)]
    ['50 %', '1.2 %', '0.12 %', '100 %', '0 %', '?']
    """
    if loss is None:
        return "?"
    percent = loss * 100
    if percent == 0 or percent >= 9.95:
        return f"{percent:.0f} %"
    digits = 1 if percent >= 0.995 else 2 if percent >= 0.0995 else 3
    return f"{percent:.{digits}f} %"


def day_text(when: datetime | None, now: datetime) -> str:
    """Return a day near by as today or yesterday, others as a date; local time."""
    if when is None:
        return "unknown"
    day, today = when.astimezone().date(), now.astimezone().date()
    ago = (today - day).days
    if ago in (0, 1):
        return "today" if ago == 0 else "yesterday"
    return day.isoformat()


def due_text(mistake: Mistake, now: datetime) -> str:
    """Return when a mistake is repeated next."""
    if mistake.retired:
        return "retired"
    if mistake.is_new:
        return "new"
    if mistake.due is None or mistake.due <= now:
        return "due"
    wait = mistake.due - now
    if wait < timedelta(hours=1):
        return f"in {max(1, round(wait.total_seconds() / 60))} min"
    days = (mistake.due.astimezone().date() - now.astimezone().date()).days
    if days <= 1:
        return "today" if days == 0 else "tomorrow"
    return f"in {days} days" if days < 60 else f"in {days // 30} months"


def directions_text(directions: Sequence[int]) -> str:
    """Return directions as a phrase: `Left`, `Left or up`."""
    names = [DIRECTION_NAMES[direction] for direction in directions]
    text = " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return text[:1].upper() + text[1:]


def times_text(count: int) -> str:
    """Return how often: `once`, `twice`, `5 times`."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def history_text(mistake: Mistake, now: datetime) -> str:
    """Return how often a mistake was made and when last."""
    last = f", last {day_text(mistake.last, now)}" if mistake.last else ""
    return f"Made {times_text(mistake.count)}{last}."


def attempt_text(attempt: Attempt) -> str:
    """Return one attempt as a line: when, which move, what it cost, in which game."""
    when = f"{attempt.when.astimezone():%Y-%m-%d %H:%M}"
    where = "in a drill" if attempt.source == DRILL else attempt.source
    if attempt.move and attempt.source != DRILL:
        where += f", move {attempt.move}"
    name = DIRECTION_NAMES[attempt.direction]
    lost = f", lost {loss_text(attempt.loss)}" if attempt.loss is not None else ""
    return f"{when}: {name}{lost} ({where})"
