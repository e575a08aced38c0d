"""One builder at a time in a folder: a lock that dies with its process."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from engine.files.file_lock import is_taken, lock
from engine.language import tr
from tablebase.build_files import explain
from tablebase.errors import BuildRefusedError

LOCK_NAME = "build.lock"


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of `folder`; raise BuildRefusedError, naming the process that has it."""
    path = folder / LOCK_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = _lock_file(path)
    except OSError as error:
        raise explain(error, path) from error
    try:
        with suppress(OSError):  # a full drive: the name is for people, the lock holds without it
            file.truncate(0)
            file.write(str(os.getpid()).encode("ascii"))
        yield
    finally:
        _release(path, file)


def _release(path: Path, file: FileIO) -> None:
    """Delete the lock file and let go of it."""
    if sys.platform != "win32" and _is_at(path, file):  # while it is still ours
        with suppress(OSError):
            path.unlink()
    with suppress(OSError):
        file.close()
    if sys.platform == "win32":  # which deletes no file that is open, here or at the next owner's
        with suppress(OSError):
            path.unlink()


def _lock_file(path: Path) -> FileIO:
    """Return the lock file, opened and locked."""
    while True:
        file = path.open("a+b", buffering=0)
        try:
            lock(file)
        except OSError as error:
            owner = _owner(file)
            file.close()
            if not is_taken(error):
                raise
            raise BuildRefusedError(
                tr(
                    "another builder (process {owner}) is at work in {folder}: wait for it, or "
                    "stop it, and start again",
                    owner=owner,
                    folder=path.parent,
                )
            ) from error
        # Its last owner may have deleted the file between our opening and locking it.
        if _is_at(path, file):
            return file
        file.close()


def _owner(file: FileIO) -> str:
    with suppress(OSError):
        file.seek(0)
        text = (file.read(20) or b"").decode("ascii", "replace").strip()
        if text.isdecimal():
            return text
    return "unknown"


def _is_at(path: Path, file: FileIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except OSError:
        return False
