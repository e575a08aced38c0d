"""Files that are whole or not there, and those that grow by lines, whoever else holds them."""

import errno
import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path

import pytest
from not_files import KINDS, unchanged

from engine.platform.errors import DriveFullError, WriteError
from engine.platform.files.atomic_file import (
    NotAFileError,
    check_writable,
    is_part_of,
    remove_leftovers,
    remove_parts,
    rename,
    replace,
    unlink,
    with_retries,
    write_error,
    write_file,
)
from engine.platform.files.line_file import LineFile

ROOT = Path(__file__).parents[2]
SHARING_VIOLATION, ACCESS_DENIED = 32, 5


def in_use(number: int = SHARING_VIOLATION) -> PermissionError:
    """What Windows says when somebody has a file open."""
    error = PermissionError(errno.EACCES, "Access is denied")
    error.winerror = number  # type: ignore[attr-defined]
    return error


def failing(times: int, function: Callable[..., object], error: OSError) -> Callable[..., object]:
    """Return a function that fails so many times first."""
    calls = iter(range(times))

    def call(*args: object, **more: object) -> object:
        if next(calls, None) is not None:
            raise error
        return function(*args, **more)

    return call


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("durable", [False, True])
def test_a_file_is_replaced_and_nothing_else_stays(tmp_path, durable):
    path = tmp_path / "a.json"
    for text in (b"one", b"number two"):
        assert write_file(path, [text[:2], memoryview(text)[2:]], durable=durable) == len(text)
        assert path.read_bytes() == text
    assert names(tmp_path) == ["a.json"]


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path):
    path = tmp_path / ("n" * 255)
    write_file(path, [b"x"])
    assert path.read_bytes() == b"x"


def test_what_fails_half_way_leaves_the_old_file_alone(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b"old")

    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_file(path, pieces())
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.json"]


def test_a_leftover_that_somebody_else_deletes_first_is_no_trouble(tmp_path, monkeypatch, recwarn):
    path = tmp_path / "a.json"
    left = [tmp_path / f"a.json.{digit * 12}.part" for digit in "012"]
    for one in left:
        one.write_bytes(b"half")

    def deleted(name: str, wanted: str) -> bool:
        if is_part_of(name, wanted):
            (tmp_path / name).unlink()
        return is_part_of(name, wanted)

    monkeypatch.setattr("engine.platform.files.atomic_file.is_part_of", deleted)
    write_file(path, [b"new"])
    gc.collect()
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["a.json"], "the others were looked at as well"
    assert not recwarn.list, "the folder is closed"


_WRITER = """
import json, sys
from pathlib import Path
from engine.platform.files.atomic_file import write_file

path, name = Path(sys.argv[1]), sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
for i in range(400):
    write_file(path, [json.dumps({"writer": name, "i": i, "fill": "x" * 20_000}).encode()])
"""


@pytest.mark.thorough
def test_two_processes_that_write_one_file_never_disturb_each_other(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{"writer": "nobody"}')
    pipe = subprocess.PIPE
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), name],
            cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True,
        )
        for name in ("one", "two")
    ]  # fmt: skip
    for writer in writers:
        assert writer.stdout
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin
        print(file=writer.stdin, flush=True)
    seen = set()
    while any(writer.poll() is None for writer in writers):
        seen.add(json.loads(path.read_bytes())["writer"])  # fails when only half is there
    assert [writer.communicate()[1] for writer in writers] == ["", ""]
    assert seen >= {"one", "two"}
    assert names(tmp_path) == ["settings.json"]


@pytest.mark.parametrize("number", [SHARING_VIOLATION, ACCESS_DENIED])
def test_a_file_that_somebody_reads_is_replaced_as_soon_as_it_is_closed(
    tmp_path, monkeypatch, number
):
    path, waits = tmp_path / "a.json", list[float]()
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "replace", failing(4, os.replace, in_use(number)))
    write_file(path, [b"new"], sleep=waits.append)
    assert path.read_bytes() == b"new"
    assert len(waits) == 4
    assert waits == sorted(set(waits)), "growing"
    assert names(tmp_path) == ["a.json"]


def test_a_file_that_stays_open_is_given_up_after_little_more_than_a_second(tmp_path, monkeypatch):
    path, waits = tmp_path / "a.json", list[float]()
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "replace", failing(1000, os.replace, in_use()))
    with pytest.raises(PermissionError):
        write_file(path, [b"new"], sleep=waits.append)
    assert (len(waits), sum(waits)) == (7, pytest.approx(1.3, abs=0.05))  # as `with_retries` says
    assert waits == sorted(set(waits)), "growing"
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.json"]


def test_what_waiting_does_not_help_is_not_tried_again(tmp_path, monkeypatch):
    waits = list[float]()
    for error in (PermissionError(errno.EACCES, "no"), OSError(errno.ENOSPC, "full")):
        monkeypatch.setattr(os, "replace", failing(1, os.replace, error))
        with pytest.raises(type(error)):
            write_file(tmp_path / "a.json", [b"new"], sleep=waits.append)
        monkeypatch.undo()
    assert waits == []


