"""Playing on the practice page as a person does, and the tables it is offered."""

from pathlib import Path
from types import SimpleNamespace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.pages.practice import PracticePage
from tests.gui.practice_fakes import TABLE_PATH

OTHER_START = 0x1_2FFF_1FFF
TABLES = [
    SimpleNamespace(path=TABLE_PATH, pattern="L3", target=256, state="complete"),
    SimpleNamespace(path=Path("tables/442_128"), pattern="442", target=128, state="partial"),
]


def board(page: PracticePage) -> int:
    assert page.game.step is not None
    return page.game.step.board


def press(page: PracticePage, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(page.board_view, key)


def type_hex(qtbot: QtBot, page: PracticePage, text: str) -> None:
    page.panel.hex_edit.setFocus()
    page.panel.hex_edit.selectAll()
    qtbot.keyClicks(page.panel.hex_edit, text)
    qtbot.keyClick(page.panel.hex_edit, Qt.Key.Key_Return)
