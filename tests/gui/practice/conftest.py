"""Shared by the tests of Practice: a fake table, work done on request, a page."""

import pytest
from pytestqt.qtbot import QtBot

from engine.spawn import Rng
from gui.practice.page import PracticePage
from gui.settings_model.settings import Settings
from tests.gui.page_driver import show
from tests.gui.practice_fakes import (
    TABLE_PATH,
    TABLES,
    FakeDialogs,
    FakeOpener,
    FakeTable,
    FakeTasks,
    play_services,
)


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def opener(table: FakeTable) -> FakeOpener:
    return FakeOpener(table)


@pytest.fixture
def tasks() -> FakeTasks:
    return FakeTasks()


@pytest.fixture
def dialogs() -> FakeDialogs:
    return FakeDialogs()


@pytest.fixture
def page(
    qtbot: QtBot, opener: FakeOpener, tasks: FakeTasks, settings: Settings, dialogs: FakeDialogs
) -> PracticePage:
    page = PracticePage(play_services(opener, tasks, settings, Rng(11), dialogs=dialogs))
    page.set_tables(TABLES)
    page.open_table(TABLE_PATH)
    show(qtbot, page)
    page.board_view.setFocus()
    return page
