"""What is to be done as soon as a window has been seen."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

_A_MOMENT_MS = 20  # for what else the system has to tell of a new window


class FirstPicture(QObject):
    """Waits for the first picture of a window, and then has something done, once.

    Parameters
    ----------
    window : QWidget
    work : callable
    """

    def __init__(self, window: QWidget, work: Callable[[], object]) -> None:
        super().__init__(window)
        self._window, self._work = window, work
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Hear that the window is being painted."""
        if watched is self._window and event.type() == QEvent.Type.UpdateRequest:
            self._window.removeEventFilter(self)
            QTimer.singleShot(_A_MOMENT_MS, self, self._do)
        return False

    def _do(self) -> None:
        self.deleteLater()
        self._work()
