"""The weak spot: the table on which a person's moves lose the most, where a test helps most."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from coach.exam.history import FinishedTest
from coach.grading.grade import are_enough
from coach.mistakes.mistake import TableKey

RECENT = 10
"""Number of latest tests on a table that represent how a person plays it now."""

_MIN_RATE = 1e-4  # a test lost entirely by one move says nothing more


class Evidence(Enum):
    """The kind of data that shows the weak spot."""

    TESTS = "tests"
    MISTAKES = "mistakes"


@dataclass(frozen=True)
class WeakSpot:
    """A table, and the evidence that it is the weak spot."""

    key: TableKey
    evidence: Evidence
    # By tests: the share of the success rate lost per move on average; by mistakes: their total
    # loss.
    loss: float
    # Whether the loss rests on enough moves, and there are tests on another table to compare with.
    stands_out: bool = False


def weak_spot(
    tests: Sequence[FinishedTest],
    tables: Collection[TableKey],
    mistake_losses: Mapping[TableKey, float],
) -> WeakSpot | None:
    """Return the table with the largest loss per move in its latest tests, which come newest first.

    Without a test on any of the tables, it is the one whose recent mistakes cost the most. None if
    nothing was lost or nothing is known.
    """
    losses = {key: loss for key in tables if (loss := loss_per_move(tests, key)) is not None}
    if losses:
        worst = _worst(losses, Evidence.TESTS)
        return worst and replace(
            worst, stands_out=len(losses) > 1 and _has_enough_moves(tests, worst.key)
        )
    costs = {key: loss for key, loss in mistake_losses.items() if key in tables}
    return _worst(costs, Evidence.MISTAKES)


def loss_per_move(tests: Sequence[FinishedTest], key: TableKey) -> float | None:
    """Return the mean loss per move in the latest tests on a table; None without tests.

    Match rates multiply move by move, so the geometric mean is comparable between short and long
    tests.
    """
    latest = _latest(tests, key)
    if not latest:
        return None
    lost = sum(math.log(max(_MIN_RATE, test.match_rate)) for test in latest)
    return max(0.0, -math.expm1(lost / sum(sum(test.counts) for test in latest)))


def _latest(tests: Sequence[FinishedTest], key: TableKey) -> list[FinishedTest]:
    of_table = (test for test in tests if (test.table, test.spawn4) == tuple(key))
    return [test for test in of_table if sum(test.counts)][:RECENT]


def _has_enough_moves(tests: Sequence[FinishedTest], key: TableKey) -> bool:
    counts = [sum(column) for column in zip(*(t.counts for t in _latest(tests, key)), strict=True)]
    return are_enough(sum(counts), sum(counts[1:]))  # the first of them are perfect


def _worst(losses: Mapping[TableKey, float], evidence: Evidence) -> WeakSpot | None:
    worst = max(losses, key=lambda key: (losses[key], key), default=None)
    if worst is None or losses[worst] <= 0:
        return None
    return WeakSpot(worst, evidence, losses[worst])
