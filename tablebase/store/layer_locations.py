"""The locations of the layers of a table: its own folder, and perhaps folders on other drives.

The table's own folder, its *home*, has the manifest; ``elsewhere.json`` next to it names the other
folders, its *parts* (see tablebase.store.parts_index). A part that is missing because its drive is
not attached is not damage: the layers in it are *away*, all others can be used. Looking writes
nothing, so everything may be on read-only drives.
"""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from engine.platform.language import listed, tr, trn
from tablebase.errors import DamagedTableError, MissingTableError, TableError
from tablebase.store.folder_names import table_folder
from tablebase.store.layer_file import WrittenLayer
from tablebase.store.manifest import Manifest, load_manifest
from tablebase.store.parts_index import ELSEWHERE_NAME, Elsewhere, load_elsewhere, load_part, ranges

_MAX_RANGES = 5  # shown for layers that are away


@dataclass(frozen=True)
class Locations:
    """The locations of the layers of a table."""

    home: Path
    name: str  # the table's name
    parts: tuple[Path, ...] = ()  # the other folders that exist
    # The files that exist and have the right size.
    layers: dict[int, Path] = field(default_factory=dict)
    # The layers recorded in a folder that is missing.
    away: dict[int, Path] = field(default_factory=dict)
    # The missing folders, and why: a text that continues after "which".
    absent: dict[Path, str] = field(default_factory=dict)
    # All other layers that have no file of the right size, and a message about each.
    lost: dict[int, str] = field(default_factory=dict)

    @property
    def warning(self) -> str:
        """Return a text on which layers are away and what to do about it; "" if none are."""
        return self._away_text(self.away)

    def path(self, layer: int) -> Path:
        """Return the file of a layer; MissingTableError if away, DamagedTableError if lost."""
        if layer in self.layers:
            return self.layers[layer]
        if layer in self.away:
            raise MissingTableError(self._away_text([layer]))
        raise DamagedTableError(
            self.lost.get(layer)
            or tr("layer {layer} of {table} has no file of its own", layer=layer, table=self.name)
        )

    def check(self) -> None:
        """Raise DamagedTableError if a layer is nowhere; one that is away is not damaged."""
        for why in self.lost.values():
            raise DamagedTableError(why)

    def _away_text(self, layers: Iterable[int]) -> str:
        by_folder: dict[Path, list[int]] = {}
        for layer in layers:
            by_folder.setdefault(self.away[layer], []).append(layer)
        return "; ".join(self._where(folder, there) for folder, there in by_folder.items())

    def _where(self, folder: Path, layers: list[int]) -> str:
        values = {"layers": _layers_text(layers), "table": self.name, "folder": folder}
        now = tr("name its new place: {home}{pathsep}FOLDER", home=self.home, pathsep=os.pathsep)
        values |= {"why": self.absent[folder], "now": now}
        if folder.name == ELSEWHERE_NAME:
            return trn(
                "{layers} of {table} is in another folder, but {folder} {why}: {now}",
                "{layers} of {table} are in another folder, but {folder} {why}: {now}",
                len(layers),
                **values,
            )
        return trn(
            "{layers} of {table} is in {folder}, which {why}: attach its drive, or {now}",
            "{layers} of {table} are in {folder}, which {why}: attach its drive, or {now}",
            len(layers),
            **values,
        )


def locate(folders: Sequence[Path], manifest: Manifest) -> Locations:
    """Return the locations of the layers of a table.

    `folders` are the table's own, then any number of its parts, or folders that contain one; those
    that ``elsewhere.json`` names are searched as well. Raises a TableError if the own folder cannot
    be read, or another one given is not a part of this table.
    """
    home = folders[0]
    given = [find_part(folder, manifest) for folder in folders[1:]]
    absent: dict[Path, str] = {}
    try:
        elsewhere = load_elsewhere(home, manifest)
    except TableError as error:
        elsewhere = Elsewhere(manifest.identity)
        absent[home / ELSEWHERE_NAME] = tr("cannot be used ({error})", error=error)
    try:
        files = {home: _files_in(home)}
    except TableError as error:
        raise MissingTableError(f"{home} {error}") from error
    for folder in dict.fromkeys([*given, *elsewhere.folders]):
        try:
            is_known = folder not in given
            files[folder] = _files_in(_checked_part(folder, manifest, is_known))
        except TableError as error:
            absent[folder] = str(error)
    locations = Locations(home, manifest.name, tuple(files)[1:], absent=absent)
    for layer in manifest.layers.values():
        _find(layer, files, elsewhere, locations)
    return locations


