"""Where a formation has its large tiles and its target, however the board is turned. No Qt."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from engine.bitboard import cells
from engine.symmetry import SYMMETRIES, transform
from tablebase.formation import goal as goals

WALL = 15


class Goal(Protocol):
    """The part of a formation needed to see that its target was reached."""

    @property
    def masks(self) -> tuple[int, ...]:
        """Masks of the cells that must hold nibble F; one of them must match."""

    @property
    def target_cells(self) -> int:
        """Nibbles where the target counts."""

    @property
    def n_large(self) -> int:
        """The number of large tiles that the formation masks."""

    @property
    def walls(self) -> bool:
        """Whether nibble F is a wall."""

    @property
    def symmetry(self) -> str:
        """The symmetries under which its table's boards are the same."""


def wall_cells(board: int, walls: bool) -> frozenset[int]:
    """Return the wall cells; none if nibble F is a large tile."""
    if not walls:
        return frozenset()
    return frozenset([cell for cell, exponent in enumerate(cells(board)) if exponent == WALL])


def locked_cells(board: int, target: goals.Goal | int, goal: Goal) -> frozenset[int]:
    """Return the cells of the large tiles that a lookup masks.

    They are the `n_large` largest, if all of them are at least the target, or too large for a sum;
    among equal tiles, those in the formation's cells are taken.
    """
    if goal.walls or not goal.n_large:
        return frozenset()
    found = cells(board)
    least = goals.goal_of(target).least_large
    large = [cell for cell in range(16) if found[cell] >= least]
    if len(large) < goal.n_large:
        return frozenset()
    in_place: frozenset[int] = frozenset()
    best = -1
    for frame in _frames(goal):
        if frame.large.issubset(large):
            total = sum([found[cell] for cell in frame.large])
            if total > best:
                in_place, best = frame.large, total
    if best < 0:
        return frozenset()  # the formation is broken: no lookup masks anything here
    if len(in_place) == goal.n_large:
        return in_place
    others = [cell for cell in large if cell not in in_place]
    others.sort(key=found.__getitem__, reverse=True)
    return in_place.union(others[: goal.n_large - len(in_place)])


def masked_board(board: int, target: goals.Goal | int, goal: Goal) -> int:
    """Return a position with its large tiles as F, as the table stores it."""
    for cell in locked_cells(board, target, goal):
        board |= 15 << (60 - 4 * cell)
    return board


def small_sum(board: int, target: goals.Goal | int, goal: Goal) -> int | None:
    """Return the sum of all tiles but walls and large ones; None if those are not in place."""
    aside = locked_cells(board, target, goal) | wall_cells(board, goal.walls)
    if len(aside) != goal.n_large:
        return None
    found = cells(board)
    return sum([1 << found[cell] for cell in range(16) if found[cell] and cell not in aside])


def has_reached(board: int, target: goals.Goal | int, goal: Goal) -> bool:
    """Return whether the target is on one of its cells, in any orientation of the board.

    The large tiles of the formation do not count, even when one of them equals the target. A sum
    is reached by all other tiles together.
    """
    wanted = goals.goal_of(target)
    if not wanted.tile:
        total = small_sum(board, wanted, goal)
        return total is not None and wanted.is_reached_by(total // 2)
    target_exponent = wanted.least_large
    found = cells(board)
    if len([exponent for exponent in found if exponent >= target_exponent]) <= goal.n_large:
        return False
    return any(
        found[cell] == target_exponent
        for frame in _frames(goal)
        if _fits(frame, found, target_exponent)
        for cell in frame.target - frame.large
    )


@dataclass(frozen=True)
class _Frame:
    """The cells of a formation's large tiles and its target, in one orientation."""

    large: frozenset[int]
    target: frozenset[int]


def _frames(goal: Goal) -> tuple[_Frame, ...]:
    return _turned_frames(goal.masks, goal.target_cells, goal.walls)


@lru_cache(maxsize=8)
def _turned_frames(masks: tuple[int, ...], target: int, walls: bool) -> tuple[_Frame, ...]:
    frames: dict[_Frame, None] = {}
    for symmetry in ("identity",) if walls else SYMMETRIES:
        target_cells = _filled(transform(target, symmetry))
        for mask in masks or (0,):
            frames[_Frame(_filled(transform(mask, symmetry)), target_cells)] = None
    return tuple(frames)


def _fits(frame: _Frame, found: Sequence[int], target_exponent: int) -> bool:
    return all(found[cell] >= target_exponent for cell in frame.large)


def _filled(board: int) -> frozenset[int]:
    return frozenset(cell for cell, exponent in enumerate(cells(board)) if exponent)
