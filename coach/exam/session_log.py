"""The log of a test in play: a file that grows by one line per move.

line 1     the test as `session_file` writes it, with the moves so far, on one line
then       a move as there: ``{"move": "left", "cell": 7, "tile": 2, "ms": 812, "rates": [...]}``;
           an imperfect one also has ``"at"``, its time
           ``u``   the last move was taken back

A crash loses at most the line being written. For full drives see
`engine.platform.files.line_file`.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from coach.exam.session_file import (
    SessionFileError,
    add_move,
    file_name,
    move_to_json,
    session_from_json,
    session_to_json,
    write_whole,
)
from coach.play.run import PlayedMove, Run
from engine.platform.files.input_file import read_limited
from engine.platform.files.line_file import LineFile
from engine.platform.language import tr

SUFFIX = ".log"
_MAX_BYTES = 256 << 20


@dataclass(frozen=True)
class LoggedSession:
    """A test read from its log."""

    session: Run
    # tuple of (int, datetime): number, from 1, and time of the imperfect moves in the log.
    mistakes: tuple[tuple[int, datetime], ...]


def log_path(folder: Path, session: Run) -> Path:
    """Return the path of a test's log."""
    return (folder / file_name(session)).with_suffix(SUFFIX)


def read_session_log(path: Path) -> LoggedSession:
    """Return the test in a log, up to the first invalid line.

    Raises
    ------
    SessionFileError
        Even its first line is unusable.
    """
    try:
        first, *lines = read_limited(path, _MAX_BYTES).split(b"\n")[:-1] or [b""]
    except OSError as error:
        raise SessionFileError(
            tr("cannot read {path}: {reason}", path=path, reason=error.strerror or error)
        ) from error
    try:
        session = session_from_json(first)
    except SessionFileError as error:
        raise SessionFileError(
            tr("{path} cannot be used: {reason}", path=path, reason=error)
        ) from error
    times = _times(first)
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
    found = [(number, at) for number, at in enumerate(times, 1) if at]
    return LoggedSession(session, tuple(found))


def _times(first: bytes) -> list[datetime | None]:
    return [_time(entry) for entry in json.loads(first)["moves"]]


def _time(entry: dict[str, Any]) -> datetime | None:
    try:
        return datetime.fromisoformat(entry["at"])
    except (KeyError, TypeError, ValueError):
        return None


class SessionLog:
    """Writes the logs of tests, one test at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._session: Run | None = None
        self._file: LineFile | None = None

    def is_of(self, session: Run) -> bool:
        """Whether the open log belongs to a test."""
        return session is self._session and self._file is not None

    def move(self, session: Run, move: PlayedMove, when: datetime) -> None:
        """Append the last move of a test.

        Raises
        ------
        OSError
            It is not in the file yet; the next call tries again.
        """
        entry = dict(move_to_json(move))
        if not move.judgement.is_perfect:
            entry["at"] = when.isoformat()
        if not self.is_of(session):
            self._begin(session, entry)
        elif self._file:
            self._file.append(json.dumps(entry))

    def undo(self, session: Run) -> None:
        """Append that the last move was taken back; raise OSError as `move` does."""
        if not self.is_of(session):
            self._begin(session)
        elif self._file:
            self._file.append("u")

    def flush(self) -> None:
        """Write what could not be written before; raise OSError when it still cannot be."""
        if self._file:
            self._file.flush()

    def close(self) -> None:
        """Close the file; safe to call twice."""
        if self._file:
            self._file.close()
        self._session = self._file = None

    def _begin(self, session: Run, last: dict[str, Any] | None = None) -> None:
        self.close()
        data = json.loads(session_to_json(session))
        if last:
            data["moves"][-1] = last
        path = log_path(self._folder, session)
        write_whole(path, json.dumps(data).encode("ascii") + b"\n")
        self._session, self._file = session, LineFile(path)
