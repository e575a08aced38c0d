"""Tests as files: one JSON object each.

``{"format": "endgame2048-test", "version": 1, "table": "L3_512", ..., "moves": [...]}``; a move is
``{"move": "left", "cell": 7, "tile": 2, "ms": 812, "rates": [0.99, null, 0.98, null]}``, with
``"retry": true`` where another try was taken back. The rates are those of before the move. Grades
and score are not in the file: they follow from it, by the one rule there is.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from coach.exam.session import End, PlayedMove, Session, Setup
from engine.bitboard import DIRECTIONS, LARGEST_NIBBLE, format_board, from_cells
from engine.errors import AppError
from engine.files.atomic_file import write_file
from engine.files.input_file import read_bytes
from engine.saved_game import Fields, SavedGameError, cells_from_text
from engine.symmetry import SYMMETRIES
from tablebase.store.rates import RATE_TYPES

FORMAT = "endgame2048-test"
VERSION = 1
_MOST_BYTES = 256 << 20
_LONGEST_NAME = 100
_MOST_SECONDS = 3600
_MOST_MS = 1 << 40
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
    data = read_bytes(path, "a test", _MOST_BYTES, SessionFileError)
    try:
        return session_from_json(data)
    except SessionFileError as error:
        raise SessionFileError(f"{path} cannot be used: {error}") from error


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
        "target": setup.target,
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
    try:
        data = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise SessionFileError(f"it is not JSON: {error}") from error
    try:
        fields = Fields(data)
        _check_kind(fields)
        session = Session(_setup(fields), _time(fields, "started"))
        session.n_undos = _whole(fields, "n_undos", 0, 1 << 31)
        _add_moves(session, fields.get("moves", list))
        _add_end(session, fields)
    except SavedGameError as error:
        raise SessionFileError(str(error).removeprefix("saved game: ")) from error
    return session


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


def _check_kind(fields: Fields) -> None:
    kind, version = fields.get("format", str), fields.get("version", int)
    if kind != FORMAT:
        raise SavedGameError(f"its format is {kind!r}; expected {FORMAT!r}")
    if version > VERSION:
        raise SavedGameError(
            f"it was written by a later version of this program (its format is {version}, this one "
            f"knows {VERSION}): install the later version"
        )
    if version < 1:
        raise SavedGameError(f"'version' is {version}; expected {VERSION}")


def _setup(fields: Fields) -> Setup:
    table, rate, symmetry = (fields.get(name, str) for name in ("table", "rate", "symmetry"))
    if not 0 < len(table) <= _LONGEST_NAME or not table.isprintable():
        raise SavedGameError(f"'table' is {table[:40]!r}; expected a name such as L3_512")
    if rate.removeprefix("1-") not in RATE_TYPES:
        raise SavedGameError(f"'rate' is {rate!r}; expected one of {', '.join(RATE_TYPES)}")
    if symmetry not in SYMMETRIES:
        raise SavedGameError(f"'symmetry' is {symmetry!r}; expected {', '.join(SYMMETRIES)}")
    target = _whole(fields, "target", 4, 65536)
    if target & target - 1:
        raise SavedGameError(f"'target' is {target}; expected a tile")
    spawn4 = fields.get("spawn4", float)
    if not 0.0 <= spawn4 <= 1.0:
        raise SavedGameError(f"'spawn4' is {spawn4}; expected 0 to 1")
    start = cells_from_text(fields.get("start", str))
    if max(start) > LARGEST_NIBBLE or not any(start):
        raise SavedGameError("'start' is not a position of a table")
    return Setup(
        table=table,
        target=target,
        spawn4=spawn4,
        rate=rate,
        seed=_whole(fields, "seed", 0, (1 << 64) - 1),
        start=from_cells(start),
        walls=fields.get("walls", bool),
        symmetry=symmetry,
        is_given=fields.get("is_given", bool),
        allows_undo=fields.get("allows_undo", bool),
        leaves_out_forced=fields.get("leaves_out_forced", bool),
        seconds_per_move=_whole(fields, "seconds_per_move", 0, _MOST_SECONDS),
    )


def _add_moves(session: Session, entries: list[object]) -> None:
    for number, entry in enumerate(entries, 1):
        try:
            add_move(session, entry)
        except SavedGameError as error:
            reason = str(error).removeprefix("saved game: ")
            raise SavedGameError(f"move {number}: {reason}") from error
        except ValueError as error:  # what `Session.add` says
            raise SavedGameError(f"move {number} cannot be: {error}") from error


def add_move(session: Session, entry: object) -> None:
    """Add a move as a file has it to a test.

    Raises
    ------
    SavedGameError, ValueError
        There is no such move.
    """
    fields = Fields(entry)
    may_be_retry = isinstance(entry, dict) and "retry" in entry
    has_unknown = isinstance(entry, dict) and "unknown" in entry
    name, tile = fields.get("move", str), fields.get("tile", int)
    rates = _rates(fields.get("rates", list))
    unknown = _directions(fields.get("unknown", list)) if has_unknown else ()
    if any(rates[one] is not None for one in unknown):
        raise SavedGameError("'unknown' names a move that has a rate")
    if name not in DIRECTIONS:
        raise SavedGameError(f"'move' is {name!r}; expected {', '.join(DIRECTIONS)}")
    if tile not in (2, 4):
        raise SavedGameError(f"'tile' is {tile}; expected 2 or 4")
    session.add(
        DIRECTIONS.index(name),
        _whole(fields, "cell", 0, 15),
        tile.bit_length() - 1,
        rates,
        _whole(fields, "ms", 0, _MOST_MS),
        may_be_retry and fields.get("retry", bool),
        unknown,
    )


def _directions(found: list[object]) -> tuple[int, ...]:
    if not all(one in DIRECTIONS for one in found):
        raise SavedGameError(f"'unknown' is {str(found)[:60]}; expected moves such as left")
    return tuple(DIRECTIONS.index(str(one)) for one in found)


def _rates(found: list[object]) -> tuple[float | None, ...]:
    rates = tuple(
        float(one) if isinstance(one, int | float) and not isinstance(one, bool) else one
        for one in found
    )
    good = (one is None or (isinstance(one, float) and 0.0 <= one <= 1.0) for one in rates)
    if len(rates) != 4 or not all(good):
        raise SavedGameError(f"'rates' are {str(found)[:60]}; expected four of 0 to 1, or null")
    return rates  # type: ignore[return-value]


def _add_end(session: Session, fields: Fields) -> None:
    name = fields.get("end", str)
    if not name:
        return
    if name not in {end.value for end in End}:
        raise SavedGameError(f"'end' is {name!r}; expected {', '.join(e.value for e in End)}")
    session.finish(End(name), _time(fields, "ended"))


def _time(fields: Fields, name: str) -> datetime:
    text = fields.get(name, str)
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise SavedGameError(
            f"{name!r} is {text[:40]!r}; expected a date and time such as 2026-05-01T12:00:00"
        ) from error


def _whole(fields: Fields, name: str, least: int, most: int) -> int:
    value: int = fields.get(name, int)
    if not least <= value <= most:
        raise SavedGameError(f"{name!r} is {value}; expected {least} to {most}")
    return value


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number of JSON")
