"""Deleting a table: it is moved when nobody has it open any more."""

from pathlib import Path

from gui.core.table_library import Library
from tests.gui.practice_fakes import FakeTasks
from tests.gui.window_fakes import FakeService


class FilesTasks(FakeTasks):
    def run_latest(self, _key, work, done, failed=None):
        self.run(work, done, failed)


def test_a_table_is_moved_when_all_readers_have_let_go(tmp_path: Path) -> None:
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
