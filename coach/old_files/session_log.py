"""The log of a test in play, as versions before ``user.db`` wrote it: one line more per move.

line 1     the test as `coach.exam.session_file` writes it, with the moves so far, on one line
then       a move as there: ``{"move": "left", "cell": 7, "tile": 2, "ms": 812, "rates": [...]}``;
           an imperfect one also has ``"at"``, its time
           ``u``   the last move was taken back

A crash lost at most the line being written.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from coach.exam.session_file import SessionFileError, add_move, session_from_json
from coach.play.run import Run
from engine.platform.files.input_file import read_limited

SUFFIX = ".log"
_MAX_BYTES = 256 << 20


@dataclass(frozen=True)
class LoggedSession:
    """A test read from its log."""

    session: Run
    moved: datetime | None  # when its last move was made, if that is known


def read_session_log(path: Path) -> LoggedSession:
    """Return the test in a log, up to the first invalid line.

    Raises SessionFileError if even its first line is unusable.
    """
    try:
        first, *lines = read_limited(path, _MAX_BYTES).split(b"\n")[:-1] or [b""]
    except OSError as error:
        raise SessionFileError(
            "cannot read {path}: {reason}", path=path, reason=error.strerror or error
        ) from error
    try:
        session = session_from_json(first)
    except SessionFileError as error:
        raise SessionFileError(
            "{path} cannot be used: {reason}", path=path, reason=error
        ) from error
    times = [_time(entry) for entry in json.loads(first)["moves"]]
    for line in lines:
        try:
            entry = None if line == b"u" else json.loads(line)
            if entry is None and not session.undo():
                break
            if entry is not None:
                add_move(session, entry)
        except (ValueError, RecursionError):
            break
        times = [*times, _time(entry)] if entry else times[:-1]
    return LoggedSession(session, times[-1] if times else None)


def _time(entry: dict[str, Any]) -> datetime | None:
    try:
        return datetime.fromisoformat(entry["at"])
    except (KeyError, TypeError, ValueError):
        return None
