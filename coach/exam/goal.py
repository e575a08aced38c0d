"""What a test is taken for: to reach the target, to play so many moves, to keep a streak."""

from dataclasses import dataclass

MOST_MOVES = 100_000


@dataclass(frozen=True, order=True)
class Goal:
    """When a test is over although the game could go on; at the target it always is.

    Attributes
    ----------
    moves : int
        After how many moves, 0 for however many it takes.
    ends_at_miss : bool
        Whether at the first move that is not perfect.
    """

    moves: int = 0
    ends_at_miss: bool = False


TARGET = Goal()
