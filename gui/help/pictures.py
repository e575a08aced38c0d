"""The pictures of the help, drawn for the pixels of the screen.

For a dark page, those of a light window are converted: lightness is inverted, hues are kept. A
second set would double the size and have to be updated with the first.
"""

import re
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from gui.style.oklch import from_hex, to_hex

_MAX_CACHED = 24
_PALE = 128
# So that white becomes the ground of a dark window, and ink nearly white.
_FROM, _SLOPE = 1.06, 0.87
_COLOR = re.compile(r'(?<=[":\s])#([0-9a-f]{6}|[0-9a-f]{3,4})(?=["; }])', re.IGNORECASE)


def picture_size(path: Path, widest: int) -> tuple[int, int]:
    """Return the display size of a picture: its own, or as wide as there is room."""
    size = _natural_size(path)
    if size.isEmpty():
        return 1, 1
    width = min(widest, size.width())
    return width, max(1, round(size.height() * width / size.width()))


def draw_picture(path: Path, size: tuple[int, int], ratio: float, ink: QColor) -> QImage:
    """Return a picture of `size`, in as many pixels as the screen has there.

    Parameters
    ----------
    path : Path
        A PNG, or an SVG whose `currentColor` is `ink`. Pictures made for a light page are converted
        if `ink` is pale.
    ratio : float
        Pixels of the screen for one of the window's.
    """
    return _drawn(path, size, ratio, ink.name())


@lru_cache(maxsize=256)
def _natural_size(path: Path) -> QSize:
    from PySide6.QtSvg import QSvgRenderer

    if path.suffix == ".svg":
        return QSvgRenderer(str(path)).defaultSize()
    return QImage(str(path)).size()


@lru_cache(maxsize=_MAX_CACHED)
def _drawn(path: Path, size: tuple[int, int], ratio: float, ink: str) -> QImage:
    is_dark = QColor(ink).lightness() > _PALE  # the page
    pixels = QSize(max(1, round(size[0] * ratio)), max(1, round(size[1] * ratio)))
    if path.suffix == ".svg":
        image = _drawn_lines(path, pixels, ink, is_dark)
    else:
        mode = Qt.AspectRatioMode.IgnoreAspectRatio
        smooth = Qt.TransformationMode.SmoothTransformation
        image = QImage(str(path))
        if is_dark and not image.isNull():
            image = _darken_picture(image)
        image = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
        if image.isNull():  # none with that name
            image = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
            image.fill(Qt.GlobalColor.transparent)
        image = image.scaled(pixels, mode, smooth)
    image.setDevicePixelRatio(ratio)
    return image


def _drawn_lines(path: Path, pixels: QSize, ink: str, is_dark: bool) -> QImage:
    from PySide6.QtSvg import QSvgRenderer

    drawn = path.read_text(encoding="utf-8")
    source = (_darken_drawing(drawn) if is_dark else drawn).replace("currentColor", ink)
    image = QImage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(0, 0, *pixels.toTuple()))
    painter.end()
    return image


def _darken_picture(image: QImage) -> QImage:
    """Return a picture with few colors, converted for a dark page."""
    dark = image.convertToFormat(QImage.Format.Format_Indexed8)
    dark.setColorTable([_darkened_pixel(QColor.fromRgba(color)) for color in dark.colorTable()])
    return dark


def _darken_drawing(svg: str) -> str:
    """Return the text of an SVG with its colors, all written as hex digits, for a dark page."""
    return _COLOR.sub(lambda match: _darkened_digits(match[1]), svg)


def _darkened_pixel(color: QColor) -> int:
    dark = QColor(_darkened(color.name()))
    dark.setAlpha(color.alpha())
    return dark.rgba()


def _darkened_digits(digits: str) -> str:
    if len(digits) == 6:
        return _darkened(f"#{digits}")
    pairs = [2 * digit for digit in digits]
    return _darkened("#" + "".join(pairs[:3])) + "".join(pairs[3:])


@lru_cache(maxsize=4096)
def _darkened(color: str) -> str:
    light = from_hex(color)
    return to_hex(light._replace(lightness=_FROM - _SLOPE * light.lightness))
