"""The pictures of the help, drawn for the pixels of the screen."""

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from gui.help.dark_colors import darken_drawing, darken_picture

_MOST = 24  # pictures that are kept
_PALE = 128


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


@lru_cache(maxsize=_MOST)
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
            image = darken_picture(image)
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
    source = (darken_drawing(drawn) if is_dark else drawn).replace("currentColor", ink)
    image = QImage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(0, 0, *pixels.toTuple()))
    painter.end()
    return image
