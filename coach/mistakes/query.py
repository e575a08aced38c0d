"""Queries for mistakes: filters and order in Python, translated to SQL."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from coach.grading.grade import GRADES, Grade
from coach.grading.position import canonical_turn
from coach.mistakes.mistake import TableKey, microseconds
from engine.bitboard import DIRECTIONS, N_CELLS, format_board, parse_board
from engine.geometry import MODES
from engine.platform.errors import InvalidBoardError

_BEST = ", ".join(f"coalesce(rate_{way}, 0)" for way in DIRECTIONS)
_LOST = f"worst_loss * coalesce(nullif(max({_BEST}), 0), 1)"  # no text
"""The worst loss as a difference of two rates; as a share where there are no rates."""
SORTS = {
    "last": "last",
    "first": "first",
    "table": "table_name {way}, spawn4",  # no text
    "board": "board",
    "grade": "grade {way}, worst_loss",  # no text
    "loss": "total_loss",
    "worst": "worst_loss",
    "points": _LOST,
    "count": "count - n_wrong",  # no text
    "due": "retired IS NOT NULL {way}, due",
}
"""The sort keys."""

_CHUNK = 500  # SQLite allows about a thousand values in one statement, or more


@dataclass(frozen=True)
class Query:
    """The filter; all conditions must hold."""

    key: TableKey | None = None  # the table, None for any
    # Time it was last made, in UTC: from `since`, before `until`.
    since: datetime | None = None
    until: datetime | None = None
    min_loss: float = 0.0  # lower limit of its worst loss, a difference of two rates
    grades: frozenset[Grade] = frozenset()  # grades of the worst attempt; empty for all
    # 16 hex digits in any orientation, or some of them in the stored orientation; "" for any.
    board: str = ""
    tag: str = ""  # "" for any
    state: str = "all"  # "all", "due" (now), "learning" (in repetition) or "retired"
    now: datetime | None = None  # the time that "due" refers to; only needed for that state
    sort: str = "last"  # one of `SORTS`
    descending: bool = True


ALL = Query()


def selection(query: Query) -> tuple[str, list[object]]:
    """Return the SQL that selects a query's ids, and its values; errors as `searched_digits`."""
    where = [*_simple_conditions(query), *_board_conditions(query.board)]
    way = "DESC" if query.descending else "ASC"
    order = SORTS[query.sort].format(way=way)
    condition = " AND ".join(text for text, _ in where) or "1"
    values = [value for _, some in where for value in some]
    return f"SELECT id FROM mistake WHERE {condition} ORDER BY {order} {way}, id {way}", values


def _simple_conditions(query: Query) -> Iterator[tuple[str, list[object]]]:
    if query.key:
        yield "table_name = ? AND spawn4 = ?", [*query.key]
    if query.since:
        yield "last >= ?", [microseconds(query.since)]
    if query.until:
        yield "last < ?", [microseconds(query.until)]
    if query.min_loss > 0:
        yield f"{_LOST} >= ?", [query.min_loss]
    if query.grades:
        marks = ",".join("?" * len(query.grades))
        yield f"grade IN ({marks})", [GRADES.index(grade) for grade in query.grades]
    if query.tag:
        yield "id IN (SELECT mistake_id FROM mistake_tag WHERE name = ?)", [query.tag]
    if query.state == "due" and query.now:
        yield "retired IS NULL AND due <= ?", [microseconds(query.now)]
    elif query.state == "learning":
        yield "retired IS NULL", []
    elif query.state == "retired":
        yield "retired IS NOT NULL", []


def _board_conditions(text: str) -> Iterator[tuple[str, list[object]]]:
    digits = searched_digits(text)
    if not digits:
        return
    if len(digits) >= N_CELLS:
        board = parse_board(text)
        forms = {mode: format_board(canonical_turn(board, mode).board) for mode in MODES}
        either = " OR ".join(["(board = ? AND symmetry = ?)"] * len(forms))
        yield f"({either})", [text for mode, form in forms.items() for text in (form, mode)]
        return
    yield "board LIKE ?", [f"%{digits}%"]


def searched_digits(text: str) -> str:
    """Return the hex digits of a position, or part of one, from search text.

    InvalidBoardError: there are other characters, or too many digits.
    """
    digits = "".join(text.split()).replace("_", "").lower().removeprefix("0x")
    if len(digits) >= N_CELLS:
        return format_board(parse_board(text))
    if set(digits) - set("0123456789abcdef"):
        raise InvalidBoardError(
            "{text!r} is not a part of a position: expected up to 16 hexadecimal digits, "
            "row by row from the top left",
            text=text.strip(),
        )
    return digits


def in_chunks(ids: Iterable[int]) -> Iterator[tuple[list[int], str]]:
    """Yield ids in lists short enough for one statement, each with as many question marks."""
    rest = iter(ids)
    while chunk := list(islice(rest, _CHUNK)):
        yield chunk, ",".join("?" * len(chunk))
