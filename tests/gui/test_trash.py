"""Deleting tables on several drives: all folders go, and all come back."""

import os
import shutil

import pytest

from engine.errors import AppError
from gui.tables.trash import Trash
from tablebase.formation import load_formations
from tablebase.store.elsewhere import Elsewhere, Part
from tablebase.store.manifest import Manifest

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
        Part.of(manifest, home).save(part)
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


def test_a_new_part_in_the_old_place_is_not_replaced(table):
    trashed = Trash().put(table)
    parts_of(table)[0].mkdir()
    with pytest.raises(AppError, match="in the old one's place"):
        Trash().restore(trashed)
    assert not table.exists()
