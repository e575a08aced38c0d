"""The rules of a run: when it ends, which moves are accepted, which are mistakes."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from coach.grading.grade import Grade, Judgement, Rates

MAX_MOVES = 100_000
FREE_GRADES = (Grade.PERFECT, Grade.EXCELLENT)
"""Moves that are no mistake: what they lose is less than the book of mistakes takes down."""


class End(Enum):
    """The reason why a run ended."""

    REACHED = "reached"  # the target is where it counts
    NO_MOVE = "no move"  # no text: no move is left, or none that stays in the formation
    LOST = "lost"  # the table knows no way to the target anymore
    OUTSIDE = "outside"  # the table does not answer for this position
    TIME = "time"  # the time for a move ran out
    MOVES = "moves"  # the set number of moves was made
    MISS = "miss"  # a move was not perfect, but every move had to be


class Refusal(Enum):
    """The reason why a move is not accepted."""

    ILLEGAL = "illegal"  # nothing slides that way
    LEAVES = "leaves"  # legal, but it breaks the table's formation
    UNKNOWN = "unknown"  # the table doesn't know its rate


@dataclass(frozen=True, order=True)
class ExamGoal:
    """When a run ends early; it always ends at the target."""

    moves: int = 0  # number of moves after which it ends; 0 for no limit
    ends_at_miss: bool = False  # whether it ends at the first imperfect move


TARGET = ExamGoal()


def end_of_rates(rates: Rates | None, is_best_known: bool) -> End | None:
    """Return the reason why play can't go on by a table's rates for a position with a legal move.

    Without rates the table has no answer. `is_best_known` is False if a move of unknown rate may be
    the best.
    """
    if rates is None or not is_best_known:
        return End.OUTSIDE
    known = [rate for rate in rates if rate is not None]
    if not known:
        return End.NO_MOVE
    return End.LOST if max(known) <= 0.0 else None


def refusal_of(
    direction: int, is_legal: bool, rates: Rates | None, unknown: Collection[int]
) -> Refusal | None:
    """Return the reason why a move is not accepted by a table with these rates; None if it is."""
    if not is_legal:
        return Refusal.ILLEGAL
    if direction in unknown:
        return Refusal.UNKNOWN
    return Refusal.LEAVES if rates is not None and rates[direction] is None else None


def is_mistake(judgement: Judgement | None) -> bool:
    return judgement is not None and judgement.grade not in FREE_GRADES
