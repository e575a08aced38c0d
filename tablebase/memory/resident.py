"""The memory of the process, fast enough for hundreds of queries per second."""

import contextlib
import mmap
import os
import sys

import psutil


class ResidentMemory:
    """The present memory of the process; a context manager.

    On Linux it is read from a file that stays open, which takes a tenth of the time.
    """

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._counts = -1
        if sys.platform == "linux":
            with contextlib.suppress(OSError):
                self._counts = os.open("/proc/self/statm", os.O_RDONLY)

    def __enter__(self) -> "ResidentMemory":
        return self

    def __exit__(self, *_error: object) -> None:
        if self._counts >= 0:
            os.close(self._counts)

    @property
    def n_bytes(self) -> int:
        """Return the memory in bytes."""
        if self._counts < 0:
            rss: int = self._process.memory_info().rss
            return rss
        return self._told(1)

    @property
    def mapped_bytes(self) -> int:
        """Return the bytes in pages of files, or all if the system does not say."""
        return self.n_bytes if self._counts < 0 else self._told(2)

    def _told(self, i: int) -> int:
        return int(os.pread(self._counts, 100, 0).split()[i]) * mmap.PAGESIZE
