"""Two small files that tie the folders of one table together if they are on several drives.

``elsewhere.json``  next to the manifest: the other folders that hold layers, and which layers
``home.json``       in each of those folders: the table they belong to

Neither is part of the table: without them, the manifest and the layer files are still complete.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from engine.platform.errors import AppError
from tablebase.build_files import unlink
from tablebase.errors import (
    BuildRefusedError,
    DamagedTableError,
    TableError,
    TableFormatError,
    cannot_read,
)
from tablebase.formation.goal import Goal, goal_in
from tablebase.store.checked_json import decode_checked, is_whole, read_limited, write_checked
from tablebase.store.manifest import Manifest
from tablebase.store.options import TableOptions, parse_options

ELSEWHERE_NAME = "elsewhere.json"
PART_NAME = "home.json"
_ELSEWHERE_FORMAT = "endgame2048-elsewhere"
_PART_FORMAT = "endgame2048-part"
_VERSIONS = (1,)
_MAX_LAYERS, _MAX_NAME_LENGTH = 1 << 16, 4096  # of a table; of a folder's name
_WRONG = (AppError, LookupError, TypeError, ValueError, AttributeError)  # errors from bad fields

_Record = TypeVar("_Record")


@dataclass(frozen=True)
class Elsewhere:
    """The record of other folders that hold layers of a table; a value."""

    table: str  # the manifest's identity
    # The layers recorded in each, possibly none yet.
    folders: Mapping[Path, frozenset[int]] = field(default_factory=dict)

    def place(self, layer: int) -> Path | None:
        return next((path for path, layers in self.folders.items() if layer in layers), None)

    def with_folder(self, folder: Path) -> "Elsewhere":
        return replace(self, folders={folder: frozenset(), **self.folders})

    def without_folder(self, folder: Path) -> "Elsewhere":
        return replace(self, folders={f: had for f, had in self.folders.items() if f != folder})

    def with_layers(self, folder: Path, layers: Iterable[int]) -> "Elsewhere":
        """Return the record after layers have moved to a folder; an unknown folder is the home."""
        moved = frozenset(layers)
        return replace(
            self,
            folders={
                path: had | moved if path == folder else had - moved
                for path, had in self.folders.items()
            },
        )

    def save(self, home: Path) -> None:
        path = home / ELSEWHERE_NAME
        if not self.folders:
            unlink(path)
            return
        folders = [
            {"path": str(folder), "layers": ranges(layers)}
            for folder, layers in self.folders.items()
        ]
        body = {"format": _ELSEWHERE_FORMAT, "version": 1, "table": self.table, "folders": folders}
        write_checked(path, body)


@dataclass(frozen=True)
class PartRecord:
    """The record about the table in a folder that holds only layers."""

    table: str  # the manifest's identity
    pattern: str
    target: Goal
    n_layers: int
    options: TableOptions
    home: str  # the folder of the manifest when the layers were moved here

    @classmethod
    def of(cls, manifest: Manifest, home: Path) -> "PartRecord":
        name = manifest.formation.name
        return cls(
            manifest.identity, name, manifest.goal, manifest.n_layers, manifest.options, str(home)
        )

    def save(self, folder: Path) -> None:
        body = {
            "format": _PART_FORMAT,
            "version": 1,
            "table": self.table,
            "pattern": self.pattern,
            "target": self.target.json,
            "n_layers": self.n_layers,
            "options": self.options.to_dict(),
            "home": self.home,
        }
        write_checked(folder / PART_NAME, body)


def load_elsewhere(home: Path, manifest: Manifest) -> Elsewhere:
    try:
        elsewhere = _load(home / ELSEWHERE_NAME, _ELSEWHERE_FORMAT, _parse_elsewhere)
    except FileNotFoundError:
        return Elsewhere(manifest.identity)
    except NotADirectoryError as error:
        raise DamagedTableError(cannot_read(home / ELSEWHERE_NAME, error)) from error
    if elsewhere.table != manifest.identity:
        return Elsewhere(manifest.identity)  # left by an earlier table in this folder
    return elsewhere


def load_part(folder: Path) -> PartRecord:
    """Raise FileNotFoundError if there is none, also where the folder is a file."""
    path = folder / PART_NAME
    try:
        return _load(path, _PART_FORMAT, _parse_part)
    except NotADirectoryError as error:
        raise FileNotFoundError(str(path)) from error


def refuse_part(folder: Path) -> None:
    """Raise BuildRefusedError if a folder holds layers that were moved there from a table.

    A new table there would overwrite them: the layers of all tables have the same file names.
    """
    try:
        other = load_part(folder).home
    except FileNotFoundError:
        return
    except TableError as error:  # many programs have a home.json; it is ours only next to layers
        if not any(folder.glob("layer-*.tbl")):
            return
        raise BuildRefusedError(
            "{folder} is in the way: move it elsewhere, and start again", folder=folder
        ) from error
    raise belongs_elsewhere(folder, other)


def belongs_elsewhere(folder: Path, other: Path | str) -> BuildRefusedError:
    return BuildRefusedError(
        "{folder} belongs to the table in {other}: choose another one", folder=folder, other=other
    )


def ranges(layers: Iterable[int]) -> list[list[int]]:
    """Return whole numbers as [first, last] pairs, ascending: [[1, 4], [7, 7]] for 4 1 2 3 7."""
    pairs: list[list[int]] = []
    for layer in sorted(layers):
        if pairs and pairs[-1][1] == layer - 1:
            pairs[-1][1] = layer
        else:
            pairs.append([layer, layer])
    return pairs


def _load(path: Path, file_format: str, parse: Callable[[dict[str, Any]], _Record]) -> _Record:
    try:
        return parse(decode_checked(read_limited(path), file_format, _VERSIONS))
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as error:
        raise DamagedTableError(cannot_read(path, error)) from error
    except TableFormatError as error:
        raise TableFormatError(f"{path} {error}") from error
    except _WRONG as error:
        raise DamagedTableError("{path} is damaged", path=path) from error


def _parse_elsewhere(body: dict[str, Any]) -> Elsewhere:
    return Elsewhere(body["table"], dict(map(_parse_folder, body["folders"])))


def _parse_part(body: dict[str, Any]) -> PartRecord:
    return PartRecord(
        table=_text(body["table"]),
        pattern=_text(body["pattern"]),
        target=_goal(body["target"]),
        n_layers=_whole(body["n_layers"]),
        options=parse_options(body["options"]),
        home=_text(body["home"]),
    )


def _parse_folder(entry: Mapping[str, Any]) -> tuple[Path, frozenset[int]]:
    layers: set[int] = set()
    beyond = 0
    for first, last in entry["layers"]:
        layers.update(range(_whole(first, beyond), _whole(last, first) + 1))
        beyond = last + 1
    return Path(_text(entry["path"])), frozenset(layers)


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _MAX_NAME_LENGTH or "\0" in value:
        raise TypeError("expected a short text")
    return value


def _goal(value: object) -> Goal:
    goal = goal_in(value)
    if goal is None:
        raise TypeError("expected a goal")
    goal.check()
    return goal


def _whole(value: Any, low: int = 0) -> int:
    if not is_whole(value, low, _MAX_LAYERS):
        raise TypeError("expected a whole number")
    return int(value)
