"""Going along routes in the window as a person does."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coach.routes.results import RouteResults
from coach.routes.run import RouteRun
from gui.core.settings import Settings
from gui.core.store_service import StoreService
from gui.routes.page import RoutesPage
from tests.gui.practice_fakes import L3_START, TABLE_PATH, FakeFormation, FakeTable, FakeTasks
from tests.gui.practice_theme import plain_theme

TABLES = [
    SimpleNamespace(
        path=TABLE_PATH,
        name="L3_256",
        pattern="L3",
        target=256,
        state="complete",
        spawn4=0.1,
        is_limited=False,
    )
]
ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
NOON = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)


@dataclass(frozen=True)
class RouteFormation(FakeFormation):
    seeds: tuple[int, ...] = (L3_START,)
    extra_steps: int = 48

    @property
    def starts(self) -> tuple[int, ...]:
        return self.seeds


@dataclass
class RouteTable(FakeTable):
    formation: FakeFormation = field(default_factory=RouteFormation)


class RouteClock:
    """Seconds that a test lets pass, and the date that goes with them."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        self.seconds += 0.001  # no two things happen at the same time
        return NOON + timedelta(seconds=self.seconds)


def make_page(
    qtbot: QtBot,
    table: FakeTable,
    tasks: tuple[FakeTasks, FakeTasks, FakeTasks],
    settings: Settings,
    runs: StoreService[RouteResults],
    note_mistake: Callable[..., object] | None = None,
) -> RoutesPage:
    clock = RouteClock()
    page = RoutesPage(
        lambda _: table,
        *tasks,
        settings,
        runs,
        plain_theme(),
        clock,
        clock.now,
        note_mistake,
    )
    qtbot.addWidget(page)
    page.resize(1100, 860)
    page.show()
    qtbot.waitExposed(page)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.set_tables(TABLES)
    return page


def run_of(page: RoutesPage) -> RouteRun:
    run = page.controller.run
    assert run is not None
    return run


def press(page: RoutesPage, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(page.board_view, key)


def click(button: object) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def arrow(page: RoutesPage, is_best: bool) -> Qt.Key:
    """Return the key of the best legal move, or of the worst; the table prefers left, then up."""
    legal = [d for d in (0, 2, 1, 3) if run_of(page).is_legal(d)]
    return ARROWS[legal[0] if is_best else legal[-1]]


def play_to_the_end(page: RoutesPage, is_best: bool = True) -> None:
    while page.controller.is_playing:
        press(page, arrow(page, is_best))
        if page.correction.isVisible():
            press(page, Qt.Key.Key_Escape)
