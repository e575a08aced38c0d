"""The window reads in what earlier versions wrote, with progress; nothing is lost at its end."""

from datetime import datetime, timezone
from pathlib import Path

import pytest

from coach.old_files.opening import open_user_database
from coach.record.database import DatabaseError
from gui.home.records import RecordReader
from gui.work.mistake_service import MistakeService
from gui.work.old_data import OldData
from tests.coach.mistake_stage import NOTED
from tests.coach.old_files.stage import make_all, state_of
from tests.gui.practice_fakes import FakeTasks

NOW = datetime(2026, 5, 2, 12, tzinfo=timezone.utc)
pytestmark = pytest.mark.usefixtures("qapp")


class Stage:
    """A window's services around a folder of an earlier version."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.shares = folder, list[float]()
        self.warnings, self.ends = list[str](), list[bool]()
        self.errors: list[BaseException] = []
        self.old_data = OldData()
        self.old_data.progressed.connect(self.shares.append)
        self.old_data.warned.connect(self.warnings.append)
        self.old_data.finished.connect(lambda: self.ends.append(True))
        database = open_user_database(folder, self.old_data.watch)
        self.tasks = FakeTasks()
        self.mistakes = MistakeService(database, self.tasks)
        self.mistakes.failed.connect(self.errors.append)

    def count(self) -> int | None:
        found: list[int] = []
        self.mistakes.ask(lambda mistakes: mistakes.count(), found.append)
        return found[0] if found else None


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(make_all(tmp_path / "data"))


def test_the_first_question_reads_the_old_files_in(stage):
    assert stage.mistakes.is_there
    assert stage.count() == 2
    assert (stage.shares[0], stage.shares[-1], stage.ends) == (0.0, 1.0, [True])
    assert stage.warnings == []
    stage.mistakes.close()


def test_home_does_not_begin_it_where_others_wait(stage):
    reader = RecordReader(stage.mistakes.database)
    assert reader.read(NOW, 4, hard=False, game=None).analysis is None
    assert not (stage.folder / "user.db").exists()
    assert stage.count() == 2
    assert reader.read(NOW, 4, hard=False, game=None).analysis is not None
    stage.mistakes.close()


def test_what_is_left_out_is_said(tmp_path):
    folder = make_all(tmp_path / "data")
    (folder / "puzzles.db").write_bytes(b"dear diary " * 500)
    stage = Stage(folder)
    assert stage.count() == 2
    (warning,) = stage.warnings
    assert str(folder / "puzzles.db") in warning
    stage.mistakes.close()


def test_a_window_that_closes_does_not_wait_and_loses_nothing(stage):
    before = state_of(stage.folder)
    stage.old_data.stop()
    assert stage.count() is None
    assert stage.mistakes.note(NOTED)
    assert all(isinstance(error, DatabaseError) for error in stage.errors)
    assert not stage.mistakes.path.exists()
    stage.old_data.allow()
    stage.mistakes.close()  # the mistake was to be filed, so it reads after all
    assert state_of(stage.folder) == before
    again = Stage(stage.folder)
    assert again.count() == 3
    again.mistakes.close()


def test_without_changes_nothing_is_read_at_the_end(stage):
    stage.old_data.stop()
    assert stage.count() is None
    stage.old_data.allow()
    stage.mistakes.close()
    assert not stage.mistakes.path.exists()
