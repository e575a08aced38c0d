"""Reports of background work in the status line: progress and how to stop it."""

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from engine.platform.language import sentences, tr, trn
from gui.pages.page import Page
from gui.pages.services import Services
from gui.settings_model.settings import Settings
from gui.shell.main_window import MainWindow
from gui.style.icons import app_icon
from gui.table_work.builds import BuildProgress, Builds
from gui.table_work.requests import Request
from gui.tables.outcomes import done_text
from gui.text.lists import fact_list
from gui.text.numbers import format_percent, format_seconds
from gui.widgets.status_line import Background

_GAMES = "Games"  # no text: the title of the page, in English
Tell = Callable[[str, str], None]
_SHOWN_MS = 10_000


class WorkReports(QObject):
    """Keeps the current status line of a window up to date."""

    def __init__(self, window: MainWindow, services: Services) -> None:
        super().__init__(window)
        self._window, self._builds, self._checks = window, services.builds, services.checks
        self._analyses, self._preparing = services.analyses, services.preparing
        self._pages: Iterable[Page] = ()
        builds, checks, analyses = self._builds, self._checks, self._analyses
        builds.progressed.connect(self._report_build)
        builds.changed.connect(self._report_build)
        window.page_changed.connect(self._report_build)
        self._preparing.changed.connect(self._report_preparing)
        services.old_data.progressed.connect(self._report_old_data)
        checks.changed.connect(lambda: self._report_check(None))
        checks.progressed.connect(lambda _, fraction: self._report_check(fraction))
        analyses.changed.connect(self._report_analysis)
        analyses.progressed.connect(lambda *_: self._report_analysis())

    def follow_pages(self, pages: Iterable[Page]) -> None:
        """Follow the work of the pages, which are recreated with the language."""
        self._pages = pages
        for page in pages:
            page.background_changed.connect(partial(self._report_page, page))

    def report_all(self) -> None:
        """Report everything to a new status line."""
        self._report_build()
        self._report_check(None)
        self._report_preparing()
        self._report_analysis()
        for page in self._pages:
            self._report_page(page)

    def _report_build(self, progress: BuildProgress | None = None) -> None:
        request, progress = self._builds.current, progress or self._builds.progress
        page, work = self._window.page, None
        if request and not (page and page.shows_builds):
            done = format_percent(min(progress.fraction, 0.99))
            if progress.eta_s is not None:
                done = fact_list([done, tr("{time} left", time=format_seconds(progress.eta_s))])
            text = tr("{what}: {done}", what=request.work_title, done=done)
            if self._builds.is_cancelling:
                text = tr("Stopping: {what}", what=request.work)
            cancel = None if self._builds.is_cancelling else self._builds.cancel
            work = Background(text, progress.fraction, cancel)
        self._window.status_line.report("build", work)

    def _report_check(self, fraction: float | None) -> None:
        current = self._checks.current
        work = None
        if current:
            name = current.name.replace("_", " \u2192 ")
            work = Background(tr("Verifying {table}", table=name), fraction, self._checks.cancel)
        self._window.status_line.report("check", work)

    def _report_preparing(self) -> None:
        work, of = None, self._preparing
        if of.is_stopping:
            work = Background(tr("Stopping: preparing the engine"))
        elif of.is_running:
            work = Background(tr("Preparing the engine"), of.done / max(1, of.total), of.stop)
        self._window.status_line.report("preparing", work)

    def _report_old_data(self, share: float) -> None:
        text = tr("Importing your data from earlier versions: {done}", done=format_percent(share))
        work = Background(text, share, page="Home") if share < 1.0 else None  # no text
        self._window.status_line.report("old data", work)  # no text

    def _report_analysis(self) -> None:
        runs, work = self._analyses, None
        if runs.is_running:
            done, total = runs.done_and_all
            cancel = None if runs.is_cancelling else runs.cancel
            text = tr("Analyzing game {number} of {all}", number=min(done + 1, total), all=total)
            fraction = (done + runs.fraction) / max(1, total)
            work = Background(text, fraction, cancel, _GAMES)
        self._window.status_line.report("analysis", work)

    def _report_page(self, page: Page) -> None:
        self._window.status_line.report(page.title, page.background())


class BuildNotices(QObject):
    """Watches `builds` and notifies at each end while the window is not in front."""

    clicked = Signal()

    def __init__(
        self, builds: Builds, settings: Settings, window: QWidget, notify: Tell | None = None
    ) -> None:
        super().__init__(window)
        self._builds, self._settings, self._window = builds, settings, window
        self._tray: QSystemTrayIcon | None = None
        self._notify = notify or self._notify_system
        builds.ended.connect(self._on_end)

    def close(self) -> None:
        if self._tray:
            self._tray.hide()

    def _on_end(self, request: Request, status: int, message: str) -> None:
        is_wanted = self._settings.get("build.notify") and status != 3  # 3: the user stopped it
        if not is_wanted or self._window.isActiveWindow():
            return
        if status == 0:
            title = done_text(request, self._builds.last_result)
        else:
            why = message.rstrip(".")
            title = tr("{what} stopped: {why}.", what=request.work_title, why=why)
        self._notify(title, self._rest())

    def _rest(self) -> str:
        n, failed = len(self._builds.requests), len(self._builds.failed)
        more = trn("{n} more is in the queue.", "{n} more are in the queue.", n)
        undone = trn("{n} table is not done.", "{n} tables are not done.", failed)
        nothing = tr("Nothing else is in the queue.")
        return sentences(more if n else nothing, undone if failed else "")

    def _notify_system(self, title: str, text: str) -> None:
        QApplication.alert(self._window)
        is_seen = QGuiApplication.platformName() not in ("offscreen", "minimal")
        tray = QSystemTrayIcon
        if not (is_seen and tray.isSystemTrayAvailable() and tray.supportsMessages()):
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(app_icon(), self, toolTip=self._window.windowTitle())
            self._tray.messageClicked.connect(self.clicked)
            self._tray.activated.connect(lambda _: self.clicked.emit())
            if isinstance(app := QApplication.instance(), QApplication):
                app.applicationStateChanged.connect(lambda _: self._hide())
        self._tray.show()
        self._tray.showMessage(title, text, app_icon(), _SHOWN_MS)

    def _hide(self) -> None:
        if self._tray and self._window.isActiveWindow():
            self._tray.hide()
