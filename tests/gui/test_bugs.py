"""Bugs and crashes: noted in one place, shown once, without anybody's name; how a session ended."""

import faulthandler
import logging
import sys
import threading
from datetime import datetime, timezone
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer, qCritical
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from engine.platform.errors import AppError
from gui.faults.bug_report import report, without_names
from gui.faults.bugs import IN_THE_BACKGROUND, Bug, Bugs
from gui.faults.last_session import MARK_NAME, CrashFile, LastSession, SessionMark

NOON = datetime(2030, 1, 2, 12, tzinfo=timezone.utc)


def failure(text: str = "no such thing") -> Exception:
    try:
        raise ValueError(text)
    except ValueError as error:
        return error


@pytest.fixture
def bugs(qapp):
    bugs = Bugs(qapp)
    yield bugs
    bugs.unwatch()
    bugs.deleteLater()


@pytest.fixture
def watched(bugs):
    """Bugs that hears what pytest would."""
    before = sys.excepthook, threading.excepthook
    bugs.watch()
    yield bugs
    bugs.unwatch()
    assert (sys.excepthook, threading.excepthook) == before


def test_the_same_bug_again_only_counts(qtbot, bugs, caplog):
    told = []
    bugs.found.connect(lambda bug: told.append((bug, bug.count)))
    for _ in range(1000):
        bugs.note(failure())
    bugs.note(KeyError("another"))
    qtbot.waitUntil(lambda: len(told) > 1)
    assert [bug.summary for bug, _ in told] == ["ValueError: no such thing", "KeyError: 'another'"]
    assert told[0][1] == 1000
    assert caplog.text.count("Traceback") == 3
    assert len(caplog.records) < 20


def test_a_mistake_of_the_user_is_no_bug(qtbot, bugs, caplog):
    found = []
    bugs.found.connect(found.append)
    with caplog.at_level(logging.INFO), qtbot.waitSignal(bugs.mistaken) as signal:
        bugs.note(AppError("no room: free some"))
    assert signal.args == ["no room: free some"]
    assert found == []
    assert "Traceback" not in caplog.text


@pytest.mark.no_qt_log
def test_slots_threads_and_qt_itself_are_heard(qtbot, watched, capsys):
    found: list[Bug] = []
    watched.found.connect(found.append)

    def slot() -> None:
        raise ValueError("in a slot")

    def work() -> None:
        raise ValueError("in a thread")

    QTimer.singleShot(0, slot)
    threading.Thread(target=work).start()
    qCritical("in Qt")
    qtbot.waitUntil(lambda: len(found) == 3)
    assert {bug.summary for bug in found} == {
        "ValueError: in a slot",
        "ValueError: in a thread",
        "in Qt",
    }
    assert len({bug.during for bug in found}) == 3
    assert any("in a slot" in line for line in watched.last_lines)
    assert "in Qt" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/home/eve/tables/442", "~/tables/442"),
        ("/home/evelyn/tables", "/home/evelyn/tables"),
        ("/media/eve/disk", "/media/<user>/disk"),
        ("eve.py: even", "eve.py: even"),
        ("owned by eve@host", "owned by eve@host"),
        ("'/home/eve'", "'~'"),
    ],
)
def test_a_report_names_nobody(text, expected):
    assert without_names(text, Path("/home/eve"), "eve") == expected


def test_a_report_has_all_that_helps():
    bug = Bug(IN_THE_BACKGROUND, "ValueError: x", "Traceback of x", 2)
    text = report([bug], "Practice", ["one line", "another"], NOON)
    for part in ("2030-01-02", "Practice", "numba", "numpy", "PySide6", "Python", "Traceback of x"):
        assert part in text
    assert "2 times" in text
    assert text.index("one line") < text.index("another")


@pytest.fixture
def panel_of(program, qtbot):
    running = program()

    def show(error: BaseException):
        running.services.bugs.note(error)
        qtbot.waitUntil(lambda: running.crash_reports.panel is not None)
        return running, running.crash_reports.panel

    return show


@pytest.mark.thorough
def test_one_panel_for_all_bugs_and_none_for_one_put_away(qtbot, panel_of):
    running, panel = panel_of(failure("first"))
    assert "first" in panel.text_label.text()
    assert not panel.isModal()
    running.services.bugs.note(KeyError("second"))
    qtbot.waitUntil(lambda: len(panel.bugs) == 2)
    assert running.crash_reports.panel is panel
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: running.crash_reports.panel is None)
    told = []
    running.services.bugs.found.connect(told.append)
    running.services.bugs.note(failure("first"))
    qtbot.waitUntil(lambda: bool(told))
    assert running.crash_reports.panel is None, "told once is enough"


def test_the_panel_is_worked_by_keys_alone(panel_of):
    _, panel = panel_of(failure())
    QTest.keyClick(panel.details_button, Qt.Key.Key_Space)
    assert "Traceback" in panel.details.toPlainText()
    seen, at = set(), panel.details_button
    for _ in range(10):
        seen.add(at)
        at = at.nextInFocusChain()
        while not at.focusPolicy() & Qt.FocusPolicy.TabFocus or not at.isVisible():
            at = at.nextInFocusChain()
    buttons = set(panel.findChildren(QPushButton))
    assert buttons < seen
    assert all(button.text() for button in buttons)
    places = [button.geometry() for button in buttons]
    QTest.keyClick(panel.copy_button, Qt.Key.Key_Space)
    assert "no such thing" in QGuiApplication.clipboard().text()
    panel.layout().activate()
    assert [button.geometry() for button in buttons] == places, "no button runs away"


@pytest.mark.thorough
def test_a_panel_that_fails_is_not_shown_again_and_again(qtbot, program, monkeypatch, caplog):
    running, calls = program(), []

    def fail(*_args: object) -> None:
        calls.append(1)
        raise RuntimeError("no panel")

    monkeypatch.setattr("gui.shell.bug_panel.BugPanel", fail)
    running.services.bugs.note(failure())
    qtbot.waitUntil(lambda: bool(calls))
    qtbot.waitUntil(lambda: "cannot be shown" in caplog.text)
    assert len(calls) == 1


@pytest.mark.thorough
def test_a_mistake_is_told_on_the_page_in_front(qtbot, program):
    running = program("Tables")
    running.services.bugs.note(AppError("the drive is full: free some space"))
    qtbot.waitUntil(lambda: bool(running.pages["Tables"].banners.banners))
    (banner,) = running.pages["Tables"].banners.banners
    assert banner.text_label.text() == "The drive is full: free some space."


@pytest.mark.thorough
def test_work_in_the_background_that_fails_is_a_bug(qtbot, program):
    running, answers = program(), []
    running.services.tasks.run(lambda: 1 // 0, lambda _: None, answers.append)
    qtbot.waitUntil(lambda: running.crash_reports.panel is not None)
    assert isinstance(answers[0], ZeroDivisionError), "who asked is told as well"
    assert "division" in running.crash_reports.panel.text_label.text()


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
