"""Compiling kernels in a child process while the window is used, once per version."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from engine.platform.prepared_mark import PreparedMark
from engine.platform.project_files import own_command
from gui.work.tasks import CommandProcess, TaskRunner

if TYPE_CHECKING:
    from engine.platform.events import Done, Progress

_AFTER_MS = 1500  # by then the window is up, and early user actions have started
_CLOSE_MS = 3000


class Preparing(QObject):
    """Checks whether all kernels are compiled, and compiles them if not."""

    changed = Signal()

    def __init__(
        self,
        tasks: TaskRunner,
        command: Callable[[], Sequence[str]],  # returns the command line of the child
        parent: QObject | None = None,
        is_ready: Callable[[], bool] = lambda: PreparedMark.of_user().is_set,
    ) -> None:
        super().__init__(parent)
        self._tasks, self._command, self._is_ready = tasks, command, is_ready
        self._child: CommandProcess | None = None
        self._is_stopped = False
        self.done = self.total = 0

    @property
    def is_running(self) -> bool:
        return self._child is not None

    def start_later(self) -> None:
        QTimer.singleShot(_AFTER_MS, self, self.start)

    def start(self) -> None:
        if not self._is_stopped:
            self._tasks.run(self._is_ready, self._begin, lambda _: None)

    def stop(self) -> None:
        """Stop until the next start of the program; compiled kernels are kept."""
        self._is_stopped = True
        if self._child:
            self._child.cancel()
            self.changed.emit()

    @property
    def is_stopping(self) -> bool:
        return self._child is not None and self._is_stopped

    def close(self) -> None:
        """End the child as the window closes. Killing it loses nothing."""
        self._is_stopped = True
        if child := self._child:
            child.kill(_CLOSE_MS)
            self._child = None

    def _begin(self, is_ready: bool) -> None:
        if is_ready or self._is_stopped or self._child:
            return
        from engine.platform.events import Done, Progress

        self._child = CommandProcess.started(
            self._command(), Progress | Done, self._take, self._end, self
        )

    def _take(self, event: "Progress | Done") -> None:
        from engine.platform.events import Progress

        if isinstance(event, Progress):
            self.done, self.total = event.done, event.total
            self.changed.emit()

    def _end(self, _status: int, _message: str) -> None:
        # It may fail (no space, no memory): then kernels are compiled when needed.
        if self._child:
            self._child.deleteLater()
            self._child = None
            self.changed.emit()


def prepare_command(where: Sequence[str]) -> list[str]:
    return own_command("prepare", *where, "--json", "--stdin-control", "--idle")
