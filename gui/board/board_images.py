"""A cache of drawn tiles and ground: at 30 moves per second there is no time to redraw them."""

import math
from collections.abc import Callable, Hashable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPixmap

from gui.style.theme import Theme, smooth_painter

Draw = Callable[[QPainter, QRectF], None]


class BoardImages:
    """Images for one size, scale, font and set of colors; a change clears the cache."""

    def __init__(self) -> None:
        self._key: tuple[Hashable, float, QFont] | None = None
        self._theme: Theme | None = None
        self._images: dict[Hashable, QPixmap] = {}

    def prepare(self, grid: Hashable, ratio: float, font: QFont, theme: Theme) -> None:
        key = (grid, ratio, font)
        if theme is not self._theme or key != self._key:
            self._key, self._theme = key, theme
            self._images.clear()

    def draw(
        self, painter: QPainter, name: Hashable, corner: QPointF, side: float, draw: Draw
    ) -> None:
        """Draw a square image; `draw` makes it, the first time, in a square at the origin."""
        image = self._images.get(name)
        if image is None:
            image = self._images[name] = self._make(side, draw)
        painter.drawPixmap(corner, image)

    def _make(self, side: float, draw: Draw) -> QPixmap:
        assert self._key, "prepare comes first"
        _, ratio, font = self._key
        pixels = math.ceil(side * ratio - 1e-6)
        image = QPixmap(pixels, pixels)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        painter = smooth_painter(image)
        painter.setFont(font)
        draw(painter, QRectF(0, 0, side, side))
        painter.end()
        return image
