"""Moves that can't or must not happen: refused in one sentence, with nothing changed."""

import multiprocessing
import shutil
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest
from child import assert_refused, contents, run
from drives import assert_whole, detached, layers_in, move, read_only

from tablebase.build.builder import BuildPlan, build
from tablebase.errors import BuildRefusedError, MissingTableError
from tablebase.maintain.convert import ConvertPlan, convert
from tablebase.probe.verify import verify
from tablebase.store.build_lock import folder_lock
from tablebase.store.manifest import load_manifest
from tablebase.store.options import TableOptions
from tablebase.store.parts_index import PartRecord

NAME = "2x4_64"


Usage = namedtuple("Usage", "total used free")


def test_too_little_room_is_told_before_anything_happens(monkeypatch, home, drive):
    before = contents(home.parent.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9 - 5000, 5000))
    with pytest.raises(BuildRefusedError, match=r"5\.00 KB free, 1\.\d+ MB are needed: free 1\."):
        move(home, drive)
    assert contents(home.parent.parent) == before
    assert list(drive.iterdir()) == []


def test_on_the_same_drive_one_copy_must_fit_beside_its_original(
    monkeypatch, home, drive, original
):
    largest = max(one.bytes for one in load_manifest(home).layers.values())
    for_small_files = 1 << 20
    free = for_small_files + largest - 1
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9 - free, free))
    with pytest.raises(BuildRefusedError, match=r"free 1 B more there"):
        move(home, drive)
    assert_whole(home, original)
    free += 1
    assert move(home, drive).layers == 80


def test_a_read_only_drive_is_told_and_leaves_the_table_as_it_is(monkeypatch, home, drive):
    before = contents(home)
    with (
        read_only(monkeypatch, drive),
        pytest.raises(BuildRefusedError, match=rf"cannot write {drive}.*Read-only"),
    ):
        move(home, drive)
    assert contents(home) == before
    assert list(drive.iterdir()) == []


def _hold_lock(home: Path, held: Any, let_go: Any) -> None:
    with folder_lock(home):
        held.set()
        let_go.wait(60)


@pytest.mark.thorough
def test_a_table_being_built_is_refused(home, drive):
    context = multiprocessing.get_context("spawn")
    held, let_go = context.Event(), context.Event()
    other = context.Process(target=_hold_lock, args=(home, held, let_go))
    other.start()
    assert held.wait(60)
    with pytest.raises(BuildRefusedError, match=f"process {other.pid}"):
        move(home, drive)
    let_go.set()
    other.join(60)
    assert move(home, drive, range(2)).layers == 2


def test_an_unfinished_table_is_refused(home, drive):
    path = home / "layer-0070.tbl"
    manifest = load_manifest(home)
    layers = {i: layer for i, layer in manifest.layers.items() if i >= 40}
    type(manifest)(manifest.formation, 64, manifest.options, False, layers).save(home)
    with pytest.raises(BuildRefusedError, match="not finished"):
        move(home, drive)
    assert path.exists()


def test_folders_that_cannot_take_layers_are_refused(home, drive, table, tmp_path):
    before = contents(tmp_path)
    inside = home / "inside"
    other = table("44", 64)
    (drive / "file").write_text("")
    (drive / "used" / NAME).mkdir(parents=True)
    (drive / "used" / NAME / "letter.txt").write_text("dear")
    (drive / "odd").mkdir()
    (drive / "odd" / NAME).write_text("a file")
    inside.mkdir()
    for to, words in (
        (drive / "nowhere", "is not a folder"),
        (drive / "file", "is not a folder"),
        (inside, "inside the table itself"),
        (other, "inside a table"),
        (drive / "used", r"letter\.txt"),
        (drive / "odd", "not a folder"),
    ):
        with pytest.raises(BuildRefusedError, match=words):
            move(home, to)
    with pytest.raises(BuildRefusedError, match="0-79"):
        move(home, drive, range(70, 90))
    with pytest.raises(MissingTableError):
        move(tmp_path / "nowhere", drive)
    assert not (tmp_path / "nowhere").exists()
    inside.rmdir()
    shutil.rmtree(drive)
    assert contents(tmp_path) == before


