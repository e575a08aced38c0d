"""Names of moves and grades, and of what a game's moves add up to. No Qt."""

from collections.abc import Sequence

from coach.grading.grade import GRADES, Grade, Score
from engine.platform.language import listed, mark, tr, trc, trn
from engine.platform.quantities import points_text

PERFECT_MOVES, POINTS_LOST = mark("Perfect moves"), mark("Points lost")
"""The figures of a game that everybody understands; they come first."""

CHANCE_KEPT = mark("Chance kept")
"""The name of a score's match rate, a detail, wherever people read it."""
CHANCE_KEPT_TIP = mark(
    "The share of the success rate that all moves together kept, luck aside: half of it after a "
    "move that halved the rate, nothing after one that lost everything"
)


def perfect_text(counts: Sequence[int]) -> str:
    """Return how many of the judged moves were perfect; `counts` are in the order of `GRADES`.

    >>> perfect_text((1043, 5, 2, 0, 0, 0, 0))
    '1,043 of 1,050'
    """
    return tr("{n:,} of {all:,}", n=counts[GRADES.index(Grade.PERFECT)], all=sum(counts))


def score_text(score: Score, points_lost: float) -> str:
    """Return what the moves of a game add up to, without a full stop.

    >>> score_text(Score(counts=(43, 5, 2, 0, 0, 0, 0)), 0.0121)
    '43 of 50 moves perfect, 1.2 points lost'
    >>> score_text(Score(counts=(50, 0, 0, 0, 0, 0, 0)), 0.0)
    'All 50 moves perfect'
    """
    if score.n_moves and score.count(Grade.PERFECT) == score.n_moves:
        return trn("Every move perfect", "All {n:,} moves perfect", score.n_moves)
    text = mark("{perfect} moves perfect, {lost} lost")
    return tr(text, perfect=perfect_text(score.counts), lost=points_text(points_lost))


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

    >>> any_of(["left"]), any_of(["left", "up", "down"])
    ('left', 'left, up or down')
    """
    if len(names) == 1:
        return names[0]
    return tr("{names} or {last}", names=listed(names[:-1]), last=names[-1])
