"""What moves and grades are called. No Qt."""

from coach.grading.grade import Grade
from engine.language import trc


def move_title(direction: int) -> str:
    """Return the name of a direction that stands alone or begins a sentence: `Left`."""
    return (trc("move", "Left"), trc("move", "Right"), trc("move", "Up"), trc("move", "Down"))[
        direction
    ]


def move_word(direction: int) -> str:
    """Return the name of a direction inside a sentence: `left`."""
    return (trc("move", "left"), trc("move", "right"), trc("move", "up"), trc("move", "down"))[
        direction
    ]


def grade_title(grade: Grade) -> str:
    """Return the name of a grade that stands alone or begins a sentence: `Perfect`."""
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
