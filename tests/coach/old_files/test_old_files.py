"""user.db is made from the files of earlier versions: wholly or not at all, and they stay."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from coach.mistakes.mistakes import Mistakes
from coach.old_files import reading
from coach.old_files.databases import DATABASES, DatabaseReader
from coach.old_files.opening import open_user_database
from coach.old_files.readers import READERS
from coach.old_files.reading import ReadingCancelledError, ReadingError, Watch, read_old_files
from coach.record.database import DatabaseError, open_database
from coach.record.schema import MIGRATIONS, SOUND
from coach.record.user_database import LOCK_NAME, NAME, OLD_NAMES, WORK_NAME, UserDatabase
from engine.platform.files.file_lock import FileLock
from tests.coach.old_files.stage import (
    make_all,
    make_old,
    new_rows,
    old_rows,
    read,
    rows_of,
    state_of,
)

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_all(tmp_path / "data")


def problems(folder: Path) -> dict[str, str]:
    rows = rows_of(folder / NAME, "old_file")
    return {str(name): str(problem) for name, _, _, problem in rows if problem}


def like(reader: DatabaseReader, kind: type[DatabaseReader]) -> DatabaseReader:
    return kind(reader.name, reader.migrations, reader.tables)


def steps_of(folder: Path) -> list[str]:
    found: list[str] = []
    read(folder, Watch(step=found.append))
    return found


def test_every_row_comes_over_and_the_old_files_stay(folder):
    before, wanted = state_of(folder), old_rows(folder)
    assert all(wanted.values()), "each table has rows"
    state = state_of(folder)
    read(folder)
    assert new_rows(folder) == wanted
    assert state_of(folder) == state == before
    assert sorted(path.name for path in folder.glob("user*")) == [NAME]
    assert problems(folder) == {}
    names = [row[0] for row in rows_of(folder / NAME, "old_file")]
    assert sorted(names) == ["analyses.db", "mistakes.db", "puzzles.db"]


def test_what_was_only_in_the_log_comes_over_and_the_log_stays(tmp_path):
    """A program that was killed leaves its last changes there."""
    live = make_all(tmp_path / "live")
    folder = tmp_path / "data"
    with closing(open_database(live / "mistakes.db", DATABASES[0].migrations)) as db:
        db.execute("INSERT INTO tag VALUES (7, 'late')")
        shutil.copytree(live, folder)
    log = folder / "mistakes.db-wal"
    assert log.stat().st_size > 0
    (folder / "mistakes.db-shm").unlink()
    before = state_of(folder)
    read(folder)
    assert (7, "late") in rows_of(folder / NAME, "mistake_tag")
    assert state_of(folder) == before, "neither read back nor indexed"


def test_it_is_read_once(folder):
    read(folder)
    (folder / "puzzles.db").write_bytes(b"another")
    state = (folder / NAME).read_bytes()
    assert steps_of(folder) == []
    assert (folder / NAME).read_bytes() == state
    with closing(Mistakes(open_user_database(folder))) as mistakes:
        assert mistakes.count() == 2


@pytest.mark.parametrize("name", ["puzzles.db", "analyses.db"])
def test_databases_of_the_first_version_are_upgraded_in_a_copy(tmp_path, name):
    make_old(tmp_path, name, 1)
    before = state_of(tmp_path)
    read(tmp_path)
    assert state_of(tmp_path) == before
    table = {"puzzles.db": "puzzle", "analyses.db": "analysis"}[name]
    (row,) = rows_of(tmp_path / NAME, table)
    assert row[-1] == {"puzzles.db": None, "analyses.db": ""}[name]


def test_an_empty_folder_has_nothing_to_read(tmp_path):
    database = open_user_database(tmp_path)
    assert not database.is_there
    with closing(Mistakes(database)) as mistakes:
        assert mistakes.count() == 0
    assert database.is_there


def test_old_files_are_never_passed_over(folder):
    """Nobody may make an empty database beside them."""
    with pytest.raises(RuntimeError, match="nobody to read"):
        Mistakes(UserDatabase(folder))
    assert not (folder / NAME).exists()


class Killed(BaseException):
    pass


def killer(n: int) -> Callable[[str], None]:
    left = [n]

    def step(_name: str) -> None:
        if not left[0]:
            raise Killed
        left[0] -= 1

    return step


def test_interrupted_before_any_step_it_begins_anew(folder, tmp_path):
    before, wanted = state_of(folder), old_rows(folder)
    n_steps = len(steps_of(make_all(tmp_path / "model")))
    assert n_steps >= 11
    for n in range(n_steps):
        with pytest.raises(Killed):
            read(folder, Watch(step=killer(n)))
        assert state_of(folder) == before
        if (folder / NAME).exists():  # it had its name already
            assert n == n_steps - 1
    read(folder)
    assert new_rows(folder) == wanted
    assert state_of(folder) == before


KILL = """
import os, signal, sys
from pathlib import Path
from coach.old_files.readers import READERS
from coach.old_files.reading import Watch, read_old_files
def step(name):
    if name == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)
