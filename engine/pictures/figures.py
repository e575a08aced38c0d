"""Recognition of the tile on a square, by its figure.

Colors differ from site to site, so only the figure matters. Its coverage of each pixel is computed
from the colors of tile and figure, and compared with all figures from 2 to 131072 in several fonts,
drawn beforehand.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.game import LARGEST_EXPONENT
from engine.pictures.grid import Picture

Cover = NDArray[np.float64]
"""float64[height, width]: how much of a figure covers each pixel, in [0, 1]."""

HEIGHT_PX = 24
"""Height of all figures for the comparison."""
_BAND = (0.24, 0.76)  # of a square, from the top: figures are here, marks in the corners are not
_EDGE = 0.07  # of a square, on each side: rounded corners, shadows
_STRIPS = ((0.09, 0.2), (0.8, 0.91))  # of a square, from the top: only the tile's color
_NO_FIGURE, _FIGURE = 14, 34  # difference of a figure from its tile, in levels of 256
_MIN_HEIGHT, _MAX_OFF_CENTER = 0.14, 0.1  # of a square
_ASPECT_WEIGHT, _MAX_STRETCH = 0.35, 0.6


NO_TILE = -1
"""Replaces the exponent for a figure that is on no tile, such as 3 or 24."""
LABELS = {
    **{str(1 << exponent): exponent for exponent in range(1, LARGEST_EXPONENT + 1)},
    **{
        f"{1 << exponent - 10}{k}": exponent
        for exponent in range(10, LARGEST_EXPONENT + 1)
        for k in "kK"
    },
    **{f"{thousands}{k}": e for thousands, e in ((65, 16), (131, 17)) for k in "kK"},
    **{str(n): NO_TILE for n in (0, 1, 3, 5, 6, 7, 9, 10, 12, 13, 18, 21, 24, 27, 34, 36, 48, 55)},
    **{str(n): NO_TILE for n in (89, 96, 144, 192, 233, 377, 384, 610, 768, 987, 1536, 1597, 2187)},
}
"""Labels that a square may have; figures of other games too, so that none is taken for ours."""


class Square(NamedTuple):
    """The content of a square of the board."""

    color: NDArray[np.float64]  # float64[3]: color of the tile or of the empty square
    # float64[height, width] or None: cropped to the figure; None if there is none.
    figure: Cover | None
    is_odd: bool  # something is there that is not a figure in the middle of a tile


class FigureMatch(NamedTuple):
    """The best match of a figure."""

    exponent: int  # `NO_TILE` if the figure is not even as wide as the narrowest
    score: float  # similarity to the best figure, at most 1
    lead: float  # lead over the most similar figure of any other tile
    # Lead over the most similar figure that is on no tile; below 0 if that one fits better.
    native: float


def look_at(square: Picture) -> Square:
    height, width = square.shape[:2]
    edge = round(_EDGE * width)
    inner = square[:, edge : width - edge].astype(np.float64)
    strips = [inner[round(a * height) : round(b * height)].reshape(-1, 3) for a, b in _STRIPS]
    color = np.median(np.concatenate(strips), axis=0)
    band = inner[round(_BAND[0] * height) : round(_BAND[1] * height)]
    apart = np.abs(band - color).max(axis=-1)
    peak = float(np.quantile(apart, 0.995))
    if peak < _NO_FIGURE:
        return Square(color, None, False)
    if peak < _FIGURE:
        return Square(color, None, True)
    ink = np.median(band[apart >= 0.8 * peak], axis=0) - color
    cover = np.clip((band - color) @ ink / (ink @ ink), 0.0, 1.0)
    is_figure = cover >= 0.5
    rows, columns = np.flatnonzero(is_figure.any(axis=1)), np.flatnonzero(is_figure.any(axis=0))
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    off_center = max(
        abs((left + right) / 2 - cover.shape[1] / 2), abs((top + bottom) / 2 - cover.shape[0] / 2)
    )
    is_odd = (
        bottom - top < max(5, _MIN_HEIGHT * height)
        or top == 0
        or bottom == len(cover)
        or off_center > _MAX_OFF_CENTER * height
    )
    return Square(color, cover[top:bottom, left:right], bool(is_odd))


class Figures:
    """All figures in several fonts, to compare with: `LABELS`, each with room around it."""

    def __init__(self, drawn: Iterable[tuple[int, Cover]]) -> None:
        by_width: dict[int, list[tuple[int, Cover]]] = {}
        for exponent, cover in drawn:
            cut = _cut(cover)
            width = max(1, round(HEIGHT_PX * cut.shape[1] / cut.shape[0]))
            flat = _standardized(resize(cut, HEIGHT_PX, width)).ravel()
            by_width.setdefault(width, []).append((exponent, flat))
        self._by_width = {
            width: (np.array([e for e, _ in found]), np.array([flat for _, flat in found]))
            for width, found in sorted(by_width.items())
        }

    def read(self, figure: Cover) -> FigureMatch:
        best: dict[int, float] = {}
        width_by_nature = HEIGHT_PX * figure.shape[1] / figure.shape[0]
        for width, (exponents, flats) in self._by_width.items():
            stretch = abs(float(np.log(width_by_nature / width)))
            if stretch > _MAX_STRETCH:
                continue
            flat = _standardized(resize(figure, HEIGHT_PX, width)).ravel()
            scores = flats @ flat / flat.size - _ASPECT_WEIGHT * stretch
            for exponent, score in zip(exponents.tolist(), scores.tolist(), strict=True):
                best[exponent] = max(best.get(exponent, -1.0), score)
        foreign = best.pop(NO_TILE, -1.0)
        ranked = [
            *sorted(best.items(), key=lambda item: -item[1]),
            (NO_TILE, -1.0),
            (NO_TILE, -1.0),
        ]
        (exponent, score), (_, second) = ranked[:2]
        return FigureMatch(exponent, score, score - second, score - foreign)


def _standardized(cover: Cover) -> Cover:
    spread = float(cover.std())
    return (cover - cover.mean()) / spread if spread > 0 else cover * 0.0


def _cut(cover: Cover) -> Cover:
    is_figure = cover >= 0.5
    rows, columns = np.flatnonzero(is_figure.any(axis=1)), np.flatnonzero(is_figure.any(axis=0))
    return cover[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def resize(cover: Cover, height: int, width: int) -> Cover:
    """Return a figure in another size, each pixel the mean of what it covers."""
    return _overlap(height, cover.shape[0]) @ cover @ _overlap(width, cover.shape[1]).T


def _overlap(n_new: int, n_old: int) -> NDArray[np.float64]:
    """Return float64[n_new, n_old]: the share of each old pixel in each new one."""
    new, old = np.linspace(0, n_old, n_new + 1), np.arange(n_old + 1)
    first = np.maximum(new[:-1, None], old[None, :-1])
    end = np.minimum(new[1:, None], old[None, 1:])
    return np.maximum(0.0, end - first) * (n_new / n_old)
