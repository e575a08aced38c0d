"""The composition root: everything is made here, handed to whoever needs it, and closed again.

Closing the window during a build cancels it cleanly: nobody wants a program that goes on using
every processor after its window is gone. What is finished is kept, and Home offers to resume.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLibraryInfo, QObject, QProcess, Qt, QTimer, QTranslator
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from engine import language
from engine.language import mark, tr
from engine.project_files import APP_NAME, own_command
from gui.analysis.kept import KeptAnalyses
from gui.analysis.runs import AnalysisRuns
from gui.core.application import Application, TerminationWatch, application
from gui.core.bugs import IN_THE_BACKGROUND, Bugs
from gui.core.build_request import BuildRequest, ImportRequest, Request
from gui.core.builds import Builds
from gui.core.gc_pause import without_collection
from gui.core.last_session import CRASH_NAME, CrashFile, LastSession, SessionMark
from gui.core.mistake_service import MistakeService
from gui.core.preparing import Preparing, prepare_command
from gui.core.queue_file import QueueFile
from gui.core.services import TablesService
from gui.core.settings import Settings
from gui.core.store_service import StoreService
from gui.core.table_library import Library
from gui.core.tasks import TaskRunner
from gui.home.page import HomePage
from gui.home.records import LastGame
from gui.minigames.cover import draw_cover
from gui.mistakes.due import DueCount
from gui.shell.build_notices import BuildNotices
from gui.shell.first_picture import FirstPicture
from gui.shell.main_window import APP_TITLE, MainWindow
from gui.shell.mishaps import Mishaps
from gui.shell.single_window import OpenRequest, SingleWindow
from gui.shell.work_reports import WorkReports
from gui.style.color_schemes import (
    SCHEMES_NAME,
    ColorSchemeError,
    ColorSchemes,
    load_color_schemes,
)
from gui.style.current_theme import CurrentTheme
from gui.style.icons import app_icon
from gui.style.own_palettes import NO_SCHEMES, OwnPalettes
from gui.style.theme import Theme
from gui.tables.advice import Adviser
from gui.tables.checks import Checks, verify_command
from gui.tables.size_forecast import SizeForecast
from gui.tables.table_report import TableReports, info_command
from tablebase.log import current_log
from tablebase.user_folders import user_folders

if TYPE_CHECKING:
    from coach.backup.restoring import Restored
    from coach.puzzles.puzzles import Puzzles
    from coach.recordings.recording import Recording
    from gui.analysis.page import AnalysisPage
    from gui.exam.page import TestPage
    from gui.game.page import GamePage
    from gui.help.page import HelpPage
    from gui.help.tour import Tour
    from gui.minigames.page import MinigamesPage
    from gui.mistakes.page import MistakesPage
    from gui.practice.page import PracticePage
    from gui.puzzles.page import PuzzlesPage
    from gui.review.page import ReviewPage
    from gui.routes.page import RoutesPage
    from gui.screensaver.show import ScreenSaver
    from gui.settings.data_section import DataSection
    from gui.settings.page import SettingsPage
    from gui.tables.page import TablesPage
    from tablebase.probe.reader import Tablebase

_log = logging.getLogger(__name__)
# Titles and icons of the pages that can wait until the window is drawn, in their order; a test
# compares them with those of the pages themselves.
_LATER = (
    (mark("Game"), "game"),
    (mark("Practice"), "practice"),
    (mark("Test"), "test"),
    (mark("Review"), "review"),
    (mark("Mistakes"), "mistakes"),
    (mark("Puzzles"), "puzzles"),
    (mark("Analysis"), "analysis"),
    (mark("Routes"), "routes"),
    (mark("Minigames"), "minigames"),
    (mark("Tables"), "tables"),
    (mark("Settings"), "settings"),
    (mark("Help"), "help"),
)
_AT_BOTTOM = ("Settings", "Help")  # no text


def run(data_dir: Path, request: OpenRequest, seat: SingleWindow) -> int:
    """Open the window and return the exit status when it is closed.

    Parameters
    ----------
    data_dir : Path
        Where settings and tables are kept.
    request : OpenRequest
        What to show at once.
    seat : SingleWindow
        Through which others ask to see the window, as long as it is open.
    """
    app = application()
    app.setApplicationDisplayName(APP_TITLE)
    app.setWindowIcon(app_icon())
    restored = _finish_restore(data_dir)  # before anything is opened
    app.setDesktopFileName(APP_NAME)
    log = current_log()
    crash_file = CrashFile((log.parent if log else data_dir / "logs") / CRASH_NAME)
    crash = crash_file.begin()
    program = Program(app, user_folders(data_dir).data, is_hasty=True)
    program.bugs.watch()
    program.begin_session(crash)
    if restored:
        program.say_restored(restored)
    termination = TerminationWatch(program)
    try:
        program.window.closing.connect(lambda: app.exit(0))
        termination.requested.connect(program.window.close)
        # The desktop session ends: it may wait no longer than for this, or be called off yet.
        app.commitDataRequest.connect(lambda _: program.save())
        app.saveStateRequest.connect(lambda _: program.save())
        app.aboutToQuit.connect(seat.stop_listening)
        app.aboutToQuit.connect(program.close)  # all there is at the end of a session of Windows
        program.window.show()
        program.start(request.table, request.parts)
        FirstPicture(program.window, program.finish_pages)
        program.preparing.start_later()
        if request.file:
            program.review_game(request.file)
        elif request.page:
            program.window.show_page_named(request.page)
        elif not request.table and QGuiApplication.platformName() != "offscreen":
            program.offer_tour()
        seat.asked.connect(program.show_again)
        if isinstance(app, Application):
            app.file_asked.connect(lambda path: program.show_again(OpenRequest(file=Path(path))))
        seat.listen()
        return app.exec()
    finally:
        seat.stop_listening()
        program.close()
        program.bugs.unwatch()
        crash_file.end()
        termination.close()
        if program.is_restart_wanted:
            seat.release()
            command = own_command(*program.where)
            QProcess.startDetached(command[0], command[1:])


class Program(QObject):
    """All parts, wired together.

    Parameters
    ----------
    app : QApplication
    data_dir : Path
        Where settings and tables are kept.
    builds, checks : optional
        Tests put others here.
    is_hasty : bool
        Whether only Home is made at once, where that is what is shown first; the other pages are
        imported and made when the window has been drawn, or when one of them is asked for.
    """

    game: "GamePage"
    practice: "PracticePage"
    test: "TestPage"
    review: "ReviewPage"
    mistakes: "MistakesPage"
    puzzles: "PuzzlesPage"
    analysis: "AnalysisPage"
    routes: "RoutesPage"
    minigames: "MinigamesPage"
    tables: "TablesPage"
    settings_page: "SettingsPage"
    data: "DataSection"
    help: "HelpPage"

    def __init__(
        self,
        app: QApplication,
        data_dir: Path,
        builds: Builds | None = None,
        checks: Checks | None = None,
        is_hasty: bool = False,
    ) -> None:
        super().__init__()
        self._has_pages = False
        self._is_closed = self._has_opened = self.is_restart_wanted = False
        # Child processes keep their logs where this one does.
        is_usual = data_dir == user_folders().data
        self.where = where = [] if is_usual else ["--data-dir", str(data_dir)]
        self.bugs = Bugs(self)
        self._mark = SessionMark(data_dir, lambda: datetime.now(timezone.utc))
        self.settings = Settings(data_dir / "settings.json", self)
        own_colors, problem = _own_colors(data_dir)
        self.themes = CurrentTheme(app, load_color_schemes(), self.settings, own_colors)
        folders = user_folders(data_dir)
        self.service = TablesService(folders.tables, self._more_folders, folders.patterns)
        # Look-ups have a thread of their own: they never wait for a scan of the disk.
        self.tasks, self.lookups = TaskRunner(self, "files"), TaskRunner(self, "lookup")
        self.thoughts, self.reviews = TaskRunner(self, "player"), TaskRunner(self, "review")
        self.questions = TaskRunner(self, "test")
        self.notes = TaskRunner(self, "analyses")
        self.walks = TaskRunner(self, "routes")
        self.filing = TaskRunner(self, "mistakes")
        self.keeping = TaskRunner(self, "backup")
        self.drawings = TaskRunner(self, "drawings")
        self.analyzing = TaskRunner(self, "analyzing")
        self.seeking = TaskRunner(self, "puzzles")
        self.book = MistakeService(data_dir / "mistakes.db", self.filing, self)
        self.puzzle_book = StoreService(data_dir / "puzzles.db", _open_puzzles, self.filing, self)
        self.due = DueCount(self.book, self.settings, lambda: datetime.now(timezone.utc), self)
        readers = (
            *(self.lookups, self.questions, self.reviews),
            *(self.analyzing, self.walks, self.seeking),
        )
        self.library = Library(self.service, self.tasks, self, readers)
        queue = QueueFile(data_dir / "queue.json")
        self.builds = builds or Builds(lambda r: [*r.command(), *where], self, queue)
        self.checks = checks or Checks(lambda path: [*verify_command(path), *where], self)
        self.adviser = Adviser(lambda room: [*room.command(), *where], self)
        self.sizes = SizeForecast(lambda request: [*request.size_command(), *where], self)
        self.reports = TableReports(lambda path: [*info_command(path), *where], self)
        self.preparing = Preparing(self.tasks, lambda: prepare_command(where), self)
        self.analyses = AnalysisRuns(lambda request: [*request.command(), *where], self)
        self.kept_analyses = KeptAnalyses(
            data_dir / "analyses.db",
            data_dir / "analyses",
            self.notes,
            lambda: datetime.now(timezone.utc),
        )
        self._translator = QTranslator(self)
        self._speak()
        self.window = MainWindow(self.settings)
        self._reports = WorkReports(
            window=self.window,
            builds=self.builds,
            checks=self.checks,
            analyses=self.analyses,
            preparing=self.preparing,
        )
        self.mishaps = Mishaps(
            self.bugs,
            self.window,
            lambda: self.home.banners,
            lambda: self.themes.sheet,
            lambda: datetime.now(timezone.utc),
        )
        self.notices = BuildNotices(self.builds, self.settings, self.window)
        self._data_dir = data_dir
        self._saver: ScreenSaver | None = None
        self.tour: Tour | None = None
        self._make_home(data_dir)
        self._connect()
        self.window.set_theme(self.themes.theme, self.themes.sheet)
        self.window.restore()
        page = self.settings.state.get("window.page")
        if not is_hasty or page not in ("", self.home.title):
            self.finish_pages()
        self.window.show_page_named(page)
        self._show_problems([self.settings.problem, problem, self.builds.problem])

    def __getattr__(self, name: str) -> Any:
        """Make the pages when one of them is asked for that is not there yet."""
        if name in _MADE_LATER and not self.__dict__.get("_has_pages", True):
            self.finish_pages()
            return self.__dict__[name]
        raise AttributeError(name)

    def finish_pages(self) -> None:
        """Make the pages that are not there yet."""
        if self._has_pages or self._is_closed:
            return
        self._has_pages = True
        self._make_pages(self._data_dir)
        self._connect_pages()
        self.window.set_theme(self.themes.theme, self.themes.sheet)
        if self.library.is_known:
            self._show_tables()
        self.due.tell()
        if text := self.window.keys.problem:  # known when all actions are there
            forget = (tr("Forget them"), self.window.keys.forget_unknown)
            self.home.banners.show_message("warning", text, [forget])

    def begin_session(self, crash: str = "") -> None:
        """Know from now on whether the window ends as it should; offer what a crash took away.

        Needs the claim on the data folder. After a crash one begins on Home: whatever page was in
        front may crash again.
        """
        if last := self._mark.begin():
            self.window.show_page(self.home)
            self.mishaps.offer_restore(last, crash, self._go_back_to)
        self._note_place()

    def _go_back_to(self, last: LastSession) -> None:
        if last.page == self.practice.title and last.table:
            self.open_in_practice(last.table)
        else:
            self.window.show_page_named(last.page)

    def _note_place(self) -> None:
        table = self.settings.state.get("practice.last_table")
        self._mark.note(self.settings.state.get("window.page"), Path(table) if table else None)

    def restart(self) -> None:
        """Close the window as the person does, and begin again."""
        self.is_restart_wanted = True
        self.window.close()

    def start(self, table: Path | None = None, parts: Sequence[Path] = ()) -> None:
        """Begin the work that can wait until the window is drawn."""
        QTimer.singleShot(0, self.library.refresh)
        QTimer.singleShot(0, self.due.start)
        self.tasks.run(self.service.empty_trash, lambda _: None)
        if self.settings.get("build.resume_at_start"):
            QTimer.singleShot(0, self.builds.start)
        if table:
            self.service.join(table, parts)
            self.open_in_practice(table)

    def show_again(self, request: OpenRequest) -> None:
        """Bring the window to the front, and in it what somebody asked for who started it again."""
        self._end_screensaver()
        self.window.bring_to_front()
        if request.table:
            self.service.join(request.table, request.parts)
            self.open_in_practice(request.table)
        elif request.file:
            self.review_game(request.file)
        elif request.page:
            self.window.show_page_named(request.page)

    def open_in_practice(self, table: Path) -> None:
        """Open a table in Practice."""
        self.settings.state.set("practice.last_table", str(table))
        self.tables.forget_news(table)
        self.window.show_page(self.practice)
        self.practice.open_table(table)

    def show_screensaver(self) -> None:
        """Show the screen saver over everything until somebody is there."""
        if self._saver is None:
            from gui.screensaver.show import ScreenSaver

            self._saver = ScreenSaver(self._data_dir, self.settings, parent=self)
            self._saver.left.connect(self._end_screensaver, Qt.ConnectionType.QueuedConnection)
            self._saver.show()

    def _end_screensaver(self) -> None:
        if self._saver:
            self._saver.close()
            self._saver = None

    def open_position(self, asker: str, table: Path, board: str) -> None:
        """Show a position in Practice, with a way back to the page titled `asker`."""
        self.practice.show_position(table, board, asker)
        self.window.show_page(self.practice)

    def open_in_test(self, table: Path) -> None:
        """Begin a test on the table in a folder, unless one is under way on it already."""
        self.test.begin_on(table)
        self.window.show_page(self.test)

    def review_game(self, what: "Recording | Path", position: int | None = None) -> None:
        """Show a recorded game in Review, at a position if one is named."""
        self.review.review(what, position)
        self.window.show_page(self.review)

    def analyze_game(self, path: Path) -> None:
        """Analyze a game and show how that goes on."""
        self.window.show_page(self.analysis)
        self.analysis.analyze([path])

    def say_restored(self, done: "Restored") -> None:
        """Say what became of a backup that waited to be restored."""
        from gui.settings.data_section import restored_text

        self.home.banners.show_message(*restored_text(done))

    def show_help(self, page: str) -> None:
        """Show the help on the page of that title in English, with a way back to it."""
        self.help.show_topic(page)
        self.window.show_page(self.help)

    def offer_tour(self) -> None:
        """Show the tour to somebody who is new: who has never left it, and has no tables."""
        if self.settings.state.get("help.is_tour_over"):
            return

        def offer() -> None:
            self.library.changed.disconnect(offer)
            if not self.library.tables:
                self.show_tour()

        self.library.changed.connect(offer)
        if self.library.is_known:
            offer()

    def show_tour(self, at: int = 0) -> None:
        """Show the tour from a step on; left once, it does not come by itself again."""
        from gui.help.tour import Tour
        from gui.shell.tour_steps import tour_steps

        if self.tour:
            self.tour.close()
        window, themes = self.window, self.themes
        steps, show = tour_steps(self), window.show_page_named
        self.tour = Tour(window, steps, show, themes.theme, themes.sheet)
        self.tour.left.connect(self._end_tour)
        self.tour.go_to(at)

    def _end_tour(self) -> None:
        self.tour = None
        self.settings.state.set("help.is_tour_over", True)
        if page := self.window.page:
            page.setFocus()

    def save(self) -> None:
        """Write what is unwritten and go on: whoever ends the session may think better of it."""
        if not self._is_closed:
            pages = [self.minigames.save, self.routes.save] if self._has_pages else []
            self._do_all([*pages, self.window.remember, self.settings.flush])
            self._mark.lift()  # the system may end us any time now

    def close(self) -> None:
        """Stop all work and write what is unwritten; safe to call twice."""
        if self._is_closed:
            return
        self._is_closed = True
        self._do_all(
            [
                *([self.data.stop] if self._has_pages else []),
                self.preparing.close,
                self.builds.close,
                self.notices.close,
                self.checks.close,
                self.due.close,
                self.adviser.close,
                self.sizes.close,
                self.reports.close,
                self._end_screensaver,
                *self._close_pages(),
                self.analyses.close,
                *(runner.close for runner in self._runners()),
                self.kept_analyses.close,
                self.book.close,
                self.puzzle_book.close,
                self.library.close,
                self.settings.close,
                self._mark.end,
            ]
        )

    def _do_all(self, steps: Sequence[Callable[[], object]]) -> None:
        """Do one after the other; one that fails must not keep the others from their files."""
        for step in steps:
            try:
                step()
            except Exception:  # noqa: BLE001 - the next part has something to save too
                _log.exception("%s failed while saving or closing", step)

    def _make_home(self, data_dir: Path) -> None:
        self.home = HomePage(
            self.service, self.tasks, self.settings, self.library, self.builds,
            book=self.book,
            folder=data_dir,
            theme=self.themes.theme,
            live_game=self._live_game,
            draw_cover=draw_cover,
        )  # fmt: skip
        self.window.add_page(self.home)
        for title, icon in _LATER:
            self.window.announce(title, icon, at_bottom=title in _AT_BOTTOM)
        self._connect_home()

    def _make_pages(self, data_dir: Path) -> None:
        from gui.analysis.filing import MistakeFiling
        from gui.analysis.page import AnalysisPage
        from gui.exam.page import TestPage
        from gui.game.page import GamePage
        from gui.help.page import HelpPage
        from gui.minigames.page import MinigamesPage
        from gui.mistakes.page import MistakesPage
        from gui.mistakes.rates import MissingRates
        from gui.practice.page import PracticePage
        from gui.puzzles.page import PuzzlesPage
        from gui.review.page import ReviewPage
        from gui.review.whole_games import WholeGames, open_analysis
        from gui.routes.page import RoutesPage
        from gui.settings.data_section import DataSection
        from gui.settings.page import SettingsPage
        from gui.tables.page import TablesPage

        service, tasks, settings = self.service, self.tasks, self.settings
        theme = self.themes.theme
        self.game = GamePage(
            data_dir / "game",
            data_dir / "replays",
            self.thoughts,
            settings,
            theme,
            table_folders=lambda: [data_dir / "tables", *self._more_folders()],
        )
        self.practice = PracticePage(self._open, self.lookups, settings, theme, files=tasks)
        self.test = TestPage(
            self._open, self.questions, tasks, settings, data_dir, theme,
            note_mistake=self.book.note,
        )  # fmt: skip
        tests = data_dir / "tests"
        self.review = ReviewPage(
            self._open, self.reviews, settings, tests, service.formations, theme,
            whole_games=WholeGames(self.analyzing, partial(open_analysis, data_dir)),
        )  # fmt: skip
        self.mistakes = MistakesPage(
            self.book,
            settings,
            theme,
            data_dir,
            service.position_symmetry,
            MissingRates(self.book, service.open, tasks),
        )
        self.puzzles = PuzzlesPage(
            self.puzzle_book, self.book, self._open, self.lookups, self.seeking, settings, theme,
            data_dir,
        )  # fmt: skip
        self.analysis = AnalysisPage(
            self.kept_analyses, self.analyses, self.notes, settings, theme, service.folders,
            filing=MistakeFiling(self.book, self.notes, service.position_symmetry),
        )  # fmt: skip
        self.routes = RoutesPage(
            self._open, self.questions, self.notes, self.walks, settings, data_dir, theme,
            note_mistake=self.book.note,
            table_folders=lambda: [data_dir / "tables", *self._more_folders()],
        )  # fmt: skip
        self.minigames = MinigamesPage(
            data_dir / "minigames", tasks, self.thoughts, settings, theme
        )
        self.tables = TablesPage(
            *(service, tasks, settings, self.library),
            *(self.builds, self.checks, self.adviser, self.sizes),
            estimates=self.drawings,
            reports=self.reports,
            theme=theme,
        )
        self.data = DataSection(settings, self.themes, service, self.book, data_dir, self.keeping)
        self.settings_page = SettingsPage(
            settings, self.themes, service, data_dir, self.window.keys, self.data
        )
        coach = (self.practice, self.test, self.review, self.mistakes, self.puzzles, self.analysis)
        for page in (self.game, *coach, self.routes, self.minigames, self.tables):
            self.window.add_page(page)
        for asker in (self.test, self.review, self.mistakes, self.puzzles, self.routes):
            asker.practice_asked.connect(partial(self.open_position, asker.title))
        self.practice.test_asked.connect(self.open_in_test)
        for sender in (self.game, self.practice, self.test, self.mistakes, self.analysis):
            sender.review_asked.connect(self.review_game)
        self.game.analysis_asked.connect(self.analyze_game)
        self.game.tables_asked.connect(lambda: self.window.show_page(self.tables))
        self.window.add_page(self.settings_page)
        self.help = HelpPage(settings, theme, tasks, self.window.keys)
        self.window.add_page(self.help)

    def _connect_home(self) -> None:
        window = self.window
        self.home.name_keys(window.find_action, window.keys_action)
        self.home.practice_requested.connect(self.open_in_practice)
        self.home.drill_requested.connect(self._drill_due)
        self.home.test_requested.connect(self.open_in_test)
        self.home.history_requested.connect(self._show_history)
        self.home.build_requested.connect(self._offer_build)
        self.home.game_requested.connect(lambda: window.show_page(self.game))
        self.home.daily_requested.connect(self._play_daily)
        self.home.puzzle_requested.connect(self._solve_daily)
        self.home.analysis_requested.connect(self._show_analysis)
        self.home.tables_requested.connect(lambda: window.show_page(self.tables))
        self.due.counted.connect(self.home.show_due)

    def _connect_pages(self) -> None:
        """Connect the pages with each other; in another language there are others."""
        window, library = self.window, self.library
        for reader in (self.practice, self.test, self.review, self.puzzles, self.routes):
            library.removed.connect(reader.close_table)
        self.mistakes.test_asked.connect(self.home.start_test)
        self.tables.practice_requested.connect(self.open_in_practice)
        self.practice.back_requested.connect(window.show_page_named)
        for wish in (
            self.settings_page.tables_requested,
            self.practice.tables_requested,
            self.test.tables_requested,
            self.review.tables_requested,
            self.mistakes.tables_requested,
            self.puzzles.tables_requested,
            self.analysis.tables_requested,
            self.routes.tables_requested,
        ):
            wish.connect(lambda: window.show_page(self.tables))
        self.settings_page.folders_changed.connect(library.refresh)
        self.settings_page.screensaver_requested.connect(self.show_screensaver)
        self.settings_page.page_requested.connect(window.show_page_named)
        window.status_line.clicked.connect(self._show_work)
        self.help.back_requested.connect(window.show_page_named)
        self.help.tour_asked.connect(self.show_tour)

    def _connect(self) -> None:
        """Connect what is there as long as the program runs."""
        window = self.window
        self.themes.changed.connect(self._dress)
        self.library.changed.connect(self._show_tables)
        self.due.counted.connect(self._show_due)
        self.settings.changed.connect(self._follow_setting)
        self.settings.save_failed.connect(lambda text: self._show_problems([text]))
        for runner in self._runners():
            runner.bug_found.connect(lambda error: self.bugs.note(error, IN_THE_BACKGROUND))
        self.builds.ended.connect(self._on_build_ended)
        self.builds.save_failed.connect(lambda text: self._show_problems([text]))
        self.notices.clicked.connect(self._show_builds)
        window.closing.connect(self.close)
        window.help_asked.connect(self.show_help)
        window.pages_wanted.connect(self.finish_pages)
        window.page_changed.connect(self._note_place)
        self.mishaps.restart_wanted.connect(self.restart)

    def _dress(self, theme: Theme) -> None:
        self.window.set_theme(theme, self.themes.sheet)
        if self.tour:
            self.tour.set_theme(theme, self.themes.sheet)

    def _show_tables(self) -> None:
        if not self._has_pages:
            return  # they are told when they are made
        coach = (self.practice, self.test, self.review, self.mistakes, self.puzzles, self.analysis)
        for page in (self.game, *coach, self.routes):
            page.set_tables(self.library.tables)

    def _show_due(self, count: int) -> None:
        self.window.rail.set_badge(mark("due today"), "Mistakes", count)  # no text

    # The language ---------------------------------------------------------------------------

    def _follow_setting(self, name: str, _value: object) -> None:
        if name == "language":  # not while whoever chose it is still being told
            QTimer.singleShot(0, self._renew)

    def _speak(self) -> None:
        """Take the language that is set, for Qt's own dialogs as well."""
        language.use(self.settings.get("language"))
        QApplication.removeTranslator(self._translator)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if self._translator.load(f"qtbase_{language.in_force()}", folder):
            QApplication.installTranslator(self._translator)

    def _renew(self) -> None:
        """Make the window's contents again, in another language; all goes on where it was."""
        if (
            self._is_closed
            or language.resolved(self.settings.get("language")) == language.in_force()
        ):
            return
        self.finish_pages()
        window, front = self.window, self.settings.state.get("window.page")
        practice, review = self.practice.handed_over(), self.review.handed_over()
        told = self.data.told
        tour_at = self.tour.at if self.tour else None
        if self.tour:
            self.tour.close()
        self._do_all([*self._close_pages(), self.practice.close_page, self.puzzles.close_page])
        self._speak()
        old = window.strip()
        self._make_home(self._data_dir)
        self._make_pages(self._data_dir)
        self._connect_pages()
        window.set_theme(self.themes.theme, self.themes.sheet)
        if self.library.is_known:
            self._show_tables()
        self.due.tell()
        self._reports.tell_all()
        self.practice.take_over(practice)
        self.review.take_over(review)
        self.data.tell_imported(told)
        window.show_page_named(front)
        if tour_at is not None:
            self.show_tour(tour_at)
        _delete_when_idle(old, self._runners())

    def _close_pages(self) -> Sequence[Callable[[], object]]:
        if not self._has_pages:
            return ()
        return (
            self.game.close_game,
            self.minigames.close_page,
            self.test.close_page,
            self.routes.close_page,
            self.puzzles.search.cancel,
            self.review.work.cancel,
        )

    def _open(self, path: Path) -> "Tablebase":
        """Open a table; the first one brings libraries that no pause while typing may look through.

        Only the first: a game that is given up later is garbage, and what is frozen stays.
        """
        with nullcontext() if self._has_opened else without_collection():
            table = self.service.open(path)
        self._has_opened = True
        return table

    def _runners(self) -> Sequence[TaskRunner]:
        return (
            self.lookups,
            self.questions,
            self.thoughts,
            self.reviews,
            self.analyzing,
            self.notes,
            self.walks,
            self.filing,
            self.drawings,
            self.seeking,
            self.keeping,
            self.tasks,
        )

    def _more_folders(self) -> Sequence[Path]:
        named = [self.settings.get("build.folder"), *self.settings.get("table_folders")]
        return [Path(folder) for folder in named if folder]

    def _drill_due(self, test: str) -> None:
        self.window.show_page(self.mistakes)
        self.mistakes.drill_due(test)

    def _show_history(self) -> None:
        self.window.show_page(self.test)
        self.test.show_history(True)

    def _offer_build(self, pattern: str, target: int) -> None:
        self.window.show_page(self.tables)
        if pattern:
            self.tables.offer_build(pattern, target)

    def _play_daily(self) -> None:
        self.window.show_page(self.minigames)
        self.minigames.open_daily()

    def _solve_daily(self) -> None:
        self.window.show_page(self.puzzles)
        self.puzzles.show_daily()

    def _show_analysis(self, number: int) -> None:
        self.window.show_page(self.analysis)
        self.analysis.choose(number)

    def _live_game(self) -> LastGame | None:
        if not self._has_pages:
            return None  # no game has been opened yet
        session = self.game.session
        return LastGame.of(session.game) if session else None

    def _on_build_ended(self, request: Request, status: int, _message: str) -> None:
        took, boards = self.builds.last_seconds, self.builds.last_result.get("boards")
        is_made = isinstance(request, (BuildRequest, ImportRequest))
        if status == 0 and is_made and took and isinstance(boards, int):
            times = dict(self.settings.state.get("build.times"))
            times[str(request.table)] = [took, boards]
            self.settings.state.set("build.times", times)

    def _show_builds(self) -> None:
        self.window.bring_to_front()
        self.window.show_page(self.tables)

    def _show_work(self) -> None:
        is_analysis = self.analyses.is_running and not self.builds.current
        self.window.show_page(self.analysis if is_analysis else self.tables)

    def _show_problems(self, texts: Sequence[str]) -> None:
        for text in filter(None, texts):
            self.home.banners.show_message("warning", text)


_MADE_LATER = frozenset(Program.__annotations__)


def _finish_restore(data_dir: Path) -> "Restored | None":
    """Restore the backup that waits for it; what does so is imported only then."""
    if not any(data_dir.glob("restore*")):
        return None
    from coach.backup.restoring import finish

    return finish(data_dir, datetime.now())


def _open_puzzles(path: Path) -> "Puzzles":
    """Open the database of puzzles; what does so is imported when it is first asked."""
    from coach.puzzles.puzzles import Puzzles

    return Puzzles(path)


def _own_colors(data_dir: Path) -> tuple[ColorSchemes, str]:
    """Return the person's own colors, and what is wrong with them."""
    try:
        return OwnPalettes(data_dir / SCHEMES_NAME).load(), ""
    except ColorSchemeError as error:
        return NO_SCHEMES, tr("Your own colors are not used: {why}.", why=error)


def _delete_when_idle(widget: QWidget, runners: Sequence[TaskRunner]) -> None:
    """Delete a widget once all that was asked on its behalf is answered."""
    left = len(runners)

    def answered(_: object) -> None:
        nonlocal left
        left -= 1
        if not left:
            widget.deleteLater()

    for runner in runners:
        runner.run(lambda: None, answered, answered)
