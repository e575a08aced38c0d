"""A question answered by a child process; the latest one counts."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.platform.language import tr
from gui.work.tasks import CommandProcess


class Question(QObject):
    """Runs one question at a time; a newer one replaces an older one.

    What is particular to a question is in `events`, `take_event`, `take_end`, `forget_answer`,
    `has_answer` and `end_child`.

    Attributes
    ----------
    problem : str
        Why there is no answer; "" if there is no problem.

    Signals
    -------
    changed : it began to think, has an answer or failed
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: CommandProcess | None = None
        self._leaving: list[CommandProcess] = []  # asked to stop
        self.problem = ""

    @property
    def is_thinking(self) -> bool:
        """Whether an answer is on its way."""
        return self._process is not None

    @property
    def has_answer(self) -> bool:
        """Whether there is an answer."""
        raise NotImplementedError

    @property
    def events(self) -> Any:
        """The class of the child's events, or their union."""
        raise NotImplementedError

    def take_event(self, event: Any) -> None:
        """Take an event of the child."""
        raise NotImplementedError

    def take_end(self, status: int) -> None:
        """Take the exit status of the child, where the answer depends on that."""

    def forget_answer(self) -> None:
        """Have no answer again."""
        raise NotImplementedError

    def end_child(self, process: CommandProcess) -> None:
        """Stop a child whose answer is no longer needed, without waiting for its end."""
        process.cancel()  # it clears up after itself

    def ask_command(self, command: Sequence[str]) -> None:
        """Start a child; drops an earlier question that is not answered yet."""
        self.drop()
        process = CommandProcess(command, self.events, self)
        process.event_received.connect(self.take_event)
        process.finished.connect(self._on_end)
        self._process = process
        process.start()
        self.changed.emit()

    def drop(self) -> None:
        """Drop the question and the answer."""
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
        """Stop for the end of the program."""
        self.drop()
        for process in list(self._leaving):
            if not process.wait(2000):
                process.kill()
                process.wait(2000)

    def _on_end(self, status: int, message: str) -> None:
        process, self._process = self._process, None
        if process:
            process.deleteLater()
        self.take_end(status)
        if not self.has_answer:
            self.problem = message or tr("it ended with exit status {status}", status=status)
        self.changed.emit()
