"""Advice on what to build, worked out in a child process: it keeps a processor busy for a while."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.language import tr
from engine.project_files import own_command
from gui.core.tasks import CommandProcess

_BYTES_PER_GB = 1_000_000_000


@dataclass(frozen=True)
class Room:
    """What there is for tables; 0 GB for all that is free."""

    disk_gb: float = 0.0
    memory_gb: float = 0.0
    hours: float = 12.0

    def command(self) -> list[str]:
        """Return the command line that gives advice."""
        words = ["advise", "--json", "--hours", repr(float(self.hours))]
        for option, gigabytes in (("--disk", self.disk_gb), ("--memory", self.memory_gb)):
            if gigabytes:
                words += [option, str(round(gigabytes * _BYTES_PER_GB))]
        return own_command(*words)


@dataclass(frozen=True)
class AdvisedTable:
    """A table worth building: what it takes and what it is good for."""

    pattern: str
    target: int
    purpose: str
    n_bytes: int
    seconds: float


class Adviser(QObject):
    """Asks for advice, once at a time; the latest question counts.

    Attributes
    ----------
    tables : list of AdvisedTable or None
        The latest advice, best first; None before the first.
    problem : str
        Why there is none; "" when all is well.

    Signals
    -------
    changed : it began to think, has an answer, failed or was stopped
    """

    changed = Signal()

    def __init__(
        self,
        command_of: Callable[[Room], Sequence[str]] = Room.command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._command_of = command_of
        self._process: CommandProcess | None = None
        self._found: list[AdvisedTable] = []
        self.tables: list[AdvisedTable] | None = None
        self.problem = ""

    @property
    def is_thinking(self) -> bool:
        """Whether an answer is on its way."""
        return self._process is not None

    def ask(self, room: Room) -> None:
        """Ask what to build; drops an earlier question that is not answered yet."""
        self._drop()
        self._found, self.problem = [], ""
        process = CommandProcess(self._command_of(room), self)
        process.event_received.connect(self._on_event)
        process.finished.connect(self._on_end)
        self._process = process
        process.start()
        self.changed.emit()

    def stop(self) -> None:
        """Drop the question."""
        if self._process:
            self._drop()
            self.changed.emit()

    def close(self) -> None:
        """Stop for the end of the program."""
        self._drop()

    def _drop(self) -> None:
        process, self._process = self._process, None
        if process:
            process.blockSignals(True)
            process.kill()  # it writes nothing
            process.wait(2000)
            process.deleteLater()

    def _on_event(self, event: dict[str, Any]) -> None:
        if event.get("verdict") == "build" and (table := _read(event)):
            self._found.append(table)

    def _on_end(self, status: int, message: str) -> None:
        process, self._process = self._process, None
        if process:
            process.deleteLater()
        if status == 0:
            self.tables = self._found
        else:
            self.problem = message or tr("it was stopped")
        self.changed.emit()


def _read(event: dict[str, Any]) -> AdvisedTable | None:
    """Return a line of the child as a table; None for what is no such line."""
    pattern, target, purpose = event.get("pattern"), event.get("target"), event.get("purpose")
    n_bytes, seconds = event.get("bytes"), event.get("wall_s")
    if not (isinstance(pattern, str) and isinstance(target, int) and isinstance(purpose, str)):
        return None
    if not isinstance(n_bytes, int) or not isinstance(seconds, (int, float)):
        return None
    return AdvisedTable(pattern, target, purpose, n_bytes, float(seconds))
