"""Shared by the tests of the test page: a fake table, a page, a clock."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gui.exam.page import ExamPage
from gui.settings_model.settings import Settings
from tests.gui.exam.driver import make_page
from tests.gui.practice_fakes import FakeClock, FakeTable, FakeTasks


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def lookups() -> FakeTasks:
    return FakeTasks()


@pytest.fixture
def files() -> FakeTasks:
    return FakeTasks()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def new_page(
    qtbot: QtBot,
    table: FakeTable,
    lookups: FakeTasks,
    files: FakeTasks,
    settings: Settings,
    tmp_path: Path,
    clock: FakeClock,
) -> Iterator[Callable[..., ExamPage]]:
    """Give a way to make the page, as a new run of the program does; close them in the end."""
    pages: list[ExamPage] = []

    def make(**more: Any) -> ExamPage:
        page = make_page(qtbot, lambda _: table, lookups, files, settings, tmp_path, clock, **more)
        pages.append(page)
        return page

    yield make
    for page in pages:
        page.close_page()


@pytest.fixture
def page(new_page: Callable[[], ExamPage], settings: Settings) -> ExamPage:
    settings.set("test.is_turned", False)
    return new_page()
