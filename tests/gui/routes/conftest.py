"""The page Routes on a made-up table."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from coach.record.user_database import UserDatabase
from coach.routes.results import RouteResults
from gui.routes.page import RoutesPage
from gui.settings_model.settings import Settings
from gui.work.store_service import StoreService
from tests.gui.practice_fakes import FakeTasks
from tests.gui.routes.route_driver import RouteTable, make_page


@pytest.fixture
def table() -> RouteTable:
    return RouteTable()


@pytest.fixture
def tasks() -> tuple[FakeTasks, FakeTasks, FakeTasks]:
    return FakeTasks(), FakeTasks(), FakeTasks(at_once=False)


@pytest.fixture
def new_page(
    qtbot: QtBot, table: RouteTable, tasks, settings: Settings, tmp_path: Path
) -> Iterator[Callable[..., RoutesPage]]:
    """Give a way to make the page, as a new run of the program does; close them in the end."""
    pages: list[RoutesPage] = []

    def make(**more: Any) -> RoutesPage:
        page = make_page(qtbot, table, tasks, settings, runs, **more)
        pages.append(page)
        return page

    runs = StoreService(UserDatabase(tmp_path), RouteResults, tasks[1])
    yield make
    tasks[0].work_off()
    for page in pages:
        page.close_page()
    runs.close()


@pytest.fixture
def page(new_page: Callable[..., RoutesPage]) -> RoutesPage:
    return new_page()
