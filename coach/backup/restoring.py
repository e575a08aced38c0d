"""Restoring a backup so that neither a crash nor a damaged file loses data.

First everything is unpacked to ``DATA/restore.pending/``, which appears atomically, and checked.
Then, when no process has the files open (at the next start of the window, or in the command
``restore``), the current data is backed up, and old and new are swapped by renaming. If that is
interrupted, the next attempt continues: each step sees from the files what has been done.

DATA/restore.pending/new/           the new files
DATA/restore.pending/old/           the replaced files
DATA/restore.pending/restore.json   the source of the backup and the names it covers
DATA/restore.pending/previous.json  the backup of the old data; once it exists, files are being
moved

Replaced files that the backup of the old data could not take, because of their names for example,
are kept beside it, in a folder of its name.
"""

import json
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from coach.backup.archive import Watch, write_backup
from coach.backup.contents import BACKUPS, BESIDE_DATABASE, NAMES, names_to_replace
from coach.backup.manifest import BackupError
from coach.backup.opening import Backup, read_backup, unpack
from engine.platform.errors import AppError
from engine.platform.files.atomic_file import (
    reason_of,
    remove_leftovers,
    rename,
    sync_file,
    sync_folder,
    unlink,
    with_retries,
    write_error,
    write_file,
)
from engine.platform.files.damaged_file import is_transient
from engine.platform.files.input_file import read_json
from engine.platform.language import tr

PENDING = "restore.pending"
_STAGING, _DONE = "restore.staging-", "restore.done-"
_NEW, _OLD, _ABOUT, _PREVIOUS = "new", "old", "restore.json", "previous.json"
_MAX_BYTES = 1 << 20
_MARGIN_BYTES = 64 << 20


@dataclass(frozen=True)
class Restored:
    """The result of a restore."""

    source: str  # path of the backup
    made: str  # when it was made
    previous: Path | None = None  # the backup of the data it replaced
    problem: str = ""  # why nothing was restored; "" when it was
    waits: bool = False  # whether the restore is tried again at the next start


def stage(backup: Backup, data_dir: Path, watch: Watch | None = None) -> None:
    """Unpack a backup for `finish` to restore; it replaces any staged before.

    Raises BackupError if it is damaged or there is not enough space, BackupCancelledError and
    WriteError.
    """
    manifest = backup.manifest
    staging = data_dir / f"{_STAGING}{os.urandom(6).hex()}"
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(data_dir).free < 2 * manifest.n_bytes + _MARGIN_BYTES:
            text = tr("{folder} has too little space for the backup: free some", folder=data_dir)
            raise BackupError(text)
        (staging / _NEW).mkdir(parents=True)
        (staging / _OLD).mkdir()
        unpack(backup, staging / _NEW, watch or Watch())
        about = {
            "source": ascii(str(backup.path))[1:-1],
            "made": manifest.made,
            "covers": list(manifest.covers),
            "entries": manifest.entries,
        }
        write_file(staging / _ABOUT, [json.dumps(about).encode("ascii")])
        for root, folders, files in os.walk(staging):
            for name in files:
                sync_file(Path(root, name))
            for name in folders:
                sync_folder(Path(root, name))
        cancel(data_dir)
        rename(staging, data_dir / PENDING)
        sync_folder(data_dir)
    except BaseException as error:
        shutil.rmtree(staging, ignore_errors=True)
        if isinstance(error, OSError):
            raise write_error(error, data_dir) from error
        raise


def pending(data_dir: Path) -> Restored | None:
    if not (data_dir / PENDING).is_dir():
        return None
    try:
        about = _read_about(data_dir / PENDING)
    except BackupError as error:
        return Restored("", "", problem=str(error))
    return Restored(about.source, about.made)


def has_begun(data_dir: Path) -> bool:
    return (data_dir / PENDING / _PREVIOUS).exists()


def cancel(data_dir: Path) -> bool:
    """Cancel the pending restore; return whether there was one.

    A restore that has begun to move files is not canceled: `finish` completes it.
    """
    if not (data_dir / PENDING).is_dir() or has_begun(data_dir):
        return False
    _throw_away(data_dir)
    return True


def finish(data_dir: Path, now: datetime) -> Restored | None:
    """Perform or continue the pending restore and return its result; None if there is none.

    No other process may have files in the data folder open: the caller holds its lock. On failure
    everything is moved back and the result says why. If the staged files cannot be read at the
    moment, the restore stays pending.
    """
    _remove_leftovers(data_dir)
    place = data_dir / PENDING
    if not place.is_dir():
        return None
    try:
        about = _read_about(place)
    except BackupError as error:
        return _give_up(place, data_dir, error)
    previous = _previous_of(place, data_dir)
    try:
        if previous is None:
            previous = _keep_previous(data_dir, place, now)
        _exchange(place, data_dir, about)
        _keep_the_rest(place, previous)
    except (OSError, AppError) as error:
        reason = reason_of(error, place) if isinstance(error, OSError) else str(error)
        if _put_back(place, data_dir, about):
            _throw_away(data_dir)
        return Restored(about.source, about.made, previous, reason)
    _throw_away(data_dir)
    return Restored(about.source, about.made, previous)


