"""The goal of a test: to reach the target, to play a number of moves, or to keep a streak."""

from dataclasses import dataclass

MAX_MOVES = 100_000


@dataclass(frozen=True, order=True)
class ExamGoal:
    """When a test ends early; it always ends at the target.

    Attributes
    ----------
    moves : int
        Number of moves after which it ends; 0 for no limit.
    ends_at_miss : bool
        Whether it ends at the first imperfect move.
    """

    moves: int = 0
    ends_at_miss: bool = False


TARGET = ExamGoal()
