"""One builder at a time in a folder: a lock that dies with its process."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tablebase.errors import BuildRefusedError
from tablebase.store.atomic import explain

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
    path = folder / "build.lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = _lock_file(path)
    except OSError as error:
        raise explain(error, path) from error
    with file:
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()))
        file.flush()
        try:
            yield
        finally:
            if sys.platform != "win32":  # while it is still ours
                path.unlink(missing_ok=True)


def _lock_file(path: Path) -> IO[str]:
    """Return the lock file, opened and locked."""
    while True:
        file = path.open("a+", encoding="ascii")
        try:
            _try_lock(file)
        except OSError as error:
            file.seek(0)
            owner = file.read(20).strip() or "unknown"
            file.close()
            raise BuildRefusedError(
                f"another builder (process {owner}) is at work in {path.parent}: "
                "wait for it, or stop it, and start again"
            ) from error
        # Its last owner may have deleted the file between our opening and locking it.
        if path.exists() and os.path.samestat(path.stat(), os.fstat(file.fileno())):
            return file
        file.close()
