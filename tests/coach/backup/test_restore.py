"""Restoring: killed anywhere it ends well; what is no backup of ours is refused."""

import errno
import hashlib
import json
import os
import stat
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from unittest.mock import Mock

import pytest

from coach.backup.archive import BackupCancelledError, Watch, write_backup
from coach.backup.contents import NAMES
from coach.backup.manifest import BackupError, is_safe_name
from coach.backup.opening import read_backup
from coach.backup.restoring import PENDING, cancel, finish, pending, stage
from engine.platform.files.input_file import read_limited
from main import main
from tests.coach.backup.test_backup import NOW, fill

WHEN = datetime(2048, 5, 10, 8, 0, 0)
NAMES_OF_FILES = [name for name in NAMES if "." in name]


@pytest.fixture(autouse=True)
def _drive_in_no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for no drive: some tests restore a hundred times."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def contents(data: Path) -> dict[str, bytes]:
    """Return all files in a data folder but earlier backups and what SQLite makes to read."""
    return {
        path.relative_to(data).as_posix(): path.read_bytes()
        for path in sorted(data.rglob("*"))
        if path.is_file() and path.parent.name != "backups" and path.suffix != ".db-shm"
    }


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of a folder without tests and minigames."""
    fill(tmp_path / "then", "then")
    for name in ("tests/2048-01-01.json", "minigames/ice-normal.json"):
        (tmp_path / "then" / name).unlink()
    write_backup(tmp_path / "then", tmp_path / "a.zip", NOW)
    return tmp_path / "a.zip"


def here(data: Path) -> Path:
    """Fill a folder as it is today; a database was not closed."""
    fill(data, "now")
    (data / "replays/a/c.txt").write_bytes(b"later")
    (data / "mistakes.db").write_bytes(b"base")
    (data / "mistakes.db-wal").write_bytes(b"log")
    return data


def wanted(tmp_path: Path, data: Path) -> dict[str, bytes]:
    """Return the expected files: those of the backup, and those that no backup has."""
    others = ("tables/", "logs/", "own ")
    kept = {name: raw for name, raw in contents(data).items() if name.startswith(others)}
    then = contents(tmp_path / "then")
    return {**kept, **{name: raw for name, raw in then.items() if not name.startswith(others)}}


def test_all_is_as_it_was_then(tmp_path, backup):
    data = here(tmp_path / "data")
    before, after = contents(data), wanted(tmp_path, data)
    stage(read_backup(backup), data)
    waiting = pending(data)
    assert waiting is not None
    assert (waiting.source, waiting.made) == (str(backup), "2048-05-09T12:30:00+00:00")
    assert {n: c for n, c in contents(data).items() if not n.startswith(PENDING)} == before
    done = finish(data, WHEN)
    assert done is not None
    assert done.problem == ""
    assert contents(data) == after
    assert done.previous == data / "backups/before-restore-20480510-080000.zip"
    assert finish(data, WHEN) is None
    stage(read_backup(done.previous), data)
    assert finish(data, WHEN) is not None
    assert contents(data)["replays/a/c.txt"] == b"later"


def test_what_no_backup_can_hold_is_kept_beside_that_of_the_old_data(tmp_path, backup):
    data = here(tmp_path / "data")
    odd = data / "replays/a/what now?.rpl"  # a name that other systems refuse
    odd.write_bytes(b"odd")
    (data / "replays/away").symlink_to(tmp_path / "then")
    stage(read_backup(backup), data)
    done = finish(data, WHEN)
    assert done is not None
    assert done.problem == ""
    assert done.previous is not None
    rest = done.previous.with_suffix("")
    assert sorted(one.relative_to(rest).as_posix() for one in rest.rglob("*")) == [
        "replays",
        "replays/a",
        "replays/a/what now?.rpl",
        "replays/away",
    ]
    assert (rest / "replays/a/what now?.rpl").read_bytes() == b"odd"
    assert (rest / "replays/away").is_symlink()


def test_that_place_may_be_on_another_drive(tmp_path, backup, monkeypatch):
    """As where the folder of the backups is a link to a large drive."""
    data = here(tmp_path / "data")
    (data / "replays/a/what now?.rpl").write_bytes(b"odd")
    real = os.rename

    def renamed(source: "str | Path", target: "str | Path") -> None:
        if "before-restore" in str(target):
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        real(source, target)

    stage(read_backup(backup), data)
    monkeypatch.setattr(os, "rename", renamed)
    done = finish(data, WHEN)
    assert done is not None
    assert done.problem == ""
    assert done.previous is not None
    kept = done.previous.with_suffix("") / "replays/a/what now?.rpl"
    assert kept.read_bytes() == b"odd"


def test_it_can_be_called_off(tmp_path, backup):
    data = here(tmp_path / "data")
    before = contents(data)
    stage(read_backup(backup), data)
    assert cancel(data)
    assert not cancel(data)
    assert finish(data, WHEN) is None
    assert contents(data) == before
    with pytest.raises(BackupCancelledError):
        stage(read_backup(backup), data, Watch(is_cancelled=lambda: True))
    assert contents(data) == before


class Killed(BaseException):
    """The process ends here."""


@contextmanager
def failing(monkeypatch: pytest.MonkeyPatch, at: int, error: BaseException) -> Iterator[list[int]]:
    """Let the system's `at`-th change of names fail; yield the number of those so far."""
    count = [0]

    def counted(name: str) -> None:
        real = getattr(os, name)

        def call(*arguments: object, **options: object) -> object:
            count[0] += 1
            if count[0] == at:
                raise error
            return real(*arguments, **options)

        patch.setattr(os, name, call)

    with monkeypatch.context() as patch:
        for name in ("rename", "replace", "mkdir"):
            counted(name)
        yield count


