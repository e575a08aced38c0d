"""Advice on what to build, worked out in a child process: it keeps a processor busy for a while."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from engine.platform.project_files import own_command
from gui.table_work.question import Question
from gui.work.tasks import CommandProcess

if TYPE_CHECKING:
    from tablebase.events import AdvisedTable

_BYTES_PER_GB = 1_000_000_000


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
