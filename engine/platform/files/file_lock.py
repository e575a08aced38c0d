"""File locks that end with their process, however it ends."""

import errno
import os
import stat
import sys
import weakref
from contextlib import suppress
from io import FileIO
from pathlib import Path

from engine.platform.files.atomic_file import NotAFileError

# Errors of the system for a lock that another process has; others are different problems.
_TAKEN = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}

if sys.platform == "win32":
    import msvcrt

    def lock(file: FileIO) -> None:
        """`file` is unbuffered: the lock starts at its position; raise OSError, see `is_taken`."""
        file.seek(1 << 30)  # beyond what others may want to read: a locked byte is unreadable
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0, os.SEEK_END)
else:
    import fcntl

    def lock(file: FileIO) -> None:
        """Lock a file for this process alone; raise OSError, see `is_taken`, if another has it.

        `file` is unbuffered: the lock starts at the system's position in the file.
        """
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_taken(error: OSError) -> bool:
    return error.errno in _TAKEN


class FileLock:
    """A lock file that only one process can hold at a time, from `take` on.

    The system releases it when the process ends, so no stale lock is left behind. The file contains
    the number of the process, for people; it stays when the lock is released. What is not a file is
    never written or deleted, and neither is what a link leads to: it is not a lock of ours.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: FileIO | None = None

    @property
    def is_held(self) -> bool:
        return self._file is not None

    def take(self) -> bool:
        """Return whether the lock is held now; OSError without locks, or for what is not a file."""
        while not self.is_held:
            _check_kind(self.path)
            file = FileIO(self.path, "a+")
            try:
                lock(file)
                is_ours = _is_at(self.path, file)
            except OSError as error:
                file.close()
                if is_taken(error):
                    return False
                raise
            if is_ours:
                self._hold(file)
            else:  # the previous holder removed the file meanwhile: a new one is needed
                file.close()
        return True

    def release(self) -> None:
        """Safe to call twice."""
        if self._file:
            with suppress(OSError):  # the drive is gone, and the lock with it
                self._file.close()
        self._file = None

    def remove(self) -> None:
        """If the folder was moved away, another lock's file may be in its place: that stays."""
        if self._file is None:
            return
        if sys.platform != "win32":  # first delete: once released, it may be another process's
            with suppress(OSError):
                if _is_at(self.path, self._file):
                    self.path.unlink()
        self.release()
        if sys.platform == "win32":  # an open file cannot be deleted here
            with suppress(OSError):
                self.path.unlink()

    def _hold(self, file: FileIO) -> None:
        self._file = file
        weakref.finalize(self, file.close)
        with suppress(OSError):  # a full drive: the number is for people, the lock holds without it
            file.truncate(0)
            file.write(f"{os.getpid()}\n".encode("ascii"))


def _check_kind(path: Path) -> None:
    with suppress(FileNotFoundError):
        mode = path.lstat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # opening a folder raises the error
            raise NotAFileError(path)


def _is_at(path: Path, file: FileIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False
