"""Which part of a mapped array is in memory: the one that is being processed.

An array that is processed from end to end need not be in memory whole. Requesting its next pages in
advance, and releasing the last ones, takes a fraction of the cost of page faults, and the process
never has more of them than it was allowed.
"""

import contextlib
import mmap
import sys
from collections.abc import Callable, Iterator

import numpy as np

from engine.platform.array_types import I64, Bools, Values

# Linux since 5.14: all pages of a range at once, to read or to write.
_POPULATE_READ, _POPULATE_WRITE = 22, 23
_AHEAD = getattr(mmap, "MADV_WILLNEED", None)
_BACK = getattr(mmap, "MADV_DONTNEED", None)


class Window:
    """The pieces of an `Arrays.stream` that are in memory; does nothing for one that is not mapped.

    `edges` (int64[n + 1]) are the bounds of its n pieces, ascending, in items; `make_room` makes
    room for a number of bytes about to be brought in.
    """

    def __init__(
        self, array: Values, edges: I64, make_room: Callable[[int], None] = lambda _: None
    ) -> None:
        mapped = getattr(array.base, "obj", None)  # the base is a view of it
        self._map: mmap.mmap | None
        self._map = mapped if hasattr(mapped, "madvise") else None  # Windows has no such call
        self._edges = edges * array.itemsize
        self._make_room = make_room
        self._is_here = np.zeros(edges.size - 1, np.bool_)

    def keep(self, wanted: Bools, *, to_write: bool = False) -> None:
        """Bring these pieces in and release all others."""
        if self._map is None:
            return
        page = mmap.PAGESIZE
        for first, last in _runs(self._is_here & ~wanted):
            begin = -(-int(self._edges[first]) // page) * page  # pages at the ends may be shared
            end = int(self._edges[last]) // page * page
            self._advise(_BACK, begin, end - begin)
        self._make_room(self.bytes_of(wanted & ~self._is_here))
        for first, last in _runs(wanted & ~self._is_here):
            begin = int(self._edges[first]) // page * page
            length = int(self._edges[last]) - begin
            if not self._advise(_POPULATE_WRITE if to_write else _POPULATE_READ, begin, length):
                self._advise(_AHEAD, begin, length)
        self._is_here = wanted.copy()

    def bytes_of(self, marks: Bools) -> int:
        return int(np.diff(self._edges)[marks].sum())

    def keep_between(self, first: int, last: int, *, to_write: bool = False) -> None:
        """Bring in the pieces from `first` up to but not including `last`, like `keep`."""
        wanted = np.zeros(self._is_here.size, np.bool_)
        wanted[first:last] = True
        self.keep(wanted, to_write=to_write)

    def _advise(self, what: int | None, begin: int, length: int) -> bool:
        if what is None or length <= 0 or self._map is None:
            return True
        if what in (_POPULATE_READ, _POPULATE_WRITE) and sys.platform != "linux":
            return False
        with contextlib.suppress(ValueError, OSError):
            self._map.madvise(what, begin, length)
            return True
        return False


def _runs(marks: Bools) -> Iterator[tuple[int, int]]:
    turns = np.flatnonzero(np.diff(np.concatenate(([False], marks, [False])).astype(np.int8)))
    yield from zip(turns[::2].tolist(), turns[1::2].tolist(), strict=True)
