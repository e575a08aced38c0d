"""Questions answered by a child process; the latest one counts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from engine.platform.language import tr
from engine.platform.project_files import own_command
from gui.table_work.requests import ConvertRequest
from gui.work.tasks import CommandProcess

if TYPE_CHECKING:
    from tablebase.events import AdvisedTable, ConvertSize, ReportEvent, TableReport

_BYTES_PER_GB = 1_000_000_000
Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class Question(QObject, Generic[Asked, Answer]):
    """Runs one question at a time, by a command; a newer one replaces an older one.

    What is particular to a question is in `events`; in `take_event`, `take_end` and `forget_answer`
    where the child tells more than the answer; and in `end_child`.
    """

    changed = Signal()  # it began to think, has an answer or failed

    def __init__(
        self, command_of: Callable[[Asked], Sequence[str]], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._command_of = command_of
        self.answer: Answer | None = None  # the latest answer; None before it
        self._process: CommandProcess | None = None
        self._leaving: list[CommandProcess] = []  # asked to stop
        self.problem = ""  # why there is no answer; "" if there is no problem

    @property
    def is_thinking(self) -> bool:
        return self._process is not None

    @property
    def events(self) -> Any:
        """The class of the child's events, or their union."""
        raise NotImplementedError

    def take_event(self, event: Any) -> None:
        self.answer = event

    def take_end(self, status: int) -> None:
        """Take the exit status of the child, where the answer depends on that."""

    def forget_answer(self) -> None:
        self.answer = None

    def end_child(self, process: CommandProcess) -> None:
        """Stop a child whose answer is no longer needed, without waiting for its end."""
        process.cancel()  # it clears up after itself

    def ask(self, asked: Asked) -> None:
        self.drop()
        self._process = CommandProcess.started(
            self._command_of(asked), self.events, self.take_event, self._on_end, self
        )
        self.changed.emit()

    def drop(self) -> None:
        process, self._process = self._process, None
        self.forget_answer()
        self.problem = ""
        if process:
            process.event_received.disconnect(self.take_event)
            process.finished.disconnect(self._on_end)
            process.finished.connect(process.deleteLater)
            self._leaving.append(process)
            process.finished.connect(lambda *_: self._leaving.remove(process))
            self.end_child(process)

    def close(self) -> None:
        self.drop()
        for process in list(self._leaving):
            if not process.wait(2000):
                process.kill(2000)

    def _on_end(self, status: int, message: str) -> None:
        process, self._process = self._process, None
        if process:
            process.deleteLater()
        self.take_end(status)
        if self.answer is None:
            self.problem = message or tr("it ended with exit status {status}", status=status)
        self.changed.emit()


class SizeForecast(Question[ConvertRequest, "ConvertSize"]):
    """The size of a converted table, estimated from a few of its layers."""

    @property
    def events(self) -> "type[ConvertSize]":
        from tablebase.events import ConvertSize

        return ConvertSize


def info_command(table: Path) -> list[str]:
    return own_command("info", str(table), "--rates", "--json", "--stdin-control")


class TableReports(Question[Path, "TableReport"]):
    """The report on a finished table, which the child computes and caches."""

    answer: "TableReport | None"
    progressed = Signal(float)  # the share of the table that has been looked at

    @property
    def events(self) -> Any:
        from tablebase.events import ReportEvent

        return ReportEvent

    def take_event(self, event: "ReportEvent") -> None:
        from engine.platform.events import Progress

        if isinstance(event, Progress):
            self.progressed.emit(event.share)
        else:
            self.answer = event


@dataclass(frozen=True)
class Room:
    """The space available for tables; 0 GB for all that is free."""

    disk_gb: float = 0.0
    memory_gb: float = 0.0
    hours: float = 12.0

    def command(self) -> list[str]:
        words = ["advise", "--json", "--hours", repr(float(self.hours))]
        for option, gigabytes in (("--disk", self.disk_gb), ("--memory", self.memory_gb)):
            if gigabytes:
                words += [option, str(round(gigabytes * _BYTES_PER_GB))]
        return own_command(*words)


class Adviser(Question[Room, "list[AdvisedTable]"]):
    """Requests advice, one at a time; the latest request counts.

    `tables`, best first, are None before the first advice; a new question leaves them as they are.
    """

    def __init__(
        self,
        command_of: Callable[[Room], Sequence[str]] = Room.command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(command_of, parent)
        self._found: list[AdvisedTable] = []
        self.tables: list[AdvisedTable] | None = None

    def stop(self) -> None:
        if self.is_thinking:
            self.drop()
            self.changed.emit()

    @property
    def events(self) -> "type[AdvisedTable]":
        from tablebase.events import AdvisedTable

        return AdvisedTable

    def take_event(self, event: "AdvisedTable") -> None:
        if event.verdict == "build":
            self._found.append(event)

    def take_end(self, status: int) -> None:
        if status == 0:
            self.tables = self.answer = self._found

    def forget_answer(self) -> None:
        super().forget_answer()
        self._found = []

    def end_child(self, process: CommandProcess) -> None:
        """Kill the child at once: it writes nothing and ignores requests."""
        process.kill()
