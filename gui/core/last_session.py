"""How the window ended last time: a mark that a clean end takes away, and what a crash leaves.

DATA/session.json is there while a window is open. Only the process that holds DATA/window.lock
writes or reads it, so a mark that is found at the start is that of a window that was ended from
outside, or by a crash of the machine code or of the system. Where one was is in it.

LOGS/window-crash.txt is what Python writes when machine code crashes; usually empty.
"""

import faulthandler
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from engine.errors import AppError
from engine.files.atomic_file import unlink, write_file
from engine.files.input_file import read_limited

MARK_NAME, CRASH_NAME = "session.json", "window-crash.txt"
_VERSION = 1
_MOST_BYTES = 1 << 16
_N_CRASH_LINES = 40
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LastSession:
    """A window that did not end as it should.

    Attributes
    ----------
    page : str
        The title of the page in front, in English; "" if unknown.
    table : Path or None
        The table that was open in Practice.
    seen : datetime or None
        When that was.
    """

    page: str = ""
    table: Path | None = None
    seen: datetime | None = None


class SessionMark:
    """The mark of this window.

    Parameters
    ----------
    folder : Path
        The data folder.
    now : callable
        The date and time, with its time zone.
    """

    def __init__(self, folder: Path, now: Callable[[], datetime]) -> None:
        self._path, self._now = folder / MARK_NAME, now
        self._is_open = False

    def begin(self) -> LastSession | None:
        """Put the mark; return what the one before was at if it did not end as it should."""
        last = self._read()
        self._is_open = True
        self.note("", None)
        return last

    def note(self, page: str, table: Path | None) -> None:
        """Take note of where one is."""
        if not self._is_open:
            return
        values = {
            "version": _VERSION,
            "page": page,
            "table": str(table) if table else "",
            "seen": self._now().isoformat(timespec="seconds"),
        }
        try:
            write_file(self._path, [json.dumps(values).encode("ascii")], durable=False)
        except (OSError, AppError) as error:  # a full drive: there are worse things to tell
            _log.warning("no mark of the session: %s", error)

    def lift(self) -> None:
        """Take the mark away: the system may end the process at any time now, and may do so.

        The next `note` puts it back, if the session of the desktop goes on after all.
        """
        with suppress(OSError):
            unlink(self._path, missing_ok=True)

    def end(self) -> None:
        """Take the mark away for good; safe to call twice."""
        if self._is_open:
            self._is_open = False
            self.lift()

    def _read(self) -> LastSession | None:
        try:
            content = read_limited(self._path, _MOST_BYTES)
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.warning("the mark of the last session: %s", error)
            return LastSession()
        try:
            values = json.loads(content)
            page, table, seen = (values[name] for name in ("page", "table", "seen"))
            if not all(isinstance(text, str) and "\0" not in text for text in (page, table)):
                raise ValueError("expected texts")  # no text
            place = Path(table) if table else None
            return LastSession(page, place, datetime.fromisoformat(seen))
        except (ValueError, KeyError, TypeError, RecursionError):  # torn by whatever ended it
            return LastSession()


class CrashFile:
    """Where Python writes what it was doing when machine code crashes.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None

    def begin(self) -> str:
        """Write to the file from now on; return the first lines of what it had, "" mostly."""
        text = ""
        try:
            with suppress(FileNotFoundError):
                text = read_limited(self._path, _MOST_BYTES).decode("utf-8", "replace").strip()
            if text:  # kept until the next one
                self._path.replace(self._path.with_stem(f"{self._path.stem}-last"))
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("w", encoding="utf-8")
            faulthandler.enable(self._file)
        except (OSError, AppError) as error:
            _log.warning("%s cannot be used: %s", self._path, error)
        return "\n".join(text.splitlines()[:_N_CRASH_LINES])

    def end(self) -> None:
        """Leave no file without words; safe to call twice."""
        if self._file:
            faulthandler.disable()
            self._file.close()
            self._file = None
            with suppress(OSError):
                if not self._path.stat().st_size:
                    unlink(self._path)
