"""The command palette finds games, tables and topics of the help by name, and goes there."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.help.help_pages import load_help_pages
from gui.minigames.page import MinigamesPage
from gui.practice.page import PracticePage
from minigames.registry import GAMES
from tests.gui.furnished_window import add_table


@pytest.fixture
def running(program, table, data_dir, qtbot):
    add_table(table("2x4", 128), data_dir)
    started = program()
    started.start()
    qtbot.waitUntil(lambda: started.services.library.is_known)
    started.window.commands()  # makes the pages
    qtbot.waitUntil(lambda: bool(started.pages["Practice"].tables))
    return started


def found(running, text: str) -> list[tuple[str, str]]:
    panel = running.window.palette_panel
    panel.open()
    panel.edit.setText(text)
    return [(command.text, command.place) for command in panel.found]


def enter(running) -> None:
    QTest.keyClick(running.window.palette_panel.edit, Qt.Key.Key_Return)


def test_every_game_is_found_and_opened(running, qtbot):
    for game in GAMES.values():
        assert (game.title, "Minigames") in found(running, game.title)
    line = found(running, "mystery merge")[0]
    enter(running)
    page = running.window.page
    assert isinstance(page, MinigamesPage)
    qtbot.waitUntil(lambda: page.view.session is not None)
    assert page.view.session.spec.title == line[0]


def test_a_table_is_found_by_either_spelling_and_practiced(running, qtbot):
    line = "2x4 \N{RIGHTWARDS ARROW} 128", "Practice"
    assert line in found(running, "2x4_128")
    assert found(running, "2x4")[0] == line
    enter(running)
    page = running.window.page
    assert isinstance(page, PracticePage)
    qtbot.waitUntil(lambda: page.game.session is not None)
    assert page.choice.path.name == "2x4_128"


def test_what_a_table_can_be_turned_into_is_found(running):
    ((text, place),) = found(running, "convert 2x4")
    assert (text, place) == ("Convert 2x4 \N{RIGHTWARDS ARROW} 128", "Tables")
    enter(running)
    assert running.window.page is running.pages["Tables"]
    assert running.pages["Tables"].changes.panel is not None
    assert [place for _, place in found(running, "verify 2x4")] == ["Tables"]


def test_topics_of_the_help_are_found_by_title(running):
    assert found(running, "luck") == [("Concepts: Luck", "Help")]
    enter(running)
    page = running.window.page
    assert page is running.pages["Help"]
    titles = [section.title for section in load_help_pages("en", {}).articles["concepts"].sections]
    assert (page.place.page, page.place.section) == ("concepts", titles.index("Luck"))


def test_what_nothing_is_called_says_so(running):
    assert found(running, "xyzzy") == []
    assert running.window.palette_panel.empty_label.text() == "No matching command."
