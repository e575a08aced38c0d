"""Statistics: how often the goal was reached."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ai.match.report import wilson
from coach.play.rules import End

REACHED = End.REACHED.value
COUNTED = (REACHED, *(end.value for end in (End.NO_MOVE, End.LOST)))
"""The ends that count. An attempt that the table cannot follow to its end says nothing."""


@dataclass(frozen=True)
class AttemptOutcome:
    """The part of an attempt that statistics use."""

    outcome: str  # a value of `End`; "" while in play
    n_moves: int
    points_lost: float  # total loss of its moves, as a sum of differences of rates

    @property
    def is_reached(self) -> bool:
        return self.outcome == REACHED


@dataclass(frozen=True)
class Statistics:
    """Statistics of attempts."""

    # Attempts that count, and those among them that reached the goal.
    n: int
    n_reached: int
    # The Wilson interval (95 %) of the share of the latter.
    low: float
    high: float
    n_moves: int
    points_lost: float  # of the moves of the attempts that count

    @property
    def share(self) -> float | None:
        return self.n_reached / self.n if self.n else None

    @property
    def lost_per_move(self) -> float | None:
        """The mean loss per move, as a difference of rates; None without a move."""
        return self.points_lost / self.n_moves if self.n_moves else None


def statistics_of(attempts: Iterable[AttemptOutcome]) -> Statistics:
    counted: Sequence[AttemptOutcome] = [one for one in attempts if one.outcome in COUNTED]
    n_reached = sum(one.is_reached for one in counted)
    low, high = wilson(n_reached, len(counted))
    return Statistics(
        len(counted),
        n_reached,
        low,
        high,
        sum(one.n_moves for one in counted),
        sum(one.points_lost for one in counted),
    )
