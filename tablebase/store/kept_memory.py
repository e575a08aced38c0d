"""Keeping the memory of arrays that are done with for those that come next.

glibc hands the memory of a large array back to the system at once, and the next one's pages are
made anew, filled with zeros and mapped one by one: a twentieth of a build whose layers are small.
"""

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # from malloc.h
_MOST, _MOST_OF_OLDER = (1 << 31) - 1, 32 << 20


def keep_freed_memory() -> None:
    """Let this process keep what it frees, in one heap; do nothing where there is no glibc."""
    if sys.platform != "linux":
        return
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return
    mallopt(_TRIM_THRESHOLD, _MOST)
    if not mallopt(_MMAP_THRESHOLD, 1 << 30):
        mallopt(_MMAP_THRESHOLD, _MOST_OF_OLDER)
    mallopt(_ARENA_MAX, 1)
