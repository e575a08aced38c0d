"""The database of mistakes for the pages, behind one worker thread."""

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, QTimer, Signal

from coach.mistakes.drill import DrillRules
from coach.mistakes.mistake import NotedMove
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.to_drill import THRESHOLD, is_to_drill
from coach.record.user_database import UserDatabase
from engine.platform.tasks import Tasks
from gui.settings_model.settings import Settings
from gui.work.store_service import StoreService

_EVERY_MS = 5 * 60_000
_SOON_MS = 300  # one count for many changes


class MistakeService(StoreService[Mistakes]):
    """The database of mistakes, and filing a move from anywhere."""

    def __init__(self, database: UserDatabase, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(database, lambda where: Mistakes(where, self._threshold), tasks, parent)
        self._threshold = THRESHOLD

    def set_threshold(self, threshold: float) -> None:
        """From now on, only file moves whose ratio is below this."""
        self._threshold = threshold

    def note(self, move: NotedMove) -> bool:
        """File a judged move if it is a mistake, later; return at once whether it is."""
        threshold = self._threshold
        if not is_to_drill(move.judgement, threshold):
            return False

        def work(mistakes: Mistakes) -> object:
            mistakes.threshold = threshold
            return mistakes.note(move)

        self.change(work)
        return True


class DueCount(QObject):
    """A count updated when the database or a rule changes, and as time passes."""

    counted = Signal(int)

    def __init__(
        self,
        mistake_store: MistakeService,
        settings: Settings,
        now: Callable[[], datetime],  # returns the time in UTC
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._mistake_store, self._settings, self._now = mistake_store, settings, now
        self._asked = self.n = 0
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._again = QTimer(self, interval=_EVERY_MS)
        for timer in (self._soon, self._again):
            timer.timeout.connect(self.count)
        mistake_store.changed.connect(self._soon.start)
        settings.changed.connect(self._follow_setting)

    def start(self) -> None:
        self._again.start()
        self.count()

    def close(self) -> None:
        self._soon.stop()
        self._again.stop()
        self._asked += 1

    def count(self) -> None:
        """Query the database; without a file there is nothing to count, and none is created."""
        self._asked += 1
        rules = DrillRules.of(self._settings.get)
        asked, today = self._asked, rules.today(self._now())
        if not self._mistake_store.is_there:
            self._show(0)
            return

        def done(n: int) -> None:
            if asked == self._asked:
                self._show(n)

        # An unreadable database is reported where it is opened.
        count = lambda mistakes: rules.drill(mistakes).count_due(today)  # noqa: E731
        self._mistake_store.ask(count, done, lambda _: done(0))

    def emit_count(self) -> None:
        """Emit the latest count again, for new receivers."""
        self.counted.emit(self.n)

    def _follow_setting(self, name: str, _value: object) -> None:
        if name in DrillRules.NAMES:
            self._soon.start()

    def _show(self, n: int) -> None:
        if n != self.n:
            self.n = n
            self.counted.emit(n)
