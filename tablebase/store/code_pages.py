"""Handing back the memory that a program's code takes where it does not run.

The compiler brings 80 MB of code, of which hardly a page is looked at once everything is compiled.
Linux takes such pages away when memory runs short, but not when only we want to stay within less.
"""

import ctypes
import mmap
import sys
from collections.abc import Iterator
from pathlib import Path

_LEAST_BYTES = 1 << 20  # a mapping with fewer of its pages in memory is not worth a call


def forget_code() -> None:
    """Hand back the pages of all libraries; those still needed are read from their files again.

    Only pages that are as they are in the file: a mapping with a single other one is left alone.
    Does nothing where the system does not say which these are.
    """
    if sys.platform != "linux":
        return
    try:
        call = ctypes.PyDLL(None).madvise  # keeps the lock: nobody maps anything meanwhile
        mappings = list(_unchanged(Path("/proc/self/smaps").read_text().splitlines()))
    except (OSError, AttributeError, ValueError):
        return
    call.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for start, end in mappings:
        call(start, end - start, mmap.MADV_DONTNEED)


def _unchanged(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield where the read-only mappings of libraries lie that hold nothing but their file."""
    start = end = resident = 0
    for line in lines:
        words = line.split()
        if "-" in words[0]:  # a new mapping: range, permissions, offset, device, inode, file
            start = end = 0
            is_library = len(words) > 5 and ".so" in Path(words[5]).name
            if is_library and words[1] in ("r-xp", "r--p"):
                start, end = (int(word, 16) for word in words[0].split("-"))
        elif words[0] == "Rss:":
            resident = int(words[1]) << 10
        elif words[0] == "Anonymous:" and end and words[1] == "0" and resident >= _LEAST_BYTES:
            yield start, end
