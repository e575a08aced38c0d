"""A reliability diagram: predicted chances, and how often they came true."""

import math
from collections.abc import Sequence

from ai.train.chance_training import Bin

_SIDE, _LEFT, _TOP = 300, 64, 16
_GRID, _INK, _DOT = "#8884", "#777", "#0072b2"
_LARGEST = 12.0  # of dots


def reliability_svg(bins: Sequence[Bin]) -> str:
    """Return an SVG picture: a dot for each bin, on the diagonal where predictions are right.

    The area of a dot grows with the logarithm of the number of its positions, which it names.
    """
    most = math.log(max((one.n for one in bins), default=1) + 1)
    bottom = _TOP + _SIDE

    def across(share: float) -> float:
        return _LEFT + share * _SIDE

    def up(share: float) -> float:
        return bottom - share * _SIDE

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _SIDE + 72} {bottom + 52}" '
        f'font-family="sans-serif" font-size="12" fill="{_INK}" role="img" '
        'aria-label="Reliability diagram: what was said against what was true">'
    ]
    for tenth in range(0, 11, 2):
        share = tenth / 10
        x, y = across(share), up(share)
        parts += [
            f'<path d="M{_LEFT} {y:.1f}h{_SIDE}M{x:.1f} {_TOP}v{_SIDE}" stroke="{_GRID}"/>',
            f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>',
            f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{share:.0%}</text>',
        ]
    middle = _LEFT + _SIDE / 2, _TOP + _SIDE / 2
    parts += [
        f'<path d="M{_LEFT} {bottom}L{_LEFT + _SIDE} {_TOP}" stroke="{_INK}" '
        'stroke-dasharray="5 4"/>',
        f'<text x="{middle[0]}" y="{bottom + 42}" text-anchor="middle">said by search</text>',
        f'<text x="16" y="{middle[1]}" text-anchor="middle" '
        f'transform="rotate(-90 16 {middle[1]})">true by tables</text>',
    ]
    for one in bins:
        radius = _LARGEST * math.sqrt(math.log(one.n + 1) / most)
        x, y = across(one.said), up(one.true)
        parts += [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{_DOT}" '
            'fill-opacity="0.55"/>',
            f'<text x="{x + radius + 4:.1f}" y="{y + 4:.1f}">{one.n:,}</text>',
        ]
    parts.append("</svg>\n")
    return "\n".join(parts)
