"""A board read from a picture, with its doubtful tiles."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from engine.bitboard import N_CELLS
from engine.formats.board_text import PastedBoard
from engine.pictures.figures import FigureMatch, Figures, Square, look_at
from engine.pictures.grid import MIN_CELL_PX, Picture, find_grids
from engine.platform.errors import InvalidBoardError

_MIN_SCORE, _MIN_LEAD, _MIN_NATIVE = 0.55, 0.2, 0.03
# Levels of 256. Empty squares are all the same; tiles may be lit, or be locked and dimmed a little.
_SAME_COLOR, _OTHER_COLOR, _OTHER_EMPTY = 10.0, 24.0, 9.0


def read_picture(picture: Picture, figures: Figures) -> PastedBoard:
    """Raise InvalidBoardError if there is no board, or it is less work to type it."""
    grids = find_grids(picture)
    if not grids:
        raise InvalidBoardError(
            "no board is found in the picture: expected 4 x 4 squares with gaps of one color "
            "between them, each at least {n} pixels wide",
            n=MIN_CELL_PX,
        )
    grid = grids[0]
    squares = [look_at(grid.cell(picture, cell)) for cell in range(N_CELLS)]
    readings = [
        None if square.figure is None else figures.read(square.figure) for square in squares
    ]
    doubtful = _doubtful(squares, readings)
    if len(doubtful) > 6 or all(square.figure is None for square in squares):
        raise InvalidBoardError(
            "a board is found in the picture, but {n} of its 16 squares cannot be read: "
            "expected figures such as 2, 64 or 1024 in the middle of the tiles, and a picture "
            "that is larger or sharper",
            n=len(doubtful) or N_CELLS,
        )
    exponents = tuple(max(0, _exponent(reading)) for reading in readings)
    return PastedBoard(exponents, frozenset(doubtful), len(grids))


def _exponent(reading: FigureMatch | None) -> int:
    return reading.exponent if reading else 0


def _doubtful(squares: Sequence[Square], readings: Sequence[FigureMatch | None]) -> set[int]:
    alone = {cell for cell in range(N_CELLS) if _is_doubtful(squares[cell], readings[cell])}
    doubtful = set(alone)
    # Equal tiles have one color, and empty squares have another one.
    for a, b in combinations(sorted(set(range(N_CELLS)) - alone), 2):
        apart = float(np.abs(squares[a].color - squares[b].color).max())
        values = {_exponent(readings[a]), _exponent(readings[b])}
        if len(values) == 1:
            is_odd = apart > (_OTHER_EMPTY if values == {0} else _OTHER_COLOR)
        else:
            is_odd = 0 in values and apart < _SAME_COLOR
        if is_odd:
            doubtful |= {a, b}
    return doubtful


def _is_doubtful(square: Square, reading: FigureMatch | None) -> bool:
    if square.is_odd or reading is None:
        return square.is_odd
    return reading.score < _MIN_SCORE or reading.lead < _MIN_LEAD or reading.native < _MIN_NATIVE
