"""Folders are looked at off the GUI thread: one on a drive that is away answers late or never."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gui.table_work.folder_checks import FolderChecks
from tests.gui.window_fakes import table_info

HERE, AWAY = Path("/here"), Path("/away")


class Drives:
    """What `check_folder` is replaced by: it answers when it may, and knows who asked."""

    def __init__(self) -> None:
        self.problems: dict[Path, str] = {}
        self.threads: set[threading.Thread] = set()
        self.asked: list[Path] = []
        self.may_answer = threading.Event()
        self.may_answer.set()

    def check(self, folder: Path) -> str:
        self.asked.append(folder)
        self.threads.add(threading.current_thread())
        self.may_answer.wait()
        return self.problems.get(folder, "")


@pytest.fixture
def drives(monkeypatch: pytest.MonkeyPatch) -> Iterator[Drives]:
    drives = Drives()
    monkeypatch.setattr("gui.table_work.folder_checks.check_folder", drives.check)
    yield drives
    drives.may_answer.set()  # a test that failed would wait for its tasks for ever


def test_nothing_is_said_against_a_folder_until_it_was_looked_at(qtbot, tasks, drives):
    drives.problems = {AWAY: "it is away"}
    drives.may_answer.clear()
    checks = FolderChecks(tasks, "test")
    checks.ask(AWAY, HERE)
    assert checks.problem(AWAY) == ""
    with qtbot.waitSignal(checks.changed):
        drives.may_answer.set()
    assert (checks.problem(AWAY), checks.problem(HERE)) == ("it is away", "")


def test_a_folder_is_looked_at_again_and_what_was_known_counts_meanwhile(qtbot, tasks, drives):
    drives.problems = {AWAY: "it is away"}
    checks = FolderChecks(tasks, "test")
    with qtbot.waitSignal(checks.changed):
        checks.ask(AWAY)
    drives.problems = {}
    checks.ask(AWAY)
    assert checks.problem(AWAY) == "it is away"
    qtbot.waitUntil(lambda: checks.problem(AWAY) == "")


def test_the_same_answer_is_not_told_twice(qtbot, tasks, drives):
    checks, told, answered = FolderChecks(tasks, "test"), list[str](), list[None]()
    checks.changed.connect(lambda: told.append(checks.problem(AWAY)))
    drives.problems = {AWAY: "it is away"}
    for n in (1, 2):
        checks.ask(AWAY)
        tasks.run(lambda: None, answered.append)  # behind it
        qtbot.waitUntil(lambda n=n: len(answered) == n)
    assert told == ["it is away"]


@pytest.mark.thorough
def test_forms_never_wait_for_a_drive(stage, drives, qtbot, tmp_path):
    path = tmp_path / "442_128"
    stage.put(table_info(path))  # behind the first look at the usual folder
    drives.may_answer.clear()
    stage.panel.folder_field.edit.setText("~nosuchuser")  # who has no home folder
    stage.panel.folder_field.edit.setText(str(AWAY))
    stage.panel.options.fields["scratch"].editor.edit.setText(str(HERE))
    stage.page.cards[path].requested.emit("convert")
    panel = stage.page.changes.panel
    panel.place_chips.buttons["copy"].click()
    panel.folder_field.edit.setText("~nosuchuser")
    panel.folder_field.edit.setText(str(AWAY / "copy"))
    drives.may_answer.set()
    qtbot.waitUntil(lambda: {AWAY, HERE, AWAY / "copy"} <= set(drives.asked))
    assert threading.main_thread() not in drives.threads


@pytest.mark.thorough
def test_settings_never_wait_for_a_drive(program, drives, qtbot):
    drives.problems = {AWAY: "it is away"}
    running = program()
    running.window.show_page(running.pages["Settings"])
    row = running.pages["Settings"].row("build.folder")
    running.services.settings.set("build.folder", str(AWAY))
    qtbot.waitUntil(lambda: row.note == "It is away.")
    assert threading.main_thread() not in drives.threads
    running.services.settings.set("build.folder", str(HERE))
    qtbot.waitUntil(lambda: row.note == "")
    assert row.note_label
    assert row.note_label.isHidden()
