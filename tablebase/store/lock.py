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
        file = path.open("a+", encoding="ascii")
    except OSError as error:
        raise explain(error, path) from error
    with file:
        try:
            _try_lock(file)
        except OSError as error:
            file.seek(0)
            owner = file.read(20).strip() or "unknown"
            raise BuildRefusedError(
                f"another builder (process {owner}) is at work in {folder}: "
                "wait for it, or stop it, and start again"
            ) from error
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()))
        file.flush()
        yield
    # The file stays: deleting it would let two builders lock two different files of that name.
