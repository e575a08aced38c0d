"""Which tile slides where in a move: for the animation, and for tiles that outgrow a nibble.

Slower than `engine.moves`, but it tracks every tile; the results are the same.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.bitboard import LARGEST_NIBBLE, N_CELLS

_ROWS = tuple(tuple(range(start, start + 4)) for start in range(0, N_CELLS, 4))
_COLUMNS = tuple(zip(*_ROWS, strict=True))
# The lines of each direction, each starting at the side that the tiles slide to.
_LINES = (
    _ROWS,
    tuple(line[::-1] for line in _ROWS),
    _COLUMNS,
    tuple(line[::-1] for line in _COLUMNS),
)


class Slide(NamedTuple):
    """The path of one tile in a move."""

    # Where it was and where it ends; equal when it stays.
    from_cell: int
    to_cell: int
    exponent: int  # the tile before the move
    merged: bool  # whether it merges with another tile in `to_cell`, where ``exponent + 1`` appears


class Motion(NamedTuple):
    """A whole move: the exponents after it, the path of every tile, the points."""

    cells: tuple[int, ...]
    slides: tuple[Slide, ...]
    gained: int


def slide_cells(
    exponents: Sequence[int], direction: int, walls: bool = False, merge_32768: bool = False
) -> Motion:
    """Return the result of a move on 16 exponents of any size, unchanged if it is illegal.

    With `walls` exponent 15 never moves and is in no slide. Two 32768 merge if `merge_32768`, as
    they do in play and never in tables; ignored with walls.
    """
    after = [0] * N_CELLS
    slides: list[Slide] = []
    gained = 0
    for line in _LINES[direction]:
        place = 0  # where the next tile of the line comes to rest
        last: int | None = None  # index of the slide whose tile may still merge
        for at, cell in enumerate(line):
            exponent = exponents[cell]
            if exponent == 0:
                continue
            if exponent == LARGEST_NIBBLE and walls:
                after[cell] = exponent
                place, last = at + 1, None
                continue
            can_merge = exponent != LARGEST_NIBBLE or merge_32768
            if can_merge and last is not None and slides[last].exponent == exponent:
                target = slides[last].to_cell
                slides[last] = slides[last]._replace(merged=True)
                slides.append(Slide(cell, target, exponent, merged=True))
                after[target] = exponent + 1
                gained += 2 << exponent
                last = None
                continue
            last = len(slides)
            slides.append(Slide(cell, line[place], exponent, merged=False))
            after[line[place]] = exponent
            place += 1
    return Motion(tuple(after), tuple(slides), gained)
