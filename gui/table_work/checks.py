"""Verification of tables in a child process: one at a time, the others wait."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.platform.language import tr
from engine.platform.project_files import own_command
from gui.work.tasks import CommandProcess

if TYPE_CHECKING:
    from tablebase.events import VerifyDone, VerifyEvent

_MIN_SHARE, _MIN_S = 0.02, 1.0  # before that the time left is a guess
_CANCELLED = 3  # the status of a command that was asked to stop


def verify_command(table: Path) -> list[str]:
    return own_command("verify", str(table), "--json", "--stdin-control")


class Checks(QObject):
    """All verifications of this window."""

    changed = Signal()  # one began, ended, or was withdrawn
    progressed = Signal(object, float)  # Path, share that has been checked
    ended = Signal(object, bool, str)  # Path, whether it is all right, a sentence about it
    # Path that could not be verified, and why, such as a drive that is away: nothing is known.
    failed = Signal(object, str)

    def __init__(
        self,
        command_of: Callable[[Path], Sequence[str]] = verify_command,
        parent: QObject | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._command_of, self._clock = command_of, clock
        self._start_s = 0.0
        self._process: CommandProcess | None = None
        self._result: VerifyDone | None = None
        self._results: dict[Path, tuple[VerifyDone, str]] = {}
        self.current: Path | None = None  # the table being verified
        self.waiting: list[Path] = []
        self.seconds_left: float | None = None  # time left; None until known

    def add(self, table: Path) -> None:
        if table != self.current and table not in self.waiting:
            self.waiting.append(table)
            self._start_next()
            self.changed.emit()

    def cancel(self, table: Path | None = None) -> None:
        if table in self.waiting:
            self.waiting.remove(table)
            self.changed.emit()
        elif self._process and table in (None, self.current):
            self._process.cancel()

    def verdict(self, table: Path) -> tuple[bool, str] | None:
        """Return whether a table was all right, and a sentence about it; None if not verified."""
        result = self._results.get(table)
        return _verdict(*result) if result else None

    def forget(self, table: Path) -> None:
        """Forget the verdict on a table, which is going to be another one."""
        self._results.pop(table, None)

    def close(self) -> None:
        self.waiting.clear()
        if self._process:
            self._process.kill(2000)

    def _start_next(self) -> None:
        if self._process or not self.waiting:
            return
        self.current, self._result = self.waiting.pop(0), None
        self.seconds_left, self._start_s = None, self._clock()
        from tablebase.events import VerifyEvent

        command = self._command_of(self.current)
        self._process = CommandProcess.started(
            command, VerifyEvent, self._on_event, self._on_end, self
        )

    def _on_event(self, event: "VerifyEvent") -> None:
        from engine.platform.events import Progress

        if not isinstance(event, Progress):
            self._result = event
        elif self.current and event.total > 0:
            share, passed_s = event.share, self._clock() - self._start_s
            is_known = share > _MIN_SHARE and passed_s > _MIN_S
            self.seconds_left = passed_s * (1 - share) / share if is_known else None
            self.progressed.emit(self.current, share)

    def _on_end(self, status: int, message: str) -> None:
        table, process, result = self.current, self._process, self._result
        self.current = self._process = None
        if process:
            process.deleteLater()
        self._start_next()
        if table and result:
            self._results[table] = result, message
            self.ended.emit(table, *_verdict(result, message))
        elif table and status != _CANCELLED:
            self.failed.emit(table, message or tr("the check ended without a verdict"))
        self.changed.emit()


def _verdict(result: "VerifyDone", message: str) -> tuple[bool, str]:
    if result.ok:
        return True, tr(
            "all files are intact, and {count:,} values are right", count=result.sampled
        )
    if not result.problems:
        return False, message
    problem, more = result.problems[0], len(result.problems) - 1
    if more:
        return False, tr("{problem} (and {count} more)", problem=problem, count=more)
    return False, problem
