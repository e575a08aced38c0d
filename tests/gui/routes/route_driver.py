"""Going along routes in the window as a person does."""

from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from coach.play.run import Run
from coach.routes.results import RouteResults
from gui.play.services import PlayServices
from gui.routes.page import RoutesPage
from gui.settings_model.settings import Settings
from gui.work.store_service import StoreService
from tests.gui.page_driver import ARROWS, press, show
from tests.gui.practice_fakes import (
    L3_START,
    TABLES,
    FakeClock,
    FakeFormation,
    FakeTable,
    FakeTasks,
)


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


def make_page(
    qtbot: QtBot,
    table: FakeTable,
    tasks: tuple[FakeTasks, FakeTasks, FakeTasks],
    settings: Settings,
    runs: StoreService[RouteResults],
    note_mistake: Callable[..., object] | None = None,
    seconds: float = 0.0,
) -> RoutesPage:
    clock = FakeClock(seconds)
    page = RoutesPage(
        PlayServices(
            settings,
            lambda _: table,
            *tasks[:2],
            note_mistake=note_mistake,
            clock=clock,
            now=clock.now,
        ),
        runs,
        tasks[2],
    )
    show(qtbot, page, height=860)
    page.set_tables(TABLES[:1])
    return page


def run_of(page: RoutesPage) -> Run:
    run = page.player.run
    assert run is not None
    return run


def arrow(page: RoutesPage, is_best: bool) -> Qt.Key:
    """Return the key of the best legal move, or of the worst; the table prefers left, then up."""
    legal = [d for d in (0, 2, 1, 3) if run_of(page).is_legal(d)]
    return ARROWS[legal[0] if is_best else legal[-1]]


def play_to_the_end(page: RoutesPage, is_best: bool = True) -> None:
    while page.player.is_playing:
        press(page, arrow(page, is_best))
        if page.display.correction.isVisible():
            press(page, Qt.Key.Key_Escape)