@pytest.mark.thorough
def test_killed_at_any_step_it_goes_on_at_the_next_start(tmp_path, backup, monkeypatch):
    found, at = read_backup(backup), 0
    while True:
        at += 1
        data = here(tmp_path / f"data{at}")
        before, after = contents(data), wanted(tmp_path, data)
        has_ended = False
        try:
            with failing(monkeypatch, at, Killed()):
                stage(found, data)
                finish(data, WHEN)
                has_ended = True
        except Killed:
            pass
        finish(data, WHEN)
        assert contents(data) in (before, after), f"killed at change {at}"
        if not list(data.glob("backups/*.zip")) and contents(data) == after:
            pytest.fail(f"killed at change {at}: what was there is in no backup")
        if has_ended:
            break
    assert at > 15


def test_what_the_system_refuses_leaves_all_as_it_was(tmp_path, backup, monkeypatch):
    found, at, n_refused = read_backup(backup), 0, 0
    while True:
        at += 1
        data = here(tmp_path / f"data{at}")
        before, after = contents(data), wanted(tmp_path, data)
        stage(found, data)
        with failing(monkeypatch, at, OSError(5, "no")) as count:
            done = finish(data, WHEN)
        assert done is not None
        if done.problem:
            n_refused += 1
            assert contents(data) == before, f"change {at}: {done.problem}"
        else:
            assert finish(data, WHEN) is None
            assert contents(data) == after, f"change {at}"
        if count[0] < at:
            break
    assert n_refused > 8


def stopped_in_between(
    tmp_path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[int, Path, dict[str, bytes], dict[str, bytes]]]:
    """Yield data folders in which a restore was killed while things were moved.

    With the step, what was there, and what should be there in the end.
    """
    found, at, is_killed = read_backup(backup), 0, True
    while is_killed:
        at, is_killed = at + 1, False
        data = here(tmp_path / f"data{at}")
        before, after = contents(data), wanted(tmp_path, data)
        stage(found, data)
        try:
            with failing(monkeypatch, at, Killed()):
                finish(data, WHEN)
        except Killed:
            is_killed = True
        names = ("previous.json", "restore.json")
        if all((data / PENDING / name).exists() for name in names):
            yield at, data, before, after


def without_what_waits(data: Path) -> dict[str, bytes]:
    return {name: raw for name, raw in contents(data).items() if not name.startswith(PENDING)}


def test_what_has_gone_comes_back_when_nobody_knows_what_for(tmp_path, backup, monkeypatch):
    n_stopped = 0
    for at, data, before, _ in stopped_in_between(tmp_path, backup, monkeypatch):
        n_stopped += 1
        (data / PENDING / "restore.json").write_bytes(b"{")
        done = finish(data, WHEN)
        assert done is not None
        assert "restore.json" in done.problem
        assert not done.waits
        assert done.previous == data / "backups/before-restore-20480510-080000.zip"
        assert contents(data) == before, f"killed at change {at}"
        assert finish(data, WHEN) is None
    assert n_stopped > 8


