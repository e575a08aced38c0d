"""The values of a block, found on demand: a lookup wants a few of many thousands.

A block stores its new values, and for each repeated one the distance back to its last occurrence.
A step or a few back lead to the new value: the first of the chain is new, and how many new values
come before it is counted per word.
"""

from typing import Any, NamedTuple

import numpy as np

from engine.platform.array_types import I64, U8, U64, Values
from engine.platform.language import tr
from tablebase.errors import DamagedTableError

_MAX_STEPS = 24  # back; for a more frequent value, finding all is faster


class Repeats(NamedTuple):
    """Which values of a block are repeated."""

    flags: U64  # uint64[(n + 63) // 64]: a bit per value, the lowest first
    before: I64  # int64[(n + 63) // 64]: number of repeated values before each of these words
    # uint8[r]: distance back to the last occurrence of each repeated value; r > 0.
    low: U8
    high: U8


class BlockValues:
    """The `n` values of a block; `new` has those that are not repeated, later all that occur.

    Construction and methods raise DamagedTableError if the data are inconsistent.
    """

    def __init__(self, n: int, new: Values, repeats: Repeats | None) -> None:
        self.new = new
        self._n = n
        self._repeats = repeats

    @property
    def nbytes(self) -> int:
        return self.new.nbytes + sum(part.nbytes for part in self._repeats or ())

    def one(self, place: int) -> Any:
        if self._repeats is None:
            return self.new[place]
        flags, before, low, high = self._repeats
        at = place
        for _ in range(_MAX_STEPS):
            word, bit = int(flags[at >> 6]), at & 63
            n_before = int(before[at >> 6]) + (word & (1 << bit) - 1).bit_count()
            if not word >> bit & 1:
                return self.new[at - n_before]
            distance = int(low[n_before]) | int(high[n_before]) << 8
            if not 1 <= distance <= at:
                raise outside()
            at -= distance
        self.every()
        return self.new[place]

    def at(self, places: I64) -> Values:
        if self._repeats is None:
            return self.new[places]
        origins = self._origins(places, self._repeats)
        return self.every()[places] if origins is None else self.new[origins]

    def every(self) -> Values:
        """Return all values; from now on they are all known."""
        if self._repeats is not None:
            self.new, self._repeats = self.new[self._every_origin(self._repeats)], None
        return self.new

    def _origins(self, places: I64, repeats: Repeats) -> I64 | None:
        """Return the indices of the new values at some places; None if that takes too long."""
        origins = np.empty_like(places)
        left = np.arange(places.size)
        for _ in range(_MAX_STEPS):
            words, bits = places >> 6, (places & 63).astype(np.uint64)
            flags = repeats.flags[words]
            below = np.bitwise_count(flags & ((np.uint64(1) << bits) - np.uint64(1)))
            n_before = repeats.before[words] + below
            is_repeated = (flags >> bits & np.uint64(1)).astype(np.bool_)
            origins[left] = places - n_before
            left, at = left[is_repeated], n_before[is_repeated]
            if not left.size:
                return origins
            distances = repeats.low[at] | repeats.high[at].astype(np.int64) << 8
            places = places[is_repeated] - distances
            if distances.min() < 1 or places.min() < 0:
                raise outside()
        return None

    def _every_origin(self, repeats: Repeats) -> I64:
        flags = repeats.flags.view(np.uint8)
        is_repeated = np.unpackbits(flags, count=self._n, bitorder="little").view(np.bool_)
        at = is_repeated.nonzero()[0]
        origins: I64 = (~is_repeated).cumsum() - 1  # arbitrary so far for repeated values
        first = _first_occurrences(self._n, at, repeats.low | repeats.high.astype(np.int64) << 8)
        origins[at] = origins[first]
        return origins


def repeats_of(n: int, flags: bytes, low: U8, high: U8) -> Repeats:
    """Return the repeated ones of a block's n values; raise DamagedTableError if inconsistent.

    `flags` are (n + 7) // 8 bytes with a bit per value, the lowest first; low, high: uint8[r].
    """
    words = np.frombuffer(flags + bytes(-len(flags) % 8), "<u8")
    ones = np.bitwise_count(words)
    before = ones.cumsum(dtype=np.int64)
    n_repeated = int(before[-1])
    if n_repeated != low.size:
        raise DamagedTableError(
            "a block has {count} repeated values, not {repeated}",
            count=n_repeated,
            repeated=low.size,
        )
    if n & 63 and int(words[-1]) >> (n & 63):
        raise outside()
    return Repeats(words, before - ones, low, high)


def outside() -> DamagedTableError:
    return DamagedTableError(tr("a repeated value points outside its block"))


def _first_occurrences(n: int, at: I64, distances: I64) -> I64:
    """Return the place of the first occurrence of each value at `at`, by the distances."""
    sources = at - distances
    if distances.min() < 1 or sources.min() < 0:
        raise outside()
    before = np.arange(n)
    while True:  # each round doubles the number of steps back of every source
        before[at] = sources
        further = before[sources]
        if (further == sources).all():
            return sources
        sources = further
