"""The folder for the working files of an unfinished table: its ``work/``, or on another drive.

The user may name a folder on another drive. Inside it, every table has a folder of its own,
``442_128.3f9c0a71d2e4.work``, which ``work/places.json`` records before it is made, so that a later
start finds it and the end of the build removes it. A drive may be missing and a record may come
from a stranger: a file there is never deleted unless its name is that of a working file.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from engine.platform.errors import AppError
from tablebase.build_files import explain, unlink, write_file
from tablebase.store.build_lock import LOCK_NAME, folder_lock
from tablebase.store.checked_json import decode_checked, read_limited, write_checked

WORK_NAME = "work"
_RECORD_NAME = "places.json"
_FORMAT, _VERSIONS = "endgame2048-work", (1,)
_PLACE = re.compile(r".+\.[0-9a-f]{12}\.work", re.DOTALL)
_WORKING = re.compile(
    r"(after-\d{4,6}\.bits|batch-\d{4,9}\.bits|live-\d{4,6}\.f8)(\.[0-9a-f]{12}\.part)?", re.ASCII
)
# Files of ours in a table's own folder of working files, those of earlier versions included.
_OURS = re.compile(
    r"((pre|after|batch|live)-\d{4,9}\.\w+|places\.json|build\.lock)(\.[0-9a-f]{12})?(\.part)?",
    re.ASCII,
)


def work_folder(table: Path) -> Path:
    """Return the folder for the working files of a table, which need not exist."""
    return next((place for place in _recorded(table) if place.is_dir()), table / WORK_NAME)


def work_bytes(table: Path) -> int:
    others = (LOCK_NAME, _RECORD_NAME)
    try:
        with os.scandir(work_folder(table)) as entries:
            return sum(entry.stat().st_size for entry in entries if entry.name not in others)
    except OSError:  # there are none, or one disappears meanwhile
        return 0


def lost_work_folder(table: Path) -> Path | None:
    places = _recorded(table)
    return None if any(place.is_dir() for place in places) else next(iter(places), None)


def make_work_folder(table: Path, scratch: Path | None = None) -> Path:
    """Return the folder for the working files of a table, created if needed.

    `scratch` is a folder, perhaps on another drive, to put it in; working files that are elsewhere
    move there. None for where they are already: if nothing is recorded, or that drive is missing,
    in the table's own folder. Raises DiskFullError or BuildRefusedError, also if another process
    builds with these files.
    """
    home, places = table / WORK_NAME, _recorded(table)
    _make(home)
    there = [place for place in places if place.is_dir()]
    if scratch is not None:
        beside = [place for place in places if place.parent == scratch.absolute()]
        name = f"{table.absolute().name}.{os.urandom(6).hex()}.work"
        target = beside[0] if beside else scratch.absolute() / name
    else:
        again = [place for place in places if place.parent.is_dir()]
        target = next(iter([*there, *again]), home)
    sources = [place for place in (home, *there) if place != target]
    if target != home:
        _record(table, [target, *(place for place in there if place != target)])
        _make(target)
    for source in sources:
        _move(source, target)
    if target == home:
        unlink(home / _RECORD_NAME)
    else:
        _record(table, [target])
    return target


def remove_work(table: Path) -> None:
    """Remove the working files of a table, wherever they are, as far as possible.

    Other files stay, and so do the folders that they are in.
    """
    for place in _recorded(table):
        if place.is_dir():
            with suppress(AppError, OSError), folder_lock(place):  # otherwise a copy is being built
                _clear(place)
            with suppress(OSError):  # the folder has other files
                place.rmdir()
    work = table / WORK_NAME
    if work.is_symlink():  # other files may be where it leads
        with suppress(AppError, OSError):
            _clear(work)
            unlink(work / _RECORD_NAME)
        with suppress(AppError):
            unlink(work)
        return
    with suppress(OSError):
        for path in work.iterdir():
            if _OURS.fullmatch(path.name) and (path.is_symlink() or not path.is_dir()):
                with suppress(AppError):
                    unlink(path)
        work.rmdir()


def _recorded(table: Path) -> list[Path]:
    """Return the recorded places of a table's working files, the one in use first."""
    try:
        raw = read_limited(table / WORK_NAME / _RECORD_NAME)
        places = [Path(place) for place in decode_checked(raw, _FORMAT, _VERSIONS)["places"]]
    except (AppError, OSError, ValueError, LookupError, TypeError):
        return []
    return [place for place in places if place.is_absolute() and _PLACE.fullmatch(place.name)]


def _record(table: Path, places: Sequence[Path]) -> None:
    if _recorded(table) != places:
        body = {"format": _FORMAT, "version": 1, "places": list(map(str, places))}
        write_checked(table / WORK_NAME / _RECORD_NAME, body)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise explain(error, folder) from error


def _move(source: Path, target: Path) -> None:
    """Move working files from one folder to another; remove the source unless it is a home.

    If it is stopped, each file is in one of the folders, or in both, where either copy will do.
    """
    if source.name == WORK_NAME:
        _move_files(source, target)
        return
    with folder_lock(source):
        _move_files(source, target)
        _clear(source)
    with suppress(OSError):
        source.rmdir()


def _move_files(source: Path, target: Path) -> None:
    for path in _working_files(source):
        to = target / path.name
        try:
            if not (path.suffix == ".part" or to.exists()):
                try:
                    os.rename(path, to)
                    continue
                except OSError:  # another drive
                    write_file(to, _pieces(path), durable=False)
            unlink(path)
        except OSError as error:
            raise explain(error, path) from error


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(1 << 24):
            yield piece


def _working_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if _WORKING.fullmatch(path.name))


def _clear(folder: Path) -> None:
    """Delete the working files of a folder; the lock file is deleted by the lock."""
    for path in _working_files(folder):
        with suppress(AppError):
            unlink(path)
