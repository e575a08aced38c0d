"""The model of a mistake: a position where a move lost something, and all attempts at it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import NamedTuple

from coach.grading.grade import Grade, Judgement, Rates, worth_of_answer
from tablebase.formation.goal import read_goal

DRILL = "drill"
"""The source of an attempt that was a wrong answer in a drill."""

PUZZLE = "puzzle"
"""The source of an attempt that was a wrong answer to a puzzle."""

SITUATION = "situation"
"""The source of an attempt made in a position that was played again and again."""

ANALYSIS = "analysis of "  # no text: it is stored
"""Prefix of the source of an attempt found by analysis, followed by a file name."""

ROUTE = "route "  # no text: it is stored
"""Prefix of the source of an attempt made along a route, followed by its code."""

_FORMATION = re.compile(r"[A-Za-z0-9]{1,32}")
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class TableKey(NamedTuple):
    """The key of a table: tables with the same name may differ in the probability of a 4."""

    name: str
    spawn4: float


def table_key(formation: str, target: str, spawn4: float) -> TableKey | None:
    """Return the key of a table from user input; None if there can be no such table.

    >>> table_key("L3", "512", 0.1)
    TableKey(name='L3_512', spawn4=0.1)
    >>> table_key("L3", "511", 0.1) is None
    True
    """
    goal = read_goal(target)
    is_goal = goal is not None and goal.is_possible and str(goal) == target
    if not is_goal or not _FORMATION.fullmatch(formation):
        return None
    return TableKey(f"{formation}_{target}", spawn4)


@dataclass(frozen=True)
class NotedMove:
    """A judged move of a game, to be saved if it is a mistake."""

    key: TableKey
    board: int  # the position before the move, with large tiles as F, in any orientation
    judgement: Judgement  # judgement of the move, in that orientation
    rates: Rates  # rates of the position, in that orientation
    when: datetime  # with a time zone
    source: str  # identifies the game, so that nothing is filed twice
    number: int  # the move's number in that game
    # Symmetry of the position, see `position.position_symmetry`; "full" unless there are walls.
    symmetry: str = "full"
    ms: int | None = None  # time taken; None if unknown
    # Luck of the worst of the last tiles, see `coach.profile.judged_moves`; None if unknown.
    luck: float | None = None


@dataclass(frozen=True)
class Mistake:
    """A position with its attempts and drill state."""

    id: int
    key: TableKey
    board: int  # the canonical form of all its images; large tiles and walls are F
    symmetry: str  # the symmetry that leaves the position the same; see `engine.geometry`
    rates: Rates  # in the orientation of `board`; all None if unknown (imported entries)
    best: tuple[int, ...]  # the best directions in that orientation
    count: int  # attempts that were not the best move
    total_loss: float  # the sum of their losses, each in [0, 1]
    worst_loss: float
    grade: Grade  # grade of the worst attempt
    # Times of these attempts, in UTC; None if unknown.
    first: datetime | None
    last: datetime | None
    # Answers in drills.
    n_right: int
    n_wrong: int
    run: int  # current number of correct answers in a row
    due: datetime | None  # when to repeat it next, in UTC
    retired: datetime | None  # time since which it needs no repeating
    tags: tuple[str, ...]  # ascending

    @property
    def has_rates(self) -> bool:
        return any(rate is not None for rate in self.rates)

    @property
    def is_new(self) -> bool:
        return not self.n_right and not self.n_wrong

    @property
    def n_made(self) -> int:
        """How often it was made, without wrong answers in drills."""
        return max(1, self.count - self.n_wrong)

    @property
    def right(self) -> tuple[int, ...]:
        """The best directions, and excellent ones unless the mistake was no worse itself."""
        grades = [worth_of_answer(self.rates, self.best, one)[1] for one in range(4)]
        fine = {Grade.PERFECT, Grade.EXCELLENT} - {self.grade}
        return tuple(one for one, grade in enumerate(grades) if one in self.best or grade in fine)


@dataclass(frozen=True)
class Attempt:
    """One move that was not a best move."""

    when: datetime  # in UTC
    direction: int  # in the orientation of the mistake's board
    loss: float | None  # None if the table has no rate for it
    grade: Grade | None
    source: str  # the game; `DRILL` for a wrong answer
    move: int  # its number in that game; 0 if there is none


def microseconds(when: datetime) -> int:
    """Return a time as stored in the database; raise ValueError if it has no time zone."""
    if when.tzinfo is None:
        raise ValueError(f"{when!r} has no time zone; expected a time in UTC")  # no text: a bug
    return (when - _EPOCH) // timedelta(microseconds=1)


def time_of(stored: int | None) -> datetime | None:
    """Return the time for a value made by `microseconds`."""
    return None if stored is None else _EPOCH + timedelta(microseconds=stored)


def directions_of(mask: int) -> tuple[int, ...]:
    return tuple(direction for direction in range(4) if mask >> direction & 1)


def mask_of(directions: Sequence[int]) -> int:
    return sum(1 << direction for direction in set(directions))
