"""Detects whether tables were added, removed or changed, by time stamps, in microseconds."""

import os
from collections.abc import Iterable
from pathlib import Path

from tablebase.store.manifest import MANIFEST_NAME

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


def is_folder(entry: "os.DirEntry[str]") -> bool:
    """Return whether an entry is a folder; False for a link that leads in a circle."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _table_changed_at(folder: Path) -> int | None:
    changed = _changed_at(folder / MANIFEST_NAME)
    return _changed_at(folder) if changed is None else changed


def _changed_at(path: Path) -> int | None:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None
