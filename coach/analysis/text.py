"""The results of an analysis as plain text, for a terminal or an e-mail; pure ASCII in English."""

from collections.abc import Iterator

from coach.analysis.analyze import GameReport, GradedMove, SegmentReport
from coach.analysis.course import game_lines
from coach.analysis.data import FORMAT_WORDS, AnalyzedFile, large_tiles
from coach.grading.grade import GRADES
from coach.grading.names import any_of, grade_word, move_word, score_text
from engine.bitboard import draw_cells
from engine.platform.language import listed, tr, trn
from engine.platform.quantities import (
    MIN_POINTS,
    loss_text,
    match_text,
    points_text,
    rate_text,
    rate_texts,
    span_text,
)

N_WORST_TOLD = 5


def to_text(file: AnalyzedFile) -> str:
    parts = ["\n".join(head_lines(file))]
    if file.game:
        parts.append("\n".join(game_lines(file.game)))
    parts += ["\n".join(_segment_lines(one)) for one in file.report.segments]
    return "\n\n".join(parts) + "\n"


def head_lines(file: AnalyzedFile) -> list[str]:
    report = file.report
    lines = [
        tr(
            "{name}: {format}, {moves:,} moves, {points:,} points, largest tile {tile}",
            name=file.name,
            format=tr(FORMAT_WORDS.get(file.format, file.format)),
            moves=report.n_moves,
            points=report.points,
            tile=file.largest_tile,
        ),
        tr("tables asked: {tables}", tables=listed(report.tables) or tr("none")),
        _coverage_line(report),
    ]
    if not report.is_complete:
        lines.append(tr("canceled after {n:,} positions", n=report.n_positions))
    return lines + [tr("note: {problem}", problem=problem) for problem in report.problems]


def _coverage_line(report: GameReport) -> str:
    n, covered = len(report.segments), report.n_covered
    if not report.n_short:
        return trn(
            "{covered:,} positions covered, {n} segment",
            "{covered:,} positions covered, {n} segments",
            n,
            covered=covered,
        )
    return trn(
        "{covered:,} positions covered, {n} segment ({short} shorter ones are not listed)",
        "{covered:,} positions covered, {n} segments ({short} shorter ones are not listed)",
        n,
        covered=covered,
        short=report.n_short,
    )


def segment_line(one: SegmentReport) -> str:
    segment, score = one.segment, one.score
    return tr(
        "{table}  moves {first:,} to {last:,}  {start} -> {end}  {score}, luck {luck}  {why}",
        table=segment.table,
        first=segment.first + 1,
        last=segment.first + len(one.moves),
        start=rate_text(one.fortune.start),
        end=rate_text(one.fortune.end),
        score=score_text(score, one.fortune.points_lost),
        luck=luck_text(one.fortune.points_of_luck),
        why=tr(segment.end.value),
    )


def luck_text(points: float) -> str:
    """Return what new tiles changed, a difference of rates, with its sign; bad luck is negative.

    >>> luck_text(0.0312), luck_text(-0.53), luck_text(1e-9)
    ('+3.1 points', '-53 points', '0 points')
    """
    if abs(points) * 100 < MIN_POINTS:
        return points_text(0.0)
    return ("+" if points > 0 else "-") + points_text(points)


def worst_line(move: GradedMove) -> str:
    judgement = move.judgement
    assert judgement is not None
    best_text, text = rate_texts((judgement.best_rate, judgement.rate))
    lost = loss_text(judgement.rate, judgement.best_rate)
    return tr(
        "move {number:,}: {played} instead of {best}, {grade}: {rate} of {best_rate}, {loss}",
        number=move.number,
        played=move_word(judgement.direction),
        best=any_of([*map(move_word, judgement.best)]),
        grade=grade_word(judgement.grade),
        rate=text,
        best_rate=best_text,
        loss=tr("{loss} lost", loss=lost),
    )


def _segment_lines(one: SegmentReport) -> Iterator[str]:
    segment, score, fortune = one.segment, one.score, one.fortune
    where = {
        "table": segment.table,
        "first": segment.first + 1,
        "last": segment.first + len(one.moves),
    }
    if beside := " ".join(map(str, large_tiles(one))):
        yield tr("{table}, moves {first:,} to {last:,}, beside {tiles}", tiles=beside, **where)
    else:
        yield tr("{table}, moves {first:,} to {last:,}", **where)
    yield f"  {rate_text(fortune.start)} -> {rate_text(fortune.end)}: {tr(segment.end.value)}"
    summary = tr(
        "{score}; luck {luck}; longest streak {combo}; chance kept {rate}",
        score=score_text(score, fortune.points_lost),
        luck=luck_text(fortune.points_of_luck),
        combo=score.longest_combo,
        rate=match_text(score.match_rate),
    )
    yield f"  {summary}"
    counts = [f"{grade_word(grade)} {score.count(grade)}" for grade in GRADES if score.count(grade)]
    yield f"  {listed(counts)}"
    if one.median_ms is not None:
        span = span_text(one.median_ms / 1000, tenths=True)
        median = tr("median time of a move: {span}", span=span)
        yield f"  {median}"
    for move in one.worst[:N_WORST_TOLD]:
        yield f"  {worst_line(move)}"
        board = draw_cells(move.position.cells, least_width=1)
        yield from (f"      {line}" for line in board.splitlines())
