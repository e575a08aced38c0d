"""The mistakes as the pages ask for them: one database behind one worker thread."""

import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from coach.database import set_aside
from coach.grading.grade import Judgement, Rates
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.to_drill import THRESHOLD, is_to_drill
from engine.errors import AppError
from gui.core.lookup import Tasks

T = TypeVar("T")
_log = logging.getLogger(__name__)
OnError = Callable[[BaseException], None]


class MistakeService(QObject):
    """Opens the database when it is first needed, and asks it off the GUI thread.

    Parameters
    ----------
    path : Path
        Of the database.
    tasks : Tasks
        A runner of its own: filing a mistake must not wait for a scan of the disk.

    Signals
    -------
    changed
        A mistake was filed, changed or deleted.
    failed : Exception (as object)
        Something that nobody waits for has failed, such as filing.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, path: Path, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path, self._tasks = path, tasks
        self._mistakes: Mistakes | None = None
        self._threshold = THRESHOLD
        self._undone: dict[int, Callable[[Mistakes], Any]] = {}  # changes that have not begun
        self._n_changes = 0

    def set_threshold(self, threshold: float) -> None:
        """File from now on only moves whose ratio is below this."""
        self._threshold = threshold

    def ask(
        self,
        work: Callable[[Mistakes], T],
        done: Callable[[T], None],
        failed: OnError | None = None,
    ) -> None:
        """Ask the database; the answer comes on the GUI thread."""
        self._tasks.run(lambda: work(self._opened()), done, failed or self.failed.emit)

    def change(
        self,
        work: Callable[[Mistakes], T],
        done: Callable[[T], None] = lambda _: None,
        failed: OnError | None = None,
    ) -> None:
        """Ask for something that changes the database, and tell everybody afterwards."""
        self._n_changes += 1
        number = self._n_changes
        self._undone[number] = work

        def begin(mistakes: Mistakes) -> T:
            del self._undone[number]
            return work(mistakes)

        def finish(result: T) -> None:
            done(result)
            self.changed.emit()

        self.ask(begin, finish, failed)

    def note(
        self,
        table: str,
        spawn4: float,
        board: int,
        direction: int,
        judgement: Judgement,
        rates: Rates,
        when: datetime,
        source: str,
        move: int,
        symmetry: str = "full",
    ) -> bool:
        """File a judged move, if it is worth it: see `Mistakes.note`. Returns at once.

        Returns
        -------
        bool
            Whether it is worth it.
        """
        threshold = self._threshold
        if not is_to_drill(judgement, threshold):
            return False

        def work(mistakes: Mistakes) -> object:
            mistakes.threshold = threshold
            return mistakes.note(
                table, spawn4, board, direction, judgement, rates, when, source, move,
                symmetry=symmetry,
            )  # fmt: skip

        self.change(work)
        return True

    def start_anew(self, when: datetime, done: Callable[[Path], None], failed: OnError) -> None:
        """Set a damaged database aside and begin an empty one; answer with where the old one is."""

        def work() -> Path:
            self._close()
            kept = set_aside(self.path, when)
            self._opened()
            return kept

        def finish(kept: Path) -> None:
            done(kept)
            self.changed.emit()

        self._tasks.run(work, finish, failed)

    def close(self) -> None:
        """Make the changes that have not begun yet and let go of the file.

        To be called after the worker has ended: who files a mistake and quits has filed it.
        """
        undone, self._undone = list(self._undone.values()), {}
        for work in undone:
            try:
                work(self._opened())
            except AppError as error:
                _log.error("not written to the book of mistakes: %s", error)
        self._close()

    def _opened(self) -> Mistakes:
        if self._mistakes is None:
            self._mistakes = Mistakes(self.path, self._threshold)
        return self._mistakes

    def _close(self) -> None:
        if self._mistakes:
            self._mistakes.close()
            self._mistakes = None


def nothing(_: Any) -> None:
    """Take an answer that nobody needs."""
