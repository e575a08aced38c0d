"""Garbage is collected on the thread of the window alone, and not while something large is loaded.

Python collects on whatever thread happens to allocate. Widgets refer to each other in circles, and
Qt may crash where one is deleted on another thread than its own.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from PySide6.QtCore import QObject, QTimer

_INTERVAL_MS = 500


class GarbageCollector(QObject):
    """Takes the place of Python's own collector in a process with a window, until it is closed.

    It keeps to the thresholds of `gc.get_threshold`.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self.collect_if_due)
        self._timer.start()

    def collect_if_due(self) -> None:
        """Collect the oldest generation with more objects than its threshold, if any."""
        limits = gc.get_threshold()
        if not limits[0]:
            return
        counts = gc.get_count()
        due = [i for i, (n, limit) in enumerate(zip(counts, limits, strict=True)) if n > limit]
        if due:
            gc.collect(due[-1])

    def close(self) -> None:
        self._timer.stop()
        gc.enable()


class _Pauses:
    """How many threads load something large now; there is one in a process, like the collector."""

    def __init__(self) -> None:
        self._lock, self._n, self._limits = Lock(), 0, gc.get_threshold()

    def begin(self) -> None:
        with self._lock:
            if not self._n:
                self._limits = gc.get_threshold()
                gc.set_threshold(0)
            self._n += 1

    def end(self) -> None:
        with self._lock:
            self._n -= 1
            gc.freeze()
            if not self._n:
                gc.set_threshold(*self._limits)


_PAUSES: Final = _Pauses()


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause garbage collection while loading something permanent, and exempt it afterward.

    A collection scans all objects while every thread waits: with the compiler loaded that takes a
    quarter of a second, several times during loading and now and then afterward. Several threads
    may load at a time.
    """
    _PAUSES.begin()
    try:
        yield
    finally:
        _PAUSES.end()
