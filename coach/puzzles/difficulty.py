"""How hard a puzzle is before anybody has tried it: a first rating of facts, to be corrected.

The steps are a guess, worth half a class or so each, and the deviation says so: a dozen answers
outweigh them.
"""

import math

from coach.grading.grade import LEAST_RATIOS, Grade
from coach.puzzles.puzzle import Puzzle
from coach.puzzles.rating import START, Rating

FIRST_DEVIATION = 250.0
_SEARCH_IS_WRONG = 150  # and as much less where looking one ply ahead finds the right move
_PER_MOVE = 75  # for each move with a rate above or below three
_PER_DECOY = 50  # for each wrong move that isn't a blunder
_PER_TENFOLD = 150  # the natural move that loses a tenth as much is that much harder to refuse
_USUAL_LOSS = 0.1
_BLUNDER_LOSS = 1.0 - {grade: ratio for ratio, grade in LEAST_RATIOS}[Grade.MISTAKE]


def first_rating(puzzle: Puzzle) -> Rating:
    """Return the rating that a puzzle begins with.

    It is higher when a search one ply deep goes wrong as well, the more moves there are, the more
    of them lose little, and the less the natural move loses, for that is harder to see.
    """
    value = START
    value += _SEARCH_IS_WRONG if puzzle.roomiest != puzzle.best else -_SEARCH_IS_WRONG
    value += _PER_MOVE * (len(puzzle.moves) - 3)
    losses = [puzzle.loss(one) or 0.0 for one in puzzle.moves[1:]]
    value += _PER_DECOY * sum(loss <= _BLUNDER_LOSS for loss in losses)
    natural_loss = puzzle.loss(puzzle.natural) or 0.0
    value -= _PER_TENFOLD * math.log10(natural_loss / _USUAL_LOSS)
    return Rating(value, FIRST_DEVIATION)
