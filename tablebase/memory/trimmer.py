"""Keeps a process within its memory limit by releasing pages of mapped arrays.

Work is done in steps, and room is made before each. The memory that a step brings in is bounded by
its work, not by its duration: however late the system schedules a thread, the process never exceeds
the limit. For work that is not done in steps a thread checks now and then.
"""

import contextlib
import ctypes
import mmap
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil

_LOOK_EVERY_S = 0.005
_ROOM_SHARE, _MIN_ROOM = 12, 80_000_000  # kept free for the steps of all threads
_MIN_SHARE = 4  # this fraction of that room is worth releasing; there may be less
_CODE_SHARE = 4  # code is released too if trimming alone does not free this fraction of the limit
_MIN_BYTES = 1 << 20  # smaller mappings are not worth a call


class Trimmer:
    """Has `hand_back` release all pages of mapped arrays if needed, between `start` and `stop`.

    The limit is for the whole process; `step_room` is the least room of it after `make_room`.
    """

    def __init__(self, limit_bytes: int, hand_back: Callable[[], None]) -> None:
        self._most = most_before_trimming(limit_bytes)
        self.step_room = limit_bytes - self._most
        self._least = self.step_room // _MIN_SHARE
        self._left = 0  # bytes of files that remain after releasing all pages
        self._hand_back = hand_back
        self._resident: ResidentMemory | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, name="trimmer", daemon=True)

    def start(self) -> None:
        """Begin; on Windows nothing is ever released."""
        if sys.platform != "win32":
            self._code, self._resident = CodePages(), ResidentMemory()
            self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        with self._lock:
            resident, self._resident = self._resident, None
        if resident is not None:
            resident.close()

    @property
    def resident_bytes(self) -> int:
        """Return the present memory of the process; 0 if nothing is ever released."""
        resident = self._resident
        return 0 if resident is None else resident.n_bytes

    def has_room(self, n_bytes: int) -> bool:
        return self.resident_bytes + n_bytes <= self._most

    def make_room(self, n_bytes: int = 0) -> None:
        """Release pages unless `step_room` and `n_bytes` are left of the limit.

        Not if there are hardly any: the remaining ones are not pages of arrays.
        """
        if self._resident is None:
            return
        with self._lock:
            if self._resident is None or self._resident.n_bytes + n_bytes <= self._most:
                return
            if self._resident.mapped_bytes < self._left + self._least:
                return
            self._hand_back()
            if self._resident.n_bytes > self._most - self._most // _CODE_SHARE:
                self._code.forget()
            mapped = self._resident.mapped_bytes  # other threads may have brought in some already
            self._left = min(self._left or mapped, mapped)

    def _look(self) -> None:
        while not self._stop.wait(_LOOK_EVERY_S):
            self.make_room()


def most_before_trimming(limit: int) -> int:
    """Return the memory of the process above which pages are released."""
    return limit - max(limit // _ROOM_SHARE, _MIN_ROOM)


class ResidentMemory:
    """The present memory of the process.

    On Linux it is read from a file that stays open, which takes a tenth of the time.
    """

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._counts = -1
        if sys.platform == "linux":
            with contextlib.suppress(OSError):
                self._counts = os.open("/proc/self/statm", os.O_RDONLY)

    def close(self) -> None:
        if self._counts >= 0:
            os.close(self._counts)

    @property
    def n_bytes(self) -> int:
        if self._counts < 0:
            rss: int = self._process.memory_info().rss
            return rss
        return self._pages_in_bytes(1)

    @property
    def mapped_bytes(self) -> int:
        """Return the bytes in pages of files, or all if the system does not say."""
        return self.n_bytes if self._counts < 0 else self._pages_in_bytes(2)

    def _pages_in_bytes(self, i: int) -> int:
        return int(os.pread(self._counts, 100, 0).split()[i]) * mmap.PAGESIZE


class CodePages:
    """The pages of the loaded libraries that are unchanged from their files.

    The compiler brings 80 MB of code, hardly a page of which is used once everything is compiled.
    Linux drops such pages when memory runs short, but not when only our own limit does. A mapping
    that is writable, or has a single changed page, is left alone. There are none if the system does
    not report them, in its folder about this process.
    """

    def __init__(self, process: Path = Path("/proc/self")) -> None:
        self._maps = process / "maps"
        self._mappings: dict[str, tuple[int, int]] = {}
        if sys.platform == "linux":
            try:
                lines = (process / "smaps").read_text().splitlines()
                self._call = ctypes.PyDLL(None).madvise  # so short that others may wait
                self._call.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
                self._mappings = dict(_unchanged(lines))
            except (OSError, AttributeError, ValueError):
                return

    def forget(self) -> None:
        """Release the pages that still exist; needed ones are read from the files again."""
        if sys.platform == "linux":
            for start, size in self.there():
                self._call(start, size, mmap.MADV_DONTNEED)

    def there(self) -> list[tuple[int, int]]:
        """Return start and size of the mappings that are still as they were found.

        A library may have been unloaded, and its addresses reused for data: releasing those would
        turn them into zeros.
        """
        if not self._mappings:
            return []
        try:
            lines = self._maps.read_text().splitlines()
        except (OSError, ValueError):
            return []
        return [self._mappings[line] for line in lines if line in self._mappings]


def _unchanged(lines: list[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield read-only, unchanged mappings of libraries: line, start, size."""
    start = size = 0
    header = ""
    for line in lines:
        words = line.split(maxsplit=5)  # the file's name may have spaces
        if "-" in words[0]:  # a new mapping: range, permissions, offset, device, inode, file
            start = size = 0
            header = line
            is_library = len(words) > 5 and ".so" in Path(words[5]).name
            if is_library and words[1] in ("r-xp", "r--p"):
                start, end = (int(word, 16) for word in words[0].split("-"))
                size = end - start
        elif words[0] == "Anonymous:" and words[1] == "0" and size >= _MIN_BYTES:
            yield header, (start, size)
