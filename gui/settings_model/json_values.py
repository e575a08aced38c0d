"""Values by name in one versioned JSON file that survives crashes.

The file is ``{"version": 1, "values": {"theme": "system", ...}}``. Values unknown to this version
are preserved, so an older program never destroys what a newer one wrote; a file of an older version
is upgraded in steps, one per version. An invalid value is reported and its default used. A damaged
file, or something that is not a file, is moved aside and reported; the program starts with the
defaults. A file that can't be read now, or can't be moved, may hold all of the user's choices: it
is reported, and not written in this session.
"""

import json
import logging
import reprlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.platform.files.atomic_file import write_file
from engine.platform.files.damaged_file import is_passing, set_aside
from engine.platform.files.input_file import read_limited
from engine.platform.language import listed, sentences, tr, trn
from gui.settings_model.options import Option, is_plain

Step = Callable[[dict[str, Any]], None]
"""Makes values of one version those of the next one, in place; they may be any JSON values."""
_MAX_BYTES = 16 << 20
_MAX_NAMED = 3  # invalid values
_log = logging.getLogger(__name__)


class KeptValues(QObject):
    """Values by name, and the JSON file that stores them.

    Any short JSON value may be stored under a new name; names with an option are also checked.
    Writing happens shortly afterward on a separate thread.

    Parameters
    ----------
    path : Path or None
        The file; None keeps everything in memory.
    option_of : callable
        Returns the option for a name.
    noun : str
        Plural noun for messages: "settings".
    delay_ms : int
        Delay after a change, so that several are written at once.
    is_durable : bool
        Whether writing waits for the drive.
    is_read_only : bool
        Whether the file belongs to another process, and is neither written nor set aside.
    steps : sequence of Step
        From version 1 to 2, from 2 to 3 and so on; their number determines the version that is
        written.

    Signals
    -------
    save_failed : str
        The file could not be written; the text says why.
    """

    save_failed = Signal(str)

    def __init__(
        self,
        path: Path | None,
        option_of: Callable[[str], Option],
        noun: str,
        delay_ms: int,
        parent: QObject | None = None,
        *,
        is_durable: bool = True,
        is_read_only: bool = False,
        steps: Sequence[Step] = (),
    ) -> None:
        super().__init__(parent)
        self._steps, self._version = steps, 1 + len(steps)
        self._path, self._is_read_only = path, is_read_only
        self._option_of, self._noun, self._is_durable = option_of, noun, is_durable
        self._values: dict[str, Any] = {}
        self._extra: dict[str, Any] = {}  # other content of the file, at its top level
        self._is_closed = False
        self._has_failed = False  # the last write
        self.problem = ""  # the problem with the file, for the window to show
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix=noun.split()[-1])
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(delay_ms)
        self._timer.timeout.connect(self._save_later)
        if path:
            self._load(path)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a value; if never set, its default (the option's takes precedence)."""
        if name in self._values:
            return self._values[name]
        known = self._option_of(name).default
        return default if known is None else known

    def set(self, name: str, value: Any) -> None:
        """Change a value; raise ValueError if its option doesn't allow it."""
        option = self._option_of(name)
        if not option.is_valid(value):
            raise ValueError(f"{name!r}: {value!r}: expected {option.expected}")  # no text
        if name in self._values and self._values[name] == value:
            return
        is_news = self.get(name) != value
        self._values[name] = value
        if not self._is_closed and not self._timer.isActive():
            self._timer.start()  # never restarted: continuous changes are written, too
        if is_news:
            self._note_change(name, value)

    def take_over(self, other: "KeptValues", names: Iterable[str]) -> None:
        """Move values here from `other`; existing ones are kept."""
        for name in names:
            if name in other._values:
                value = other._values[name]
                if not self._is_read_only:  # otherwise nothing would store it
                    del other._values[name]
                if name not in self._values and self._option_of(name).is_valid(value):
                    self.set(name, value)

    def names(self) -> list[str]:
        """Return the names of all values that were set."""
        return list(self._values)

    def _note_change(self, name: str, value: Any) -> None:
        """Hook to notify others of a change."""

    def flush(self) -> None:
        """Write pending changes and wait for it."""
        if self._timer.isActive() or (self._has_failed and not self._is_closed):
            self._timer.stop()
            self._save_later()
        if not self._is_closed:
            self._writer.submit(int).result()  # queued after the current write

    def close(self) -> None:
        """Write pending changes and wait for it; later changes are not stored."""
        self.flush()
        self._is_closed = True
        self._writer.shutdown(wait=True)

    def _save_later(self) -> None:
        if self._path and not self._is_read_only:
            data = {**self._extra, "version": self._version, "values": self._values}
            text = json.dumps(data, indent=2, sort_keys=True)  # ASCII: holds any text
            self._writer.submit(
                write_text, self._path, text, durable=self._is_durable
            ).add_done_callback(self._saved)

    def _saved(self, future: "Future[None]") -> None:
        error = future.exception()
        self._has_failed = error is not None
        if error:
            _log.error("%s not written", self._noun, exc_info=error)
            text = tr(
                "your {what} could not be written to {path}: {why}",
                what=tr(self._noun),
                path=self._path,
                why=error,
            )
            self.save_failed.emit(text)

    def _load(self, path: Path) -> None:
        try:
            data = json.loads(read_limited(path, _MAX_BYTES).decode("utf-8-sig"))
            if not isinstance(data, dict) or not isinstance(data.get("values"), dict):
                raise ValueError('expected {"version": 1, "values": {...}}')  # no text
        except FileNotFoundError:
            return
        except (OSError, ValueError, RecursionError) as error:
            if isinstance(error, OSError) and is_passing(error):
                self._leave_alone(
                    tr(
                        "Your {what} in {path} cannot be read ({why}).",
                        what=tr(self._noun),
                        path=path,
                        why=error.strerror or error,
                    )
                )
            else:
                self._set_aside(path, error)
            return
        others = {key: data[key] for key in data if key not in ("version", "values")}
        self._extra = {key: value for key, value in others.items() if is_plain(value)}
        wrong = []
        for name, value in self._up_to_date(data.get("version"), data["values"]).items():
            option = self._option_of(name)
            if option.is_valid(value):
                self._values[name] = value
            else:
                text = tr(
                    "{name} = {value} (expected {expected})",
                    name=name,
                    value=reprlib.repr(value),
                    expected=option.expected,
                )
                _log.warning("%s: %s", self._noun, text)
                wrong.append(text)
        if wrong:
            self.problem = _wrong_text(tr(self._noun), wrong)

    def _up_to_date(self, version: Any, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values of a file, upgraded to this version."""
        found = version if isinstance(version, int) and version >= 1 else 1
        for step in self._steps[found - 1 :]:
            step(values)
        self._version = max(self._version, found)  # a newer program needn't repeat its steps
        return values

    def _set_aside(self, path: Path, error: Exception) -> None:
        if self._is_read_only:
            return
        _log.warning("damaged %s: %s", self._noun, error)
        try:
            kept = set_aside(path, datetime.now(timezone.utc))
        except OSError:
            self._leave_alone(
                tr(
                    "Your {what} in {path} are damaged, and the file cannot be renamed.",
                    what=tr(self._noun),
                    path=path,
                )
            )
            return
        self.problem = tr(
            "Your {what} were damaged; the defaults are in use. The old file: {path}",
            what=tr(self._noun),
            path=kept,
        )

    def _leave_alone(self, problem: str) -> None:
        """Write nothing in this session, and append that to the problem of the file."""
        self._is_read_only = True
        self.problem = sentences(
            problem,
            tr("The defaults are in use, and changes are not saved until the next start."),
        )


def _wrong_text(noun: str, wrong: list[str]) -> str:
    named = listed(wrong[:_MAX_NAMED])
    if len(wrong) > _MAX_NAMED:
        named = tr("{names}, and {n} more", names=named, n=len(wrong) - _MAX_NAMED)
    return trn(
        "One of your {what} had a value that cannot be used: {values}. It is back to its default.",
        "{n} of your {what} had values that cannot be used: {values}. "
        "They have their defaults again.",
        len(wrong),
        what=noun,
        values=named,
    )


def write_text(path: Path, text: str, durable: bool = True) -> None:
    """Write a small file atomically: a crash leaves the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, [text.encode("utf-8")], durable=durable)
