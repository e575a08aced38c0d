"""What the tests of the Game page share: a player, a page."""

import pytest

from tests.gui.game.driver import FirstMove, make_page


@pytest.fixture
def chooser():
    return FirstMove()


@pytest.fixture
def page(qtbot, settings, tasks, data_dir, chooser):
    page = make_page(qtbot, settings, tasks, data_dir, chooser)
    yield page
    page.close_game()
