"""Replacing a table by its converted version, so that a crash always leaves an intact table.

While ``NAME`` is converted, ``NAME.converting`` grows beside it, with a record of its parameters
(``conversion.json``). When it is complete, the two folders swap names: in one step where the system
can do that (Linux, macOS), otherwise ``NAME`` becomes ``NAME.replaced`` first, and any process that
looks for ``NAME`` between the two renames does the second one (see `finish_replacement`). Then the
original is deleted, and last of all the record. So at any moment one of the folders holds an intact
table, and the next run sees from the record how far this one got:

=====================  =====================================================================
record in              state
=====================  =====================================================================
NAME.converting        being converted; or, if NAME is missing, between the two renames
NAME                   it is the new table: the rest of the original must be deleted
=====================  =====================================================================
"""

import ctypes
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.platform.files.atomic_file import rename, sync_folder, unlink
from engine.platform.files.input_file import is_nameable
from tablebase.build_files import explain
from tablebase.errors import BuildRefusedError, TableError
from tablebase.store.build_lock import LOCK_NAME
from tablebase.store.checked_json import decode_checked, read_limited, write_checked
from tablebase.store.manifest import IMPORT_NAME, MANIFEST_NAME, load_manifest
from tablebase.store.options import TableOptions, parse_options
from tablebase.store.parts_index import ELSEWHERE_NAME
from tablebase.store.work_folder import WORK_NAME, remove_work

RECORD_NAME = "conversion.json"
_FORMAT, _VERSION = "endgame2048-conversion", 1
_NEW, _OLD = ".converting", ".replaced"
_AT_CURRENT_FOLDER = -100  # argument of the system call renameat2
_EXCHANGE = 2  # flag of that, and of renamex_np


@dataclass(frozen=True)
class Conversion:
    """The target of a conversion; a run can resume another one with an equal target."""

    source: str  # a checksum of the original's manifest
    options: TableOptions  # options of the new table
    level: str  # compression level, "" if it does not matter

    def save(self, folder: Path) -> None:
        body: dict[str, Any] = {"format": _FORMAT, "version": _VERSION, "source": self.source}
        body |= {"options": self.options.to_dict(), "level": self.level}
        write_checked(folder / RECORD_NAME, body)


def load_conversion(folder: Path) -> Conversion | None:
    """Return the record in a folder; None if there is none that can be resumed."""
    try:
        body = decode_checked(read_limited(folder / RECORD_NAME), _FORMAT, (_VERSION,))
        return Conversion(body["source"], parse_options(body["options"]), body["level"])
    except (OSError, TableError, LookupError, TypeError, ValueError):
        return None


def new_folder(home: Path) -> Path:
    return home.with_name(home.name + _NEW)


def is_leftover(folder: Path) -> bool:
    """Return whether a folder is a leftover of a conversion, beside the table it was made for."""
    return any(
        folder.name.endswith(suffix) and folder.with_name(folder.name[: -len(suffix)]).is_dir()
        for suffix in (_NEW, _OLD)
    )


def check_unused(home: Path) -> None:
    """Raise BuildRefusedError if a name that is needed here is too long, or a folder has it."""
    new, old = new_folder(home), home.with_name(home.name + _OLD)
    if not (is_nameable(new) and is_nameable(old)):
        raise BuildRefusedError(
            "the name of {folder} is too long: the new table needs a longer one until it is "
            "complete; rename the folder, or convert into another one with --out",
            folder=home,
        )
    if old.exists():
        raise BuildRefusedError(
            "{folder} is in the way: move it elsewhere, and start again", folder=old
        )


def swap(home: Path) -> None:
    """Put the new table in the original's place; BuildRefusedError leaves the original there."""
    check_unused(home)
    new, old = new_folder(home), home.with_name(home.name + _OLD)
    try:
        if not _exchange(home, new):
            rename(home, old)
            try:
                rename(new, home)
            except OSError:
                if not (home / RECORD_NAME).exists():  # no other process did it meanwhile
                    rename(old, home)
                    raise
        sync_folder(home.parent)
    except OSError as error:
        raise BuildRefusedError(
            "cannot put the converted table in the place of {home} ({reason}): close what "
            "uses it, and start the same command again",
            home=home,
            reason=error.strerror,
        ) from error


