"""The screen saver as the window opens it: from Settings, at the speed that is chosen there."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.app import Program


@pytest.fixture
def program(qtbot, qapp, data_dir):
    program = Program(qapp, data_dir)
    qtbot.addWidget(program.window)
    program.window.show()
    program.window.show_page(program.settings_page)
    yield program
    program.close()


def test_settings_show_it_and_a_key_brings_the_window_back(program, qtbot):
    page = program.settings_page
    page.saver_chips.buttons[2].click()
    assert program.settings.get("screensaver.speed") == 2
    page.saver_button.click()
    saver = program._saver
    page.saver_button.click()
    assert program._saver is saver, "one is enough"
    assert saver.play._auto.speed == 2
    assert saver.windows[0].isVisible()
    QTest.keyClick(saver.windows[0].windowHandle(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: program._saver is None)
    assert program.window.isVisible()
    page.saver_action.trigger()
    assert program._saver is not None


def test_closing_the_program_closes_it(program, data_dir):
    program.show_screensaver()
    program.close()
    assert program._saver is None
    assert not (data_dir / "screensaver.lease").exists()
