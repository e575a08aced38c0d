"""The screen saver as the window opens it: from Settings, at the speed that is chosen there."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.play.auto_player import AutoPlayer
from gui.screensaver.show import ScreenSaver
from gui.screensaver.windows import BoardWindow
from gui.settings_model.settings_of_games import SAVER
from gui.shell.app import Program

pytestmark = pytest.mark.thorough


@pytest.fixture
def program(program) -> Program:
    return program("Settings")


def shown(qapp) -> list[BoardWindow]:
    windows = qapp.topLevelWidgets()
    return [one for one in windows if isinstance(one, BoardWindow) and one.isVisible()]


def test_settings_show_it_and_a_key_brings_the_window_back(program, qtbot, qapp):
    page = program.pages["Settings"]
    page.row("screensaver.speed").control.chips.buttons[2].click()
    assert program.services.settings.get("screensaver.speed") == 2
    page.part(SAVER.group).button.click()
    (window,) = shown(qapp)
    page.part(SAVER.group).button.click()
    assert shown(qapp) == [window], "one is enough"
    assert program.findChild(ScreenSaver).play.findChild(AutoPlayer).speed == 2
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not shown(qapp))
    assert program.window.isVisible()
    page.saver_action.trigger()
    assert shown(qapp)


def test_closing_the_program_closes_it(program, data_dir, qapp):
    program.show_screensaver()
    assert shown(qapp)
    program.close()
    assert not shown(qapp)
    assert not (data_dir / "screensaver.lease").exists()
