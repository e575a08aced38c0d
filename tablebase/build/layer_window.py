"""Solved layers that are processed in order, with only a part in memory at a time.

Requesting the next pages in advance, and releasing the last ones, takes a fraction of the cost of
page faults, and the process never has more of them than it was allowed.
"""

import contextlib
import mmap
import sys
from collections.abc import Callable, Iterator

import numpy as np

from engine.platform.array_types import Bools, Values
from tablebase.kernels.bits import U64, build_index_part
from tablebase.kernels.layer_boards import Solved
from tablebase.memory.arrays import Arrays
from tablebase.rank.kernel_tables import I64, Places

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


_PIECE_SHIFT = 17
_PIECES_AT_ONCE = 64  # 2 MiB of the index


class LayerWindow:
    """The boards of a layer by their bitmap; a piece has ``1 << piece_shift`` slots."""

    def __init__(self, words: U64, places: Places, arrays: Arrays) -> None:
        self.piece_shift = _PIECE_SHIFT
        n_words = 1 << self.piece_shift - 6
        self.n_pieces = -(-words.size // n_words)
        edges = np.minimum(np.arange(self.n_pieces + 1) * n_words, words.size)
        indexed = arrays.stream(2 * words.size, np.uint64)
        self._index = Window(indexed, 2 * edges, arrays.make_room)
        before = self._fill(words, indexed, edges)
        values = arrays.stream(int(before[-1]) + 1, np.float64)
        before[-1] += 1  # the spare one
        self._values, self._before = Window(values, before, arrays.make_room), before
        self.solved = Solved(indexed, values, places)
        values[-1] = 0.0

    def keep(self, wanted: Bools, *, to_write: bool = False) -> None:
        """Keep only these pieces in memory; with `to_write`, for setting values the first time."""
        self._index.keep(wanted)
        self._values.keep(wanted, to_write=to_write)

    def pieces_of(self, first: int, last: int) -> Bools:
        marks = self.no_pieces()
        marks[first >> self.piece_shift : -(-last >> self.piece_shift)] = True
        return marks

    def bytes_of(self, marks: Bools) -> int:
        return self._index.bytes_of(marks) + self._values.bytes_of(marks)

    def fill(self, value: float) -> None:
        for piece in range(self.n_pieces):
            self._values.keep_between(piece, piece + 1, to_write=True)
            self.solved.values[self._before[piece] : self._before[piece + 1]] = value
        self._values.keep(self.no_pieces())
        self.solved.values[-1] = 0.0  # the spare one

    def no_pieces(self) -> Bools:
        return np.zeros(self.n_pieces, np.bool_)

    def _fill(self, words: U64, indexed: U64, edges: I64) -> I64:
        """Return the number of boards before each edge."""
        before = np.zeros(edges.size, np.int64)
        for first in range(0, self.n_pieces, _PIECES_AT_ONCE):
            last = min(first + _PIECES_AT_ONCE, self.n_pieces)
            self._index.keep_between(first, last, to_write=True)
            for piece in range(first, last):
                begin, end = int(edges[piece]), int(edges[piece + 1])
                count = np.uint64(before[piece])
                before[piece + 1] = build_index_part(words, begin, end, count, indexed)
        self._index.keep(self.no_pieces())
        return before
