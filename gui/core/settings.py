"""What the user chose, in one versioned JSON file that no crash can spoil.

``settings.json`` is ``{"version": 1, "values": {"theme": "system", ...}}``. Values that this
version does not know are kept as they are, so an older program never destroys what a newer one
wrote. A value that cannot be used is reported, and its default is in use. A damaged file, or what
is no file at all, is moved aside and reported; the program starts with the defaults.
"""

import errno
import json
import logging
import reprlib
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from ai.choice import CHOOSERS
from engine.files.atomic_file import replace, write_file
from engine.files.input_file import NOT_REGULAR, read_limited
from tablebase.cli.options import LEVELS, RATES

VERSION = 1
_SAVE_DELAY_MS = 400  # a slider that is being dragged is written once
_MOST_BYTES = 16 << 20
_MOST_TEXT = 10_000  # characters
_MOST_TEXTS = 10_000
_DEEPEST = 20  # lists and objects inside one another
_log = logging.getLogger(__name__)

Check = Callable[[Any], bool]

SPEEDS = (1, 2, 3, 5, 8, 12, 20, 30, 60)
"""Moves a second that can be chosen."""


@dataclass(frozen=True)
class Option:
    """One setting: its default, the test that a value must pass, and that test in words."""

    default: Any
    is_valid: Check
    expected: str


def _one_of(*values: Any) -> tuple[Check, str]:
    return lambda value: value in values, "one of " + ", ".join(map(repr, values))


def _number(low: float, high: float) -> tuple[Check, str]:
    def check(value: Any) -> bool:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return is_number and low <= value <= high

    return check, f"a number from {low} to {high}"


