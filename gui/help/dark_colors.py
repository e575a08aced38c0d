"""Pictures of a light window for a dark page: lightness is inverted, hues are kept.

A second set of pictures would double the size and have to be updated with the first.
"""

import re
from functools import lru_cache

from PySide6.QtGui import QColor, QImage

from gui.style.oklch import from_hex, to_hex

# So that white becomes the ground of a dark window, and ink nearly white.
_FROM, _SLOPE = 1.06, 0.87
_COLOR = re.compile(r'(?<=[":\s])#([0-9a-f]{6}|[0-9a-f]{3,4})(?=["; }])', re.IGNORECASE)


def darken_picture(image: QImage) -> QImage:
    """Return a picture with few colors, converted for a dark page."""
    dark = image.convertToFormat(QImage.Format.Format_Indexed8)
    dark.setColorTable([_darkened_pixel(QColor.fromRgba(one)) for one in dark.colorTable()])
    return dark


def darken_drawing(svg: str) -> str:
    """Return the text of an SVG with its colors, all written as hex digits, for a dark page."""
    return _COLOR.sub(lambda found: _darkened_digits(found[1]), svg)


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
    found = from_hex(color)
    return to_hex(found._replace(lightness=_FROM - _SLOPE * found.lightness))
