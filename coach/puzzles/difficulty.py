"""The difficulty of a puzzle before anyone has tried it: an initial rating from facts.

The steps are guesses of about half a class each, and the deviation reflects that: a dozen answers
outweigh them.
"""

import math

from coach.grading.grade import MIN_RATIOS, Grade
from coach.puzzles.puzzle import Puzzle
from coach.puzzles.rating import START, Rating

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
