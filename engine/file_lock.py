"""A lock on a file that dies with its process, however that ends."""

import errno
import os
import sys
import weakref
from contextlib import suppress
from pathlib import Path

# What the system says of a lock that somebody else has; anything else is a trouble of its own.
_TAKEN = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}
_AT = 1024  # the byte that Windows locks: beyond the text, which others may still read

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _AT, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


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
        self._let_go: weakref.finalize[[int], FileLock] | None = None

    @property
    def is_held(self) -> bool:
        """Whether this object has it."""
        return self._let_go is not None

    def take(self) -> bool:
        """Take the lock unless somebody else has it, and return whether it is held now.

        Raises
        ------
        OSError
            The file cannot be made, or the drive knows no locks.
        """
        while not self.is_held:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0))
            try:
                _lock(descriptor)
                is_ours = os.path.samestat(os.fstat(descriptor), self.path.stat())
            except FileNotFoundError:
                is_ours = False
            except OSError as error:
                os.close(descriptor)
                if error.errno in _TAKEN:
                    return False
                raise
            if is_ours:
                self._hold(descriptor)
            else:  # whoever had it before removed the file meanwhile: another one is needed
                os.close(descriptor)
        return True

    def release(self) -> None:
        """Let others have it; safe to call twice."""
        if self._let_go:
            self._let_go()
        self._let_go = None

    def remove(self) -> None:
        """Let others have it, and take the file away; only for who holds it."""
        if not self.is_held:
            return
        if sys.platform != "win32":  # first the file: once released, it may be somebody else's
            with suppress(OSError):
                self.path.unlink()
        self.release()
        if sys.platform == "win32":  # where a file that is open stays
            with suppress(OSError):
                self.path.unlink()

    def _hold(self, descriptor: int) -> None:
        self._let_go = weakref.finalize(self, os.close, descriptor)
        with suppress(OSError):  # a full drive: the number is for people, the lock holds without it
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, f"{os.getpid()}\n".encode("ascii"))
