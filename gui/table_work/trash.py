"""Deleting tables with undo: their folders are moved to ``.trash`` next to where they were.

All folders of a table on several drives get the same timestamp, so that after a crash they can be
found again by the record in the table's own folder. The deleting process holds a lock next to each
folder, ``.trash/NAME.STAMP.lock``, as long as the table can be restored: other processes using the
same folders, such as another window with its own data folder, leave it alone. If restoring was
requested but failed, ``.trash/NAME.STAMP.wanted`` is next to each folder: no later session removes
them.
"""

import contextlib
import errno
import os
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.platform.errors import AppError
from engine.platform.files.atomic_file import rename
from engine.platform.files.file_lock import FileLock
from engine.platform.language import tr

TRASH = ".trash"
_OLD_S = 7 * 24 * 3600  # on a drive without locks, no undo is still offered by then


@dataclass(frozen=True)
class Moved:
    """A folder's original path and its path in the trash."""

    place: Path
    kept: Path


@dataclass(frozen=True)
class Trashed:
    """A deleted table that can still be restored."""

    table: Path  # original path
    kept: Path  # path in the trash
    parts: tuple[Moved, ...] = ()  # its folders on other drives
    # Folders that stay: their drive is missing, or another table needs them.
    left: tuple[Path, ...] = ()

    @property
    def folders(self) -> list[Moved]:
        """All that were moved, its own first."""
        return [Moved(self.table, self.kept), *self.parts]

    @property
    def taken_place(self) -> Path | None:
        """The place of one of them, if something else is there now."""
        places = (folder.place for folder in self.folders)
        return next((place for place in places if os.path.lexists(place)), None)


class Trash:
    """Moves tables to the trash and back; all methods may be called on a worker thread.

    It owns what it has trashed until that is restored or discarded, or its process ends.
    """

    def __init__(self) -> None:
        self._locks: dict[Path, FileLock] = {}

    def put(self, table: Path) -> Trashed:
        """Move a table with all its folders to the trash; AppError if one can't be: none is."""
        parts, left = _parts_of(table)
        stamp = time.time_ns()
        moved: list[Moved] = []
        try:
            for place in (table, *parts):
                moved.append(self._moved(place, stamp))
        except OSError as error:
            for folder in reversed(moved):
                with contextlib.suppress(OSError):
                    self._put_back(folder)
            raise _failure(error, tr("{table} could not be deleted", table=table.name)) from error
        return Trashed(table, moved[0].kept, tuple(moved[1:]), tuple(left))

    def restore(self, trashed: Trashed) -> None:
        """Restore a deleted table with all its folders; AppError if one can't be moved: none is.

        After a failure it stays until restored or discarded: `empty` leaves it alone.
        """
        if taken := trashed.taken_place:
            _keep_for_restore(trashed)
            raise AppError(
                "there is a new {folder} in the old one's place; move or delete it, then "
                "undo again",
                folder=taken.name,
            )
        back: list[Moved] = []
        try:
            for folder in reversed(trashed.folders):
                self._put_back(folder)
                back.append(folder)
        except OSError as error:
            for folder in reversed(back):
                with contextlib.suppress(OSError):
                    self._moved(folder.place, int(folder.kept.suffix[1:]))
            _keep_for_restore(trashed)
            what = tr("{table} could not be restored", table=trashed.table.name)
            raise _failure(error, what) from error

    def discard(self, trashed: Trashed) -> None:
        for folder in reversed(trashed.folders):
            self._remove(folder.kept)

    def empty(self, folders: Iterable[Path]) -> None:
        """Delete what earlier sessions left in the trash of some folders, and nothing else."""
        for folder in folders:
            bin_folder = folder / TRASH
            kept_tables = bin_folder.iterdir() if bin_folder.is_dir() else ()
            for kept in list(kept_tables):
                if kept.is_dir() and kept.suffix[1:].isdigit() and self._is_left(kept):
                    for part in _named_parts(kept):
                        kept_part = part.parent / TRASH / f"{part.name}{kept.suffix}"
                        if kept_part.is_dir() and self._is_left(kept_part):
                            self._remove(kept_part)
                    self._remove(kept)

    def _moved(self, place: Path, stamp: int) -> Moved:
        kept = place.parent / TRASH / f"{place.name}.{stamp}"
        kept.parent.mkdir(exist_ok=True)
        self._locks[kept] = lock = _lock_of(kept)
        with contextlib.suppress(OSError):  # on a drive without locks, or a full one
            lock.take()
        try:
            rename(place, kept)
        except OSError:
            self._unlock(kept)
            raise
        return Moved(place, kept)

    def _put_back(self, folder: Moved) -> None:
        rename(folder.kept, folder.place)
        self._unlock(folder.kept)

    def _remove(self, kept: Path) -> None:
        from tablebase.store.work_folder import remove_work

        remove_work(kept)  # may be on another drive
        shutil.rmtree(kept, ignore_errors=True)
        self._unlock(kept)

    def _unlock(self, kept: Path) -> None:
        lock = self._locks.pop(kept, None) or _lock_of(kept)
        lock.remove()
        # The lock still exists if it couldn't be acquired, but its folder is gone.
        for path in (lock.path, _restore_mark(kept)):
            with contextlib.suppress(OSError):
                path.unlink()
        with contextlib.suppress(OSError):  # not empty or already gone: both are fine
            kept.parent.rmdir()

    def _is_left(self, kept: Path) -> bool:
        """Return whether a folder is no longer held by a process, and acquire its lock."""
        if kept in self._locks or _restore_mark(kept).exists():
            return False
        lock = _lock_of(kept)
        try:
            is_left = lock.take()
        except OSError:
            return time.time_ns() - int(kept.suffix[1:]) > _OLD_S * 10**9
        if is_left:
            self._locks[kept] = lock
        return is_left


def _parts_of(table: Path) -> tuple[list[Path], list[Path]]:
    """Return the other folders of a table: those to delete with it, and those to leave."""
    from tablebase.errors import TableError
    from tablebase.store.layer_locations import find_twin
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
    """Return the other folders that a table knows of, whether they exist or not."""
    from tablebase.errors import TableError
    from tablebase.store.manifest import load_manifest
    from tablebase.store.parts_index import load_elsewhere

    try:
        return list(load_elsewhere(table, load_manifest(table)).folders)
    except (TableError, OSError, ValueError):
        return []  # a damaged table knows none


def _keep_for_restore(trashed: Trashed) -> None:
    for folder in trashed.folders:
        if os.path.lexists(folder.kept):
            with contextlib.suppress(OSError):  # what isn't writable can't be emptied either
                _restore_mark(folder.kept).touch()


def _restore_mark(kept: Path) -> Path:
    return kept.with_name(f"{kept.name}.wanted")


def _lock_of(kept: Path) -> FileLock:
    return FileLock(kept.with_name(f"{kept.name}.lock"))


def _failure(error: OSError, what: str) -> AppError:
    if error.errno in (errno.EACCES, errno.EPERM, errno.EBUSY):
        text = tr(
            "{what}: another program uses it, or it is protected; close it and try again", what=what
        )
        return AppError(text)
    return AppError(f"{what}: {error.strerror or error}")
