"""Boards painted without Qt, fonts or anything of the program: strokes on colored squares."""

from itertools import pairwise

import numpy as np

# The colors of the first 2048, from 2 on; larger tiles look like the last one.
CLASSIC_TILES = (
    *("eee4da", "ede0c8", "f2b179", "f59563", "f67c5f", "f65e3b", "edcf72", "edcc61"),
    *("edc850", "edc53f", "edc22e", "3c3a32"),
)
CLASSIC_GROUND, CLASSIC_EMPTY, CLASSIC_PAGE = "bbada0", "cdc1b4", "faf8ef"
CLASSIC_INKS = ("776e65", "776e65", "f9f6f2")

# Each digit as lines through points (x, y) in a box 6 wide and 10 high.
_ROUND = [(3, 0), (1, 0.8), (0, 3), (0, 7), (1, 9.2), (3, 10)]
_STROKES = {
    "0": [_ROUND, [(6 - x, y) for x, y in _ROUND]],
    "1": [[(1, 2), (3.2, 0), (3.2, 10)]],
    "2": [[(0, 2.5), (1, 0.6), (3, 0), (5.3, 0.8), (5.8, 3), (0, 10), (6, 10)]],
    "3": [[(0, 1), (3, 0), (5.5, 1.2), (5, 4), (2.5, 4.8), (5.5, 5.8), (6, 8), (3, 10), (0, 9)]],
    "4": [[(4.4, 10), (4.4, 0), (0, 7), (6, 7)]],
    "5": [[(5.5, 0), (0.8, 0), (0.4, 4.4), (3, 3.8), (5.7, 5.2), (5.8, 8), (3, 10), (0, 9)]],
    "6": [
        [(5.5, 1), (3, 0), (0.8, 2), (0, 6), (0.8, 9.2), (3, 10), (5.4, 9.2), (6, 7)],
        [(6, 7), (5, 4.6), (3, 4), (1, 4.8), (0, 6.5)],
    ],
    "7": [[(0, 0), (6, 0), (2, 10)]],
    "8": [
        [(3, 4.7), (0.6, 3.6), (0.6, 1), (3, 0), (5.4, 1), (5.4, 3.6), (3, 4.7)],
        [(3, 4.7), (0, 6.4), (0.3, 9), (3, 10), (5.7, 9), (6, 6.4), (3, 4.7)],
    ],
    "9": [
        [(0.5, 9), (3, 10), (5.2, 8), (6, 4), (5.2, 0.8), (3, 0), (0.6, 0.8), (0, 3)],
        [(0, 3), (1, 5.4), (3, 6), (5, 5.2), (6, 3.5)],
    ],
}


def rgb(text):
    return np.array([int(text[at : at + 2], 16) for at in (0, 2, 4)], dtype=np.float64)


def cover_of(label, height, width, size, weight):
    """Return float64[height, width]: a label in the middle, digits `size` high."""
    unit, gap = size / 10, 2.2
    total = (6 * len(label) + gap * (len(label) - 1)) * unit
    ys, xs = np.mgrid[0:height, 0:width] + 0.5
    nearest = np.full((height, width), np.inf)
    for i, digit in enumerate(label):
        left = (width - total) / 2 + i * (6 + gap) * unit
        top = (height - size) / 2
        for line in _STROKES[digit]:
            points = [(left + x * unit, top + y * unit) for x, y in line]
            for (ax, ay), (bx, by) in pairwise(points):
                dx, dy = bx - ax, by - ay
                t = np.clip(((xs - ax) * dx + (ys - ay) * dy) / (dx * dx + dy * dy), 0, 1)
                nearest = np.minimum(nearest, np.hypot(xs - ax - t * dx, ys - ay - t * dy))
    return np.clip(weight * unit - nearest + 0.5, 0, 1)


def painted_board(
    exponents,
    cell=80,
    gap=12,
    margin=(30, 40),
    weight=1.0,
    colors=(CLASSIC_PAGE, CLASSIC_GROUND, CLASSIC_EMPTY),
    tiles=CLASSIC_TILES,
):
    """Return uint8[height, width, 3]: a page with a board on it."""
    page, ground, empty = map(rgb, colors)
    side = 4 * cell + 5 * gap
    picture = np.empty((side + 2 * margin[1], side + 2 * margin[0], 3))
    picture[:] = page
    board = picture[margin[1] : margin[1] + side, margin[0] : margin[0] + side]
    board[:] = ground
    for at, exponent in enumerate(exponents):
        row, column = divmod(at, 4)
        y, x = gap + row * (cell + gap), gap + column * (cell + gap)
        square = board[y : y + cell, x : x + cell]
        if not exponent:
            square[:] = empty
            continue
        fill = rgb(tiles[min(exponent, len(tiles)) - 1])
        ink = rgb(CLASSIC_INKS[min(exponent, 3) - 1])
        label = str(2**exponent)
        size = cell * min(0.36, 0.86 / (0.82 * len(label)))
        cover = cover_of(label, cell, cell, size, weight)[..., None]
        square[:] = fill * (1 - cover) + ink * cover
    return picture.round().astype(np.uint8)
