"""The window: navigation, palette, keys, colors, status line, focus."""

from typing import ClassVar

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QScrollArea, QToolButton, QWidget

from gui.pages.page import ScrolledPage
from gui.shell.main_window import MainWindow
from gui.widgets.status_line import Background, StatusLine
from tests.gui.page_driver import menu_entries


class SomePage(ScrolledPage):
    """A page with one action."""

    icon = "dot"

    def __init__(self, title: str, keys: str) -> None:
        type(self).title = title
        super().__init__()
        self.title = title
        self.calls: list[str] = []
        self.sheets: list[str] = []
        action = self.add_action(QAction(f"Do {title}", self), "do")
        action.setShortcut(keys)
        action.triggered.connect(lambda _=False: self.calls.append("do"))

    def setStyleSheet(self, sheet: str) -> None:  # noqa: N802
        self.sheets.append(sheet)
        super().setStyleSheet(sheet)

    def page_shown(self) -> None:
        self.calls.append("shown")


@pytest.fixture
def window(qtbot, settings):
    window = MainWindow(settings)
    window.first, window.second = SomePage("First", "Ctrl+J"), SomePage("Second", "Ctrl+J")
    window.add_page(window.first)
    window.add_page(window.second)
    window.show_page(window.first)
    qtbot.addWidget(window)
    window.resize(1200, 800)
    with qtbot.waitExposed(window):
        window.show()
    return window


def visible_menus(window: MainWindow) -> list[str]:
    actions = window.menuBar().actions()
    return [action.text().replace("&", "") for action in actions if action.isVisible()]


def test_the_rail_leads_to_the_pages(window, qtbot):
    qtbot.mouseClick(window.rail.buttons[1], Qt.MouseButton.LeftButton)
    assert window.page is window.second
    assert window.second.calls == ["shown"]
    assert window.rail.buttons[1].isChecked()
    assert visible_menus(window) == ["File", "Go", "View", "Second", "Help"]


def test_a_page_that_is_not_in_front_is_not_laid_out(window):
    class Text(QLabel):
        asked: ClassVar[list[int]] = []

        def heightForWidth(self, width):  # noqa: N802
            self.asked.append(width)
            return 20

    text = Text("How high?")
    text.setWordWrap(True)
    window.first.layout().addWidget(text)
    QApplication.processEvents()
    assert Text.asked  # in front it is
    window.show_page(window.second)
    QApplication.processEvents()
    Text.asked.clear()
    window.resize(1150, 700)
    QApplication.processEvents()
    assert Text.asked == []


def test_the_rail_has_names_below_the_icons_where_room_is_scarce(window, qtbot):
    assert not window.rail.is_narrow
    window.resize(1000, 700)
    qtbot.waitUntil(lambda: window.rail.is_narrow)
    assert window.rail.width() < 80
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: not window.rail.is_narrow)


def test_the_same_key_belongs_to_the_page_in_front(window, qtbot):
    window.activateWindow()
    for page in (window.first, window.second):
        window.show_page(page)
        page.calls.clear()
        qtbot.keyClick(window, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda page=page: page.calls == ["do"])
    assert window.first.calls == ["do"]


def test_pages_have_keys(window, qtbot):
    qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    assert window.page is window.second


