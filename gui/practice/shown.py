"""What the practice page shows of a step, worked out once and handed to all its parts. No Qt."""

from collections.abc import Collection
from dataclasses import dataclass

from coach.grading.grade import Grade
from gui.core.lookup import Answer
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
        The cells of the large tiles that the table masks, and those that are wall.
    """

    step: Step
    cells: list[int]
    locked: Collection[int]
    walls: Collection[int]


@dataclass(frozen=True)
class ShownAnswer:
    """What is known of the step shown.

    Attributes
    ----------
    step : Step
    answer : Answer or None
        What the table says; None while that is not known.
    recorded : tuple of four rates, or None
        What a recording says, where those rates are wanted or all there is.
    grade : Grade or None
        Of the last move.
    verdict : str
        What the last move kept or gave away, "" while that is not known.
    target : Goal or int
        What is to be reached: a bare number is the face value of a tile.
    is_reached, is_over : bool
        Whether it is, and whether no move is left.
    awaits_hand : bool
        Whether the person has to place a tile.
    breaking : tuple of int
        Moves that are legal but break the formation.
    pattern : str
        The name of the formation.
    is_broken : bool
        Whether a move has just led out of the formation.
    can_undo : bool
        Whether there is a way back; there is none where the program was left last time.
    """

    step: Step
    answer: Answer | None
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
