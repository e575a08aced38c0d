"""The results of an analysis as plain data: for JSON, CSV and Review.

A file of the format ``endgame2048-analysis`` is one JSON object: the record, the tables queried,
and each segment with its totals and every move. Rates are in [0, 1], moves are counted from 1,
tiles are face values, boards are 16 digits (hexadecimal and beyond: g is 65536). The logarithm of
zero, -inf, is null.
"""

import csv
import io
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from coach.analysis.analyze import N_WORST, GameReport, GradedMove, SegmentReport
from coach.grading.grade import GRADES
from engine.bitboard import DIRECTIONS
from engine.formats.replay import Replay, ReplayMove
from engine.platform.language import mark
from engine.saved_game import cells_to_text

FORMAT, VERSION = "endgame2048-analysis", 1
FORMAT_WORDS = {
    "rpl": mark(".rpl recording"),
    "rec": mark(".rec recording"),
    "verse-old": mark("2048verse, older format"),
    "verse-new": "2048verse",
    "2048next": "2048next",
    "history": mark("history of a game"),
}
"""Displayed names of the formats of `engine.formats.reading`; `tr` translates them."""

CSV_HEADS = (
    "table", "segment", "move", "board", "played", *DIRECTIONS, "best", "best_rate", "rate",
    "ratio", "loss", "grade", "forced", "new_tile", "new_tile_cell", "best_rate_after", "luck_log",
    "luck_rate", "ms",
)  # fmt: skip


@dataclass(frozen=True)
class AnalyzedFile:
    """A recorded game and its analysis."""

    name: str  # file name without its folder
    format: str  # as `engine.formats.reading.read_replay` calls it
    report: GameReport
    # Summary of the whole game if search judged it too, as plain data
    # (`coach.whole_game.report.to_json`).
    game: Mapping[str, Any] | None = None

    @property
    def largest_tile(self) -> int:
        replay = self.report.replay
        exponents = [e for e in self.report.final if not (replay.walls and e == 15)]
        return 1 << max(exponents, default=0)


def large_tiles(one: SegmentReport) -> list[int]:
    return [1 << exponent for exponent in one.segment.large]


def to_json(file: AnalyzedFile, *, with_moves: bool = True) -> dict[str, Any]:
    report = file.report
    left_out = () if with_moves else ("chances",)
    game = {name: one for name, one in (file.game or {}).items() if name not in left_out}
    return {
        "format": FORMAT,
        "version": VERSION,
        "file": file.name,
        "recorded_as": file.format,
        "moves": report.n_moves,
        "points": report.points,
        "largest_tile": file.largest_tile,
        "final": cells_to_text(report.final),
        "positions": report.n_positions,
        "covered": report.n_covered,
        "short_segments": report.n_short,
        "tables": list(report.tables),
        "problems": list(report.problems),
        "complete": report.is_complete,
        "segments": [segment_to_json(one, with_moves=with_moves) for one in report.segments],
        **({"game": game} if game else {}),
    }


def segment_to_json(one: SegmentReport, *, with_moves: bool = False) -> dict[str, Any]:
    segment, score, fortune = one.segment, one.score, one.fortune
    found: dict[str, Any] = {
        "table": segment.table,
        "target": segment.target,
        "spawn4": segment.spawn4,
        "large_tiles": large_tiles(one),
        "first_move": segment.first + 1,
        "last_move": segment.first + len(one.moves),
        "end": segment.end.name.lower(),
        "judged": score.n_moves,
        "certain": one.n_certain,
        "match_rate": score.match_rate,
        "longest_combo": score.longest_combo,
        "largest_loss": score.largest_loss,
        "grades": {grade.value: score.count(grade) for grade in GRADES},
        "start_rate": fortune.start,
        "end_rate": fortune.end,
        "skill_log": finite(fortune.skill),
        "luck_log": finite(fortune.luck),
        "difficulty": finite(fortune.difficulty),
        "points_lost": fortune.points_lost,
        "points_of_luck": fortune.points_of_luck,
        "median_ms": one.median_ms,
        "worst": [move_to_json(move) for move in one.worst[:N_WORST]],
    }
    if with_moves:
        found["move_list"] = [move_to_json(move) for move in one.moves]
    return found


def move_to_json(move: GradedMove) -> dict[str, Any]:
    played, judgement, luck = _played(move), move.judgement, move.luck
    found: dict[str, Any] = {
        "move": move.number,
        "board": cells_to_text(move.position.cells),
        "played": DIRECTIONS[played.direction],
        "rates": dict(zip(DIRECTIONS, move.position.rates, strict=True)),
        "new_tile": [played.cell, 1 << played.exponent],
        "ms": played.ms,
        "certain": move.is_certain,
        "leaves_formation": move.leaves,
        "luck_log": finite(luck.log) if luck else None,
        "luck_rate": luck.points if luck else None,
    }
    if judgement:
        found |= {
            "grade": judgement.grade.value,
            "best": [DIRECTIONS[one] for one in judgement.best],
            "ratio": judgement.ratio,
            "loss": judgement.loss,
            "points_lost": judgement.points_lost,
            "forced": judgement.is_forced,
        }
    return found


def to_csv(file: AnalyzedFile) -> str:
    """Return all covered moves as CSV: one row each, with the header `CSV_HEADS`.

    Unknown values are empty. No cell is copied from the recorded file, so none can be a formula.
    """
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(CSV_HEADS)
    for i, one in enumerate(file.report.segments, 1):
        rows.writerows(_csv_rows(i, one))
    return text.getvalue()


def _csv_rows(i: int, one: SegmentReport) -> Iterator[list[object]]:
    for move in one.moves:
        played, judgement, luck, rates = _played(move), move.judgement, move.luck, move.position
        digits = cells_to_text(move.position.cells)
        judged: list[object] = [None] * 4
        if judgement:
            judged = [judgement.ratio, judgement.loss, judgement.grade.value, judgement.is_forced]
        best = [DIRECTIONS[d] for d in judgement.best] if judgement else []
        yield [
            one.segment.table,
            i,
            move.number,
            "_".join(digits[at : at + 4] for at in range(0, 16, 4)),  # 16 digits become a number
            DIRECTIONS[played.direction],
            *rates.rates,
            " ".join(best),
            rates.best_rate,
            rates.rate,
            *judged,
            1 << played.exponent,
            played.cell,
            move.best_after,
            finite(luck.log) if luck else None,
            luck.points if luck else None,
            played.ms,
        ]


def segment_replay(one: SegmentReport) -> Replay:
    """Return a segment as a recorded game of its own, with the rates before each move.

    A last move whose rate is unknown is left out: a recording could not distinguish it from a move
    that loses everything.
    """
    moves: list[ReplayMove] = []
    for move in one.moves:
        if move.position.rate is None:
            break
        played, judgement = _played(move), move.judgement
        is_forced = (
            sum(rate is not None for rate in move.position.rates) == 1
            and move.position.unknown_rates is None
        )
        moves.append(
            ReplayMove(
                played.direction,
                played.cell,
                played.exponent,
                move.position.rates,
                played.ms,
                judgement.is_forced if judgement else is_forced,
            )
        )
    start = one.segment.positions[0].cells
    walls = not one.segment.large and 15 in start
    return Replay(start, tuple(moves), walls=walls, merge_32768=False)


def finite(value: float) -> float | None:
    """Return a number that JSON can hold; None for the logarithm of zero."""
    return value if math.isfinite(value) else None


def _played(move: GradedMove) -> ReplayMove:
    played = move.position.move
    assert played is not None  # a graded move was played
    return played
