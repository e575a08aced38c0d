"""The window as a whole: navigation, menus, palette, keys, status line, memory, closing."""

import os
import threading
from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

from coach.recordings.recording import recording_in_text
from engine.formats.verse2048 import write_new
from gui.pages.page import ScrolledPage
from gui.review.controls import WHOLE_GAME
from gui.shell.app import Program
from gui.shell.main_window import MainWindow
from gui.style.theme import theme_source
from gui.table_work.builds import Builds
from gui.table_work.checks import Checks
from gui.table_work.queue_file import QueueFile
from gui.table_work.requests import BuildRequest
from gui.widgets.file_dialogs import FileDialogs
from gui.widgets.status_line import Background, StatusLine
from tests.child import python
from tests.coach.games import random_game
from tests.gui.page_driver import banner_texts
from tests.gui.window_fakes import child


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
    window.add_page(window.second, at_bottom=True)
    window.show_page(0)
    qtbot.addWidget(window)
    window.resize(1200, 800)
    with qtbot.waitExposed(window):
        window.show()
    return window


def visible_menus(window: MainWindow) -> list[str]:
    actions = window.menuBar().actions()
    return [action.text().replace("&", "") for action in actions if action.isVisible()]


def entries(menu: QMenu) -> list[QAction]:
    """Return the actions of a menu and its submenus."""
    found = []
    for action in menu.actions():
        if (below := action.menu()) is not None:
            found += entries(below)
        elif not action.isSeparator():
            found.append(action)
    return found


def page_menu(window: MainWindow) -> QMenu:
    """Return the menu of the page in front."""
    *_, of_page, _ = [one for one in window.menuBar().actions() if one.isVisible()]
    return of_page.menu()


@pytest.mark.thorough
def test_the_menu_of_practice_has_groups_and_no_noise_and_all_fit(program):
    running = program()
    window, practice = running.window, running.pages["Practice"]
    window.show_page(practice)
    top = [one for one in page_menu(window).actions() if not one.isSeparator()]
    assert len(top) <= 12
    submenus = [one.text() for one in top if one.menu()]
    assert submenus == ["Move", "Explain", "Board", "History", "Copy"]
    names = {one.objectName() for one in entries(page_menu(window))}
    assert not names & {"left", "right", "up", "down", "tab_play", "tab_why", "tab_line"}
    shown = names | {one.objectName() for one in window.file_menu.actions()}
    rest = {one.objectName() for one in practice.actions()} - shown
    assert rest == {"left", "right", "up", "down", "tab_play", "tab_why", "tab_line"}
    for index in range(window.stack.count()):
        window.show_page(index)
        for one in filter(QAction.isVisible, window.menuBar().actions()):
            menus = [one.menu(), *(below.menu() for below in one.menu().actions() if below.menu())]
            heights = [menu.sizeHint().height() for menu in menus]
            assert max(heights) < 560, "it would not fit the smallest window"


def file_names(window: MainWindow) -> list[str]:
    return [one.objectName() for one in window.file_menu.actions() if not one.isSeparator()]


@pytest.mark.thorough
def test_the_file_menu_has_what_the_page_in_front_does_with_files(program):
    """It had only Quit."""
    running = program()
    window, pages = running.window, running.pages
    everywhere = ["back_up", "settings", "quit"]
    window.show_page(pages["Practice"])
    of_page = ["open_recording", "save_recording"]
    assert file_names(window) == ["open_recording", *of_page, *everywhere], "there is no table"
    pages["Practice"].actions_by_name["open_recording"].setEnabled(True)
    window.file_menu.aboutToShow.emit()
    assert file_names(window) == [*of_page, *everywhere]
    window.show_page(pages["Mistakes"])
    assert file_names(window) == ["open_recording", "import", "export", *everywhere]
    window.show_page_named("Home")
    assert file_names(window) == ["open_recording", *everywhere]
    actions = {one.objectName(): one for one in window.file_menu.actions()}
    actions["settings"].trigger()
    assert window.page is pages["Settings"]


