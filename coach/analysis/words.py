"""What moves and grades are called in reports."""

from collections.abc import Sequence

from coach.grading.grade import Grade
from engine.language import listed, tr, trc


def move_word(direction: int) -> str:
    """Return the name of a direction inside a sentence: `left`."""
    return (
        *(trc("move", "left"), trc("move", "right")),
        *(trc("move", "up"), trc("move", "down")),
    )[direction]


def grade_word(grade: Grade) -> str:
    """Return the name of a grade inside a sentence: `perfect`."""
    return {
        Grade.PERFECT: trc("grade", "perfect"),
        Grade.EXCELLENT: trc("grade", "excellent"),
        Grade.GOOD: trc("grade", "good"),
        Grade.INACCURATE: trc("grade", "inaccurate"),
        Grade.MISTAKE: trc("grade", "mistake"),
        Grade.BLUNDER: trc("grade", "blunder"),
        Grade.DISASTER: trc("grade", "disaster"),
    }[grade]


def any_of(names: Sequence[str]) -> str:
    """Return names of which each will do; there is at least one.

    Examples
    --------
    >>> any_of(["left"]), any_of(["left", "up", "down"])
    ('left', 'left, up or down')
    """
    if len(names) == 1:
        return names[0]
    return tr("{names} or {last}", names=listed(names[:-1]), last=names[-1])
