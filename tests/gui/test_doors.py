"""Nine doors and their tabs: by keys and clicks, remembered, and under the names of before."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton

from gui.keys.shortcuts import WINDOW
from gui.shell.page_list import DOORS
from gui.widgets.status_line import Background, StatusLine

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
BEFORE = (
    *("home", "game", "practice", "test", "review", "mistakes", "puzzles", "profile"),
    *("analysis", "routes", "situations", "minigames", "tables", "settings", "help"),
)
"""The pages of the window that had one entry of the rail for each."""
TABS = {
    "Practice": ("Free", "Situations", "Routes"),
    "Train": ("Mistakes", "Puzzles", "Progress"),
    "Review": ("Games", "This game"),
}
PAGE_OF_TAB = {"Free": "Practice", "This game": "Review"}
"""The titles of pages whose tabs have other names."""


@pytest.fixture
def running(program, qtbot):
    started = program()
    started.window.resize(1200, 800)
    activate(started.window, qtbot)
    return started


def activate(window, qtbot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def press(window, key, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(window.focusWidget() or window, key, modifiers)


def tabs_of(window):
    return window.doors.of(window.page).tabs


def tab_texts(tabs) -> tuple[str, ...]:
    return tuple(tabs.tabText(i) for i in range(tabs.count()))


def click_tab(window, index: int) -> None:
    tabs = tabs_of(window)
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(index).center())


@pytest.mark.thorough
def test_each_door_has_a_key_and_the_tenth_entry_is_help(running):
    window = running.window
    fronts = {}
    for digit in "1234567890":
        press(window, Qt.Key(ord(digit)), ALT)
        fronts[digit] = window.page.title
        checked = [one.objectName() for one in window.rail.buttons if one.isChecked()]
        assert window.windowTitle().startswith(checked[0])
    assert list(fronts.values()) == [
        *("Home", "Game", "Practice", "Test", "Mistakes", "Games"),
        *("Minigames", "Tables", "Settings", "Help"),
    ]


@pytest.mark.sample(1)
@pytest.mark.parametrize("title", ["Game", "Practice", "Test", "Minigames", "Settings"])
@pytest.mark.thorough
def test_what_people_come_for_is_one_click_away(running, title):
    button = next(one for one in running.window.rail.buttons if one.objectName() == title)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert running.window.page is running.pages[title]


@pytest.mark.sample(1)
@pytest.mark.parametrize("door", TABS)
def test_a_click_on_a_tab_shows_its_page_and_leaves_the_board_its_keys(running, door):
    window = running.window
    next(one for one in window.rail.buttons if one.objectName() == door).click()
    for index, tab in [*enumerate(TABS[door]), (0, TABS[door][0])]:
        click_tab(window, index)
        assert window.page is running.pages[PAGE_OF_TAB.get(tab, tab)]
        tabs = tabs_of(window)
        assert tab_texts(tabs) == TABS[door]
        assert (tabs.currentIndex(), tabs.isVisible()) == (index, True)
        focused = QApplication.focusWidget()
        assert focused is window.page or window.page.isAncestorOf(focused)
        assert focused is not tabs
        assert window.windowTitle().startswith(f"{door}: {tab} ")


@pytest.mark.thorough
def test_keys_go_from_tab_to_tab_and_round(running):
    window = running.window
    window.show_page_named("Practice")
    seen = []
    for modifiers in (CTRL, CTRL, CTRL, CTRL | SHIFT, CTRL | SHIFT):
        press(window, Qt.Key.Key_Tab, modifiers)
        seen.append(window.page.title)
    assert seen == ["Situations", "Routes", "Practice", "Routes", "Situations"]
    window.show_page_named("Game")
    press(window, Qt.Key.Key_Tab, CTRL)
    assert window.page.title == "Game", "it has no tabs"


@pytest.mark.thorough
def test_the_keyboard_reaches_tabs_and_stays_in_them(running):
    window = running.window
    window.show_page_named("Puzzles")
    for _ in range(30):
        window.focusNextPrevChild(True)
        if QApplication.focusWidget() is tabs_of(window):
            break
    assert QApplication.focusWidget() is tabs_of(window)
    press(window, Qt.Key.Key_Right)
    assert window.page is running.pages["Progress"]
    assert QApplication.focusWidget() is tabs_of(window)
    press(window, Qt.Key.Key_Left)
    press(window, Qt.Key.Key_Left)
    assert window.page is running.pages["Mistakes"]
    assert QApplication.focusWidget() is tabs_of(window)


@pytest.mark.thorough
def test_tabs_do_not_get_the_keyboard_of_a_control_that_goes(running):
    window = running.window
    window.show_page_named("Games")
    button = next(
        one
        for one in running.pages["Games"].findChildren(QPushButton)
        if one.isVisible() and one.isEnabled()
    )
    button.setFocus()
    button.setEnabled(False)
    focused = QApplication.focusWidget()
    assert focused is not None
    assert focused is not tabs_of(window)


@pytest.mark.thorough
def test_a_door_opens_on_the_tab_that_was_last_in_front(program):
    first = program()
    for title in ("Routes", "Progress", "Game"):
        first.window.show_page(first.pages[title])
    first.window.show_page_named("Review")
    first.window.close()
    second = program()
    assert second.window.page is second.pages["Review"]
    for door, title in (("Practice", "Routes"), ("Train", "Progress"), ("Review", "Review")):
        next(one for one in second.window.rail.buttons if one.objectName() == door).click()
        assert second.window.page is second.pages[title]


@pytest.mark.thorough
def test_another_language_keeps_the_tab_of_every_door(running, qtbot):
    window = running.window
    for title in ("Situations", "Puzzles"):
        window.show_page(running.pages[title])
    running.services.settings.set("language", "zh_CN")
    qtbot.waitUntil(lambda: window.isEnabled() and not window.is_held)
    qtbot.waitUntil(lambda: window.page is not None and window.page.title == "Puzzles")
    assert tabs_of(window).currentIndex() == 1
    next(one for one in window.rail.buttons if one.objectName() == "Practice").click()
    assert window.page is running.pages["Situations"]


@pytest.mark.thorough
@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("stored", "title"), [("Profile", "Progress"), ("Analysis", "Games"), ("Routes", "Routes")]
)
def test_the_page_that_an_earlier_version_remembered_is_in_front(program, data_dir, stored, title):
    text = f'{{"version": 1, "values": {{"window.page": "{stored}"}}}}'
    (data_dir / "state.json").write_text(text)
    assert program().window.page.title == title


def test_every_page_of_before_has_its_action_and_the_keys_a_person_gave_it(
    program, qtbot, data_dir
):
    keys = {
        "window.go_profile": ["Ctrl+J"],
        "window.go_test": ["Alt+3"],
        "analysis.whole_games": ["F9"],
    }
    values = {"version": 2, "values": {"shortcuts": keys}}
    (data_dir / "settings.json").write_text(json.dumps(values))
    running = program()
    activate(running.window, qtbot)
    table = running.window.keys.table
    assert {f"{WINDOW}.go_{name}" for name in BEFORE} <= set(table.shortcuts)
    pages = {shortcut.page for shortcut in table.shortcuts.values()}
    assert {"profile", "analysis", "review", "practice"} <= pages
    assert table.keys("analysis.whole_games") == ("F9",)
    press(running.window, Qt.Key.Key_J, CTRL)
    assert running.window.page is running.pages["Progress"]
    press(running.window, Qt.Key.Key_3, ALT)
    assert running.window.page is running.pages["Test"], "its own key is not the door's"


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("profile", "Progress"),
        ("analysis", "Games"),
        ("progress", "Progress"),
        ("situations", "Situations"),
        ("routes", "Routes"),
        ("mistakes", "Mistakes"),
        ("this game", "Review"),
        ("practice: free", "Practice"),
    ],
)
@pytest.mark.thorough
def test_the_palette_finds_tabs_by_both_names(running, typed, title):
    window = running.window
    window.palette_panel.open()
    QTest.keyClicks(window.palette_panel.edit, f"go to {typed}")
    QTest.keyClick(window.palette_panel.edit, Qt.Key.Key_Return)
    assert window.page is running.pages[title]


@pytest.mark.thorough
def test_the_menu_has_the_doors_then_their_tabs_then_the_steps(running):
    menu = running.window.go_menu
    doors = ["Home", *(door.title for door in DOORS)]
    assert [one.text() for one in menu.actions()] == [
        *doors,
        "",
        "Tabs",
        "Next tab",
        "Previous tab",
    ]
    (tabs,) = (one.menu() for one in menu.actions() if one.menu())
    assert [one.text() for one in tabs.actions()] == [
        f"{door}: {tab}" for door, tabs in TABS.items() for tab in tabs
    ]


@pytest.mark.parametrize(
    ("request_", "title", "door"),
    [
        ("puzzle_requested", "Puzzles", "Train"),
        ("profile_requested", "Progress", "Train"),
        ("route_requested", "Routes", "Practice"),
    ],
)
@pytest.mark.thorough
def test_a_request_of_another_page_brings_the_tab_to_the_front(running, request_, title, door):
    window = running.window
    window.show_page_named("Game")
    running.request(request_)
    assert window.page is running.pages[title]
    assert [one.objectName() for one in window.rail.buttons if one.isChecked()] == [door]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.thorough
def test_the_rail_has_whole_names_in_the_smallest_window(program, qtbot, language):
    running = program()
    running.services.settings.set("language", language)
    window = running.window
    window.resize(800, 600)
    qtbot.waitUntil(lambda: window.rail.is_narrow and not window.is_held)
    last = "\u5e2e\u52a9" if language == "zh_CN" else "Help"
    qtbot.waitUntil(lambda: window.rail.buttons[-1].text() == last)
    qtbot.waitUntil(lambda: not window.rail.buttons[0].visibleRegion().isEmpty())
    for button in window.rail.buttons:
        assert button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonTextUnderIcon
        assert button.text() == button.accessibleName()
        metrics = QFontMetrics(button.font())
        assert metrics.horizontalAdvance(button.text()) <= button.width() - 4, button.text()
        assert button.iconSize().height() + metrics.height() <= button.height()
        assert button.visibleRegion().boundingRect() == button.rect(), button.text()


# 800 x 600 at 150 %, and 1280 x 800 at 200 % without the frame and the panel of the desktop.
@pytest.mark.thorough
@pytest.mark.parametrize("size", [(533, 400), (624, 360)])
def test_without_room_for_names_the_rail_has_all_icons(running, qtbot, size):
    window = running.window
    status = window.findChild(StatusLine)
    status.report("engine", Background("Preparing the engine", 0.5, lambda: None))
    window.resize(*size)
    buttons = window.rail.buttons
    qtbot.waitUntil(lambda: buttons[-1].toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly)
    for part in (*buttons, status):
        qtbot.waitUntil(lambda part=part: part.visibleRegion().boundingRect() == part.rect())


@pytest.mark.thorough
def test_without_room_for_tabs_they_are_a_menu(running):
    window = running.window
    window.resize(533, 400)
    window.show_page_named("Practice")
    QApplication.processEvents()
    assert not tabs_of(window).isVisible()
    (button,) = (one for one in window.page.findChildren(QToolButton, "doorMenu"))
    assert (button.isVisible(), button.text()) == (True, "Free")
    by_text = {action.text(): action for action in button.menu().actions()}
    assert tuple(by_text) == TABS["Practice"]
    by_text["Routes"].trigger()
    assert window.page is running.pages["Routes"]
    window.resize(800, 600)
    QApplication.processEvents()
    assert tabs_of(window).isVisible()
