"""Working arrays of a build: in memory, or in mapped files when they would not fit.

With a limit, arrays that are gone through in order (`stream`) lie in files that are mapped into the
process; who goes through them says which part must be there (tablebase.memory.window). All others
are read and written here and there: they stay in memory as long as the limit has room for them, and
are mapped as well when it has none. Then their pages come and go: whenever the process has more
memory than it may have, all pages of mapped arrays are handed back, and those still needed are read
again. So a layer may be far larger than the memory; what suffers is the time.
"""

import contextlib
import errno
import mmap
import os
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt
import psutil

from engine.files.input_file import open_regular
from tablebase.build_files import explain
from tablebase.memory.code_pages import CodePages
from tablebase.memory.kept_memory import keep_freed_memory

NewArray = Callable[[int, npt.DTypeLike], npt.NDArray[Any]]
"""Makes an array of so many values of a type, not set."""

_PART = 1 << 17  # values handled at once where numpy needs room of its own
_ALWAYS_IN_MEMORY = 1 << 18
LEAST_BYTES = 240_000_000  # Python, the compiler, the tables of rows, and some room
_LEAST_SHARE = 12  # arrays in memory may always take this part of the limit
_STREAM_SHARE = 10  # what is there of streams takes this part of it
_LOOK_EVERY_S = 0.005
_ROOM_SHARE, _LEAST_ROOM = 12, 80_000_000  # kept free: looking now and then, we are late
_CANNOT_RESERVE = {errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP}
_ZEROS = bytes(1 << 20)
_CODE_SHARE = 4  # code goes too when trimming alone does not free this part of what is allowed


class Arrays:
    """Makes the arrays of one build, and keeps its memory within a limit.

    Parameters
    ----------
    folder : Path
        Where the files are made; they vanish with their arrays.
    limit_bytes : int or None
        What the whole process may use; None for as much as it likes. On Windows mapped arrays lie
        in the page file, which keeps to no limit of ours.
    """

    def __init__(self, folder: Path, limit_bytes: int | None) -> None:
        self._folder = folder
        self._limit = limit_bytes
        self._room = 0 if limit_bytes is None else room_in_memory(limit_bytes)
        self._maps: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
        self._in_memory = 0
        self._lock = threading.RLock()  # an array may be collected while its thread holds it
        self._stop = threading.Event()
        self._trimmer = threading.Thread(target=self._trim, name="trimmer", daemon=True)

    def __enter__(self) -> "Arrays":
        if self._limit is None:
            keep_freed_memory()
        elif sys.platform != "win32":
            self._trimmer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        if self._trimmer.is_alive():
            self._trimmer.join()

    @property
    def is_limited(self) -> bool:
        """Tell whether there is a limit."""
        return self._limit is not None

    def zeros(self, n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return an array of `n` zeros."""
        kind = np.dtype(dtype)
        if self._fits(n * kind.itemsize):
            return self._counted(np.zeros(n, kind))
        return np.frombuffer(self._map(n * kind.itemsize), kind)

    def empty(self, n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return an array of `n` values that are not set."""
        kind = np.dtype(dtype)
        if self._fits(n * kind.itemsize):
            return self._counted(np.empty(n, kind))
        return np.frombuffer(self._map(n * kind.itemsize), kind)

    def stream(self, n: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return an array that is gone through in order, of `n` values that are not set."""
        kind = np.dtype(dtype)
        if self._limit is None or n * kind.itemsize <= _ALWAYS_IN_MEMORY:
            return np.empty(n, kind)
        return np.frombuffer(self._map(n * kind.itemsize), kind)

    @property
    def stream_bytes(self) -> int | None:
        """Return how much of streams may be in memory together; None for all of it."""
        return None if self._limit is None else self._limit // _STREAM_SHARE

    @property
    def bytes_left(self) -> int | None:
        """Return how much of streams may be there while no array in memory is made; None: all."""
        if self._limit is None:
            return None
        return self._limit // _STREAM_SHARE + max(0, self._room - self._in_memory)

    def read_file(self, path: Path) -> bytes | memoryview:
        """Return the bytes of a whole file, mapped if it is large; raise OSError."""
        with open_regular(path) as file:
            if self._fits(os.fstat(file.fileno()).st_size) or sys.platform == "win32":
                return file.read()
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        with self._lock:
            self._maps.add(mapped)
        return memoryview(mapped)

    def _fits(self, n_bytes: int) -> bool:
        if self._limit is None or n_bytes <= _ALWAYS_IN_MEMORY:
            return True
        return self._in_memory + n_bytes <= self._room

    def _counted(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Count an array while it lives, unless it is too small to matter."""
        if self._limit is not None and array.nbytes > _ALWAYS_IN_MEMORY:
            self._count(array.nbytes)
            weakref.finalize(array, self._count, -array.nbytes).atexit = False
        return array

    def _count(self, n_bytes: int) -> None:
        with self._lock:
            self._in_memory += n_bytes

    def _map(self, n_bytes: int) -> mmap.mmap:
        if sys.platform == "win32":
            return mmap.mmap(-1, n_bytes)
        try:
            with tempfile.TemporaryFile(dir=self._folder, prefix="array-") as file:
                reserve(file.fileno(), n_bytes)
                mapped = mmap.mmap(file.fileno(), n_bytes)
        except OSError as error:
            raise explain(error, self._folder) from error
        with self._lock:
            self._maps.add(mapped)
        return mapped

    def _trim(self) -> None:
        process = psutil.Process()
        assert self._limit is not None
        most = _most(self._limit)
        code = CodePages()
        while not self._stop.wait(_LOOK_EVERY_S):
            if process.memory_info().rss <= most:
                continue
            self._hand_back()
            if process.memory_info().rss > most - most // _CODE_SHARE:
                code.forget()

    def _hand_back(self) -> None:
        """Hand back all pages of mapped arrays; a function, for what it names would live on."""
        with self._lock:
            maps = list(self._maps)
        for mapped in maps:
            with contextlib.suppress(ValueError, OSError):  # closed meanwhile
                mapped.madvise(mmap.MADV_DONTNEED)


def room_in_memory(limit: int) -> int:
    """Return how much of a limit arrays in memory may take together."""
    left = _most(limit) - LEAST_BYTES - limit // _STREAM_SHARE
    return max(limit // _LEAST_SHARE, left)


def _most(limit: int) -> int:
    """Return from which memory of the process on pages are handed back."""
    return limit - max(limit // _ROOM_SHARE, _LEAST_ROOM)


def reserve(descriptor: int, n_bytes: int) -> None:
    """Make an empty file so long, with room on the drive for all of it now; raise OSError.

    A write into a mapped page that the drive has no room for would kill the process.
    """
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(descriptor, 0, n_bytes)
            return
        except OSError as error:
            if error.errno not in _CANNOT_RESERVE:
                raise
    for start in range(0, n_bytes, len(_ZEROS)):  # macOS, and some file systems elsewhere
        piece = memoryview(_ZEROS)[: n_bytes - start]
        while piece:
            piece = piece[os.write(descriptor, piece) :]


def parts(n: int) -> Iterator[slice]:
    """Yield slices that cover `n` values, none so long that what numpy makes of it matters."""
    for start in range(0, n, _PART):
        yield slice(start, min(start + _PART, n))
