"""A graded game as one HTML page that needs nothing else: no scripts, no other files.

At the top is the game as a whole: its figures, a chart of the success rate and the costliest moves.
For an analysis, its segments follow. The page supports light and dark mode and printing. All text
from files is escaped.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from coach.analysis.analyze import SegmentReport
from coach.analysis.course import moment_line, phase_line
from coach.analysis.data import FORMAT_WORDS, AnalyzedFile, large_tiles, to_json
from coach.analysis.game_facts import N_WORST, CostlyMove, GameFacts, costly, facts_of_data
from coach.analysis.segments import END_TITLES
from coach.analysis.text import luck_text
from coach.grading.grade import GRADES, Grade
from coach.grading.names import (
    CHANCE_KEPT,
    PERFECT_MOVES,
    POINTS_LOST,
    any_of,
    grade_count,
    grade_word,
    move_word,
    perfect_text,
)
from engine.platform.language import in_force, listed, mark, sentences, tr, trc, trn
from engine.platform.project_files import program_version
from engine.platform.quantities import (
    MIN_POINTS,
    loss_text,
    match_text,
    points_figure,
    points_text,
    rate_text,
    rate_texts,
    span_text,
)

MARKS = dict(zip(GRADES, "\u2605\u2713\u25cf\u25b2\u25a0\u2715\u25c6", strict=True))
"""A sign for each grade, so that color is never the only one."""

_WIDTH, _HEIGHT = 1000.0, 100.0  # of the chart, before it is stretched
_MARKED = (Grade.INACCURATE, Grade.MISTAKE, Grade.BLUNDER, Grade.DISASTER)
_MAX_MARKS = 60
_LINE_COLORS = ("--rate", "--skill", "--luck", "--warn")  # for the tables in turn
Point = tuple[float, float]


@dataclass(frozen=True)
class _Line:
    """A line of a chart and its caption; `dashes` distinguish it from other lines."""

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
    worst = sorted(losses, key=lambda loss: loss[:2])[:_MAX_MARKS]
    marks = [_mark_at(points[i], grade, one.moves[i].number) for _, i, grade in worst]
    scale = (rate_text(min(1.0, high)), rate_text(max(0.0, low)))
    title = tr("Success rate before each move")
    return _chart(title, title, [_Line("", "--rate", points)], marks, scale, _span_of(one))


def _span_of(one: SegmentReport) -> tuple[int, int]:
    return one.segment.first + 1, one.segment.first + len(one.moves)


def game_figure(facts: GameFacts) -> str:
    if not facts.has_course:
        return ""
    low, high = facts.bounds

    def place(x: float, rate: float) -> Point:
        return _WIDTH * x, _HEIGHT * (high - rate) / (high - low)

    lines = []
    colors = dict(zip(facts.tables, _LINE_COLORS * len(facts.tables), strict=False))
    for one, across in zip(facts.stretches, facts.across(), strict=True):
        points = [place(x, rate) for x, rate in zip(across, one.best_rates, strict=True)]
        lines.append(_Line(escape(one.table), colors.get(one.table, "--rate"), points))
    marks = [_mark_at(place(x, rate), move.grade, move.number) for move, x, rate in facts.marks()]
    title = tr("Success rate before each move")
    if facts.is_whole:
        title = tr("Chance of the next large tile before each move")
    keys = {line.name: line.key for line in lines if line.name}
    caption = " ".join([title, *keys.values()]) if len(keys) > 1 else title
    scale = (rate_text(min(1.0, high)), rate_text(max(0.0, low)))
    return _chart(title, caption, lines, marks, scale, facts.span)


def sums_figure(one: SegmentReport) -> str:
    """Return a chart of cumulative skill and luck (logarithms), from 0 at the segment's start."""
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
        _Line(tr("skill {sum:+.3f}", sum=skill[-1]), "--skill", _points(skill, low, high)),
        _Line(tr("luck {sum:+.3f}", sum=luck[-1]), "--luck", _points(luck, low, high), "6 4"),
    ]
    skill_key, luck_key = (line.key for line in lines)
    caption = tr("{skill} {luck} summed up in logarithms", skill=skill_key, luck=luck_key)
    title = tr("Sums of skill and luck in logarithms")
    zero = [(0.0, _points([0.0], low, high)[0][1]), (_WIDTH, _points([0.0], low, high)[0][1])]
    lines = [_Line("", "--line", zero), *lines]
    return _chart(title, caption, lines, [], (f"{high:+.3f}", f"{low:+.3f}"), _span_of(one))


