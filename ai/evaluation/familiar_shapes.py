"""The positions a network for whole games is familiar with, by the cells of large tiles.

A network knows the boards that occur in its own games, and little of others. Next to a file
``X.net``, a file ``X.shapes.json`` may list the cells of the large tiles in positions that it can
play, as strings of cells in hexadecimal, largest tile first::

    {"version": 1, "shapes": ["01", "10", "120", ...], "with_largest": {"8192": ["032", ...]}}

The latter only count if that is the largest tile: otherwise the network does worse. Of more than
four large tiles the first four count: they stay in place, while those below come and go. Now and
then the network's own games leave these shapes for a while, so a game that was in one is continued
by the network (`Familiarity`).
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.errors import WeightsError
from engine.geometry import destinations
from engine.platform.files.input_file import read_json
from engine.platform.language import mark, tr

MIN_LARGE = 11
"""Tiles from 2048 on are large."""

MAX_COUNTED = 4
SUFFIX = ".shapes.json"
VERSION = 1
_FROM = 2  # one large tile by itself may be anywhere
_AHEAD, _BACK = 128, 16  # the most that 32 moves add, and allowance for four undone
_MAX_WAYS = 16  # of boards with many equal tiles, which no network has seen
_TILES = {str(1 << exponent): exponent for exponent in range(MIN_LARGE, 18)}
Shape = tuple[int, ...]


class FamiliarShapes:
    """The shapes that a network knows.

    A shape is the cells of two to four large tiles, 0 to 15, largest tile first, and includes its
    eight images; `with_largest` adds shapes by the exponent of the largest tile.
    """

    def __init__(
        self, shapes: Iterable[Shape], with_largest: Mapping[int, Iterable[Shape]] | None = None
    ) -> None:
        self._shapes = _images(shapes)
        self._with_largest = {
            largest: _images(more) for largest, more in (with_largest or {}).items()
        }

    def has(self, cells: Sequence[int] | npt.NDArray[np.uint8]) -> bool:
        """Return whether the large tiles of 16 exponents are in a known shape.

        Of two equal tiles, which will merge, either may count.
        """
        tiles = [int(tile) for tile in cells]
        shapes, more = shapes_of(tiles), self._with_largest.get(max(tiles), ())
        return shapes is None or any(shape in self._shapes or shape in more for shape in shapes)

    def has_four(self, cells: Sequence[int] | npt.NDArray[np.uint8]) -> bool:
        """Return whether there are at least four large tiles, in a known shape."""
        shapes = shapes_of([int(tile) for tile in cells]) or []
        return any(len(shape) == MAX_COUNTED and shape in self._shapes for shape in shapes)


def _images(shapes: Iterable[Shape]) -> set[Shape]:
    return {
        tuple(image[cell] for cell in shape) for shape in shapes for image in destinations("full")
    }


class Familiarity:
    """Tracks whether a network is familiar with the successive positions of a game."""

    def __init__(self, shapes: FamiliarShapes) -> None:
        self._shapes, self._sum, self._is_at_home = shapes, 0, False

    def is_at_home(self, cells: Sequence[int] | npt.NDArray[np.uint8]) -> bool:
        """Return whether the network knows the shape of 16 exponents, or of an earlier position.

        A position follows the last one if its tile sum is greater by a few moves.
        """
        total = sum(1 << int(tile) for tile in cells if tile)
        goes_on = -_BACK <= total - self._sum <= _AHEAD
        self._is_at_home = self._shapes.has(cells) or (self._is_at_home and goes_on)
        self._sum = total
        return self._is_at_home

    def forget(self) -> None:
        self._is_at_home = False


def shapes_of(cells: Sequence[int]) -> list[Shape] | None:
    """Return the possible shapes of 16 exponents; None with too few large tiles."""
    places: dict[int, list[int]] = {}
    for cell, tile in enumerate(cells):
        if tile >= MIN_LARGE:
            places.setdefault(tile, []).append(cell)
    if len(places) < _FROM:
        return None
    counted = sorted(places, reverse=True)[:MAX_COUNTED]
    if prod(len(places[tile]) for tile in counted) > _MAX_WAYS:
        return []
    return list(product(*(places[tile] for tile in counted)))


def shapes_beside(path: Path) -> FamiliarShapes | None:
    """Return the shapes in the file next to a network; None if there is no such file.

    Raises WeightsError if it is damaged.
    """
    beside = path.with_suffix(SUFFIX)
    if not beside.exists():
        return None
    data = read_json(beside, tr("a list of shapes"), 1 << 16, WeightsError)
    shapes = _shapes_in(data)
    if shapes is None:
        text = mark("{path}: expected version {version} and a list of shapes, such as 01 or 120")
        raise WeightsError(text, path=beside, version=VERSION)
    return shapes


def _shapes_in(data: object) -> FamiliarShapes | None:
    if not isinstance(data, dict) or data.get("version") != VERSION:
        return None
    shapes: Any = data.get("shapes")
    more: object = data.get("with_largest", {})
    if not isinstance(more, dict) or not set(more) <= set(_TILES):
        return None
    for found in (shapes, *more.values()):
        if not isinstance(found, list) or not all(map(_is_shape, found)):
            return None
    with_largest = {_TILES[tile]: map(_shape, found) for tile, found in more.items()}
    return FamiliarShapes(map(_shape, shapes), with_largest)


def _shape(text: str) -> Shape:
    return tuple(int(cell, 16) for cell in text)


def _is_shape(text: object) -> bool:
    if not isinstance(text, str) or not _FROM <= len(text) <= MAX_COUNTED:
        return False
    return set(text) <= set("0123456789abcdef") and len(set(text)) == len(text)