def test_renaming_and_deleting_are_as_patient(tmp_path, monkeypatch):
    one, other, waits = tmp_path / "one", tmp_path / "other", list[float]()
    one.mkdir()
    monkeypatch.setattr(os, "rename", failing(2, os.rename, in_use()))
    rename(one, other, waits.append)
    assert names(tmp_path) == ["other"]
    (other / "file").write_bytes(b"x")
    monkeypatch.setattr(Path, "unlink", failing(2, Path.unlink, in_use()))
    unlink(other / "file", sleep=waits.append)
    assert names(other) == []
    monkeypatch.setattr(os, "replace", failing(2, os.replace, in_use()))
    (other / "new").write_bytes(b"x")
    replace(other / "new", other / "file", waits.append)
    assert names(other) == ["file"]
    assert len(waits) == 6


def test_opening_is_tried_again_on_windows_alone(monkeypatch):
    """Python does not say there which error of Windows it was."""
    error, waits = PermissionError(errno.EACCES, "Permission denied"), list[float]()
    with pytest.raises(PermissionError):
        with_retries(failing(1, lambda: "opened", error), waits.append)
    assert waits == []
    monkeypatch.setattr(sys, "platform", "win32")
    assert with_retries(failing(1, lambda: "opened", error), waits.append) == "opened"
    assert len(waits) == 1


def test_what_killed_writers_left_goes_with_the_next_durable_write(tmp_path):
    path, pid = tmp_path / "a.json", os.getpid()
    old, orphan, new, other, users = (
        tmp_path / name
        for name in (
            f"a.json.{pid:08x}89ab.part", "a.json.fedcba9876ab.part", f"a.json.{pid:08x}0123.part",
            "b.json.fedcba9876ab.part", "a.json.mine.part",
        )
    )  # fmt: skip
    for one in (old, orphan, new, other, users):
        one.write_bytes(b"half")
    for one in (old, users):
        os.utime(one, (1e9, 1e9))
    write_file(path, [b"x"], durable=False)  # often many files in one folder
    assert orphan.exists()
    write_file(path, [b"x"])
    assert names(tmp_path) == sorted(["a.json", new.name, other.name, users.name])
    assert all(is_part_of(one.name, "a.json") for one in (old, orphan, new))
    assert not any(is_part_of(one.name, "a.json") for one in (other, users))
    remove_leftovers(tmp_path)
    assert names(tmp_path) == sorted(["a.json", new.name, users.name])
    remove_parts(tmp_path)
    assert names(tmp_path) == ["a.json"]


WRITE_AND_WAIT = """
import sys
from pathlib import Path
from engine.platform.files.atomic_file import replacing

with replacing(Path(sys.argv[1])) as part:
    part.write_bytes(b"half")
    print(flush=True)
    sys.stdin.read()
"""


def test_the_leftover_of_a_killed_process_goes_at_once_and_that_of_a_living_one_stays(tmp_path):
    path = tmp_path / "a.zip"
    command = [sys.executable, "-c", WRITE_AND_WAIT, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, **pipes) as writer:
        assert writer.stdout
        writer.stdout.readline()
        write_file(path, [b"x"])
        assert len(names(tmp_path)) == 2
        writer.kill()
        writer.wait()
        assert len(names(tmp_path)) == 2
        write_file(path, [b"y"])
        assert names(tmp_path) == ["a.zip"]


def test_a_full_drive_is_told_as_what_it_is():
    told = write_error(OSError(errno.ENOSPC, "No space left on device"), Path("games") / "a.rec")
    assert isinstance(told, DriveFullError)
    assert str(Path("games") / "a.rec") in str(told)
    assert "full" in str(told)


def test_other_troubles_are_told_with_what_to_do():
    told = write_error(OSError(errno.EROFS, "Read-only file system"), Path("a.rec"))
    assert type(told) is WriteError
    assert "Read-only" in str(told)
    assert "another program" in str(write_error(in_use(), Path("a.rec")))


@pytest.mark.parametrize(("n_characters", "is_too_long"), [(259, False), (260, True)])
def test_a_name_longer_than_windows_takes_is_told(monkeypatch, n_characters, is_too_long):
    monkeypatch.setattr(sys, "platform", "win32")
    path = Path("x" * n_characters)
    told = str(write_error(FileNotFoundError(errno.ENOENT, "no such file"), path))
    assert (f"{n_characters} characters, and Windows takes 259" in told) == is_too_long
    assert ("no such file" in told) != is_too_long


