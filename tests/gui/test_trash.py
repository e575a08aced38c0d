"""Deleting tables on several drives: all folders go, and all come back."""

import errno
import os
import shutil
import subprocess
import sys
import time

import pytest

from engine.platform.errors import AppError
from engine.platform.files.file_lock import FileLock
from gui.table_work.trash import Trash
from tablebase.formation.patterns_file import load_formations
from tablebase.store.manifest import Manifest
from tablebase.store.parts_index import Elsewhere, PartRecord

NAME = "2x4_64"


@pytest.fixture
def table(data_dir):
    """A table whose record names two folders on other drives; its layers do not matter here."""
    home = data_dir / "tables" / NAME
    home.mkdir()
    manifest = Manifest(load_formations()["2x4"], 64)
    manifest.save(home)
    parts = {}
    for i, drive in enumerate(("one", "two")):
        part = data_dir / drive / NAME
        part.mkdir(parents=True)
        PartRecord.of(manifest, home).save(part)
        (part / f"layer-{i:04d}.tbl").write_bytes(b"layer")
        parts[part] = frozenset({i})
    Elsewhere(manifest.identity, parts).save(home)
    return home


def parts_of(table):
    return [table.parent.parent / drive / NAME for drive in ("one", "two")]


def everything(data_dir):
    return sorted(str(p.relative_to(data_dir)) for p in data_dir.rglob("*") if p.is_file())


def test_the_parts_go_along_and_come_back(table, data_dir):
    before = everything(data_dir)
    trashed = Trash().put(table)
    assert not table.exists()
    assert [moved.place for moved in trashed.parts] == parts_of(table)
    assert not any(part.exists() for part in parts_of(table))
    Trash().restore(trashed)
    assert everything(data_dir) == before
    assert not list(data_dir.rglob(".trash"))


def test_discarding_leaves_nothing_anywhere(table, data_dir):
    Trash().discard(Trash().put(table))
    assert everything(data_dir) == []
    assert not list(data_dir.rglob(".trash"))


def test_a_drive_that_is_missing_keeps_its_part(table, data_dir):
    one, two = parts_of(table)
    two.parent.rename(data_dir / "away")
    trashed = Trash().put(table)
    assert [moved.place for moved in trashed.parts] == [one]
    assert trashed.left == (two,)


def test_a_part_that_another_copy_needs_stays(table):
    copy = table.parent / "copy"
    shutil.copytree(table, copy)
    one, two = parts_of(table)
    trashed = Trash().put(copy)
    assert trashed.left == (one, two)
    assert one.is_dir()


def test_when_one_cannot_be_moved_none_is(table, data_dir, monkeypatch):
    before, rename = everything(data_dir), os.rename

    def stubborn(source, target):
        if "two" in str(source):
            raise PermissionError(13, "Permission denied")
        rename(source, target)

    monkeypatch.setattr(os, "rename", stubborn)
    with pytest.raises(AppError, match="could not be deleted"):
        Trash().put(table)
    assert everything(data_dir) == before


def test_what_a_crash_left_is_removed_from_all_drives(table, data_dir):
    Trash().put(table)
    Trash().empty([table.parent])
    assert everything(data_dir) == []


def test_when_one_cannot_come_back_none_does(table, data_dir, monkeypatch):
    before, trash, rename = everything(data_dir), Trash(), os.rename
    trashed = trash.put(table)

    def stubborn(source, target):
        if target == table:  # the last one
            raise PermissionError(13, "Permission denied")
        rename(source, target)

    monkeypatch.setattr(os, "rename", stubborn)
    with pytest.raises(AppError, match="could not be restored"):
        trash.restore(trashed)
    assert not any(place.exists() for place in (table, *parts_of(table)))
    monkeypatch.undo()
    trash.restore(trashed)
    assert everything(data_dir) == before
    assert not list(data_dir.rglob(".trash"))


def test_no_later_session_empties_what_was_asked_back(table, data_dir):
    before, trash = everything(data_dir), Trash()
    trashed = trash.put(table)
    table.mkdir()
    with pytest.raises(AppError, match="in the old one's place"):
        trash.restore(trashed)
    table.rmdir()
    del trash  # with it goes who holds the locks
    later = Trash()
    later.empty([table.parent, *(part.parent for part in parts_of(table))])
    later.restore(trashed)
    assert everything(data_dir) == before
    assert not list(data_dir.rglob(".trash"))


def test_a_new_part_in_the_old_place_is_not_replaced(table):
    trash = Trash()
    trashed = trash.put(table)
    assert trashed.taken_place is None
    parts_of(table)[0].mkdir()
    assert trashed.taken_place
    with pytest.raises(AppError, match="in the old one's place"):
        trash.restore(trashed)
    assert not table.exists()


DELETE = """
import sys
from pathlib import Path
from gui.table_work.trash import Trash
trash = Trash()
trashed = trash.put(Path(sys.argv[1]))
print(trashed.kept, flush=True)
if sys.stdin.readline():
    trash.restore(trashed)
"""


@pytest.fixture
def owner(table):
    """Another process that has deleted the table and offers to bring it back."""
    command = [sys.executable, "-c", DELETE, str(table)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout.readline().startswith(str(table.parent / ".trash" / NAME))
        yield child
        child.kill()


@pytest.mark.thorough
def test_nobody_removes_what_another_process_can_still_bring_back(owner, table, data_dir):
    folders = [table.parent, *(part.parent for part in parts_of(table))]
    Trash().empty(folders)
    owner.communicate("\n")
    assert owner.returncode == 0
    assert (table / "manifest.json").is_file()
    assert all(part.is_dir() for part in parts_of(table))
    assert not list(data_dir.rglob(".trash"))


@pytest.mark.thorough
def test_what_a_killed_process_left_is_removed_at_the_next_start(owner, table, data_dir):
    owner.kill()
    owner.wait()
    Trash().empty([table.parent])
    assert everything(data_dir) == []
    assert not list(data_dir.rglob(".trash"))


def test_an_owner_does_not_empty_what_it_offers_itself(table, data_dir):
    trash, before = Trash(), everything(data_dir)
    trashed = trash.put(table)
    trash.empty([table.parent])
    trash.restore(trashed)
    assert everything(data_dir) == before


@pytest.mark.parametrize(("age_s", "is_kept"), [(3600, True), (8 * 24 * 3600, False)])
def test_on_a_drive_without_locks_only_what_is_old_is_removed(
    table, data_dir, monkeypatch, age_s, is_kept
):
    def no_locks(_lock):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(FileLock, "take", no_locks)
    now_ns = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now_ns - age_s * 10**9)
    Trash().put(table)
    monkeypatch.setattr(time, "time_ns", lambda: now_ns)
    Trash().empty([table.parent])
    assert bool(everything(data_dir)) is is_kept


def test_what_an_older_program_left_is_removed(table):
    left = table.parent / ".trash" / f"{NAME}.1700000000000000000"
    left.parent.mkdir()
    table.rename(left)
    Trash().empty([table.parent])
    assert not list(table.parent.iterdir())