def _whole(low: int, high: int) -> tuple[Check, str]:
    def check(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high

    return check, f"a whole number from {low} to {high}"


def _kind(kind: type, words: str) -> tuple[Check, str]:
    return lambda value: isinstance(value, kind), words


def _text(words: str) -> tuple[Check, str]:
    return _is_text, words


def _is_text(value: Any) -> bool:
    """Tell whether a value is a text that the system takes, as the name of a folder perhaps."""
    if not isinstance(value, str) or len(value) > _MOST_TEXT or "\0" in value:
        return False
    try:
        value.encode("utf-8", "surrogateescape")  # names of files may be of any bytes
    except UnicodeEncodeError:
        return False
    return True


def _texts() -> tuple[Check, str]:
    def check(value: Any) -> bool:
        return isinstance(value, list) and len(value) <= _MOST_TEXTS and all(map(_is_text, value))

    return check, "a list of texts"


def _places() -> tuple[Check, str]:
    def is_place(item: Any) -> bool:
        is_pair = isinstance(item, list) and len(item) == 2
        return is_pair and _is_text(item[0]) and _whole(0, 1 << 31)[0](item[1])

    def check(value: Any) -> bool:
        return isinstance(value, list) and len(value) <= _MOST_TEXTS and all(map(is_place, value))

    return check, "a list of files and positions in them"


def _keys() -> tuple[Check, str]:
    def check(value: Any) -> bool:
        if not isinstance(value, dict) or not _is_plain(value):
            return False
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            return False
        return True

    return check, "keys by the names of actions"


def _is_plain(value: Any, depth: int = 0) -> bool:
    """Tell whether a JSON value is nested so little that it can be written again."""
    inside = value.values() if isinstance(value, dict) else value
    if not isinstance(value, (dict, list)):
        return True
    return depth < _DEEPEST and all(_is_plain(one, depth + 1) for one in inside)


_YES_OR_NO = _kind(bool, "true or false")
_TILES = tuple(1 << exponent for exponent in range(1, 17))


OPTIONS: Mapping[str, Option] = {
    "theme": Option("system", *_one_of("system", "light", "dark")),
    "tile_palette": Option("lagoon", *_text("the name of a tile palette")),
    "animation_ms": Option(100, *_number(0, 1000)),  # length of a slide; 0 is off
    "large_tile_numbers": Option(True, *_YES_OR_NO),
    "table_folders": Option([], *_texts()),  # looked at besides the data folder's tables/
    "shortcuts": Option({}, *_keys()),  # gui.core.shortcuts
    "window.geometry": Option("", *_text("a text written by the window")),
    "window.page": Option("", *_text("the name of a page")),
    "build.folder": Option("", *_text("a folder; empty: tables/ in the data folder")),
    "build.spawn4": Option(0.1, *_number(0.0, 1.0)),
    "build.rate": Option("uint32", *_one_of(*RATES)),
    "build.threshold": Option(0.0, *_number(0.0, 1.0)),
    "build.optimal_only": Option(False, *_YES_OR_NO),
    "build.sparse": Option(1, *_one_of(1, 3, 4, 6, 8)),
    "build.level": Option("fast", *_one_of(*LEVELS)),
    "build.pack_scratch": Option(False, *_YES_OR_NO),
    "build.threads": Option(0, *_whole(0, 256)),  # 0: all there are
    "build.memory_bytes": Option(0, *_whole(0, 1 << 62)),  # 0: all that is free
    "build.options_open": Option(False, *_YES_OR_NO),
    "advice.hours": Option(12, *_number(0.5, 1000)),
    "analysis.tables": Option([], *_texts()),  # folders; none: all tables there are
    "analysis.files_mistakes": Option(False, *_YES_OR_NO),
    "analysis.folder": Option("", *_text("a folder")),  # where games were chosen last
    "advice.disk_gb": Option(0, *_number(0, 1_000_000)),  # 0: all that is free
    "advice.memory_gb": Option(0, *_number(0, 4096)),  # 0: all that is free
    "build.pattern": Option("442", *_text("the name of a formation")),
    "build.target": Option(128, *_one_of(*_TILES)),
    "build.interrupted": Option("", *_text("the folder of a table")),
    "game.player": Option("tables", *_one_of(*CHOOSERS)),
    "game.speed": Option(5, *_one_of(*SPEEDS)),  # moves a second
    "game.difficulty": Option(0, *_whole(0, 100)),  # percent of tiles placed where they hurt
    "game.spawn4": Option(0.1, *_number(0.0, 1.0)),  # share of fours, from the next game on
    "screensaver.speed": Option(5, *_one_of(*SPEEDS)),  # moves a second
    "mistakes.threshold": Option(0.999, *_number(0.0, 1.0)),  # moves that keep more are not filed
    "mistakes.retire_after": Option(5, *_whole(0, 99)),  # right answers in a row; 0: never
    "mistakes.new_per_day": Option(20, *_whole(0, 1000)),
    "mistakes.view": Option("drill", *_text("the name of a view")),
    "mistakes.mode": Option("due", *_text("the name of a way to drill")),
    "mistakes.advance": Option(True, *_YES_OR_NO),
    "mistakes.turn": Option(False, *_YES_OR_NO),
    "practice.last_table": Option("", *_text("the folder of a table")),
    "practice.speed": Option(3, *_whole(1, 30)),  # moves a second in the demo
    "practice.guess": Option(False, *_YES_OR_NO),
    "practice.spawn_mode": Option("", *_text("who places new tiles")),
    "practice.folder": Option("", *_text("a folder")),  # where recordings went last
    "practice.tab": Option("play", *_one_of("play", "why", "line")),
    "review.speed": Option(3, *_whole(1, 30)),  # moves a second
    "review.least_loss": Option(0.01, *_number(0.0, 1.0)),
    "review.chart": Option("", *_text("the name of a chart")),
    "review.hint": Option(False, *_YES_OR_NO),
    "review.recent": Option([], *_places()),
    "test.seconds_per_move": Option(0, *_whole(0, 3600)),  # 0: as long as it takes
    "test.is_turned": Option(True, *_YES_OR_NO),
    "test.allows_undo": Option(False, *_YES_OR_NO),
    "test.leaves_out_forced": Option(False, *_YES_OR_NO),
    "test.focus": Option(False, *_YES_OR_NO),
    "test.rules_open": Option(False, *_YES_OR_NO),
    "test.last_table": Option("", *_text("the folder of a table")),
}
BOARD_OF = "practice.board."
"""What the name begins with of a setting that every table has: the board that it was left at."""
_BOARD = Option("", *_text("a board"))
_ANY = Option(None, _is_plain, "a short value")


def option_of(name: str) -> Option:
    """Return what a setting may be; those that nobody has described may be any short value."""
    return _BOARD if name.startswith(BOARD_OF) else OPTIONS.get(name, _ANY)


class Settings(QObject):
    """The values, and the file that they are kept in.

    Any short JSON value may be stored under a name of one's own; the names in `OPTIONS` are checked
    as well. Writing happens shortly afterwards on a thread of its own.

    Parameters
    ----------
    path : Path or None
        The file; None keeps everything in memory.
    is_read_only : bool
        Whether the file is another process's, and neither written nor set aside.

    Signals
    -------
    changed : str, object
        The name of a setting, and its new value.
    save_failed : str
        The file could not be written; the text says why.
    """

    changed = Signal(str, object)
    save_failed = Signal(str)

    def __init__(
        self,
        path: Path | None = None,
        parent: QObject | None = None,
        is_read_only: bool = False,
    ) -> None:
        super().__init__(parent)
        self._path, self._is_read_only = path, is_read_only
        self._values: dict[str, Any] = {}
        self._extra: dict[str, Any] = {}  # what else the file holds, at its top level
        self._is_closed = False
        self.problem = ""  # what was wrong with the file, for the window to show
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="settings")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SAVE_DELAY_MS)
        self._timer.timeout.connect(self._save_later)
        if path:
            self._load(path)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a value; its default (that of `OPTIONS` first) when it was never set."""
        if name in self._values:
            return self._values[name]
        return OPTIONS[name].default if name in OPTIONS else default

    def set(self, name: str, value: Any) -> None:
        """Change a value; raise ValueError when `OPTIONS` does not allow it."""
        option = option_of(name)
        if not option.is_valid(value):
            raise ValueError(f"setting {name!r}: {value!r}: expected {option.expected}")
        if name in self._values and self._values[name] == value:
            return
        is_news = self.get(name) != value
        self._values[name] = value
        if not self._is_closed:
            self._timer.start()
        if is_news:
            self.changed.emit(name, value)

    def reset(self, *names: str) -> None:
        """Put the named settings back to their defaults."""
        for name in names:
            self.set(name, OPTIONS[name].default)

    def flush(self) -> None:
        """Write what has not been written yet and wait for it."""
        if self._timer.isActive():
            self._timer.stop()
            self._save_later()
        if not self._is_closed:
            self._writer.submit(int).result()  # comes behind what is being written

    def close(self) -> None:
        """Write what has not been written yet and wait for it; later changes are not kept."""
        self.flush()
        self._is_closed = True
        self._writer.shutdown(wait=True)

    def _save_later(self) -> None:
        if self._path and not self._is_read_only:
            data = {**self._extra, "version": VERSION, "values": self._values}
            text = json.dumps(data, indent=2, sort_keys=True)  # ASCII: holds any text
            self._writer.submit(write_atomically, self._path, text).add_done_callback(self._saved)

    def _saved(self, future: "Future[None]") -> None:
        if error := future.exception():
            _log.error("settings not written", exc_info=error)
            self.save_failed.emit(f"your settings could not be written to {self._path}: {error}")

    def _load(self, path: Path) -> None:
        try:
            data = json.loads(read_limited(path, _MOST_BYTES).decode("utf-8-sig"))
            if not isinstance(data, dict) or not isinstance(data.get("values"), dict):
                raise ValueError('expected {"version": 1, "values": {...}}')
        except FileNotFoundError:
            return
        except OSError as error:
            if error.strerror == NOT_REGULAR or error.errno == errno.EFBIG:
                self._set_aside(path, error)
            else:
                self.problem = f"Your settings in {path} cannot be read ({error.strerror})."
            return
        except (ValueError, RecursionError) as error:
            if not self._is_read_only:
                self._set_aside(path, error)
            return
        others = {key: data[key] for key in data if key not in ("version", "values")}
        self._extra = {key: value for key, value in others.items() if _is_plain(value)}
        wrong = []
        for name, value in data["values"].items():
            option = option_of(name)
            if option.is_valid(value):
                self._values[name] = value
            else:
                text = f"{name} = {reprlib.repr(value)} (expected {option.expected})"
                _log.warning("setting %s", text)
                wrong.append(text)
        if wrong:
            self.problem = _wrong_text(wrong)

    def _set_aside(self, path: Path, error: Exception) -> None:
        stamp = datetime.now(timezone.utc).strftime("%Y%m%d-%H%M%S")
        kept = path.with_name(f"{path.stem}.damaged-{stamp}{path.suffix}")
        _log.warning("damaged settings: %s", error)
        try:
            replace(path, kept)
        except OSError:
            self.problem = f"Your settings in {path} are damaged; the defaults are in use."
            return
        self.problem = f"Your settings were damaged; the defaults are in use. The old file: {kept}"


def _wrong_text(wrong: list[str]) -> str:
    if len(wrong) == 1:
        which = f"One setting had a value that cannot be used: {wrong[0]}. It has its"
        return f"{which} default again."
    more = f", and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    which = f"{len(wrong)} settings had values that cannot be used: {', '.join(wrong[:3])}{more}."
    return f"{which} They have their defaults again."


def write_atomically(path: Path, text: str | bytes) -> None:
    """Write a small file so that a crash leaves the old one or the new one, never half."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, [text.encode("utf-8") if isinstance(text, str) else text])
