"""The central handling of unexpected errors, whatever part they come from.

Errors in a slot of the window, a thread, background work or Qt itself are recorded here, logged
with their traceback, and signaled for display. Uncaught user errors (`AppError`) come here as well,
and remain just a sentence.
"""

import logging
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    Qt,
    QTimer,
    QtMsgType,
    Signal,
    Slot,
    qInstallMessageHandler,
)

from engine.platform.errors import AppError
from engine.platform.language import mark, tr

_N_LINES = 50
_N_FRAMES = 3  # innermost frames, which identify a bug
_N_LOGGED = 3  # number of times the full traceback of one bug is logged
_MAX_KINDS = 100  # maximum of distinct bugs; beyond that, more detail is pointless
_TELL_EVERY_MS = 300
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"  # no text
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
_log = logging.getLogger(__name__)

IN_A_SLOT = mark("The window was handling a key, a click or a timer.")
IN_THE_BACKGROUND = mark("The program was reading or computing something in the background.")
IN_A_THREAD = mark("A background thread was running.")
IN_QT = mark("Qt, the library that draws the window, reported a fault.")


@dataclass
class Bug:
    """An unexpected error."""

    during: str  # what was going on, a marked sentence
    summary: str  # its kind and message, on one line
    traceback: str
    count: int = 0  # number of occurrences since the program started


class Bugs(QObject):
    """Records bugs from any thread.

    `found` tells of a new bug, or of a known one that happened again, at most a few times per
    second; `mistaken` of a user error that was not reported elsewhere.
    """

    found = Signal(object)
    mistaken = Signal(str)
    _arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._known: dict[object, Bug] = {}
        self._unreported: dict[int, Bug] = {}
        self._lines = _LastLines()
        self._give_back: list[Callable[[], object]] = []
        self._timer = QTimer(self, singleShot=True, interval=_TELL_EVERY_MS)
        self._timer.timeout.connect(self._report)
        # Queued: the error may occur during painting, or in another thread.
        self._arrived.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def last_lines(self) -> list[str]:
        return list(self._lines.lines)

    def note(self, error: BaseException, during: str = IN_A_SLOT) -> None:
        """Record an unhandled error; `during` says what was going on, a marked sentence."""
        if isinstance(error, AppError):
            _log.info("told to the user: %s", error)
            self._arrived.emit(str(error))
            return
        frames = traceback.extract_tb(error.__traceback__)[-_N_FRAMES:]
        key = (type(error), *((frame.filename, frame.lineno) for frame in frames))
        words, name = " ".join(str(error).split()), type(error).__name__
        summary = tr("{name}: {message}", name=name, message=words) if words else name
        self._note(key, during, "".join(traceback.format_exception(error)), summary)

    def watch(self) -> None:
        """Install handlers for all uncaught errors, until `unwatch`."""
        hook, thread_hook = sys.excepthook, threading.excepthook
        root = logging.getLogger()
        root.addHandler(self._lines)
        sys.excepthook = self._hear_uncaught
        threading.excepthook = self._hear_thread
        before = qInstallMessageHandler(self._hear_qt)

        def give_back() -> None:
            qInstallMessageHandler(before)
            sys.excepthook, threading.excepthook = hook, thread_hook
            root.removeHandler(self._lines)

        self._give_back.append(give_back)

    def unwatch(self) -> None:
        """Restore the previous handlers; safe to call twice."""
        while self._give_back:
            self._give_back.pop()()

    def _hear_uncaught(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, (KeyboardInterrupt, SystemExit)):
            sys.__excepthook__(kind, error, trace)
            return
        self.note(error.with_traceback(trace))

    def _hear_thread(self, args: Any) -> None:
        if args.exc_type is not SystemExit:
            self.note(args.exc_value or args.exc_type(), IN_A_THREAD)

    def _hear_qt(self, kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        level = _LEVELS.get(kind, logging.WARNING)
        logging.getLogger("qt").log(level, "%s: %s", context.category, text)
        if level >= logging.WARNING and sys.stderr:
            sys.stderr.write(f"{text}\n")
        if level >= logging.ERROR:
            trace = "".join(traceback.format_stack())
            self._note(("Qt", text), IN_QT, trace, text)  # no text

    def _note(self, key: object, during: str, trace: str, summary: str) -> None:
        with self._lock:
            if key not in self._known and len(self._known) >= _MAX_KINDS:
                key = "others"
            bug = self._known.setdefault(key, Bug(during, summary, trace))
            bug.count += 1
            count = bug.count
        if count <= _N_LOGGED:
            _log.error("a bug (%s)\n%s", during, trace)
        elif count & (count - 1) == 0:  # 4, 8, 16 ...: repeated errors must not flood the log
            _log.error("again, %d times by now: %s", count, summary)
        self._arrived.emit(bug)

    @Slot(object)
    def _take(self, what: object) -> None:
        if isinstance(what, Bug):
            self._unreported[id(what)] = what
            if not self._timer.isActive():
                self._timer.start(0 if what.count == 1 else _TELL_EVERY_MS)
        else:
            self.mistaken.emit(str(what))

    def _report(self) -> None:
        unreported, self._unreported = self._unreported, {}
        for bug in unreported.values():
            self.found.emit(bug)


class _LastLines(logging.Handler):
    """Keeps the last lines of the log for a report."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=_N_LINES)
        self.setFormatter(logging.Formatter(_FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.extend(self.format(record).splitlines())
