"""The button that empties a search field, and Escape."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.style.color_schemes import load_color_schemes
from gui.style.stylesheet import stylesheet, write_arrows
from gui.style.theme import make_theme
from gui.widgets.clearable_edit import ClearableEdit


@pytest.fixture
def edit(qtbot: QtBot, tmp_path: Path) -> ClearableEdit:
    theme = make_theme(load_color_schemes(), is_dark=False, palette="")
    edit = ClearableEdit("Search")
    edit.setStyleSheet(stylesheet(theme, write_arrows(theme, str(tmp_path))))
    qtbot.addWidget(edit)
    edit.resize(240, 34)
    edit.show()
    edit.setFocus()
    return edit


def test_the_button_is_there_while_there_is_something_to_empty(edit, qtbot):
    assert not edit.clear_button.isVisible()
    qtbot.keyClicks(edit, "f")
    assert edit.clear_button.isVisible()
    qtbot.keyClick(edit, Qt.Key.Key_Backspace)
    assert not edit.clear_button.isVisible()


@pytest.mark.parametrize("by_key", [True, False])
def test_it_is_emptied_and_says_so_and_keeps_the_keyboard(edit, qtbot, by_key):
    edit.setText("font")
    with qtbot.waitSignal(edit.emptied):
        if by_key:
            qtbot.keyClick(edit, Qt.Key.Key_Escape)
        else:
            qtbot.mouseClick(edit.clear_button, Qt.MouseButton.LeftButton)
    assert edit.text() == ""
    assert edit.hasFocus()
    with qtbot.assertNotEmitted(edit.emptied):
        qtbot.keyClick(edit, Qt.Key.Key_Escape)


@pytest.mark.parametrize("size", [(240, 34), (150, 40)])
def test_the_button_is_in_the_middle_of_the_height(edit, size):
    edit.resize(*size)
    edit.setText("font")
    QApplication.processEvents()
    place, inside = edit.clear_button.geometry(), edit.rect().adjusted(2, 2, -2, -2)
    assert inside.contains(place), "the border goes around it"
    assert abs(place.center().y() - edit.rect().center().y()) <= 1
    assert place.left() > edit.width() / 2
