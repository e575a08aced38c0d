"""Backups of user.db, and those of earlier versions, which had other databases."""

from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from coach.backup.archive import write_backup
from coach.backup.opening import comparison, read_backup
from coach.backup.restoring import Restored, finish, stage
from coach.mistakes.mistakes import Mistakes
from coach.old_files.opening import open_user_database
from coach.record.user_database import NAME
from tests.coach.old_files.stage import make_all, new_rows, old_rows, read, state_of

NOW = datetime(2026, 11, 12, 13, 14, 15)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return make_all(tmp_path / "old")


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    return tmp_path / "a.zip"


def restored(backup: Path, data_dir: Path) -> Restored:
    stage(read_backup(backup), data_dir)
    done = finish(data_dir, NOW)
    assert done
    assert not done.problem
    return done


def entries(backup: Path) -> set[str]:
    return {file.path for file in read_backup(backup).manifest.files}


def test_what_was_not_read_in_yet_is_backed_up_as_it_is(old, backup):
    write_backup(old, backup, NOW)
    assert entries(backup) == {"mistakes.db", "puzzles.db", "analyses.db"}
    assert not (old / NAME).exists()


def test_a_backup_holds_the_database_and_no_old_ones(old, backup):
    read(old)
    write_backup(old, backup, NOW)
    assert entries(backup) == {NAME}


def test_what_is_only_in_the_log_is_in_the_backup(old, backup, tmp_path):
    with closing(Mistakes(open_user_database(old))) as mistakes:
        mistakes.set_tags(3, ["late"])
        assert (old / f"{NAME}-wal").stat().st_size > 0
        write_backup(old, backup, NOW)
    restored(backup, tmp_path / "new")
    assert [row[1] for row in new_rows(tmp_path / "new")["mistake_tag"]] == ["late"]


def test_an_old_backup_is_read_in_at_the_next_opening(old, backup, tmp_path):
    write_backup(old, backup, NOW)
    wanted = old_rows(old)
    new = tmp_path / "new"
    restored(backup, new)
    with closing(Mistakes(open_user_database(new))) as mistakes:
        assert mistakes.count() == 2
    assert new_rows(new) == wanted


def test_an_old_backup_replaces_the_database_too(old, backup, tmp_path):
    write_backup(old, backup, NOW)
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
    write_backup(old, backup, NOW)
    with closing(Mistakes(open_user_database(old))) as mistakes:
        mistakes.delete([3, 7])
    restored(backup, old)
    assert new_rows(old) == old_rows(old)
    assert state_of(old).items() >= before.items()