def _points(values: Sequence[float], low: float, high: float) -> list[Point]:
    last = max(1, len(values) - 1)
    return [
        (_WIDTH * i / last, _HEIGHT * (high - value) / (high - low))
        for i, value in enumerate(values)
    ]


def _mark_at(point: Point, grade: Grade, number: int) -> str:
    left, top = 100 * point[0] / _WIDTH, 100 * point[1] / _HEIGHT
    tip = tr("move {number:,}: {grade}", number=number, grade=grade_word(grade))
    return (
        f'<span class="mark {grade.value}" style="left: {left:.2f}%; top: {top:.1f}%" '
        f'title="{escape(tip)}">{MARKS[grade]}</span>'
    )


def _chart(
    title: str,
    caption: str,
    lines: Sequence[_Line],
    marks: Sequence[str],
    scale: tuple[str, str],
    span: tuple[int, int],
) -> str:
    first = tr("move {number:,}", number=span[0])
    return "\n".join(
        [
            f"<figure><figcaption>{caption}</figcaption>",
            f'<div class="chart"><div class="plot" role="img" aria-label="{title}">',
            f'<svg viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" preserveAspectRatio="none">',
            *(line.drawn for line in lines),
            "</svg>",
            *marks,
            f'</div><div class="scale"><span>{scale[0]}</span><span>{scale[1]}</span></div>',
            f'<div class="span"><span>{first}</span><span>{span[1]:,}</span></div>',
            "</div></figure>",
        ]
    )


