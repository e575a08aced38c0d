"""Keeps a process within its memory by handing back pages of mapped arrays.

Work is done in steps, and whoever does it makes room before each. What a step brings in is bounded
by what it does, not by how long it takes: however late the system gives a thread its turn, the
process never has more than the limit. For what is not done in steps a thread looks now and then.
"""

import sys
import threading
from collections.abc import Callable

from tablebase.memory.code_pages import CodePages
from tablebase.memory.resident import ResidentMemory

_LOOK_EVERY_S = 0.005
_ROOM_SHARE, _LEAST_ROOM = 12, 80_000_000  # kept free, for what the steps of all threads bring in
_LEAST_SHARE = 4  # this part of that room is worth handing back; less may be all there is
_CODE_SHARE = 4  # code goes too when trimming alone does not free this part of what is allowed


class Trimmer:
    """Has pages handed back, between `start` and `stop`.

    Parameters
    ----------
    limit_bytes : int
        What the whole process may use.
    hand_back : callable
        Hands back all pages of mapped arrays.

    Attributes
    ----------
    kept_free : int
        What there is room for after `make_room` at least.
    """

    def __init__(self, limit_bytes: int, hand_back: Callable[[], None]) -> None:
        self._most = most_before_trimming(limit_bytes)
        self.kept_free = limit_bytes - self._most
        self._least = self.kept_free // _LEAST_SHARE
        self._left = 0  # what of files is there at least when all pages were handed back
        self._hand_back = hand_back
        self._resident: ResidentMemory | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, name="trimmer", daemon=True)

    def start(self) -> None:
        """Begin; on Windows nothing is ever handed back."""
        if sys.platform != "win32":
            self._code, self._resident = CodePages(), ResidentMemory().__enter__()
            self._thread.start()

    def stop(self) -> None:
        """Hand nothing back any more."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        with self._lock:
            resident, self._resident = self._resident, None
        if resident is not None:
            resident.__exit__()

    @property
    def resident_bytes(self) -> int:
        """Return what the process has now; 0 where nothing is ever handed back."""
        resident = self._resident
        return 0 if resident is None else resident.n_bytes

    def has_room(self, n_bytes: int) -> bool:
        """Tell whether so much more would leave `kept_free` of the limit."""
        return self.resident_bytes + n_bytes <= self._most

    def make_room(self, n_bytes: int = 0) -> None:
        """Hand pages back if there is not `kept_free` left of the limit, and `n_bytes` besides.

        Not if hardly any are there: what is left then is no pages of arrays.
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
            mapped = self._resident.mapped_bytes  # others may have brought in some already
            self._left = min(self._left or mapped, mapped)

    def _look(self) -> None:
        while not self._stop.wait(_LOOK_EVERY_S):
            self.make_room()


def most_before_trimming(limit: int) -> int:
    """Return from which memory of the process on pages are handed back."""
    return limit - max(limit // _ROOM_SHARE, _LEAST_ROOM)