@pytest.mark.skipif(os.name != "posix", reason="the call is of macOS")
@pytest.mark.parametrize("has_it", [True, False])
def test_on_macos_the_drive_itself_is_waited_for(tmp_path, monkeypatch, has_it):
    """Where the file system has no such call, as on a network drive, the usual one has to do."""
    import fcntl

    full_sync, synced, plainly = 51, list[int](), list[int]()

    def call(descriptor: int, command: int) -> None:
        assert command == full_sync
        if not has_it:
            raise OSError(errno.ENOTSUP, "Operation not supported")
        synced.append(os.fstat(descriptor).st_ino)

    monkeypatch.setattr(fcntl, "F_FULLFSYNC", full_sync, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", call)
    monkeypatch.setattr(os, "fsync", lambda found: plainly.append(os.fstat(found).st_ino))
    monkeypatch.setattr(sys, "platform", "darwin")
    path = tmp_path / "a.json"
    write_file(path, [b"x"])
    both = [path.stat().st_ino, tmp_path.stat().st_ino]
    assert (synced, plainly) == ((both, []) if has_it else ([], both))


def test_there_is_no_other_writer():
    """Whoever needs one takes this one: it is the only place that waits for a drive."""
    for package in ("engine", "tablebase", "ai", "gui"):
        for path in (ROOT / package).rglob("*.py"):
            if path != ROOT / "engine" / "files" / "atomic_file.py":
                text = path.read_text(encoding="utf-8")
                assert "os.fsync" not in text, path
                assert '".part"' not in text.replace('path.suffix == ".part"', ""), path


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such names")
@pytest.mark.parametrize("is_linked", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_a_file_is_never_replaced(tmp_path, kind, is_linked):
    made = path = tmp_path / "a"
    KINDS[kind](made)
    if is_linked:
        path = tmp_path / "link"
        path.symlink_to(made)
    other = tmp_path / "other"
    other.write_bytes(b"")
    with unchanged(tmp_path):
        with pytest.raises(NotAFileError) as error:
            write_file(path, [b"x"])
        assert "it is a device, a pipe or a socket" in str(write_error(error.value, path))
        with pytest.raises(WriteError, match="it is a device, a pipe or a socket"):
            check_writable(path)
        with pytest.raises(NotAFileError):
            replace(other, path)


@pytest.mark.parametrize("has_file", [True, False])
def test_a_link_stays_a_link_to_the_new_content(tmp_path, has_file):
    (tmp_path / "other").mkdir()
    real, link = tmp_path / "other" / "a.json", tmp_path / "link.json"
    if has_file:
        real.write_bytes(b"old")
    link.symlink_to(real)
    write_file(link, [b"new"])
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert names(tmp_path / "other") == ["a.json"]


def test_a_folder_behind_a_link_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "folder")
    with pytest.raises(IsADirectoryError):
        write_file(link, [b"x"])
    assert link.is_symlink()


class TightFile(FileIO):
    """A file on a drive with so much room; what is too long is cut short, as a drive does."""

    room = 1 << 30

    def write(self, data):
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        n_bytes = super().write(bytes(data)[: self.room])
        self.room -= n_bytes
        return n_bytes

    def truncate(self, size=None):
        self.room += self.seek(0, 2) - size
        return super().truncate(size)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "lines.log"


def appended(lines: LineFile, texts: list[str]) -> list[str]:
    """Append some lines and return those that were refused."""
    refused = []
    for text in texts:
        try:
            lines.append(text)
        except OSError:
            refused.append(text)
    return refused


def test_lines_go_behind_what_is_there(path):
    path.write_text("one\n")
    lines = LineFile(path)
    lines.append("two")
    assert path.read_text() == "one\ntwo\n"
    lines.close()
    lines.close()


@pytest.mark.parametrize("room", range(13))
def test_nothing_is_lost_by_a_drive_that_is_full_for_a_while(path, room):
    file = TightFile(path, "ab")
    file.room = room
    lines = LineFile(path, file)
    texts = ["one", "two", "three", "four"]
    refused = appended(lines, texts)
    assert refused == texts[len(texts) - len(refused) :]
    assert "".join(f"{text}\n" for text in texts).startswith(path.read_text())
    file.room += 100
    lines.append("five")
    assert path.read_text() == "one\ntwo\nthree\nfour\nfive\n"
    lines.close()


def test_what_waits_is_written_by_flush_and_by_close(path):
    file = TightFile(path, "ab")
    file.room = 2
    lines = LineFile(path, file)
    assert appended(lines, ["one", "two"]) == ["one", "two"]
    with pytest.raises(OSError, match="No space"):
        lines.flush()
    file.room += 4
    with pytest.raises(OSError, match="No space"):
        lines.flush()
    file.room += 100
    lines.close()
    assert path.read_text() == "one\ntwo\n"


def test_a_write_cut_short_without_an_error_is_finished(path):
    class Slow(FileIO):
        def write(self, data):
            return super().write(bytes(data)[:1])

    lines = LineFile(path, Slow(path, "ab"))
    lines.append("one")
    lines.append("two")
    assert path.read_text() == "one\ntwo\n"
    lines.close()
