"""What an analysis found, as one HTML page that needs nothing else: no scripts, no other files.

It follows the reader's choice of light or dark. Whatever comes from a file is escaped.
"""

from collections.abc import Iterable, Iterator
from html import escape

from coach.analysis.analyze import GradedMove, SegmentReport, points_lost
from coach.analysis.data import FORMAT_WORDS, AnalyzedFile, large_tiles
from coach.analysis.figure import MARKS, rate_figure, sums_figure
from coach.analysis.style import STYLE
from coach.analysis.text import luck_text, points_text
from coach.grading.grade import GRADES, Grade
from engine.bitboard import DIRECTIONS
from engine.wording import rate_text, span_text

N_WORST_SHOWN = 6
_ARROWS = dict(enumerate("\u2190\u2192\u2191\u2193"))


def to_html(file: AnalyzedFile) -> str:
    """Return the page."""
    report, name = file.report, escape(file.name)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{name}: analysis</title><style>{STYLE}</style></head><body><main>",
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
            f"<td>{_rates(one)}</td><td>{rate_text(one.score.match_rate)}</td>"
            f"<td>{points_text(one.fortune.points_lost).partition(' ')[0]}</td>"
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
    yield _figure("Success", _rates(one), "two")
    yield _figure("Match rate", rate_text(score.match_rate))
    yield _figure("Moves judged", f"{score.n_moves} ({one.n_certain} certain)")
    yield _figure("Longest combo", str(score.longest_combo))
    yield _figure("Lost by moves", points_text(fortune.points_lost))
    yield _figure("Given by new tiles", points_text(fortune.points_of_luck))
    yield _figure("Luck (logarithm)", luck_text(fortune.luck))
    if one.median_ms is not None:
        yield _figure("Median time", span_text(one.median_ms / 1000, tenths=True))
    yield '</dl><p class="counts">' + " ".join(_counts(one)) + "</p>"
    yield rate_figure(one)
    yield sums_figure(one)
    if one.worst:
        yield '<h3>What cost most</h3><div class="worst">'
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
        f'<div><p class="{judgement.grade.value}">{_mark(judgement.grade)}</p>'
        f"<p>Move {move.number:,}</p>{_board(move)}"
        f"<p>{_ARROWS[judgement.direction]}&nbsp;{DIRECTIONS[judgement.direction]}: "
        f'{_rate(judgement.rate)}</p><p class="muted">Best {best}: '
        f"{_rate(judgement.best_rate)}</p>"
        f'<p class="muted">{points_text(points_lost(move))} lost</p></div>'
    )


def _rate(rate: float) -> str:
    """Return a rate that is not torn apart at the end of a line."""
    return rate_text(rate).replace(" ", "&nbsp;")


def _mark(grade: Grade) -> str:
    return f"{MARKS[grade]} {grade.value}"


def _board(move: GradedMove) -> str:
    tiles = (_tile(exponent) for exponent in _cells(move))
    rows = [_cells(move)[at : at + 4] for at in range(0, 16, 4)]
    read = "; ".join(" ".join(str(1 << e) if e else "empty" for e in row) for row in rows)
    return f'<div class="board" role="img" aria-label="Board: {read}">{"".join(tiles)}</div>'


def _tile(exponent: int) -> str:
    """Return a tile, the warmer the larger it is."""
    if not exponent:
        return '<span class="e"></span>'
    return f'<span style="--by: {min(100, 7 * (exponent - 1))}%">{1 << exponent}</span>'


def _cells(move: GradedMove) -> tuple[int, ...]:
    return move.position.cells


def _rates(one: SegmentReport) -> str:
    return f"{rate_text(one.fortune.start)} \u2192 {rate_text(one.fortune.end)}"


def _figure(name: str, value: str, kind: str = "") -> str:
    place = f' class="{kind}"' if kind else ""
    return f"<div{place}><dt>{name}</dt><dd>{value}</dd></div>"
