"""What backups have: all that a person made, consistent, of this version and earlier ones."""

import json
import sqlite3
import zipfile
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path

import pytest

from coach.backup.archive import BackupCancelledError, Watch, write_backup
from coach.backup.contents import sizes
from coach.backup.manifest import BackupError, BackupTable
from coach.backup.opening import comparison, read_backup
from coach.backup.restoring import Restored, finish, stage
from coach.mistakes.mistake import TableKey
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.record import Record, add_records
from coach.old_files.opening import open_user_database
from coach.record.user_database import NAME, UserDatabase
from engine.platform.files.file_lock import FileLock
from engine.platform.user_folders import WINDOW_LOCK
from main import main
from tests.coach.old_files.stage import make_all, new_rows, old_rows, read, state_of

NOW = datetime(2048, 5, 9, 12, 30, tzinfo=timezone.utc)


def fill(data: Path, text: str) -> dict[str, bytes]:
    """Make files of every kind; return what a backup should have of them."""
    files = {
        "settings.json": b'{"version": 1, "values": {"theme": "dark"}}',
        "state.json": b'{"version": 1, "values": {}}',
        "color_schemes.txt": b"# none\n",
        "patterns_config.json": b"{}",
        "tests/2048-01-01.json": text.encode(),
        "game/current.log": text.encode() * 1000,
        "replays/a/b.txt": b"",
        "minigames/ice-normal.json": text.encode(),
        "analyses/one/report.html": text.encode(),
    }
    for name, content in files.items():
        path = data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for name in ("tables/442_128/manifest.json", "logs/x.log", "backups/old.zip", "own notes.txt"):
        path = data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"not in it")
    return files


def test_it_has_what_a_person_made_and_nothing_else(tmp_path):
    files = fill(tmp_path / "data", "one")
    (tmp_path / "data/game/x.log.0123456789ab.part").write_bytes(b"unfinished")
    (tmp_path / "data/game/link").symlink_to(tmp_path)
    table = BackupTable("442_128", "/drive/442_128", "complete", 12)
    done = write_backup(tmp_path / "data", tmp_path / "a.zip", NOW, [table])
    assert (done.n_files, done.problems) == (len(files), ())
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert archive.testzip() is None
        found = {name: archive.read(name) for name in archive.namelist()}
    assert json.loads(found.pop("backup.json"))["tables"][0]["folder"] == "/drive/442_128"
    assert found == files
    manifest = read_backup(tmp_path / "a.zip").manifest
    assert (manifest.made, manifest.tables) == ("2048-05-09T12:30:00+00:00", (table,))


def test_a_database_in_use_is_copied_whole(tmp_path):
    data = tmp_path / "data"
    mistakes = Mistakes(UserDatabase(data))
    record = Record(TableKey("L3_512", 0.1), 0x1230 << 48, (1,), 3, 0.6, 0.2, "full")
    add_records(mistakes, [record])
    assert (data / "user.db-wal").stat().st_size > 0, "it is in the log beside the file"
    write_backup(data, tmp_path / "a.zip", NOW)
    mistakes.close()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert archive.namelist() == ["user.db", "backup.json"]
        archive.extract("user.db", tmp_path / "out")
    with closing(sqlite3.connect(tmp_path / "out/user.db")) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert copy.execute("SELECT count, total_loss FROM mistake").fetchall() == [(3, 0.6)]


def test_a_damaged_database_is_copied_as_it_is(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    (data / "tests.db").write_bytes(b"no database" * 100)
    done = write_backup(data, tmp_path / "a.zip", NOW)
    assert len(done.problems) == 1
    assert done.problems[0].startswith("tests.db: it is copied as it is")
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert archive.read("tests.db") == b"no database" * 100


def test_a_cancelled_one_leaves_the_old_one(tmp_path):
    fill(tmp_path / "data", "one")
    (tmp_path / "a.zip").write_bytes(b"old")
    answers = iter([False] * 3 + [True] * 100)
    watch = Watch(is_cancelled=lambda: next(answers))
    with pytest.raises(BackupCancelledError):
        write_backup(tmp_path / "data", tmp_path / "a.zip", NOW, watch=watch)
    assert (tmp_path / "a.zip").read_bytes() == b"old"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.zip", "data"]


def test_it_tells_how_far_it_is(tmp_path):
    fill(tmp_path / "data", "one")
    shares: list[float] = []
    write_backup(tmp_path / "data", tmp_path / "a.zip", NOW, watch=Watch(shares.append))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_it_does_not_replace_what_it_keeps_in_a_linked_folder(tmp_path):
    fill(tmp_path / "data", "now")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "data")
    with pytest.raises(BackupError, match="another folder"):
        write_backup(link, link / "settings.json", NOW)


def test_a_link_in_a_circle_is_left_out(tmp_path):
    wanted = fill(tmp_path / "data", "now")
    (tmp_path / "data/user.db").symlink_to("user.db")
    written = write_backup(tmp_path / "data", tmp_path / "a.zip", NOW)
    assert {file.path for file in read_backup(written.path).manifest.files} == wanted.keys()


@pytest.mark.parametrize("place", ["game", "tests/deep"])
def test_it_does_not_lie_among_what_it_keeps(tmp_path, place):
    folder = tmp_path / place
    folder.mkdir(parents=True)
    with pytest.raises(BackupError, match="another folder"):
        write_backup(tmp_path, folder / "a.zip", NOW)


