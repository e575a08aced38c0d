"""Editing a board of nibbles: placing a tile, turning the board. No Qt."""

from coach.grading.formation_cells import WALL, wall_cells
from engine.bitboard import cells, from_cells
from engine.platform.errors import InvalidBoardError
from engine.platform.language import tr
from engine.symmetry import transform

SPAWNED = (1, 2)  # the exponents of a new tile: 2 or 4


def put(board: int, cell: int, exponent: int) -> int:
    shift = 60 - 4 * cell
    return board & ~(15 << shift) | exponent << shift


def check_playable(board: int, present: int, walls: bool) -> None:
    """Raise InvalidBoardError if a typed board has no tile, or other walls than `present`."""
    if wall_cells(board, walls) != wall_cells(present, walls):
        raise InvalidBoardError(tr("the walls (f) must stay where this table has them"))
    if not any(0 < exponent < WALL for exponent in cells(board)):
        raise InvalidBoardError(tr("a board needs at least one tile below 32768"))


def turned(board: int, symmetry: str, walls: bool) -> int | None:
    """Return the board under one of `engine.symmetry.SYMMETRIES`, inside its walls if it has any.

    None if the area between the walls is not square and the symmetry needs that.
    """
    if not walls:
        return transform(board, symmetry)
    inside = [cell for cell in range(16) if cell not in wall_cells(board, walls)]
    top, left = min(c // 4 for c in inside), min(c % 4 for c in inside)
    height, width = max(c // 4 for c in inside) - top + 1, max(c % 4 for c in inside) - left + 1
    images = {
        "mirror": lambda r, c: (r, width - 1 - c),
        "flip": lambda r, c: (height - 1 - r, c),
        "rotate_left": lambda r, c: (width - 1 - c, r),
        "rotate_right": lambda r, c: (c, height - 1 - r),
    }
    if symmetry.startswith("rotate") and height != width:
        return None
    found, moved = cells(board), cells(board)
    for cell in inside:
        r, c = images[symmetry](cell // 4 - top, cell % 4 - left)
        moved[4 * (r + top) + c + left] = found[cell]
    return from_cells(moved)
