"""System notifications for finished tables while the user is in another window."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from engine.platform.language import sentences, tr, trn
from gui.settings_model.settings import Settings
from gui.style.icons import app_icon
from gui.table_work.builds import Builds
from gui.table_work.requests import Request
from gui.tables.outcomes import done_text

Tell = Callable[[str, str], None]
_SHOWN_MS = 10_000


class BuildNotices(QObject):
    """Watches `builds` and notifies at each end while the window is not in front.

    Parameters
    ----------
    builds : Builds
    settings : Settings
        ``build.notify`` turns it off.
    window : QWidget
    tell : callable, optional
        Called with a title and a text; by default the system's notifications, if available.

    Signals
    -------
    clicked : the user wants to see more
    """

    clicked = Signal()

    def __init__(
        self, builds: Builds, settings: Settings, window: QWidget, tell: Tell | None = None
    ) -> None:
        super().__init__(window)
        self._builds, self._settings, self._window = builds, settings, window
        self._tray: QSystemTrayIcon | None = None
        self._tell = tell or self._tell_system
        builds.ended.connect(self._on_end)

    def close(self) -> None:
        """Remove the icon."""
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
        self._tell(title, self._rest())

    def _rest(self) -> str:
        """Return the text on what is left in the queue."""
        n, failed = len(self._builds.requests), len(self._builds.failed)
        return sentences(
            trn("{n} more is in the queue.", "{n} more are in the queue.", n)
            if n
            else tr("Nothing else is in the queue."),
            trn("{n} table is not done.", "{n} tables are not done.", failed) if failed else "",
        )

    def _tell_system(self, title: str, text: str) -> None:
        QApplication.alert(self._window)
        is_seen = QGuiApplication.platformName() not in ("offscreen", "minimal")
        if not is_seen or not QSystemTrayIcon.isSystemTrayAvailable():
            return
        if not QSystemTrayIcon.supportsMessages():
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(app_icon(), self)
            self._tray.setToolTip(self._window.windowTitle())
            self._tray.messageClicked.connect(self.clicked)
            self._tray.activated.connect(lambda _: self.clicked.emit())
            if isinstance(app := QApplication.instance(), QApplication):
                app.applicationStateChanged.connect(lambda _: self._hide())
        self._tray.show()
        self._tray.showMessage(title, text, app_icon(), _SHOWN_MS)

    def _hide(self) -> None:
        if self._tray and self._window.isActiveWindow():
            self._tray.hide()
