"""Rating a whole recording: rates of tables where they know, chances of search elsewhere.

Tables rate their own target, search the next large tile (`ai.chances.goal`), so a table counts only
if its target is that tile or half of it, and so serves the game's goal. Where the source or the
goal changes, no luck is computed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ai.chances.goal import goal_of
from coach.grading.grade import Tolerance
from coach.recordings.many_tables import rate_by_many
from coach.recordings.recording import SEARCH, WHOLE_GAME, Rater, Recording, end_rate_of
from engine.formats.replay import Rates
from engine.platform.default_callbacks import ignore_progress, never_cancelled
from tablebase.errors import TableError
from tablebase.formation.goal import goal_of as goal_of_table
from tablebase.probe.table import Table

ALIKE = Tolerance(0.002, 0.0005)
"""Chances that differ by no more than a fifth of a percent count as equal: search cannot tell."""

_HALF = 1  # in exponents


def rate_by_tables(
    tables: Sequence[Table],
    recording: Recording,
    cancelled: Callable[[], bool] = never_cancelled,
    broken: Callable[[TableError], None] = ignore_progress,
) -> Recording | None:
    goals = {table.name: goal_of_table(table.target) for table in tables}
    # A sum is never the game's goal.
    target = {name: goal.least_large if goal.tile else 0 for name, goal in goals.items()}
    rated = rate_by_many(tables, recording, cancelled=cancelled, broken=broken)
    if rated is None:
        return None
    rates, raters, doubts = list(rated.rates), list(rated.raters), dict(rated.doubts)
    for i, rater in enumerate(raters):
        if not rater:
            rates[i] = None  # from the file: it is unknown what they are chances of
            continue
        goal = goal_of(rated.positions[i])
        is_bound = i in doubts and doubts[i].is_limited  # search knows more about losses
        if is_bound or target[rater.name] < goal.exponent - _HALF or not any(rates[i] or ()):
            rates[i] = raters[i] = None
            doubts.pop(i, None)
    return replace(rated, rates=tuple(rates), raters=tuple(raters), doubts=doubts)


def with_chances(rated: Recording, chances: Mapping[int, Rates]) -> Recording:
    """Return the result of `rate_by_tables` with chances, by position, where no table knows."""
    rates, raters = list(rated.rates), list(rated.raters)
    for i, rater in enumerate(raters):
        searched = chances.get(i, ())
        if rater is None and any(chance is not None for chance in searched):
            goal = goal_of(rated.positions[i])
            rates[i] = chances[i]
            raters[i] = Rater(SEARCH, ALIKE, f"{goal.n_large}+{1 << goal.exponent}")
    whole = replace(
        rated,
        rates=tuple(rates),
        raters=tuple(raters),
        source=WHOLE_GAME,
        end_rate=end_rate_of(rated, rates),
    )
    return whole.judge_all()
