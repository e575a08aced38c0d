"""The list of tables, without opening them: from manifests, names and sizes of files only.

Listing writes nothing, and nothing in those folders makes it fail.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from engine.platform.language import tr
from tablebase.errors import FormationError, TableError
from tablebase.formation.extra_steps import steps_of
from tablebase.formation.goal import goal_of, read_goal
from tablebase.library.table_info import TableInfo
from tablebase.store.foreign_files import is_folder
from tablebase.store.layer_locations import is_same_folder, locate
from tablebase.store.manifest import IMPORT_NAME, MANIFEST_NAME, load_manifest
from tablebase.store.parts_index import ELSEWHERE_NAME, PART_NAME, load_part
from tablebase.store.replace_table import finish_replacements, is_leftover

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation

Stamp = tuple[object, ...]


def stamp_of(folders: Iterable[Path]) -> Stamp:
    stamp: list[object] = []
    for folder in folders:
        stamp.append(_changed_at(folder))
        stamp.append(_changed_at(folder / MANIFEST_NAME))
        try:
            with os.scandir(folder) as entries:
                inside = sorted(entry.path for entry in entries if is_folder(entry))
        except OSError:
            continue  # a missing drive has no tables
        stamp += [(path, _table_changed_at(Path(path))) for path in inside]
    return tuple(stamp)


def _table_changed_at(folder: Path) -> int | None:
    changed = _changed_at(folder / MANIFEST_NAME)
    return _changed_at(folder) if changed is None else changed


def _changed_at(path: Path) -> int | None:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


def scan(
    folders: Iterable[Path], formations: "Callable[[], Mapping[str, Formation]] | None" = None
) -> list[TableInfo]:
    """Return the tables in some folders, and the folders that are tables themselves, by name.

    A table on several drives is one entry, that of its own folder. Tables of other programs that
    can be used directly are included. `formations` returns those that they may have, and whose
    usual length ours are compared with; by default, or if it raises FormationError, these are those
    that come with the program.
    """
    folders = [Path(folder) for folder in folders]
    known = _KnownFormations(formations)
    homes: dict[Path, Path] = {}
    parts: dict[Path, Path] = {}
    for folder in folders:
        for path in _candidates(folder):
            kind = homes if _is_file(path / MANIFEST_NAME) else parts
            kind.setdefault(Path(os.path.realpath(path)), path)
    tables = [_describe(path, known) for path in homes.values()]
    for path in parts.values():
        if not any(is_same_folder(path, part) for table in tables for part in table.folders):
            tables += _describe_part(path, tables)
    # A table that was imported in place of its source hides the source.
    tables += [t for t in _foreign(folders, known) if not _is_file(t.path / MANIFEST_NAME)]
    return sorted(
        tables, key=lambda info: (info.pattern, goal_of(info.target).order, str(info.path))
    )


class _KnownFormations:
    """The formations that tables may have, read when the first table asks."""

    def __init__(self, formations: "Callable[[], Mapping[str, Formation]] | None") -> None:
        self._formations = formations

    @cached_property
    def by_name(self) -> "Mapping[str, Formation]":
        from tablebase.formation.patterns_file import load_formations

        if self._formations:
            with suppress(FormationError):
                return self._formations()
        return load_formations()


def _candidates(folder: Path) -> Iterator[Path]:
    """Yield a folder and its subfolders, as far as they may be tables or parts."""
    finish_replacements(folder)
    if _is_candidate(folder):
        yield folder
    try:
        inside = sorted(folder.iterdir())
    except (OSError, ValueError):
        return  # a missing drive has no tables
    yield from filter(_is_candidate, inside)


def _foreign(folders: Iterable[Path], known: _KnownFormations) -> list[TableInfo]:
    from tablebase.foreign.find import find_tables
    from tablebase.library.foreign_summary import summarize, summarize_unread
    from tablebase.store.foreign_files import unread_tables

    places: dict[Path, Path] = {}
    for folder in folders:
        with suppress(OSError, ValueError):
            for path in (folder, *_folders_in(folder)):
                if not _is_candidate(path):
                    places.setdefault(Path(os.path.realpath(path)), path)
    there = []
    for path in places.values():
        with suppress(TableError, OSError, ValueError):  # files that come and go, odd names
            there += find_tables(path)
    tables = []
    for table in there:
        with suppress(TableError, OSError, ValueError):
            tables.append(summarize(table, known.by_name))
    for path in places.values():
        unread = [file for file in unread_tables(path).values() if file.format]
        tables += [summarize_unread(path, file) for file in unread]
    return tables


def _folders_in(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return sorted(Path(entry.path) for entry in entries if is_folder(entry))
    except (OSError, ValueError):
        return []


def _is_candidate(folder: Path) -> bool:
    if is_leftover(folder):
        return False
    return _is_file(folder / MANIFEST_NAME) or _is_file(folder / PART_NAME)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _describe(path: Path, known: _KnownFormations) -> TableInfo:
    try:
        manifest = load_manifest(path)
        locations = locate([path], manifest)
    except TableError as error:
        return _damaged(path, str(error))
    state, message = ("complete" if manifest.complete else "partial"), ""
    if locations.lost:
        state, message = "damaged", next(iter(locations.lost.values()))
    elif locations.away:
        state, message = "away", locations.warning
    expanded = n_bytes = 0
    if state == "partial":
        from tablebase.build.scratch import n_expanded
        from tablebase.store.work_folder import work_bytes, work_folder

        expanded, n_bytes = n_expanded(work_folder(path), manifest.n_layers), work_bytes(path)
    return TableInfo(
        **asdict(manifest.options),
        path=path,
        name=manifest.name,
        pattern=manifest.formation.name,
        target=manifest.goal,
        state=state,
        layers_done=manifest.n_done,
        layers=manifest.n_layers,
        boards=manifest.boards,
        stored=manifest.stored,
        bytes=manifest.bytes,
        message=message,
        folders=(
            *locations.parts,
            *(path for path in locations.absent if path.name != ELSEWHERE_NAME),
        ),
        layers_expanded=expanded,
        work_bytes=n_bytes,
        extra_steps=steps_of(
            manifest.formation, manifest.goal, known.by_name.get(manifest.formation.name)
        ),
        then=manifest.then.table if manifest.then else "",
        is_cut_off=manifest.is_cut_off(_is_file(path / IMPORT_NAME)),
    )


def _damaged(path: Path, message: str) -> TableInfo:
    pattern, _, target = path.name.partition("_")
    return TableInfo(
        path=path,
        name=path.name,
        pattern=pattern,
        target=read_goal(target) or 0,
        state="damaged",
        spawn4=0.0,
        rate="",
        message=message,
    )


def _describe_part(path: Path, tables: Iterable[TableInfo]) -> list[TableInfo]:
    """[] if its table is in the list."""
    sizes = []
    try:
        sizes = [file.stat().st_size for file in path.glob("layer-*.tbl") if file.is_file()]
        part = load_part(path)
    except (TableError, OSError) as error:
        # Many programs have a home.json; it is ours only next to layers.
        return [_damaged(path, str(error))] if sizes else []
    if any(is_same_folder(Path(part.home), table.path) for table in tables):
        return []
    info = TableInfo(
        **asdict(part.options),
        path=path,
        name=f"{part.pattern}_{part.target}",
        pattern=part.pattern,
        target=part.target,
        state="part",
        layers_done=len(sizes),
        layers=part.n_layers,
        bytes=sum(sizes),
        message=tr("{count} layers of the table in {folder}", count=len(sizes), folder=part.home),
    )
    return [info]