def test_pages_have_keys_that_write_no_character_on_a_mac(qtbot, settings, monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")
    window = MainWindow(settings)
    qtbot.addWidget(window)
    window.add_page(SomePage("First", "Ctrl+J"))
    (go,) = [action for action in window.go_menu.actions() if action.text() == "First"]
    assert go.shortcut().toString() == "Ctrl+1"


def test_the_palette_finds_and_runs_what_other_pages_can_do(window, qtbot):
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    panel = window.palette_panel
    assert panel.isVisible()
    qtbot.keyClicks(panel.edit, "second do")
    assert len(panel.found) == 1
    qtbot.keyClick(panel.edit, Qt.Key.Key_Return)
    assert not panel.isVisible()
    assert window.page is window.second
    assert window.second.calls == ["shown", "do"]


def test_the_palette_has_every_action_of_the_menus(window):
    listed = {command.action for command in window.commands()}
    for menu_action in window.menuBar().actions():
        for action in menu_entries(menu_action.menu()):
            is_placeholder = action.text() in ("Save", "Import") and not action.isEnabled()
            assert action in listed or is_placeholder, action.text()


def test_the_palette_says_when_nothing_fits_and_closes_by_escape(window, qtbot):
    window.palette_panel.open()
    qtbot.keyClicks(window.palette_panel.edit, "xyzzy")
    assert window.palette_panel.empty_label.isVisible()
    qtbot.keyClick(window.palette_panel.edit, Qt.Key.Key_Return)
    assert window.palette_panel.isVisible()
    qtbot.keyClick(window.palette_panel.edit, Qt.Key.Key_Escape)
    assert not window.palette_panel.isVisible()


def test_arrow_keys_walk_through_the_palette(window, qtbot):
    window.palette_panel.open()
    panel = window.palette_panel
    qtbot.keyClick(panel.edit, Qt.Key.Key_Down)
    assert panel.row == 1
    qtbot.keyClick(panel.edit, Qt.Key.Key_Up)
    qtbot.keyClick(panel.edit, Qt.Key.Key_Up)
    assert panel.row == len(panel.found) - 1


def test_the_question_mark_lists_the_keys_of_the_page(window, qtbot):
    qtbot.keyClick(window, "?")
    assert window.key_list.isVisible()
    texts = [label.text() for label in window.key_list.findChildren(QLabel)]
    assert "Do First" in texts
    assert "Do Second" not in texts
    assert "Ctrl+K" in texts
    qtbot.keyClick(window.key_list, Qt.Key.Key_Escape)
    assert not window.key_list.isVisible()


def test_the_list_of_keys_is_scrolled_by_keys(window, qtbot):
    window.resize(800, 320)
    window.key_list.open()
    QApplication.processEvents()
    (area,) = window.key_list.findChildren(QScrollArea)
    bar = area.verticalScrollBar()
    assert bar.maximum() > 0
    qtbot.keyClick(window.key_list, Qt.Key.Key_PageDown)
    assert bar.value() > 0
    qtbot.keyClick(window.key_list, Qt.Key.Key_Home)
    assert bar.value() == 0
    qtbot.keyClick(window.key_list, Qt.Key.Key_Down)
    assert bar.value() > 0


def test_themes_reach_all_pages(window, qtbot):
    window.set_sheet("QLabel { color: red }")
    window.show_page(window.second)
    assert window.second.sheets == ["QLabel { color: red }"], "who is shown has its colors"
    qtbot.waitUntil(lambda: window.first.sheets == ["QLabel { color: red }"])
    assert window.second.styleSheet() == window.rail.styleSheet() == "QLabel { color: red }"
    assert window.second.sheets == ["QLabel { color: red }"], "nobody gets them twice"


def test_other_colors_come_step_by_step_and_are_seen_when_the_page_in_front_has_them(window, qtbot):
    turns = []

    def note() -> None:
        frame, pages = window.rail.styleSheet(), (window.first.sheets, window.second.sheets)
        turns.append((bool(frame), *map(len, pages), window.is_held))

    timer = QTimer()
    timer.timeout.connect(note)
    timer.start(0)
    window.set_sheet("QLabel { color: red }")
    note()
    qtbot.waitUntil(lambda: window.second.sheets != [])
    timer.stop()
    note()
    assert list(dict.fromkeys(turns)) == [
        (False, 0, 0, True),
        (True, 0, 0, True),
        (True, 1, 0, True),
        (True, 1, 0, False),
        (True, 1, 1, False),
    ]


def test_a_window_that_is_not_seen_yet_has_its_colors_at_once(qtbot, settings):
    window = MainWindow(settings)
    qtbot.addWidget(window)
    window.set_sheet("QLabel { color: red }")
    window.add_page(page := SomePage("First", "Ctrl+J"))
    window.show_page(page)
    assert page.styleSheet() == window.rail.styleSheet() == "QLabel { color: red }"
    assert not window.is_held


def test_colors_that_change_twice_leave_the_window_alive(window, qtbot):
    window.set_sheet("QLabel { color: red }")
    window.set_sheet("QLabel { color: blue }")
    qtbot.waitUntil(lambda: not window.is_held)
    assert window.first.sheets == ["QLabel { color: blue }"]


def test_the_status_line_shows_the_last_work_and_its_progress(qtbot):
    line, cancelled = StatusLine(), []
    qtbot.addWidget(line)
    line.show()
    assert line.text_label.text() == ""
    line.report("a", Background("Building", 0.5, lambda: cancelled.append("a")))
    line.report("b", Background("Verifying", None))
    assert line.text_label.text() == "Verifying (and 1 more)"
    assert line.toolTip() == "Verifying\nBuilding", "which one more it is"
    assert line.bar.maximum() == 0, "a bar that only says: busy"
    assert not line.cancel_button.isVisible()
    line.report("b", None)
    assert (line.text_label.text(), line.bar.value()) == ("Building", 500)
    assert line.cancel_button.toolTip() == "Stop: Building"
    qtbot.mouseClick(line.cancel_button, Qt.MouseButton.LeftButton)
    assert cancelled == ["a"]
    line.report("a", None)
    assert line.text_label.text() == ""
    assert not line.isVisible(), "nothing runs"


def test_work_that_comes_and_goes_moves_neither_the_page_nor_a_door(window):
    window.resize(1200, 700)
    QApplication.processEvents()
    parts = [window.stack, *window.rail.buttons]
    before = [part.geometry() for part in parts]
    window.status_line.report("a", Background("Building 442 \u2192 128: 43 %, 2 min left", 0.5))
    QApplication.processEvents()
    assert window.status_line.isVisible()
    assert [part.geometry() for part in parts] == before


class _Keys(QPushButton):
    """A button that lists the keys it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[int] = []

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        self.keys.append(event.key())


@pytest.mark.parametrize("takes_away", ["disable", "hide", "delete", "disable its part"])
@pytest.mark.parametrize("has_proxy", [True, False])
def test_focus_stays_in_the_page_when_its_control_goes(window, qtbot, takes_away, has_proxy):
    page = SomePage("Third", "Ctrl+J")
    part, other = QWidget(), _Keys()
    button = QPushButton(part)
    for one in (other, part):
        page.body.addWidget(one)
    if has_proxy:
        page.setFocusProxy(other)
    window.add_page(page)
    window.show_page(page)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    button.setFocus()
    assert button.hasFocus()
    {
        "disable": lambda: button.setEnabled(False),
        "disable its part": lambda: part.setEnabled(False),
        "hide": button.hide,
        "delete": lambda: (button.hide(), button.deleteLater()),
    }[takes_away]()
    qtbot.keyClick(window.focusWidget() or window, Qt.Key.Key_Left)
    front = window.focusWidget()
    assert front is (other if has_proxy else page) or page.isAncestorOf(front)
    if has_proxy and takes_away == "disable its part":
        assert other.keys == [Qt.Key.Key_Left]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
@pytest.mark.parametrize("kind", [QPushButton, QToolButton])
def test_enter_presses_the_focused_button_rather_than_a_shortcut(window, qtbot, kind, key):
    page = SomePage("Third", "Return")
    button = kind(page)
    pressed = []
    button.clicked.connect(lambda: pressed.append(key))
    page.body.addWidget(button)
    window.add_page(page)
    window.show_page(page)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    page.setFocus()
    QTest.keyClick(window, Qt.Key.Key_Return)
    assert (page.calls[-1], pressed) == ("do", [])
    page.calls.clear()
    button.setFocus()
    QTest.keyClick(button, key)
    assert (page.calls, pressed) == ([], [key])
    button.setEnabled(False)
    QTest.keyClick(window, key)
    assert pressed == [key]


def test_what_lies_over_the_window_takes_its_colors_when_it_is_opened(window):
    window.set_sheet("QLabel { color: red }")
    assert window.key_list.styleSheet() == ""
    window.key_list.open()
    assert window.key_list.styleSheet() == "QLabel { color: red }"
    window.set_sheet("QLabel { color: blue }")
    assert window.key_list.styleSheet() == "QLabel { color: blue }", "in sight it is at once"
