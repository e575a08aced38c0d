"""Other keys in the whole program: pressed, and read once in lists, captions and tips."""

import json
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from gui.help.blocks import TableBlock
from gui.help.page import key_blocks
from gui.keys.key_bindings import KeyBindings, add_key_tip, keys_of, names_of_keys, native
from gui.practice.page import PracticePage
from gui.practice.session import SpawnMode
from gui.settings.key_tree import KeyTree
from gui.shell.key_list import KeyList
from gui.widgets.action_bar import ActionButton
from tests.gui.page_driver import CTRL, banner_texts, show
from tests.gui.practice_fakes import TABLE_PATH, TABLES, FakeTable, FakeTasks, play_services


@pytest.fixture
def practice(qtbot, settings):
    page = PracticePage(play_services(lambda _: FakeTable(), FakeTasks(), settings))
    page.bindings = KeyBindings(settings)
    for action in page.actions():
        page.bindings.add("practice", "Practice", action)
    page.set_tables(TABLES)
    page.open_table(TABLE_PATH)
    show(qtbot, page)
    page.board_view.setFocus()
    return page


def moved(page: PracticePage) -> int | None:
    return page.game.step.direction if page.game.step else None


def test_a_new_key_plays_and_the_old_one_does_not(practice, settings):
    settings.set("shortcuts", {"practice.up": ["Q"], "practice.by_hand": ["A"]})
    for key in (Qt.Key.Key_Up, Qt.Key.Key_W, Qt.Key.Key_K):
        QTest.keyClick(practice.board_view, key)
    assert moved(practice) is None
    QTest.keyClick(practice.board_view, Qt.Key.Key_Q)
    assert moved(practice) == 2
    assert practice.game.spawn_mode is not SpawnMode.MANUAL
    settings.set("shortcuts", {})
    QTest.keyClick(practice.board_view, Qt.Key.Key_Backspace)
    QTest.keyClick(practice.board_view, Qt.Key.Key_Q)
    assert moved(practice) is None
    assert practice.game.spawn_mode is SpawnMode.MANUAL


def test_a_key_with_ctrl_works_wherever_on_the_page_the_keyboard_is(practice, settings):
    settings.set("shortcuts", {"practice.up": ["Ctrl+G"]})
    practice.panel.guess_box.setFocus()
    QTest.keyClick(practice.panel.guess_box, Qt.Key.Key_G, CTRL)
    assert moved(practice) == 2
    settings.set("shortcuts", {})
    assert practice not in practice.actions_by_name["up"].associatedObjects()


def test_the_arrows_go_from_cell_to_cell_whatever_their_shortcuts_are(practice, settings):
    settings.set("shortcuts", {"practice.hint": ["Down"], "practice.down": ["S"]})
    QTest.keyClick(practice.board_view, Qt.Key.Key_E)
    assert practice.edit_bar.is_active
    QTest.keyClick(practice.board_view, Qt.Key.Key_Down)
    QTest.keyClick(practice.board_view, Qt.Key.Key_Delete)
    practice.edit_bar.finish(keep=True)
    assert practice.game.step.board >> 44 & 0xF == 0, "the cell below the first one"


def test_captions_and_tips_follow(practice, settings):
    bar, panel = practice.action_bar, practice.panel
    assert panel.tab_chips.buttons["why"].toolTip().endswith("(F7)")
    settings.set("shortcuts", {"practice.hint": ["F9", "B"], "practice.tab_why": []})
    assert bar.buttons["hint"].key_text == "F9"
    assert bar.buttons["hint"].toolTip() == "Show the best move (F9, B)"
    assert "(" not in panel.tab_chips.buttons["why"].toolTip()


def test_a_tip_that_changes_keeps_its_keys(qtbot):
    widget, action = QWidget(), QAction("Do")
    qtbot.addWidget(widget)
    action.setShortcut("F9")
    widget.setToolTip("First")
    add_key_tip(widget, action)
    assert widget.toolTip() == "First (F9)"
    widget.setToolTip("Second")
    assert widget.toolTip() == "Second (F9)"
    action.setShortcut("F10")
    assert widget.toolTip() == "Second (F10)"
    widget.setToolTip("")
    assert widget.toolTip() == "F10"


def test_every_action_can_have_other_keys_and_none_clash_at_first(program):
    running = program()
    table = running.window.keys.table
    actions = {command.action for command in running.window.commands()}
    # What leads to a setting, a game, a table or a topic has no keys.
    n_actions = sum(not action.objectName().startswith("to_") for action in actions)
    n_actions -= 1  # Open game in the File menu: pages have their own keys for it
    n_actions += len(running.pages.comparison.actions())  # a window of its own, not in the palette
    assert len(table.shortcuts) == n_actions
    assert {id_: table.clashes(id_) for id_ in table.shortcuts if table.clashes(id_)} == {}
    assert table.overrides == {}


