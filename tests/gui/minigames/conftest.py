"""Shared by the tests of the Minigames page: a page on a folder, driven by keys."""

from datetime import datetime, timezone
from itertools import count

import pytest

from gui.minigames.page import MinigamesPage
from gui.work.tasks import TaskRunner
from tests.gui.page_driver import show


def last_cell(after):
    """Stands in for the adversary: a 4 on the last empty cell."""
    return 15 - list(after)[::-1].index(0), 2


@pytest.fixture
def thoughts(qapp):
    runner = TaskRunner(qapp, "player")
    yield runner
    runner.close()


@pytest.fixture
def make_page(qtbot, settings, tasks, thoughts, data_dir):
    seeds = count(1)
    pages = []

    def make(**options) -> MinigamesPage:
        page = MinigamesPage(
            data_dir / "minigames",
            tasks,
            thoughts,
            settings,
            lambda: next(seeds),
            **{"now": lambda: datetime(2026, 3, 1, 12, tzinfo=timezone.utc), **options},
            load_adversary=lambda: last_cell,
        )
        show(qtbot, page)
        page.page_shown()
        pages.append(page)
        return page

    yield make
    for page in pages:
        page.close_page()


@pytest.fixture
def page(make_page):
    return make_page()
