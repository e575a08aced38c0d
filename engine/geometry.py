"""The symmetries of the board as plain Python: where each cell goes, without numba.

A symmetry maps cell (r, c), counted from the top left, to another cell. The modes name the sets of
symmetries under which a formation's boards are the same position; the variants' sets act on the
window that is not wall and leave the rest alone.
"""

from collections.abc import Callable, Sequence
from functools import cache

Cell = tuple[int, int]

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
def destinations(mode: str) -> tuple[tuple[int, ...], ...]:
    """Return, for each symmetry of `mode` (identity first), the cell that each cell moves to."""
    tables = []
    for image in _MODE_MAPS[mode]:
        goes_to = [image(*divmod(cell, 4)) for cell in range(16)]
        tables.append(tuple(4 * r + c for r, c in goes_to))
    return tuple(tables)


def permute(board: int, destination: Sequence[int]) -> int:
    """Return `board` with the nibble of each cell moved to ``destination[cell]``."""
    if destination == SAME:
        return board
    moved = 0
    for cell, goes_to in enumerate(destination):
        moved |= ((board >> (60 - 4 * cell)) & 15) << (60 - 4 * goes_to)
    return moved
