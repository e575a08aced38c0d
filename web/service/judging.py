"""Positions to practice on a table: drawn or given, with the rate and grade of each move."""

from typing import Any

from coach.grading.formation_cells import has_reached, locked_cells
from coach.grading.grade import Judgement, Tolerance, judge
from coach.grading.rated import breaking_moves, read
from coach.play.setup import symmetries
from engine.bitboard import DIRECTIONS, format_board
from engine.formats.board_text import read_board
from engine.moves import can_move
from engine.spawn import Rng
from engine.symmetry import transform
from tablebase.errors import ProbeError
from tablebase.probe.reader import Tablebase


def judged_position(
    table: Tablebase, board_text: str | None, seed: int, follows: bool
) -> dict[str, Any]:
    """Return a position with all that practice shows; without a text a start position, by `seed`.

    `follows` says whether the board followed a position of the table.
    """
    rng = Rng(seed)
    if board_text is None:
        names = symmetries(table.formation.walls)
        board = transform(table.start_board(rng), names[rng.below(len(names))])
    else:
        board = read_board(board_text).board
    is_start = board_text is None
    event: dict[str, Any] = {
        "board": format_board(board),
        "table": table.name,
        "spawn4": table.spawn4,
        "walls": table.formation.walls,
        "locked": sorted(locked_cells(board, table.target, table.formation)),
        "moves": dict.fromkeys(DIRECTIONS),
        "best": [],
        "breaking": [],
        "at_least": table.is_limited,
        "end": None,
    }
    if has_reached(board, table.target, table.formation):
        return {**event, "end": "reached"}
    if not can_move(board, table.formation.walls):
        is_outside = table.formation.walls and not table.places(board)  # of other walls
        return {**event, "end": "outside" if is_outside else "no move"}  # no text
    try:
        rated = read(table, board, follows or is_start)
    except ProbeError:
        return {**event, "end": "outside"}
    tolerance = Tolerance.of_type(table.rate)
    unknown = rated.unknown
    best: tuple[int, ...] = ()
    for direction, rate in enumerate(rated.rates):
        judged = judge(rated.rates, direction, tolerance, rated.unknown_rates)
        if judged:
            best = judged.best
        if rate is not None:
            event["moves"][DIRECTIONS[direction]] = {"rate": rate, **_grade_of(judged)}
    breaking = breaking_moves(board, rated.rates, table.formation.walls, unknown)
    rates = [rate for rate in rated.rates if rate is not None]
    if rates and max(rates) <= 0:
        event["end"] = "lost"
    elif not best and not event["at_least"]:
        event["end"] = "outside" if unknown else "no move"  # no text
    return {
        **event,
        "best": [DIRECTIONS[direction] for direction in best],
        "breaking": [DIRECTIONS[direction] for direction in breaking],
    }


def _grade_of(judged: Judgement | None) -> dict[str, Any]:
    return {
        "grade": judged.grade.value if judged else None,
        "ratio": judged.ratio if judged else None,
        "points_lost": judged.points_lost if judged else None,
        "forced": judged is not None and judged.is_forced,
    }
