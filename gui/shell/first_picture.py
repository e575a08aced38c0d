"""Work to be done as soon as a window has been painted."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

_A_MOMENT_MS = 20  # for further system events of a new window


class FirstPicture(QObject):
    """Waits for the first painting of a window, then runs some work, once.

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
        """Detect that the window is being painted."""
        if watched is self._window and event.type() == QEvent.Type.UpdateRequest:
            self._window.removeEventFilter(self)
            QTimer.singleShot(_A_MOMENT_MS, self, self._do)
        return False

    def _do(self) -> None:
        self.deleteLater()
        self._work()
