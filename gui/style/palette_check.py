"""Checks whether the tiles of a palette are readable and distinguishable. No Qt.

The matrices that simulate color vision deficiencies are those of G. M. Machado, M. M. Oliveira and
L. A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE
Transactions on Visualization and Computer Graphics 15 (2009), 1291-1298, for severity 1.0; they are
applied to amounts of light.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from gui.style.color_schemes import MIN_CONTRAST, TilePalette, contrast
from gui.style.oklch import Triple, linear_rgb, oklab

MIN_DISTANCE = 0.025
"""In OKLab, between neighbors of any built-in palette, for normal color vision."""
MIN_SEEN = 0.022
"""The same for other kinds of color vision, in palettes that are safe for them."""
MIN_SEEN_TWO_APART = 0.04

Pairs = Sequence[tuple[str, str]]
Matrix = tuple[Triple, Triple, Triple]

VISIONS: Mapping[str, Matrix] = MappingProxyType(
    {
        "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
        "protan": (
            (0.152286, 1.052583, -0.204868),
            (0.114503, 0.786281, 0.099216),
            (-0.003882, -0.048116, 1.051998),
        ),
        "deutan": (
            (0.367322, 0.860646, -0.227968),
            (0.280085, 0.672501, 0.047413),
            (-0.011820, 0.042940, 0.968881),
        ),
        "tritan": (
            (1.255528, -0.076749, -0.178779),
            (-0.078411, 0.930809, 0.147602),
            (0.004733, 0.691367, 0.303900),
        ),
    }
)
"""By name: the matrix for the amounts of red, green and blue light."""


def seen(color: str, vision: str) -> Triple:
    """Return the place in OKLab of ``#rrggbb`` as one of `VISIONS` sees it."""
    light = linear_rgb(color)
    if vision != "normal":
        rows = VISIONS[vision]
        red, green, blue = (
            min(max(sum(m * c for m, c in zip(row, light, strict=True)), 0.0), 1.0) for row in rows
        )
        light = red, green, blue
    return oklab(light)


def distance(first: str, second: str, vision: str = "normal") -> float:
    """Return the distance of two colors in OKLab; about 0.02 is just noticeable.

    >>> distance("#000000", "#ffffff")
    1.0
    >>> distance("#c00000", "#2f8f00") > 4 * distance("#c00000", "#5f5c00", "protan")
    True
    """
    return round(math.dist(seen(first, vision), seen(second, vision)), 6)


@dataclass(frozen=True)
class Problem:
    """A problem that makes tiles hard to use."""

    # "contrast": a figure hardly stands out from its tile; "neighbors": a tile is hard to tell from
    # the next one.
    kind: str
    exponent: int  # the tile, the smaller of two
    value: float  # the contrast, or the distance in OKLab


def problems(pairs: Pairs) -> list[Problem]:
    return list(_problems(pairs))


def _problems(pairs: Pairs) -> Iterator[Problem]:
    for exponent, (fill, ink) in enumerate(pairs, start=1):
        if (value := contrast(fill, ink)) < MIN_CONTRAST:
            yield Problem("contrast", exponent, value)
    for exponent, (tile, following) in enumerate(pairwise(pairs), start=1):
        if (value := distance(tile[0], following[0])) < MIN_DISTANCE:
            yield Problem("neighbors", exponent, value)


def is_safe(palette: TilePalette) -> bool:
    """Return whether neighbors differ for every kind of color vision, on light and on dark."""
    return all(_are_distinct(pairs) for pairs in (palette.light, palette.dark))


def _are_distinct(pairs: Pairs) -> bool:
    fills = [fill for fill, _ in pairs]
    return all(
        distance(fill, other, vision) >= least
        for vision in VISIONS
        for step, least in ((1, MIN_SEEN), (2, MIN_SEEN_TWO_APART))
        for fill, other in zip(fills, fills[step:], strict=False)
    )