def finish_replacement(home: Path) -> Path:
    """Return the folder of a table; finish a swap first that was stopped between two renames.

    This is `home`, whether it exists or not; but where nothing can be renamed, it is the folder
    that holds the intact table.
    """
    new, old = new_folder(home), home.with_name(home.name + _OLD)
    # With its suffix a name may be too long, which `Path.is_dir` raises an error for.
    if home.exists() or not os.path.isdir(old) or load_conversion(new) is None:
        return home
    for folder in (new, old):
        if _is_complete(folder):
            try:
                rename(folder, home)
                sync_folder(home.parent)
            except OSError:
                return home if home.exists() else folder
            break
    return home


def finish_replacements(parent: Path) -> None:
    """Finish interrupted swaps of all tables in a folder, like `finish_replacement` for one."""
    with suppress(OSError, ValueError):  # a missing drive has no tables
        for path in parent.glob("*" + _NEW):
            finish_replacement(path.with_name(path.name.removesuffix(_NEW)))


def finish_swap(home: Path) -> None:
    """Move a table to its place if a run was stopped between two renames; or BuildRefusedError."""
    place = finish_replacement(home)
    if place != home:
        raise BuildRefusedError(
            "cannot rename {place} to {name}, which it is the new version of: close what "
            "uses it, and start the same command again",
            place=place,
            name=home.name,
        )


def tidy(home: Path) -> Conversion | None:
    """Delete the rest of the original; return the conversion that is finished, if any."""
    done = load_conversion(home)
    if done is None:
        return None
    for folder in (new_folder(home), home.with_name(home.name + _OLD)):
        if os.path.isdir(folder) and not (folder / RECORD_NAME).exists():
            _delete_table(folder, home)
    try:
        unlink(home / RECORD_NAME)
        sync_folder(home)
    except OSError as error:
        raise explain(error, home / RECORD_NAME) from error
    return done


def discard(folder: Path) -> None:
    """Delete the files of a new table that is no longer wanted; raise BuildRefusedError.

    Its record stays for the next conversion to replace, and so does any other file: in a folder
    that the user chose, the lock of this process and files of the user's.
    """
    ours = (RECORD_NAME, LOCK_NAME)
    try:
        is_ours = folder.is_dir() and all(p.name.startswith(ours) for p in folder.iterdir())
        if not (is_ours or (folder / RECORD_NAME).exists()):
            raise BuildRefusedError(
                "{folder} is in the way: move it elsewhere, and start again", folder=folder
            )
        for path in sorted(folder.iterdir()):
            if _is_of_table(path) or path.name == IMPORT_NAME:
                unlink(path, missing_ok=True)
    except OSError as error:
        raise explain(error, folder) from error


def _exchange(folder: Path, other: Path) -> bool:
    """Exchange the names of two folders in one step; return whether the system could."""
    names = os.fsencode(folder.absolute()), os.fsencode(other.absolute())
    status = -1
    with suppress(OSError, AttributeError):  # the system lacks the call
        if sys.platform == "linux":
            here = _AT_CURRENT_FOLDER
            status = ctypes.CDLL(None).renameat2(here, names[0], here, names[1], _EXCHANGE)
        elif sys.platform == "darwin":
            status = ctypes.CDLL(None).renamex_np(*names, _EXCHANGE)
    return status == 0


def _is_complete(folder: Path) -> bool:
    try:
        return load_manifest(folder).complete
    except TableError:
        return False


def _is_of_table(path: Path) -> bool:
    """Return whether a file was written for a table and is of no use without its other files."""
    is_layer = path.name.startswith("layer-") and ".tbl" in path.name
    is_ours = is_layer or path.name in (MANIFEST_NAME, ELSEWHERE_NAME) or path.suffix == ".part"
    return is_ours and not path.is_dir()


def _delete_table(folder: Path, home: Path) -> None:
    """Delete the original; files that do not belong to a table move to the new one."""
    try:
        for path in sorted(folder.iterdir()):
            if _is_of_table(path) or path.name == LOCK_NAME:
                unlink(path, missing_ok=True)
                continue
            if path.name == WORK_NAME:
                remove_work(folder)
            if not os.path.lexists(path):
                continue
            if not (home / path.name).exists():
                rename(path, home / path.name)
            elif path.name == IMPORT_NAME:  # the new table has its own copy
                unlink(path)
        with suppress(OSError):  # a file of the user's that exists in both
            folder.rmdir()
    except OSError as error:
        raise BuildRefusedError(
            "cannot delete {folder} ({reason}); the converted table is in its place, and "
            "this folder is not needed any more",
            folder=folder,
            reason=error.strerror,
        ) from error
