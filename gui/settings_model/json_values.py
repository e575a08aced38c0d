"""Values by name in one versioned JSON file that survives crashes.

The file is ``{"version": 1, "values": {"theme": "system", ...}}``. Values unknown to this version
are preserved, so an older program never destroys what a newer one wrote; a file of an older version
is upgraded in steps, one per version. An invalid value is reported and its default used. Damage of
the file is the matter of `engine.platform.files.json_file`; the program starts with the defaults.
"""

import logging
import reprlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.platform.files.json_file import FileTexts, JsonFile
from engine.platform.language import listed, mark, tr, trn
from gui.settings_model.options import Option, is_plain

Step = Callable[[dict[str, Any]], None]
"""Makes values of one version those of the next one, in place; they may be any JSON values."""
_MAX_NAMED = 3  # invalid values
_TEXTS = FileTexts(
    mark("Your {what} in {path} cannot be read ({why})."),
    mark("Your {what} were damaged; the defaults are in use. The old file: {path}"),
    mark("Your {what} in {path} are damaged, and the file cannot be renamed."),
    mark("your {what} could not be written to {path}: {why}"),
    mark("The defaults are in use, and changes are not saved until the next start."),
)
_log = logging.getLogger(__name__)


class JsonValues(QObject):
    """Values by name, and the JSON file that stores them.

    Any short JSON value may be stored under a new name; names with an option are also checked.
    Writing happens shortly afterward on a separate thread. A read-only file belongs to another
    process, and is neither written nor set aside.
    """

    save_failed = Signal(str)  # the file could not be written; the text says why

    def __init__(
        self,
        path: Path | None,  # the file; None keeps everything in memory
        option_of: Callable[[str], Option],  # returns the option for a name
        noun: str,  # plural noun for messages: "settings"
        delay_ms: int,  # delay after a change, so that several are written at once
        parent: QObject | None = None,
        *,
        is_durable: bool = True,  # whether writing waits for the drive
        is_read_only: bool = False,
        steps: Sequence[Step] = (),
    ) -> None:
        super().__init__(parent)
        self._steps, self._version = steps, 1 + len(steps)
        self._option_of, self._noun = option_of, noun
        self._values: dict[str, Any] = {}
        self._extra: dict[str, Any] = {}  # other content of the file, at its top level
        self._is_closed = False
        self.problem = ""  # the problem with the file, for the window to show
        self._timer = QTimer(self, singleShot=True, interval=delay_ms)
        self._timer.timeout.connect(self._save)
        self._file: JsonFile | None = None
        if path:
            self._file = JsonFile(
                path, _TEXTS, noun, is_durable=is_durable, is_read_only=is_read_only
            )
            self._load(self._file)

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

    def move_from(self, other: "JsonValues", names: Iterable[str]) -> None:
        """Move values here from `other`; existing ones are kept."""
        for name in names:
            if name in other._values:
                value = other._values[name]
                if not (self._file and self._file.is_left_alone):  # else nothing would store it
                    del other._values[name]
                if name not in self._values and self._option_of(name).is_valid(value):
                    self.set(name, value)

    def names(self) -> list[str]:
        return list(self._values)

    def _note_change(self, name: str, value: Any) -> None:
        """Hook to notify others of a change."""

    def flush(self) -> None:
        """Write pending changes and wait for it."""
        is_due = self._timer.isActive()
        self._timer.stop()
        if self._file:
            if is_due or (self._file.has_failed and not self._is_closed):
                self._save()
            self._file.flush()

    def close(self) -> None:
        """Write pending changes and wait for it; later changes are not stored."""
        self.flush()
        self._is_closed = True
        if self._file:
            self._file.close()

    def _save(self) -> None:
        if self._file:
            data = {**self._extra, "version": self._version, "values": self._values}
            self._file.save(data, self.save_failed.emit)

    def _load(self, file: JsonFile) -> None:
        data = file.load(_check_shape)
        self.problem = file.problem
        if data is None:
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
        found = version if isinstance(version, int) and version >= 1 else 1
        for step in self._steps[found - 1 :]:
            step(values)
        self._version = max(self._version, found)  # a newer program needn't repeat its steps
        return values


def _check_shape(data: dict[str, Any]) -> None:
    if not isinstance(data.get("values"), dict):
        raise ValueError('expected {"version": 1, "values": {...}}')  # no text


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