def test_the_file_menu_opens_recordings_and_backs_up_from_any_page(program, monkeypatch):
    running, asked = program(), []
    window, pages = running.window, running.pages
    monkeypatch.setattr("gui.review.layout.ask_for_file", lambda *_: asked.append("open"))
    monkeypatch.setattr(FileDialogs, "ask_save", lambda *_: asked.append("save"))
    actions = {one.objectName(): one for one in window.file_menu.actions()}
    actions["open_recording"].trigger()
    assert window.page is pages["Review"]
    actions["back_up"].trigger()
    assert window.page is pages["Settings"]
    assert asked == ["open", "save"]


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


def test_the_rail_leaves_out_names_where_room_is_scarce(window, qtbot):
    assert not window.rail.is_narrow
    window.resize(1000, 700)
    qtbot.waitUntil(lambda: window.rail.is_narrow)
    assert window.rail.width() < 60
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
        for action in entries(menu_action.menu()):
            assert action in listed, action.text()


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
    window.show_page(0)
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
    assert line.text_label.text() == "Ready"
    line.report("a", Background("Building", 0.5, lambda: cancelled.append("a")))
    line.report("b", Background("Verifying", None))
    assert line.text_label.text() == "Verifying  (and 1 more)"
    assert line.bar.maximum() == 0, "a bar that only says: busy"
    assert not line.cancel_button.isVisible()
    line.report("b", None)
    assert (line.text_label.text(), line.bar.value()) == ("Building", 500)
    qtbot.mouseClick(line.cancel_button, Qt.MouseButton.LeftButton)
    assert cancelled == ["a"]
    line.report("a", None)
    assert line.text_label.text() == "Ready"


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


@pytest.fixture
def program(qtbot, data_dir):
    programs: list[Program] = []

    def end() -> None:
        while programs:
            last = programs.pop()
            last.close()
            last.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def start(behave: str = "hang", **options) -> Program:
        """Start the program; one that runs already ends first."""
        end()
        program = Program(
            QApplication.instance(),
            data_dir,
            builds=Builds(lambda _: child(behave), file=QueueFile(data_dir / "queue.json")),
            checks=Checks(lambda _: child("verify")),
            **options,
        )
        programs.append(program)
        program.window.show()
        program.start()
        qtbot.waitUntil(lambda: program.services.library.is_known)
        return program

    yield start
    end()


def test_the_first_run_opens_on_home_with_a_way_to_a_first_table(program, qtbot):
    window = program().window
    assert window.page.title == "Home"
    assert [button.text().strip() for button in window.rail.buttons] == [
        "Home",
        "Game",
        "Practice",
        "Test",
        "Review",
        "Mistakes",
        "Puzzles",
        "Profile",
        "Analysis",
        "Routes",
        "Situations",
        "Minigames",
        "Tables",
        "Settings",
        "Help",
    ]
    qtbot.waitUntil(lambda: window.page.hero.isVisible())


