"""Keeping the memory of arrays that are done with for those that come next.

glibc hands the memory of a large array back to the system at once, and the next one's pages are
made anew, filled with zeros and mapped one by one: a twentieth of a build whose layers are small.
"""

import ctypes
import mmap
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # from malloc.h
_MOST, _MOST_OF_OLDER = (1 << 31) - 1, 32 << 20
_ROOM = 512 << 20


def keep_freed_memory() -> None:
    """Let this process keep what it frees, in one heap; do nothing where there is no glibc."""
    if sys.platform != "linux":
        return
    try:
        libc = ctypes.CDLL(None)
        mallopt = libc.mallopt
    except (OSError, AttributeError):
        return
    mallopt(_TRIM_THRESHOLD, _MOST)
    if not mallopt(_MMAP_THRESHOLD, 1 << 30):
        mallopt(_MMAP_THRESHOLD, _MOST_OF_OLDER)
    mallopt(_ARENA_MAX, 1)
    _ask_for_large_pages(libc)


def _ask_for_large_pages(libc: ctypes.CDLL) -> None:
    """Have what the heap grows to next made of large pages, where the system has them on request.

    Look-ups all over a layer then find the page sooner, and fewer pages have to be made.
    """
    libc.malloc.restype = ctypes.c_void_p
    libc.malloc.argtypes = [ctypes.c_size_t]
    room = libc.malloc(_ROOM)  # address space alone, until somebody writes there
    if room:
        first = -(-room // mmap.PAGESIZE) * mmap.PAGESIZE
        size = (room + _ROOM - first) // mmap.PAGESIZE * mmap.PAGESIZE
        libc.madvise(ctypes.c_void_p(first), ctypes.c_size_t(size), mmap.MADV_HUGEPAGE)
        libc.free(ctypes.c_void_p(room))