def _give_up(place: Path, data_dir: Path, error: BackupError) -> Restored:
    """Undo the moves because the staged files cannot be read; return the reason."""
    previous = _previous_of(place, data_dir)
    # The names that have been swapped already; files moved to a free place don't show.
    gone = [name for name in NAMES if os.path.lexists(place / _OLD / name)]
    swapped = [name for name in gone if os.path.lexists(data_dir / name)]
    about = _About("", "", list(NAMES), swapped)
    is_as_it_was = previous is None or _put_back(place, data_dir, about)
    if is_as_it_was and is_transient(error):
        with suppress(OSError):  # changes made before the next attempt need a new backup
            unlink(place / _PREVIOUS, missing_ok=True)
    elif is_as_it_was:
        _throw_away(data_dir)
    return Restored("", "", previous, str(error), waits=(data_dir / PENDING).is_dir())


@dataclass(frozen=True)
class _About:
    source: str
    made: str
    covers: list[str]
    entries: list[str]


def _read_about(place: Path) -> _About:
    found = read_json(place / _ABOUT, tr("what is to be restored"), _MAX_BYTES, BackupError)
    names = []
    if isinstance(found, dict):
        names = [found.get("covers"), found.get("entries")]
    if not all(isinstance(one, list) and set(map(str, one)) <= set(NAMES) for one in names) or not (
        names and isinstance(found.get("source"), str) and isinstance(found.get("made"), str)
    ):
        raise BackupError("{path} is damaged", path=place / _ABOUT)
    covers = names_to_replace(found["covers"])
    return _About(found["source"], found["made"], covers, found["entries"])


def _previous_of(place: Path, data_dir: Path) -> Path | None:
    if not (place / _PREVIOUS).exists():
        return None
    try:
        name = read_json(place / _PREVIOUS, "", _MAX_BYTES, BackupError)["name"]
    except (BackupError, KeyError, TypeError):
        return data_dir / BACKUPS
    return data_dir / BACKUPS / Path(str(name)).name


def _keep_previous(data_dir: Path, place: Path, now: datetime) -> Path:
    folder = data_dir / BACKUPS
    folder.mkdir(exist_ok=True)
    remove_leftovers(folder)
    path = folder / f"before-restore-{now:%Y%m%d-%H%M%S}.zip"
    while path.exists():
        path = path.with_name(f"{path.stem}x.zip")
    write_backup(data_dir, path, now)
    write_file(place / _PREVIOUS, [json.dumps({"name": path.name}).encode("ascii")])
    return path


def _exchange(place: Path, data_dir: Path, about: _About) -> None:
    for name in about.covers:
        fresh = place / _NEW / name
        if name in about.entries and not os.path.lexists(fresh):
            continue
        for old in _with_logs(name):
            if os.path.lexists(data_dir / old):
                free = place / _OLD / old
                if os.path.lexists(free):
                    free = free.with_name(f"{free.name}.{os.urandom(4).hex()}")
                rename(data_dir / old, free)
        if name in about.entries:
            rename(fresh, data_dir / name)
    sync_folder(data_dir)


def _keep_the_rest(place: Path, previous: Path) -> None:
    """Move replaced files that the backup of the old data lacks to a folder beside it."""
    try:
        kept = {file.path for file in read_backup(previous).manifest.files}
    except BackupError:
        kept = set()
    for root, folders, files in os.walk(place / _OLD):
        links = [name for name in folders if os.path.islink(os.path.join(root, name))]
        for name in (*files, *links):
            source = Path(root, name)
            inside = source.relative_to(place / _OLD)
            if inside.as_posix() in kept or name.endswith((".part", *BESIDE_DATABASE)):
                continue
            target = previous.with_suffix("") / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            with_retries(partial(shutil.move, source, target))  # backups may be on another drive


def _put_back(place: Path, data_dir: Path, about: _About) -> bool:
    """Undo `_exchange`, however far it got; return whether everything is as it was."""
    moves = [(data_dir / name, place / _NEW / name) for name in about.entries]
    logs = [old for name in about.covers for old in _with_logs(name)]
    moves += [(place / _OLD / old, data_dir / old) for old in logs]
    is_done = True
    for source, target in moves:
        try:
            if os.path.lexists(source) and not os.path.lexists(target):
                rename(source, target)
        except OSError:
            is_done = False
    return is_done and not any(os.path.lexists(place / _OLD / old) for old in logs)


def _with_logs(name: str) -> list[str]:
    """Return a name, preceded by those of the files that SQLite keeps next to it.

    A new database with the old one's log would be damaged.
    """
    is_database = name.endswith(".db")
    return [*(f"{name}{suffix}" for suffix in BESIDE_DATABASE if is_database), name]


def _throw_away(data_dir: Path) -> None:
    """Discard the staged restore atomically, then delete its files."""
    done = data_dir / f"{_DONE}{os.urandom(6).hex()}"
    with suppress(OSError):  # without this file the others are ignored
        unlink(data_dir / PENDING / _ABOUT, missing_ok=True)
    with suppress(OSError):
        rename(data_dir / PENDING, done)
        shutil.rmtree(done, ignore_errors=True)


def _remove_leftovers(data_dir: Path) -> None:
    with suppress(OSError):
        if (data_dir / PENDING).is_dir() and not (data_dir / PENDING / _ABOUT).exists():
            _throw_away(data_dir)  # everything else is done
        for entry in list(os.scandir(data_dir)):
            if entry.name.startswith((_STAGING, _DONE)):
                shutil.rmtree(entry.path, ignore_errors=True)
