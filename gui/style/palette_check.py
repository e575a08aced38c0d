"""Checks whether the tiles of a palette are readable and distinguishable. No Qt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gui.style.color_schemes import MIN_CONTRAST, TilePalette, contrast
from gui.style.color_vision import VISIONS, distance

MIN_DISTANCE = 0.025
"""In OKLab, between neighbors of any built-in palette, for normal color vision."""
MIN_SEEN = 0.022
"""The same for other kinds of color vision, in palettes that are safe for them."""
MIN_SEEN_TWO_APART = 0.04

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Problem:
    """A problem that makes tiles hard to use.

    Attributes
    ----------
    kind : str
        "contrast": a figure hardly stands out from its tile; "neighbors": a tile is hard to tell
        from the next one.
    exponent : int
        The tile, the smaller of two.
    value : float
        The contrast, or the distance in OKLab.
    """

    kind: str
    exponent: int
    value: float


def problems(pairs: Pairs) -> list[Problem]:
    """Return the problems for normal color vision."""
    return [*_unreadable(pairs), *_alike(pairs)]


def is_safe(palette: TilePalette) -> bool:
    """Return whether neighbors differ for every kind of color vision, on light and on dark."""
    return all(_is_told_apart(pairs) for pairs in (palette.light, palette.dark))


def _unreadable(pairs: Pairs) -> Iterator[Problem]:
    for exponent, (fill, ink) in enumerate(pairs, start=1):
        if (value := contrast(fill, ink)) < MIN_CONTRAST:
            yield Problem("contrast", exponent, value)


def _alike(pairs: Pairs) -> Iterator[Problem]:
    for exponent, (tile, following) in enumerate(pairwise(pairs), start=1):
        if (value := distance(tile[0], following[0])) < MIN_DISTANCE:
            yield Problem("neighbors", exponent, value)


def _is_told_apart(pairs: Pairs) -> bool:
    fills = [fill for fill, _ in pairs]
    return all(
        distance(fill, other, vision) >= least
        for vision in VISIONS
        for step, least in ((1, MIN_SEEN), (2, MIN_SEEN_TWO_APART))
        for fill, other in zip(fills, fills[step:], strict=False)
    )