@pytest.mark.thorough
def test_titles_of_all_pages_stand_at_one_place(program):
    running = program()
    window = running.window
    window.resize(1280, 1000)
    window.show()
    places = {}
    for i in range(window.stack.count()):
        page = window.stack.widget(i)
        window.show_page(page)
        for _ in range(5):  # layouts that follow from others
            QApplication.processEvents()
        titles = [one for one in page.findChildren(QLabel) if one.property("role") == "title"]
        title = next(one for one in titles if one.isVisible() and one.text() == page.title)
        middle = title.mapTo(window, title.rect().center())
        places[page.title] = (middle.x() - title.width() // 2, middle.y())
    assert len(places) > 10
    lefts, tops = zip(*places.values(), strict=True)
    assert max(lefts) - min(lefts) <= 1, places
    assert max(tops) - min(tops) <= 1, places


@pytest.mark.thorough
def test_all_pages_fit_the_smallest_window(program):
    window = program().window
    window.resize(800, 600)
    for button in window.rail.buttons:
        button.click()
        QApplication.processEvents()  # what a layout asks for is granted or refused by then
        assert window.width() == 800, button.text()
        assert window.height() == 600, button.text()
    window.resize(400, 300)
    for page in (window.stack.widget(i) for i in range(window.stack.count())):
        window.show_page(page)
        QApplication.processEvents()
        assert (window.width(), window.height()) == (400, 300), "800 x 600 at 200 %"
        if isinstance(page, ScrolledPage):
            assert page.scroller.widget().width() <= page.scroller.viewport().width(), page.title


@pytest.mark.thorough
def test_page_and_size_are_remembered(program):
    first = program()
    first.window.show_page(first.pages["Tables"])
    first.window.resize(760, 600)
    first.window.close()
    second = program()
    assert second.window.page is second.pages["Tables"]
    assert (second.window.width(), second.window.height()) == (760, 600)


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(1280, 800), (853, 533), (560, 800)])
def test_no_message_moves_the_board_of_a_page(program, size):
    running = program()
    window, pages = running.window, running.pages
    pages["Review"].review(recording_in_text(write_new(random_game(20, with_rates=False))))
    pages["Minigames"].open_daily()
    minigame = pages["Minigames"].view
    for page, board, banners in (
        (pages["Game"], pages["Game"].board_view, pages["Game"].banners),
        (pages["Review"], pages["Review"].board_view, pages["Review"].frame.banners),
        (pages["Minigames"], minigame.board, minigame.banners),
    ):
        window.show_page(page)
        window.resize(*size)
        shows = settle(board)
        banners.show_message("bad", "It was not saved: the disk is full.", [("Again", print)])
        assert settle(board) == shows, type(page).__name__
        assert banners.banners[0].visibleRegion().boundingRect().height() > 30
        banners.banners[0].close_button.click()
        assert settle(board) == shows


def settle(board):
    """Return the place of a board in its window once all dependent layouts are done."""
    for _ in range(5):
        QApplication.processEvents()
    return QRect(board.mapTo(board.window(), QPoint()), board.size())


@pytest.fixture
def rating(program):
    """Return a program that rates a whole game, and what lets it begin with that."""
    running, gate = program(), threading.Event()
    running.services.analyzing.run(gate.wait, lambda _: None)  # it rates one after the other
    game = write_new(random_game(20, with_rates=False))
    running.pages["Review"].review(recording_in_text(game))
    running.pages["Review"].rate(WHOLE_GAME)
    yield running, gate.set
    gate.set()


@pytest.mark.thorough
def test_the_status_line_tells_that_review_rates_a_game_on_whatever_page(rating, qtbot):
    (running, let_go), line = rating, rating[0].window.status_line
    running.window.show_page(running.home)
    assert line.text_label.text() == "Rating the moves in Review: 0\N{NO-BREAK SPACE}%"
    running.pages["Review"].work.progressed.emit(0.42)
    assert line.text_label.text() == "Rating the moves in Review: 42\N{NO-BREAK SPACE}%"
    assert line.bar.value() == 420
    qtbot.mouseClick(line.text_label, Qt.MouseButton.LeftButton)
    assert running.window.page is running.pages["Review"]
    let_go()
    qtbot.waitUntil(lambda: line.text_label.text() == "Ready", timeout=60_000)
    assert running.pages["Review"].game.recording.n_judged == 20


def test_rating_is_stopped_in_the_status_line(rating, qtbot):
    (running, let_go), line = rating, rating[0].window.status_line
    qtbot.mouseClick(line.cancel_button, Qt.MouseButton.LeftButton)
    assert line.text_label.text() == "Ready"
    let_go()
    qtbot.waitUntil(lambda: running.pages["Review"].work.rating_tables == ())
    assert running.pages["Review"].game.recording.n_judged == 0


@pytest.mark.thorough
def test_a_rating_that_another_language_ends_is_told_no_more(rating, qtbot):
    running, _ = rating
    running.services.settings.set("language", "zh_CN")
    qtbot.waitUntil(lambda: running.window.status_line.text_label.text() == "\u5c31\u7eea")
    assert running.pages["Review"].work.share is None


