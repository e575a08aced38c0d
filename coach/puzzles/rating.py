"""Ratings of persons and puzzles: the Glicko system.

An answer is a game between the two: the person wins by solving the puzzle. Each has a rating and a
rating deviation, its uncertainty; both change with every answer, by the formulas of Mark E.
Glickman: "The Glicko system" (http://www.glicko.net/glicko/glicko.pdf), derived in "Parameter
estimation in large dynamic paired comparison experiments", Applied Statistics 48 (1999), 377-394.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

MAX_DEVIATION, MIN_DEVIATION = 350.0, 30.0
"""Of somebody unknown; and the least that is allowed, so that nobody's rating stands still."""
START = 1500.0
LOWEST, HIGHEST = 0.0, 4000.0

_Q = math.log(10) / 400
_DAYS_UNTIL_UNKNOWN, _DEFAULT_DEVIATION = 365, 50.0
_GROWTH_A_DAY = (MAX_DEVIATION**2 - _DEFAULT_DEVIATION**2) / _DAYS_UNTIL_UNKNOWN
"""The square of Glickman's c: after a year without an answer a usual deviation is the largest."""


@dataclass(frozen=True)
class Rating:
    """A rating and its uncertainty.

    Attributes
    ----------
    value : float
    deviation : float
        With 95 % probability, the true strength is within twice this of `value`.
    """

    value: float = START
    deviation: float = MAX_DEVIATION

    def aged(self, days: float) -> "Rating":
        """Return the rating after a number of days without games."""
        grown = math.sqrt(self.deviation**2 + _GROWTH_A_DAY * max(0.0, days))
        return Rating(self.value, min(MAX_DEVIATION, grown))

    def after(self, games: Sequence[tuple["Rating", float]]) -> "Rating":
        """Return the rating after games of one rating period.

        Parameters
        ----------
        games : sequence of (Rating, float)
            Each opponent's rating before, and the score: 1 for a win, 0 for a loss.
        """
        certainty = 1 / self.deviation**2
        surprise = 0.0
        for other, score in games:
            weight, expected = _weight(other.deviation), expected_score(self, other)
            surprise += weight * (score - expected)
            certainty += _Q**2 * weight**2 * expected * (1 - expected)
        value = self.value + _Q * surprise / certainty
        deviation = max(MIN_DEVIATION, math.sqrt(1 / certainty))
        return Rating(min(HIGHEST, max(LOWEST, value)), deviation)


def expected_score(own: Rating, other: Rating) -> float:
    """Return the expected score of the rating `own` against another, uncertain one."""
    return 1 / (1 + 10 ** (-_weight(other.deviation) * (own.value - other.value) / 400))


def after_answer(person: Rating, puzzle: Rating, is_right: bool) -> tuple[Rating, Rating]:
    """Return both ratings after an answer: the person's and the puzzle's."""
    score = 1.0 if is_right else 0.0
    return person.after([(puzzle, score)]), puzzle.after([(person, 1.0 - score)])


def _weight(deviation: float) -> float:
    """Return the weight of a game against an opponent with a rating deviation: Glickman's g."""
    return 1 / math.sqrt(1 + 3 * _Q**2 * deviation**2 / math.pi**2)
