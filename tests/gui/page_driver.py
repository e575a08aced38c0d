"""Using a page as a person does: what the tests of all pages share."""

from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from gui.settings_model.settings import Settings
from gui.widgets.banner import Banner
from tests.gui.practice_fakes import NOON, FakeDialogs, FakeTasks

NONE = Qt.KeyboardModifier.NoModifier
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
KEYS = (
    (Qt.Key.Key_Left, Qt.Key.Key_A, Qt.Key.Key_H),
    (Qt.Key.Key_Right, Qt.Key.Key_D, Qt.Key.Key_L),
    (Qt.Key.Key_Up, Qt.Key.Key_W, Qt.Key.Key_K),
    (Qt.Key.Key_Down, Qt.Key.Key_S, Qt.Key.Key_J),
)
"""Of each direction."""
ARROWS = tuple(keys[0] for keys in KEYS)


class _Boarded(Protocol):
    board_view: QWidget


class _Bannered(Protocol):
    banners: Any  # of this page or below its frame, in a widget of any kind


def show(qtbot: QtBot, page: QWidget, width: int = 1100, height: int = 760) -> None:
    qtbot.addWidget(page)
    page.resize(width, height)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)


def press(page: _Boarded, *keys: Qt.Key) -> None:
    press_with(page, NONE, *keys)


def press_with(page: _Boarded, modifier: Qt.KeyboardModifier, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(page.board_view, key, modifier)


def click(button: QAbstractButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def enter(edit: QLineEdit, text: str) -> None:
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, text)
    QTest.keyClick(edit, Qt.Key.Key_Return)


def action(page: QWidget, name: str) -> QAction:
    return next(one for one in page.actions() if one.objectName() == name)


def banner_texts(page: _Bannered) -> list[str]:
    return [banner.text_label.text() for banner in page.banners.banners]


def banner(page: _Bannered, text: str) -> Banner:
    found = [one for one in page.banners.banners if text in one.text_label.text()]
    assert found, banner_texts(page)
    return found[0]


Page = TypeVar("Page", bound=QWidget)


class PageStage(Generic[Page]):
    """Pages and what they ask for, a clock that a test sets; work is done when it is asked for."""

    def __init__(self, qtbot: QtBot, settings: Settings, folder: Path) -> None:
        self.qtbot, self.settings, self.folder = qtbot, settings, folder
        self.now = NOON
        self.tasks, self.dialogs = FakeTasks(), FakeDialogs()
        self.pages: list[Page] = []

    @property
    def page(self) -> Page:
        return self.pages[-1]

    def show(self, page: Page) -> None:
        self.pages.append(page)
        show(self.qtbot, page)
        page.page_shown()
        page.setFocus()

    def close(self) -> None:
        for page in self.pages:
            page.hide()
            if let_go := getattr(page, "close_page", None):
                let_go()

    def press(self, *keys: Qt.Key) -> None:
        press(self.page, *keys)

    def press_with(self, modifier: Qt.KeyboardModifier, *keys: Qt.Key) -> None:
        press_with(self.page, modifier, *keys)

    def banner(self, text: str) -> Banner:
        return banner(self.page, text)


def menu_entries(menu: QMenu) -> list[QAction]:
    found = []
    for action in menu.actions():
        if (below := action.menu()) is not None:
            found += menu_entries(below)
        elif not action.isSeparator():
            found.append(action)
    return found
