"""The tables found on this machine, kept for all pages, refreshed off the GUI thread."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.core.services import TablesService
from gui.core.tasks import TaskRunner
from gui.core.trash import Trashed

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo


class Library(QObject):
    """The list of tables, and deleting from it with a way back.

    Parameters
    ----------
    service : TablesService
    tasks : TaskRunner
        Where folders are read and moved.
    readers : sequence of TaskRunner
        Where pages read tables: they let go of one there when `removed` tells them to, and only
        then is it moved, as Windows moves no folder with an open file in it.

    Signals
    -------
    changed : the list is another, or was read for the first time
    failed : str
        Reading the folders, deleting or restoring did not work; the text says why.
    removed : Path (as object)
        A table was deleted, or its files change; who has it open should let go of it.
    trashed : Trashed (as object)
        Offer to undo this.
    """

    changed = Signal()
    failed = Signal(str)
    removed = Signal(object)
    trashed = Signal(object)

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

    @property
    def usable(self) -> "list[TableInfo]":
        """The tables that are complete."""
        return [table for table in self.tables if table.state == "complete"]

    def find(self, path: Path) -> "TableInfo | None":
        """Return the table at `path`, if it is in the list."""
        return next((table for table in self.tables if table.path == path), None)

    def refresh(self) -> None:
        """Read the folders again; `changed` tells when it is done."""
        self._tasks.run_latest("scan", self.service.scan, self._set_tables, self._fail)

    def delete(self, path: Path, then: Callable[[], None] | None = None) -> None:
        """Delete a table; it can be brought back until `settle` or the end of the program.

        Parameters
        ----------
        path : Path
            The table's folder.
        then : callable, optional
            Called when its folder is free; not when deleting failed.
        """

        def done(trashed: Trashed) -> None:
            self._on_trashed(trashed)
            if then:
                then()

        self.removed.emit(path)
        busy = list(self._readers)

        def move() -> None:
            if busy:  # what it was told comes behind what it does now, and this behind both
                busy.pop().run(lambda: None, lambda _: move())
            else:
                self._tasks.run(lambda: self.service.trash(path), done, self._fail)

        move()

    def let_go(self, path: Path) -> None:
        """Have the pages close a table whose files change; they can open it again at once."""
        self.removed.emit(path)

    def restore(self, trashed: Trashed) -> None:
        """Bring a deleted table back."""
        self._tasks.run(
            lambda: self.service.restore(trashed), lambda _: self._forget(trashed), self._fail
        )

    def settle(self, trashed: Trashed) -> None:
        """Give back the room of a deleted table."""
        if trashed in self._kept:
            self._kept.remove(trashed)
            self._tasks.run(lambda: self.service.discard(trashed), lambda _: None, self._fail)

    def close(self) -> None:
        """Settle everything; called when the program ends."""
        for trashed in self._kept:
            self.service.discard(trashed)

    def _set_tables(self, tables: "list[TableInfo]") -> None:
        is_news = tables != self.tables or not self.is_known
        self.tables, self.is_known = tables, True
        if is_news:
            self.changed.emit()

    def _on_trashed(self, trashed: Trashed) -> None:
        self._kept.append(trashed)
        self.trashed.emit(trashed)
        self.refresh()

    def _forget(self, trashed: Trashed) -> None:
        self._kept.remove(trashed)
        self.refresh()

    def _fail(self, error: BaseException) -> None:
        self.failed.emit(str(error))
        self.refresh_known()

    def refresh_known(self) -> None:
        """Let the pages draw what is known, even when reading the folders failed."""
        self.is_known = True
        self.changed.emit()
