"""Shared by the tests of the Game page: a player, a page."""

import pytest

from tests.gui.game.driver import FirstMove, make_page, only


@pytest.fixture
def chooser():
    return FirstMove()


@pytest.fixture
def kinds(chooser):
    """The players of the page; a test may replace them before the first move is requested."""
    return only(lambda *_: chooser)


@pytest.fixture
def page(qtbot, settings, tasks, data_dir, kinds):
    page = make_page(qtbot, settings, tasks, data_dir, kinds)
    yield page
    page.close_page()
