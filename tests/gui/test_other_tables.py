"""Cards of tables that are elsewhere or another program's; folders are looked at off the thread."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gui.shell.single_window import OpenRequest
from gui.table_work.folder_checks import FolderChecks
from gui.table_work.requests import ImportRequest
from gui.table_work.table_service import TablesService
from gui.table_work.trash import Moved, Trashed
from tests.gui.window_fakes import table_info

ORIGIN = "2048EndgameTablebase"


@pytest.mark.thorough
def test_a_table_of_another_program_is_practiced_imported_but_not_deleted(stage, qtbot):
    path = stage.home.parent / "theirs" / "442_128"
    stage.put(table_info(path, origin=ORIGIN, message=f"a table of {ORIGIN}, read as it is"))
    card = stage.page.cards[path]
    assert card.message_label.text() == f"A table of {ORIGIN}, read as it is"
    assert not card.menu_actions["delete"].isVisible()
    with qtbot.waitSignal(stage.page.practice_requested) as signal:
        stage.click(card.main_button)
    assert signal.args == [path]
    stage.behave = "hang"
    stage.click(card.import_button)
    assert stage.requests == [ImportRequest("442", 128, stage.home, path)]
    assert stage.page.build_card.title_label.text() == "Importing 442 \u2192 128"
    assert (card.import_button.text(), card.import_button.isEnabled()) == ("Importing", False)
    assert card.main_button.isEnabled(), "it can be practiced all the while"
    with qtbot.waitSignal(stage.builds.progressed):
        pass
    stage.click(stage.page.build_card.cancel_button)
    stage.wait_for_banner("Importing 442 \u2192 128 was canceled")
    assert (card.import_button.text(), card.import_button.isEnabled()) == ("Import", True)


def test_an_import_says_when_it_is_done(stage):
    path = stage.home.parent / "theirs" / "442_128"
    stage.put(table_info(path, origin=ORIGIN))
    stage.click(stage.page.cards[path].import_button)
    stage.wait_for_banner("is imported")


def test_the_import_command_is_understood(stage):
    import main

    request = ImportRequest("442", 128, stage.home, Path("/x/442_128"))
    args = main.build_parser().parse_args(request.command()[2:])
    assert (args.source, args.out) == (request.source, stage.home)


def test_a_table_is_not_imported_into_itself(stage, qtbot, monkeypatch):
    path, looked, is_dir = stage.home / "442_128", set(), Path.is_dir
    path.mkdir()

    def look(folder):
        if folder == path:
            looked.add(threading.current_thread())
        return is_dir(folder)

    monkeypatch.setattr(Path, "is_dir", look)
    stage.put(table_info(path, origin=ORIGIN))
    button = stage.page.cards[path].import_button
    qtbot.waitUntil(lambda: not button.isEnabled())
    assert "Move this folder first" in button.toolTip()
    assert looked, "a drive that is away keeps nobody waiting"
    assert threading.main_thread() not in looked


def test_our_own_tables_are_not_imported(stage):
    path = stage.table()
    assert not stage.page.cards[path].import_button.isVisible()


def test_an_unfinished_table_of_another_program_is_not_resumed(stage):
    path = stage.table(state="partial", origin=ORIGIN)
    card = stage.page.cards[path]
    assert not card.main_button.isVisible()
    assert "another program" in stage.panel.note_label.text()
    assert not stage.panel.build_button.isEnabled()


def test_a_table_with_a_missing_drive_can_still_be_practiced(stage, qtbot):
    path, part = stage.home / "442_128", Path("/drive/442_128")
    stage.put(table_info(path, "away", message="layers 3 to 9 are away", folders=(part,)))
    card = stage.page.cards[path]
    assert (card.state_label.text(), card.mark.state) == ("Drive missing", "away")
    assert card.message_label.text() == "Layers 3 to 9 are away"
    assert str(part) in card.place_label.text()
    with qtbot.waitSignal(stage.page.practice_requested):
        stage.click(card.main_button)


def test_a_part_says_where_it_belongs(stage):
    path = stage.home.parent / "drive" / "442_128"
    stage.put(table_info(path, "part", message="9 layers of the table in /old"))
    card = stage.page.cards[path]
    assert card.state_label.text() == "Part of a table"
    assert not card.main_button.isVisible()


def test_the_message_names_the_folders_that_went_and_those_that_stay(stage, monkeypatch):
    path, gone, left = stage.home / "442_128", Path("/one/442_128"), Path("/two/442_128")
    kept = stage.home / ".trash" / "442_128.1"
    trashed = Trashed(path, kept, (Moved(gone, Path("/one/.trash/442_128.1")),), (left,))
    monkeypatch.setattr(stage.service.trash, "put", lambda _: trashed)
    monkeypatch.setattr(stage.service.trash, "discard", lambda _: None)
    stage.put(table_info(path, folders=(gone, left)))
    stage.page.cards[path].menu_actions["delete"].trigger()
    text = stage.wait_for_banner("was deleted").text_label.text()
    assert f"with its layers in {gone}" in text
    assert f"Files in {left} stay there" in text


def test_the_service_lists_tables_of_other_programs(data_dir):
    theirs = data_dir / "theirs"
    theirs.mkdir()
    for layer in range(3):
        (theirs / f"44_64_{layer}.book").write_bytes(b"\0" * 12)
    service = TablesService(data_dir / "tables", lambda: [theirs])
    (info,) = service.scan()
    assert (info.name, info.origin, info.state) == ("44_64", ORIGIN, "partial")
    assert info.path == theirs / "44_64"


@pytest.mark.skipif(os.name == "nt", reason="a folder of that name is no table there either")
def test_the_window_takes_several_folders_of_a_table(data_dir, monkeypatch):
    import gui.shell.app
    import gui.shell.command
    import main

    asked = []
    monkeypatch.setattr(gui.shell.app, "run", lambda *args: asked.append(args[:2]) or 0)
    monkeypatch.setattr(gui.shell.command, "lacks_display", lambda: False)
    words = f"44_64{os.pathsep}/drive/44_64"
    assert main.main(["--data-dir", str(data_dir), "--table", words]) == 0
    request = OpenRequest(data_dir / "tables" / "44_64", (Path("/drive/44_64"),))
    assert asked == [(data_dir, request)]


def test_the_service_opens_a_table_with_the_folders_it_was_told(data_dir, monkeypatch):
    import tablebase.library.opening

    asked = []

    def open_table(where, formations):
        asked.append(where)
        assert formations() == service.formations(), "the user's own, too"

    monkeypatch.setattr(tablebase.library.opening, "open_table", open_table)
    service = TablesService(data_dir)
    service.join(data_dir / "44_64", [Path("/drive")])
    service.open(data_dir / "44_64")
    service.open(data_dir / "44_128")
    assert asked == [[data_dir / "44_64", Path("/drive")], [data_dir / "44_128"]]


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
    running = program("Settings")
    row = running.pages["Settings"].row("build.folder")
    running.services.settings.set("build.folder", str(AWAY))
    qtbot.waitUntil(lambda: row.note == "It is away.")
    assert threading.main_thread() not in drives.threads
    running.services.settings.set("build.folder", str(HERE))
    qtbot.waitUntil(lambda: row.note == "")
    assert row.note_label
    assert row.note_label.isHidden()
