"""Working arrays of a build: in memory, or in mapped files when they would not fit.

With a limit, arrays that are processed in order (`stream`) are in files that are mapped into the
process; their user says which part must be in memory (tablebase.build.layer_window). The others
have random access: they stay in memory as long as the limit has room for them, and otherwise are
mapped as well. Then their pages come and go: before a step for which there is no room, all pages of
mapped arrays are released (tablebase.memory.trimmer), and those still needed are read again. So a
layer may be far larger than memory; only the time suffers.
"""

import contextlib
import ctypes
import errno
import mmap
import os
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from engine.platform.array_types import U8
from engine.platform.files.input_file import open_regular
from tablebase.build_files import explain
from tablebase.memory.trimmer import Trimmer, most_before_trimming


class SpoolPlace(NamedTuple):
    """The place of some numbers: offset in bytes, count, and type."""

    begin: int
    n: int
    dtype: np.dtype[Any]


class Spool:
    """A file without a name, created when the first numbers come; several threads may use it.

    The file is deleted on closing. Until then its space is reused: overwriting takes an eighth of
    the time.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: Any = None
        self._end = 0
        self._lock = threading.Lock()  # Windows can only read and write at the file's position

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def clear(self) -> None:
        self._end = 0

    def add(self, numbers: npt.NDArray[Any]) -> SpoolPlace:
        """Append numbers; raise DiskFullError or BuildRefusedError."""
        with self._lock:
            begin = self._end
            left = numbers.data.cast("B")
            try:
                if self._file is None:
                    self._file = tempfile.TemporaryFile(  # noqa: SIM115
                        dir=self._folder, prefix="spool-", buffering=0
                    )
                self._file.seek(begin)
                while left:
                    left = left[self._file.write(left) :]
            except OSError as error:
                raise explain(error, self._folder) from error
            self._end += numbers.nbytes
        return SpoolPlace(begin, numbers.size, numbers.dtype)

    def read(self, place: SpoolPlace) -> npt.NDArray[Any]:
        numbers = np.empty(place.n, place.dtype)
        left = numbers.data.cast("B")
        with self._lock:
            self._file.seek(place.begin)
            while left:
                got = self._file.readinto(left)
                if not got:
                    raise EOFError(self._folder)
                left = left[got:]
        return numbers


NewArray = Callable[[int, npt.DTypeLike], npt.NDArray[Any]]
"""Makes an array of n uninitialized values of a type."""

_Step = TypeVar("_Step")

_PART = 1 << 17  # values processed at once where numpy needs temporary memory
_ALWAYS_IN_MEMORY = 1 << 18
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # from malloc.h
_MAX_TRIM_THRESHOLD, _MAX_MMAP_THRESHOLD_OF_OLDER = (1 << 31) - 1, 32 << 20
_ROOM = 512 << 20
MIN_BYTES = 240_000_000  # Python, the compiler, the tables of rows, and a margin
_MIN_SHARE = 12  # arrays in memory may always take this fraction of the limit
_STREAM_SHARE = 10  # streams in memory take this fraction of it
_LENT_SHARE = 0.7
_CANNOT_RESERVE = {errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP}
_ZEROS = bytes(1 << 20)
_MIN_SPARE, _MAX_SPARES = 4 << 20, 2
_SPARE_ROOM, _SPARE_WASTE = 1.25, 1.5  # for the next layer, which may be larger, or smaller


class Arrays:
    """Makes the arrays of one build, and keeps the process within `limit_bytes`; None for no limit.

    The files are in `folder`, and are deleted with their arrays; `spool` keeps waiting numbers in
    one. `held_bytes` is memory that is neither an array made here nor used by every program, such
    as blocks. On Windows mapped arrays are in the page file, which obeys no limit of ours.
    """

    def __init__(self, folder: Path, limit_bytes: int | None, held_bytes: int = 0) -> None:
        self._folder = folder
        self._limit = limit_bytes
        self._room = 0 if limit_bytes is None else room_in_memory(limit_bytes, held_bytes)
        self._maps: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
        self._in_memory = 0
        self._spares: list[_Spare] = []
        self._files = _Files(folder)
        self.spool = Spool(folder)
        self._lock = threading.RLock()  # an array may be collected while its thread holds the lock
        self._trimmer = None if limit_bytes is None else Trimmer(limit_bytes, self._hand_back)

    def __enter__(self) -> "Arrays":
        if self._trimmer is None:
            _keep_freed_memory()
        else:
            self._trimmer.start()
        return self

    def __exit__(self, *_error: object) -> None:
        if self._trimmer is not None:
            self._trimmer.stop()
        self._files.close()
        self.spool.close()

    @property
    def is_limited(self) -> bool:
        return self._limit is not None

    def zeros(self, n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        kind = np.dtype(dtype)
        if self._fits(n * kind.itemsize):
            return self._counted(np.zeros(n, kind))
        return np.frombuffer(self._map(n * kind.itemsize), kind)

    def empty(self, n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        kind = np.dtype(dtype)
        n_bytes = n * kind.itemsize
        if not self._fits(n_bytes):
            return self.stream(n, kind)
        if self._limit is None or n_bytes < _MIN_SPARE:
            return self._counted(np.empty(n, kind))
        spare = self._spare_for(n_bytes)
        array = np.frombuffer(spare.memory[:n_bytes].data, kind)
        weakref.finalize(array, self._put_aside, spare).atexit = False
        return array

    def stream(self, n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        kind = np.dtype(dtype)
        n_bytes = n * kind.itemsize
        if self._limit is None or n_bytes <= _ALWAYS_IN_MEMORY:
            return np.empty(n, kind)
        if sys.platform == "win32":
            return np.frombuffer(self._map(n_bytes), kind)
        file = self._files.take(n_bytes)
        try:
            array = np.frombuffer(self._mapped(file, n_bytes), kind)
        except BaseException:
            self._files.give_back(file)
            raise
        weakref.finalize(array, self._files.give_back, file).atexit = False
        return array

    def has_room(self, n_bytes: int) -> bool:
        return self._limit is None or self._in_memory + n_bytes <= self._room

    @property
    def stream_bytes(self) -> int | None:
        """Return the bytes of streams that may be in memory together; None for all."""
        return None if self._limit is None else self._limit // _STREAM_SHARE

    @contextlib.contextmanager
    def lent(self) -> Iterator[int | None]:
        """Yield the bytes of streams that may be in memory in this context; None for all.

        This is more than `stream_bytes`: most of the memory that arrays leave free now.
        """
        if self._limit is None:
            yield None
            return
        with self._lock:
            more = int(_LENT_SHARE * max(0, self._room - self._in_memory))
            self._drop_spares(more)
            self._count(more)
        try:
            yield self._limit // _STREAM_SHARE + more
        finally:
            self._count(-more)

    def make_room(self, n_bytes: int = 0) -> None:
        """Release mapped pages unless a step of work has `step_room` and `n_bytes` in addition."""
        if self._trimmer is not None:
            self._trimmer.make_room(max(n_bytes, 0))

    @property
    def is_tight(self) -> bool:
        """Return whether all mapped arrays at once may not fit beside the others."""
        if self._trimmer is None:
            return False
        with self._lock:
            n_bytes = self._in_memory + sum(len(mapped) for mapped in self._maps)
        return not self._trimmer.has_room(n_bytes)

    @property
    def step_room(self) -> int:
        """Return the bytes that the steps of all threads together may bring in."""
        return 0 if self._trimmer is None else self._trimmer.step_room

    @property
    def resident_bytes(self) -> int:
        return 0 if self._trimmer is None else self._trimmer.resident_bytes

    def with_room(self, steps: Iterable[_Step]) -> Iterator[_Step]:
        self.make_room()
        for step in steps:
            yield step
            self.make_room()

    def steps(self, n: int, size: int = _PART) -> Iterator[slice]:
        """Yield slices that cover `n` values, making room before each; just one if unlimited.

        A slice has `size` values; use fewer if each of them needs further values.
        """
        return self.with_room(parts(n, n or 1 if self._limit is None else size))

    def read_file(self, path: Path) -> bytes | memoryview:
        """Return the bytes of a file, mapped if it is large and there is a limit; raise OSError."""
        with open_regular(path) as file:
            is_small = os.fstat(file.fileno()).st_size <= _ALWAYS_IN_MEMORY
            if self._limit is None or is_small or sys.platform == "win32":
                return file.read()
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        with self._lock:
            self._maps.add(mapped)
        return memoryview(mapped)

    def _fits(self, n_bytes: int) -> bool:
        return n_bytes <= _ALWAYS_IN_MEMORY or self.has_room(n_bytes)

    def _spare_for(self, n_bytes: int) -> "_Spare":
        with self._lock:
            good = (i for i, candidate in enumerate(self._spares) if candidate.is_good_for(n_bytes))
            place = next(good, None)
            if place is None:
                spare = _Spare(_new_memory(int(_SPARE_ROOM * n_bytes)), 0)
            else:
                spare = self._spares.pop(place)
            spare = spare._replace(used=max(spare.used, n_bytes))
            self._drop_spares(spare.used)
            self._count(spare.used)
        self.make_room(n_bytes)
        return spare

    def _put_aside(self, spare: "_Spare") -> None:
        with self._lock:
            self._count(-spare.used)
            self._spares = [spare, *self._spares][:_MAX_SPARES]

    def _drop_spares(self, n_bytes: int) -> None:
        while self._spares:
            aside = sum(spare.used for spare in self._spares)
            if self.has_room(n_bytes + aside):
                return
            self._spares.pop()

    def _counted(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Count an array during its lifetime, unless it is too small to matter."""
        if self._limit is not None and array.nbytes > _ALWAYS_IN_MEMORY:
            with self._lock:
                self._drop_spares(array.nbytes)
                self._count(array.nbytes)
            weakref.finalize(array, self._count, -array.nbytes).atexit = False
            self.make_room(array.nbytes)
        return array

    def _count(self, n_bytes: int) -> None:
        with self._lock:
            self._in_memory += n_bytes

    def _map(self, n_bytes: int) -> mmap.mmap:
        if sys.platform == "win32":
            return mmap.mmap(-1, n_bytes)
        with _new_file(self._folder) as file:
            return self._mapped(file, n_bytes)

    def _mapped(self, file: BinaryIO, n_bytes: int) -> mmap.mmap:
        """Map a file, after reserving space on the drive for all of it."""
        try:
            reserve(file.fileno(), n_bytes)
            mapped = mmap.mmap(file.fileno(), n_bytes)
        except OSError as error:
            raise explain(error, self._folder) from error
        with self._lock:
            self._maps.add(mapped)
        return mapped

    def _hand_back(self) -> None:
        """Release all pages of mapped arrays; a method, so that its locals do not live on."""
        with self._lock:
            maps = list(self._maps)
        for mapped in maps:
            with contextlib.suppress(ValueError, OSError):  # closed meanwhile
                mapped.madvise(mmap.MADV_DONTNEED)


