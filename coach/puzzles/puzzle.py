"""The definition of a puzzle: a position with one right move, where the natural move is wrong.

All of these hold, by the rates of a table:

* at least two moves have a rate, and the best rate is 2 % or more;
* every move but the best would be graded a mistake or worse (`coach.grading.grade`), so there is
  exactly one right answer;
* the move that comes to mind first (`coach.puzzles.natural`) is not the best one.
"""

from dataclasses import dataclass
from functools import cached_property

from coach.grading.grade import GRADES, Grade, Rates, grade_of
from coach.grading.position import canonical_turn
from coach.mistakes.mistake import TableKey
from coach.puzzles.natural import natural_move, roomiest_move
from engine.moves import move

MIN_RATE = 0.02
"""Of the best move: below, nearly all is lost whatever one does."""

_MIN_GRADE = GRADES.index(Grade.MISTAKE)


@dataclass(frozen=True)
class Puzzle:
    """A position with one right move.

    Attributes
    ----------
    key : TableKey
        The table that rates it.
    board : int
        The canonical form of all its images; large tiles and walls are F.
    symmetry : str
        The symmetry that leaves the position the same; see `engine.geometry`.
    rates : tuple of four float or None
        Rates of the four moves; None for a move that is illegal or breaks the formation.
    """

    key: TableKey
    board: int
    symmetry: str
    rates: tuple[float | None, ...]

    @property
    def walls(self) -> bool:
        """Whether nibble F is a wall."""
        return self.symmetry != "full"

    @property
    def moves(self) -> tuple[int, ...]:
        """The moves with a rate, best first."""
        known = [(-rate, one) for one, rate in enumerate(self.rates) if rate is not None]
        return tuple([one for _, one in sorted(known)])

    @property
    def best(self) -> int:
        """The right move."""
        return self.moves[0]

    @property
    def best_rate(self) -> float:
        """The success rate of the right move."""
        return self.rates[self.best] or 0.0

    def loss(self, direction: int) -> float | None:
        """Return the share of the best rate that a move loses; None if it has no rate."""
        rate = self.rates[direction]
        return None if rate is None else 1.0 - rate / self.best_rate

    @property
    def gap(self) -> float:
        """The loss of the second best move, as a share of the best rate."""
        return self.loss(self.moves[1]) or 0.0

    @cached_property
    def natural(self) -> int:
        """The move that looks right; see `natural_move`."""
        return natural_move(self.board, self.walls, self.moves)

    @cached_property
    def roomiest(self) -> int:
        """The move of a one-ply search; see `roomiest_move`."""
        return roomiest_move(self.board, self.walls, self.key.spawn4, self.moves)


def puzzle_of(key: TableKey, board: int, symmetry: str, rates: Rates) -> Puzzle | None:
    """Return a position as a puzzle; None if it isn't one.

    Parameters
    ----------
    key : TableKey
    board : int
        In any orientation, large tiles and walls as F.
    symmetry : str
        Symmetry of the position; see `coach.grading.position.position_symmetry`.
    rates : sequence of four float or None
        In that orientation, all known: None means the move is illegal or breaks the formation.
    """
    if not is_sharp(rates):
        return None
    turn = canonical_turn(board, symmetry)
    puzzle = Puzzle(key, turn.board, symmetry, turn.moved(rates))
    return puzzle if puzzle.natural != puzzle.best else None


def is_sharp(rates: Rates) -> bool:
    """Return whether one move is right and all others are mistakes or worse."""
    known = sorted((rate for rate in rates if rate is not None), reverse=True)
    if len(known) < 2 or known[0] < MIN_RATE or known[1] >= known[0]:
        return False
    return GRADES.index(grade_of(known[1] / known[0])) >= _MIN_GRADE


def illegal_rates(board: int, rates: Rates, walls: bool) -> tuple[int, ...]:
    """Return the directions that have a rate although the move changes nothing."""
    return tuple(
        one
        for one, rate in enumerate(rates)
        if rate is not None and move(board, one, walls) == board
    )
