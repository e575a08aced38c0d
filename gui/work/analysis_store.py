"""The user's analyses behind a worker: pages make requests and get answers asynchronously."""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from coach.analysis.analyses import Analyses, StoredAnalysis
from coach.record.user_database import UserDatabase
from engine.platform.tasks import Tasks
from gui.work.analysis_runs import AnalysisRuns
from gui.work.store_service import OnError, StoreService, nothing

if TYPE_CHECKING:
    from coach.analysis.events import AnalyzedGame


class AnalysisStore(StoreService[Analyses]):
    """The database of analyses and the files of their reports."""

    stored = Signal(object, object)  # Path of a game of the runs followed, StoredAnalysis
    not_stored = Signal(object, object)  # Path, Exception

    def __init__(
        self,
        database: UserDatabase,
        folder: Path,  # where reports are written; nothing outside it is ever deleted
        tasks: Tasks,  # runs all work, one job at a time
        clock: Callable[[], datetime],  # returns the current time, with its time zone
        parent: QObject | None = None,
    ) -> None:
        super().__init__(database, Analyses, tasks, parent)
        self.folder = folder
        self._clock = clock

    def follow(self, runs: AnalysisRuns) -> None:
        """Store each game that is analyzed, once, whatever pages there are."""
        runs.analyzed.connect(self._keep_followed)

    def _keep_followed(self, event: "AnalyzedGame") -> None:
        path = event.file
        self.keep(
            event,
            lambda analysis: self.stored.emit(path, analysis),
            lambda error: self.not_stored.emit(path, error),
        )

    def read(self, done: Callable[[list[StoredAnalysis]], None], failed: OnError) -> None:
        self.ask(Analyses.latest, done, failed)

    def keep(
        self, event: "AnalyzedGame", done: Callable[[StoredAnalysis], None], failed: OnError
    ) -> None:
        at = self._clock()
        self.change(lambda analyses: _stored(analyses, event.stored(at)), done, failed)

    def put_back(
        self, analysis: StoredAnalysis, done: Callable[[StoredAnalysis], None], failed: OnError
    ) -> None:
        """Restore a removed analysis, whose id may be another now."""
        self.change(lambda analyses: _stored(analyses, analysis), done, failed)

    def remove(
        self, analysis: StoredAnalysis, done: Callable[[None], None], failed: OnError
    ) -> None:
        """Delete an analysis; its files stay, so that it can be restored."""
        self.change(lambda analyses: analyses.remove(analysis.id), done, failed)

    def discard(self, analysis: StoredAnalysis) -> None:
        self._tasks.run(lambda: self._delete_files(analysis), nothing, self.failed.emit)

    def _delete_files(self, analysis: StoredAnalysis) -> None:
        ours = self.folder.resolve()
        for path in analysis.files:
            # Files that are gone or held by another program are left alone.
            with contextlib.suppress(OSError):
                if path.resolve().is_relative_to(ours):
                    path.unlink()
        for folder in {path.parent for path in analysis.files}:
            with contextlib.suppress(OSError):
                if folder.resolve() != ours and folder.resolve().is_relative_to(ours):
                    folder.rmdir()  # only when it is empty


def _stored(analyses: Analyses, analysis: StoredAnalysis) -> StoredAnalysis:
    return replace(analysis, id=analyses.keep(analysis))
