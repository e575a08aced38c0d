"""Situations in words, for the window and the command line. No Qt."""

from coach.play.rules import End
from coach.situations.situation import Situation
from coach.situations.situations import AttemptOutcome, Statistics
from engine.platform.language import tr, trc
from engine.platform.quantities import points_text, rate_text
from tablebase.formation.goal import goal_of


def goal_text(situation: Situation) -> str:
    """Return the goal: `442 → 512`, `2048, rated by search`."""
    setup = situation.setup
    if not situation.is_exact:
        return tr("{tile}, rated by search", tile=setup.target)
    formation = setup.table.rpartition("_")[0]
    return f"{formation} \N{RIGHTWARDS ARROW} {goal_of(setup.target).words()}"


def chance_text(situation: Situation) -> str:
    """Return the chance of the goal: exact from a table, otherwise an estimate."""
    if situation.is_exact:
        return rate_text(situation.chance)
    return tr("about {percent:.0f} %", percent=100 * situation.chance)


def reached_text(found: Statistics) -> str:
    return tr("{reached:,} of {n:,}", reached=found.n_reached, n=found.n)


def interval_text(found: Statistics) -> str:
    if not found.n:
        return ""
    return tr("{low:.0f} to {high:.0f} %", low=100 * found.low, high=100 * found.high)


def lost_text(found: Statistics) -> str:
    lost = found.lost_per_move
    return "" if lost is None else points_text(lost)


def end_text(attempt: AttemptOutcome) -> str:
    if attempt.is_reached:
        return tr("Reached")
    if not attempt.outcome:
        return tr("Not finished")
    if attempt.outcome == End.OUTSIDE.value:
        return tr("Not counted")
    return trc("an attempt", "Lost")
