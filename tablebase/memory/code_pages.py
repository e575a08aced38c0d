"""Handing back the memory that a program's code takes where it does not run.

The compiler brings 80 MB of code, of which hardly a page is looked at once everything is compiled.
Linux takes such pages away when memory runs short, but not when only we want to stay within less.
"""

import ctypes
import mmap
import sys
from collections.abc import Iterator
from pathlib import Path

_LEAST_BYTES = 1 << 20  # smaller mappings are not worth a call


class CodePages:
    """The pages of the libraries loaded so far that are as they are in their files.

    A mapping that can be written to, or with a single page that is not as in the file, is left
    alone. There are none where the system does not say which these are.

    Parameters
    ----------
    process : Path
        Where the system tells of this process.
    """

    def __init__(self, process: Path = Path("/proc/self")) -> None:
        self._maps = process / "maps"
        self._mappings: dict[str, tuple[int, int]] = {}
        if sys.platform == "linux":
            try:
                lines = (process / "smaps").read_text().splitlines()
                self._call = ctypes.PyDLL(None).madvise  # for a call this short others may wait
                self._call.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
                self._mappings = dict(_unchanged(lines))
            except (OSError, AttributeError, ValueError):
                return

    def forget(self) -> None:
        """Hand back those that are still there; what is needed is read from the files again."""
        if sys.platform == "linux":
            for start, size in self.there():
                self._call(start, size, mmap.MADV_DONTNEED)

    def there(self) -> list[tuple[int, int]]:
        """Return start and size of those that are still as they were found.

        A library may have been unloaded, and its addresses given to somebody's numbers: handing
        those back would make zeros of them.
        """
        if not self._mappings:
            return []
        try:
            lines = self._maps.read_text().splitlines()
        except (OSError, ValueError):
            return []
        return [self._mappings[line] for line in lines if line in self._mappings]


def _unchanged(lines: list[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield read-only mappings of libraries that hold nothing but their file: line, start, size."""
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
        elif words[0] == "Anonymous:" and words[1] == "0" and size >= _LEAST_BYTES:
            yield header, (start, size)
