"""The report on a finished table, computed and cached by a child process."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from engine.platform.project_files import own_command
from gui.table_work.question import Question

if TYPE_CHECKING:
    from tablebase.events import ReportEvent, TableReport


def info_command(table: Path) -> list[str]:
    """Return the command line that tells about a table."""
    return own_command("info", str(table), "--rates", "--json", "--stdin-control")


class TableReports(Question):
    """Requests one report at a time; the latest request counts.

    Attributes
    ----------
    report : TableReport or None
        The latest answer; None before it.

    Signals
    -------
    changed : it began to think, has an answer or failed
    progressed : float
        The share of the table that has been looked at.
    """

    progressed = Signal(float)

    def __init__(
        self,
        command_of: Callable[[Path], Sequence[str]] = info_command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._command_of = command_of
        self.report: TableReport | None = None

    @property
    def has_answer(self) -> bool:
        """Whether the report is there."""
        return self.report is not None

    def ask(self, table: Path) -> None:
        """Ask about a table; drops an earlier question that is not answered yet."""
        self.ask_command(self._command_of(table))

    @property
    def events(self) -> Any:
        """The union of the child's events."""
        from tablebase.events import ReportEvent

        return ReportEvent

    def take_event(self, event: "ReportEvent") -> None:
        """Take the progress, or the report."""
        from engine.platform.events import Progress

        if isinstance(event, Progress):
            self.progressed.emit(event.share)
        else:
            self.report = event

    def forget_answer(self) -> None:
        """Have no answer again."""
        self.report = None
