"""Locks on open files that die with their process."""

import errno
import os
import sys
from io import FileIO

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
