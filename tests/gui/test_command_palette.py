"""The palette draws what is in sight, finds games, tables and topics, and goes there."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gui.help.help_pages import load_help_pages
from gui.minigames.page import MinigamesPage
from gui.practice.page import PracticePage
from gui.shell.command_palette import Command, CommandPalette
from minigames.registry import GAMES
from tests.gui.furnished_window import add_table

N_COMMANDS = 400


@pytest.fixture
def palette(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(800, 600)
    actions = [QAction(f"Do {number}", window) for number in range(N_COMMANDS)]
    actions[7].setEnabled(False)
    actions[9].setShortcut("Ctrl+J")
    made = CommandPalette(window, lambda: [Command("Place", action) for action in actions])
    window.show()
    return made


def test_many_commands_make_no_widgets(palette):
    before = len(palette.findChildren(QWidget))
    palette.open()
    QTest.keyClicks(palette.edit, "do")
    assert len(palette.found) == N_COMMANDS
    assert len(palette.findChildren(QWidget)) == before


def test_what_cannot_be_done_now_comes_last_and_stays_undone(palette):
    palette.open()
    assert palette.found[-1].text == "Do 7"
    triggered = []
    palette.found[-1].action.triggered.connect(triggered.append)
    QTest.keyClick(palette.edit, Qt.Key.Key_Up)
    QTest.keyClick(palette.edit, Qt.Key.Key_Return)
    assert palette.isVisible()
    assert triggered == []


def test_a_click_runs_the_line(palette, qtbot):
    palette.open()
    QTest.keyClicks(palette.edit, "do 12")
    action = palette.found[0].action
    place = palette.list.visualRect(palette.list.model().index(0, 0)).center()
    with qtbot.waitSignal(action.triggered):
        QTest.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not palette.isVisible()


def test_readers_hear_the_name_of_a_command(palette):
    palette.open()
    QTest.keyClicks(palette.edit, "do 9")
    index = palette.list.currentIndex()
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Do 9"


def test_the_letters_of_last_time_are_gone(palette):
    palette.open()
    QTest.keyClicks(palette.edit, "do 9")
    palette.close_overlay()
    palette.open()
    assert palette.edit.text() == ""
    assert len(palette.found) == N_COMMANDS


def test_pages_of_commands_are_turned_by_keys(palette):
    palette.open()
    QTest.keyClick(palette.edit, Qt.Key.Key_PageDown)
    assert palette.row > 3
    QTest.keyClick(palette.edit, Qt.Key.Key_PageUp)
    assert palette.row == 0
    QTest.keyClick(palette.edit, Qt.Key.Key_Up)  # the last one
    QTest.keyClick(palette.edit, Qt.Key.Key_PageDown)
    assert palette.row == N_COMMANDS - 1


def test_in_a_low_window_the_list_is_not_cut_off(palette):
    palette.window().resize(500, 300)
    palette.open()
    QApplication.processEvents()
    assert palette.panel.height() >= palette.panel.minimumSizeHint().height()
    assert palette.list.geometry().bottom() < palette.panel.height()


def test_a_command_is_found_by_what_its_button_says(palette):
    palette.open()
    action = palette.found[3].action
    action.setText("Show the AI's move")
    action.setIconText("Hint")
    QTest.keyClicks(palette.edit, "hint")
    assert [command.action for command in palette.found] == [action]


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
