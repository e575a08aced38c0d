"""Tests played by chance against rates made up from the position."""

import random
from dataclasses import fields
from datetime import datetime, timedelta, timezone
from pathlib import Path

from coach.exam.history import FinishedTest, History, summary_of
from coach.exam.session_file import session_to_json
from coach.mistakes.mistake import microseconds
from coach.play.rules import End
from coach.play.run import Run
from coach.play.setup import Setup
from coach.record.runs import GRADE_COLUMNS
from engine.platform.files.atomic_file import write_file
from tests.oracle import move

START = 0x1000_0000_1FFF_2FFF
STARTED = datetime(2026, 5, 1, 12, 0, tzinfo=timezone.utc)


def setup(**changes: object) -> Setup:
    values: dict[str, object] = {
        "table": "L3_256",
        "target": 256,
        "spawn4": 0.1,
        "rate": "uint32",
        "seed": 7,
        "start": START,
    }
    return Setup(**(values | changes))  # type: ignore[arg-type]


def rates_of(board: int) -> tuple[float | None, ...]:
    """Return rates in (0, 1) for the legal moves, the same ones for the same board."""
    cells = [int(digit, 16) for digit in f"{board:016x}"]
    chance = random.Random(board)
    drawn = [chance.choice((0.9, 0.9, 0.899, 0.5, chance.random())) for _ in range(4)]
    return tuple(
        None if move(cells, d)[0] == cells else round(rate, 6) for d, rate in enumerate(drawn)
    )


def played(n_moves: int, by: int = 0, **changes: object) -> Run:
    session, chance = Run(setup(**changes), STARTED), random.Random(by)
    for _ in range(n_moves):
        rates = rates_of(session.board)
        legal = [d for d in range(4) if rates[d] is not None]
        if not legal:
            break
        session.play(chance.choice(legal), rates, chance.randrange(5000))
    return session


def list_test(history: History, test: FinishedTest) -> None:
    """Put a test on the list of which only the entry is known, as in some old data."""
    names = [field.name for field in fields(FinishedTest)]
    same = set(names) - {"started", "ended", "table", "counts", "seed", "start", "goal"}
    row = {
        "kind": "exam",
        "played": microseconds(test.started),
        "ended": microseconds(test.ended),
        "table_name": test.table,
        "seed": f"{test.seed:016x}",
        "start": f"{test.start:016x}",
        "goal_moves": test.goal.moves,
        "ends_at_miss": test.goal.ends_at_miss,
        **dict(zip(GRADE_COLUMNS, test.counts, strict=True)),
        **{name: getattr(test, name) for name in same},
    }
    with history.writing() as db:
        db.execute("DELETE FROM run WHERE kind = 'exam' AND name = ?", (test.name,))
        history.insert("run", row)


def write_session(path: Path, session: Run) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, [session_to_json(session).encode()])


def finished(number: int, **changes: object) -> FinishedTest:
    session = played(30, by=number, **changes)
    session.finish(End.LOST, STARTED)
    return summary_of(session, f"{number}.json", STARTED + timedelta(hours=number))
