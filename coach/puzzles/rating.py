"""Ratings of persons and puzzles: the Glicko system.

An answer is a game between the two: the person wins by solving the puzzle. Each has a rating and a
rating deviation, its uncertainty; both change with every answer, by the formulas of Mark E.
Glickman: "The Glicko system" (http://www.glicko.net/glicko/glicko.pdf), derived in "Parameter
estimation in large dynamic paired comparison experiments", Applied Statistics 48 (1999), 377-394.

A puzzle that nobody has tried has a rating from facts (`first_rating`). The steps are guesses of
about half a class each, and the deviation reflects that: a dozen answers outweigh them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from coach.grading.grade import MIN_RATIOS, Grade
from coach.puzzles.puzzle import Puzzle

MAX_DEVIATION, MIN_DEVIATION = 350.0, 30.0
"""Of somebody unknown; and the least that is allowed, so that nobody's rating stands still."""
START = 1500.0
MIN_RATING, MAX_RATING = 0.0, 4000.0

_Q = math.log(10) / 400
_DAYS_UNTIL_UNKNOWN, _DEFAULT_DEVIATION = 365, 50.0
_GROWTH_A_DAY = (MAX_DEVIATION**2 - _DEFAULT_DEVIATION**2) / _DAYS_UNTIL_UNKNOWN
"""The square of Glickman's c: after a year without an answer a usual deviation is the largest."""


@dataclass(frozen=True)
class Rating:
    """A rating and its uncertainty."""

    value: float = START
    # With 95 % probability, the true strength is within twice this of `value`.
    deviation: float = MAX_DEVIATION

    def aged(self, days: float) -> "Rating":
        grown = math.sqrt(self.deviation**2 + _GROWTH_A_DAY * max(0.0, days))
        return Rating(self.value, min(MAX_DEVIATION, grown))

    def after(self, games: Sequence[tuple["Rating", float]]) -> "Rating":
        """Return the rating after games of one rating period.

        Each is the opponent's rating before, and the score: 1 for a win, 0 for a loss.
        """
        certainty = 1 / self.deviation**2
        surprise = 0.0
        for other, score in games:
            weight, expected = _weight(other.deviation), expected_score(self, other)
            surprise += weight * (score - expected)
            certainty += _Q**2 * weight**2 * expected * (1 - expected)
        value = self.value + _Q * surprise / certainty
        deviation = max(MIN_DEVIATION, math.sqrt(1 / certainty))
        return Rating(min(MAX_RATING, max(MIN_RATING, value)), deviation)


def expected_score(own: Rating, other: Rating) -> float:
    return 1 / (1 + 10 ** (-_weight(other.deviation) * (own.value - other.value) / 400))


def after_answer(person: Rating, puzzle: Rating, is_right: bool) -> tuple[Rating, Rating]:
    score = 1.0 if is_right else 0.0
    return person.after([(puzzle, score)]), puzzle.after([(person, 1.0 - score)])


def _weight(deviation: float) -> float:
    """Return the weight of a game against an opponent with a rating deviation: Glickman's g."""
    return 1 / math.sqrt(1 + 3 * _Q**2 * deviation**2 / math.pi**2)


FIRST_DEVIATION = 250.0
_SEARCH_IS_WRONG = 150  # and as much less if a one-ply search finds the right move
_PER_MOVE = 75  # for each rated move more or fewer than three
_PER_DECOY = 50  # for each wrong move that isn't a blunder
_PER_TENFOLD = 150  # the natural move that loses a tenth as much is that much harder to refuse
_DEFAULT_LOSS = 0.1
_MIN_LOSS = 1e-9  # a damaged database may hold a puzzle whose natural move loses nothing
_BLUNDER_LOSS = 1.0 - {grade: ratio for ratio, grade in MIN_RATIOS}[Grade.MISTAKE]


def first_rating(puzzle: Puzzle) -> Rating:
    """Return the initial rating of a puzzle.

    It is higher if a one-ply search fails, too, the more moves there are, the more of them lose
    little, and the less the natural move loses, as that is harder to see.
    """
    value = START
    value += _SEARCH_IS_WRONG if puzzle.roomiest != puzzle.best else -_SEARCH_IS_WRONG
    value += _PER_MOVE * (len(puzzle.moves) - 3)
    losses = [puzzle.loss(one) or 0.0 for one in puzzle.moves[1:]]
    value += _PER_DECOY * sum(loss <= _BLUNDER_LOSS for loss in losses)
    natural_loss = puzzle.loss(puzzle.natural) or 0.0
    value -= _PER_TENFOLD * math.log10(max(natural_loss, _MIN_LOSS) / _DEFAULT_LOSS)
    return Rating(value, FIRST_DEVIATION)
