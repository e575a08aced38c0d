"""The whole screen saver: on all screens, or in a system's window for a preview."""

import ctypes
import logging
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractNativeEventFilter, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtWidgets import QWidget

from ai.choice import CHOOSERS, ChooserKind
from engine.platform.errors import AppError
from gui.screensaver.saver_game import Lease, SaverGame
from gui.screensaver.windows import BlankWindow, BoardWindow, InputWatch
from gui.settings_model.settings import Settings
from gui.style.color_schemes import load_color_schemes
from gui.style.current_theme import tile_look
from gui.style.theme import Theme, body_font, make_theme
from gui.widgets.application import TerminationWatch, application
from gui.work.garbage import GarbageCollector
from gui.work.tasks import TaskRunner

_DESTROY_NOTIFY, _TYPE_BITS = 17, 0x7F
_log = logging.getLogger(__name__)


class DestructionWatch(QAbstractNativeEventFilter):
    """Watches X server events that Qt doesn't expose, such as the end of a window."""

    def __init__(self, window: int, gone: Callable[[], object]) -> None:
        super().__init__()
        self._window, self._gone = window, gone

    def nativeEventFilter(self, kind: Any, message: Any) -> tuple[bool, int]:  # noqa: N802
        """Inspect an event and let it pass. Its fields: type, sequence, event window, window."""
        if bytes(kind) == b"xcb_generic_event_t":
            event = (ctypes.c_uint32 * 3).from_address(int(message))
            if event[0] & _TYPE_BITS == _DESTROY_NOTIFY and event[2] == self._window:
                self._gone()
        return False, 0


LEASE_NAME = "screensaver.lease"
_EMBEDS = ("windows", "xcb", "cocoa")  # Qt's names of the platforms that can provide a window
_LOOK_MS = 1000
_AHEAD_S = 3600


class ScreenSaver(QObject):
    """The board on the first screen, black on the others, until there is user input.

    `preview` is the number of a window to show it in, instead of all screens.
    """

    left = Signal()

    def __init__(
        self,
        data_dir: Path,
        settings: Settings,
        preview: int | None = None,
        parent: QObject | None = None,
        kinds: Mapping[str, ChooserKind] = CHOOSERS,
    ) -> None:
        super().__init__(parent)
        self._tasks = TaskRunner(self, "screensaver")
        self._tasks.bug_found.connect(lambda error: _log.error("a bug", exc_info=error))
        lease = Lease(data_dir / LEASE_NAME)
        speed = settings.get("screensaver.speed")
        self.play = SaverGame(self._tasks, lease, speed, self, kinds=kinds)
        self._theme = saver_theme(settings)
        self._preview = preview
        self._lent: QWindow | None = None
        self._destruction: DestructionWatch | None = None
        self._watch = InputWatch(preview is None, self)
        self._watch.noticed.connect(self.left)
        self._timer = QTimer(self, interval=_LOOK_MS)
        self.windows: list[QWidget] = []

    def show(self) -> None:
        """Show and play; raise AppError if there is no such window to show the preview in."""
        app = QGuiApplication.instance()
        if self._preview is not None:
            self._show_in(self._preview)
        elif isinstance(app, QGuiApplication):
            self._cover_screens()
            app.screenAdded.connect(self._cover_screens)
            app.screenRemoved.connect(self._cover_screens)
        self.play.start()

    def close(self) -> None:
        """Close, and stop computing; safe to call twice."""
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication) and self.windows and self._preview is None:
            app.screenAdded.disconnect(self._cover_screens)
            app.screenRemoved.disconnect(self._cover_screens)
        self._timer.stop()
        if app and self._destruction:
            app.removeNativeEventFilter(self._destruction)
        self._drop_windows()
        self.play.close()
        self._tasks.close()

    def _cover_screens(self) -> None:
        self._drop_windows()
        first = QGuiApplication.primaryScreen()
        for screen in QGuiApplication.screens():
            is_first = screen is first
            window = self._board_window() if is_first else BlankWindow()
            window.setWindowFlags(
                Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint
            )
            window.setCursor(Qt.CursorShape.BlankCursor)
            window.setScreen(screen)
            window.setGeometry(screen.geometry())
            window.showFullScreen()
            self._add(window)
            if is_first:
                window.activateWindow()
                window.setFocus()

    def _show_in(self, number: int) -> None:
        if QGuiApplication.platformName() not in _EMBEDS:
            raise AppError(
                "the preview needs a window of another program to be drawn in, which "
                "{platform} does not allow: leave --preview out",
                platform=repr(QGuiApplication.platformName()),
            )
        self._lent = lent = QWindow.fromWinId(number)  # deleted if nothing refers to it
        if lent is None:
            raise AppError("there is no window {number} to show the preview in", number=number)
        window = self._board_window()
        window.winId()  # creates the native window
        window.windowHandle().setParent(lent)
        window.setGeometry(0, 0, lent.width(), lent.height())
        window.show()
        self._add(window)
        app = QGuiApplication.instance()
        self._destruction = DestructionWatch(int(window.winId()), self.left.emit)
        assert app is not None
        app.installNativeEventFilter(self._destruction)
        self._timer.timeout.connect(lambda: self._look_at(number, window))
        self._timer.start()

    def _look_at(self, number: int, window: QWidget) -> None:
        """Close if the system's window is gone, and fill it if its size changes."""
        if not window_lives(number):
            self.left.emit()
            return
        # Qt gets no events of another program's window: wrapping it again gives the current size.
        now = QWindow.fromWinId(number)
        if now and now.size() != window.size():
            window.resize(now.size())

    def _board_window(self) -> BoardWindow:
        # A varying start position, as most screen savers don't run for long.
        return BoardWindow(self.play, self._theme, ahead_s=secrets.randbelow(_AHEAD_S))

    def _add(self, window: QWidget) -> None:
        window.windowHandle().installEventFilter(self._watch)
        self.windows.append(window)

    def _drop_windows(self) -> None:
        for window in self.windows:
            if handle := window.windowHandle():
                handle.removeEventFilter(self._watch)
            window.close()
            window.deleteLater()
        self.windows = []


def saver_theme(settings: Settings) -> Theme:
    """Return the dark theme with the user's tile colors, as bright screens are not restful."""
    palette, look = settings.get("tile_palette"), tile_look(settings)
    return make_theme(load_color_schemes(), is_dark=True, palette=palette, look=look)


def window_lives(number: int) -> bool:
    """Return whether a window still exists on Windows; elsewhere, ours is closed with it."""
    library = getattr(ctypes, "windll", None)
    is_window: Callable[[int], int] | None = library.user32.IsWindow if library else None
    return bool(is_window(number)) if is_window else True


def run(data_dir: Path, preview: int | None = None) -> int:
    """Show the screen saver until there is user input; return the exit status.

    Raises as `ScreenSaver.show`.
    """
    app = application()
    app.setFont(body_font())
    settings = Settings(data_dir / "settings.json", is_read_only=True)  # the window's to write
    saver = ScreenSaver(data_dir, settings, preview)
    saver.left.connect(lambda: app.exit(0))
    garbage, termination = GarbageCollector(saver), TerminationWatch(app)
    termination.requested.connect(lambda: app.exit(0))
    try:
        saver.show()
        return app.exec()
    finally:
        saver.close()
        settings.close()
        termination.close()
        garbage.close()
