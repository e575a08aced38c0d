"""The colors of sixteen tiles from a few numbers: a ramp of lightness, chroma and hue. No Qt.

A ramp is written ``lightness 97 -> 30, chroma 2 -> 12 @128 -> 8, hue 190 -> 320``: the values at
the tile 2, at stops in between, and at 65536. ``@128`` gives the tile of a stop; stops without one
are evenly spaced. Values are interpolated linearly. See color_schemes.txt.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from engine.platform.language import tr
from gui.style.oklch import Oklch, to_hex

N_TILES = 16
BOUNDS: Mapping[str, tuple[float, float]] = {
    "lightness": (0.0, 100.0),
    "chroma": (0.0, 40.0),
    "hue": (-720.0, 1080.0),
}
_STOP = re.compile(r"(-?\d{1,4}(?:\.\d{1,3})?)(?:\s*@(\d+))?")
_TILES = {str(1 << (i + 1)): i for i in range(N_TILES)}

Stops = tuple[tuple[float, float], ...]


class RampError(ValueError):
    """A ramp is malformed; the message says what was expected."""


@dataclass(frozen=True)
class Ramp:
    """A ramp from the first tile to the last; for each component its stops."""

    lightness: Stops
    chroma: Stops
    hue: Stops

    def at(self, index: int) -> Oklch:
        """Return the color of a tile, 0 for the first."""
        return Oklch(
            _between(self.lightness, index) / 100,
            _between(self.chroma, index) / 100,
            _between(self.hue, index) % 360,
        )

    def colors(self) -> list[str]:
        return [to_hex(self.at(i)) for i in range(N_TILES)]


@lru_cache(maxsize=512)  # a palette names its ramps twice: to check them, and to use them
def parse_ramp(text: str) -> Ramp:
    """Return the ramp described by `text`; raise RampError.

    >>> ramp = parse_ramp("lightness 100 -> 50 @512 -> 0, chroma 0, hue 0")
    >>> [ramp.at(i).lightness for i in (0, 4, 8, 15)]
    [1.0, 0.75, 0.5, 0.0]
    """
    parts: dict[str, Stops] = {}
    for piece in text.split(","):
        name, _, way = piece.strip().partition(" ")
        if name not in BOUNDS:
            raise RampError(
                tr("{part!r}: expected lightness, chroma or hue, and numbers", part=piece.strip())
            )
        if name in parts:
            raise RampError(tr("{name!r} is given twice", name=name))
        parts[name] = _stops(name, way)
    for name in BOUNDS:
        if name not in parts:
            raise RampError(tr("{name!r} is missing", name=name))
    return Ramp(**parts)


def _stops(name: str, way: str) -> Stops:
    pieces = [piece.strip() for piece in way.split("->")]
    low, high = BOUNDS[name]
    known_stops: dict[int, tuple[int, float]] = {}
    for i, piece in enumerate(pieces):
        match = _STOP.fullmatch(piece)
        if not match or not low <= float(match[1]) <= high or len(pieces) > N_TILES:
            raise RampError(
                tr(
                    "{value!r}: expected {name} from {low:.0f} to {high:.0f}, like 30 or 30 @128",
                    value=piece,
                    name=name,
                    low=low,
                    high=high,
                )
            )
        if match[2] and match[2] not in _TILES:
            raise RampError(tr("{tile!r} is not a tile from 2 to 65536", tile=match[2]))
        if match[2]:
            known_stops[i] = (_TILES[match[2]], float(match[1]))
        elif i in (0, len(pieces) - 1):
            known_stops[i] = (0 if i == 0 else N_TILES - 1, float(match[1]))
    places = [known_stops[i][0] for i in sorted(known_stops)]
    if any(b <= a for a, b in pairwise(places)):
        raise RampError(tr("{way!r}: the tiles must be in order", way=way.strip()))
    return _with_even_places(pieces, known_stops)


def _with_even_places(pieces: list[str], known_stops: Mapping[int, tuple[int, float]]) -> Stops:
    """Return the places of all stops; unspecified ones are evenly spaced between the others."""
    stops: list[tuple[float, float]] = []
    fixed = sorted(known_stops)
    for i, piece in enumerate(pieces):
        if i in known_stops:
            stops.append(known_stops[i])
            continue
        before = max(f for f in fixed if f < i)
        after = min(f for f in fixed if f > i)
        share = (i - before) / (after - before)
        place = known_stops[before][0] + share * (known_stops[after][0] - known_stops[before][0])
        stops.append((place, float(piece)))
    return tuple(stops)


def _between(stops: Stops, index: int) -> float:
    (place, value) = stops[0]
    for next_place, next_value in stops[1:]:
        if index <= next_place:
            share = (index - place) / (next_place - place)
            return value + (next_value - value) * min(max(share, 0.0), 1.0)
        place, value = next_place, next_value
    return value
