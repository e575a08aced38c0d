"""The one QApplication of a process, and what asks it from outside to end."""

import json
import os
import signal
import socket
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from engine.files.input_file import read_limited
from engine.project_files import APP_NAME
from gui.core.settings import option_of

_SCALE = "QT_SCALE_FACTOR"
_MOST_BYTES = 16 << 20

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # the last two are not on all systems


class Application(QApplication):
    """The application, and what macOS asks it to open: there it starts no second one for that.

    Signals
    -------
    file_asked : str
        The path of a file to open.
    """

    file_asked = Signal(str)

    def event(self, event: QEvent) -> bool:
        """Take the events that name a file."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_asked.emit(event.file())
            return True
        return super().event(event)


def use_ui_scale(settings: Path) -> None:
    """Let everything be as large as the settings in a file say; before the application is made.

    Whoever has set Qt's own variable knows better.
    """
    try:
        values = json.loads(read_limited(settings, _MOST_BYTES).decode("utf-8-sig"))["values"]
        percent = values["ui_scale"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return  # a damaged file is reported later, by whom it belongs to
    is_usable = option_of("ui_scale").is_valid(percent)
    if is_usable and percent != 100 and _SCALE not in os.environ:
        os.environ[_SCALE] = str(percent / 100)


def application() -> QApplication:
    """Return the application, made when there is none yet."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = Application(sys.argv[:1])
    app.setApplicationName(APP_NAME)
    app.setQuitOnLastWindowClosed(False)  # Qt does not see that one closed that was hidden before
    return app


class TerminationWatch(QObject):
    """Hears Ctrl+C, a termination request and the end of the terminal while Qt waits for events.

    Python's own handlers run only when Python does, so the system also writes the number of each
    signal to a socket that wakes Qt. A second Ctrl+C ends the process at once.

    Signals
    -------
    requested : somebody wants the program to end
    """

    requested = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before: dict[int, Any] = {}
        self._was_interrupted = False
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread may; whoever runs us in another one has other means
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
        """Give the signals back to who had them; safe to call twice."""
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
