"""Colors as lightness, chroma and hue, evenly spaced to the eye. No Qt.

OKLab is by Björn Ottosson, "A perceptual color space for image processing" (2020),
https://bottosson.github.io/posts/oklab/; OKLCH are its polar coordinates. What a screen cannot
show is made paler until it can: lightness and hue stay.
"""

import math
from typing import NamedTuple

_STEPS = 10  # halvings: a thousandth of the chroma
_TINY = 1e-4  # beyond the gamut, and within half a step of eight bits

Triple = tuple[float, float, float]


class Oklch(NamedTuple):
    """A color: lightness 0 to 1, chroma 0 to about 0.37, hue in degrees."""

    lightness: float
    chroma: float
    hue: float


def to_hex(color: Oklch) -> str:
    """Return a color as ``#rrggbb``, paler where a screen cannot show it.

    >>> to_hex(Oklch(1.0, 0.0, 0.0)), to_hex(Oklch(0.452, 0.3132, 264.05))
    ('#ffffff', '#0000ff')
    """
    lightness = min(max(color.lightness, 0.0), 1.0)
    light = _linear(lightness, color.chroma, color.hue)
    if not _is_shown(light):
        low, high = 0.0, color.chroma
        for _ in range(_STEPS):
            middle = (low + high) / 2
            if _is_shown(_linear(lightness, middle, color.hue)):
                low = middle
            else:
                high = middle
        light = _linear(lightness, low, color.hue)
    return "#{:02x}{:02x}{:02x}".format(*(round(255 * _encoded(channel)) for channel in light))


def from_hex(color: str) -> Oklch:
    """Return the lightness, chroma and hue of ``#rrggbb``; a gray has the hue 0.

    >>> [round(part, 3) for part in from_hex("#ff0000")]
    [0.628, 0.258, 29.234]
    """
    lightness, a, b = oklab(linear_rgb(color))
    chroma = math.hypot(a, b)
    return Oklch(lightness, chroma, math.degrees(math.atan2(b, a)) % 360 if chroma > _TINY else 0.0)


def linear_rgb(color: str) -> Triple:
    """Return the amounts of light of ``#rrggbb``, each 0 to 1."""
    red, green, blue = (_decoded(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return red, green, blue


def oklab(rgb: Triple) -> Triple:
    """Return lightness, green to red, and blue to yellow of amounts of light."""
    r, g, b = rgb
    long = math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    middle = math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _linear(lightness: float, chroma: float, hue: float) -> Triple:
    angle = math.radians(hue)
    a, b = chroma * math.cos(angle), chroma * math.sin(angle)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )


def _is_shown(rgb: Triple) -> bool:
    return all(-_TINY <= channel <= 1 + _TINY for channel in rgb)


def _decoded(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _encoded(part: float) -> float:
    part = min(max(part, 0.0), 1.0)
    return 12.92 * part if part <= 0.0031308 else 1.055 * float(part ** (1 / 2.4)) - 0.055
