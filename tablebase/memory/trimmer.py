"""Keeps a process within its memory limit by releasing pages of mapped arrays.

Work is done in steps, and room is made before each. The memory that a step brings in is bounded by
its work, not by its duration: however late the system schedules a thread, the process never exceeds
the limit. For work that is not done in steps a thread checks now and then.
"""

import sys
import threading
from collections.abc import Callable

from tablebase.memory.code_pages import CodePages
from tablebase.memory.resident import ResidentMemory

_LOOK_EVERY_S = 0.005
_ROOM_SHARE, _MIN_ROOM = 12, 80_000_000  # kept free for the steps of all threads
_MIN_SHARE = 4  # this fraction of that room is worth releasing; there may be less
_CODE_SHARE = 4  # code is released too if trimming alone does not free this fraction of the limit


class Trimmer:
    """Has pages released, between `start` and `stop`.

    Parameters
    ----------
    limit_bytes : int
        Memory limit of the whole process.
    hand_back : callable
        Releases all pages of mapped arrays.

    Attributes
    ----------
    kept_free : int
        The least room after `make_room`.
    """

    def __init__(self, limit_bytes: int, hand_back: Callable[[], None]) -> None:
        self._most = most_before_trimming(limit_bytes)
        self.kept_free = limit_bytes - self._most
        self._least = self.kept_free // _MIN_SHARE
        self._left = 0  # bytes of files that remain after releasing all pages
        self._hand_back = hand_back
        self._resident: ResidentMemory | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, name="trimmer", daemon=True)

    def start(self) -> None:
        """Begin; on Windows nothing is ever released."""
        if sys.platform != "win32":
            self._code, self._resident = CodePages(), ResidentMemory().__enter__()
            self._thread.start()

    def stop(self) -> None:
        """Stop releasing pages."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        with self._lock:
            resident, self._resident = self._resident, None
        if resident is not None:
            resident.__exit__()

    @property
    def resident_bytes(self) -> int:
        """Return the present memory of the process; 0 if nothing is ever released."""
        resident = self._resident
        return 0 if resident is None else resident.n_bytes

    def has_room(self, n_bytes: int) -> bool:
        """Return whether `n_bytes` more would leave `kept_free` of the limit."""
        return self.resident_bytes + n_bytes <= self._most

    def make_room(self, n_bytes: int = 0) -> None:
        """Release pages unless `kept_free` and `n_bytes` are left of the limit.

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
