"""The canonical form of all turned and mirrored images of a position, and of its moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from engine.bitboard import DOWN, LEFT, RIGHT, UP, check_board
from engine.geometry import MODES, Destination, destinations, permute
from engine.platform.language import tr
from tablebase.formation.formation import Formation

T = TypeVar("T")

_STEPS = {-1: LEFT, 1: RIGHT, -4: UP, 4: DOWN}
_MIDDLE, _RIGHT_OF_IT, _BELOW_IT = 5, 6, 9  # cells that are not walls on any board


@dataclass(frozen=True)
class Turn:
    """A turn or reflection of a board."""

    board: int  # the board afterwards
    directions: tuple[int, ...]  # the directions of LEFT, RIGHT, UP and DOWN afterwards

    def moved(self, by_direction: Sequence[T]) -> tuple[T, ...]:
        """Return four values by direction, in the order of the turned board."""
        found = dict(zip(self.directions, by_direction, strict=True))
        return tuple(found[direction] for direction in range(4))


def canonical_turn(board: int, symmetry: str = "full") -> Turn:
    """Return a board turned into the smallest of its images under a mode of `engine.geometry`.

    ValueError: there is no such mode. InvalidBoardError: not a board.
    """
    return min(turns(board, symmetry), key=lambda turn: turn.board)


def turns(board: int, symmetry: str = "full") -> list[Turn]:
    """Return all images of a board, itself first; raise as `canonical_turn`."""
    number = check_board(board)
    return [Turn(permute(number, to), directions) for to, directions in _ways(symmetry)]


def position_symmetry(formation: Formation) -> str:
    """Return the symmetry mode under which a formation's positions are the same.

    Large tiles may be turned with the board, whatever the symmetry of the formation's table. Walls
    may not: a small board turns within them.
    """
    return formation.symmetry if formation.walls else "full"


@cache
def _ways(symmetry: str) -> list[tuple[Destination, tuple[int, ...]]]:
    if symmetry not in MODES:
        modes = ", ".join(MODES)
        raise ValueError(
            tr("no symmetry {name!r}; expected one of {names}", name=symmetry, names=modes)
        )
    return [(to, _directions(to)) for to in destinations(symmetry)]


def _directions(to: Destination) -> tuple[int, ...]:
    right, down = to[_RIGHT_OF_IT] - to[_MIDDLE], to[_BELOW_IT] - to[_MIDDLE]
    return _STEPS[-right], _STEPS[right], _STEPS[-down], _STEPS[down]
