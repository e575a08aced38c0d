"""Where a network for whole games is at home: where large tiles may stand for it to play on.

A network knows the boards that its own games come to, and little of others. Beside a file ``X.net``
a file ``X.shapes.json`` may list where the large tiles stand in positions that it can go on from,
as strings of cells in hexadecimal, the largest tile first::

    {"version": 1, "shapes": ["01", "10", "120", ...], "with_largest": {"8192": ["032", ...]}}

The latter are known only where that is the largest tile: beside others the network does worse.
Of more than four large tiles the first four count: they have stood for long and will, while those
below come and go. Now and then a game of its own leaves these shapes for a while; so a game that
was in one goes on by the network (`Familiarity`).
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

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
_TILES = {str(1 << exponent): exponent for exponent in range(LEAST_LARGE, 18)}
Shape = tuple[int, ...]


class FamiliarShapes:
    """The shapes that a network knows.

    Parameters
    ----------
    shapes : iterable of tuple of int
        The cells of two to four large tiles, 0 to 15, the largest first; each stands for its eight
        images.
    with_largest : mapping of int to iterables of tuple of int, optional
        By the exponent of the largest tile: more of them.
    """

    def __init__(
        self, shapes: Iterable[Shape], with_largest: Mapping[int, Iterable[Shape]] | None = None
    ) -> None:
        self._shapes = _images(shapes)
        self._with_largest = {
            largest: _images(more) for largest, more in (with_largest or {}).items()
        }

    def has(self, cells: Sequence[int] | npt.NDArray[np.uint8]) -> bool:
        """Tell whether the large tiles of 16 exponents stand as the network knows them.

        Of two alike, which will merge, either may be the one that counts.
        """
        tiles = [int(tile) for tile in cells]
        found, more = shapes_of(tiles), self._with_largest.get(max(tiles), ())
        return found is None or any(shape in self._shapes or shape in more for shape in found)

    def has_four(self, cells: Sequence[int] | npt.NDArray[np.uint8]) -> bool:
        """Tell whether there are four large tiles or more, and they stand as the network knows."""
        found = shapes_of([int(tile) for tile in cells]) or []
        return any(len(shape) == MOST_COUNTED and shape in self._shapes for shape in found)


def _images(shapes: Iterable[Shape]) -> set[Shape]:
    return {
        tuple(image[cell] for cell in shape) for shape in shapes for image in destinations("full")
    }


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
    found = _shapes_in(data)
    if found is None:
        raise WeightsError(
            tr(
                "{path}: expected version {version} and a list of shapes, such as 01 or 120",
                path=beside,
                version=VERSION,
            )
        )
    return found


def _shapes_in(data: object) -> FamiliarShapes | None:
    """Return what a file lists; None where it is no such list."""
    if not isinstance(data, dict) or data.get("version") != VERSION:
        return None
    shapes: Any = data.get("shapes")
    more: object = data.get("with_largest", {})
    if not isinstance(more, dict) or not set(more) <= set(_TILES):
        return None
    if not all(map(_are_shapes, (shapes, *more.values()))):
        return None
    with_largest = {_TILES[tile]: map(_shape, found) for tile, found in more.items()}
    return FamiliarShapes(map(_shape, shapes), with_largest)


def _shape(text: str) -> Shape:
    return tuple(int(cell, 16) for cell in text)


def _are_shapes(shapes: object) -> bool:
    return isinstance(shapes, list) and all(map(_is_shape, shapes))


def _is_shape(text: object) -> bool:
    if not isinstance(text, str) or not _FROM <= len(text) <= MOST_COUNTED:
        return False
    return set(text) <= set("0123456789abcdef") and len(set(text)) == len(text)