@pytest.mark.thorough
def test_closing_during_a_build_cancels_it_and_remembers(program, qtbot):
    first = program("hang")
    first.services.builds.add(BuildRequest("442", 128, first.services.tables.home))
    qtbot.waitUntil(lambda: first.services.builds.progress.fraction > 0)
    assert "442" in first.window.status_line.text_label.text()
    with qtbot.waitSignal(first.services.builds.ended) as ended:
        first.window.close()
    assert ended.args[1] == 3, "it was asked to stop, not killed"
    assert not first.window.isVisible()
    qtbot.waitUntil(lambda: first.services.builds.current is None)
    request = BuildRequest("442", 128, first.services.tables.home)
    second = program()
    assert (second.services.builds.waiting, second.services.builds.current) == ([request], None)
    assert second.home.build_card.pause_button.isVisible()
    second.services.settings.set("build.resume_at_start", True)
    third = program()
    qtbot.waitUntil(lambda: third.services.builds.current == request)
    third.services.builds.pause()
    fourth = program()
    assert fourth.services.builds.is_paused, "who has paused it has the last word"
    fourth.services.settings.set("build.resume_at_start", False)


@pytest.mark.thorough
def test_the_theme_follows_the_setting_everywhere(program, qtbot):
    running = program()
    window, rail_sheet = running.window, running.window.rail.styleSheet()
    assert QApplication.palette().window().color().lightness() > 200
    running.window.show_page(running.pages["Settings"])
    with qtbot.waitSignal(theme_source().changed):
        running.pages["Settings"].row("theme").control.buttons["dark"].click()
    assert running.services.settings.get("theme") == "dark"
    assert QApplication.palette().window().color().lightness() < 60
    qtbot.waitUntil(lambda: running.pages["Settings"].styleSheet() != rail_sheet)
    assert window.rail.styleSheet() == running.pages["Settings"].styleSheet()
    running.services.settings.set("theme", "system")


def test_the_menu_marks_the_colors_in_force(program):
    running = program()
    marked = lambda: [a.text() for a in running.window.view_menu.actions() if a.isChecked()]  # noqa: E731
    assert marked() == ["Colors like the system"]
    running.services.settings.set("theme", "dark")
    assert marked() == ["Dark"]
    running.services.settings.set("theme", "system")


@pytest.mark.thorough
def test_settings_take_effect_at_once_and_can_be_put_back(program):
    running = program()
    page, settings = running.pages["Settings"], running.services.settings
    page.part("tile_palette").picker.view.picked.emit("heather")
    page.row("animation_ms").control.buttons[0].click()
    page.row("large_tile_numbers").control.box.click()
    assert (settings.get("tile_palette"), settings.get("animation_ms")) == ("heather", 0)
    assert settings.get("large_tile_numbers") is False
    page.reset_action.trigger()
    assert (settings.get("tile_palette"), settings.get("animation_ms")) == ("lagoon", 100)
    page.banners.banners[0].buttons[0].click()
    assert (settings.get("tile_palette"), settings.get("animation_ms")) == ("heather", 0)
    page.reset_action.trigger()


@pytest.mark.thorough
def test_another_folder_is_looked_at_until_it_is_removed(program, tmp_path):
    running = program()
    page = running.pages["Settings"].part("table_folders")
    page.add_folder(str(tmp_path / "more"))
    assert tmp_path / "more" in running.services.tables.folders()
    page.remove_folder(str(tmp_path / "more"))
    assert running.services.tables.folders() == [running.services.tables.home]


def test_damaged_settings_are_told_on_home(program, data_dir):
    (data_dir / "settings.json").write_text("{")
    running = program()
    texts = banner_texts(running.home)
    assert any("damaged" in text for text in texts)


def test_own_colors_are_used_or_refused_with_the_line(program, data_dir):
    (data_dir / "color_schemes.txt").write_text("[tiles mine]\n2 = red\n")
    running = program()
    texts = banner_texts(running.home)
    assert any("line 2" in text for text in texts)
    assert running.services.themes.theme.tiles


