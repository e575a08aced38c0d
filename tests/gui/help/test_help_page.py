"""The Help page in the real window: F1, reading, searching, going back, another language."""

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.help.contents import PAGES
from gui.help.help_pages import HelpPlace
from gui.help.page import HelpPage
from gui.keys.key_bindings import KeyBindings
from gui.shell.app import Program


@pytest.fixture(scope="module")
def shared(qapp, tmp_path_factory):
    """One program for all tests that leave it as it was: making one takes long."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "tables").mkdir()
    program = Program(qapp, folder)
    program.window.show()
    yield program
    program.close()
    program.window.deleteLater()


@pytest.fixture
def running(shared, qtbot):
    """The program with the help in front, all of it read."""
    shared.window.resize(1280, 800)
    shared.services.settings.reset("theme", "shortcuts")
    shared.window.show_page(shared.pages["Help"])
    shared.pages["Help"].search_edit.clear()
    shared.pages["Help"].go_to(HelpPlace())
    wait_for_pages(shared, qtbot)
    shared.window.activateWindow()
    qtbot.waitUntil(shared.window.isActiveWindow)
    return shared


def wait_for_pages(running, qtbot) -> None:
    qtbot.waitUntil(lambda: running.pages["Help"].tree.topLevelItemCount() > 0)
    qtbot.waitUntil(lambda: running.pages["Help"].browser.is_written)


def press(widget, key: Qt.Key, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(widget, key, modifiers)


def type_into(edit, text: str) -> None:
    edit.setFocus()
    for letter in text:
        if letter.isascii():
            QTest.keyClicks(edit, letter)
        else:
            edit.insert(letter)


@pytest.mark.thorough
def test_f1_opens_the_section_of_each_page_and_escape_goes_back(running):
    window, help_page = running.window, running.pages["Help"]
    pages = [window.stack.widget(i) for i in range(window.stack.count())]
    assert pages[-1] is help_page
    for page in pages[:-1]:
        window.show_page(page)
        press(window, Qt.Key.Key_F1)
        assert window.page is help_page
        assert help_page.place == HelpPlace(page.title.lower())
        assert page.title.lower() in PAGES
        press(help_page.browser, Qt.Key.Key_Escape)
        assert window.page is page
    window.show_page(help_page)
    press(window, Qt.Key.Key_F1)
    assert window.page is help_page, "on the help itself it changes nothing"
    press(help_page.browser, Qt.Key.Key_Escape)
    assert window.page is help_page


@pytest.mark.thorough
def test_a_search_is_typed_walked_through_and_opened_by_keys(running, qtbot):
    help_page = running.pages["Help"]
    before = help_page.place
    press(help_page.browser, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert help_page.search_edit.hasFocus()
    type_into(help_page.search_edit, "prActice")
    hits = help_page.results.hits
    assert hits[0].place == HelpPlace("practice"), "its title is the best place for a word"
    assert len(hits) > 1
    first, browser = hits[0].place, help_page.browser
    assert help_page.place == first, "the first is shown at once"
    qtbot.waitUntil(lambda: browser.current_hit >= 0)
    press(help_page.search_edit, Qt.Key.Key_Down)
    assert help_page.place == hits[1].place
    press(help_page.search_edit, Qt.Key.Key_Up)
    press(help_page.search_edit, Qt.Key.Key_Return)
    assert help_page.place == HelpPlace("practice")
    assert help_page.browser.hasFocus()
    qtbot.waitUntil(lambda: bool(help_page.browser.hits))
    found = help_page.browser.hits
    assert {text.lower() for text in found} == {"practice"}
    assert help_page.browser.current_hit == 0
    press(help_page.browser, Qt.Key.Key_F3)
    assert help_page.browser.current_hit == 1 % len(found)
    press(help_page.browser, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert help_page.browser.current_hit == 0
    press(help_page.browser, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    type_into(help_page.search_edit, "qqq")
    assert help_page.results.hits == []
    press(help_page.search_edit, Qt.Key.Key_Escape)
    assert help_page.search_edit.text() == ""
    assert help_page.browser.hits == []
    press(help_page.search_edit, Qt.Key.Key_Escape)
    assert help_page.browser.hasFocus()
    for place in (first, before):  # all results of a search are one visit
        press(browser, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert help_page.place == place


def test_ending_a_search_leaves_its_result_on_show(running):
    help_page = running.pages["Help"]
    help_page.search_edit.setText("undo")
    shown = help_page.place
    assert len(help_page.results.hits) > 2
    help_page.search_edit.clear()
    assert help_page.place == shown


def test_the_contents_are_the_doors_and_below_them_their_tabs(running):
    tree = running.pages["Help"].tree
    pages = tree.findItems("Pages", Qt.MatchFlag.MatchExactly)[0]
    doors = [pages.child(i) for i in range(pages.childCount())]
    rail = [entry.spec.title for entry in running.window.doors.all]
    assert [door.text(0) for door in doors] == rail[:-1], "all but Help"
    below = [[d.child(i).text(0) for i in range(d.childCount())] for d in doors if d.childCount()]
    assert below == [["Situations", "Routes"], ["Mistakes", "Puzzles", "Progress"], ["Games"]]


def test_links_and_contents_are_visits_that_keys_go_back_to(running):
    help_page, alt = running.pages["Help"], Qt.KeyboardModifier.AltModifier
    first = help_page.place
    help_page.browser.anchorClicked.emit(QUrl("practice.md"))
    assert help_page.place == HelpPlace("practice")
    help_page.tree.show_place(HelpPlace("test"))
    press(help_page.tree, Qt.Key.Key_Return)
    assert help_page.place == HelpPlace("test")
    press(help_page.browser, Qt.Key.Key_Left, alt)
    assert help_page.place == HelpPlace("practice")
    press(help_page.browser, Qt.Key.Key_Left, alt)
    assert help_page.place == first
    press(help_page.browser, Qt.Key.Key_Right, alt)
    assert help_page.place == HelpPlace("practice")
    help_page.browser.anchorClicked.emit(QUrl("nowhere.md"))
    assert help_page.place == HelpPlace("practice")


def test_only_addresses_of_the_web_leave_the_program(running, monkeypatch):
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    for address in ("https://example.org/a", "file:///etc/passwd", "javascript:1", "ftp://a.b"):
        running.pages["Help"].browser.anchorClicked.emit(QUrl(address))
    assert opened == ["https://example.org/a"]


@pytest.mark.thorough
def test_the_place_is_kept_in_another_language_and_over_a_restart(program, qtbot):
    running = program("Help")
    wait_for_pages(running, qtbot)
    running.pages["Help"].go_to(HelpPlace("practice", 1))
    english = running.pages["Help"].browser.accessibleName()
    before = running.home
    running.services.settings.set("language", "zh_CN")
    qtbot.waitUntil(lambda: running.home is not before)
    wait_for_pages(running, qtbot)
    assert running.window.page is running.pages["Help"]
    assert running.pages["Help"].place == HelpPlace("practice", 1)
    chinese = running.pages["Help"].browser.accessibleName()
    assert chinese != english
    type_into(running.pages["Help"].search_edit, chinese)
    assert running.pages["Help"].results.hits[0].place == HelpPlace("practice")
    again = HelpPage(
        running.services.settings, running.services.tasks, KeyBindings(running.services.settings)
    )
    qtbot.addWidget(again)
    again.page_shown()
    assert again.place == HelpPlace("practice"), "the result on show"


@pytest.mark.thorough
def test_the_keys_are_those_that_the_person_has(running, qtbot):
    def shown() -> str:
        return running.pages["Help"].browser.toPlainText()

    running.pages["Help"].go_to(HelpPlace("keys"))
    qtbot.waitUntil(lambda: running.pages["Help"].browser.is_written)
    assert "Ctrl+K" in shown()
    assert "Ctrl+Alt+F9" not in shown()
    with qtbot.waitSignal(running.pages["Help"].read):
        running.services.settings.set("shortcuts", {"window.find": ["Ctrl+Alt+F9"]})
    qtbot.waitUntil(lambda: running.pages["Help"].browser.is_written)
    assert "Ctrl+Alt+F9" in shown()


def test_scrolling_marks_the_section_that_is_read(running, qtbot):
    help_page = running.pages["Help"]
    help_page.go_to(HelpPlace("keys"))
    qtbot.waitUntil(lambda: help_page.browser.is_written)
    bar = help_page.browser.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert help_page.place.section > 0
    assert help_page.tree.place.page == "keys"
    y = help_page.browser.scrolled
    assert y > 0
    running.services.settings.set("theme", "dark")
    # Other colors do not lose the place: the text is written anew, and then scrolled to it.
    browser = help_page.browser
    qtbot.waitUntil(lambda: browser.is_written and abs(browser.scrolled - y) < 20)


def test_where_room_is_scarce_contents_and_text_take_turns(running):
    window, help_page = running.window, running.pages["Help"]
    window.resize(800, 600)
    QApplication.processEvents()
    assert help_page.text_card.isVisible()
    assert not help_page.side.isVisible()
    help_page.contents_button.click()
    assert help_page.side.isVisible()
    assert not help_page.text_card.isVisible()
    help_page.tree.show_place(HelpPlace("practice"))
    press(help_page.tree, Qt.Key.Key_Return)
    assert help_page.text_card.isVisible()
    type_into(help_page.search_edit, "practice")
    assert help_page.results.isVisible()
    press(help_page.search_edit, Qt.Key.Key_Return)
    assert not help_page.side.isVisible()
    window.resize(1280, 800)
    QApplication.processEvents()
    assert help_page.side.isVisible()
    assert help_page.text_card.isVisible()


def test_pictures_have_the_pixels_of_the_screen_and_never_more_than_the_room(running, monkeypatch):
    browser = running.pages["Help"].browser
    monkeypatch.setattr(browser, "devicePixelRatioF", lambda: 1.5)
    kind = QTextDocument.ResourceType.ImageResource.value
    image = browser.loadResource(kind, QUrl("pictures/home.png"))
    assert image.devicePixelRatio() == 1.5
    assert image.deviceIndependentSize().width() <= browser.viewport().width()
    assert image.width() == round(image.deviceIndependentSize().width() * 1.5)
    assert browser.loadResource(kind, QUrl("https://example.org/a.png")).width() <= 2
