"""A database behind a worker: each change is made once, or reported as failed and never made."""

from datetime import datetime
from pathlib import Path

import pytest

from coach.record.database import DatabaseError
from coach.record.user_database import UserDatabase
from gui.work.store_service import StoreService
from tests.gui.practice_fakes import FakeTasks

pytestmark = pytest.mark.usefixtures("qapp")


class Notebook:
    """A store that is a list of lines."""

    def __init__(self, path: Path) -> None:
        self.path, self.is_closed = path, False

    def write(self, line: str) -> None:
        with self.path.open("a") as file:
            file.write(f"{line}\n")

    def close(self) -> None:
        self.is_closed = True


class Shelf:
    """A service, the stores it has opened, and its notifications."""

    def __init__(self, folder: Path) -> None:
        database = UserDatabase(folder)
        self.path, self.is_locked = database.path, False
        self.opened: list[Notebook] = []
        self.errors: list[BaseException] = []
        self.tasks = FakeTasks()
        self.service = StoreService(database, self._open, self.tasks)
        self.service.failed.connect(self.errors.append)

    def _open(self, database: UserDatabase) -> Notebook:
        if self.is_locked:
            raise DatabaseError("it is locked")
        self.opened.append(Notebook(database.path))
        return self.opened[-1]

    def lines(self) -> list[str]:
        return self.path.read_text().split() if self.path.exists() else []


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def fail_to_write(shelf: Shelf, line: str, failed=None) -> None:
    shelf.is_locked = True
    shelf.service.change(lambda store: store.write(line), failed=failed)
    shelf.is_locked = False


@pytest.mark.parametrize("is_asked", [False, True])
def test_a_change_that_was_told_as_failed_is_not_made_at_the_end(shelf, is_asked):
    told: list[BaseException] = []
    fail_to_write(shelf, "once", told.append if is_asked else None)
    assert [str(error) for error in told or shelf.errors] == ["it is locked"]
    shelf.service.change(lambda store: store.write("once"))  # tried again
    shelf.service.close()
    assert shelf.lines() == ["once"]


def test_a_change_that_failed_does_not_get_into_the_new_database(shelf):
    shelf.path.write_text("old\n")
    fail_to_write(shelf, "lost")
    kept: list[Path] = []
    shelf.service.start_over(datetime(2026, 5, 1), kept.append, shelf.errors.append)
    shelf.service.close()
    assert kept[0].read_text() == "old\n"
    assert shelf.lines() == []


def test_what_has_not_begun_is_made_at_the_end_whatever_fails_before_it(shelf, caplog):
    def bug(_: Notebook) -> None:
        raise KeyError("a bug")

    shelf.tasks.at_once = False
    for work in (lambda store: store.write("first"), bug, lambda store: store.write("last")):
        shelf.service.change(work)
    shelf.service.close()
    assert shelf.lines() == ["first", "last"]
    assert [store.is_closed for store in shelf.opened] == [True]
    assert "a bug" in caplog.text
