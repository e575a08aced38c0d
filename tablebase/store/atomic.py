"""Files that are there whole or not at all, and what a full drive is called."""

import errno
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from tablebase.errors import BuildRefusedError, DiskFullError

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


def write_file(path: Path, pieces: Iterable[bytes | memoryview], *, durable: bool = True) -> int:
    """Write `pieces` so that a crash leaves the old file or the new one, never half.

    Parameters
    ----------
    path : Path
        Where; the text goes to ``path.part`` first.
    pieces : iterable of bytes
        Written one after the other.
    durable : bool
        Whether to wait until the drive holds it, so that a power cut cannot take it away again.

    Returns
    -------
    int
        Bytes written.

    Raises
    ------
    DiskFullError
        No room; the half-written file is removed, an older one stays.
    BuildRefusedError
        The folder cannot be written to.
    """
    part = path.with_name(path.name + ".part")
    try:
        size = 0
        with part.open("wb") as file:
            for piece in pieces:
                size += file.write(piece)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
        if durable:
            sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):  # the trouble to tell is the first one
            part.unlink()
        raise explain(error, path) from error
    return size


def explain(error: OSError, path: Path) -> DiskFullError | BuildRefusedError:
    """Return what to tell the user when `path` could not be written."""
    if error.errno in _FULL:
        return DiskFullError(
            f"the drive is full: cannot write {path}; everything finished so far is kept, "
            "free some space and start the same build again"
        )
    return BuildRefusedError(f"cannot write {path}: {error.strerror or error}")


def sync_files(paths: Sequence[Path]) -> None:
    """Wait until the drive holds some files of one folder, which were written before.

    What is no longer there is left out.

    Raises
    ------
    DiskFullError, BuildRefusedError
    """
    for path in paths:
        try:
            descriptor = os.open(path, os.O_RDWR)  # Windows syncs none that is only read
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise explain(error, path) from error
    for folder in {path.parent for path in paths}:
        try:
            sync_folder(folder)
        except OSError as error:
            raise explain(error, folder) from error


def sync_folder(folder: Path) -> None:
    """Wait until the drive holds the names of the files in a folder."""
    if os.name != "posix":  # Windows has no such call; a rename there is journaled
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
