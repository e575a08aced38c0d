"""The data of a step shown on the practice page, computed once for all its parts. No Qt."""

from collections.abc import Collection
from dataclasses import dataclass

from coach.grading.grade import Grade
from coach.grading.rated import Rated
from gui.practice.tree import Rates, Step
from tablebase.formation.goal import Goal


@dataclass(frozen=True)
class ShownStep:
    """A step of the history on the board.

    Attributes
    ----------
    step : Step
    cells : list of int
        The sixteen exponents.
    locked, walls : collection of int
        The cells of the large tiles that the table masks, and the wall cells.
    """

    step: Step
    cells: list[int]
    locked: Collection[int]
    walls: Collection[int]


@dataclass(frozen=True)
class ShownAnswer:
    """The answer for the step shown.

    Attributes
    ----------
    step : Step
    answer : Rated or None
        The table's answer; None while unknown.
    recorded : tuple of four rates, or None
        The recorded rates, if wanted or if there are no others.
    grade : Grade or None
        Of the last move.
    verdict : str
        The verdict on the last move; "" while unknown.
    target : Goal or int
        The target: a bare number is the face value of a tile.
    is_reached, is_over : bool
        Whether the target is reached, and whether no move is left.
    awaits_hand : bool
        Whether the user has to place a tile.
    breaking : tuple of int
        Moves that are legal but break the formation.
    pattern : str
        The name of the formation.
    is_broken : bool
        Whether a move has just led out of the formation.
    can_undo : bool
        Whether undo is possible; it isn't right after resuming the last session.
    """

    step: Step
    answer: Rated | None
    recorded: Rates | None
    grade: Grade | None
    verdict: str
    target: Goal | int
    is_reached: bool
    is_over: bool
    awaits_hand: bool
    can_undo: bool
    breaking: tuple[int, ...] = ()
    pattern: str = ""
    is_broken: bool = False
