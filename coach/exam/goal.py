"""The goal of a test: to reach the target, to play a number of moves, or to keep a streak."""

from dataclasses import dataclass

MAX_MOVES = 100_000


@dataclass(frozen=True, order=True)
class ExamGoal:
    """When a test ends early; it always ends at the target."""

    moves: int = 0  # number of moves after which it ends; 0 for no limit
    ends_at_miss: bool = False  # whether it ends at the first imperfect move


TARGET = ExamGoal()
