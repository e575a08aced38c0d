"""The board has the keyboard, whatever was clicked."""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QLineEdit,
    QWidget,
)

from gui.practice.page import PracticePage
from gui.practice.session import SpawnMode
from gui.text.rates import DIRECTION_NAMES
from tests.gui.every_control import close_popup
from tests.gui.page_driver import click, press
from tests.gui.practice.driver import board
from tests.gui.practice_fakes import L3_START

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
TABS = ("play", "why", "line")
_OPENS_ANOTHER_WINDOW = ("Choose…", "Open…", "Save as…")


def type_key(key: Qt.Key) -> None:
    """Press a key as a person does: whatever has the focus gets it."""
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key)


def controls(page: PracticePage) -> list[QWidget]:
    kinds = (QAbstractButton, QAbstractSlider, QAbstractItemView)
    return [
        one
        for one in page.findChildren(QWidget)
        if isinstance(one, kinds) and one.isVisible() and one.isEnabled()
    ]


@pytest.mark.parametrize("tab", TABS)
def test_no_click_takes_the_keys_from_the_board(page, tab, qtbot):
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Right)
    page.panel.show_tab(tab)
    clicked = 0
    for control in controls(page):
        if not control.isVisible() or not control.isEnabled():
            continue  # what was clicked before took it away
        if getattr(control, "text", str)() in _OPENS_ANOTHER_WINDOW:
            continue
        target = control.viewport() if isinstance(control, QAbstractItemView) else control
        QTimer.singleShot(0, close_popup)  # a menu waits for an answer
        QTest.mouseClick(target, Qt.MouseButton.LeftButton)
        close_popup()
        page.activateWindow()  # a menu was a window of its own
        qtbot.waitUntil(page.isActiveWindow)
        name = control.accessibleName() or getattr(control, "text", str)()
        assert page.board_view.hasFocus(), f"{type(control).__name__} {name}"
        page.parts.settle()
        page.panel.show_tab(tab)
        clicked += 1
    assert clicked > 12


@pytest.mark.parametrize("tab", TABS)
def test_an_arrow_after_a_click_on_a_tab_moves(page, tab):
    click(page.panel.tab_chips.buttons[tab])
    type_key(Qt.Key.Key_Up)
    assert page.game.step is not None
    assert page.game.step.direction == DIRECTION_NAMES.index("up")
    type_key(Qt.Key.Key_Space)
    assert page.demo.is_running
    page.demo.stop()


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Plus])
def test_an_edit_begun_from_the_panel_has_the_keyboard(page, key):
    click(page.panel.tab_chips.buttons["line"])
    page.panel.tab_chips.buttons["line"].setFocus(Qt.FocusReason.TabFocusReason)
    page.actions_by_name["edit"].trigger()
    assert page.edit_bar.is_active
    type_key(key)
    assert page.edit_bar.is_active == (key != Qt.Key.Key_Escape)
    assert (page.board_view.cells[0] == 2) == (key == Qt.Key.Key_Plus)


def test_escape_gives_the_keys_back_from_a_folder_being_typed(page, qtbot):
    field: QLineEdit = page.panel.folder_edit
    before = field.text()
    field.setFocus()
    qtbot.keyClicks(field, "nowhere")
    type_key(Qt.Key.Key_Escape)
    assert page.board_view.hasFocus()
    assert field.text() == before


def test_an_edit_frames_its_cell_at_once(page):
    press(page, Qt.Key.Key_E)
    assert page.board_view.cursor_cell == 0


@pytest.mark.thorough
def test_the_cell_of_a_tile_placed_by_hand_is_framed_at_once(page):
    page.panel.spawn_chips.buttons[SpawnMode.MANUAL].click()
    press(page, Qt.Key.Key_Right)
    framed = page.board_view.cursor_cell
    assert framed is not None
    assert page.board_view.cells[framed] == 0, "where a tile can be placed"
    press(page, Qt.Key.Key_Return)
    assert page.board_view.cells[framed] == 1
    assert page.board_view.cursor_cell is None
    assert board(page) != L3_START
