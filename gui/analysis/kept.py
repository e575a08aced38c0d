"""The analyses of this person behind a worker: pages ask, answers come without waiting."""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from coach.analysis.analyses import Analyses, KeptAnalysis, from_event
from coach.database import DamagedDatabaseError, set_aside
from gui.core.tasks import TaskRunner

OnError = Callable[[BaseException], None]


class KeptAnalyses:
    """The database of analyses and the files of their reports.

    Parameters
    ----------
    path : Path
        The database.
    folder : Path
        Where reports are written; nothing outside it is ever deleted.
    tasks : TaskRunner
        All work is done there, one after the other.
    clock : callable
        Returns the time now, with its zone.
    """

    def __init__(
        self, path: Path, folder: Path, tasks: TaskRunner, clock: Callable[[], datetime]
    ) -> None:
        self.folder = folder
        self._path, self._tasks, self._clock = path, tasks, clock
        self._analyses: Analyses | None = None

    def read(self, done: Callable[[list[KeptAnalysis]], None], failed: OnError) -> None:
        """Read the analyses made last, the newest first."""
        self._tasks.run(lambda: self._open().latest(), done, failed)

    def keep(
        self, event: Mapping[str, Any], done: Callable[[KeptAnalysis], None], failed: OnError
    ) -> None:
        """Keep what the command said of a game."""
        at = self._clock()

        def work() -> KeptAnalysis:
            one = from_event(event, at)
            return _numbered(one, self._open().keep(one))

        self._tasks.run(work, done, failed)

    def put_back(self, one: KeptAnalysis, done: Callable[[int], None], failed: OnError) -> None:
        """Keep again what was removed."""
        self._tasks.run(lambda: self._open().keep(one), done, failed)

    def remove(self, one: KeptAnalysis, done: Callable[[None], None], failed: OnError) -> None:
        """Forget an analysis; its files stay, so that it can be put back."""
        self._tasks.run(lambda: self._open().remove(one.id), done, failed)

    def discard(self, one: KeptAnalysis) -> None:
        """Delete the files of an analysis that was removed for good."""
        self._tasks.run(lambda: self._delete_files(one), lambda _: None)

    def start_anew(
        self, error: DamagedDatabaseError, done: Callable[[Path], None], failed: OnError
    ) -> None:
        """Put a database that cannot be read aside; the next one that is asked for is empty."""
        self._tasks.run(lambda: set_aside(error.path, self._clock()), done, failed)

    def close(self) -> None:
        """Let go of the database; only when the worker has ended."""
        if self._analyses:
            self._analyses.close()
            self._analyses = None

    def _open(self) -> Analyses:
        if self._analyses is None:
            self._analyses = Analyses(self._path)
        return self._analyses

    def _delete_files(self, one: KeptAnalysis) -> None:
        ours = self.folder.resolve()
        for path in one.files:
            # What is gone or held by another program stays as it is.
            with contextlib.suppress(OSError):
                if path.resolve().is_relative_to(ours):
                    path.unlink()
        for folder in {path.parent for path in one.files}:
            with contextlib.suppress(OSError):
                if folder.resolve() != ours and folder.resolve().is_relative_to(ours):
                    folder.rmdir()  # only when it is empty


def _numbered(one: KeptAnalysis, number: int) -> KeptAnalysis:
    return replace(one, id=number)
