"""Work off the GUI thread, answers on it; and programs of our own as child processes."""

import logging
import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Qt, QTimer, Signal, Slot
from shiboken6 import isValid

from engine.platform import language
from engine.platform.errors import AppError
from engine.platform.language import tr
from engine.platform.tasks import OnError

T = TypeVar("T")
_KILL_AFTER_MS = 15_000
_MAX_LINE_BYTES = 1 << 20
_log = logging.getLogger(__name__)


class TaskRunner(QObject):
    """Run work off the GUI thread, one job at a time, and answer on the GUI thread.

    One at a time because a table allows one caller at a time. `work` must not touch a widget.
    Lives as long as the application, so no answer outlives it. The caller may be deleted earlier (a
    page is replaced after a change of language, a panel is closed): answers to a method of a
    deleted widget, or to a function created in one, are dropped.

    Pure computations needn't be waited for at the end (`waits`): the thread continues, without an
    answer, after everything is saved and the window is gone.
    """

    bug_found = Signal(object)  # a job raised this: a bug, or any error of one without `failed`
    _finished = Signal(object)

    def __init__(
        self, parent: QObject | None = None, name: str = "task", *, waits: bool = True
    ) -> None:
        super().__init__(parent)
        self._waits = waits
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._latest: dict[str, Future[Any]] = {}
        # Queued: work that ends at once must not answer during the call.
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._is_closed = False
        self._unanswered: set[Future[Any]] = set()
        self._held: deque[Callable[[], object]] = deque()  # the release functions, in order

    def run(
        self, work: Callable[[], T], done: Callable[[T], None], failed: OnError | None = None
    ) -> "Future[T] | None":
        """Start `work()`; later call `done(result)` or `failed(error)` on the GUI thread."""
        if self._is_closed:
            return None
        future = self._executor.submit(work)
        self._unanswered.add(future)
        future.add_done_callback(lambda f: self._announce(f, done, failed))
        return future

    def release(self, let_go: Callable[[], object]) -> None:
        """Release a resource after the jobs that may use it; run even on `close`."""
        self._held.append(let_go)
        if self._is_closed:
            self._release_next()
        else:
            self._executor.submit(self._release_next)

    def run_latest(
        self,
        key: str,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: OnError | None = None,
    ) -> None:
        """Like `run`, but a newer call with the same `key` cancels this one."""
        self.forget(key)

        def is_latest() -> bool:
            return self._latest.get(key) is future

        future = self.run(
            work,
            lambda result: done(result) if is_latest() and not is_gone(done) else None,
            lambda error: self._fail(error, failed) if is_latest() else None,
        )
        if future:
            self._latest[key] = future

    def forget(self, key: str) -> None:
        """Drop the `run_latest` job with this key: it isn't started, or its answer is ignored."""
        if future := self._latest.pop(key, None):
            future.cancel()

    def close(self) -> None:
        """Drop jobs and answers, and close what was opened; wait for the running if `waits`."""
        self._is_closed = True
        self._executor.shutdown(wait=self._waits, cancel_futures=True)
        for future in filter(Future.done, self._unanswered):
            self._close_result(future)
        self._unanswered.clear()  # so that a second call does nothing
        while self._held:
            self._release_next()

    def _release_next(self) -> None:
        try:
            self._held.popleft()()
        except Exception as error:  # noqa: BLE001 - others wait behind it
            _log.error("letting go failed: %r", error)

    def _close_result(self, future: "Future[Any]") -> None:
        """Close the result of a job whose caller is gone."""
        if future.cancelled() or future.exception():
            return
        if close := getattr(future.result(), "close", None):
            self.release(close)

    def _announce(self, future: "Future[Any]", done: Any, failed: OnError | None) -> None:
        if not self._is_closed:
            self._finished.emit((future, done, failed))

    @Slot(object)
    def _deliver(self, outcome: tuple["Future[Any]", Callable[[Any], None], OnError]) -> None:
        if self._is_closed:  # the caller may be gone already
            return
        future, done, failed = outcome
        self._unanswered.discard(future)
        try:
            error = future.exception()
        except CancelledError:
            return
        if error:
            self._fail(error, failed)
        elif is_gone(done):
            self._close_result(future)
        else:
            done(future.result())

    def _fail(self, error: BaseException, failed: OnError | None) -> None:
        is_bug = not isinstance(error, AppError)
        if is_bug or not failed:
            self.bug_found.emit(error)
        if is_bug:
            _log.error("background work failed: %r", error)
        if failed and not is_gone(failed):
            failed(error)


def is_gone(answer: Callable[[Any], object]) -> bool:
    """Return whether a callback is a method of an object deleted by Qt, or was created in one."""
    if isinstance(answer, partial):
        return is_gone(answer.func)
    owner = getattr(answer, "__self__", None) or _self_of(answer)
    return isinstance(owner, QObject) and not isValid(owner)


