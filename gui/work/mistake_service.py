"""The database of mistakes for the pages, behind one worker thread."""

from pathlib import Path

from PySide6.QtCore import QObject

from coach.mistakes.mistake import NotedMove
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.to_drill import THRESHOLD, is_to_drill
from gui.work.store_service import StoreService
from gui.work.tasks import Tasks


class MistakeService(StoreService[Mistakes]):
    """The database of mistakes, and filing a move from anywhere.

    Parameters
    ----------
    path : Path
        Path of the database.
    tasks : Tasks
        A runner of its own: filing a mistake must not wait for a scan of the disk.
    """

    def __init__(self, path: Path, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(path, lambda where: Mistakes(where, self._threshold), tasks, parent)
        self._threshold = THRESHOLD

    def set_threshold(self, threshold: float) -> None:
        """From now on, only file moves whose ratio is below this."""
        self._threshold = threshold

    def note(self, move: NotedMove) -> bool:
        """File a judged move if it is a mistake, see `Mistakes.note`; return at once.

        Returns
        -------
        bool
            Whether it is a mistake to file.
        """
        threshold = self._threshold
        if not is_to_drill(move.judgement, threshold):
            return False

        def work(mistakes: Mistakes) -> object:
            mistakes.threshold = threshold
            return mistakes.note(move)

        self.change(work)
        return True
