"""Two keys of one name stand once, wherever keys are listed."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from gui.help.blocks import TableBlock
from gui.help.page import key_blocks
from gui.keys.key_bindings import KeyBindings, keys_of, names_of_keys, native
from gui.settings.key_tree import KeyTree
from gui.shell.key_list import KeyList
from gui.widgets.action_bar import ActionButton


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
