"""Parts of a layer's after-states with their values, for looking up the results of moves.

A machine that has a part lays it into arrays over the whole layer, whose other pages are never
touched: so the kernels look boards up in it as in layers, and find 0 for boards that are not in the
part.
"""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from tablebase.build.layer_frame import BlockRange
from tablebase.build.scratch import F64
from tablebase.kernels.bits import U64, build_index_part
from tablebase.kernels.layer_boards import Solved
from tablebase.rank.kernel_tables import Places

_Array = TypeVar("_Array", bound=npt.NDArray[Any])


def writable(array: _Array) -> _Array:
    """Mark an array as writable, though it isn't: kernels need not be compiled once more."""
    if array.flags.writeable or not array.size:
        return array.copy() if not array.flags.writeable else array
    view = _View(array)
    same: _Array = np.asarray(view)  # type: ignore[assignment]
    return same


class _View:
    """An array's memory without the read-only flag."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._array = array  # lives as long as arrays made from it
        place, _ = array.__array_interface__["data"]
        self.__array_interface__ = {**array.__array_interface__, "data": (place, False)}


_FULL = 0xFFFF_FFFF_FFFF_FFFF


class AfterPart(NamedTuple):
    """The values of the after-states in slots from `first` up to but not including `end`."""

    first: int
    end: int
    # float64[...]: of all boards in words of the bitmap that have slots of the part: 0 for boards
    # outside these slots. A spare value follows, and one precedes unless the part is the whole
    # layer.
    values: F64

    def solved(self, words: U64, places: Places, n_slots: int) -> Solved:
        index = np.zeros(2 * words.size, np.uint64)
        first, last = self.first >> 6, (self.end + 63) >> 6
        count = np.uint64(0 if self.end - self.first == n_slots else 1)
        count = build_index_part(words, first, last, count, index)
        # Of the words after it, which have no boards here, the first may be asked for its count.
        index[2 * last + 1] = count
        return Solved(index, writable(self.values), places)


def whole_part(after: Solved, n_slots: int) -> AfterPart:
    return AfterPart(0, n_slots, after.values)


def parts_of(after: Solved, whole: BlockRange, n_bytes: int) -> Iterator[AfterPart]:
    """Parts consist of blocks: looking up a board of a run counts those before it in the run."""
    counts, starts = after.indexed[1::2], whole.blocks.start
    before = 16 * np.arange(counts.size) + 8 * counts.astype(np.int64)  # bytes before each word
    edges = {0, whole.n_slots}
    for word in np.searchsorted(before, np.arange(n_bytes, int(before[-1]), n_bytes)).tolist():
        block = max(bisect_left(starts, word << 6) - 1, 0)
        edges.add(int(starts[block]))
    for first, end in pairwise(sorted(edges)):
        is_whole = end - first == whole.n_slots
        yield whole_part(after, end) if is_whole else _part(after, first, end)


def _part(after: Solved, first: int, end: int) -> AfterPart:
    words, counts = after.indexed[::2], after.indexed[1::2]
    begin, last = first >> 6, (end - 1) >> 6
    others = int(words[begin]) & ~(_FULL << (first & 63))
    own = int(words[last]) & _FULL >> (-end & 63)
    n_before, n_behind = others.bit_count(), int(words[last]).bit_count() - own.bit_count()
    from_, to = int(counts[begin]) + n_before, int(counts[last]) + own.bit_count()
    values = np.zeros(1 + n_before + (to - from_) + n_behind + 1)
    values[1 + n_before : values.size - 1 - n_behind] = after.values[from_:to]
    return AfterPart(first, end, values)
