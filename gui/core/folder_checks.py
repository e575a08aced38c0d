"""Whether tables can be built in folders, found out off the GUI thread: a drive may be away."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gui.core.services import check_folder
from gui.core.tasks import TaskRunner


class FolderChecks(QObject):
    """What is known of the folders that a form names; nothing is said against one until then.

    Parameters
    ----------
    tasks : TaskRunner
        Where folders are looked at.
    name : str
        Of these jobs: a newer one makes an older one be forgotten.

    Signals
    -------
    changed : something else is known than before
    """

    changed = Signal()

    def __init__(self, tasks: TaskRunner, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks, self._name = tasks, name
        self._problems: dict[Path, str] = {}

    def ask(self, *folders: Path) -> None:
        """Look at folders, once more where that was done; what was known counts meanwhile."""
        self._tasks.run_latest(self._name, partial(_problems, folders), self._take)

    def problem(self, folder: Path) -> str:
        """Return why tables cannot be built in a folder, as far as that is known; else ""."""
        return self._problems.get(folder, "")

    def _take(self, problems: dict[Path, str]) -> None:
        if problems != self._problems:
            self._problems = problems
            self.changed.emit()


def _problems(folders: tuple[Path, ...]) -> dict[Path, str]:
    found = {folder: check_folder(folder) for folder in folders}
    return {folder: problem for folder, problem in found.items() if problem}
