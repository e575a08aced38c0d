"""The palette draws what is in sight: hundreds of commands cost no widgets."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gui.shell.command_palette import Command, CommandPalette

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
