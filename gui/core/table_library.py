"""The tables found on this machine, kept for all pages, refreshed off the GUI thread."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.errors import AppError
from gui.core.services import TablesService
from gui.core.tasks import TaskRunner
from gui.core.trash import Trashed

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo

_log = logging.getLogger(__name__)


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
    looked : the folders were read, with what is in the place of deleted tables
    failed : str
        Reading the folders or deleting did not work; the text says why.
    removed : Path (as object)
        A table was deleted, or its files change; who has it open should let go of it.
    trashed : Trashed (as object)
        Offer to undo this.
    not_restored : Trashed (as object), str
        Undo did not work, and why: offer it again.
    """

    changed = Signal()
    looked = Signal()
    failed = Signal(str)
    removed = Signal(object)
    trashed = Signal(object)
    not_restored = Signal(object, str)

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
        self._hindered: set[Trashed] = set()  # of these: something is in their place

    @property
    def usable(self) -> "list[TableInfo]":
        """The tables that are complete."""
        return [table for table in self.tables if table.state == "complete"]

    def find(self, path: Path) -> "TableInfo | None":
        """Return the table at `path`, if it is in the list."""
        return next((table for table in self.tables if table.path == path), None)

    def refresh(self) -> None:
        """Read the folders again; `changed` tells when it is done."""
        self._tasks.run_latest("scan", self._look, self._set_found, self._fail)

    def delete(self, path: Path, then: Callable[[], None] | None = None) -> None:
        """Delete a table; it can be brought back until `settle` or the end of the program.

        The end of the program leaves alone what was asked back.

        Parameters
        ----------
        path : Path
            The table's folder.
        then : callable, optional
            Called when its folder is free, before `trashed` tells; not when deleting failed.
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
        self._asked_back.add(trashed)
        self._tasks.run(
            lambda: self.service.restore(trashed),
            lambda _: self._on_restored(trashed),
            lambda error: self._on_not_restored(trashed, error),
        )

    def is_place_free(self, trashed: Trashed) -> bool:
        """Tell whether nothing was in the place of a deleted table when the folders were read."""
        return trashed not in self._hindered

    def settle(self, trashed: Trashed) -> None:
        """Give back the room of a deleted table."""
        if trashed in self._kept:
            self._forget(trashed)
            self._tasks.run(lambda: self.service.discard(trashed), lambda _: None, self._fail)

    def close(self) -> None:
        """Settle everything; called when the program ends.

        What was asked back comes back now, or stays where it is.
        """
        for trashed in self._kept:
            if trashed not in self._asked_back:
                self.service.discard(trashed)
            elif trashed.kept.exists():  # else it is back, which nobody has told us yet
                self._bring_back(trashed)

    def _bring_back(self, trashed: Trashed) -> None:
        try:
            self.service.restore(trashed)
        except AppError as error:
            _log.warning("%s stays in %s: %s", trashed.table, trashed.kept, error)

    def _look(self) -> "tuple[list[TableInfo], set[Trashed]]":
        kept = list(self._kept)
        return self.service.scan(), {one for one in kept if not self.service.is_place_free(one)}

    def _set_found(self, found: "tuple[list[TableInfo], set[Trashed]]") -> None:
        tables, self._hindered = found
        is_news = tables != self.tables or not self.is_known
        self.tables, self.is_known = tables, True
        if is_news:
            self.changed.emit()
        self.looked.emit()

    def _on_restored(self, trashed: Trashed) -> None:
        self._forget(trashed)
        self.refresh()

    def _on_not_restored(self, trashed: Trashed, error: BaseException) -> None:
        self.not_restored.emit(trashed, str(error))
        self.refresh()

    def _forget(self, trashed: Trashed) -> None:
        self._kept.remove(trashed)
        self._asked_back.discard(trashed)

    def _fail(self, error: BaseException) -> None:
        self.failed.emit(str(error))
        self.refresh_known()

    def refresh_known(self) -> None:
        """Let the pages draw what is known, even when reading the folders failed."""
        self.is_known = True
        self.changed.emit()
