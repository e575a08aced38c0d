"""The mark of a session: how the window ended last time, and what is offered then."""

import faulthandler
from datetime import datetime, timezone
from pathlib import Path

import pytest

from gui.faults.last_session import MARK_NAME, CrashFile, LastSession, SessionMark

NOON = datetime(2030, 1, 2, 12, tzinfo=timezone.utc)


@pytest.fixture
def mark(tmp_path):
    return lambda: SessionMark(tmp_path, lambda: NOON)


def test_a_clean_end_leaves_nothing(mark, tmp_path):
    first = mark()
    assert first.begin() is None
    first.note("Practice", Path("/t/442_128"))
    first.end()
    first.note("Home", None)
    assert list(tmp_path.iterdir()) == []
    assert mark().begin() is None


def test_an_end_from_outside_is_known_with_where_one_was(mark):
    killed = mark()
    killed.begin()
    killed.note("Practice", Path("/t/442_128"))
    after = mark()
    assert after.begin() == LastSession("Practice", Path("/t/442_128"), NOON)
    after.end()
    assert mark().begin() is None, "it is told once"


def test_the_end_of_a_desktop_session_is_no_crash(mark):
    ended = mark()
    ended.begin()
    ended.note("Game", None)
    ended.lift()
    assert mark().begin() is None


def test_a_session_that_goes_on_after_all_has_its_mark_again(mark):
    going_on = mark()
    going_on.begin()
    going_on.lift()
    going_on.note("Game", None)
    found = mark().begin()
    assert found
    assert found.page == "Game"


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff", b'{"page": 1}', b"[" * 9999])
def test_a_mark_that_is_torn_still_says_that_it_was_no_clean_end(mark, tmp_path, content):
    (tmp_path / MARK_NAME).write_bytes(content)
    assert mark().begin() == LastSession()


def test_what_machine_code_left_is_told_once_and_kept(tmp_path):
    path = tmp_path / "logs" / "window-crash.txt"
    first = CrashFile(path)
    was_on = faulthandler.is_enabled()
    try:
        assert first.begin() == ""
        assert faulthandler.is_enabled()
        first.end()
        assert not path.exists(), "no crash, no file"
        path.write_text("Fatal Python error: Segmentation fault\n" + "line\n" * 1000)
        second = CrashFile(path)
        text = second.begin()
        second.end()
    finally:
        if was_on:
            faulthandler.enable()
    assert text.startswith("Fatal Python error")
    assert text.count("\n") < 50
    assert "Segmentation" in path.with_stem("window-crash-last").read_text()
    assert not path.exists()


@pytest.mark.thorough
def test_home_offers_to_go_back(program, data_dir):
    mark = SessionMark(data_dir, lambda: NOON)
    mark.begin()
    mark.note("Review", None)
    running = program()
    running.begin_session("Fatal Python error: Segmentation fault\n  File x")
    assert running.window.page is running.home
    (banner,) = running.home.banners.banners
    restore, details, log = banner.buttons
    details.click()
    assert "Segmentation" in running.crash_reports.panel.text_label.text()
    restore.click()
    assert running.window.page is running.pages["Review"]
    assert running.home.banners.banners == []
    assert log.text()
    running.close()
    assert not (data_dir / MARK_NAME).exists()


def test_a_clean_start_offers_nothing(program):
    running = program()
    running.begin_session()
    assert running.home.banners.banners == []
