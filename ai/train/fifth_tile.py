"""The value of a board with a 1024 beside four larger tiles that are all different.

The chance of a second 1024 depends on the cells of these five, and hardly on anything else. Exact
play makes it from nearly empty boards (tables of the eleven free cells, to 1024)

- .8275 times beside three and two, where it is made at the end of the two, the first 1024 being one
  of its two neighbors; beside other 1024s it hardly meets them (to 512: .994, and .72 below the
  corner);
- .702 times beside four in a row and the 1024 below one end of it.

A network that plays without lookahead is far from that at first, and closest where it has played
most. So training of late games ends there, with a share of the value of winning. As it would never
leave arrangements it knows well, rows get less than their true value.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.geometry import destinations
from engine.platform.jit import inline_kernel

LARGE = 10
"""The exponent of 1024, the smallest of the five."""


class _Place(NamedTuple):
    """An arrangement of five large tiles: their cells, the cell of the smallest, and the value."""

    five: tuple[int, ...]
    smallest: tuple[int, ...]
    worth: float


_THREE_AND_TWO, _ROW = (0, 1, 2, 4, 5), (0, 1, 2, 3, 4)
_PLACES = (
    _Place(_THREE_AND_TWO, (2, 5), 0.8),
    _Place(_THREE_AND_TWO, (4,), 0.4),
    _Place(_THREE_AND_TWO, (0, 1), 0.3),
    _Place(_ROW, (4,), 0.4),
    _Place(_ROW, (0, 1, 2, 3), 0.2),
)
_OTHER = 0.1


def _cells(places: tuple[int, ...]) -> int:
    return sum(1 << place for place in places)


_ALL = [
    (_cells(tuple(image[cell] for cell in place.five)),
     _cells(tuple(image[cell] for cell in place.smallest)), place.worth)
    for place in _PLACES
    for image in destinations("full")
]  # fmt: skip
_FIVES: npt.NDArray[np.int64] = np.array([five for five, _, _ in _ALL])
_SMALLESTS: npt.NDArray[np.int64] = np.array([smallest for _, smallest, _ in _ALL])
_WORTHS = np.array([worth for _, _, worth in _ALL], np.float32)
BEST = np.float32(max(place.worth for place in _PLACES))
"""The largest that `worth_of` returns."""

_U = np.uint64


@inline_kernel
def worth_of(board):
    """Return the value of a board's tiles from 1024 up, as a share of the value of winning."""
    five, smallest, least, n = 0, 0, 16, 0
    for cell in range(16):
        tile = np.int64((board >> _U(60 - 4 * cell)) & _U(15))
        if tile >= LARGE:
            five |= 1 << cell
            n += 1
            if tile < least:
                least, smallest = tile, 1 << cell
    if n == 5 and least == LARGE:
        for i in range(_FIVES.size):
            if five == _FIVES[i] and smallest & _SMALLESTS[i] != 0:
                return _WORTHS[i]
    return np.float32(_OTHER)
