"""Texts on mistakes: when, how costly, what to do next. No Qt."""

from datetime import datetime, timedelta

from coach.days import Today, day_of
from coach.grading.names import move_word
from coach.mistakes.mistake import ANALYSIS, DRILL, PUZZLE, ROUTE, SITUATION, Attempt, Mistake
from engine.platform.language import tr, trn
from engine.platform.quantities import loss_text
from gui.text.dates import format_date, format_moment
from gui.text.rates import best_rate, points_lost
from gui.text.reviews import format_share


def day_text(when: datetime | None, today: Today) -> str:
    """Return a recent day as today or yesterday, others as a date; local time."""
    if when is None:
        return tr("unknown")
    ago = today.days_since(when)
    if ago in (0, 1):
        return tr("today") if ago == 0 else tr("yesterday")
    return format_date(day_of(when, today.begins))


def due_text(mistake: Mistake, today: Today) -> str:
    if mistake.retired:
        return tr("retired")
    if mistake.is_new:
        return tr("new")
    if mistake.due is None or mistake.due <= today.now:
        return tr("due")
    return wait_text(mistake.due, today)


def wait_text(due: datetime, today: Today) -> str:
    wait = due - today.now
    if wait < timedelta(hours=1):
        return tr("in {minutes} min", minutes=max(1, round(wait.total_seconds() / 60)))
    days = -today.days_since(due)
    if days <= 1:
        return tr("today") if days == 0 else tr("tomorrow")
    return tr("in {n} days", n=days) if days < 60 else tr("in {n} months", n=days // 30)


def lost_text(mistake: Mistake, loss: float) -> str:
    """Return what a move loses: points; without rates, the share `loss` of the chance."""
    best = best_rate(mistake.rates)
    if not best:
        return tr("{share} of the chance", share=format_share(loss))
    return loss_text((1 - loss) * best, best) or tr("nothing")


def lost_figure(mistake: Mistake) -> str:
    """Return the largest loss, abbreviated; "" if nothing was lost."""
    best, loss = best_rate(mistake.rates) or 0.0, mistake.worst_loss
    return points_lost(loss * best) or (format_share(loss) if loss else "")


def is_due(mistake: Mistake, now: datetime) -> bool:
    return not (mistake.retired or mistake.is_new) and (mistake.due is None or mistake.due <= now)


def times_text(count: int) -> str:
    if count in (1, 2):
        return tr("once") if count == 1 else tr("twice")
    return trn("{n} time", "{n} times", count)


def history_text(mistake: Mistake, today: Today) -> str:
    """Return how often a mistake was made, and when last; wrong answers in drills don't count."""
    count = mistake.n_made
    times = times_text(count)
    # The last time may be that of a wrong answer; the first never is.
    when = mistake.first if count == 1 else None if mistake.n_wrong else mistake.last
    if not when:
        return tr("Made {times}.", times=times)
    day = day_text(when, today)
    if count == 1:
        return tr("Made once, {day}.", day=day)
    return tr("Made {times}, most recently {day}.", times=times, day=day)


def source_text(source: str) -> str:
    """Return the text on where an attempt was made; the name of its file, if it has one."""
    if source == DRILL:
        return tr("in a drill")
    if source == PUZZLE:
        return tr("in a puzzle")
    if source == SITUATION:
        return tr("in a situation")
    if source.startswith(ANALYSIS):
        return tr("analysis of {name}", name=source.removeprefix(ANALYSIS))
    if source.startswith(ROUTE):
        return tr("route {code}", code=source.removeprefix(ROUTE))
    return source


def attempt_text(attempt: Attempt, mistake: Mistake) -> str:
    when = format_moment(attempt.when)
    where = source_text(attempt.source)
    if attempt.move and attempt.source != DRILL:
        where = tr("{game}, move {number}", game=where, number=attempt.move)
    name = move_word(attempt.direction)
    if attempt.loss is None:
        return tr("{when}: {move} ({where})", when=when, move=name, where=where)
    return tr(
        "{when}: {move}, lost {loss} ({where})",
        when=when,
        move=name,
        loss=lost_text(mistake, attempt.loss),
        where=where,
    )
