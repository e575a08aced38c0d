"""The charts of a segment as inline SVG: the success rate, and what skill and luck did to it.

Colours are the CSS variables --rate, --skill, --luck, --line of the page around.
"""

import math
from collections.abc import Sequence

from engine.wording import rate_text
from tablebase.coach.analyze import GradedMove, SegmentReport
from tablebase.coach.grade import Grade

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 840, 150, 8, 84, 14, 20
_MARKED = (Grade.INACCURATE, Grade.MISTAKE, Grade.BLUNDER, Grade.DISASTER)
_MOST_MARKS = 60
Point = tuple[float, float]


def rate_chart(one: SegmentReport) -> str:
    """Return the best rate before each move, with a mark where a move gave much of it away."""
    rates = [move.position.best_rate for move in one.moves]
    if len(rates) < 2:
        return ""
    low, high = min(rates), max(rates)
    if high - low < 1e-12:
        low, high = low - 0.5e-6, high + 0.5e-6
    points = _points(rates, low, high)
    losses = [
        (-move.judgement.loss, i, move.judgement.grade)
        for i, move in enumerate(one.moves)
        if move.judgement and move.judgement.grade in _MARKED
    ]
    worst = sorted(losses, key=lambda loss: loss[:2])[:_MOST_MARKS]
    body = [
        _line(points, "--rate"),
        *(_mark(points[i], grade, one.moves[i]) for _, i, grade in worst),
        _label(_HEIGHT - _BOTTOM, rate_text(max(0.0, low))),
        _label(_TOP + 8, rate_text(min(1.0, high))),
        _label(points[-1][1], "success", "--rate", avoid=(_TOP + 8, _HEIGHT - _BOTTOM)),
    ]
    return _svg("Success rate before each move", body, one)


def sums_chart(one: SegmentReport) -> str:
    """Return skill and luck summed up in logarithms, from 0 at the start of the segment."""
    skill, luck = [0.0], [0.0]
    for move in one.moves:
        rate, best, after = move.position.rate, move.position.best_rate, move.best_after
        if not rate or not after or not move.luck:
            break
        skill.append(skill[-1] + math.log(rate) - math.log(best))
        luck.append(luck[-1] + move.luck.log)
    if len(skill) < 3:
        return ""
    low, high = min(*skill, *luck), max(*skill, *luck)
    if high - low < 1e-12:
        low, high = -1e-6, 1e-6
    zero = _points([0.0], low, high)[0][1]
    skills, lucks = _points(skill, low, high), _points(luck, low, high)
    skill_y, luck_y = _apart(skills[-1][1], lucks[-1][1])
    body = [
        f'<path d="M{_LEFT} {zero:.1f}H{_WIDTH - _RIGHT}" stroke="var(--line)"/>',
        _line(skills, "--skill"),
        _line(lucks, "--luck"),
        _label(skill_y, f"skill {skill[-1]:+.3f}", "--skill"),
        _label(luck_y, f"luck {luck[-1]:+.3f}", "--luck"),
    ]
    return _svg("Sums of skill and luck in logarithms", body, one)


def _points(values: Sequence[float], low: float, high: float) -> list[Point]:
    wide, tall = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    last = max(1, len(values) - 1)
    return [
        (_LEFT + wide * i / last, _TOP + tall * (high - value) / (high - low))
        for i, value in enumerate(values)
    ]


def _line(points: Sequence[Point], color: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="var({color})" stroke-width="1.5"/>'


def _mark(point: Point, grade: Grade, move: GradedMove) -> str:
    """A triangle, a square, a cross or a diamond: the shapes tell the grades apart."""
    x, y = point
    paths = {
        Grade.INACCURATE: f"M{x:.1f} {y - 5:.1f}l5 9h-10z",
        Grade.MISTAKE: f"M{x - 4:.1f} {y - 4:.1f}h8v8h-8z",
        Grade.BLUNDER: f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8",
        Grade.DISASTER: f"M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z",
    }
    return (
        f'<g class="{grade.value}"><title>move {move.number}: {grade.value}</title>'
        f'<path d="{paths[grade]}" fill="currentColor" stroke="currentColor" '
        'stroke-width="1.5"/></g>'
    )


def _label(y: float, text: str, color: str = "--muted", avoid: Sequence[float] = ()) -> str:
    for other in avoid:
        if abs(y - other) < 12:
            y = other + 12 if other < _HEIGHT / 2 else other - 12
    x = _WIDTH - _RIGHT + 6
    return f'<text x="{x}" y="{y:.1f}" style="fill: var({color})">{text}</text>'


def _apart(one: float, other: float) -> Point:
    """Return two heights at least a line of text apart, in the same order."""
    if abs(one - other) >= 13:
        return one, other
    middle = min(max((one + other) / 2, _TOP + 7.0), _HEIGHT - _BOTTOM - 7.0)
    return (middle - 6.5, middle + 6.5) if one <= other else (middle + 6.5, middle - 6.5)


def _svg(title: str, body: Sequence[str], one: SegmentReport) -> str:
    first, last = one.segment.first + 1, one.segment.first + len(one.moves)
    y = _HEIGHT - 4
    return "\n".join(
        [
            f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{title}">',
            f"<title>{title}</title>",
            *body,
            f'<text x="{_LEFT}" y="{y}">move {first:,}</text>',
            f'<text x="{_WIDTH - _RIGHT}" y="{y}" text-anchor="end">{last:,}</text>',
            "</svg>",
        ]
    )
