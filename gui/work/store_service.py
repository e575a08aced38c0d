"""A part of the user's database for pages: opened on demand, used on a worker thread."""

import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from coach.record.database import DatabaseError, Store
from coach.record.user_database import UserDatabase
from engine.platform.errors import AppError
from engine.platform.language import mark
from engine.platform.tasks import Tasks
from gui.work.tasks import is_gone

T = TypeVar("T")
_log = logging.getLogger(__name__)
OnError = Callable[[BaseException], None]
STARTED_OVER = mark(
    "You start from scratch, with your data from earlier versions. The old file is kept as {path}."
)


S = TypeVar("S", bound=Store)


class StoreService(QObject, Generic[S]):
    """Opens a store on first use, and runs queries off the GUI thread."""

    changed = Signal()
    started_over = Signal()  # the user's database was set aside, for all that use it
    failed = Signal(object)  # Exception: a background operation has failed, such as filing

    def __init__(
        self,
        database: UserDatabase,
        open_store: Callable[[UserDatabase], S],  # opens it; runs on the worker thread
        tasks: Tasks,  # a runner of its own: writing must not wait for a scan of the disk
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.database, self._open_store, self._tasks = database, open_store, tasks
        self._store: S | None = None
        self._undone: dict[int, Callable[[S], Any]] = {}  # changes not started yet
        self._n_changes = 0

    @property
    def path(self) -> Path:
        return self.database.path

    @property
    def is_there(self) -> bool:
        return self.database.is_there

    def ask(
        self, work: Callable[[S], T], done: Callable[[T], None], failed: OnError | None = None
    ) -> None:
        self._tasks.run(lambda: work(self._opened()), done, failed or self.failed.emit)

    def change(
        self,
        work: Callable[[S], T],
        done: Callable[[T], None] = lambda _: None,
        failed: OnError | None = None,
    ) -> None:
        """Change the database, then emit `changed`; once `failed` is called, it never happens."""
        self._n_changes += 1
        number = self._n_changes
        self._undone[number] = work

        def begin(store: S) -> T:
            del self._undone[number]
            return work(store)

        def finish(result: T) -> None:
            if not is_gone(done):
                done(result)
            self.changed.emit()

        def fail(error: BaseException) -> None:
            if isinstance(error, DatabaseError) and error.is_transient:
                return  # it is made at the end
            self._undone.pop(number, None)  # still pending if the database could not be opened
            if failed is None:
                self.failed.emit(error)
            elif not is_gone(failed):
                failed(error)

        self.ask(begin, finish, fail)

    def start_over(self, when: datetime, done: Callable[[Path], None], failed: OnError) -> None:
        """Set a damaged database aside and create an empty one; answer with the old one's path."""

        def work() -> Path:
            self._close()
            kept = self.database.set_aside(when)
            self._opened()
            return kept

        def finish(kept: Path) -> None:
            done(kept)
            self.changed.emit()
            self.started_over.emit()

        self._tasks.run(work, finish, failed)

    def close(self) -> None:
        """Make the pending changes and close the file; call it after the worker has ended."""
        undone, self._undone = list(self._undone.values()), {}
        for work in undone:
            try:
                work(self._opened())
            except AppError as error:
                _log.error("not written to %s: %s", self.path.name, error)
            except Exception:  # noqa: BLE001 - the others have something to write too
                _log.exception("a change of %s failed", self.path.name)
        self._close()

    def _opened(self) -> S:
        if self._store is None:
            self._store = self._open_store(self.database)
        return self._store

    def _close(self) -> None:
        if self._store:
            self._store.close()
            self._store = None


def nothing(_: Any) -> None:
    """Ignore an answer."""