@pytest.mark.thorough
def test_what_cannot_be_read_for_a_moment_is_restored_at_the_next_start(
    tmp_path, backup, monkeypatch
):
    def away(path: Path, _most_bytes: int) -> bytes:
        if path.name == "restore.json":
            raise OSError(5, "Input/output error")
        return read_limited(path, _most_bytes)

    for at, data, before, after in stopped_in_between(tmp_path, backup, monkeypatch):
        with monkeypatch.context() as patch:
            patch.setattr("engine.platform.files.input_file.read_limited", away)
            done = finish(data, WHEN)
        assert done is not None
        assert "Input/output error" in done.problem
        assert done.waits
        assert without_what_waits(data) == before, f"killed at change {at}"
        (data / "settings.json").write_bytes(b"changed meanwhile")
        done = finish(data, WHEN)
        assert done is not None
        assert (done.problem, contents(data)) == ("", after), f"killed at change {at}"
        assert done.previous is not None
        with zipfile.ZipFile(done.previous) as archive:
            assert archive.read("settings.json") == b"changed meanwhile"


def test_a_restore_that_cannot_be_read_before_it_begins_waits_on(tmp_path, backup, monkeypatch):
    data = here(tmp_path / "data")
    before, after = contents(data), wanted(tmp_path, data)
    stage(read_backup(backup), data)
    away = Mock(side_effect=OSError(5, "Input/output error"))
    with monkeypatch.context() as patch:
        patch.setattr("engine.platform.files.input_file.read_limited", away)
        done = finish(data, WHEN)
    assert done is not None
    assert (done.previous, without_what_waits(data)) == (None, before)
    finish(data, WHEN)
    assert contents(data) == after


def made(path: Path, content: dict[str, bytes], **changes: object) -> Path:
    """Write a backup by hand; `changes` are fields of its list."""
    data = {
        "format": "endgame2048-backup",
        "version": 1,
        "made": "2048",
        "program": "",
        "covers": ["game", "settings.json"],
        "files": [
            {
                "path": name,
                "size": len(raw),
                "blake2b": hashlib.blake2b(raw, digest_size=32).hexdigest(),
            }
            for name, raw in content.items()
        ],
        **changes,
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in content.items():
            archive.writestr(name, raw)
        archive.writestr("backup.json", json.dumps(data))
    return path


def test_one_made_by_hand_is_taken(tmp_path):
    """Or the refusals below would show nothing."""
    stage(read_backup(made(tmp_path / "a.zip", {"game/a": b"1"})), tmp_path / "data")
    assert finish(tmp_path / "data", WHEN) is not None
    assert (tmp_path / "data/game/a").read_bytes() == b"1"


@pytest.mark.parametrize(
    "name",
    [
        "../evil", "game/../../evil", "/etc/evil", "game/./a", "game//a", "C:/evil", "game\\..\\x",
        "tables/442_128/manifest.json", "window.lock", "restore.pending/new/game", "game/con",
        "game/a.", "game/a\x01", "game/" + "x" * 300, "settings.json/../../evil", "backup.json/x",
        "settings.json/x", "mistakes.db/x", "minigames", "game", "game/current.log/x",
        "game/Current.Log/x", "minigames/ice-normal.json/x", "minigames/replays", "tests/a.json/b",
    ],
)  # fmt: skip
def test_a_name_that_leads_elsewhere_is_refused(tmp_path, name):
    covers = ["game", "settings.json", "mistakes.db", "minigames", "tests"]
    path = made(tmp_path / "a.zip", {name: b"evil"}, covers=covers)
    with pytest.raises(BackupError):
        read_backup(path)
    assert [one.name for one in tmp_path.iterdir()] == ["a.zip"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"format": "zip"}, "not a backup"),
        ({"version": 2}, "later version"),
        ({"covers": ["tables"]}, "doesn't know"),
        ({"files": []}, "does not have the files"),
        ({"files": "all"}, "files"),
        ({"files": [{"path": "game/a", "size": -1, "blake2b": "0" * 64}]}, "size"),
        ({"files": [{"path": "game/a", "size": 1 << 50, "blake2b": "0" * 64}]}, "no backup does"),
        ({"files": [{"path": "game/a", "size": 5, "blake2b": "0" * 64}]}, "not what its list"),
        ({"files": [{"path": "game/a", "size": 1, "blake2b": "zz"}]}, "64 hexadecimal"),
    ],
)
def test_a_list_that_is_wrong_is_refused(tmp_path, changes, why):
    with pytest.raises(BackupError, match=why):
        read_backup(made(tmp_path / "a.zip", {"game/a": b"1"}, **changes))


