"""A plot of what a board costs and how much memory a build takes, as the targets grow."""

from collections.abc import Mapping, Sequence

_WIDTH, _HEIGHT, _PANEL = 760, 300, 300
_LEFT, _TOP, _BOTTOM = 56, 44, 250
_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # told apart by the color-blind
_GRID, _INK = "#8884", "#777"


def growth_svg(lines: Mapping[str, Sequence[tuple[int, float, float]]]) -> str:
    """Return an SVG picture of two panels.

    Parameters
    ----------
    lines : mapping
        By formation: (target, nanoseconds of CPU time a board, MiB of peak memory), ascending.
    """
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'font-family="sans-serif" font-size="12" fill="{_INK}">'
    ]
    titles = ("CPU time a board (ns)", "peak memory (MiB)")
    for which, title in enumerate(titles):
        parts += _panel(lines, which, title, _LEFT + which * (_PANEL + 72))
    parts.append("</svg>\n")
    return "\n".join(parts)


def _panel(
    lines: Mapping[str, Sequence[tuple[int, float, float]]], which: int, title: str, left: int
) -> list[str]:
    top = 1.15 * max(point[1 + which] for points in lines.values() for point in points)
    step = _round_step(top / 4)
    targets = sorted({point[0] for points in lines.values() for point in points})
    at = {
        target: left + 20 + i * (_PANEL - 60) / (len(targets) - 1)
        for i, target in enumerate(targets)
    }

    def height(value: float) -> float:
        return _BOTTOM - value / top * (_BOTTOM - _TOP)

    parts = [f'<text x="{left}" y="{_TOP - 20}" font-weight="bold">{title}</text>']
    value = 0.0
    while value <= top:
        y = height(value)
        parts.append(f'<path d="M{left} {y:.1f}H{left + _PANEL}" stroke="{_GRID}"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
        value += step
    for target, x in at.items():
        parts.append(f'<text x="{x:.1f}" y="{_BOTTOM + 20}" text-anchor="middle">{target}</text>')
    for color, (name, points) in zip(_COLORS, lines.items(), strict=False):
        path = " ".join(f"{at[p[0]]:.1f},{height(p[1 + which]):.1f}" for p in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{at[p[0]]:.1f}" cy="{height(p[1 + which]):.1f}" r="3" fill="{color}"/>'
            for p in points
        ]
        x, y = at[points[-1][0]] + 8, height(points[-1][1 + which]) + 4
        parts.append(f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}">{name}</text>')
    return parts


def _round_step(about: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at least `about`."""
    power = 1.0
    while power * 10 <= about:
        power *= 10
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= about)