read_old_files(Path(sys.argv[1]), READERS, Watch(step=step))
"""


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
@pytest.mark.parametrize("step", ["compare mistakes.db", "check", "rename", "sync folder"])
def test_killed_before_a_step_it_begins_anew(folder, step):
    before, wanted = state_of(folder), old_rows(folder)
    command = [sys.executable, "-c", KILL, str(folder), step]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    assert (folder / NAME).exists() == (step == "sync folder")
    assert (folder / LOCK_NAME).exists()
    assert state_of(folder) == before
    read(folder)
    UserDatabase(folder).prepare()  # as whoever opens it next
    assert not (folder / WORK_NAME).exists()
    assert new_rows(folder) == wanted
    assert state_of(folder) == before


def test_what_an_interrupted_reading_left_is_removed(folder):
    work = folder / WORK_NAME
    work.mkdir()
    (work / NAME).write_bytes(b"half of it")
    (work / "mistakes.db").write_bytes(b"half of it")
    read(folder)
    assert not work.exists()
    assert new_rows(folder) == old_rows(folder)


def test_logs_of_a_database_that_was_moved_away_are_set_aside(folder):
    """SQLite would take them for logs of the new one."""
    read(folder)
    with closing(open_database(folder / NAME, MIGRATIONS, SOUND)) as db:
        db.execute("DELETE FROM mistake")
        log = (folder / f"{NAME}-wal").read_bytes()
        (folder / NAME).rename(folder / "moved.db")
    (folder / f"{NAME}-wal").write_bytes(log)
    read(folder)
    assert new_rows(folder) == old_rows(folder)
    (kept,) = folder.glob("user.damaged-*-wal")
    assert kept.read_bytes() == log


def test_closing_the_program_stops_it(folder):
    before = state_of(folder)
    with pytest.raises(ReadingCancelledError):
        read(folder, Watch(is_cancelled=lambda: True))
    assert state_of(folder) == before
    assert not list(folder.glob("user.db*"))


def test_progress_goes_from_start_to_end(folder):
    shares: list[float] = []
    read(folder, Watch(show=shares.append))
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert len(shares) >= len(READERS)


def test_two_that_begin_at_once_wait_for_each_other(folder):
    wanted, n_read, start = old_rows(folder), [], threading.Barrier(4)

    def go() -> None:
        start.wait()
        read(folder, Watch(step=lambda name: n_read.append(name) if name == "rename" else None))

    threads = [threading.Thread(target=go) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert n_read == ["rename"]
    assert new_rows(folder) == wanted


def test_while_another_process_reads_one_can_be_closed(folder):
    lock = FileLock(folder / LOCK_NAME)
    assert lock.take()
    asked = iter([False, False, True])
    with pytest.raises(ReadingCancelledError):
        read(folder, Watch(is_cancelled=lambda: next(asked)))
    lock.release()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_is_followed_and_its_log_read(tmp_path):
    live, folder = make_all(tmp_path / "live"), tmp_path / "data"
    with closing(open_database(live / "mistakes.db", DATABASES[0].migrations)) as db:
        db.execute("INSERT INTO tag VALUES (7, 'late')")
        shutil.copytree(live, tmp_path / "elsewhere")
    folder.mkdir()
    (folder / "mistakes.db").symlink_to(tmp_path / "elsewhere/mistakes.db")
    before = state_of(tmp_path / "elsewhere")
    read(folder)
    assert (7, "late") in rows_of(folder / NAME, "mistake_tag")
    assert state_of(tmp_path / "elsewhere") == before


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_to_a_drive_that_is_away_is_waited_for(folder, tmp_path):
    (folder / "mistakes.db").rename(tmp_path / "away.db")
    (folder / "mistakes.db").symlink_to(tmp_path / "drive/mistakes.db")
    for _ in range(2):
        with pytest.raises(ReadingError, match="No such file"):
            read(folder)
        for path in list(folder.glob("*s.db"))[1:]:
            if not path.is_symlink():
                path.unlink()
    assert open_user_database(folder).is_there
    assert not list(folder.glob("user.db*"))


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("name", ["tests", "profile.db"])
def test_whatever_is_out_of_reach_is_waited_for(folder, name, tmp_path):
    (folder / name).symlink_to(tmp_path / "drive")
    with pytest.raises(ReadingError, match="No such file"):
        read(folder)
    (folder / name).unlink()
    read(folder)
    assert new_rows(folder) == old_rows(folder)


def test_rows_that_a_table_refuses_are_damage(folder):
    """As after a fault of a drive: nothing else could bring a reader to store the same twice."""

    class Twice(DatabaseReader):
        def read(self, old, new):  # type: ignore[no-untyped-def]
            counts = super().read(old, new)
            new.execute("INSERT INTO mistake SELECT * FROM mistake")
            return counts

    read_old_files(folder, [like(DATABASES[0], Twice), *READERS[1:]])
    assert "UNIQUE constraint failed" in problems(folder)["mistakes.db"]
    assert new_rows(folder)["mistake"] == []
    assert new_rows(folder)["puzzle"]


@pytest.mark.parametrize("name", ["mistakes.db", "puzzles.db", "analyses.db"])
@pytest.mark.parametrize("data", [b"", b"dear diary " * 500, None])
def test_a_damaged_database_is_left_out_and_named(folder, name, data):
    wanted = old_rows(folder)
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[: len(whole) // 2] if data is None else data)
    before = state_of(folder)
    read(folder)
    assert state_of(folder) == before
    found = new_rows(folder)
    own = [table for table in found if table.split("_")[0] in name]
    own = own or [table for table in found if table.startswith("analysis")]
    assert all(found[table] == ([] if table in own else wanted[table]) for table in found)
    if data == b"":  # as a new file of SQLite is: no row is missing
        assert problems(folder) == {}
    else:
        assert list(problems(folder)) == [name]
        assert "it was skipped and is unchanged" in problems(folder)[name]
        assert str(folder / name) in problems(folder)[name]


def test_a_folder_or_pipe_in_its_place_is_left_out(folder):
    (folder / "mistakes.db").unlink()
    (folder / "mistakes.db").mkdir()
    (folder / "puzzles.db").unlink()
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "puzzles.db")
    read(folder)
    assert "is not a file" in problems(folder)["mistakes.db"]
    assert new_rows(folder)["analysis"]


FOREIGN = {
    "a view": "DROP TABLE tag; CREATE VIEW tag AS SELECT 1 AS mistake_id, 'x' AS name;",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON tag BEGIN DELETE FROM tag; END;",
    "another table": "DROP TABLE tag; CREATE TABLE tag (url TEXT);",
    "a later version": "PRAGMA user_version = 9;",
}


@pytest.mark.parametrize("what", FOREIGN)
def test_what_our_programs_never_wrote_is_left_out(folder, what):
    with closing(sqlite3.connect(folder / "mistakes.db")) as db:
        db.executescript(FOREIGN[what])
    read(folder)
    assert list(problems(folder)) == ["mistakes.db"]
    assert new_rows(folder)["puzzle"]
    assert new_rows(folder)["mistake"] == new_rows(folder)["mistake_tag"] == []


def test_only_the_rows_that_make_no_sense_are_left_out(folder):
    with closing(sqlite3.connect(folder / "mistakes.db")) as db:
        db.execute("UPDATE mistake SET due = 'soon' WHERE id = 7")
        db.execute("UPDATE attempt SET loss = 9e99 WHERE id = 4")
        db.execute("INSERT INTO tag VALUES (99, 'an orphan')")
        db.commit()
    before = state_of(folder)
    read(folder)
    assert state_of(folder) == before
    found = new_rows(folder)
    assert [row[0] for row in found["mistake"]] == [3]
    assert [row[0] for row in found["mistake_attempt"]] == [1], "of its mistake, and sound"
    assert [row[1] for row in found["mistake_tag"]] == ["edge", "谜"]
    told = problems(folder)["mistakes.db"].splitlines()
    assert [line.split(" ")[0] for line in told] == ["1", "2", "1"]


def test_a_text_that_is_none_comes_over_readable(folder):
    with closing(sqlite3.connect(folder / "mistakes.db")) as db:
        db.execute("UPDATE attempt SET source = CAST(x'61ff' AS TEXT) WHERE id = 4")
        db.commit()
    read(folder)
    sources = {row[0]: row[6] for row in new_rows(folder)["mistake_attempt"]}
    assert sources[4] == "a\ufffd"


def test_a_file_that_cannot_be_read_now_is_waited_for(folder, monkeypatch):
    """A drive that is away is no reason to leave something out for ever."""
    before, copy = state_of(folder), reading.open_regular

    def fail(path: Path) -> object:
        if path.name == "puzzles.db":
            raise PermissionError(13, "Permission denied", str(path))
        return copy(path)

    monkeypatch.setattr(reading, "open_regular", fail)
    with pytest.raises(
        ReadingError, match=r"could not be imported: Permission denied \(.*tried again"
    ):
        read(folder)
    assert state_of(folder) == before
    assert not list(folder.glob("user.db*"))
    monkeypatch.undo()
    read(folder)
    assert new_rows(folder) == old_rows(folder)


def test_a_file_that_another_program_writes_is_waited_for(folder, monkeypatch):
    copy = reading._copy  # noqa: SLF001

    def touch(source: Path, to: Path, watch: Watch) -> None:
        copy(source, to, watch)
        os.utime(folder / "puzzles.db", ns=(1, os.stat(folder / "puzzles.db").st_mtime_ns + 1))

    monkeypatch.setattr(reading, "_copy", touch)
    monkeypatch.setattr(reading, "_PAUSE_S", 0)
    with pytest.raises(ReadingError, match="being written by another program"):
        read(folder)
    assert not list(folder.glob("user.db*"))


def test_rows_that_did_not_come_over_are_noticed(folder):
    class Forgetful(DatabaseReader):
        def check(self, old, new) -> None:  # type: ignore[no-untyped-def]
            new.execute("UPDATE mistake SET total_loss = total_loss + 1e-9 WHERE id = 3")
            super().check(old, new)

    with pytest.raises(ReadingError, match="'mistake' were copied"):
        read_old_files(folder, [like(DATABASES[0], Forgetful), *READERS[1:]])
    assert not list(folder.glob("user.db*"))


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs limits of POSIX")
@pytest.mark.parametrize("limit", [0, 10_000, 40_000, 100_000, 140_000, 200_000, 300_000, 350_000])
def test_a_full_drive_leaves_everything_as_it_was(folder, limit):
    resource = pytest.importorskip("resource")
    before, was = state_of(folder), resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, was[1]))
    try:
        with pytest.raises(DatabaseError, match="could not be imported") as caught:
            read(folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, was)
        signal.signal(signal.SIGXFSZ, ignored)
    assert "Nothing was changed" in str(caught.value)
    assert state_of(folder) == before
    assert not (folder / NAME).exists()
    read(folder)
    assert new_rows(folder) == old_rows(folder)


def test_a_folder_that_may_not_be_written_says_so(folder, monkeypatch):
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(FileLock, "take", refuse)
    with pytest.raises(ReadingError, match="Permission denied"):
        read(folder)
    assert not list(folder.glob("user.*"))


def test_all_old_names_are_readers_or_belong_to_them():
    assert {reader.name for reader in READERS} <= set(OLD_NAMES)
