"""What an analysis found, as plain text: for a terminal, for a mail. ASCII only."""

import math
from collections.abc import Iterator

from coach.analysis.analyze import GradedMove, SegmentReport
from coach.analysis.data import FORMAT_WORDS, AnalyzedFile, large_tiles
from coach.grading.grade import GRADES
from engine.bitboard import DIRECTIONS
from engine.wording import loss_text, points_text, rate_text, rate_texts, span_text

N_WORST_TOLD = 5


def to_text(file: AnalyzedFile) -> str:
    """Return the whole report, segment by segment, each with its worst moves drawn."""
    parts = ["\n".join(head_lines(file))]
    parts += ["\n".join(_segment_lines(one)) for one in file.report.segments]
    return "\n\n".join(parts) + "\n"


def head_lines(file: AnalyzedFile) -> list[str]:
    """Return what is said of the game as a whole."""
    report = file.report
    n = len(report.segments)
    lines = [
        f"{file.name}: {FORMAT_WORDS.get(file.format, file.format)}, {report.n_moves:,} moves, "
        f"{report.points:,} points, largest tile {file.largest_tile}",
        f"tables asked: {', '.join(report.tables) or 'none'}",
        f"{report.n_covered:,} positions covered, {n} segment{'' if n == 1 else 's'}"
        + (f" ({report.n_short} shorter ones are not told)" if report.n_short else ""),
    ]
    if not report.is_complete:
        lines.append(f"canceled after {report.n_positions:,} positions")
    return lines + [f"note: {problem}" for problem in report.problems]


def segment_line(one: SegmentReport) -> str:
    """Return a segment in one line."""
    segment, score = one.segment, one.score
    return (
        f"{segment.table}  moves {segment.first + 1:,} to {segment.first + len(one.moves):,}  "
        f"{rate_text(one.fortune.start)} -> {rate_text(one.fortune.end)}  "
        f"match rate {score.match_rate:.4f}  luck {luck_text(one.fortune.luck)}  "
        f"{segment.end.value}"
    )


def luck_text(luck: float) -> str:
    """Return luck in logarithms with its sign; bad luck is negative.

    Examples
    --------
    >>> luck_text(0.0312), luck_text(-float("inf"))
    ('+0.0312', 'all lost')
    """
    return f"{luck:+.4f}" if math.isfinite(luck) else "all lost"


def worst_line(move: GradedMove) -> str:
    """Return what a move gave away, in one line; only for moves with a judgement."""
    judgement = move.judgement
    assert judgement is not None
    best_text, text = rate_texts((judgement.best_rate, judgement.rate))
    lost = loss_text(judgement.rate, judgement.best_rate)
    best = " or ".join(DIRECTIONS[one] for one in judgement.best)
    return (
        f"move {move.number:,}: {DIRECTIONS[judgement.direction]} instead of {best}, "
        f"{judgement.grade.value}: {text} of {best_text}, "
        + (f"{lost} lost" if lost else "about equal")
    )


def _segment_lines(one: SegmentReport) -> Iterator[str]:
    segment, score, fortune = one.segment, one.score, one.fortune
    beside = " ".join(map(str, large_tiles(one)))
    yield f"{segment.table}, moves {segment.first + 1:,} to {segment.first + len(one.moves):,}" + (
        f", beside {beside}" if beside else ""
    )
    yield f"  {rate_text(fortune.start)} -> {rate_text(fortune.end)}: {segment.end.value}"
    yield (
        f"  {score.n_moves} moves judged, {one.n_certain} certain; match rate "
        f"{score.match_rate:.6f}, longest combo {score.longest_combo}"
    )
    counts = [f"{grade.value} {score.count(grade)}" for grade in GRADES if score.count(grade)]
    yield f"  {', '.join(counts)}"
    yield (
        f"  moves lost {points_text(fortune.points_lost)}, new tiles gave "
        f"{points_text(fortune.points_of_luck)}; luck {luck_text(fortune.luck)} "
        "(logarithm; below 0 is bad luck)"
    )
    if one.median_ms is not None:
        yield f"  median time of a move: {span_text(one.median_ms / 1000, tenths=True)}"
    for move in one.worst[:N_WORST_TOLD]:
        yield f"  {worst_line(move)}"
        yield from (f"      {line}" for line in board_lines(move))


def board_lines(move: GradedMove) -> list[str]:
    """Return the position before a move as four lines of face values."""
    names = ["." if e == 0 else str(1 << e) for e in move.position.cells]
    width = max(map(len, names))
    return [" ".join(n.rjust(width) for n in names[at : at + 4]) for at in range(0, 16, 4)]
