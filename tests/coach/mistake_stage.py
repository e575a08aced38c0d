"""Positions with rates and moves on them, for the tests about mistakes."""

from datetime import datetime, timedelta, timezone

from coach.grading.grade import Tolerance, judge
from coach.mistakes.mistake import NotedMove, TableKey
from coach.mistakes.mistakes import Mistakes

START = datetime(2026, 3, 1, 12, 0, tzinfo=timezone.utc)
BOARD = 0x1230_0000_0000_0000
RATES = (0.9, 0.81, 0.45, None)  # right keeps 90 %, up half; down cannot be made
LEFT, RIGHT, UP, DOWN = range(4)
_JUDGED = judge(RATES, RIGHT, Tolerance(1e-12))
assert _JUDGED is not None
NOTED = NotedMove(TableKey("L3_256", 0.1), BOARD, _JUDGED, RATES, START, "game", 1, "full")


def after(days: float) -> datetime:
    return START + timedelta(days=days)


def note(
    mistakes: Mistakes,
    board: int = BOARD,
    direction: int = RIGHT,
    rates: tuple[float | None, ...] = RATES,
    days: float = 0,
    table: str = "L3_256",
    spawn4: float = 0.1,
    source: str = "game",
    move: int = 1,
    symmetry: str = "full",
) -> int | None:
    judgement = judge(rates, direction, Tolerance(1e-12))
    assert judgement is not None
    key = TableKey(table, spawn4)
    return mistakes.note(
        NotedMove(key, board, judgement, rates, after(days), source, move, symmetry)
    )


def noted(mistakes: Mistakes, **fields: object) -> int:
    mistake_id = note(mistakes, **fields)  # type: ignore[arg-type]
    assert mistake_id is not None
    return mistake_id


def dump(mistakes: Mistakes) -> dict[str, list[tuple[object, ...]]]:
    names = ("mistake", "mistake_attempt", "mistake_answer", "mistake_tag")
    return {
        name: [tuple(row) for row in mistakes.connection.execute(f"SELECT * FROM {name}")]
        for name in names
    }
