"""One builder at a time in a folder: a lock that ends with its process."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import cast

from engine.platform.files.file_lock import FileLock, is_taken, lock
from engine.platform.files.input_file import open_regular
from tablebase.build_files import explain
from tablebase.errors import BuildRefusedError

LOCK_NAME = "build.lock"


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of `folder` during the work there.

    Raises BuildRefusedError if another process has it, which the message names, or if the folder
    was removed, so that the work ended with a FileNotFoundError.
    """
    own = FileLock(folder / LOCK_NAME)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_held = own.take()
    except OSError as error:
        raise explain(error, own.path) from error
    if not is_held:
        raise BuildRefusedError(
            "another builder (process {owner}) is at work in {folder}: wait for it, or "
            "stop it, and start again",
            owner=_owner(own.path),
            folder=folder,
        )
    try:
        yield
    except FileNotFoundError as error:
        if folder.is_dir():
            raise
        raise BuildRefusedError(
            "{folder} was removed meanwhile: start the same work again", folder=folder
        ) from error
    finally:
        own.remove()


def is_locked(folder: Path) -> bool:
    """Return whether another program holds the lock of `folder`; False if unknown."""
    try:
        file = cast("FileIO", open_regular(folder / LOCK_NAME).detach())  # unbuffered
    except OSError:
        return False
    with file:
        try:
            lock(file)
        except OSError as error:
            return is_taken(error)
    return False


def _owner(path: Path) -> str:
    with suppress(OSError), path.open("rb") as file:
        text = file.read(20).decode("ascii", "replace").strip()
        if text.isdecimal():
            return text
    return "unknown"
