"""The start: what is not needed for the first picture comes later."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from gui.shell.app import Program
from gui.shell.page_list import PAGES
from tests.child import python

WAIT = ("numba", "llvmlite", "psutil", "zstandard", "gui.practice.page", "gui.settings.page")


@pytest.fixture
def hasty(qapp, qtbot, data_dir):
    program = Program(qapp, data_dir, is_hasty=True)
    qtbot.addWidget(program.window)  # which deletes it: each that lives makes colors cost more
    program.window.show()
    yield program
    program.close()


@pytest.mark.thorough
def test_the_window_begins_without_what_takes_long():
    code = f"import sys, gui.shell.app; print([n for n in {WAIT!r} if n in sys.modules])"
    assert python(code) == "[]"


@pytest.mark.thorough
def test_pages_are_announced_by_the_titles_and_icons_that_they_have(hasty):
    n_doors, before = len(hasty.window.rail.buttons), hasty.window.doors.entries
    assert len(before) > 10
    assert hasty.window.stack.count() == 1
    hasty.finish_pages()
    assert len(hasty.window.rail.buttons) == n_doors, "all were announced"
    stack = hasty.window.stack
    titles = [stack.widget(i).title for i in range(stack.count())]
    assert titles == [entry.spec.title for entry in before]
    assert hasty.window.doors.entries == before
    assert [(page.title, page.icon) for page in hasty.pages] == [(s.title, s.icon) for s in PAGES]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("index", "title"), [(2, "Practice"), (5, "Games"), (9, "Help")])
@pytest.mark.thorough
def test_a_page_that_is_asked_for_early_is_there(hasty, index, title):
    hasty.window.rail.buttons[index].click()
    assert hasty.window.page.title == title


@pytest.mark.thorough
def test_the_command_palette_knows_the_commands_of_all_pages(hasty):
    places = {command.place for command in hasty.window.commands()}
    assert {"Practice", "Tables", "Settings"} <= places


@pytest.mark.thorough
def test_between_the_making_of_two_pages_others_have_their_turn(hasty, qtbot):
    turns: list[int] = []
    timer = QTimer()
    timer.timeout.connect(lambda: turns.append(hasty.window.stack.count()))
    timer.start(0)
    hasty.make_pages()
    assert hasty.window.stack.count() == 1, "nothing is made at once"
    n_pages = len(hasty.window.doors.entries)
    qtbot.waitUntil(lambda: hasty.window.stack.count() == n_pages)
    assert turns.count(1) >= n_pages


def test_a_page_that_is_asked_for_while_they_are_made_is_there(hasty, qtbot):
    QTimer.singleShot(0, lambda: hasty.window.show_page_named("Tables"))
    hasty.make_pages()
    qtbot.waitUntil(lambda: hasty.window.page.title == "Tables")
    for _ in range(50):
        QApplication.processEvents()  # what is left to do finds nothing to do
    titles = [hasty.window.stack.widget(i).title for i in range(hasty.window.stack.count())]
    assert len(titles) == len(set(titles)) == len(hasty.window.doors.entries)


@pytest.mark.thorough
def test_a_window_that_is_closed_while_pages_are_made_makes_no_more(hasty):
    hasty.make_pages()
    QApplication.processEvents()
    hasty.close()
    for _ in range(50):
        QApplication.processEvents()
    assert hasty.window.stack.count() == 1


@pytest.mark.thorough
def test_a_window_that_is_closed_at_once_makes_no_pages(hasty):
    hasty.save()
    hasty.close()
    hasty.finish_pages()
    assert hasty.window.stack.count() == 1


@pytest.mark.thorough
@pytest.mark.parametrize(("last", "first"), [("Tables", "Tables"), ("Settings", "Home")])
def test_it_starts_where_one_was_but_not_on_settings(qapp, qtbot, hasty, data_dir, last, first):
    hasty.window.show_page_named(last)
    hasty.close()
    again = Program(qapp, data_dir, is_hasty=True)
    qtbot.addWidget(again.window)
    assert again.window.page.title == first
    again.close()
