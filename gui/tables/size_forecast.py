"""How large a converted table will be: worked out in a child process, from a few of its layers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.language import tr
from gui.core.change_request import ConvertRequest
from gui.core.tasks import CommandProcess


@dataclass(frozen=True)
class Forecast:
    """What a conversion will make of a table's size.

    Attributes
    ----------
    n_bytes, n_bytes_before : int
        About what it will take, and what it takes now.
    is_most : bool
        It will take less than `n_bytes`.
    is_same : bool
        There is nothing to convert.
    """

    n_bytes: int
    n_bytes_before: int
    is_most: bool = False
    is_same: bool = False


class SizeForecast(QObject):
    """Asks for one size at a time; the latest question counts.

    Attributes
    ----------
    forecast : Forecast or None
        The latest answer; None before it.
    problem : str
        Why there is none; "" when all is well.

    Signals
    -------
    changed : it began to think, has an answer or failed
    """

    changed = Signal()

    def __init__(
        self,
        command_of: Callable[[ConvertRequest], Sequence[str]] = ConvertRequest.size_command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._command_of = command_of
        self._process: CommandProcess | None = None
        self._leaving: list[CommandProcess] = []  # asked to stop
        self.forecast: Forecast | None = None
        self.problem = ""

    @property
    def is_thinking(self) -> bool:
        """Whether an answer is on its way."""
        return self._process is not None

    def ask(self, request: ConvertRequest) -> None:
        """Ask for a size; drops an earlier question that is not answered yet."""
        self.drop()
        process = CommandProcess(self._command_of(request), self)
        process.event_received.connect(self._on_event)
        process.finished.connect(self._on_end)
        self._process = process
        process.start()
        self.changed.emit()

    def drop(self) -> None:
        """Forget the question and the answer."""
        process, self._process = self._process, None
        self.forecast, self.problem = None, ""
        if process:
            process.event_received.disconnect(self._on_event)
            process.finished.disconnect(self._on_end)
            process.finished.connect(process.deleteLater)
            process.cancel()  # it clears up after itself
            self._leaving.append(process)
            process.finished.connect(lambda *_: self._leaving.remove(process))

    def close(self) -> None:
        """Stop for the end of the program."""
        self.drop()
        for process in list(self._leaving):
            if not process.wait(2000):
                process.kill()
                process.wait(2000)

    def _on_event(self, event: dict[str, Any]) -> None:
        if event.get("event") == "size":
            self.forecast = _read(event)

    def _on_end(self, status: int, message: str) -> None:
        process, self._process = self._process, None
        if process:
            process.deleteLater()
        if self.forecast is None:
            self.problem = message or tr("it ended with exit status {status}", status=status)
        self.changed.emit()


def _read(event: dict[str, Any]) -> Forecast | None:
    """Return a line of the child as a forecast; None for what is no such line."""
    n_bytes, before = event.get("bytes"), event.get("bytes_before")
    if not isinstance(n_bytes, int) or not isinstance(before, int):
        return None
    return Forecast(n_bytes, before, event.get("is_most") is True, event.get("is_same") is True)
