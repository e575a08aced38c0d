"""Classifying a position: how near the goal, and the purpose of the best move.

Both follow from the position as a table stores it, with large tiles as F, so that a move of a game
and the mistake filed from it are always of the same kind.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from ai.chances.goal import goal_of as next_large_tile
from ai.choice import Choice, ValueKind
from coach.puzzles.puzzle import why_best
from coach.reasons.reason import (
    KeepsCorner,
    LeavesFree,
    LeavesOrder,
    LeavesPairs,
    MayEnd,
    MayUproot,
    Merges,
    find_reason,
)
from coach.recordings.recording import SEARCH
from engine.bitboard import LARGEST_NIBBLE, cells
from engine.spawn import DEFAULT_SPAWN4
from tablebase.formation.goal import Goal, read_goal

_HALF, _THREE_QUARTERS = 0.5, 0.75


class Phase(Enum):
    """How much of the goal is on the board, as a share of the sum it takes."""

    FIRST_HALF = "first half"  # no text
    THIRD_QUARTER = "third quarter"  # no text
    LAST_QUARTER = "last quarter"  # no text


class MoveKind(Enum):
    """What speaks for the best move: the reasons of `coach.reasons`, grouped."""

    DANGER = "danger"  # no text: another move may end the game, or uproot the largest tile
    MERGE = "merge"
    ROOM = "room"
    ORDER = "order"
    CHOICE = "choice"  # several are equally good, and the others are not
    DEEP = "deep"  # no text: the board shows no simple reason


_KINDS = {
    MayEnd: MoveKind.DANGER,
    MayUproot: MoveKind.DANGER,
    KeepsCorner: MoveKind.ORDER,
    Merges: MoveKind.MERGE,
    LeavesFree: MoveKind.ROOM,
    LeavesOrder: MoveKind.ORDER,
    LeavesPairs: MoveKind.ROOM,
}


@dataclass(frozen=True)
class Position:
    """A position with the rates of its moves."""

    table: str  # the name of the table that rates it, or `SEARCH`
    board: int  # large tiles of the table, and walls, as F
    rates: Sequence[float | None]
    best: tuple[int, ...]  # moves that count as best
    walls: bool = False  # whether F is a wall

    @property
    def formation(self) -> str:
        """The formation of the table; `SEARCH` if there is none."""
        return self.table if self.table == SEARCH else self.table.rpartition("_")[0]

    @cached_property
    def phase(self) -> Phase:
        """The position's distance to the goal.

        By whether the tiles below the goal, or all except F if the goal is a sum, add up to less
        than half of it, less than three quarters, or more.
        """
        exponents = cells(self.board)
        goal = read_goal(self.table.rpartition("_")[2])
        whole, limit = _goal_sum(goal, exponents)
        share = sum(1 << one for one in exponents if 0 < one < limit) / whole
        if share < _HALF:
            return Phase.FIRST_HALF
        return Phase.THIRD_QUARTER if share < _THREE_QUARTERS else Phase.LAST_QUARTER

    @cached_property
    def kind(self) -> MoveKind:
        if len(self.best) > 1:
            return MoveKind.CHOICE
        best, exponents = self.best[0], cells(self.board)
        if LARGEST_NIBBLE in exponents:
            reason = why_best(self.board, self.rates, best, self.walls, DEFAULT_SPAWN4)
        else:
            choice = Choice(best, tuple(self.rates), "", ValueKind.VALUES)
            reason = find_reason(exponents, choice, DEFAULT_SPAWN4)
        return _KINDS.get(type(reason), MoveKind.DEEP)


def _goal_sum(goal: Goal | None, exponents: Sequence[int]) -> tuple[int, int]:
    """Return the sum that the tiles must reach, and the exponent from which tiles don't count."""
    if goal is None:  # for search: the next large tile
        exponent = next_large_tile(exponents).exponent
        return 1 << exponent, exponent
    if goal.tile:
        return goal.tile, goal.least_large
    return goal.order[1], LARGEST_NIBBLE
