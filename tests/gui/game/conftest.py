"""What the tests of the Game page share: a player, a page."""

import pytest

from tests.gui.game.driver import FirstMove, make_page, only


@pytest.fixture
def chooser():
    return FirstMove()


@pytest.fixture
def kinds(chooser):
    """The players of the page; a test may put others in before the first move is asked for."""
    return only(lambda *_: chooser)


@pytest.fixture
def page(qtbot, settings, tasks, data_dir, kinds):
    page = make_page(qtbot, settings, tasks, data_dir, kinds)
    yield page
    page.close_game()
