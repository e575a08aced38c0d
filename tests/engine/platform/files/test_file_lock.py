"""A lock that one process at a time has, and that goes with its process."""

import subprocess
import sys
from io import FileIO

import pytest
from not_files import KINDS, unchanged

from engine.platform.files.atomic_file import NotAFileError
from engine.platform.files.file_lock import FileLock

HOLD = """
import sys, time
from pathlib import Path
from engine.platform.files.file_lock import FileLock
lock = FileLock(Path(sys.argv[1]))
print(lock.take(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "some.lock"


@pytest.fixture
def holder(path):
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout.readline() == "True\n"
        yield child
        child.kill()


def test_one_process_has_it_until_it_is_killed(holder, path):
    lock = FileLock(path)
    assert not lock.take()
    assert not lock.is_held
    assert path.read_text() == f"{holder.pid}\n"
    holder.kill()
    holder.wait()
    assert lock.take()
    lock.release()


def test_one_object_has_it(path):
    first, second = FileLock(path), FileLock(path)
    assert first.take()
    assert first.take(), "it has it already"
    assert not second.take()
    second.remove()
    assert path.exists(), "only who holds it may take the file away"
    first.release()
    first.release()
    assert second.take()
    second.remove()
    assert not path.exists()


def test_nobody_refers_to_it_any_more(path):
    lock = FileLock(path)
    lock.take()
    del lock
    assert FileLock(path).take()


def test_a_file_that_is_taken_away_at_that_moment_is_made_again(path, monkeypatch):
    gone = FileLock(path)
    gone.take()

    def late(*args):
        monkeypatch.undo()
        file = FileIO(*args)
        gone.remove()
        return file

    monkeypatch.setattr("engine.platform.files.file_lock.FileIO", late)
    lock = FileLock(path)
    assert lock.take()
    assert not FileLock(path).take(), "it is the file that others find"


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be moved there")
def test_the_file_of_another_one_stays(path):
    first, second = FileLock(path), FileLock(path)
    first.take()
    path.rename(path.with_name("moved"))
    assert second.take()
    first.remove()
    assert not FileLock(path).take(), "the second one holds the file that others find"
    second.remove()
    assert not path.exists()


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        FileLock(tmp_path / "no" / "some.lock").take()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such names")
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_a_file_is_no_lock(tmp_path, kind):
    KINDS[kind](tmp_path / "some.lock")
    with unchanged(tmp_path):
        lock = FileLock(tmp_path / "some.lock")
        with pytest.raises(NotAFileError, match="it is not a file"):
            lock.take()
        lock.remove()


def test_what_a_link_leads_to_is_no_lock_of_ours(tmp_path):
    (tmp_path / "diary.txt").write_text("Dear diary")
    (tmp_path / "some.lock").symlink_to("diary.txt")
    with unchanged(tmp_path), pytest.raises(NotAFileError):
        FileLock(tmp_path / "some.lock").take()
