"""The rule for which moves are to be drilled, used for filing and for counting."""

from collections.abc import Sequence
from itertools import pairwise

from coach.grading.grade import GRADES, MIN_RATIOS, Grade, Judgement

THRESHOLD = 0.99
"""Moves that keep at least this part of the best are not filed: good ones and better."""

_MIN_RATIO = {grade: ratio for ratio, grade in MIN_RATIOS}
LIMITS = {
    grade: 1.0 if better is Grade.PERFECT else _MIN_RATIO[better]
    for better, grade in pairwise(GRADES)
}
"""The threshold with which a grade and all worse ones are filed, and no better ones."""


def is_to_drill(judgement: Judgement, threshold: float = THRESHOLD) -> bool:
    """Return whether a move is one to drill; a move that loses everything always is."""
    if judgement.is_perfect:
        return False
    return judgement.ratio < threshold or judgement.ratio <= 0.0


def count_to_drill(counts: Sequence[int], threshold: float = THRESHOLD) -> int:
    """Return the number of moves to drill, of counts in the order of `GRADES`.

    Other thresholds than `LIMITS` are rounded down to one.

    >>> count_to_drill((40, 5, 3, 2, 1, 0, 0))
    3
    """
    first = GRADES.index(first_filed(threshold))
    return sum(counts[first:])


def first_filed(threshold: float) -> Grade:
    """Return the best grade whose moves are all filed under a threshold."""
    return next((g for g, limit in LIMITS.items() if limit <= threshold), Grade.DISASTER)
