"""The charts of a segment as HTML: the success rate, and what skill and luck did to it.

Only lines are drawn as SVG, stretched to the width there is; captions, scales and marks are text
beside and above them, as large on a telephone as on a wide screen. Colors are the CSS variables
--rate, --skill, --luck, --line of the page around.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from coach.analysis.analyze import GradedMove, SegmentReport
from coach.grading.grade import GRADES, Grade
from engine.wording import rate_text

MARKS = dict(zip(GRADES, "\u2605\u2713\u25cf\u25b2\u25a0\u2715\u25c6", strict=True))
"""A sign for each grade, so that color is never the only one."""

_WIDTH, _HEIGHT = 1000.0, 100.0  # of the drawing, before it is stretched
_MARKED = (Grade.INACCURATE, Grade.MISTAKE, Grade.BLUNDER, Grade.DISASTER)
_MOST_MARKS = 60
Point = tuple[float, float]


@dataclass(frozen=True)
class _Line:
    """A line of a chart, and what the caption says of it; `dashes` tell it from another one."""

    name: str
    color: str
    points: Sequence[Point]
    dashes: str = ""

    @property
    def drawn(self) -> str:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in self.points)
        return f'<polyline points="{path}" style="stroke: var({self.color})"{self._dashes}/>'

    @property
    def key(self) -> str:
        sample = (
            '<svg class="key" viewBox="0 0 24 8" aria-hidden="true">'
            f'<path d="M0 4H24" style="stroke: var({self.color})"{self._dashes}/></svg>'
        )
        return f'<span style="color: var({self.color})">{sample}{self.name}</span>'

    @property
    def _dashes(self) -> str:
        return f' stroke-dasharray="{self.dashes}"' if self.dashes else ""


def rate_figure(one: SegmentReport) -> str:
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
    marks = [_mark(points[i], grade, one.moves[i]) for _, i, grade in worst]
    scale = (rate_text(min(1.0, high)), rate_text(max(0.0, low)))
    title = "Success rate before each move"
    return _figure(title, title, [_Line("", "--rate", points)], marks, scale, one)


def sums_figure(one: SegmentReport) -> str:
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
    lines = [
        _Line(f"skill {skill[-1]:+.3f}", "--skill", _points(skill, low, high)),
        _Line(f"luck {luck[-1]:+.3f}", "--luck", _points(luck, low, high), "6 4"),
    ]
    caption = f"{lines[0].key} {lines[1].key} summed up in logarithms"
    title = "Sums of skill and luck in logarithms"
    zero = [(0.0, _points([0.0], low, high)[0][1]), (_WIDTH, _points([0.0], low, high)[0][1])]
    lines = [_Line("", "--line", zero), *lines]
    return _figure(title, caption, lines, [], (f"{high:+.3f}", f"{low:+.3f}"), one)


def _points(values: Sequence[float], low: float, high: float) -> list[Point]:
    last = max(1, len(values) - 1)
    return [
        (_WIDTH * i / last, _HEIGHT * (high - value) / (high - low))
        for i, value in enumerate(values)
    ]


def _mark(point: Point, grade: Grade, move: GradedMove) -> str:
    left, top = 100 * point[0] / _WIDTH, 100 * point[1] / _HEIGHT
    return (
        f'<span class="mark {grade.value}" style="left: {left:.2f}%; top: {top:.1f}%" '
        f'title="move {move.number:,}: {grade.value}">{MARKS[grade]}</span>'
    )


def _figure(
    title: str,
    caption: str,
    lines: Sequence[_Line],
    marks: Sequence[str],
    scale: tuple[str, str],
    one: SegmentReport,
) -> str:
    first, last = one.segment.first + 1, one.segment.first + len(one.moves)
    return "\n".join(
        [
            f"<figure><figcaption>{caption}</figcaption>",
            f'<div class="chart"><div class="plot" role="img" aria-label="{title}">',
            f'<svg viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" preserveAspectRatio="none">',
            *(line.drawn for line in lines),
            "</svg>",
            *marks,
            f'</div><div class="scale"><span>{scale[0]}</span><span>{scale[1]}</span></div>',
            f'<div class="span"><span>move {first:,}</span><span>{last:,}</span></div>',
            "</div></figure>",
        ]
    )
