"""The tables found on this machine, shared by all pages, refreshed off the GUI thread."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.platform.errors import AppError
from gui.table_work.table_service import TablesService
from gui.table_work.trash import Trashed
from gui.work.tasks import TaskRunner

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo

_log = logging.getLogger(__name__)


class Library(QObject):
    """The list of tables, with deletion that can be undone.

    The `readers` run the pages' table reading: they close a table there on `removed`, and only then
    is it moved, as Windows can't move a folder with an open file.
    """

    changed = Signal()  # the list changed, or was read for the first time
    looked = Signal()  # the folders were read, and the places of deleted tables checked
    failed = Signal(str)  # reading the folders or deleting failed; the text says why
    removed = Signal(object)  # Path: whoever has it open should close it, as its files go or change
    trashed = Signal(object)  # Trashed: offer to undo this
    not_restored = Signal(object, str)  # Trashed, str: undo failed, and why: offer it again

    def __init__(
        self,
        service: TablesService,
        tasks: TaskRunner,
        parent: QObject | None = None,
        readers: Sequence[TaskRunner] = (),
    ) -> None:
        super().__init__(parent)
        self.service, self._tasks, self._readers = service, tasks, readers
        self.tables: list[TableInfo] = []
        self.is_known = False  # whether the folders were read at least once
        self._kept: list[Trashed] = []
        self._asked_back: set[Trashed] = set()  # of these
        self._hindered: set[Trashed] = set()  # of these: those whose place is taken

    @property
    def usable(self) -> "list[TableInfo]":
        return [table for table in self.tables if table.state == "complete"]

    def find(self, path: Path) -> "TableInfo | None":
        return next((table for table in self.tables if table.path == path), None)

    def refresh(self) -> None:
        self._tasks.run_latest("scan", self._look, self._take, self._fail)

    def delete(self, path: Path, then: Callable[[], None] | None = None) -> None:
        """Delete a table, which can be restored until `settle` or the end of the program.

        `then` is called when its folder is free, before `trashed`; not if deleting failed.
        """

        def done(trashed: Trashed) -> None:
            self._kept.append(trashed)
            if then:
                then()
            self.trashed.emit(trashed)
            self.refresh()

        self.removed.emit(path)
        busy = list(self._readers)

        def move() -> None:
            if busy:  # this runs after its current work and after what it was just told
                busy.pop().run(lambda: None, lambda _: move())
            else:
                self._tasks.run(lambda: self.service.trash.put(path), done, self._fail)

        move()

    def restore(self, trashed: Trashed) -> None:
        def done(_: None) -> None:
            self._forget(trashed)
            self.refresh()

        def fail(error: BaseException) -> None:
            self.not_restored.emit(trashed, str(error))
            self.refresh()

        self._asked_back.add(trashed)
        self._tasks.run(lambda: self.service.trash.restore(trashed), done, fail)

    def is_place_free(self, trashed: Trashed) -> bool:
        """Return whether the place of a deleted table was free when the folders were read."""
        return trashed not in self._hindered

    def settle(self, trashed: Trashed) -> None:
        if trashed in self._kept:
            self._forget(trashed)
            self._tasks.run(lambda: self.service.trash.discard(trashed), lambda _: None, self._fail)

    def close(self) -> None:
        """Settle everything at the end; tables to be restored are now, or stay where they are."""
        for trashed in self._kept:
            if trashed not in self._asked_back:
                self.service.trash.discard(trashed)
            elif trashed.kept.exists():  # otherwise it is back, but not reported yet
                try:
                    self.service.trash.restore(trashed)
                except AppError as error:
                    _log.warning("%s stays in %s: %s", trashed.table, trashed.kept, error)

    def _look(self) -> "tuple[list[TableInfo], set[Trashed]]":
        kept = list(self._kept)
        return self.service.scan(), {trashed for trashed in kept if trashed.taken_place}

    def _take(self, seen: "tuple[list[TableInfo], set[Trashed]]") -> None:
        tables, self._hindered = seen
        is_news = tables != self.tables or not self.is_known
        self.tables, self.is_known = tables, True
        if is_news:
            self.changed.emit()
        self.looked.emit()

    def _forget(self, trashed: Trashed) -> None:
        self._kept.remove(trashed)
        self._asked_back.discard(trashed)

    def _fail(self, error: BaseException) -> None:
        self.failed.emit(str(error))
        self.is_known = True  # the pages can draw what is known
        self.changed.emit()
