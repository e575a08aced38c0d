"""Tests as files: one JSON object each.

``{"format": "endgame2048-test", "version": 1, "table": "L3_512", ..., "moves": [...]}``; a move is
``{"move": "left", "cell": 7, "tile": 2, "ms": 812, "rates": [0.99, null, 0.98, null]}``, with
``"retry": true`` where another try was taken back. The rates are those of before the move. Grades
and score are not in the file: they follow from it, by the one rule there is.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coach.exam.session import PlayedMove, Session
from engine.bitboard import DIRECTIONS, format_board
from engine.errors import AppError
from engine.files.atomic_file import write_file
from engine.files.input_file import parse_json, read_bytes
from engine.files.json_struct import as_struct, check_format
from engine.language import tr
from tablebase.formation.goal import goal_of

FORMAT = "endgame2048-test"
VERSION = 1
_MOST_BYTES = 256 << 20
CURRENT = "current.json"  # the test in play


class SessionFileError(AppError, ValueError):
    """A file that is not a test, or is not what was written."""


def file_name(session: Session) -> str:
    """Return what the file of a test is called: `L3_512_20260501-120000-123.json`."""
    started = f"{session.started:%Y%m%d-%H%M%S-%f}"[:-3]
    return f"{session.setup.table}_{started}.json"


def read_session(path: Path) -> Session:
    """Return the test in a file.

    Raises
    ------
    SessionFileError
        It cannot be read, is no test, was written by a later version, or says what cannot be.
    """
    data = read_bytes(path, tr("a test"), _MOST_BYTES, SessionFileError)
    try:
        return session_from_json(data)
    except SessionFileError as error:
        raise SessionFileError(
            tr("{path} cannot be used: {reason}", path=path, reason=error)
        ) from error


def write_session(path: Path, session: Session) -> None:
    """Write a test so that a crash leaves the old file or the new one, never half.

    Raises
    ------
    OSError
        There is no room, or the folder may not be written.
    """
    write_whole(path, session_to_json(session).encode())


def write_whole(path: Path, data: bytes) -> None:
    """Write a file wholly or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, [data])


def session_to_json(session: Session) -> str:
    """Return a test as JSON, a line for each move."""
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
        "walls": setup.walls,
        "symmetry": setup.symmetry,
        "is_given": setup.is_given,
        "allows_undo": setup.allows_undo,
        "leaves_out_forced": setup.leaves_out_forced,
        "seconds_per_move": setup.seconds_per_move,
        "perfect_within": setup.perfect_within,
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


def session_from_json(text: str | bytes) -> Session:
    """Return the test that JSON describes; raise SessionFileError when it describes none."""
    from coach.exam.session_fields import SessionFields

    data = parse_json(text, "it", SessionFileError)
    check_format(data, tr("a test"), FORMAT, VERSION, SessionFileError)
    fields = as_struct(data, SessionFields, SessionFileError)
    try:
        return fields.session()
    except ValueError as error:
        raise SessionFileError(str(error)) from error


def add_move(session: Session, entry: object) -> None:
    """Add a move as a file has it to a test; raise ValueError when there is no such move."""
    from coach.exam.session_fields import MoveFields

    as_struct(entry, MoveFields, SessionFileError).add_to(session)


def move_to_json(move: PlayedMove) -> Mapping[str, Any]:
    """Return a move as the file has it."""
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