def test_sizes_and_what_would_be_replaced(tmp_path):
    data = tmp_path / "data"
    fill(data, "one")
    assert sizes(data)["game"] == 3000
    assert sizes(data)["tables"] == len("not in it")
    write_backup(data, tmp_path / "a.zip", NOW)
    (data / "game/current.log").write_bytes(b"x")
    rows = {
        row.key: (row.before, row.after)
        for row in comparison(read_backup(tmp_path / "a.zip"), data)
    }
    assert rows["game"] == (1, 3000)
    assert "mistakes" not in rows, "nobody has any"


def test_the_commands(tmp_path, capsys):
    data, file = tmp_path / "data", tmp_path / "a.zip"
    fill(data, "one")
    where = ["--data-dir", str(data), "--json"]
    assert main(["backup", str(file), *where]) == 0
    (data / "game/current.log").write_bytes(b"x")
    assert main(["restore", str(file), "--dry-run", *where]) == 0
    assert (data / "game/current.log").read_bytes() == b"x"
    assert main(["restore", str(file), *where]) == 0
    assert (data / "game/current.log").read_bytes() == b"one" * 1000
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    done = [event for event in events if event["event"] == "done"]
    assert [one.get("restored") for one in done] == [None, True]
    assert main(["restore", done[1]["previous"], *where]) == 0
    assert (data / "game/current.log").read_bytes() == b"x", "and back again"


def test_another_backup_replaces_one_that_waits_for_the_next_start(tmp_path, capsys):
    data, log = tmp_path / "data", tmp_path / "data/game/current.log"
    fill(data, "a")
    where = ["--data-dir", str(data), "--json"]
    for text in ("one", "two"):
        log.write_text(text)
        assert main(["backup", str(tmp_path / f"{text}.zip"), *where]) == 0
    log.write_text("now")
    window = FileLock(data / WINDOW_LOCK)
    assert window.take()
    assert main(["restore", str(tmp_path / "one.zip"), *where]) == 0
    window.remove()
    assert main(["restore", str(tmp_path / "two.zip"), *where]) == 0
    assert log.read_text() == "two"
    done = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert main(["restore", done["previous"], *where]) == 0
    assert log.read_text() == "now", "what was there before"


@pytest.mark.parametrize("name", ["", "there", "nowhere/a.zip"])
def test_what_cannot_be_written_is_told_before_any_work(tmp_path, capsys, name):
    (tmp_path / "there").mkdir()
    fill(tmp_path / "data", "one")
    file = str(tmp_path / name) if name else ""
    try:
        status = main(["backup", file, "--data-dir", str(tmp_path / "data"), "--json"])
    except SystemExit as error:
        status = error.code
    told = capsys.readouterr()
    assert (status, told.out) == (2, ""), "no progress"
    assert "cannot write" in told.err if name else "no file" in told.err


LATER = datetime(2026, 11, 12, 13, 14, 15)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return make_all(tmp_path / "old")


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    return tmp_path / "a.zip"


def restored(backup: Path, data_dir: Path) -> Restored:
    stage(read_backup(backup), data_dir)
    done = finish(data_dir, LATER)
    assert done
    assert not done.problem
    return done


def entries(backup: Path) -> set[str]:
    return {file.path for file in read_backup(backup).manifest.files}


def test_what_was_not_read_in_yet_is_backed_up_as_it_is(old, backup):
    write_backup(old, backup, LATER)
    assert entries(backup) == {"mistakes.db", "puzzles.db", "analyses.db"}
    assert not (old / NAME).exists()


def test_a_backup_holds_the_database_and_no_old_ones(old, backup):
    read(old)
    write_backup(old, backup, LATER)
    assert entries(backup) == {NAME}


def test_what_is_only_in_the_log_is_in_the_backup(old, backup, tmp_path):
    with closing(Mistakes(open_user_database(old))) as mistakes:
        mistakes.set_tags(3, ["late"])
        assert (old / f"{NAME}-wal").stat().st_size > 0
        write_backup(old, backup, LATER)
    restored(backup, tmp_path / "new")
    assert [row[1] for row in new_rows(tmp_path / "new")["mistake_tag"]] == ["late"]


def test_an_old_backup_is_read_in_at_the_next_opening(old, backup, tmp_path):
    write_backup(old, backup, LATER)
    wanted = old_rows(old)
    new = tmp_path / "new"
    restored(backup, new)
    with closing(Mistakes(open_user_database(new))) as mistakes:
        assert mistakes.count() == 2
    assert new_rows(new) == wanted


def test_an_old_backup_replaces_the_database_too(old, backup, tmp_path):
    write_backup(old, backup, LATER)
    wanted = old_rows(old)
    with closing(Mistakes(open_user_database(old))) as mistakes:
        mistakes.delete([3])
    kinds = {row.key: row.after for row in comparison(read_backup(backup), old)}
    assert kinds["record"] == 0
    done = restored(backup, old)
    assert not list(old.glob("user.db*"))
    assert old_rows(old) == wanted
    read(old)
    assert new_rows(old) == wanted
    # What was there before is in the backup that a restore makes first.
    assert done.previous
    assert NAME in entries(done.previous)
    again = tmp_path / "again"
    restored(done.previous, again)
    assert [row[0] for row in new_rows(again)["mistake"]] == [7]


def test_a_new_backup_leaves_old_files_alone(old, backup):
    before = state_of(old)
    read(old)
    write_backup(old, backup, LATER)
    with closing(Mistakes(open_user_database(old))) as mistakes:
        mistakes.delete([3, 7])
    restored(backup, old)
    assert new_rows(old) == old_rows(old)
    assert state_of(old).items() >= before.items()
