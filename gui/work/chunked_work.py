"""Work on widgets split into steps, one per event loop iteration, so that no key waits."""

from collections import deque
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QTimer

Step = Callable[[], object]


class ChunkedWork(QObject):
    """Runs one list of steps at a time; a new list replaces the remaining steps."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: deque[Step] = deque()
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._do_one)

    @property
    def is_done(self) -> bool:
        return not self._steps

    def do(self, steps: Iterable[Step]) -> None:
        """Start these steps; remaining ones of an earlier call are dropped."""
        self._steps = deque(steps)
        if self._steps:
            self._timer.start()
        else:
            self._timer.stop()

    def _do_one(self) -> None:
        if self._steps:
            self._steps.popleft()()
        if not self._steps:
            self._timer.stop()