def _self_of(answer: Callable[[Any], object]) -> object:
    """Return the `self` that a function captured, if it was created in a method; else None."""
    code, cells = getattr(answer, "__code__", None), getattr(answer, "__closure__", None)
    if code is None or cells is None or "self" not in code.co_freevars:
        return None
    return cells[code.co_freevars.index("self")].cell_contents


class CommandProcess(QObject):
    """One of our own commands in a child process, speaking JSON lines; not of `kind`: dropped."""

    event_received = Signal(object)  # one of `kind`: one line of its output
    # Its exit status (-1: it crashed or did not start) and, unless that is 0 or 3, its error.
    finished = Signal(int, str)

    def __init__(
        self, command: Sequence[str], kind: Any = dict[str, Any], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._command, self._kind = list(command), kind
        self._pending = bytearray()
        self._messages: deque[str] = deque(maxlen=20)
        self._is_over = False
        self.is_cancelling = False
        self._process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("PYTHONUNBUFFERED", "1")
        environment.insert("PYTHONIOENCODING", "utf-8")
        self._process.setProcessEnvironment(environment)
        self._process.readyReadStandardOutput.connect(self._on_output)
        self._process.readyReadStandardError.connect(self._on_messages)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)
        self._is_killed = False
        self._killer = QTimer(self, singleShot=True, interval=_KILL_AFTER_MS)
        self._killer.timeout.connect(self._process.kill)

    @classmethod
    def started(
        cls,
        command: Sequence[str],
        kind: Any,
        on_event: Callable[[Any], None],
        on_end: Callable[[int, str], None],
        parent: QObject,
    ) -> "CommandProcess":
        """Return a child that begins, and calls these for each event and at its end."""
        process = cls(command, kind, parent)
        process.event_received.connect(on_event)
        process.finished.connect(on_end)
        process.start()
        return process

    @property
    def is_running(self) -> bool:
        return self._process.state() != QProcess.ProcessState.NotRunning

    def start(self) -> None:
        """Start the child; the first signal comes later, never during this call."""
        environment = self._process.processEnvironment()
        environment.insert(language.ENVIRONMENT, language.in_force())
        self._process.setProcessEnvironment(environment)
        self._process.start(self._command[0], self._command[1:])

    def cancel(self) -> None:
        """Ask the child to stop cleanly; after a while it is killed, which loses no data either."""
        if self.is_running and not self.is_cancelling:
            self.is_cancelling = True
            self._process.write(b"cancel\n")
            self._killer.start()

    def wait(self, timeout_ms: int) -> bool:
        """Wait for the end and return whether it came; only for closing the program."""
        return not self.is_running or self._process.waitForFinished(timeout_ms)

    def kill(self, wait_ms: int = 0) -> None:
        """End the child at once, and wait for that."""
        self._is_killed = True
        self._process.kill()
        if wait_ms:
            self.wait(wait_ms)

    def _on_output(self) -> None:
        self._pending += self._process.readAllStandardOutput().data()
        *lines, rest = self._pending.split(b"\n")
        # Output without newlines is not ours; don't let it fill the memory.
        self._pending = bytearray(rest if len(rest) <= _MAX_LINE_BYTES else b"")
        for line in lines:
            self._take_line(bytes(line))

    def _take_line(self, line: bytes) -> None:
        from engine.platform.events import read_event

        event = read_event(line, self._kind)
        if event is not None:
            self.event_received.emit(event)

    def _on_messages(self) -> None:
        data = bytes(self._process.readAllStandardError().data())
        text = data.decode("utf-8", "replace")
        for line in text.replace("\r", "\n").split("\n"):
            if line.strip():
                self._messages.append(line.strip())

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            why = tr(
                "could not start {program}: {why}",
                program=self._command[0],
                why=self._process.errorString(),
            )
            # Later: Windows reports it during `start`, when the caller isn't ready for it.
            QTimer.singleShot(0, self, lambda: self._finish(-1, why))

    def _on_finished(self, status: int, how: QProcess.ExitStatus) -> None:
        self._on_output()
        self._on_messages()
        self._take_line(bytes(self._pending))
        if how == QProcess.ExitStatus.CrashExit:
            status = 3 if self.is_cancelling or self._is_killed else -1
        message = "" if status in (0, 3) else self._last_message(status)
        self._finish(status, message)

    def _finish(self, status: int, message: str) -> None:
        if self._is_over:
            return
        self._is_over = True
        self._killer.stop()
        if status not in (0, 3):
            _log.error("%s ended with %s: %s", self._command[1:], status, "; ".join(self._messages))
        self.finished.emit(status, message)

    def _last_message(self, status: int) -> str:
        for line in reversed(self._messages):
            if line.startswith("error:"):
                return line.removeprefix("error:").strip()
        if status == -1:
            return tr("it was killed from outside (perhaps by the system, which ran out of memory)")
        if self._messages:
            return self._messages[-1]
        return tr("it ended with exit status {status}", status=status)


def cpu_count() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
