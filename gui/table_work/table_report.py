"""The report on a finished table, computed and cached by a child process."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from engine.platform.project_files import own_command
from gui.table_work.question import Question

if TYPE_CHECKING:
    from tablebase.library.rate_summary import RateSummary

_MAX_PLACES = 100


@dataclass(frozen=True)
class TableReport:
    """The output of the command `info` for a table.

    Attributes
    ----------
    places : tuple of (str, int, int)
        The folders with its layers: how many layers, how many bytes.
    summary : RateSummary
    """

    places: tuple[tuple[str, int, int], ...]
    summary: "RateSummary"


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

    def take_event(self, event: dict[str, Any]) -> None:
        """Take a line of the child."""
        if event.get("event") == "info":
            self.report = _read(event)
        elif event.get("event") == "progress":
            done, total = event.get("done"), event.get("total")
            if isinstance(done, int) and isinstance(total, int) and total > 0:
                self.progressed.emit(min(1.0, max(0.0, done / total)))

    def forget_answer(self) -> None:
        """Have no answer again."""
        self.report = None


def _read(event: dict[str, Any]) -> TableReport | None:
    """Return a line of the child as a report; None for other lines."""
    from tablebase.library.rate_summary import read_summary

    try:
        summary = read_summary(event)
        places = tuple(
            (str(one["folder"]), int(one["layers"]), int(one["bytes"]))
            for one in event["places"][:_MAX_PLACES]
        )
    except (ValueError, TypeError, LookupError):
        return None
    return TableReport(places, summary) if summary.layers else None
