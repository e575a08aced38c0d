"""Which finished tests to list: by table, by formation, by date, by where they began."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone

from coach.exam.goal import Goal
from coach.mistakes.query import searched_digits
from engine.bitboard import N_CELLS, format_board, parse_board
from engine.symmetry import images


@dataclass(frozen=True)
class TestQuery:
    """What to look for; everything must hold.

    Attributes
    ----------
    table : str
        Such as "L3_512"; "" for any.
    formation : str
        Such as "L3": its tables of all targets; "" for any.
    since : datetime or None
        When it was over at the earliest.
    start : str
        The position it began at: 16 hex digits in any orientation, or some of the digits in a row
        as the test had them; "" for any.
    perfect_within : float or None
        How many points a perfect move could lose; None for any.
    goal : Goal or None
        None for any.
    """

    __test__ = False  # its name looks like one to pytest

    table: str = ""
    formation: str = ""
    since: datetime | None = None
    start: str = ""
    perfect_within: float | None = None
    goal: Goal | None = None


ALL_TESTS = TestQuery()


def formation_of(table: str) -> str:
    """Return the formation of a table by its name.

    Examples
    --------
    >>> formation_of("L3_512"), formation_of("free_9w_256")
    ('L3', 'free_9w')
    """
    return table.rpartition("_")[0]


def condition(query: TestQuery) -> tuple[str, list[object]]:
    """Return the SQL that holds for the tests of a query, and its values.

    Raises
    ------
    InvalidBoardError
        `query.start` has characters that are not hex digits, or too many.
    """
    where = list(_conditions(query))
    text = " AND ".join(one for one, _ in where) or "1"
    return text, [value for _, some in where for value in some]


def _conditions(query: TestQuery) -> Iterator[tuple[str, list[object]]]:
    if query.table:
        yield "name = ?", [query.table]
    if query.formation:
        head = f"{query.formation}_"  # and nothing but the target after it
        yield (
            "substr(name, 1, ?) = ? AND instr(substr(name, ?), '_') = 0",
            [len(head), head, len(head) + 1],
        )
    if query.since:
        since = query.since.astimezone(timezone.utc).replace(microsecond=0)
        yield "ended >= ?", [since.isoformat()]  # as it is written, so that texts compare
    if query.perfect_within is not None:
        yield "perfect_within = ?", [query.perfect_within]
    if query.goal is not None:
        yield "goal_moves = ?", [query.goal.moves]
        yield "ends_at_miss = ?", [query.goal.ends_at_miss]
    digits = searched_digits(query.start)
    if len(digits) >= N_CELLS:
        turned = sorted(set(images(parse_board(query.start), "full")))
        marks = ",".join("?" * len(turned))
        yield f"start IN ({marks})", [format_board(board) for board in turned]
    elif digits:
        yield "start LIKE ?", [f"%{digits}%"]
