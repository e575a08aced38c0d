"""A text file that grows line by line, and loses none when a write fails."""

import os
from contextlib import suppress
from io import FileIO
from pathlib import Path


class LineFile:
    """Appends lines, each immediately and in one piece; one writer at a time.

    A line that a full drive cuts short, or refuses, waits in memory with all that come after it.
    The next write removes the incomplete line from the file, then writes all waiting lines: the
    file never has a gap, and always holds the lines that were written first. It ends with a whole
    line at the start; tests pass an open `file` that fails.
    """

    def __init__(self, path: Path, file: FileIO | None = None) -> None:
        self._file = file or FileIO(path, "ab")
        self._size = self._file.seek(0, os.SEEK_END)  # of the complete lines
        self._waiting = b""
        self._is_torn = False  # the file may have more than the complete lines

    def append(self, line: str) -> None:
        """After OSError the line is not in the file yet; the next call tries again."""
        self._waiting += line.encode("ascii") + b"\n"
        self.flush()

    def flush(self) -> None:
        """Write the waiting lines, if there are any; after OSError they still wait."""
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
        """May be called twice."""
        if not self._file.closed:
            with suppress(OSError):
                self.flush()
            self._file.close()
