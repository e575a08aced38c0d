"""The symmetries of the board as plain Python: where each cell goes, without numba.

A symmetry maps cell (r, c), counted from the top left, to another cell. The modes name the sets of
symmetries under which a formation's boards are the same position; the variants' sets act on the
window that is not wall and leave the rest alone.
"""

from collections.abc import Callable
from functools import cache
from operator import itemgetter

Cell = tuple[int, int]
Destination = tuple[int, ...]
"""The cells that the cells of a board move to, from the top left."""

SQUARE: dict[str, Callable[[int, int], Cell]] = {
    "identity": lambda r, c: (r, c),
    "mirror": lambda r, c: (r, 3 - c),
    "flip": lambda r, c: (3 - r, c),
    "transpose": lambda r, c: (c, r),
    "anti_transpose": lambda r, c: (3 - c, 3 - r),
    "rotate_180": lambda r, c: (3 - r, 3 - c),
    "rotate_left": lambda r, c: (3 - c, r),
    "rotate_right": lambda r, c: (c, 3 - r),
}


def _window_3x3(image: Callable[[int, int], Cell]) -> Callable[[int, int], Cell]:
    return lambda r, c: image(r, c) if r < 3 and c < 3 else (r, c)


_SQUARE_3 = (
    lambda r, c: (r, c),
    lambda r, c: (r, 2 - c),
    lambda r, c: (2 - r, c),
    lambda r, c: (c, r),
    lambda r, c: (2 - c, 2 - r),
    lambda r, c: (2 - r, 2 - c),
    lambda r, c: (2 - c, r),
    lambda r, c: (c, 2 - r),
)
_ROWS_0_TO_2 = (
    lambda r, c: (r, c),
    lambda r, c: (r, 3 - c),
    lambda r, c: (2 - r, c) if r < 3 else (r, c),
    lambda r, c: (2 - r, 3 - c) if r < 3 else (r, 3 - c),
)

_MODE_MAPS: dict[str, tuple[Callable[[int, int], Cell], ...]] = {
    "identity": (SQUARE["identity"],),
    "horizontal": (SQUARE["identity"], SQUARE["mirror"]),
    "diagonal": (SQUARE["identity"], SQUARE["transpose"]),
    "full": tuple(SQUARE.values()),
    "rect2x4": tuple(SQUARE[name] for name in ("identity", "mirror", "flip", "rotate_180")),
    "square3x3": tuple(_window_3x3(image) for image in _SQUARE_3),
    "rect3x4": _ROWS_0_TO_2,
}
MODES = tuple(_MODE_MAPS)
SAME = tuple(range(16))
"""The destinations if every cell stays."""


@cache
def destinations(mode: str) -> tuple[Destination, ...]:
    return tuple(map(_destination, _MODE_MAPS[mode]))


@cache
def square_destination(name: str) -> Destination:
    return _destination(SQUARE[name])


def _destination(image: Callable[[int, int], Cell]) -> Destination:
    return tuple(4 * r + c for r, c in (image(*divmod(cell, 4)) for cell in range(16)))


@cache
def _reordering(destination: Destination) -> Callable[[str], tuple[str, ...]]:
    return itemgetter(*map(destination.index, range(16)))


def permute(board: int, destination: Destination) -> int:
    """Return `board` with the nibble of each cell moved to ``destination[cell]``."""
    if destination == SAME:
        return board
    return int("".join(_reordering(destination)(f"{board:016x}")), 16)  # faster than shifts
