"""A Tables page and everything behind it, for the tests of its parts."""

from pathlib import Path

from PySide6.QtCore import Qt

from gui.table_work.builds import Builds
from gui.table_work.checks import Checks
from gui.table_work.question import Adviser, Room, SizeForecast, TableReports, info_command
from gui.table_work.requests import ConvertRequest, Request
from gui.table_work.table_library import Library
from gui.tables.changes import TablesWork
from gui.tables.page import TablesPage
from tests.gui.window_fakes import FakeService, child, table_info


class Stage:
    """A Tables page and everything behind it; `behave` says what child processes do."""

    def __init__(self, qtbot, settings, tasks, home: Path) -> None:
        self.qtbot, self.home, self.behave = qtbot, home, "build"
        self.requests: list[Request] = []
        self.own = home / "patterns_config.json"
        self.service = FakeService(home, own_formations=self.own)
        self.library = Library(self.service, tasks)
        self.builds = Builds(self._command_of)
        self.checks = Checks(lambda _: child(self.behave))
        self.rooms: list[Room] = []
        self.adviser = Adviser(self._advise)
        self.sized: list[ConvertRequest] = []
        self.sizes = SizeForecast(self._tell_size)
        self.page = TablesPage(
            TablesWork(
                self.service,
                tasks,
                settings,
                self.library,
                self.builds,
                self.checks,
                self.adviser,
                self.sizes,
                TableReports(info_command),
                drawings=tasks,
                estimates=tasks,
                places=tasks,
            )
        )
        self.panel = self.page.panel
        qtbot.addWidget(self.page)
        self.page.resize(1200, 900)
        self.page.show()
        qtbot.waitUntil(lambda: bool(self.panel.pattern_chips.buttons))

    def _command_of(self, request: Request) -> list[str]:
        self.requests.append(request)
        return child(self.behave)

    def _advise(self, room: Room) -> list[str]:
        self.rooms.append(room)
        return child(self.behave)

    def _tell_size(self, request: ConvertRequest) -> list[str]:
        self.sized.append(request)
        return child("size")

    def close(self) -> None:
        for part in (self.builds, self.checks, self.adviser, self.sizes):
            part.close()

    def put(self, *tables) -> None:
        self.service.tables = list(tables)
        self.page.page_shown()
        self.qtbot.waitUntil(lambda: list(self.page.cards) == [t.path for t in tables])

    def table(self, name: str = "442_128", **fields) -> Path:
        """Put a table with a folder of its own on the page, and return that."""
        path = self.home / name
        path.mkdir(exist_ok=True)
        (path / "manifest.json").write_text("{}")
        self.put(table_info(path, **fields))
        return path

    def click(self, button) -> None:
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def banner_texts(self) -> list[str]:
        return [banner.text_label.text() for banner in self.page.banners.banners]

    def wait_for_banner(self, part: str):
        self.qtbot.waitUntil(lambda: any(part in text for text in self.banner_texts()))
        banners = self.page.banners.banners
        return next(banner for banner in banners if part in banner.text_label.text())