def as_folders(where: Path | str | Sequence[Path | str]) -> list[Path]:
    """Return the folders of one table as a list, the table's own first; raise MissingTableError."""
    if isinstance(where, (str, Path)):
        return [table_folder(where)]
    return [table_folder(folder) for folder in where]


def find_part(folder: Path, manifest: Manifest) -> Path:
    """Return the part of a table that is `folder`, or in it; raise MissingTableError if none is."""
    why = ""
    for path in (folder, folder / manifest.name):
        try:
            return _checked_part(path, manifest)
        except MissingTableError as error:
            why = str(error) if not why or path.is_dir() else why
    raise MissingTableError(
        "{folder} is not part of {name}: it {why}", folder=folder, name=manifest.name, why=why
    )


def find_twin(part: Path, home: Path, manifest: Manifest) -> Path | None:
    """Return the other copy of a table that uses a part: its home was copied; None if none."""
    try:
        other = Path(load_part(part).home)
        if is_same_folder(other, home):
            return None
        folders = load_elsewhere(other, load_manifest(other)).folders
    except (FileNotFoundError, ValueError, TableError):
        return None
    is_theirs = load_manifest(other).identity == manifest.identity
    return other if is_theirs and any(is_same_folder(part, path) for path in folders) else None


def is_same_folder(folder: Path, other: Path) -> bool:
    try:
        return folder.samefile(other)
    except (OSError, ValueError):
        return False


def _checked_part(folder: Path, manifest: Manifest, is_known: bool = False) -> Path:
    """Return `folder` if it is a part or a copy of the table; otherwise raise MissingTableError.

    The message continues after the folder's name. A folder that the table knows may have lost its
    own record: then sizes and checksums of its layers count.
    """
    try:
        identity = load_part(folder).table
    except (FileNotFoundError, ValueError):
        identity = _identity_of_copy(folder)
    except DamagedTableError as error:
        if is_known:
            return folder
        raise MissingTableError("cannot be used ({error})", error=error) from error
    except TableError as error:
        raise MissingTableError("cannot be used ({error})", error=error) from error
    if identity != manifest.identity:
        raise MissingTableError(tr("belongs to another table"))
    return folder


def _identity_of_copy(folder: Path) -> str:
    try:
        return load_manifest(folder).identity
    except TableError as error:
        is_there = os.path.isdir(folder)
        raise MissingTableError(
            tr("holds no layers of this table") if is_there else tr("is not there")
        ) from error


def _files_in(folder: Path) -> dict[str, int]:
    sizes = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                with suppress(OSError):  # a broken link is not a file
                    if entry.is_file():
                        sizes[entry.name] = entry.stat().st_size
    except OSError as error:
        raise MissingTableError("cannot be read ({reason})", reason=error.strerror) from error
    except ValueError as error:
        raise MissingTableError(tr("no folder of this system can be called")) from error
    return sizes


def _find(
    layer: WrittenLayer,
    files: dict[Path, dict[str, int]],
    elsewhere: Elsewhere,
    locations: Locations,
) -> None:
    sizes = {folder: has[layer.file] for folder, has in files.items() if layer.file in has}
    for folder, size in sizes.items():
        if size == layer.bytes:
            locations.layers[layer.layer] = folder / layer.file
            return
    place = elsewhere.place(layer.layer)
    if place in locations.absent:
        locations.away[layer.layer] = place
    elif locations.home / ELSEWHERE_NAME in locations.absent:
        locations.away[layer.layer] = locations.home / ELSEWHERE_NAME
    elif sizes:
        folder, size = next(iter(sizes.items()))
        locations.lost[layer.layer] = tr(
            "{file} has {size} bytes, expected {expected}: start the same build again to "
            "recompute it",
            file=folder / layer.file,
            size=size,
            expected=layer.bytes,
        )
    else:
        locations.lost[layer.layer] = tr(
            "{file} is missing: start the same build again to recompute it",
            file=(place or locations.home) / layer.file,
        )


def _layers_text(layers: Iterable[int]) -> str:
    """Return layers in words, such as "layer 7" or "layers 3 to 9, 12"."""
    pairs = ranges(layers)
    texts = [
        tr("{first} to {last}", first=first, last=last) if first < last else str(first)
        for first, last in pairs
    ]
    if len(texts) > _MAX_RANGES:
        texts = [*texts[:_MAX_RANGES], tr("and more")]
    text = listed(texts)
    is_one = len(pairs) == 1 and pairs[0][0] == pairs[0][1]
    return tr("layer {layers}", layers=text) if is_one else tr("layers {layers}", layers=text)
