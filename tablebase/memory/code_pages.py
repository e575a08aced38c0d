"""Releasing the memory of a program's code that does not run.

The compiler brings 80 MB of code, hardly a page of which is used once everything is compiled. Linux
drops such pages when memory runs short, but not when only our own limit does.
"""

import ctypes
import mmap
import sys
from collections.abc import Iterator
from pathlib import Path

_MIN_BYTES = 1 << 20  # smaller mappings are not worth a call


class CodePages:
    """The pages of the loaded libraries that are unchanged from their files.

    A mapping that is writable, or has a single changed page, is left alone. There are none if the
    system does not report them.

    Parameters
    ----------
    process : Path
        The system's folder about this process.
    """

    def __init__(self, process: Path = Path("/proc/self")) -> None:
        self._maps = process / "maps"
        self._mappings: dict[str, tuple[int, int]] = {}
        if sys.platform == "linux":
            try:
                lines = (process / "smaps").read_text().splitlines()
                self._call = ctypes.PyDLL(None).madvise  # so short that others may wait
                self._call.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
                self._mappings = dict(_unchanged(lines))
            except (OSError, AttributeError, ValueError):
                return

    def forget(self) -> None:
        """Release the pages that still exist; needed ones are read from the files again."""
        if sys.platform == "linux":
            for start, size in self.there():
                self._call(start, size, mmap.MADV_DONTNEED)

    def there(self) -> list[tuple[int, int]]:
        """Return start and size of the mappings that are still as they were found.

        A library may have been unloaded, and its addresses reused for data: releasing those would
        turn them into zeros.
        """
        if not self._mappings:
            return []
        try:
            lines = self._maps.read_text().splitlines()
        except (OSError, ValueError):
            return []
        return [self._mappings[line] for line in lines if line in self._mappings]


def _unchanged(lines: list[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield read-only, unchanged mappings of libraries: line, start, size."""
    start = size = 0
    header = ""
    for line in lines:
        words = line.split()
        if "-" in words[0]:  # a new mapping: range, permissions, offset, device, inode, file
            start = size = 0
            header = line
            is_library = len(words) > 5 and ".so" in Path(words[5]).name
            if is_library and words[1] in ("r-xp", "r--p"):
                start, end = (int(word, 16) for word in words[0].split("-"))
                size = end - start
        elif words[0] == "Anonymous:" and words[1] == "0" and size >= _MIN_BYTES:
            yield header, (start, size)