def test_a_part_of_another_table_is_refused(home, drive, table):
    other = load_manifest(table("44", 64))
    (drive / NAME).mkdir()
    PartRecord.of(other, home).save(drive / NAME)
    with pytest.raises(BuildRefusedError, match=r"home\.json"):
        move(home, drive)
    with pytest.raises(BuildRefusedError, match="inside a table"):
        move(home, drive / NAME)


def test_two_copies_of_a_table_do_not_share_a_part(home, drive, original, tmp_path):
    """Somebody copies the home, record and all, and brings the copy's layers together."""
    move(home, drive, range(10, 14))
    copy = tmp_path / "copy" / NAME
    shutil.copytree(home, copy)
    with pytest.raises(BuildRefusedError, match=f"belongs to the table in {home}"):
        move(copy, drive)
    move(copy, copy)
    assert contents(copy) == contents(original)
    assert_whole(home, original)
    assert layers_in(drive / NAME) == [10, 11, 12, 13]
    shutil.rmtree(home)
    shutil.copytree(original, home)
    assert move(copy, drive, range(3)).layers == 3, "nobody else wants it any more"


@pytest.mark.thorough
def test_layers_of_a_table_whose_home_is_away_are_not_replaced(home, drive, original, tmp_path):
    """The same table packed otherwise: its layers have other bytes, its parameters are equal."""
    other = tmp_path / "other" / NAME
    shutil.copytree(original, other)
    convert(ConvertPlan([other], level="small", threads=1))
    part = move(home, drive, range(40)).to
    before = contents(part)
    with detached(home), pytest.raises(BuildRefusedError, match=f"belongs to the table in {home}"):
        move(other, drive)
    assert contents(part) == before
    assert verify(home).ok
    assert verify(other).ok


def test_damaged_layers_of_ones_own_are_moved_again(home, drive, original):
    """The home was copied back from a backup, which knows nothing of the part."""
    part = move(home, drive, range(3)).to
    with (part / "layer-0001.tbl").open("r+b") as file:
        file.truncate(10)
    shutil.rmtree(home)
    shutil.copytree(original, home)
    move(home, drive, range(3))
    assert_whole(home, original)
    assert layers_in(part) == [0, 1, 2]


@pytest.mark.thorough
@pytest.mark.parametrize("record", ["intact", "damaged"])
def test_no_table_is_built_over_the_layers_of_another(home, drive, formations, record):
    part = move(home, drive, range(40)).to
    if record == "damaged":
        (part / "home.json").write_text("{}")
    before = contents(part)
    options = TableOptions(rate="uint16")
    with pytest.raises(BuildRefusedError, match=r"choose another|in the way"):
        build(BuildPlan(formations["2x4"], 64, part, options, threads=1))
    assert contents(part) == before
    if record == "intact":
        assert verify(home).ok


def test_layers_that_are_away_cannot_be_moved(home, drive, original):
    move(home, drive, range(10, 14))
    with detached(drive):
        with pytest.raises(MissingTableError, match="layer 10 of 2x4_64 is in"):
            move(home, home)
        other = home.parent.parent / "third"
        other.mkdir()
        assert move(home, other, range(20, 22)).layers == 2, "others can"
    assert_whole(home, original)


def test_the_command_refuses_in_one_line(home, drive):
    assert_refused(run("relocate", home, "--to", drive / "nowhere", "--json"), "not a folder")
    for layers in ("9-3", "x", "-1-4", "3-", "1,2"):
        assert_refused(run("relocate", home, "--to", drive, f"--layers={layers}"), "A-B")
    assert_refused(run("relocate", home), "--to")
    assert_refused(run("relocate", home, "--to", drive, "--all", "--bytes", "5G"), "not allowed")
    assert_refused(run("relocate", drive, "--to", drive), "no table")
