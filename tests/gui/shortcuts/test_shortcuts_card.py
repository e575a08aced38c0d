"""The card of the shortcuts: search, press a key, settle who has it, put it back."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.keys.key_bindings import KeyBindings
from gui.settings.shortcuts import ShortcutsCard
from tests.gui.page_driver import CTRL, SHIFT

NONE = Qt.KeyboardModifier.NoModifier


def action(parent: QWidget, name: str, text: str, *keys: str) -> QAction:
    made = QAction(text, parent)
    made.setObjectName(name)
    made.setShortcuts([QKeySequence(key) for key in keys])
    return made


@pytest.fixture
def window(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def actions(window):
    return {
        "window.find": action(window, "find", "&Find a command\u2026", "Ctrl+K"),
        "practice.undo": action(window, "undo", "Undo", "Backspace", "Ctrl+Z"),
        "practice.hint": action(window, "hint", "Show the best move", "B"),
        "game.undo": action(window, "undo", "Undo", "Backspace"),
    }


@pytest.fixture
def bindings(settings, actions):
    bindings = KeyBindings(settings)
    bindings.reserved["Alt+F"] = "opens the menu File"
    for id_, one in actions.items():
        page = id_.partition(".")[0]
        bindings.add(page, page.title(), one)
    return bindings


@pytest.fixture
def shown(qtbot, bindings):
    shown = ShortcutsCard(bindings)
    qtbot.addWidget(shown)
    shown.show()
    shown.activateWindow()
    qtbot.waitUntil(shown.isActiveWindow)
    shown.refresh()
    return shown


def keys(one: QAction) -> list[str]:
    return [sequence.toString() for sequence in one.shortcuts()]


def press(qtbot, card: ShortcutsCard, id_: str, key, modifier=NONE) -> None:
    card.tree.choose(id_)
    qtbot.keyClick(card.tree, Qt.Key.Key_Return)
    assert card.field.hasFocus()
    qtbot.keyClick(card.field, key, modifier)


def test_a_key_is_added_live_and_kept(qtbot, shown, actions, settings):
    press(qtbot, shown, "practice.hint", Qt.Key.Key_N, CTRL | SHIFT)
    assert keys(actions["practice.hint"]) == ["B", "Ctrl+Shift+N"]
    assert settings.get("shortcuts") == {"practice.hint": ["B", "Ctrl+Shift+N"]}
    assert list(shown.key_buttons) == ["B", "Ctrl+Shift+N"]
    shown.key_buttons["B"].click()
    assert keys(actions["practice.hint"]) == ["Ctrl+Shift+N"]
    assert keys(actions["practice.undo"]) == ["Backspace", "Ctrl+Z"]


@pytest.mark.parametrize(
    ("key", "modifier", "text"),
    [
        (Qt.Key.Key_F9, NONE, "F9"),
        (Qt.Key.Key_Question, SHIFT, "?"),
        (Qt.Key.Key_Plus, CTRL, "Ctrl++"),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.KeypadModifier, "Left"),
        (Qt.Key.Key_PageUp, SHIFT, "Shift+PgUp"),
        (Qt.Key.Key_Space, NONE, "Space"),
        (Qt.Key.Key_Return, NONE, "Return"),
        (Qt.Key.Key_Backspace, CTRL, "Ctrl+Backspace"),
    ],
)
def test_the_field_hears_what_was_pressed(qtbot, shown, actions, key, modifier, text):
    press(qtbot, shown, "practice.hint", key, modifier)
    assert keys(actions["practice.hint"]) == ["B", text]


def test_modifiers_alone_are_no_key_yet(qtbot, shown, actions):
    for key in (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt):
        press(qtbot, shown, "practice.hint", key)
    assert keys(actions["practice.hint"]) == ["B"]
    assert shown.message_label.text() == ""


@pytest.mark.parametrize("key", [Qt.Key.Key_Dead_Grave, Qt.Key.Key_Multi_key])
def test_a_key_that_cannot_be_written_is_refused(shown, actions, key):
    shown.tree.choose("practice.hint")
    pressed = QKeyEvent(QEvent.Type.KeyPress, key, NONE)
    QCoreApplication.sendEvent(shown.field, pressed)
    assert keys(actions["practice.hint"]) == ["B"]
    assert "can't be used" in shown.message_label.text()


def test_a_key_held_down_since_before_is_not_taken(qtbot, shown, actions):
    shown.tree.choose("practice.hint")
    qtbot.keyClick(shown.tree, Qt.Key.Key_Return)
    held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, NONE, "\r", True)
    QCoreApplication.sendEvent(shown.field, held)
    assert keys(actions["practice.hint"]) == ["B"]


def test_escape_cancels(qtbot, shown, settings):
    press(qtbot, shown, "practice.hint", Qt.Key.Key_Escape)
    assert shown.tree.hasFocus()
    assert settings.get("shortcuts") == {}


def test_backspace_clears_and_then_is_the_key(qtbot, shown, actions):
    press(qtbot, shown, "game.undo", Qt.Key.Key_Backspace)
    assert keys(actions["game.undo"]) == []
    assert shown.field.hasFocus()
    qtbot.keyClick(shown.field, Qt.Key.Key_Backspace)
    assert keys(actions["game.undo"]) == ["Backspace"]


def test_a_taken_key_asks_and_keep_changes_nothing(qtbot, shown, actions, settings):
    press(qtbot, shown, "practice.hint", Qt.Key.Key_Z, CTRL)
    assert "Ctrl+Z" in shown.message_label.text()
    assert "Undo (Practice)" in shown.message_label.text()
    assert keys(actions["practice.hint"]) == ["B"]
    shown.remedies["Keep"].click()
    assert shown.message_label.text() == ""
    assert settings.get("shortcuts") == {}


def test_replace_takes_the_key_from_where_both_would_hear_it(qtbot, shown, actions):
    press(qtbot, shown, "window.find", Qt.Key.Key_B)
    shown.remedies["Replace"].click()
    assert keys(actions["window.find"]) == ["Ctrl+K", "B"]
    assert keys(actions["practice.hint"]) == []
    shown.tree.choose("practice.hint")
    shown.reset_button.click()
    assert keys(actions["practice.hint"]) == ["B"]
    assert keys(actions["window.find"]) == ["Ctrl+K"]


def test_keys_of_other_pages_are_free(qtbot, shown, actions):
    press(qtbot, shown, "game.undo", Qt.Key.Key_B)
    assert keys(actions["game.undo"]) == ["Backspace", "B"]


def test_a_reserved_key_is_refused_with_the_reason(qtbot, shown, actions):
    press(qtbot, shown, "practice.hint", Qt.Key.Key_F, Qt.KeyboardModifier.AltModifier)
    assert "opens the menu File" in shown.message_label.text()
    assert keys(actions["practice.hint"]) == ["B"]


def test_search_finds_by_page_name_and_key(qtbot, shown):
    for text, found in (
        ("undo", ["practice.undo", "game.undo"]),
        ("best prac", ["practice.hint"]),
        ("ctrl+k", ["window.find"]),
        ("xyzzy", []),
    ):
        shown.search_edit.setText(text)
        assert shown.tree.shown == found, text
    shown.search_edit.setText("best")
    qtbot.keyClick(shown.search_edit, Qt.Key.Key_Down)
    assert shown.tree.hasFocus()


def test_return_in_the_search_edits_what_it_found(qtbot, shown, actions):
    shown.search_edit.setText("best")
    shown.tree.choose_first()
    qtbot.keyClick(shown.search_edit, Qt.Key.Key_Return)
    qtbot.keyClick(shown.field, Qt.Key.Key_F9)
    assert keys(actions["practice.hint"]) == ["B", "F9"]


def test_all_are_put_back_and_that_can_be_undone(qtbot, shown, actions, bindings):
    press(qtbot, shown, "practice.hint", Qt.Key.Key_F9)
    press(qtbot, shown, "game.undo", Qt.Key.Key_F9)
    with qtbot.waitSignal(shown.many_changed) as signal:
        shown.reset_all_button.click()
    assert keys(actions["practice.hint"]) == ["B"]
    assert keys(actions["game.undo"]) == ["Backspace"]
    assert not shown.reset_all_button.isEnabled()
    bindings.choose(signal.args[0])
    assert keys(actions["practice.hint"]) == ["B", "F9"]


def test_a_clash_written_by_hand_is_shown(shown, settings):
    settings.set("shortcuts", {"practice.hint": ["Backspace"]})
    shown.tree.choose("practice.hint")
    assert "Undo (Practice)" in shown.message_label.text()


def test_what_a_later_version_wrote_outlives_a_change(qtbot, shown, settings, bindings):
    settings.set("shortcuts", {"later.thing": ["X"], "practice.hint": ["Hyper+Q"]})
    assert "later.thing" in bindings.problem
    assert "Hyper+Q" in bindings.problem
    press(qtbot, shown, "practice.hint", Qt.Key.Key_F9)
    assert settings.get("shortcuts") == {"later.thing": ["X"], "practice.hint": ["B", "F9"]}
    bindings.forget_unknown()
    assert settings.get("shortcuts") == {"practice.hint": ["B", "F9"]}
    assert bindings.problem == ""


@pytest.mark.parametrize("key", ["Ctrl+A, B", "Shift"])
def test_a_default_that_no_setting_could_hold_is_a_bug(bindings, window, key):
    with pytest.raises(ValueError, match=r"game\.chord"):
        bindings.add("game", "Game", action(window, "chord", "Chord", key))


def test_two_actions_of_one_name_are_a_bug(bindings, window):
    with pytest.raises(ValueError, match=r"practice\.undo"):
        bindings.add("practice", "Practice", action(window, "undo", "Again"))


def wheel_down(where: QWidget) -> QWheelEvent:
    at, none = QPointF(where.rect().center()), Qt.MouseButton.NoButton
    turn, phase = QPoint(0, -120), Qt.ScrollPhase.NoScrollPhase
    return QWheelEvent(at, where.mapToGlobal(at), QPoint(0, 0), turn, none, NONE, phase, False)


def test_the_wheel_scrolls_the_page_until_the_list_has_the_keyboard(qtbot, settings, window):
    bindings = KeyBindings(settings)
    for i in range(60):
        bindings.add("page", "Page", action(window, f"do_{i}", f"Do {i}"))
    card = ShortcutsCard(bindings)
    qtbot.addWidget(card)
    card.show()
    card.refresh()
    card.tree.expandAll()
    bar, over = card.tree.verticalScrollBar(), card.tree.viewport()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    card.activateWindow()
    card.search_edit.setFocus()
    event = wheel_down(over)
    QCoreApplication.sendEvent(over, event)
    assert bar.value() == 0
    assert not event.isAccepted(), "the page gets it"
    card.tree.setFocus()
    qtbot.waitUntil(card.tree.hasFocus)
    QCoreApplication.sendEvent(over, wheel_down(over))
    assert bar.value() > 0
