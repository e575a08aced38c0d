"""The window's handling of unexpected errors, and of a previous crash."""

import logging
from collections.abc import Callable
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.platform.language import mark, tr, trc
from engine.platform.log import current_log
from engine.platform.project_files import APP_TITLE
from gui.faults.bugs import Bug
from gui.faults.last_session import LastSession
from gui.pages.services import Services
from gui.shell.main_window import MainWindow
from gui.text.messages import sentence
from gui.widgets.banner import BannerStack, Remedy
from gui.widgets.file_dialogs import open_folder

if TYPE_CHECKING:
    from gui.shell.bug_panel import BugPanel

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
