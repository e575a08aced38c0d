"""What earlier versions wrote is read in: its progress, its warnings, and how to stop it."""

import threading

from PySide6.QtCore import QObject, Signal

from coach.old_files.reading import Watch

_MIN_STEP = 0.01


class OldData(QObject):
    """Follows the reading, which runs on the thread that first needs the user's database."""

    progressed = Signal(float)  # the share done; 1 at the end
    finished = Signal()
    warned = Signal(str)  # what was left out

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_stopped = threading.Event()
        self._shown = 0.0

    @property
    def watch(self) -> Watch:
        return Watch(self._show, self._is_stopped.is_set, warn=self.warned.emit)

    def stop(self) -> None:
        """Stop it as the program is closing; it begins anew the next time."""
        self._is_stopped.set()

    def allow(self) -> None:
        """Let it run after all: something is to be written before the end."""
        self._is_stopped.clear()

    def _show(self, share: float) -> None:
        if share in (0.0, 1.0) or abs(share - self._shown) >= _MIN_STEP:
            self._shown = share
            self.progressed.emit(share)
        if share == 1.0:
            self.finished.emit()
