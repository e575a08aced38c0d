"""A text file that grows by a line at a time, and loses none when a write fails."""

import os
from contextlib import suppress
from io import FileIO
from pathlib import Path


class LineFile:
    """Appends lines, each in one piece and at once; one writer at a time.

    A line that a full drive cuts short, or does not take at all, waits in memory with all that come
    after it. The next write takes away what is left of it in the file, then writes all that waits:
    the file never has a gap, and what it holds is always what was written first.

    Parameters
    ----------
    path : Path
        A file that ends with a whole line.
    file : FileIO, optional
        Opened for appending; tests put one here that fails.

    Raises
    ------
    OSError
        It cannot be opened.
    """

    def __init__(self, path: Path, file: FileIO | None = None) -> None:
        self._file = file or FileIO(path, "ab")
        self._size = self._file.seek(0, os.SEEK_END)  # of the whole lines
        self._waiting = b""
        self._is_torn = False  # more than the whole lines may be in the file

    def append(self, line: str) -> None:
        """Write a line of ASCII, or some that belong together.

        Raises
        ------
        OSError
            It is not in the file yet; the next call, of whatever kind, tries again.
        """
        self._waiting += line.encode("ascii") + b"\n"
        self.flush()

    def flush(self) -> None:
        """Write what waits, if anything does.

        Raises
        ------
        OSError
            It waits on.
        """
        if not self._waiting:
            return
        if self._is_torn:
            self._file.truncate(self._size)
        self._is_torn = True
        rest = memoryview(self._waiting)
        while rest:
            rest = rest[self._file.write(rest) or 0 :]
        self._size += len(self._waiting)
        self._waiting, self._is_torn = b"", False

    def close(self) -> None:
        """Write what waits, as far as that works, and let go of the file; may be called twice."""
        if not self._file.closed:
            with suppress(OSError):
                self.flush()
            self._file.close()
