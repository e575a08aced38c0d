"""Locks on files that die with their process, however that ends."""

import errno
import os
import sys
import weakref
from contextlib import suppress
from io import FileIO
from pathlib import Path

# What the system says of a lock that somebody else has; anything else is a trouble of its own.
_TAKEN = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}

if sys.platform == "win32":
    import msvcrt

    def lock(file: FileIO) -> None:
        """Lock a file for this process alone; raise OSError, see `is_taken`, when another has it.

        `file` has no buffer: the lock counts from where the system stands in the file.
        """
        file.seek(1 << 30)  # beyond what others may want to read: a locked byte cannot be
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0, os.SEEK_END)
else:
    import fcntl

    def lock(file: FileIO) -> None:
        """Lock a file for this process alone; raise OSError, see `is_taken`, when another has it.

        `file` has no buffer: the lock counts from where the system stands in the file.
        """
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_taken(error: OSError) -> bool:
    """Tell whether `lock` failed because another process has the file."""
    return error.errno in _TAKEN


class FileLock:
    """Holds a file that only one of all processes may hold, from `take` on.

    The system lets go of it when the process ends, so none is ever left behind. The file holds the
    number of the process, for people; it stays when the lock is released.

    Parameters
    ----------
    path : Path
        In a folder that is there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: FileIO | None = None

    @property
    def is_held(self) -> bool:
        """Whether this object has it."""
        return self._file is not None

    def take(self) -> bool:
        """Take the lock unless somebody else has it, and return whether it is held now.

        Raises
        ------
        OSError
            The file cannot be made, or the drive knows no locks.
        """
        while not self.is_held:
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
            else:  # whoever had it before removed the file meanwhile: another one is needed
                file.close()
        return True

    def release(self) -> None:
        """Let others have it; safe to call twice."""
        if self._file:
            with suppress(OSError):  # of a drive that went away; the lock is gone with it
                self._file.close()
        self._file = None

    def remove(self) -> None:
        """Let others have it, and take the file away; only for who holds it.

        Where its folder was moved away, another one's file may lie in its place: that stays.
        """
        if self._file is None:
            return
        if sys.platform != "win32":  # first the file: once released, it may be somebody else's
            with suppress(OSError):
                if _is_at(self.path, self._file):
                    self.path.unlink()
        self.release()
        if sys.platform == "win32":  # where a file that is open stays
            with suppress(OSError):
                self.path.unlink()

    def _hold(self, file: FileIO) -> None:
        self._file = file
        weakref.finalize(self, file.close)
        with suppress(OSError):  # a full drive: the number is for people, the lock holds without it
            file.truncate(0)
            file.write(f"{os.getpid()}\n".encode("ascii"))


def _is_at(path: Path, file: FileIO) -> bool:
    """Tell whether an open file still is the one that others find."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False
