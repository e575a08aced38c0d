"""Tests as files: one JSON object each.

``{"format": "endgame2048-test", "version": 1, "table": "L3_512", ..., "moves": [...]}``; a move is
``{"move": "left", "cell": 7, "tile": 2, "ms": 812, "rates": [0.99, null, 0.98, null]}``, with
``"retry": true`` where an earlier try was taken back. The rates are those before the move. Grades
and score are not in the file: they are computed from it.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coach.play.run import PlayedMove, Run
from coach.play.setup import PLAIN_FIELDS, Kind
from engine.bitboard import DIRECTIONS, format_board
from engine.platform.errors import AppError
from engine.platform.files.input_file import parse_json, read_bytes
from engine.platform.files.json_struct import as_struct, check_format
from engine.platform.language import tr
from tablebase.formation.goal import goal_of

FORMAT = "endgame2048-test"
VERSION = 1
CURRENT = "current.json"  # the test in play


class SessionFileError(AppError, ValueError):
    """A file that is not a test, or was damaged or edited."""


def file_name(session: Run) -> str:
    """Return the file name of a test: `L3_512_20260501-120000-123.json`."""
    started = f"{session.started:%Y%m%d-%H%M%S-%f}"[:-3]
    return f"{session.setup.table}_{started}.json"


def read_session(path: Path) -> Run:
    """Return the test in a file.

    SessionFileError: it cannot be read, is not a test, was written by a later version, or describes
    an impossible test.
    """
    data = read_bytes(path, tr("a test"), 256 << 20, SessionFileError)
    try:
        return session_from_json(data)
    except SessionFileError as error:
        raise SessionFileError(
            "{path} cannot be used: {reason}", path=path, reason=error
        ) from error


def session_to_json(session: Run) -> str:
    setup = session.setup
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "table": setup.table,
        "target": goal_of(setup.target).json,
        "spawn4": setup.spawn4,
        "rate": setup.rate,
        "seed": setup.seed,
        "start": format_board(setup.start),
        **{name: getattr(setup, name) for name in PLAIN_FIELDS},
        "goal_moves": setup.goal.moves,
        "ends_at_miss": setup.goal.ends_at_miss,
        "started": session.started.isoformat(),
        "ended": session.ended.isoformat() if session.ended else "",
        "end": session.end.value if session.end else "",
        "n_undos": session.n_undos,
    }
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    moves = ",\n".join(json.dumps(move_to_json(move)) for move in session.moves)
    return "{" + ",\n".join(lines) + ',\n"moves": [\n' + moves + "\n]}\n"


def session_from_json(text: str | bytes, kind: Kind = Kind.EXAM) -> Run:
    """Return the test, or the attempt, in JSON; raise SessionFileError if it is invalid."""
    from coach.exam.session_fields import SessionFields

    data = parse_json(text, tr("it"), SessionFileError)
    check_format(data, tr("a test"), FORMAT, VERSION, SessionFileError)
    fields = as_struct(data, SessionFields, SessionFileError)
    try:
        return fields.session(kind)
    except ValueError as error:
        raise SessionFileError(str(error)) from error


def add_move(session: Run, entry: object) -> None:
    from coach.exam.session_fields import MoveFields

    as_struct(entry, MoveFields, SessionFileError).add_to(session)


def move_to_json(move: PlayedMove) -> Mapping[str, Any]:
    entry: dict[str, Any] = {
        "move": DIRECTIONS[move.direction],
        "cell": move.cell,
        "tile": 1 << move.exponent,
        "ms": move.ms,
        "rates": list(move.rates),
    }
    if move.unknown:
        entry["unknown"] = [DIRECTIONS[one] for one in move.unknown]
    return entry | {"retry": True} if move.is_retry else entry
