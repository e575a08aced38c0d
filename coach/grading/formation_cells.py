"""Where a formation has its large tiles and its target, however the board is turned. No Qt."""

from dataclasses import dataclass
from functools import lru_cache

from engine.bitboard import cells
from engine.symmetry import SYMMETRIES, transform
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal, goal_of

WALL = 15


def wall_cells(board: int, walls: bool) -> frozenset[int]:
    """Return the wall cells; none if nibble F is a large tile."""
    if not walls:
        return frozenset()
    return frozenset([cell for cell, exponent in enumerate(cells(board)) if exponent == WALL])


def locked_cells(board: int, target: Goal | int, formation: Formation) -> frozenset[int]:
    """Return the cells of the large tiles that a lookup masks.

    They are the `n_large` largest, if all of them are at least the target, or too large for a sum;
    among equal tiles, those in the formation's cells are taken.
    """
    if formation.walls or not formation.n_large:
        return frozenset()
    found = cells(board)
    least = goal_of(target).least_large
    large = [cell for cell in range(16) if found[cell] >= least]
    if len(large) < formation.n_large:
        return frozenset()
    in_place: frozenset[int] = frozenset()
    best = -1
    for frame in _frames(formation):
        if frame.large.issubset(large):
            total = sum([found[cell] for cell in frame.large])
            if total > best:
                in_place, best = frame.large, total
    if best < 0:
        return frozenset()  # the formation is broken: no lookup masks anything here
    if len(in_place) == formation.n_large:
        return in_place
    others = [cell for cell in large if cell not in in_place]
    others.sort(key=found.__getitem__, reverse=True)
    return in_place.union(others[: formation.n_large - len(in_place)])


def masked_board(board: int, target: Goal | int, formation: Formation) -> int:
    """Return a position with its large tiles as F, as the table stores it."""
    for cell in locked_cells(board, target, formation):
        board |= 15 << (60 - 4 * cell)
    return board


def small_sum(board: int, target: Goal | int, formation: Formation) -> int | None:
    """Return the sum of all tiles but walls and large ones; None if those are not in place."""
    aside = locked_cells(board, target, formation) | wall_cells(board, formation.walls)
    if len(aside) != formation.n_large:
        return None
    found = cells(board)
    return sum([1 << found[cell] for cell in range(16) if found[cell] and cell not in aside])


def has_reached(board: int, target: Goal | int, formation: Formation) -> bool:
    """Return whether the target is on one of its cells, in any orientation of the board.

    The large tiles of the formation do not count, even when one of them equals the target. A sum
    is reached by all other tiles together.
    """
    wanted = goal_of(target)
    if not wanted.tile:
        total = small_sum(board, wanted, formation)
        return total is not None and wanted.is_reached_by(total // 2)
    target_exponent = wanted.least_large
    found = cells(board)
    if len([exponent for exponent in found if exponent >= target_exponent]) <= formation.n_large:
        return False
    return any(
        found[cell] == target_exponent
        for frame in _frames(formation)
        if all(found[cell] >= target_exponent for cell in frame.large)
        for cell in frame.target - frame.large
    )


@dataclass(frozen=True)
class _Frame:
    """The cells of a formation's large tiles and its target, in one orientation."""

    large: frozenset[int]
    target: frozenset[int]


def _frames(formation: Formation) -> tuple[_Frame, ...]:
    return _turned_frames(formation.masks, formation.target_cells, formation.walls)


@lru_cache(maxsize=8)
def _turned_frames(masks: tuple[int, ...], target: int, walls: bool) -> tuple[_Frame, ...]:
    frames: dict[_Frame, None] = {}
    for symmetry in ("identity",) if walls else SYMMETRIES:
        target_cells = _filled(transform(target, symmetry))
        for mask in masks or (0,):
            frames[_Frame(_filled(transform(mask, symmetry)), target_cells)] = None
    return tuple(frames)


def _filled(board: int) -> frozenset[int]:
    return frozenset(cell for cell, exponent in enumerate(cells(board)) if exponent)
