"""What an analysis found, as one HTML page that needs nothing else: no scripts, no other files.

It follows the reader's choice of light or dark. Whatever comes from a file is escaped.
"""

from collections.abc import Iterable, Iterator
from html import escape

from engine.bitboard import DIRECTIONS
from engine.wording import rate_text, span_text
from tablebase.coach.analysis_data import FORMAT_WORDS, AnalyzedFile, large_tiles
from tablebase.coach.analysis_svg import rate_chart, sums_chart
from tablebase.coach.analysis_text import luck_text, points_text
from tablebase.coach.analyze import GradedMove, SegmentReport, points_lost
from tablebase.coach.grade import GRADES, Grade

N_WORST_SHOWN = 6
MARKS = dict(zip(GRADES, "\u2605\u2713\u25cf\u25b2\u25a0\u2715\u25c6", strict=True))
"""A sign for each grade, so that colour is never the only one."""

_ARROWS = dict(enumerate("\u2190\u2192\u2191\u2193"))

_STYLE = """
:root { color-scheme: light dark; --ground: #fbfaf8; --card: #ffffff; --text: #23211e;
  --muted: #6a655d; --line: #dcd7cf; --rate: #1f6f8b; --skill: #b0422c; --luck: #6b4fa0;
  --cell: #eeeae3; --empty: #f6f4f0; --good: #2f7d4f; --warn: #9a6700; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ground: #191a1c; --card: #222427; --text: #e9e6e1;
  --muted: #a39d93; --line: #3a3d41; --rate: #6cc0dc; --skill: #f08a72; --luck: #b49cf0;
  --cell: #33363a; --empty: #27292c; --good: #6fcf97; --warn: #e3b341; --bad: #ff8a80; } }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.4rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0; }
.muted { color: var(--muted); } p { margin: .2rem 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 1rem; margin-top: 1rem; }
dl { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: .8rem 0; }
dt { color: var(--muted); font-size: .8rem; } dd { margin: 0; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
th, td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid var(--line); }
th { color: var(--muted); font-weight: normal; font-size: .8rem; }
th:first-child, td:first-child, .text { text-align: left; }
a { color: inherit; } :focus-visible { outline: 2px solid var(--rate); outline-offset: 2px; }
svg { display: block; width: 100%; height: auto; margin-top: .5rem; }
svg text { fill: var(--muted); font-size: 11px; }
.worst { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1rem; }
.board { display: grid; grid-template-columns: repeat(4, 1fr); gap: 3px; margin: .4rem 0;
  max-width: 11rem; }
.board span { background: var(--cell); border-radius: 4px; aspect-ratio: 1; display: grid;
  place-items: center; font-size: .75rem; } .board .e { background: var(--empty); }
.perfect, .excellent, .good { color: var(--good); }
.inaccurate, .mistake { color: var(--warn); } .blunder, .disaster { color: var(--bad); }
.problem { color: var(--warn); }
"""


def to_html(file: AnalyzedFile) -> str:
    """Return the page."""
    report, name = file.report, escape(file.name)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{name}: analysis</title><style>{_STYLE}</style></head><body><main>",
        f"<h1>{name}</h1>",
        *_head(file),
    ]
    if report.segments:
        parts += _overview(report.segments)
    else:
        parts.append("<section><p>No table covers a part of this game.</p></section>")
    for i, one in enumerate(report.segments, 1):
        parts += _segment(i, one)
    return "\n".join([*parts, "</main></body></html>", ""])


def _head(file: AnalyzedFile) -> Iterator[str]:
    report = file.report
    what = FORMAT_WORDS.get(file.format, file.format)
    yield (
        f'<p class="muted">{escape(what)}, {report.n_moves:,} moves, {report.points:,} points, '
        f"largest tile {file.largest_tile}. {report.n_covered:,} positions covered by "
        f"{escape(', '.join(report.tables)) or 'no table'}.</p>"
    )
    if report.n_short:
        yield f'<p class="muted">{report.n_short} shorter segments are not told.</p>'
    if not report.is_complete:
        yield f'<p class="problem">Cancelled after {report.n_positions:,} positions.</p>'
    for problem in report.problems:
        yield f'<p class="problem">{escape(problem)}</p>'


