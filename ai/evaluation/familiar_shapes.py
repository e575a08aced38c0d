"""Where a network for whole games is at home: where large tiles may stand for it to play on.

A network knows the boards that its own games come to, and little of others. Beside a file ``X.net``
a file ``X.shapes.json`` may list where the large tiles stand in positions that it can go on from,
as strings of cells in hexadecimal, the largest tile first::

    {"version": 1, "shapes": ["01", "10", "120", ...]}

Of more than four large tiles the first four count: they have stood for long and will, while those
below come and go. Now and then a game of its own leaves these shapes for a while; so a game that
was in one goes on by the network (`Familiarity`).
"""

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai.errors import WeightsError
from engine.files.input_file import read_json
from engine.geometry import destinations
from engine.language import tr

LEAST_LARGE = 11
"""Tiles from 2048 on are large."""

MOST_COUNTED = 4
SUFFIX = ".shapes.json"
VERSION = 1
_MOST_BYTES = 1 << 16
_FROM = 2  # one large tile by itself may stand anywhere
_AHEAD, _BACK = 128, 16  # what 32 moves add at most, and four that are taken back
_MOST_WAYS = 16  # of boards with many alike, which no network has seen
Shape = tuple[int, ...]


class FamiliarShapes:
    """The shapes that a network knows.

    Parameters
    ----------
    shapes : iterable of tuple of int
        The cells of two to four large tiles, 0 to 15, the largest first; each stands for its eight
        images.
    """

    def __init__(self, shapes: Iterable[Shape]) -> None:
        self._shapes = {
            tuple(image[cell] for cell in shape)
            for shape in shapes
            for image in destinations("full")
        }

    def has(self, cells: Sequence[int] | npt.NDArray[np.uint8]) -> bool:
        """Tell whether the large tiles of 16 exponents stand as the network knows them.

        Of two alike, which will merge, either may be the one that counts.
        """
        found = shapes_of([int(tile) for tile in cells])
        return found is None or any(shape in self._shapes for shape in found)

    def has_four(self, cells: Sequence[int] | npt.NDArray[np.uint8]) -> bool:
        """Tell whether there are four large tiles or more, and they stand as the network knows."""
        found = shapes_of([int(tile) for tile in cells]) or []
        return any(len(shape) == MOST_COUNTED and shape in self._shapes for shape in found)


class Familiarity:
    """Whether a network is at home in the positions that it is asked about, one after the other.

    Parameters
    ----------
    shapes : FamiliarShapes
    """

    def __init__(self, shapes: FamiliarShapes) -> None:
        self._shapes, self._sum, self._is_at_home = shapes, 0, False

    def is_at_home(self, cells: Sequence[int] | npt.NDArray[np.uint8]) -> bool:
        """Tell whether the network knows the shape of 16 exponents, or what they came from.

        A position comes from the last one if the sum of its tiles is a few moves greater.
        """
        total = sum(1 << int(tile) for tile in cells if tile)
        goes_on = -_BACK <= total - self._sum <= _AHEAD
        self._is_at_home = self._shapes.has(cells) or (self._is_at_home and goes_on)
        self._sum = total
        return self._is_at_home

    def forget(self) -> None:
        """Take the next position for the first one of a game."""
        self._is_at_home = False


def shapes_of(cells: Sequence[int]) -> list[Shape] | None:
    """Return the shapes that 16 exponents may be said to have; None with too few large tiles."""
    places: dict[int, list[int]] = {}
    for cell, tile in enumerate(cells):
        if tile >= LEAST_LARGE:
            places.setdefault(tile, []).append(cell)
    if len(places) < _FROM:
        return None
    counted = sorted(places, reverse=True)[:MOST_COUNTED]
    if prod(len(places[tile]) for tile in counted) > _MOST_WAYS:
        return []
    return list(product(*(places[tile] for tile in counted)))


def shapes_beside(path: Path) -> FamiliarShapes | None:
    """Return the shapes that the file beside a network lists; None where there is no such file.

    Raises
    ------
    WeightsError
        It cannot be read, or is no such list.
    """
    beside = path.with_suffix(SUFFIX)
    if not beside.exists():
        return None
    data = read_json(beside, tr("a list of shapes"), _MOST_BYTES, WeightsError)
    shapes = data.get("shapes") if isinstance(data, dict) else None
    is_known = isinstance(data, dict) and data.get("version") == VERSION
    if not is_known or not isinstance(shapes, list) or not all(map(_is_shape, shapes)):
        raise WeightsError(
            tr(
                "{path}: expected version {version} and a list of shapes, such as 01 or 120",
                path=beside,
                version=VERSION,
            )
        )
    return FamiliarShapes(tuple(int(cell, 16) for cell in shape) for shape in shapes)


def _is_shape(text: object) -> bool:
    if not isinstance(text, str) or not _FROM <= len(text) <= MOST_COUNTED:
        return False
    return set(text) <= set("0123456789abcdef") and len(set(text)) == len(text)
