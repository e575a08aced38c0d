"""Playing on the practice page as a person does, and the tables it is offered."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.board.board_paint import Grid
from gui.practice.page import PracticePage
from tests.gui.page_driver import enter

OTHER_START = 0x1_2FFF_1FFF


def board(page: PracticePage) -> int:
    assert page.game.step is not None
    return page.game.step.board


def click_cell(page: PracticePage, cell: int, button: Qt.MouseButton) -> None:
    view = page.board_view
    rect = Grid.fit(view.width(), view.height(), view.devicePixelRatioF()).rect(cell)
    QTest.mouseClick(view, button, pos=rect.center().toPoint())


def type_hex(page: PracticePage, text: str) -> None:
    enter(page.panel.hex_field.edit, text)