def _overview(segments: Iterable[SegmentReport]) -> Iterator[str]:
    # What scrolls sideways on a narrow screen can be reached by the keyboard.
    yield '<section><div class="wide" tabindex="0" role="region" aria-label="All parts"><table><tr>'
    for head in ("Table", "Moves", "Success", "Match rate", "Points lost", "Luck"):
        yield f'<th scope="col">{head}</th>'
    yield '<th scope="col" class="text">End</th></tr>'
    for i, one in enumerate(segments, 1):
        yield (
            f'<tr><td><a href="#s{i}">{escape(one.segment.table)}</a></td>'
            f"<td>{one.segment.first + 1:,}\u2013{one.segment.first + len(one.moves):,}</td>"
            f"<td>{_rates(one)}</td><td>{one.score.match_rate:.4f}</td>"
            f"<td>{points_text(one.fortune.points_lost)}</td>"
            f'<td>{luck_text(one.fortune.luck)}</td><td class="text">'
            f"{escape(one.segment.end.value)}</td></tr>"
        )
    yield "</table></div></section>"


def _segment(i: int, one: SegmentReport) -> Iterator[str]:
    segment, score, fortune = one.segment, one.score, one.fortune
    beside = ", ".join(map(str, large_tiles(one)))
    yield f'<section id="s{i}"><h2>{escape(segment.table)}, moves {segment.first + 1:,} to '
    yield f"{segment.first + len(one.moves):,}</h2>"
    yield f'<p class="muted">{f"Beside {beside}. " if beside else ""}'
    yield f"{escape(segment.end.value.capitalize())}.</p><dl>"
    yield _figure("Success", _rates(one))
    yield _figure("Match rate", f"{score.match_rate:.6f}")
    yield _figure("Moves judged", f"{score.n_moves} ({one.n_certain} certain)")
    yield _figure("Longest combo", str(score.longest_combo))
    yield _figure("Lost by moves", points_text(fortune.points_lost))
    yield _figure("Given by new tiles", points_text(fortune.points_of_luck))
    yield _figure("Luck (logarithm)", luck_text(fortune.luck))
    if one.median_ms is not None:
        yield _figure("Median time", span_text(one.median_ms / 1000, tenths=True))
    yield "</dl><p>" + " ".join(_counts(one)) + "</p>"
    yield rate_chart(one)
    yield sums_chart(one)
    if one.worst:
        yield '<div class="worst">'
        yield from map(_worst, one.worst[:N_WORST_SHOWN])
        yield "</div>"
    yield "</section>"


def _counts(one: SegmentReport) -> Iterator[str]:
    for grade in GRADES:
        if n := one.score.count(grade):
            yield f'<span class="{grade.value}">{MARKS[grade]} {n}&nbsp;{grade.value}</span>'


def _worst(move: GradedMove) -> str:
    judgement = move.judgement
    assert judgement is not None
    best = " or ".join(f"{_ARROWS[one]}&nbsp;{DIRECTIONS[one]}" for one in judgement.best)
    return (
        f'<div><p><span class="{judgement.grade.value}">{_mark(judgement.grade)}</span> Move '
        f"{move.number:,}</p>{_board(move)}"
        f"<p>{_ARROWS[judgement.direction]}&nbsp;{DIRECTIONS[judgement.direction]}: "
        f'{rate_text(judgement.rate)}</p><p class="muted">Best {best}: '
        f"{rate_text(judgement.best_rate)}</p>"
        f'<p class="muted">{points_text(points_lost(move))} lost</p></div>'
    )


def _mark(grade: Grade) -> str:
    return f"{MARKS[grade]} {grade.value}"


def _board(move: GradedMove) -> str:
    tiles = (f"<span>{1 << e}</span>" if e else '<span class="e"></span>' for e in _cells(move))
    rows = [_cells(move)[at : at + 4] for at in range(0, 16, 4)]
    read = "; ".join(" ".join(str(1 << e) if e else "empty" for e in row) for row in rows)
    return f'<div class="board" role="img" aria-label="Board: {read}">{"".join(tiles)}</div>'


def _cells(move: GradedMove) -> tuple[int, ...]:
    return move.position.cells


def _rates(one: SegmentReport) -> str:
    return f"{rate_text(one.fortune.start)} \u2192 {rate_text(one.fortune.end)}"


def _figure(name: str, value: str) -> str:
    return f"<div><dt>{name}</dt><dd>{value}</dd></div>"