STYLE = """
:root { color-scheme: light dark; --ground: #fbfaf8; --card: #ffffff; --text: #23211e;
  --muted: #6a655d; --line: #dcd7cf; --rate: #1f6f8b; --skill: #b0422c; --luck: #6b4fa0;
  --cell: #f1ebe1; --tile: #efa85e; --empty: #f8f6f2; --good: #2f7d4f; --warn: #9a6700;
  --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ground: #191a1c; --card: #222427; --text: #e9e6e1;
  --muted: #a39d93; --line: #3a3d41; --rate: #6cc0dc; --skill: #f08a72; --luck: #b49cf0;
  --cell: #34373b; --tile: #80501f; --empty: #27292c; --good: #6fcf97; --warn: #e3b341;
  --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100%; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 .3rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0; }
h3 { font-size: .8rem; font-weight: normal; color: var(--muted); margin: 1.2rem 0 .2rem; }
.muted { color: var(--muted); } p { margin: .2rem 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 1rem 1.2rem; margin-top: 1rem; scroll-margin-top: 1rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.2rem, 1fr));
  gap: .6rem 1rem; margin: .9rem 0; }
dt { color: var(--muted); font-size: .8rem; } dd { margin: 0; font-variant-numeric: tabular-nums; }
.two { grid-column: span 2; }
.wide { overflow-x: auto; margin: 0 -.6rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
th, td { text-align: right; padding: .35rem .6rem; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
th { color: var(--muted); font-weight: normal; font-size: .8rem; }
th:first-child, td:first-child, .text { text-align: left; }
td.text { white-space: normal; min-width: 9rem; }
a { color: inherit; text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--rate); outline-offset: 2px; }
.counts span { white-space: nowrap; margin-right: .6rem; }
figure { margin: 1.1rem 0 0; }
figcaption, .scale, .span { color: var(--muted); font-size: .8rem; }
figcaption > span { white-space: nowrap; margin-right: .8rem; }
.key { display: inline-block; width: 24px; height: 8px; margin-right: .35rem; }
.chart { display: grid; grid-template-columns: 1fr 4.6rem; gap: .2rem .6rem; margin-top: .5rem; }
.plot { position: relative; height: 8rem; }
.plot svg { position: absolute; width: 100%; height: 100%; overflow: visible; }
polyline, .key path { fill: none; stroke-width: 1.75; stroke-linejoin: round;
  vector-effect: non-scaling-stroke; }
.mark { position: absolute; transform: translate(-50%, -50%); line-height: 1; font-size: .85rem;
  text-shadow: 0 0 3px var(--card), 0 0 3px var(--card); cursor: default; }
.scale { display: flex; flex-direction: column; justify-content: space-between; line-height: 1;
  font-variant-numeric: tabular-nums; }
.span { display: flex; justify-content: space-between; }
ul { padding-left: 1.2rem; margin: .4rem 0; }
.worst { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.4rem, 1fr));
  gap: 1rem 1.1rem; font-size: .87rem; }
.worst > div { break-inside: avoid; }
.board { display: block; width: 100%; max-width: 11rem; margin: .4rem 0; }
.board rect { fill: var(--cell); fill: color-mix(in srgb, var(--tile) var(--by), var(--cell)); }
.board .e { fill: var(--empty); }
.board text { fill: var(--text); text-anchor: middle; dominant-baseline: central; }
footer { color: var(--muted); font-size: .8rem; margin-top: 1.5rem; }
.perfect, .excellent, .good { color: var(--good); }
.inaccurate, .mistake { color: var(--warn); } .blunder, .disaster { color: var(--bad); }
.problem { color: var(--warn); }
@media (max-width: 34rem) { main { padding: 1rem .6rem 3rem; } section { padding: .9rem .8rem; }
  .plot { height: 7rem; } td.text { white-space: nowrap; }
  .wide { margin: 0 -.4rem; } th, td { padding: .35rem .4rem; } }
@media print { body { background: none; }
  main { max-width: none; padding: 0; } section { border: 0; padding: 0; }
  h2, h3, figcaption { break-after: avoid; } figure, tr { break-inside: avoid; }
  .wide { overflow: visible; } a { text-decoration: none; }
  svg, .mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""

N_WORST_SHOWN = 6
"""Of each part, where the game has more than one."""
_ARROWS = dict(enumerate("\u2190\u2192\u2191\u2193"))


def to_html(file: AnalyzedFile) -> str:
    report = file.report
    facts = facts_of_data(to_json(file))
    parts = [*_head(file)]
    if report.segments or facts.is_whole:
        parts += _game(facts, with_worst=facts.is_whole or len(report.segments) > 1)
    if report.segments:
        parts += _overview(report.segments)
    elif not facts.is_whole:
        text = escape(tr("No table covers a part of this game."))
        parts.append(f"<section><p>{text}</p></section>")
    n_worst = N_WORST_SHOWN if len(report.segments) > 1 else N_WORST
    for i, one in enumerate(report.segments, 1):
        parts += _segment(i, one, n_worst)
    return _page(file.name, parts)


def game_page(facts: GameFacts) -> str:
    text = mark("{moves:,} moves, {points:,} points, largest tile {tile}.")
    sizes = tr(text, moves=facts.n_moves, points=facts.points, tile=facts.largest_tile)
    return _page(facts.name, [f'<p class="muted">{escape(sizes)}</p>', *_game(facts)])


def _page(name: str, parts: Iterable[str]) -> str:
    shown = escape(name)
    title = tr("{name}: analysis", name=shown)
    made = tr("Made by Endgame 2048 {version}", version=program_version()).strip()
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{in_force().replace("_", "-")}"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style></head><body><main>",
            f"<h1>{shown}</h1>",
            *parts,
            f"<footer>{escape(made)}</footer></main></body></html>",
            "",
        ]
    )


def _game(facts: GameFacts, with_worst: bool = True) -> Iterator[str]:
    title = escape(tr("The whole game"))
    yield f"<section><h2>{title}</h2><dl>"
    yield _figure(tr(PERFECT_MOVES), perfect_text(facts.counts))
    if facts.is_whole:  # a product of tens of thousands of estimates means nothing
        yield _figure(tr("Lost per move"), points_text(facts.mean_loss), "two")
    else:
        yield _figure(tr(POINTS_LOST), points_text(facts.points_lost))
        yield _figure(tr("Luck"), luck_text(facts.points_of_luck))
    yield _figure(tr("Longest streak"), f"{facts.longest_streak:,}")
    if not facts.is_whole:
        yield _figure(tr(CHANCE_KEPT), match_text(facts.match_rate))
    if facts.tables:
        yield _figure(tr("Tables"), escape(listed(facts.tables)), "two")
    yield '</dl><p class="counts">' + " ".join(_counts(facts.counts)) + "</p>"
    yield game_figure(facts)
    phases, moments = map(phase_line, facts.phases), map(moment_line, facts.moments)
    for title, lines in ((tr("Phases"), [*phases]), (tr("What decided it"), [*moments])):
        if lines:
            yield f"<h3>{escape(title)}</h3><ul>"
            yield from (f"<li>{escape(line)}</li>" for line in lines)
            yield "</ul>"
    yield from _costliest(facts.worst if with_worst else ())
    yield "</section>"


def _head(file: AnalyzedFile) -> Iterator[str]:
    report = file.report
    facts = tr(
        "{format}, {moves:,} moves, {points:,} points, largest tile {tile}. {covered:,} positions "
        "covered by {tables}.",
        format=tr(FORMAT_WORDS.get(file.format, file.format)),
        moves=report.n_moves,
        points=report.points,
        tile=file.largest_tile,
        covered=report.n_covered,
        tables=listed(report.tables) or tr("no table"),
    )
    yield f'<p class="muted">{escape(facts)}</p>'
    if report.n_short:
        short = trn(
            "{n} shorter segment is not listed.",
            "{n} shorter segments are not listed.",
            report.n_short,
        )
        yield f'<p class="muted">{escape(short)}</p>'
    problems = list(report.problems)
    if not report.is_complete:
        problems.insert(0, tr("Canceled after {n:,} positions.", n=report.n_positions))
    for problem in problems:
        yield f'<p class="problem">{escape(problem)}</p>'


def _overview(segments: Iterable[SegmentReport]) -> Iterator[str]:
    # Elements that scroll sideways on a narrow screen can be focused by keyboard.
    name = escape(tr("All parts"))
    yield f"<section><h2>{name}</h2>"
    yield f'<div class="wide" tabindex="0" role="region" aria-label="{name}"><table><tr>'
    for head in (
        tr("Table"),
        tr("Moves"),
        tr("Success"),
        tr(PERFECT_MOVES),
        tr(POINTS_LOST),
        tr("Luck"),
    ):
        yield f'<th scope="col">{escape(head)}</th>'
    end = escape(trc("report", "End"))
    yield f'<th scope="col" class="text">{end}</th></tr>'
    for i, one in enumerate(segments, 1):
        yield (
            f'<tr><td><a href="#s{i}">{escape(one.segment.table)}</a></td>'
            f"<td>{one.segment.first + 1:,}\u2013{one.segment.first + len(one.moves):,}</td>"
            f"<td>{_rates(one)}</td><td>{perfect_text(one.score.counts)}</td>"
            f"<td>{_points_figure(one.fortune.points_lost)}</td>"
            f'<td>{luck_text(one.fortune.points_of_luck)}</td><td class="text">'
            f"{escape(tr(one.segment.end.value))}</td></tr>"
        )
    yield "</table></div></section>"


def _segment(i: int, one: SegmentReport, n_worst: int) -> Iterator[str]:
    segment, score, fortune = one.segment, one.score, one.fortune
    beside = listed(map(str, large_tiles(one)))
    text = mark("{table}, moves {first:,} to {last:,}")
    title = tr(
        text, table=segment.table, first=segment.first + 1, last=segment.first + len(one.moves)
    )
    end = tr("{sentence}.", sentence=tr(END_TITLES[segment.end]))
    about = sentences(tr("Beside {tiles}.", tiles=beside) if beside else "", end)
    yield f'<section id="s{i}"><h2>{escape(title)}</h2>'
    yield f'<p class="muted">{escape(about)}</p><dl>'
    yield _figure(tr("Success"), _rates(one), "two")
    yield _figure(tr(PERFECT_MOVES), perfect_text(score.counts))
    yield _figure(tr(POINTS_LOST), points_text(fortune.points_lost))
    yield _figure(tr("Luck"), luck_text(fortune.points_of_luck))
    yield _figure(tr("Longest streak"), str(score.longest_combo))
    yield _figure(tr(CHANCE_KEPT), match_text(score.match_rate))
    if one.median_ms is not None:
        yield _figure(tr("Median time"), span_text(one.median_ms / 1000, tenths=True))
    yield '</dl><p class="counts">' + " ".join(_counts(score.counts)) + "</p>"
    yield rate_figure(one)
    yield sums_figure(one)
    yield from _costliest(
        costly(move.number, move.position.cells, move.judgement)
        for move in one.worst[:n_worst]
        if move.judgement
    )
    yield "</section>"


def _costliest(moves: Iterable[CostlyMove]) -> Iterator[str]:
    if shown := [*map(_worst, moves)]:
        heading = escape(tr("What cost most"))
        yield f'<h3>{heading}</h3><div class="worst">'
        yield from shown
        yield "</div>"


def _counts(counts: Sequence[int]) -> Iterator[str]:
    for grade, n in zip(GRADES, counts, strict=True):
        if n:
            text = f"{MARKS[grade]} {grade_count(grade, n, f'{n:,}').replace(' ', '&nbsp;')}"
            yield f'<span class="{grade.value}">{text}</span>'


def _worst(move: CostlyMove) -> str:
    best_rate, rate = rate_texts((move.best_rate, move.rate))
    lost = loss_text(move.rate, move.best_rate)
    number = tr("Move {number:,}", number=move.number)
    played = tr("{move}: {rate}", move=_arrow(move.direction), rate=_unbroken(rate))
    text = mark("Best {moves}: {rate}")
    best = tr(text, moves=any_of([*map(_arrow, move.best)]), rate=_unbroken(best_rate))
    loss = tr("{loss} lost", loss=lost)
    return (
        f'<div><p class="{move.grade.value}">{MARKS[move.grade]} {grade_word(move.grade)}</p>'
        f"<p>{number}</p>{_board(move.cells)}<p>{played}</p>"
        f'<p class="muted">{best}</p><p class="muted">{loss}</p></div>'
    )


def _arrow(direction: int) -> str:
    return f"{_ARROWS[direction]}&nbsp;{move_word(direction)}"


def _points_figure(difference: float) -> str:
    if 0 < abs(difference) * 100 < MIN_POINTS:
        return f"&lt;{MIN_POINTS:g}"
    return points_figure(difference)


def _unbroken(text: str) -> str:
    return text.replace(" ", "&nbsp;")


def _board(cells: Sequence[int]) -> str:
    rows = [cells[at : at + 4] for at in range(0, 16, 4)]
    empty = tr("empty")
    read = "; ".join(" ".join(str(1 << e) if e else empty for e in row) for row in rows)
    name = escape(tr("Board: {tiles}", tiles=read))
    tiles = "".join(_tile(cell, exponent) for cell, exponent in enumerate(cells))
    return f'<svg class="board" viewBox="0 0 104 104" role="img" aria-label="{name}">{tiles}</svg>'


def _tile(cell: int, exponent: int) -> str:
    top, left = (27 * at for at in divmod(cell, 4))
    square = f'<rect x="{left}" y="{top}" width="23" height="23" rx="2.4"'
    if not exponent:
        return f'{square} class="e"/>'
    label = str(1 << exponent)
    warmth, size = min(100, 7 * (exponent - 1)), min(11.0, 38 / (len(label) + 0.3))
    middle = f'x="{left + 11.5}" y="{top + 11.5}"'
    figure = f'<text {middle} font-size="{size:.1f}">{label}</text>'
    return f'{square} style="--by: {warmth}%"/>{figure}'  # no text


def _rates(one: SegmentReport) -> str:
    return f"{rate_text(one.fortune.start)} \u2192 {rate_text(one.fortune.end)}"


def _figure(name: str, value: str, kind: str = "") -> str:
    place = f' class="{kind}"' if kind else ""
    return f"<div{place}><dt>{name}</dt><dd>{value}</dd></div>"
