"""The window's session: startup, wiring of the parts, shutdown.

Closing the window during a build cancels it cleanly: nobody wants a program that goes on using
every processor after its window is gone. What is finished is kept, and Home offers to resume.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QLibraryInfo, QObject, QProcess, Qt, QTimer, QTranslator, Signal
from PySide6.QtWidgets import QApplication, QWidget

from engine.platform import language
from engine.platform.language import mark, tr, trc
from engine.platform.log import current_log
from engine.platform.project_files import APP_NAME, APP_TITLE, own_command
from engine.platform.user_folders import user_folders
from gui.faults.bugs import Bug
from gui.faults.last_session import CRASH_NAME, CrashFile, LastSession, SessionMark
from gui.home.page import HomePage
from gui.home.records import LastGame
from gui.minigames.cover import draw_cover
from gui.pages.page import Answers
from gui.pages.services import Services, do_all
from gui.shell.main_window import MainWindow
from gui.shell.page_list import DOORS, PAGES
from gui.shell.single_window import OpenRequest, SingleWindow
from gui.shell.work_reports import BuildNotices, WorkReports
from gui.style.icons import app_icon
from gui.style.theme import theme_source
from gui.table_work.builds import Builds
from gui.table_work.checks import Checks
from gui.table_work.requests import Request
from gui.text.messages import sentence
from gui.widgets.application import Application, TerminationWatch, application
from gui.widgets.banner import BannerStack, Remedy
from gui.widgets.file_dialogs import open_folder
from gui.work.chunked_work import ChunkedWork
from gui.work.garbage import GarbageCollector
from gui.work.tasks import TaskRunner

if TYPE_CHECKING:
    from coach.backup.restoring import Restored
    from gui.help.tour import Tour
    from gui.screensaver.show import ScreenSaver
    from gui.shell.bug_panel import BugPanel
    from gui.shell.pages import Pages

_LANGUAGE = "language"  # no text: why the picture is held

# Imported one by one before the pages are created.
_IMPORTED_LATER = (*(name for page in PAGES for name in page.modules), "gui.comparison.window")
_ABOUT_THE_PROGRAM = ("Settings", "Help")  # no text: pages that no start opens on
_PRACTICE = "Practice"  # no text: the title of the page, in English
_A_MOMENT_MS = 20  # for further system events of a new window


_IN_MACHINE_CODE = mark("The program crashed in machine code the last time it ran.")
_KEY = "last session"  # no text
_log = logging.getLogger(__name__)


class CrashReports(QObject):
    """Shows bugs in one panel, and user errors on the page in front."""

    restart_requested = Signal()

    def __init__(
        self, services: Services, window: MainWindow, home_banners: Callable[[], BannerStack]
    ) -> None:
        bugs = services.bugs
        super().__init__(bugs)
        self._services, self._window, self._home_banners = services, window, home_banners
        self._put_away: list[Bug] = []  # told once; the log counts them
        self.panel: BugPanel | None = None
        bugs.found.connect(self._show)
        bugs.mistaken.connect(self._show_mistake)

    def offer_restore(
        self, last: LastSession, crash: str, restore: Callable[[LastSession], None]
    ) -> None:
        """Show on Home that the program did not end normally, and offer to restore the last place.

        `crash` is the trace of a crash in native code; "" if there was none.
        """
        text = tr("{program} didn't end normally last time.", program=APP_TITLE)
        remedies: list[Remedy] = []
        if last.page or last.table:
            remedies.append((tr("Restore"), lambda: restore(last)))
        if crash:
            bug = Bug(_IN_MACHINE_CODE, crash.splitlines()[0], crash, 1)
            remedies.append((trc("of a bug", "Details"), lambda: self._show(bug)))
        remedies.append((tr("Show the log"), self._show_log))
        self._home_banners().show_message("warning", text, remedies, _KEY)

    def _show(self, bug: Bug) -> None:
        if any(known is bug for known in self._put_away):
            return
        try:
            if self.panel is None:
                from gui.shell.bug_panel import BugPanel  # hardly ever needed

                self.panel = panel = BugPanel(self._window, self._report, self._show_log)
                panel.setStyleSheet(self._services.themes.sheet)
                panel.restart_requested.connect(self.restart_requested)
                panel.finished.connect(self._forget_panel)
            self.panel.add(bug)
        except Exception:  # noqa: BLE001 - else its own bugs would be shown in it, and so on
            _log.exception("a bug cannot be shown")

    def _forget_panel(self) -> None:
        if self.panel:
            self._put_away += self.panel.bugs
            self.panel.deleteLater()
            self.panel = None

    def _show_mistake(self, text: str) -> None:
        page = self._window.page
        banners = page.banners if page else self._home_banners()
        banners.show_message("bad", sentence(text))

    def _report(self, bugs: list[Bug]) -> str:
        from gui.faults.bug_report import report

        page = self._window.page.title if self._window.page else ""
        lines = self._services.bugs.last_lines
        return report(bugs, page, lines, datetime.now(timezone.utc))

    def _show_log(self) -> None:
        if path := current_log():
            open_folder(path)


def run(data_dir: Path, request: OpenRequest, instance: SingleWindow) -> int:
    """Open the window and return the exit status once it is closed.

    `instance` receives requests of other processes while it is open.
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
    program.services.bugs.watch()
    program.begin_session(crash)
    if restored:
        program.show_restored(restored)
    termination = TerminationWatch(program)
    garbage = GarbageCollector(program)
    try:
        program.window.closing.connect(lambda: app.exit(0))
        termination.requested.connect(program.window.close)
        # The desktop session ends: it may wait no longer than for this, or be called off yet.
        app.commitDataRequest.connect(lambda _: program.save())
        app.saveStateRequest.connect(lambda _: program.save())
        app.aboutToQuit.connect(instance.stop_listening)
        app.aboutToQuit.connect(program.close)  # all there is when Windows ends a session
        program.window.show()
        program.start()
        FirstPicture(program.window, program.make_pages)
        program.services.preparing.start_later()
        if not program.show_requested(request) and app.platformName() != "offscreen":
            program.offer_tour()
        instance.asked.connect(program.show_again)
        if isinstance(app, Application):
            app.file_requested.connect(
                lambda path: program.show_again(OpenRequest(file=Path(path)))
            )
        instance.listen()
        return app.exec()
    finally:
        instance.stop_listening()
        program.close()
        program.services.bugs.unwatch()
        crash_file.end()
        termination.close()
        garbage.close()
        if program.is_restart_wanted:
            instance.release()
            command = own_command(*program.services.where)
            QProcess.startDetached(command[0], command[1:])


