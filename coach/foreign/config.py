"""The settings of 2048EndgameTablebase, its file ``config``: read, never written.

A Python pickle of one dictionary; see `engine.formats.plain_pickle` for how it is read. Each field
is checked by itself: an unusable one is reported and left out without affecting the others.

Two programs have written such files. Some fields changed their meaning in the second: the demo
speed, and whether 32768 shows a number. It is recognized by fields of its own.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from engine.formats.plain_pickle import PlainPickleError, UnreadArray, kind_text, load_plain
from engine.platform.errors import AppError
from engine.platform.files.input_file import read_bytes
from engine.platform.language import listed, mark, tr

MAX_BYTES = 1 << 20
N_COLORS = 16
RATE_TYPES = ("uint32", "uint64", "float32", "float64", "1-float32", "1-float64")
_MAX_FOLDERS = 2000
_MAX_SCORE = 10_000_000
_TABLE = re.compile(r"[A-Za-z0-9]{1,32}_(sum-)?[0-9]{1,6}(_[0-9]{1,2})?", re.ASCII)
_COLOR = re.compile(r"#?([0-9a-fA-F]{6})(?:[fF]{2})?", re.ASCII)
OLD, NEW, UNKNOWN = "old", "new", "unknown"


class ForeignSettingsError(AppError, ValueError):
    """The path holds no settings of the other program."""


@dataclass(frozen=True)
class TableFolder:
    """The recorded folder of a table; it need not exist on this machine."""

    table: str
    spawn4: float
    folder: str


@dataclass(frozen=True)
class ForeignGame:
    """The game in play; it has no history."""

    board: int
    score: int
    best: int


@dataclass(frozen=True)
class ForeignSettings:
    """The settings in a file; None or empty where it has no usable value."""

    version: str = UNKNOWN  # OLD, NEW or UNKNOWN: which of the two programs wrote it
    problems: tuple[str, ...] = ()  # the fields left out, and why
    folders: tuple[TableFolder, ...] = ()
    # colors, custom_colors: ``#rrggbb`` of the tiles 2, 4, ... 65536.
    colors: tuple[str, ...] = ()
    custom_colors: tuple[str, ...] = ()
    uses_custom_colors: bool | None = None
    demo_speed: int | None = None
    spawn4: float | None = None
    is_animated: bool | None = None
    marks_32768: bool | None = None
    game: ForeignGame | None = None
    packs_scratch: bool | None = None
    optimal_only: bool | None = None
    threshold: float | None = None
    rate: str | None = None
    notebook_threshold: float | None = None
    font_percent: int | None = None
    ui_percent: int | None = None
    language: str | None = None
    is_dark: bool | None = None
    theme: str | None = None
    unused: tuple[str, ...] = field(default=())


def read_settings(path: Path, version: str = UNKNOWN) -> ForeignSettings:
    """Return the settings in a file.

    `version` is the program that wrote it, if known; a file of the newer one is recognized by
    itself. Raises ForeignSettingsError if it cannot be read, is something else, or contains more
    than plain data.
    """
    what = tr("the config of 2048EndgameTablebase")
    data = read_bytes(path, what, MAX_BYTES, ForeignSettingsError)
    return parse_settings(data, path.name, version)


def parse_settings(data: bytes, name: str, version: str = UNKNOWN) -> ForeignSettings:
    try:
        found = load_plain(data)
    except PlainPickleError as error:
        text = mark(
            "{name} cannot be read as settings of 2048EndgameTablebase: {problem}; expected "
            "its file config"
        )
        raise ForeignSettingsError(text, name=name, problem=error) from error
    if not isinstance(found, dict) or not any(key in _FIELDS for key in found):
        text = mark("{name} has no settings of 2048EndgameTablebase; expected its file config")
        raise ForeignSettingsError(text, name=name)
    if any(isinstance(key, str) and key in _ONLY_NEW for key in found):
        version = NEW
    return _Reader(found).read(version)


class _RefusedError(ValueError):
    """A value is invalid; the message says what was expected."""


class _Reader:
    def __init__(self, found: dict[object, object]) -> None:
        self._found = found
        self._problems: list[str] = []

    def read(self, version: str) -> ForeignSettings:
        fields: dict[str, Any] = {}
        unused = []
        for key, value in self._found.items():
            if not isinstance(key, str) or key not in _FIELDS:
                if key in _WITHOUT_USE:
                    unused.append(str(key))
                else:
                    self._problems.append(
                        tr("{name}: not a setting that is known", name=_shown(key))
                    )
                continue
            name, check = _FIELDS[key]
            try:
                fields[name] = check(value)
            except _RefusedError as error:
                self._problems.append(tr("{name}: {problem}", name=key, problem=error))
        if "filepath_map" in self._found:
            fields["folders"] = self._folders(self._found["filepath_map"])
        problems = self._problems[:50]
        return ForeignSettings(version, tuple(problems), **fields, unused=tuple(unused))

    def _folders(self, value: object) -> tuple[TableFolder, ...]:
        if not isinstance(value, dict):
            self._problems.append(
                tr("{name}: {problem}", name="filepath_map", problem=_is_no("", value))
            )
            return ()
        found: dict[TableFolder, None] = {}
        for key, places in value.items():
            try:
                for one in _folders_of(key, places):
                    found[one] = None
            except _RefusedError as error:
                name = f"filepath_map, {_shown(key)}"  # no text
                self._problems.append(tr("{name}: {problem}", name=name, problem=error))
            if len(found) > _MAX_FOLDERS:
                self._problems.append(tr("filepath_map: more than {n} folders", n=_MAX_FOLDERS))
                break
        return tuple(found)[:_MAX_FOLDERS]


def _folders_of(key: object, places: object) -> list[TableFolder]:
    """Return the folders of an entry: ``(table, share of fours): [(folder, rate type), ...]``."""
    table, spawn4 = key if isinstance(key, tuple) and len(key) == 2 else (key, 0.1)
    if not isinstance(table, str) or not _TABLE.fullmatch(table):
        raise _RefusedError(tr("expected the name of a table, such as L3_512"))
    share = _share(spawn4)
    found = []
    for place in places if isinstance(places, list) else [places]:
        folder = place[0] if isinstance(place, tuple) and place else place
        if folder == "":
            continue
        if not isinstance(folder, str) or len(folder) > 4096 or "\0" in folder:
            raise _RefusedError(tr("expected folders"))
        found.append(TableFolder(table, share, folder))
    return found


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise _refused(mark("a number from 0 to 1"), value)
    return float(value)


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    raise _refused(mark("yes or no"), value)


def _whole(low: int, high: int) -> Callable[[object], int]:
    def check(value: object) -> int:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if is_number and low <= value <= high and value == int(value):  # type: ignore[operator,call-overload]
            return int(value)  # type: ignore[call-overload]
        expected = tr("a whole number from {low} to {high}", low=low, high=high)
        raise _RefusedError(_is_no(expected, value))

    return check


def _one_of(*names: str) -> Callable[[object], str]:
    def check(value: object) -> str:
        if isinstance(value, str) and value in names:
            return value
        expected = tr("one of {values}", values=listed(names))
        raise _RefusedError(_is_no(expected, value))

    return check


def _name(value: object) -> str:
    if isinstance(value, str) and len(value) <= 100 and value.isprintable():
        return value
    raise _refused(mark("a name"), value)


def _colors(value: object) -> tuple[str, ...]:
    """Return sixteen colors; the value may have more, for tiles above 65536."""
    expected = mark("a list of at least 16 colors such as #eee4da")
    if not isinstance(value, (list, tuple)) or not N_COLORS <= len(value) <= 100:
        raise _refused(expected, value)
    found = []
    for one in value[:N_COLORS]:
        match = _COLOR.fullmatch(one) if isinstance(one, str) and len(one) < 10 else None
        if match is None:
            raise _refused(expected, one)
        found.append(f"#{match[1].lower()}")
    return tuple(found)


def _game(value: object) -> ForeignGame:
    if isinstance(value, (list, tuple)) and 3 <= len(value) <= 4:
        board, score, best = value[:3]
        if all(isinstance(one, int) and not isinstance(one, bool) for one in (board, score, best)):
            is_score = 0 <= score <= _MAX_SCORE and 0 <= best <= _MAX_SCORE
            if 0 <= board < 1 << 64 and is_score:
                return ForeignGame(board, score, best)
    raise _refused(mark("a board, its score and the best score"), value)


def _refused(expected: str, value: object) -> _RefusedError:
    return _RefusedError(_is_no(tr(expected), value))


def _is_no(expected: str, value: object) -> str:
    expected = expected or tr("folders by table")
    return tr("{found}; expected {expected}", found=_shown(value), expected=expected)


def _shown(value: object) -> str:
    if isinstance(value, (bool, float)) or (isinstance(value, int) and abs(value) < 1 << 64):
        return str(value)
    if isinstance(value, str):
        return repr(value[:40])
    parts = value if isinstance(value, tuple) else ()
    is_flat = not any(isinstance(part, (tuple, list, dict, UnreadArray)) for part in parts)
    if len(parts) == 2 and is_flat:
        return f"({_shown(parts[0])}, {_shown(parts[1])})"
    return kind_text(value)


def _finite(check: Callable[[object], Any]) -> Callable[[object], Any]:
    def checked(value: object) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            raise _RefusedError(_is_no(tr("a number"), value))
        return check(value)

    return checked


_FIELDS: Mapping[str, tuple[str, Callable[[object], Any]]] = MappingProxyType(
    {
        name: (ours, _finite(check))
        for name, (ours, check) in {
            "colors": ("colors", _colors),
            "custom_colors": ("custom_colors", _colors),
            "use_custom_theme": ("uses_custom_colors", _flag),
            "demo_speed": ("demo_speed", _whole(1, 10_000)),
            "4_spawn_rate": ("spawn4", _share),
            "do_animation": ("is_animated", _flag),
            "dis_32k": ("marks_32768", _flag),
            "game_state": ("game", _game),
            "compress_temp_files": ("packs_scratch", _flag),
            "optimal_branch_only": ("optimal_only", _flag),
            "deletion_threshold": ("threshold", _share),
            "success_rate_dtype": ("rate", _one_of(*RATE_TYPES)),
            "notebook_threshold": ("notebook_threshold", _share),
            "font_size_factor": ("font_percent", _whole(10, 1000)),
            "ui_scale": ("ui_percent", _whole(10, 1000)),
            "language": ("language", _one_of("zh", "en")),
            "dark_mode": ("is_dark", _flag),
            "theme": ("theme", _name),
            "filepath_map": ("folders", lambda _: ()),  # read entry by entry
        }.items()
    }
)
_ONLY_NEW = frozenset(
    {
        *("custom_colors", "use_custom_theme", "dark_mode", "ui_scale", "direct_io"),
        *("record_player_slider_threshold", "direct_io_queue_depth", "direct_io_chunk_mib"),
    }
)
# Fields that this program has no equivalent for, or stores differently.
_WITHOUT_USE = frozenset(
    {
        *("dis_text", "compress", "advanced_algo", "chunked_solve", "SmallTileSumLimit"),
        *("minigame_state", "power_ups_state", "minigame_difficulty", "direct_io"),
        *("record_player_slider_threshold", "direct_io_queue_depth", "direct_io_chunk_mib"),
    }
)