@pytest.mark.parametrize(
    "name",
    [
        *NAMES_OF_FILES,
        "replays/my.json/a.txt",
        "analyses/a.json/b.html",
        "minigames/replays/a.json",
    ],
)
def test_names_of_files_and_folders_that_the_program_makes_are_taken(tmp_path, name):
    path = made(tmp_path / "a.zip", {name: b"x"}, covers=[name.partition("/")[0]])
    assert [file.path for file in read_backup(path).manifest.files] == [name]


def test_a_backup_leaves_out_what_is_in_the_wrong_place(tmp_path):
    data = tmp_path / "data"
    (data / "settings.json").mkdir(parents=True)
    for name in ("settings.json/x", "minigames", "state.json"):
        (data / name).write_bytes(b"{}")
    done = write_backup(data, tmp_path / "a.zip", NOW)
    assert len(done.problems) == 2
    assert all("the other way around" in problem for problem in done.problems)
    assert [file.path for file in read_backup(done.path).manifest.files] == ["state.json"]


def test_what_a_backup_says_cannot_command_the_terminal(tmp_path, capsys):
    red = made(tmp_path / "a.zip", {"game/a": b"1"}, made="\x1b[31m\x9b1mred\x07")
    where = ["--data-dir", str(tmp_path / "data")]
    assert main(["restore", str(red), "--dry-run", *where]) == 0
    assert "\\x1b[31m\\x9b1mred\\x07" in capsys.readouterr().out
    assert main(["restore", str(tmp_path / "\x1b[31mred\x9b.zip"), *where]) == 2
    assert "\\x1b[31mred\\x9b.zip" in capsys.readouterr().err


def test_names_that_are_one_on_other_systems_are_refused(tmp_path):
    with pytest.raises(BackupError, match="twice"):
        read_backup(made(tmp_path / "a.zip", {"game/a": b"1", "game/A": b"2"}))
    with pytest.raises(BackupError, match="as a folder"):
        read_backup(made(tmp_path / "b.zip", {"game/a": b"1", "game/a/b": b"2"}))


def test_another_checksum_is_noticed_and_nothing_stays(tmp_path):
    wrong = {"path": "game/a", "size": 1, "blake2b": "0" * 64}
    backup = read_backup(made(tmp_path / "a.zip", {"game/a": b"1"}, files=[wrong]))
    with pytest.raises(BackupError, match="checksum"):
        stage(backup, tmp_path / "data")
    assert list((tmp_path / "data").iterdir()) == []


def test_a_link_in_a_zip_becomes_a_file(tmp_path):
    path = made(tmp_path / "a.zip", {"game/a": b"/etc/passwd"})
    raw = bytearray(path.read_bytes())
    entry = raw.index(b"PK\1\2")
    raw[entry + 5] = 3  # made on Unix
    struct.pack_into("<L", raw, entry + 38, (stat.S_IFLNK | 0o777) << 16)
    path.write_bytes(raw)
    stage(read_backup(path), tmp_path / "data")
    finish(tmp_path / "data", WHEN)
    assert not (tmp_path / "data/game/a").is_symlink()


@pytest.mark.parametrize("n_bytes", [0, 10, 100, 1 << 20])
def test_what_is_no_zip_is_refused(tmp_path, n_bytes):
    (tmp_path / "a.zip").write_bytes(bytes(n_bytes))
    with pytest.raises(BackupError):
        read_backup(tmp_path / "a.zip")


def test_a_zip_of_others_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(BackupError, match="not a backup of this program"):
        read_backup(tmp_path / "a.zip")


def test_any_damaged_byte_is_refused_or_changes_nothing(tmp_path):
    good = made(tmp_path / "a.zip", {"game/a": b"12345"}).read_bytes()
    path = tmp_path / "b.zip"
    for at in range(0, len(good), 3):
        path.write_bytes(good[:at] + bytes([good[at] ^ 0x41]) + good[at + 1 :])
        data = tmp_path / "data"
        try:
            stage(read_backup(path), data)
        except BackupError:
            continue
        finish(data, WHEN)
        assert (data / "game/a").read_bytes() == b"12345", f"byte {at}"


def test_a_giant_list_is_not_read(tmp_path):
    path = made(tmp_path / "a.zip", {"game/a": b"1"})
    raw = bytearray(path.read_bytes())
    struct.pack_into("<L", raw, len(raw) - 10, 0xFFFF_FFF0)
    path.write_bytes(raw)
    with pytest.raises(BackupError, match="damaged or not a backup"):
        read_backup(path)


def test_safe_names():
    assert is_safe_name("tests/ä ö.json")
    assert not is_safe_name("tests/\udcff")
