"""Deleting a table: it is moved once it is open nowhere, and stays if the deletion is undone."""

from pathlib import Path

import pytest

from gui.table_work.table_library import Library
from tests.gui.practice_fakes import FakeTasks
from tests.gui.window_fakes import FakeService


class FilesTasks(FakeTasks):
    def run_latest(self, _key, work, done, failed=None):
        self.run(work, done, failed)


def test_a_table_is_moved_when_all_readers_have_let_go(tmp_path):
    table = tmp_path / "442_128"
    table.mkdir()
    readers = [FakeTasks(at_once=False), FakeTasks(at_once=False)]
    library, told = Library(FakeService(tmp_path), FilesTasks(), None, readers), []
    library.removed.connect(told.append)
    library.delete(table)
    assert told == [table], "who has it open hears of it first"
    for reader in readers:
        assert table.exists()
        reader.work_off()
    for reader in readers:  # in whatever order they are asked
        reader.work_off()
    assert not table.exists()
    assert (tmp_path / ".trash").is_dir()
    library.close()
    assert not (tmp_path / ".trash").exists()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    table = tmp_path / "442_128"
    table.mkdir()
    (table / "manifest.json").write_text("{}")
    return table


def test_what_was_asked_back_in_vain_outlives_the_program(tmp_path, table):
    library, deleted, told = Library(FakeService(tmp_path), FilesTasks()), [], []
    library.trashed.connect(deleted.append)
    library.not_restored.connect(lambda *what: told.append(what))
    library.delete(table)
    table.mkdir()  # a new one
    library.restore(deleted[0])
    ((trashed, why),) = told
    assert "new 442_128" in why
    library.close()
    assert (trashed.kept / "manifest.json").exists()
    FakeService(tmp_path).empty_trash()  # as the next start does
    assert (trashed.kept / "manifest.json").exists()


def test_what_was_asked_back_in_vain_can_still_be_given_up(tmp_path, table):
    library, deleted = Library(FakeService(tmp_path), FilesTasks()), []
    library.trashed.connect(deleted.append)
    library.delete(table)
    table.mkdir()
    library.restore(deleted[0])
    library.settle(deleted[0])
    assert not (tmp_path / ".trash").exists()
    library.close()


def test_undo_just_before_the_end_is_done(tmp_path, table):
    tasks = FilesTasks()
    library, deleted = Library(FakeService(tmp_path), tasks), []
    library.trashed.connect(deleted.append)
    library.delete(table)
    tasks.at_once = False  # and nothing is worked off any more
    library.restore(deleted[0])
    library.close()
    assert (table / "manifest.json").exists()
    assert not (tmp_path / ".trash").exists()
