"""What holds for every page: the window goes through all of them and knows none by name."""

import re
from pathlib import Path
from unittest.mock import Mock

import pytest

import gui
from gui.shell.page_list import PAGES

GUI = Path(gui.__file__).parent
TITLES = [spec.title for spec in PAGES]
ROOM_OF = {"Test": "exam", "Progress": "profile", "Games": "analysis"}
MAX_NAMED = 3
"""In how many lines outside its own folder the program may name a page."""


@pytest.fixture
def running(program):
    return program()


@pytest.mark.parametrize("title", TITLES)
def test_a_page_is_named_in_few_lines_outside_its_folder(title):
    room = ROOM_OF.get(title, title.lower())
    class_ = f"{room.title()}Page"
    name = re.compile(rf"\bgui\.{room}\.page\b|\b{class_}\b")
    lines = [
        f"{path.relative_to(GUI)}: {line.strip()}"
        for path in GUI.rglob("*.py")
        if path.relative_to(GUI).parts[0] != room
        for line in path.read_text(encoding="utf-8").split("\n")
        if name.search(line)
    ]
    assert len(lines) <= MAX_NAMED, lines


@pytest.mark.thorough
def test_every_page_is_saved_when_the_desktop_session_ends(running, monkeypatch):
    saved: list[str] = []
    for page in running.pages:
        monkeypatch.setattr(page, "save", lambda title=page.title: saved.append(title))
    running.save()
    assert saved == TITLES


@pytest.mark.thorough
def test_every_page_is_closed_in_the_end_though_one_fails(running, monkeypatch):
    closed: list[str] = []
    for page in running.pages:
        close = page.close_page

        def note(title=page.title, close=close) -> None:
            closed.append(title)
            close()

        monkeypatch.setattr(page, "close_page", note)
    monkeypatch.setattr(running.pages[TITLES[0]], "close_page", Mock(side_effect=OSError))
    running.close()
    assert closed == TITLES[1:]


@pytest.mark.thorough
def test_every_request_is_answered(running):
    asked = {
        name
        for source in (running.window, running.home, *running.pages)
        for name in dir(type(source))
        if name.endswith("_requested")
    }
    answered = {name for page in (running.home, *running.pages) for name in page.answers()}
    assert asked - answered == {
        "back_requested",
        "compare_requested",
        "page_requested",
        "pages_requested",
        "restart_requested",
        "screensaver_requested",
        "tour_requested",
    }, "the program answers these itself"


@pytest.mark.parametrize(
    ("request_", "title"),
    [
        ("game_requested", "Game"),
        ("first_test_requested", "Test"),
        ("profile_requested", "Progress"),
        ("tables_requested", "Tables"),
        ("daily_requested", "Minigames"),
        ("puzzle_requested", "Puzzles"),
        ("route_requested", "Routes"),
        ("history_requested", "Test"),
    ],
)
@pytest.mark.thorough
def test_the_page_that_answers_comes_to_the_front(running, request_, title):
    running.request(request_)
    assert running.window.page is running.pages[title]
