"""Names of moves and grades. No Qt."""

from collections.abc import Sequence

from coach.grading.grade import Grade
from engine.platform.language import listed, tr, trc, trn


def move_title(direction: int) -> str:
    """Return the name of a direction, alone or at the start of a sentence: `Left`."""
    return (trc("move", "Left"), trc("move", "Right"), trc("move", "Up"), trc("move", "Down"))[
        direction
    ]


def move_word(direction: int) -> str:
    return (trc("move", "left"), trc("move", "right"), trc("move", "up"), trc("move", "down"))[
        direction
    ]


def grade_title(grade: Grade) -> str:
    """Return the name of a grade, alone or at the start of a sentence: `Perfect`."""
    return {
        Grade.PERFECT: trc("grade", "Perfect"),
        Grade.EXCELLENT: trc("grade", "Excellent"),
        Grade.GOOD: trc("grade", "Good"),
        Grade.INACCURATE: trc("grade", "Inaccurate"),
        Grade.MISTAKE: trc("grade", "Mistake"),
        Grade.BLUNDER: trc("grade", "Blunder"),
        Grade.DISASTER: trc("grade", "Disaster"),
    }[grade]


def grade_word(grade: Grade) -> str:
    return {
        Grade.PERFECT: trc("grade", "perfect"),
        Grade.EXCELLENT: trc("grade", "excellent"),
        Grade.GOOD: trc("grade", "good"),
        Grade.INACCURATE: trc("grade", "inaccurate"),
        Grade.MISTAKE: trc("grade", "mistake"),
        Grade.BLUNDER: trc("grade", "blunder"),
        Grade.DISASTER: trc("grade", "disaster"),
    }[grade]


def grade_count(grade: Grade, n: int, figure: str = "") -> str:
    """Return the number of moves with a grade, as text; `figure` replaces `n` in it.

    Examples
    --------
    >>> grade_count(Grade.GOOD, 2), grade_count(Grade.BLUNDER, 1), grade_count(Grade.MISTAKE, 2)
    ('2 good', '1 blunder', '2 mistakes')
    """
    figure = figure or str(n)
    if grade is Grade.MISTAKE:
        return trn("{figure} mistake", "{figure} mistakes", n, figure=figure)
    if grade is Grade.BLUNDER:
        return trn("{figure} blunder", "{figure} blunders", n, figure=figure)
    if grade is Grade.DISASTER:
        return trn("{figure} disaster", "{figure} disasters", n, figure=figure)
    return tr("{n} {grade}", n=figure, grade=grade_word(grade))


def any_of(names: Sequence[str]) -> str:
    """Return names joined as alternatives; there is at least one.

    Examples
    --------
    >>> any_of(["left"]), any_of(["left", "up", "down"])
    ('left', 'left, up or down')
    """
    if len(names) == 1:
        return names[0]
    return tr("{names} or {last}", names=listed(names[:-1]), last=names[-1])
