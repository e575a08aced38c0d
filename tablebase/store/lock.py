"""One builder at a time in a folder: a lock that dies with its process."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from tablebase.errors import BuildRefusedError
from tablebase.store.atomic import explain

LOCK_NAME = "build.lock"

# What the system says of a lock that somebody else has; anything else is a trouble of its own.
_TAKEN = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}

if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: IO[str]) -> None:
        file.seek(1024)  # beyond the text, which others may still read
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)
else:
    import fcntl

    def _try_lock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of `folder`; raise BuildRefusedError, naming the process that has it."""
    path = folder / LOCK_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = _lock_file(path)
    except OSError as error:
        raise explain(error, path) from error
    with _closed_anyhow(file):
        with suppress(OSError):  # a full drive: the name is for people, the lock holds without it
            file.seek(0)
            file.truncate()
            file.write(str(os.getpid()))
            file.flush()
        try:
            yield
        finally:
            if sys.platform != "win32" and _is_at(path, file):  # while it is still ours
                with suppress(OSError):
                    path.unlink()


def _lock_file(path: Path) -> IO[str]:
    """Return the lock file, opened and locked."""
    while True:
        file = path.open("a+", encoding="ascii", errors="replace")
        try:
            _try_lock(file)
        except OSError as error:
            owner = _owner(file)
            file.close()
            if error.errno not in _TAKEN:
                raise
            raise BuildRefusedError(
                f"another builder (process {owner}) is at work in {path.parent}: "
                "wait for it, or stop it, and start again"
            ) from error
        # Its last owner may have deleted the file between our opening and locking it.
        if _is_at(path, file):
            return file
        file.close()


def _owner(file: IO[str]) -> str:
    with suppress(OSError):
        file.seek(0)
        text = file.read(20).strip()
        if text.isdecimal():
            return text
    return "unknown"


def _is_at(path: Path, file: IO[str]) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except OSError:
        return False


@contextmanager
def _closed_anyhow(file: IO[str]) -> Iterator[None]:
    """Close the file at the end, though its text may not have found room."""
    try:
        yield
    finally:
        with suppress(OSError):
            file.close()
