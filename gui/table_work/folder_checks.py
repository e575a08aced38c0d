"""Checks off the GUI thread whether tables can be built in folders: a drive may be missing."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gui.table_work.table_service import check_folder
from gui.work.tasks import TaskRunner


class FolderChecks(QObject):
    """Check results for the folders in a form; a folder counts as fine until checked.

    A newer job of a `name` replaces an older one.
    """

    changed = Signal()

    def __init__(self, tasks: TaskRunner, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks, self._name = tasks, name
        self._problems: dict[Path, str] = {}

    def ask(self, *folders: Path) -> None:
        """Check folders, again if already done; old results count until then."""
        self._tasks.run_latest(self._name, partial(_problems, folders), self._take)

    def problem(self, folder: Path) -> str:
        return self._problems.get(folder, "")

    def _take(self, problems: dict[Path, str]) -> None:
        if problems != self._problems:
            self._problems = problems
            self.changed.emit()


def _problems(folders: tuple[Path, ...]) -> dict[Path, str]:
    problems = {folder: check_folder(folder) for folder in folders}
    return {folder: problem for folder, problem in problems.items() if problem}
