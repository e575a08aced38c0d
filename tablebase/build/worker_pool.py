"""Several threads on the blocks of one layer, and bitmaps that they may all write to.

The kernels release the GIL, so ordinary threads do the work. Chunks are handed out as threads
become free; the result does not depend on it, because every value is computed by one thread from
finished ones, and bits are only ever added.
"""

import itertools
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from engine.platform.language import tr
from tablebase.errors import BuildCancelledError
from tablebase.kernels.bits import U64, bitmap_words, or_all
from tablebase.memory.arrays import Arrays
from tablebase.rank.kernel_tables import I64, Blocks

_PRIVATE_BITMAP_BYTES = 64 << 20
_CHUNKS_PER_THREAD = 8
_MIN_CHUNK_SLOTS = 1 << 18  # a smaller chunk is not worth handing to another thread
_MAX_CHUNK_SLOTS = 1 << 24  # takes a fraction of a second, the delay of a request to stop
_STEP_SLOTS, _MAX_STEPS = 1 << 15, 1 << 16  # where memory is short

Work = Callable[[int, int, int], None]
Band = tuple[int, int]


class LayerPool:
    """Threads, the caller's included, that share blocks: in small steps if memory is short."""

    def __init__(
        self, n_threads: int, is_cancelled: Callable[[], bool], arrays: Arrays | None = None
    ) -> None:
        self.n_threads = n_threads
        self._is_cancelled = is_cancelled
        self._arrays = arrays if arrays and arrays.is_limited else None
        self._most_grown = 0  # the most memory that a step has brought in so far
        self._pool = ThreadPoolExecutor(max(n_threads - 1, 1), thread_name_prefix="layer")

    def __enter__(self) -> "LayerPool":
        return self

    def __exit__(self, *_error: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def run(self, blocks: Blocks, n_slots: int, work: Work, band: Band | None = None) -> None:
        """Call ``work(worker, lo, hi)`` for ranges ``lo .. hi`` that cover a band, or all, once.

        `worker` is the number of the calling thread, below `n_threads`. After BuildCancelledError
        some ranges were left out.
        """
        band = band or (0, blocks.start.size)
        begin, end = slots_of(blocks, n_slots, band)
        self._share(cut(blocks, n_slots, band, self._chunk_slots(end - begin)), work)

    def run_in_order(self, sizes: I64, work: Work) -> None:
        """The blocks are numbered in the order in which a single thread works through them."""
        ends = np.cumsum(sizes)
        n_slots = int(ends[-1]) if ends.size else 0
        every = np.arange(0, n_slots, self._chunk_slots(n_slots))
        cuts = sorted({*np.searchsorted(ends, every, "right").tolist(), ends.size})
        self._share(list(itertools.pairwise(cuts)), work)

    def _chunk_slots(self, n_slots: int) -> int:
        if self._arrays and self._arrays.is_tight:
            return max(_STEP_SLOTS, n_slots // _MAX_STEPS)
        size = n_slots // (self.n_threads * _CHUNKS_PER_THREAD)
        return min(max(size, _MIN_CHUNK_SLOTS), _MAX_CHUNK_SLOTS)

    def run_each(self, n: int, work: Callable[[int, int], None]) -> None:
        self._share([(i, i + 1) for i in range(n)], lambda worker, i, _: work(worker, i))

    def _share(self, every: Sequence[Band], work: Work) -> None:
        check_stop(self._is_cancelled)
        if len(every) == 1:
            self._step(work, 0, every[0])
            return
        ranges = iter(every)
        futures = [
            self._pool.submit(self._work_through, ranges, work, worker)
            for worker in range(1, self.n_threads)
        ]
        try:
            self._work_through(ranges, work, 0)
        finally:
            for future in futures:
                future.result()

    def bitmap_for(self, n_slots: int, arrays: Arrays) -> "SharedBitmap":
        fits = self.n_threads * (n_slots // 8 + 1) <= _PRIVATE_BITMAP_BYTES
        n_copies = self.n_threads if fits and not arrays.is_limited else 1
        return SharedBitmap(n_slots, n_copies, self, arrays)

    def _step(self, work: Work, worker: int, own: Band) -> None:
        """First make room for all that comes into memory meanwhile, from other threads as well."""
        arrays = self._arrays
        if arrays is None:
            work(worker, *own)
            return
        arrays.make_room(2 * self._most_grown - arrays.step_room)
        before = arrays.resident_bytes
        work(worker, *own)
        self._most_grown = max(self._most_grown, arrays.resident_bytes - before)

    def _work_through(self, ranges: Iterator[Band], work: Work, worker: int) -> None:
        while True:
            try:
                own = next(ranges)  # a list's iterator hands each range to one thread
            except StopIteration:
                return
            check_stop(self._is_cancelled)
            self._step(work, worker, own)


def check_stop(is_cancelled: Callable[[], bool]) -> None:
    if is_cancelled():
        raise BuildCancelledError(tr("stopped; everything finished so far is kept"))


def slots_of(blocks: Blocks, n_slots: int, band: Band) -> tuple[int, int]:
    first, last = band
    n_blocks = blocks.start.size
    begin = int(blocks.start[first]) if first < n_blocks else n_slots
    return begin, int(blocks.start[last]) if last < n_blocks else n_slots


def cut(blocks: Blocks, n_slots: int, band: Band, size: int) -> list[Band]:
    begin, end = slots_of(blocks, n_slots, band)
    cuts = [bisect_left(blocks.start, slot) for slot in range(begin + size, end, max(size, 1))]
    inner = sorted({bound for bound in cuts if band[0] < bound < band[1]})
    return list(itertools.pairwise([band[0], *inner, band[1]]))


def halved(blocks: Blocks, n_slots: int, band: Band) -> int:
    begin, end = slots_of(blocks, n_slots, band)
    middle = bisect_left(blocks.start, (begin + end) // 2)
    return min(max(middle, band[0] + 1), band[1] - 1)


class SharedBitmap:
    """A bitmap that several threads add to, each in its own copy if memory suffices."""

    def __init__(self, n_slots: int, n_copies: int, pool: LayerPool, arrays: Arrays) -> None:
        n_words = bitmap_words(n_slots)
        self._copies = arrays.zeros(n_copies * n_words, np.uint64).reshape(n_copies, n_words)
        self.is_shared = n_copies == 1 and pool.n_threads > 1

    def of(self, worker: int) -> U64:
        """Return the copy that a thread may write to; with `is_shared` only atomically."""
        copy: U64 = self._copies[0 if len(self._copies) == 1 else worker]
        return copy

    def merged(self) -> U64:
        if len(self._copies) > 1:
            or_all(self._copies[0], self._copies[1:])
        whole: U64 = self._copies[0]
        return whole