@pytest.mark.thorough
def test_the_names_that_files_hold_stay(program):
    ids = program().window.keys.table.shortcuts
    for id_ in (
        "window.find", "window.keys", "window.go_practice", "window.theme_switch", "home.continue",
        "game.undo", "practice.left", "test.focus", "test.history_review", "review.next_mark",
        "mistakes.drill_chosen", "analysis.choose", "tables.build", "settings.reset",
    ):  # fmt: skip
        assert id_ in ids


@pytest.mark.thorough
def test_chosen_keys_are_there_after_a_restart_and_in_every_list(program, data_dir, qtbot):
    values = {"shortcuts": {"window.find": ["Ctrl+P"], "window.keys": ["F2"], "old.thing": ["X"]}}
    (data_dir / "settings.json").write_text(json.dumps({"version": 1, "values": values}))
    running = program()
    window = running.window
    texts = banner_texts(running.home)
    assert any("old.thing" in text for text in texts)
    window.show_page(running.home)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_K, CTRL)
    assert not window.palette_panel.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_P, CTRL)
    assert window.palette_panel.isVisible()
    keys = {command.text: command.keys for command in window.commands()}
    assert keys["Find a command"] == "Ctrl+P"
    window.palette_panel.close_overlay()
    qtbot.keyClick(window, Qt.Key.Key_F2)
    assert window.key_list.isVisible()
    assert "Ctrl+P" in [label.text() for label in window.key_list.findChildren(QLabel)]
    window.key_list.close_overlay()
    running.services.settings.set("shortcuts", {"window.go_game": ["Ctrl+G"]})
    assert window.rail.buttons[1].toolTip() == "Game (Ctrl+G)"


@pytest.mark.thorough
def test_keys_are_put_back_with_all_settings_and_come_again_by_undo(program):
    running = program()
    page, keys = running.pages["Settings"], running.window.keys
    keys.choose({"practice.hint": ("F9",)})
    page.reset_action.trigger()
    assert keys.table.overrides == {}
    page.banners.banners[0].buttons[0].click()
    assert keys.table.keys("practice.hint") == ("F9",)


class OneName(QTranslator):
    """Calls both Enter keys alike, as Qt does in Chinese."""

    def translate(self, context: str, text: str, *_: object) -> str:
        return "\u56de\u8f66" if context == "QShortcut" and text in ("Return", "Enter") else ""


@pytest.fixture
def best(qapp: QApplication) -> Iterator[QAction]:
    translator = OneName()
    qapp.installTranslator(translator)
    action = QAction("Best move")
    action.setShortcuts([QKeySequence(key) for key in ("Return", "Enter", "M")])
    yield action
    qapp.removeTranslator(translator)


def test_an_action_has_each_name_once(best):
    assert native("Return") == native("Enter") == "\u56de\u8f66", "the test tests something"
    assert names_of_keys(best) == ["\u56de\u8f66", "M"]
    assert keys_of(best) == "\u56de\u8f66, M"


def test_names_that_differ_all_stand(qapp):  # noqa: ARG001, of Qt
    action = QAction("Best move")
    action.setShortcuts([QKeySequence("B"), QKeySequence("M")])
    assert names_of_keys(action) == ["B", "M"]


def test_the_list_of_keys_has_each_name_once(best, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    shown = KeyList(window, lambda: [("Practice", [best])])
    shown.open()
    caps = [cap.text() for cap in shown.findChildren(QLabel, "keycap")]
    assert caps == ["\u56de\u8f66", "M"]


def test_a_tip_has_each_name_once(best, qtbot):
    button = ActionButton(best)
    qtbot.addWidget(button)
    assert button.toolTip() == "Best move (\u56de\u8f66, M)"


def test_settings_and_help_have_each_name_once(best, settings, qtbot):
    bindings = KeyBindings(settings)
    best.setObjectName("best")
    bindings.add("practice", "Practice", best)
    tree = KeyTree(native)
    qtbot.addWidget(tree)
    tree.show_table(bindings.table)
    page = tree.model().index(0, 0)
    assert tree.model().index(0, 1, page).data() == "\u56de\u8f66,  M"
    (table,) = (
        block for block in key_blocks(bindings.table, native) if isinstance(block, TableBlock)
    )
    (row,) = table.rows
    assert [span.text for span in row[1] if span.is_code] == ["\u56de\u8f66", "M"]
