"""The definition of a puzzle: a position with one right move, where the natural move is wrong.

All of these hold, by the rates of a table:

* at least two moves have a rate, and the best rate is 2 % or more;
* every move but the best would be graded a mistake or worse (`coach.grading.grade`), so there is
  exactly one right answer;
* the move that comes to mind first (`natural_move`) is not the best one.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from ai.choice import Choice, ValueKind
from coach.grading.grade import GRADES, Grade, Rates, grade_of
from coach.grading.position import canonical_turn
from coach.mistakes.mistake import TableKey
from coach.reasons.reason import LeavesFree, LeavesPairs, MayEnd, Merges, Reason, find_reason
from engine.bitboard import LARGEST_NIBBLE, LEFT, RIGHT, UP, cells
from engine.moves import move, move_score
from engine.spawn import possible_spawns

MIN_RATE = 0.02
"""Of the best move: below, nearly all is lost whatever one does."""

_MIN_GRADE = GRADES.index(Grade.MISTAKE)


@dataclass(frozen=True)
class Puzzle:
    """A position with one right move."""

    key: TableKey  # the table that rates it
    board: int  # the canonical form of all its images; large tiles and walls are F
    symmetry: str  # the symmetry that leaves the position the same; see `engine.geometry`
    # Rates of the four moves; None for a move that is illegal or breaks the formation.
    rates: tuple[float | None, ...]

    @property
    def walls(self) -> bool:
        return self.symmetry != "full"

    @property
    def moves(self) -> tuple[int, ...]:
        known = [(-rate, one) for one, rate in enumerate(self.rates) if rate is not None]
        return tuple([one for _, one in sorted(known)])

    @property
    def best(self) -> int:
        return self.moves[0]

    @property
    def best_rate(self) -> float:
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
        return natural_move(self.board, self.walls, self.moves)

    @cached_property
    def roomiest(self) -> int:
        return roomiest_move(self.board, self.walls, self.key.spawn4, self.moves)


def puzzle_of(key: TableKey, board: int, symmetry: str, rates: Rates) -> Puzzle | None:
    """Return a position, in any orientation, as a puzzle; None if it isn't one.

    Large tiles and walls are F; see `coach.grading.position.position_symmetry`. All rates are
    known: None means the move is illegal or breaks the formation.
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


def natural_move(board: int, walls: bool, choices: Collection[int]) -> int:
    """Return the move that comes to mind first, of legal ones.

    It is the one that merges most, in points. Of moves that merge equally, or not at all, it is the
    one along which the board leans: toward the sides with the heavy tiles. This models the habit
    "keep to your corner"; see `lean`.
    """
    return min(choices, key=lambda one: _order(board, one, walls))


def roomiest_move(board: int, walls: bool, spawn4: float, choices: Collection[int]) -> int:
    """Return the move that a one-ply search prefers: it leaves the most free cells.

    The value of a move is the mean over all new tiles of the free cells after the best reply, 0 if
    there is none. Of equal moves the more natural one is returned.
    """
    # Rounded, so that the order of summing equal means doesn't decide.
    return min(
        choices,
        key=lambda one: (
            -round(_room_after(move(board, one, walls), walls, spawn4), 9),
            _order(board, one, walls),
        ),
    )


def lean(board: int, direction: int, walls: bool) -> int:
    """Return the board's lean in a direction.

    It is the sum of face values times the distance toward that side from the center of the cells
    that are not walls, times the number of these cells to keep it an integer.
    """
    tiles = [
        (1 << exponent if exponent else 0, _along(cell, direction))
        for cell, exponent in enumerate(cells(board))
        if not (walls and exponent == LARGEST_NIBBLE)
    ]
    middle = sum(along for _, along in tiles)
    return sum(value * (along * len(tiles) - middle) for value, along in tiles)


def _along(cell: int, direction: int) -> int:
    """Return the number of steps in a direction from the far side to a cell."""
    row, column = divmod(cell, 4)
    place = column if direction in (LEFT, RIGHT) else row
    return 3 - place if direction in (LEFT, UP) else place


def _order(board: int, direction: int, walls: bool) -> tuple[int, int, int]:
    """Return the sort key that puts the most natural move first; ties go by direction."""
    return -move_score(board, direction, walls), -lean(board, direction, walls), direction


def _room_after(after: int, walls: bool, spawn4: float) -> float:
    empty = [cell for cell, exponent in enumerate(cells(after)) if not exponent]
    return sum(
        probability * _most_room(after | exponent << (60 - 4 * cell), walls)
        for cell, exponent, probability in possible_spawns(empty, spawn4)
    )


def _most_room(board: int, walls: bool) -> int:
    replies = [after for one in range(4) if (after := move(board, one, walls)) != board]
    return max((cells(after).count(0) for after in replies), default=0)


_TRUE_OF_MASKED = (MayEnd, Merges, LeavesFree, LeavesPairs)
"""Facts that do not depend on the real values of large tiles."""


def why_best(
    board: int, rates: Sequence[float | None], best: int, walls: bool, spawn4: float
) -> Reason | None:
    """Return a fact about the board that speaks for the best move; None if there is no simple one.

    Large tiles are F. With walls the result is None.
    """
    if walls:
        return None
    shown = cells(board)
    large = [cell for cell, exponent in enumerate(shown) if exponent == LARGEST_NIBBLE]
    for i, cell in enumerate(large):  # tables never merge them: they are all different
        shown[cell] = LARGEST_NIBBLE + i
    reason = find_reason(shown, Choice(best, tuple(rates), "", ValueKind.VALUES), spawn4)
    return reason if isinstance(reason, _TRUE_OF_MASKED) else None