class _Spare(NamedTuple):
    """Memory of a deleted array, of which so many bytes were used: the other pages do not exist.

    The system creates the pages of new memory one by one, filled with zeros, which on a virtual
    machine takes nearly as long as computing the values to store.
    """

    memory: U8
    used: int

    def is_good_for(self, n_bytes: int) -> bool:
        return n_bytes <= self.memory.size and self.used <= _SPARE_WASTE * n_bytes


class _Files:
    """Files without names that arrays are mapped from, one after the other.

    Their pages already exist in the system's memory: creating them takes far more time than all the
    work on them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._free: list[BinaryIO] = []
        self._is_closed = False
        self._lock = threading.RLock()

    def take(self, n_bytes: int) -> BinaryIO:
        with self._lock:
            if not self._free:
                return _new_file(self._folder)
            sizes = [os.fstat(file.fileno()).st_size for file in self._free]
            best = min(
                range(len(sizes)), key=lambda i: (sizes[i] < n_bytes, abs(sizes[i] - n_bytes))
            )
            return self._free.pop(best)

    def give_back(self, file: BinaryIO) -> None:
        with self._lock:
            if self._is_closed:
                file.close()
            else:
                self._free.append(file)

    def close(self) -> None:
        """Close all files, those still in use later."""
        with self._lock:
            self._is_closed = True
            for file in self._free:
                file.close()


def _new_memory(n_bytes: int) -> U8:
    """Return memory whose pages are only created when used."""
    return np.empty(n_bytes, np.uint8)


def _new_file(folder: Path) -> BinaryIO:
    try:
        return tempfile.TemporaryFile(dir=folder, prefix="array-")
    except OSError as error:
        raise explain(error, folder) from error


def room_in_memory(limit: int, held: int = 0) -> int:
    """Return the bytes of a limit that arrays in memory may take beside `held` bytes."""
    left = most_before_trimming(limit) - MIN_BYTES - held - limit // _STREAM_SHARE
    return max(limit // _MIN_SHARE, left)


def reserve(descriptor: int, n_bytes: int) -> None:
    """Make a file at least `n_bytes` long, reserving space on the drive; raise OSError.

    A write into a mapped page without space on the drive would kill the process.
    """
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(descriptor, 0, n_bytes)
            return
        except OSError as error:
            if error.errno not in _CANNOT_RESERVE:
                raise
    there = os.lseek(descriptor, 0, os.SEEK_END)
    for start in range(there, n_bytes, len(_ZEROS)):  # macOS, and some file systems elsewhere
        piece = memoryview(_ZEROS)[: n_bytes - start]
        while piece:
            piece = piece[os.write(descriptor, piece) :]


def parts(n: int, size: int = _PART) -> Iterator[slice]:
    """Yield slices that cover `n` values, short enough that numpy's temporary memory is small."""
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def _keep_freed_memory() -> None:
    """Let this process keep the memory it frees, in one heap; do nothing without glibc.

    glibc returns the memory of a large array to the system at once, and the next array's pages are
    created anew, filled with zeros and mapped one by one: 5 % of the time of a build with small
    layers.
    """
    if sys.platform != "linux":
        return
    try:
        libc = ctypes.CDLL(None)
        mallopt = libc.mallopt
    except (OSError, AttributeError):
        return
    mallopt(_TRIM_THRESHOLD, _MAX_TRIM_THRESHOLD)
    if not mallopt(_MMAP_THRESHOLD, 1 << 30):
        mallopt(_MMAP_THRESHOLD, _MAX_MMAP_THRESHOLD_OF_OLDER)
    mallopt(_ARENA_MAX, 1)
    _ask_for_large_pages(libc)


def _ask_for_large_pages(libc: ctypes.CDLL) -> None:
    """Make the heap grow by large pages from now on, where the system offers them on request.

    Lookups all over a layer then find the page faster, and fewer pages have to be created.
    """
    libc.malloc.restype = ctypes.c_void_p
    libc.malloc.argtypes = [ctypes.c_size_t]
    room = libc.malloc(_ROOM)  # only address space, until it is written to
    if room:
        first = -(-room // mmap.PAGESIZE) * mmap.PAGESIZE
        size = (room + _ROOM - first) // mmap.PAGESIZE * mmap.PAGESIZE
        libc.madvise(ctypes.c_void_p(first), ctypes.c_size_t(size), mmap.MADV_HUGEPAGE)
        libc.free(ctypes.c_void_p(room))
