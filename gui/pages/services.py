"""The services of the pages, created once: settings, tables, databases, background work."""

import logging
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from datetime import datetime, timezone
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from coach.old_files.opening import open_user_database
from engine.platform.language import tr
from engine.platform.user_folders import user_folders
from gui.faults.bugs import IN_THE_BACKGROUND, Bugs
from gui.settings_model.settings import Settings
from gui.style.color_schemes import SCHEMES_NAME, ColorSchemeError, load_color_schemes
from gui.style.current_theme import CurrentTheme
from gui.style.own_palettes import NO_SCHEMES, OwnPalettes
from gui.table_work.builds import Builds
from gui.table_work.checks import Checks, verify_command
from gui.table_work.question import Adviser, SizeForecast, TableReports, info_command
from gui.table_work.queue_file import QueueFile
from gui.table_work.table_library import Library
from gui.table_work.table_service import TablesService
from gui.work.analysis_runs import AnalysisRuns
from gui.work.analysis_store import AnalysisStore
from gui.work.garbage import without_collection
from gui.work.mistake_service import DueCount, MistakeService
from gui.work.old_data import OldData
from gui.work.preparing import Preparing, prepare_command
from gui.work.profile_service import ProfileService
from gui.work.store_service import StoreService
from gui.work.tasks import TaskRunner

if TYPE_CHECKING:
    from coach.exam.history import History
    from coach.puzzles.puzzles import Puzzles
    from coach.record.user_database import UserDatabase
    from coach.routes.results import RouteResults
    from coach.situations.situations import Situations
    from tablebase.probe.reader import Tablebase

_log = logging.getLogger(__name__)


