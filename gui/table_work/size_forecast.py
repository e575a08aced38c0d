"""The size of a converted table, estimated in a child process from a few of its layers."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gui.table_work.question import Question
from gui.table_work.requests import ConvertRequest

if TYPE_CHECKING:
    from tablebase.events import ConvertSize


class SizeForecast(Question):
    """Requests one size at a time; the latest request counts.

    Attributes
    ----------
    forecast : ConvertSize or None
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
        self.forecast: ConvertSize | None = None

    @property
    def has_answer(self) -> bool:
        """Whether a size is known."""
        return self.forecast is not None

    def ask(self, request: ConvertRequest) -> None:
        """Ask for a size; drops an earlier question that is not answered yet."""
        self.ask_command(self._command_of(request))

    @property
    def events(self) -> "type[ConvertSize]":
        """The class of the child's event."""
        from tablebase.events import ConvertSize

        return ConvertSize

    def take_event(self, event: "ConvertSize") -> None:
        """Take the answer."""
        self.forecast = event

    def forget_answer(self) -> None:
        """Have no answer again."""
        self.forecast = None
