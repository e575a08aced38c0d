"""Runs as rows of the database, see `coach.record.runs`."""

from collections.abc import Iterable
from sqlite3 import Row
from typing import Any

from coach.mistakes.mistake import mask_of, microseconds, time_of
from coach.play.rules import End, ExamGoal
from coach.play.run import PlayedMove, Run
from coach.play.setup import PLAIN_FIELDS, Kind, Setup
from coach.record.runs import GRADE_COLUMNS, StoredMove
from engine.platform.language import tr
from tablebase.formation.goal import read_goal

_SAME = ("spawn4", "rate", *PLAIN_FIELDS)
"""The columns that are fields of a setup."""

_BOOLEAN = ("walls", "is_given", "allows_undo", "leaves_out_forced")


def row_of(session: Run) -> dict[str, object]:
    """Return the columns of a test, or an attempt at a situation."""
    setup, score = session.setup, session.score
    return {
        "kind": setup.kind.value,
        "played": microseconds(session.started),
        "ended": microseconds(session.ended) if session.ended else None,
        "table_name": setup.table,
        "target": str(setup.target),
        "start": f"{setup.start:016x}",
        "seed": f"{setup.seed:016x}",
        "goal_moves": setup.goal.moves,
        "ends_at_miss": setup.goal.ends_at_miss,
        "outcome": session.end.value if session.end else "",
        "n_moves": session.n_moves,
        "match_rate": score.match_rate,
        **dict(zip(GRADE_COLUMNS, score.counts, strict=True)),
        "n_forced": score.n_forced,
        "longest_combo": score.longest_combo,
        "largest_loss": score.largest_loss,
        "points_lost": session.totals.points_lost,
        "n_undos": session.n_undos,
        "played_ms": session.played_ms,
        **{name: getattr(setup, name) for name in _SAME},
    }


def stored_move(move: PlayedMove) -> StoredMove:
    return StoredMove(
        move.direction,
        move.made if move.made != move.direction else None,
        move.cell,
        move.exponent,
        move.rates if move.judged else None,
        mask_of(move.unknown),
        move.ms,
        move.is_retry,
    )


def run_of(row: Row, moves: Iterable[StoredMove]) -> Run:
    """Return the test or the attempt in rows; raise ValueError or LookupError if it can't be."""
    from tablebase.store.rates import RATE_TYPES  # which loads compressors, late at the start

    target, started, ended = read_goal(row["target"]), time_of(row["played"]), time_of(row["ended"])
    if target is None or started is None or row["rate"].removeprefix("1-") not in RATE_TYPES:
        raise LookupError(tr("its target, its time or the type of its rates is missing"))
    same: dict[str, Any] = {
        name: bool(row[name]) if name in _BOOLEAN else row[name] for name in _SAME
    }
    setup = Setup(
        table=row["table_name"],
        target=target,
        seed=int(row["seed"], 16),
        start=int(row["start"], 16),
        kind=Kind(row["kind"]),
        goal=ExamGoal(row["goal_moves"], bool(row["ends_at_miss"])),
        **same,
    )
    session = Run(setup, started)
    session.n_undos = row["n_undos"]
    for move in moves:
        if move.direction is None or move.cell is None or move.exponent is None:
            raise LookupError(tr("a move is missing"))
        session.add(
            move.direction,
            move.cell,
            move.exponent,
            move.rates,
            move.ms or 0,
            move.is_retry,
            move.unknown_moves,
        )
    if row["outcome"] and ended:
        session.finish(End(row["outcome"]), ended)
    return session
