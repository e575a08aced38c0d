"""The size of a converted table, estimated in a child process from a few of its layers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject

from gui.table_work.change_request import ConvertRequest
from gui.table_work.question import Question


@dataclass(frozen=True)
class Forecast:
    """The forecast of a table's size after a conversion.

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


class SizeForecast(Question):
    """Requests one size at a time; the latest request counts.

    Attributes
    ----------
    forecast : Forecast or None
        The latest answer; None before it.

    Signals
    -------
    changed : it began to think, has an answer or failed
    """

    def __init__(
        self,
        command_of: Callable[[ConvertRequest], Sequence[str]] = ConvertRequest.size_command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._command_of = command_of
        self.forecast: Forecast | None = None

    @property
    def has_answer(self) -> bool:
        """Whether a size is known."""
        return self.forecast is not None

    def ask(self, request: ConvertRequest) -> None:
        """Ask for a size; drops an earlier question that is not answered yet."""
        self.ask_command(self._command_of(request))

    def take_event(self, event: dict[str, Any]) -> None:
        """Take the line with the answer."""
        if event.get("event") == "size":
            self.forecast = _read(event)

    def forget_answer(self) -> None:
        """Have no answer again."""
        self.forecast = None


def _read(event: dict[str, Any]) -> Forecast | None:
    """Return a line of the child as a forecast; None for other lines."""
    n_bytes, before = event.get("bytes"), event.get("bytes_before")
    if not isinstance(n_bytes, int) or not isinstance(before, int):
        return None
    return Forecast(n_bytes, before, event.get("is_most") is True, event.get("is_same") is True)
