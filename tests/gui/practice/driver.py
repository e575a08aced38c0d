"""Playing on the practice page as a person does, and the tables it is offered."""

from pathlib import Path
from types import SimpleNamespace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from gui.board.board_paint import Grid
from gui.practice.page import PracticePage
from gui.widgets.file_dialogs import FileDialogs
from tests.gui.practice_fakes import TABLE_PATH


class FakeDialogs(FileDialogs):
    """Answers at once with `path`; records the requests."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.offered: list[Path] = []

    def ask_save(self, _parent: object, _title: str, path: Path, _filters: str) -> Path | None:
        self.offered.append(path)
        return self.path

    def ask_folder(self, _parent: object, _title: str, folder: Path) -> Path | None:
        self.offered.append(folder)
        return self.path

    def ask_open(self, _parent: object, _title: str, folder: Path, _filters: str) -> Path | None:
        self.offered.append(folder)
        return self.path


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


def press_with(page: PracticePage, modifier: Qt.KeyboardModifier, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(page.board_view, key, modifier)


def click_cell(page: PracticePage, cell: int, button: Qt.MouseButton) -> None:
    view = page.board_view
    rect = Grid.fit(view.width(), view.height(), view.devicePixelRatioF()).rect(cell)
    QTest.mouseClick(view, button, pos=rect.center().toPoint())


def click(button: QAbstractButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def type_hex(qtbot: QtBot, page: PracticePage, text: str) -> None:
    page.panel.hex_edit.setFocus()
    page.panel.hex_edit.selectAll()
    qtbot.keyClicks(page.panel.hex_edit, text)
    qtbot.keyClick(page.panel.hex_edit, Qt.Key.Key_Return)
