"""How the last session ended: a mark that a clean exit removes, and the trace of a crash.

DATA/session.json is there while a window is open. Only the process that holds DATA/window.lock
writes or reads it, so a mark found at the start belongs to a window that was killed, or ended by a
crash of native code or the system. It stores the page the user was on.

LOGS/window-crash.txt is written by Python when native code crashes; usually empty.
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

from engine.platform.errors import AppError
from engine.platform.files.atomic_file import replace, unlink, write_file
from engine.platform.files.input_file import read_limited

MARK_NAME, CRASH_NAME = "session.json", "window-crash.txt"
_VERSION = 1
_MAX_BYTES = 1 << 16
_N_CRASH_LINES = 40
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LastSession:
    """A session that did not end normally."""

    page: str = ""  # the title of the page in front, in English; "" if unknown
    table: Path | None = None  # the table that was open in Practice
    seen: datetime | None = None  # time of the last update


class SessionMark:
    """The mark of this window."""

    def __init__(self, folder: Path, now: Callable[[], datetime]) -> None:
        self._path, self._now = folder / MARK_NAME, now
        self._is_open = False

    def begin(self) -> LastSession | None:
        """Write the mark; return the previous session if it did not end normally."""
        last = self._read()
        self._is_open = True
        self.note("", None)
        return last

    def note(self, page: str, table: Path | None) -> None:
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
        except (OSError, AppError) as error:  # a full drive: there are worse things to report
            _log.warning("no mark of the session: %s", error)

    def lift(self) -> None:
        """Remove the mark: the system may now end the process at any time.

        The next `note` restores it, if the desktop session continues after all.
        """
        with suppress(OSError):
            unlink(self._path, missing_ok=True)

    def end(self) -> None:
        """Remove the mark for good; safe to call twice."""
        if self._is_open:
            self._is_open = False
            self.lift()

    def _read(self) -> LastSession | None:
        try:
            content = read_limited(self._path, _MAX_BYTES)
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
        except (ValueError, KeyError, TypeError, RecursionError):  # truncated by whatever ended it
            return LastSession()


class CrashFile:
    """The file where Python writes its traceback when native code crashes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None

    def begin(self) -> str:
        """Write to the file from now on; return the first lines of its old content, usually ""."""
        text = ""
        try:
            with suppress(FileNotFoundError):
                text = read_limited(self._path, _MAX_BYTES).decode("utf-8", "replace").strip()
            if text:  # kept until the next one
                replace(self._path, self._path.with_stem(f"{self._path.stem}-last"))
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("w", encoding="utf-8")
            faulthandler.enable(self._file)
        except (OSError, AppError) as error:
            _log.warning("%s cannot be used: %s", self._path, error)
        return "\n".join(text.splitlines()[:_N_CRASH_LINES])

    def end(self) -> None:
        """Stop, and delete the file if empty; safe to call twice."""
        if self._file:
            faulthandler.disable()
            self._file.close()
            self._file = None
            with suppress(OSError):
                if not self._path.stat().st_size:
                    unlink(self._path)