class Program(QObject):
    """Services, the window and its pages, from the start of a session to its end.

    If hasty, only Home is created at once, if it is shown first; the other pages are imported and
    created after the window is drawn, or when one is requested.
    """

    def __init__(
        self,
        app: QApplication,
        data_dir: Path,
        builds: Builds | None = None,
        checks: Checks | None = None,
        is_hasty: bool = False,
    ) -> None:
        super().__init__()
        self._pages: Pages | None = None
        self._making: Pages | None = None
        self._restore: Callable[[Pages], None] | None = None  # moves new pages to the same place
        self._steps = ChunkedWork(self)
        self._is_closed = self.is_restart_wanted = False
        self._mark = SessionMark(data_dir, lambda: datetime.now(timezone.utc))
        self.services = services = Services(app, data_dir, builds, checks)
        self._translator = QTranslator(self)
        self._install_translator()
        self.window = MainWindow(services.settings)
        self._reports = WorkReports(self.window, services)
        self.crash_reports = CrashReports(services, self.window, lambda: self.home.banners)
        self.notices = BuildNotices(services.builds, services.settings, self.window)
        self._saver: ScreenSaver | None = None
        self.tour: Tour | None = None
        self._tour_at: int | None = None  # where to continue in another language
        self._answers: Answers = {
            "back_requested": self.window.show_page_named,
            "compare_requested": lambda request: self.pages.comparison.compare(request),
            "page_requested": self.window.show_page_named,
            "pages_requested": self.finish_pages,
            "screensaver_requested": self.show_screensaver,
            "restart_requested": self.restart,
            "tour_requested": self.show_tour,
        }
        self._make_home()
        self._connect()
        self.window.set_sheet(services.themes.sheet)
        self.window.restore()
        page = services.settings.state.get("window.page")
        if page in _ABOUT_THE_PROGRAM:
            page = self.home.title
        if not is_hasty or page not in ("", self.home.title):
            self.finish_pages()
        self.window.show_page_named(page)
        self._show_problems(services.problems)

    @property
    def pages(self) -> "Pages":
        """All pages but Home, created on first use if not before."""
        if self._pages:
            return self._pages
        pages = self._make_pages()
        if text := self.window.keys.problem:  # known when all actions are there
            forget = (tr("Forget them"), self.window.keys.forget_unknown)
            self.home.banners.show_message("warning", text, [forget])
        return pages

    def make_pages(self) -> None:
        """Create the pages step by step, so that no key press waits for all of them."""
        imports = [partial(import_module, name) for name in _IMPORTED_LATER]
        self._steps.do([*imports, lambda: self._begin_pages(self.finish_pages)])

    def _begin_pages(self, finish: Callable[[], None]) -> None:
        """Start creating the pages, one per step, then run `finish`."""
        if self._is_closed:
            return
        self._steps.do([finish])  # whatever fails below
        if self._pages:
            return
        from gui.shell.pages import Pages

        self._making = making = Pages(self.services, self.window)
        self._steps.do([*([making.make_next] * making.n_to_make), finish])

    def finish_pages(self) -> None:
        if not self._is_closed:
            _ = self.pages

    def _make_home(self) -> None:
        services = self.services
        self.home = HomePage(
            services.tables, services.tasks, services.settings, services.library, services.builds,
            mistake_store=services.mistake_store,
            database=services.database,
            live_game=self._live_game,
            draw_cover=draw_cover,
        )  # fmt: skip
        self.window.add_page(self.home)
        self.window.status_line.clicked.connect(self.window.show_page_named)
        self.services.due.counted.connect(self.home.show_due)
        for door in DOORS:
            self.window.announce(door)
        self._follow_requests(self.home)

    def _make_pages(self) -> "Pages":
        from gui.shell.pages import Pages

        services = self.services
        pages = self._making or Pages(services, self.window)
        self._making = None
        pages.make_all()
        self._pages = pages
        for page in pages:
            self._follow_requests(page)
            page.front_needed.connect(partial(self.window.show_page, page))
        pages.set_sheet(services.themes.sheet)
        self._reports.follow_pages(pages)
        if services.library.is_known:
            self._show_tables()
        services.due.emit_count()
        if restore := self._restore:
            self._restore = None
            restore(pages)
        return pages

    def _follow_requests(self, source: QObject) -> None:
        """Answer what a page or the window asks for; other pages need not exist yet."""
        asker = str(getattr(source, "title", ""))
        for name in dir(type(source)):
            if name.endswith("_requested"):
                getattr(source, name).connect(partial(self.request, name, asker=asker))

    def request(self, name: str, *args: object, asker: str = "") -> Any:
        """Do what the page with that title in English asks for, and return the last answer."""
        if own := self._answers.get(name):
            return own(*args)
        answer = None
        for page in (self.home, *self.pages):
            if work := page.answers().get(name):
                page.asker = asker
                answer = work(*args)
        return answer

    def _connect(self) -> None:
        services, window = self.services, self.window
        theme_source().changed.connect(self._apply_sheet)
        services.library.changed.connect(self._show_tables)
        services.due.counted.connect(self._show_due)
        services.settings.changed.connect(self._follow_setting)
        services.settings.save_failed.connect(lambda text: self._show_problems([text]))
        services.builds.ended.connect(self._on_build_ended)
        services.builds.save_failed.connect(lambda text: self._show_problems([text]))
        services.old_data.finished.connect(self._show_old_data)
        services.old_data.warned.connect(lambda text: self._show_problems([text]))
        self.notices.clicked.connect(self._show_builds)
        window.closing.connect(self.close)
        self._follow_requests(window)
        window.page_changed.connect(self._note_place)
        self.crash_reports.restart_requested.connect(self.restart)

    def _show_old_data(self) -> None:
        if not self._is_closed and self.home.isVisible():
            self.home.page_shown()  # its records were not there before

    def _apply_sheet(self) -> None:
        sheet = self.services.themes.sheet
        for part in (self.window, self._pages, self.tour):
            if part:
                part.set_sheet(sheet)

    def _show_tables(self) -> None:
        if self._pages:  # they are told when they are made
            self._pages.show_tables()

    def _show_due(self, count: int) -> None:
        self.window.set_badge(mark("due today"), "Mistakes", count)  # no text

    def _live_game(self) -> LastGame | None:
        game = self.request("live_game") if self._pages else None
        return LastGame.of(game) if game else None

    def _on_build_ended(self, request: Request, _status: int, _message: str) -> None:
        from tablebase.events import BuildDone

        builds, state = self.services.builds, self.services.settings.state
        took, result = builds.last_seconds, builds.last_result
        if took and isinstance(result, BuildDone):
            times = dict(state.get("build.times"))
            times[str(request.table)] = [took, result.boards]
            state.set("build.times", times)

    def _show_builds(self) -> None:
        self.window.bring_to_front()
        self.request("tables_requested")

    def _show_problems(self, texts: Sequence[str]) -> None:
        for text in filter(None, texts):
            self.home.banners.show_message("warning", text)

    def begin_session(self, crash: str = "") -> None:
        """Start tracking whether the window ends normally; after a crash, offer to restore.

        Needs the claim on the data folder. After a crash the window starts on Home, as the last
        page may crash again.
        """
        if last := self._mark.begin():
            self.window.show_page(self.home)
            self.crash_reports.offer_restore(last, crash, self._go_back_to)
        self._note_place()

    def _go_back_to(self, last: LastSession) -> None:
        if last.page == _PRACTICE and last.table:
            self.request("practice_requested", last.table)
        else:
            self.window.show_page_named(last.page)

    def _note_place(self) -> None:
        table = self.services.settings.state.get("practice.last_table")
        self._mark.note(
            self.services.settings.state.get("window.page"), Path(table) if table else None
        )

    def restart(self) -> None:
        self.is_restart_wanted = True
        self.window.close()

    def start(self) -> None:
        """Start the work that can wait until the window is drawn."""
        QTimer.singleShot(0, self.services.library.refresh)
        QTimer.singleShot(0, self.services.due.start)
        self.services.tasks.run(self.services.tables.empty_trash, lambda _: None)
        if self.services.settings.get("build.resume_at_start"):
            QTimer.singleShot(0, self.services.builds.start)

    def show_requested(self, request: OpenRequest) -> bool:
        """Show what a start requested; return whether it was anything."""
        if request.table:
            self.services.tables.join(request.table, request.parts)
            self.request("practice_requested", request.table)
        elif request.file:
            self.request("review_requested", request.file)
        elif request.page:
            self.window.show_page_named(request.page)
        return bool(request.table or request.file or request.page)

    def show_again(self, request: OpenRequest) -> None:
        """Bring the window to the front, and show what a second start requested."""
        self._end_screensaver()
        self.window.bring_to_front()
        self.show_requested(request)

    def show_screensaver(self) -> None:
        if self._saver is None:
            from gui.screensaver.show import ScreenSaver

            self._saver = ScreenSaver(self.services.data_dir, self.services.settings, parent=self)
            self._saver.left.connect(self._end_screensaver, Qt.ConnectionType.QueuedConnection)
            self._saver.show()

    def _end_screensaver(self) -> None:
        if self._saver:
            self._saver.close()
            self._saver = None

    def show_restored(self, done: "Restored") -> None:
        from gui.settings.data_section import restored_text

        self.home.banners.show_message(*restored_text(done))

    def offer_tour(self) -> None:
        """Show the tour to a new user, who has never left it and has no table to use."""
        if self.services.settings.state.get("help.is_tour_over"):
            return

        def offer() -> None:
            self.services.library.changed.disconnect(offer)
            if not self.services.library.usable:
                self.show_tour()

        self.services.library.changed.connect(offer)
        if self.services.library.is_known:
            offer()

    def show_tour(self, at: int = 0) -> None:
        """Show the tour from a step on; once left, it doesn't start automatically again."""
        from gui.shell.tour_steps import FirstTour

        if self.tour:
            self.tour.close()
        if not at:
            self.home.build_first()  # before the pages are made, which takes as long
        self.tour = FirstTour(self.services, self.window, self.home, self.pages["Practice"])
        self.tour.left.connect(self._end_tour)
        self.tour.go_to(at)

    def _end_tour(self) -> None:
        self.tour = None
        self.services.settings.state.set("help.is_tour_over", True)
        if page := self.window.page:
            page.setFocus()

    def save(self) -> None:
        """Write pending changes and continue: the end of the desktop session may be canceled."""
        if not self._is_closed:
            if self._pages:
                self._pages.save()
            do_all(self.window.remember, self.services.settings.flush)
            self._mark.lift()  # the system may end us any time now

    def close(self) -> None:
        """Stop all work and write pending changes; safe to call twice."""
        if self._is_closed:
            return
        self._is_closed = True
        theme_source().changed.disconnect(self._apply_sheet)
        self._steps.do([])
        if self._pages:
            self._pages.stop_soon()
        self.services.stop()
        do_all(self._end_screensaver)
        if self._pages:
            self._pages.close()
        self.services.close()
        do_all(self._mark.end)

    def _follow_setting(self, name: str, _value: object) -> None:
        if name == "language":  # not during the signal of the change
            QTimer.singleShot(0, self._renew)

    def _install_translator(self) -> None:
        """Apply the chosen language, also to Qt's own dialogs."""
        language.use(self.services.settings.get("language"))
        QApplication.removeTranslator(self._translator)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if self._translator.load(f"qtbase_{language.in_force()}", folder):
            QApplication.installTranslator(self._translator)

    def _renew(self) -> None:
        """Recreate the window's contents in another language, losing no unsaved work.

        This happens step by step, behind a picture of the old contents.
        """
        chosen = language.resolved(self.services.settings.get("language"))
        if self._is_closed or self._restore or chosen == language.in_force():
            return
        self._tour_at = self.tour.at if self.tour else None
        if self.tour:
            self.tour.close()
            self.tour = None
        self.window.hold_picture(_LANGUAGE)
        self._restore = self.pages.retire()
        self._steps.do([self._begin_again, lambda: self._begin_pages(self._show_pages)])

    def _begin_again(self) -> None:
        self._install_translator()
        self._pages, delete_old = None, self.window.strip()
        self._make_home()
        _do_when_idle(delete_old, self.services.runners)

    def _show_pages(self) -> None:
        name = self.services.settings.state.get("window.page")
        show = partial(self.window.show_page_named, name)
        self._steps.do([show, self._end_renewal])  # whatever fails below
        self.finish_pages()
        self._reports.report_all()

    def _end_renewal(self) -> None:
        self.window.release_picture(_LANGUAGE)
        if self._tour_at is not None:
            self.show_tour(self._tour_at)
        self._renew()  # the user may have chosen another one in the meantime


def _finish_restore(data_dir: Path) -> "Restored | None":
    if not any(data_dir.glob("restore*")):
        return None
    from coach.backup.restoring import finish

    return finish(data_dir, datetime.now())


def _do_when_idle(work: Callable[[], None], runners: Sequence[TaskRunner]) -> None:
    """Run some work once all pending requests are answered."""
    left = len(runners)

    def answered(_: object) -> None:
        nonlocal left
        left -= 1
        if not left:
            work()

    for runner in runners:
        runner.run(lambda: None, answered, answered)


class FirstPicture(QObject):
    """Waits for the first painting of a window, then runs some work, once."""

    def __init__(self, window: QWidget, work: Callable[[], object]) -> None:
        super().__init__(window)
        self._window, self._work = window, work
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if watched is self._window and event.type() == QEvent.Type.UpdateRequest:
            self._window.removeEventFilter(self)
            QTimer.singleShot(_A_MOMENT_MS, self, self._do)
        return False

    def _do(self) -> None:
        self.deleteLater()
        self._work()