class Services(QObject):
    """Everything that outlives the pages, which are recreated in another language."""

    def __init__(
        self,
        app: QApplication,
        data_dir: Path,
        builds: Builds | None = None,
        checks: Checks | None = None,
    ) -> None:
        super().__init__()
        self._has_opened = False
        self.data_dir = data_dir
        # Child processes write their logs where this one does.
        is_usual = data_dir == user_folders().data
        self.where = where = [] if is_usual else ["--data-dir", str(data_dir)]
        self.bugs = Bugs(self)
        self.settings = Settings(data_dir / "settings.json", self)
        own_colors, color_problem = NO_SCHEMES, ""
        try:
            own_colors = OwnPalettes(data_dir / SCHEMES_NAME).load()
        except ColorSchemeError as error:
            color_problem = tr("Your own colors are not used: {why}.", why=error)
        self.themes = CurrentTheme(app, load_color_schemes(), self.settings, own_colors)
        folders = user_folders(data_dir)
        self.tables = TablesService(
            folders.tables, self._more_folders, folders.patterns, folders.estimates
        )
        self._make_runners()
        self._make_databases()
        self.due = DueCount(
            self.mistake_store, self.settings, lambda: datetime.now(timezone.utc), self
        )
        readers = (
            *(self.lookups, self.questions, self.reviews),
            *(self.analyzing, self.walks, self.seeking),
        )
        self.library = Library(self.tables, self.tasks, self, readers)
        queue = QueueFile(data_dir / "queue.json")
        self.builds = builds or Builds(lambda r: [*r.command(), *where], self, queue)
        self.checks = checks or Checks(lambda path: [*verify_command(path), *where], self)
        self.adviser = Adviser(lambda room: [*room.command(), *where], self)
        self.sizes = SizeForecast(lambda request: [*request.size_command(), *where], self)
        self.reports = TableReports(lambda path: [*info_command(path), *where], self)
        self.preparing = Preparing(self.tasks, lambda: prepare_command(where), self)
        self.analyses = AnalysisRuns(lambda request: [*request.command(), *where], self)
        self.analysis_store.follow(self.analyses)
        self.problems = [self.settings.problem, color_problem, self.builds.problem]

    def _make_runners(self) -> None:
        """Create the threads that serve the pages, so that requests don't wait for each other."""

        def runner(name: str, waits: bool = True) -> TaskRunner:
            made = TaskRunner(self, name, waits=waits)
            made.bug_found.connect(lambda error: self.bugs.note(error, IN_THE_BACKGROUND))
            self.runners.append(made)
            return made

        self.runners: list[TaskRunner] = []  # in the order they are closed
        self.lookups, self.questions = runner("lookup"), runner("test")
        self.thoughts, self.reviews = runner("player"), runner("review")
        self.analyzing, self.notes = runner("analyzing"), runner("analyses")
        self.walks, self.filing = runner("routes"), runner("mistakes")
        self.drawings = runner("drawings")
        self.estimates = runner("estimates", waits=False)  # of giants they take long
        self.places = runner("places", waits=False)  # a drive may be away
        self.seeking, self.counting = runner("puzzles"), runner("profile")
        self.keeping, self.tasks = runner("backup"), runner("files")

    def _make_databases(self) -> None:
        data_dir = self.data_dir
        self.old_data = OldData(self)
        self.database = open_user_database(data_dir, self.old_data.watch)
        self.mistake_store = MistakeService(self.database, self.filing, self)
        self.puzzle_store = StoreService(self.database, _open_puzzles, self.filing, self)
        self.facts = ProfileService(
            self.database,
            self.tables.formations,
            self.counting,
            lambda: datetime.now(timezone.utc),
            lambda: int(self.settings.get("day.begins")),
            self,
        )
        # Together with the mistakes, so that a move is always stored before its mistake.
        self.test_store = StoreService(self.database, _open_tests, self.filing, self)
        self.situation_store = StoreService(self.database, _open_situations, self.filing, self)
        self.route_store = StoreService(self.database, _open_routes, self.filing, self)
        self.analysis_store = AnalysisStore(
            self.database,
            data_dir / "analyses",
            self.notes,
            lambda: datetime.now(timezone.utc),
            self,
        )
        # They share a file: when one sets it aside, the others have another one, too.
        for store, other in permutations(self._stores, 2):
            store.started_over.connect(other.changed)

    @property
    def _stores(self) -> "Sequence[StoreService[Any]]":
        return (
            self.analysis_store,
            self.mistake_store,
            self.puzzle_store,
            self.facts,
            self.test_store,
            self.situation_store,
            self.route_store,
        )

    def open_table(self, path: Path) -> "Tablebase":
        """Open a table; the first one brings libraries that no pause while typing may look through.

        Only the first: a game that is given up later is garbage, and what is frozen stays.
        """
        with nullcontext() if self._has_opened else without_collection():
            table = self.tables.open(path)
        self._has_opened = True
        return table

    def table_folders(self) -> Sequence[Path]:
        return [self.data_dir / "tables", *self._more_folders()]

    def _more_folders(self) -> Sequence[Path]:
        named = [self.settings.get("build.folder"), *self.settings.get("table_folders")]
        return [Path(folder) for folder in named if folder]

    def stop(self) -> None:
        """Stop the work that no page waits for."""
        do_all(
            self.old_data.stop,
            self.preparing.close,
            self.builds.close,
            self.notes.close,
            self.facts.stop,
            self.checks.close,
            self.due.close,
            self.adviser.close,
            self.sizes.close,
            self.reports.close,
        )

    def close(self) -> None:
        """Stop the rest, requested by pages, and write pending changes."""
        do_all(
            self.analyses.close,
            *(runner.close for runner in self.runners),
            self.old_data.allow,
            *(store.close for store in self._stores),
            self.library.close,
            self.settings.close,
        )


def do_all(*steps: Callable[[], object]) -> None:
    """Run all in turn; a failure must not keep the others from saving."""
    for step in steps:
        try:
            step()
        except Exception:  # noqa: BLE001 - the next part has something to save too
            _log.exception("%s failed while saving or closing", step)


def _open_tests(database: "UserDatabase") -> "History":
    from coach.exam.history import History

    return History(database)


def _open_situations(database: "UserDatabase") -> "Situations":
    from coach.situations.situations import Situations

    return Situations(database)


def _open_routes(database: "UserDatabase") -> "RouteResults":
    from coach.routes.results import RouteResults

    return RouteResults(database)


def _open_puzzles(database: "UserDatabase") -> "Puzzles":
    from coach.puzzles.puzzles import Puzzles

    return Puzzles(database)
