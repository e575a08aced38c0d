"""Deleting a table with a way back: its folders wait in ``.trash`` beside where they were.

All folders of a table on several drives get the same time stamp, so that those of a session that
ended by a crash can be found again by the record in the table's own folder.
"""

import contextlib
import errno
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.atomic_file import rename
from engine.errors import AppError

TRASH = ".trash"


@dataclass(frozen=True)
class Moved:
    """A folder, where it was and where it waits."""

    place: Path
    kept: Path


@dataclass(frozen=True)
class Trashed:
    """A deleted table that can still come back.

    Attributes
    ----------
    table : Path
        Where it was.
    kept : Path
        Where it waits.
    parts : tuple of Moved
        Its folders on other drives.
    left : tuple of Path
        Those that stay: their drive is missing, or another table needs them.
    """

    table: Path
    kept: Path
    parts: tuple[Moved, ...] = ()
    left: tuple[Path, ...] = ()


class Trash:
    """Moves tables away and back; every method may be called on a worker thread."""

    def put(self, table: Path) -> Trashed:
        """Move a table with all its folders out of the way: all of them or none.

        Raises
        ------
        AppError
            A folder is in use or protected.
        """
        parts, left = _parts_of(table)
        stamp = time.time_ns()
        moved: list[Moved] = []
        try:
            for place in (table, *parts):
                moved.append(_moved(place, stamp))
        except OSError as error:
            for one in reversed(moved):
                with contextlib.suppress(OSError):
                    _put_back(one)
            raise AppError(_why(error, f"{table.name} could not be deleted")) from error
        return Trashed(table, moved[0].kept, tuple(moved[1:]), tuple(left))

    def restore(self, trashed: Trashed) -> None:
        """Bring a deleted table back.

        Raises
        ------
        AppError
            Something else is in its place now, or a folder cannot be moved.
        """
        own = Moved(trashed.table, trashed.kept)
        for one in (own, *trashed.parts):
            if one.place.exists():
                raise AppError(f"there is a new {one.place.name} in the old one's place")
        try:
            for one in (*trashed.parts, own):
                _put_back(one)
        except OSError as error:
            raise AppError(_why(error, f"{trashed.table.name} could not be restored")) from error

    def discard(self, trashed: Trashed) -> None:
        """Give back the room of a deleted table, for good."""
        for kept in (*(part.kept for part in trashed.parts), trashed.kept):
            _remove(kept)

    def empty(self, folders: Iterable[Path]) -> None:
        """Remove what earlier sessions left in the trash of some folders."""
        for folder in folders:
            bin_folder = folder / TRASH
            kept_tables = bin_folder.iterdir() if bin_folder.is_dir() else ()
            for kept in list(kept_tables):
                if kept.is_dir() and kept.suffix[1:].isdigit():
                    for part in _named_parts(kept):
                        _remove(part.parent / TRASH / f"{part.name}{kept.suffix}")
                    _remove(kept)


def _parts_of(table: Path) -> tuple[list[Path], list[Path]]:
    """Return the other folders of a table: those to delete with it, and those to leave."""
    from tablebase.errors import TableError
    from tablebase.locations import find_twin
    from tablebase.store.manifest import load_manifest

    parts: list[Path] = []
    left: list[Path] = []
    for folder in _named_parts(table):
        try:
            is_ours = folder.is_dir() and find_twin(folder, table, load_manifest(table)) is None
        except (TableError, OSError):
            is_ours = False
        (parts if is_ours else left).append(folder)
    return parts, left


def _named_parts(table: Path) -> list[Path]:
    """Return the other folders that a table knows of, whether they are there or not."""
    from tablebase.errors import TableError
    from tablebase.store.elsewhere import load_elsewhere
    from tablebase.store.manifest import load_manifest

    try:
        return list(load_elsewhere(table, load_manifest(table)).folders)
    except (TableError, OSError, ValueError):
        return []  # a damaged table knows of none


def _moved(place: Path, stamp: int) -> Moved:
    kept = place.parent / TRASH / f"{place.name}.{stamp}"
    kept.parent.mkdir(exist_ok=True)
    rename(place, kept)
    return Moved(place, kept)


def _put_back(one: Moved) -> None:
    rename(one.kept, one.place)
    _remove_if_empty(one.kept.parent)


def _remove(kept: Path) -> None:
    shutil.rmtree(kept, ignore_errors=True)
    _remove_if_empty(kept.parent)


def _remove_if_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):  # not empty, or gone already: both are fine
        folder.rmdir()


def _why(error: OSError, what: str) -> str:
    if error.errno in (errno.EACCES, errno.EPERM, errno.EBUSY):
        return f"{what}: another program uses it, or it is protected; close it and try again"
    return f"{what}: {error.strerror or error}"
