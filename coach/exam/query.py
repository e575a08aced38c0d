"""A query for finished tests: by table, formation, date or start."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from coach.mistakes.mistake import microseconds
from coach.mistakes.query import searched_digits
from coach.play.rules import ExamGoal
from engine.bitboard import N_CELLS, format_board, parse_board
from engine.symmetry import images


@dataclass(frozen=True)
class ExamQuery:
    """The filter; all conditions must hold."""

    table: str = ""  # such as "L3_512"; "" for any
    formation: str = ""  # such as "L3": its tables of all targets; "" for any
    since: datetime | None = None  # earliest time at which the test ended
    # The start: 16 hex digits in any orientation, or some consecutive digits in the test's own
    # orientation; "" for any.
    start: str = ""
    # Percentage points that a perfect move could lose; None for any.
    perfect_within: float | None = None
    goal: ExamGoal | None = None  # None for any
    leaves_out_abandoned: bool = False  # whether tests that were given up are left out


ALL_TESTS = ExamQuery()


def formation_of(table: str) -> str:
    return table.rpartition("_")[0]


def condition(query: ExamQuery) -> tuple[str, list[object]]:
    """Return the SQL condition for a query, and its values; InvalidBoardError for its start."""
    where = list(_conditions(query))
    text = " AND ".join(one for one, _ in where) or "1"
    return text, [value for _, some in where for value in some]


def _conditions(query: ExamQuery) -> Iterator[tuple[str, list[object]]]:
    if query.table:
        yield "table_name = ?", [query.table]
    if query.formation:
        head = f"{query.formation}_"  # followed by nothing but the target
        yield (
            "substr(table_name, 1, ?) = ? AND instr(substr(table_name, ?), '_') = 0",
            [len(head), head, len(head) + 1],
        )
    if query.since:
        yield "ended >= ?", [microseconds(query.since.replace(microsecond=0))]
    if query.perfect_within is not None:
        yield "perfect_within = ?", [query.perfect_within]
    if query.goal is not None:
        yield "goal_moves = ?", [query.goal.moves]
        yield "ends_at_miss = ?", [query.goal.ends_at_miss]
    if query.leaves_out_abandoned:
        yield "outcome != ''", []
    digits = searched_digits(query.start)
    if len(digits) >= N_CELLS:
        turned = sorted(set(images(parse_board(query.start), "full")))
        marks = ",".join("?" * len(turned))
        yield f"start IN ({marks})", [format_board(board) for board in turned]
    elif digits:
        yield "start LIKE ?", [f"%{digits}%"]