def test_deleting_a_table_closes_it_in_practice(program, monkeypatch):
    running = program()
    closed = []
    monkeypatch.setattr(running.pages["Practice"], "close_table", closed.append)
    running.services.library.removed.connect(closed.append)
    path = running.services.tables.home / "442_128"
    path.mkdir()
    running.services.library.delete(path)
    assert path in closed


def test_the_form_of_a_table_that_the_ai_lacks_is_filled_in(program, monkeypatch):
    running, sent = program(), []
    monkeypatch.setattr(running.pages["Tables"], "offer_builds", sent.append)
    running.pages["Game"].builds_requested.emit([("4421", 1024), ("L3", 1024)])
    assert running.window.page is running.pages["Tables"]
    assert sent == [[("4421", 1024), ("L3", 1024)]]


@pytest.mark.thorough
def test_games_go_to_review_and_positions_to_practice_with_a_way_back(program, monkeypatch):
    running, sent = program(), []
    monkeypatch.setattr(running.pages["Practice"], "show_position", lambda *what: sent.append(what))
    monkeypatch.setattr(running.pages["Review"], "review", lambda *what: sent.append(what))
    running.pages["Test"].review_requested.emit(Path("a.json"), 63)
    assert running.window.page is running.pages["Review"]
    running.pages["Mistakes"].review_requested.emit(Path("b.json"), 4)
    running.pages["Game"].review_requested.emit(Path("c.json"))
    running.pages["Review"].practice_requested.emit(Path("L3_512"), "1" * 16)
    assert running.window.page is running.pages["Practice"]
    assert sent == [
        (Path("a.json"), 63),
        (Path("b.json"), 4),
        (Path("c.json"),),
        (Path("L3_512"), "1" * 16, "Review"),
    ]
    running.pages["Practice"].back_requested.emit("Review")
    assert running.window.page is running.pages["Review"]


@pytest.mark.thorough
def test_nothing_heavy_is_loaded_to_draw_the_first_page(tmp_path, monkeypatch):
    """By the thread that draws it: others may have begun to work on a slow machine."""
    for name in set(os.environ) - {"PATH", "HOME", "QT_QPA_PLATFORM", "SYSTEMROOT", "TEMP", "TMP"}:
        monkeypatch.delenv(name)  # of tests before this one
    code = f"""
import sys, threading, traceback
from pathlib import Path
heavy = {{"msgspec", "numba", "tablebase.probe.reader", "tablebase.build.builder"}}
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name in heavy and threading.current_thread() is threading.main_thread():
            print(name, *traceback.format_stack(), sep="\\n")
sys.meta_path.insert(0, Watch())
from PySide6.QtWidgets import QApplication
from gui.shell.app import Program
app = QApplication([])
program = Program(app, Path({str(tmp_path)!r}))
program.window.show()
app.processEvents()
sys.meta_path.pop(0)
program.close()
"""
    assert python(code) == ""


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["theme", "tile_palette", "animation_ms", "build.rate", "shortcuts", "table_folders"]
)
def test_the_palette_finds_every_setting_and_goes_there(program, qtbot, name):
    running = program()
    running.window.resize(900, 600)
    page = running.pages["Settings"]
    command = next(c for c in running.window.commands() if c.action.objectName() == f"to_{name}")
    command.prepare()
    command.action.trigger()
    assert running.window.page is page
    qtbot.waitUntil(lambda: page.scroller.isAncestorOf(QApplication.focusWidget()))
    focused = QApplication.focusWidget()

    def is_in_sight() -> bool:
        return focused.visibleRegion().boundingRect().height() > focused.height() / 2

    qtbot.waitUntil(is_in_sight)


def test_what_lies_over_the_window_takes_its_colors_when_it_is_opened(window):
    window.set_sheet("QLabel { color: red }")
    assert window.key_list.styleSheet() == ""
    window.key_list.open()
    assert window.key_list.styleSheet() == "QLabel { color: red }"
    window.set_sheet("QLabel { color: blue }")
    assert window.key_list.styleSheet() == "QLabel { color: blue }", "in sight it is at once"
