"""The QApplication of a process, and outside requests to end it."""

import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from engine.platform.files.input_file import read_limited
from engine.platform.project_files import APP_NAME
from gui.settings_model.settings import option_of

_SCALE = "QT_SCALE_FACTOR"
_MAX_BYTES = 16 << 20

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # the last two are not on all systems


class Application(QApplication):
    """The application; on macOS it also receives the files to open."""

    file_requested = Signal(str)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_requested.emit(event.file())
            return True
        return super().event(event)


@contextmanager
def ui_scale(settings: Path) -> Iterator[None]:
    """Apply the interface scale from a settings file to the application made within.

    Qt's own environment variable takes precedence. Ours is gone afterwards: the program that a
    restart begins would take it for a wish of the user's.
    """
    scale = _scale_in(settings)
    if scale == 1 or _SCALE in os.environ:
        yield
        return
    os.environ[_SCALE] = str(scale)
    try:
        yield
    finally:
        del os.environ[_SCALE]


def _scale_in(settings: Path) -> float:
    try:
        values = json.loads(read_limited(settings, _MAX_BYTES).decode("utf-8-sig"))["values"]
        percent = values["ui_scale"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return 1.0  # a damaged file is reported later by its owner
    return percent / 100 if option_of("ui_scale").is_valid(percent) else 1.0


def application() -> QApplication:
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = Application(sys.argv[:1])
    app.setApplicationName(APP_NAME)
    app.setQuitOnLastWindowClosed(False)  # Qt misses closing hidden windows
    return app


class TerminationWatch(QObject):
    """Catches Ctrl+C, termination requests and the end of the terminal while Qt waits for events.

    Python's own handlers run only when Python does, so the system also writes the number of each
    signal to a socket that wakes Qt. A second Ctrl+C ends the process at once.
    """

    requested = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before: dict[int, Any] = {}
        self._was_interrupted = False
        if threading.current_thread() is not threading.main_thread():
            return  # only allowed on the main thread; other callers have other means
        self._reading, self._writing = socket.socketpair()
        for end in (self._reading, self._writing):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._reading.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_wakeup)
        self._wakeup_before = signal.set_wakeup_fd(
            self._writing.fileno(), warn_on_full_buffer=False
        )
        numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
        self._before = {number: signal.signal(number, self._note) for number in numbers}

    def close(self) -> None:
        """Restore the previous signal handlers; safe to call twice."""
        if not self._before:
            return
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup_before)
        self._before = {}
        self._notifier.setEnabled(False)
        self._reading.close()
        self._writing.close()

    def _note(self, number: int, _frame: FrameType | None) -> None:
        if number != signal.SIGINT:
            return
        if self._was_interrupted:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        self._was_interrupted = True

    def _on_wakeup(self) -> None:
        if set(self._reading.recv(4096)) & set(self._before):
            self.requested.emit()
