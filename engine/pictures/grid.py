"""Locates a board in a picture: sixteen squares on a ground of one color.

The gaps between the squares and the frame around them are one connected area of nearly one color.
For each frequent color, its areas are found as runs of pixels, row by row; an area about as wide as
high is the ground of a board if its full rows and columns leave four spaces of the same size, both
ways.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""uint8[height, width, 3]: red, green, blue."""
Mask = NDArray[np.bool_]

MIN_CELL_PX = 18
"""Size of squares below which figures cannot be read."""
# How far a pixel may be from the color of the ground, per channel, and how full of it a row must be
# to be a gap. Empty squares differ by some 17 in common palettes, less in dark ones; pictures
# blurred by JPEG need more tolerance.
_PATIENCE = ((8, 0.88), (13, 0.82), (20, 0.75))
_MIN_SHARE = 0.003  # of the picture, for a color to be tried
_MAX_UNLIKE = 0.09  # difference between the sizes of the squares


class PixelSpan(NamedTuple):
    """Pixels from `first` up to but not including `end`."""

    first: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.first


class PictureGrid(NamedTuple):
    """The squares of a board in a picture."""

    rows: tuple[PixelSpan, ...]
    columns: tuple[PixelSpan, ...]

    @property
    def side(self) -> float:
        return sum(span.size for span in (*self.rows, *self.columns)) / 8

    def overlaps(self, other: "PictureGrid") -> bool:
        pairs = ((self.rows, other.rows), (self.columns, other.columns))
        return all(a[0].first < b[-1].end and b[0].first < a[-1].end for a, b in pairs)

    def cell(self, picture: Picture, cell: int) -> Picture:
        row, column = self.rows[cell // 4], self.columns[cell % 4]
        return picture[row.first : row.end, column.first : column.end]


def find_grids(picture: Picture) -> list[PictureGrid]:
    colors = list(_frequent_colors(picture))
    for tolerance, full in _PATIENCE:
        grids = [
            grid
            for color in colors
            for grid in _grids(np.abs(picture - color).max(axis=-1) <= tolerance, full)
        ]
        if grids:
            return _apart(sorted(grids, key=lambda grid: -grid.side))
    return []


def _apart(grids: list[PictureGrid]) -> list[PictureGrid]:
    """Return the grids that don't share pixels with one before: two colors may find one board."""
    apart: list[PictureGrid] = []
    for grid in grids:
        if not any(grid.overlaps(before) for before in apart):
            apart.append(grid)
    return apart


def _frequent_colors(picture: Picture) -> Iterator[NDArray[np.int16]]:
    coarse = (picture >> 3).astype(np.int32)
    codes = (coarse[..., 0] << 10 | coarse[..., 1] << 5 | coarse[..., 2]).ravel()
    counts = np.bincount(codes, minlength=1 << 15)
    tried: list[NDArray[np.int16]] = []
    for code in np.argsort(-counts, kind="stable")[:24]:
        if counts[code] < _MIN_SHARE * codes.size:
            return
        color = np.median(picture.reshape(-1, 3)[codes == code], axis=0).astype(np.int16)
        if any(int(np.abs(color - before).max()) <= 2 for before in tried):
            continue
        tried.append(color)
        yield color


def _grids(mask: Mask, full: float) -> Iterator[PictureGrid]:
    for top, bottom, left, right in _areas(mask):
        inside = mask[top:bottom, left:right]
        rows, columns = (_spaces(inside.mean(axis=axis) >= full) for axis in (1, 0))
        sizes = [span.size for span in rows + columns]
        if len(rows) != 4 or len(columns) != 4 or min(sizes) < MIN_CELL_PX:
            continue
        if max(sizes) - min(sizes) > max(2, _MAX_UNLIKE * max(sizes)):
            continue
        yield PictureGrid(
            tuple(PixelSpan(top + span.first, top + span.end) for span in rows),
            tuple(PixelSpan(left + span.first, left + span.end) for span in columns),
        )


def _spaces(is_gap: Mask) -> list[PixelSpan]:
    """Return the spaces between the gaps, given which rows (or columns) are only ground."""
    is_space = np.concatenate(([False], ~is_gap, [False]))
    edges = np.flatnonzero(is_space[1:] != is_space[:-1])
    spans = [
        PixelSpan(int(first), int(end)) for first, end in zip(edges[::2], edges[1::2], strict=True)
    ]
    return [span for span in spans if span.size >= 0.08 * len(is_gap)]


def _areas(mask: Mask) -> Iterator[tuple[int, int, int, int]]:
    """Yield top, bottom, left and right of the connected areas that may be a ground."""
    height, width = mask.shape
    padded = np.zeros((height, width + 2), dtype=np.int8)
    padded[:, 1:-1] = mask
    change = np.diff(padded, axis=1)
    row, first = np.nonzero(change == 1)
    end = np.nonzero(change == -1)[1]
    if not 0 < len(row) <= 300_000:
        return
    area = _connected(row, first, end, width + 1)
    order = np.argsort(area, kind="stable")
    starts = np.flatnonzero(np.diff(area[order], prepend=-1))
    top, bottom = np.minimum.reduceat(row[order], starts), np.maximum.reduceat(row[order], starts)
    left, right = np.minimum.reduceat(first[order], starts), np.maximum.reduceat(end[order], starts)
    n_pixels = np.add.reduceat((end - first)[order], starts)
    high, wide = bottom + 1 - top, right - left
    is_likely = (np.minimum(high, wide) >= 4 * MIN_CELL_PX) & (n_pixels < 0.7 * high * wide)
    is_likely &= np.abs(high - wide) <= 0.06 * np.maximum(high, wide)
    for i in np.flatnonzero(is_likely):
        yield int(top[i]), int(bottom[i]) + 1, int(left[i]), int(right[i])


def _connected(
    row: NDArray[np.int64], first: NDArray[np.int64], end: NDArray[np.int64], stride: int
) -> NDArray[np.int64]:
    """Return the area number of each run; runs are in order, row by row."""
    below = (row + 1) * stride
    begin = np.searchsorted(row * stride + end, below + first, side="right")
    n_below = np.searchsorted(row * stride + first, below + end, side="left") - begin
    upper = np.repeat(np.arange(len(row)), n_below)
    lower = np.repeat(begin - np.cumsum(n_below) + n_below, n_below) + np.arange(len(upper))
    area = np.arange(len(row))
    while True:
        least = np.minimum(area[upper], area[lower])
        after = area.copy()
        np.minimum.at(after, area[upper], least)
        np.minimum.at(after, area[lower], least)
        after = after[after]
        if np.array_equal(after, area):
            return area
        area = after
