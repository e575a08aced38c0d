"""Layers move to another drive and back; the table is whole at every moment."""

import errno
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest
from child import assert_refused, contents, environment, json_lines, run
from drives import detached, layers_in, read_only
from makers import TableMaker

from tablebase import catalog
from tablebase.errors import (
    BuildCancelledError,
    BuildRefusedError,
    DamagedTableError,
    DiskFullError,
    MissingTableError,
)
from tablebase.progress import Progress
from tablebase.reader import Tablebase
from tablebase.relocate import RelocatePlan, RelocateResult, relocate
from tablebase.store.elsewhere import Part
from tablebase.store.lock import folder_lock
from tablebase.store.manifest import load_manifest
from tablebase.verify import verify

NAME = "2x4_64"
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def original(table: TableMaker) -> Path:
    return table("2x4", 64)


@pytest.fixture
def home(original: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "tables" / NAME
    shutil.copytree(original, folder)
    return folder


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    folder = tmp_path / "drive"
    folder.mkdir()
    return folder


def move(home: Path, to: Path, layers: range | None = None, **more: Any) -> RelocateResult:
    return relocate(RelocatePlan([home], to, layers, **more))


def assert_whole(home: Path, original: Path) -> None:
    """Every layer is found once, with its own bytes."""
    with Tablebase.open(home) as table:
        assert table.locations.warning == ""
        for layer, path in table.locations.layers.items():
            assert path.read_bytes() == (original / path.name).read_bytes()
            assert layer in table.manifest.layers
        assert len(table.locations.layers) == table.n_layers


def test_layers_move_and_the_table_stays_whole(home: Path, drive: Path, original: Path) -> None:
    result = move(home, drive, range(3, 10))
    assert (result.table, result.to, result.layers) == (home, drive / NAME, 7)
    sizes = [(original / f"layer-{layer:04d}.tbl").stat().st_size for layer in range(3, 10)]
    assert result.bytes == sum(sizes)
    assert layers_in(drive / NAME) == [*range(3, 10)]
    assert layers_in(home) == [0, 1, 2, *range(10, 80)]
    assert_whole(home, original)
    assert verify(home, sample=50).ok
    (info,) = catalog.scan([home.parent, drive])
    assert info.state == "complete"


def test_all_layers_move_and_come_back_without_a_trace(
    home: Path, drive: Path, original: Path
) -> None:
    assert move(home, drive).layers == 80
    assert sorted(path.name for path in home.iterdir()) == ["elsewhere.json", "manifest.json"]
    assert_whole(home, original)
    assert move(home, home).layers == 80
    assert contents(home) == contents(original)
    assert list(drive.iterdir()) == []


def test_the_folder_that_holds_the_table_means_its_home(
    home: Path, drive: Path, original: Path
) -> None:
    move(home, drive, range(5))
    move(home, home.parent)
    assert contents(home) == contents(original)


def test_the_same_again_moves_nothing(home: Path, drive: Path) -> None:
    move(home, drive, range(3, 10))
    before = contents(home.parent.parent)
    for to in (drive, drive / NAME):
        assert move(home, to, range(3, 10)).layers == 0
    assert contents(home.parent.parent) == before


def test_layers_move_from_one_drive_to_the_next(
    home: Path, drive: Path, original: Path, tmp_path: Path
) -> None:
    third = tmp_path / "third"
    third.mkdir()
    move(home, drive, range(3, 10))
    move(home, third, range(5, 12))
    assert layers_in(drive / NAME) == [3, 4]
    assert layers_in(third / NAME) == [*range(5, 12)]
    assert_whole(home, original)
    move(home, third)
    assert list(drive.iterdir()) == [], "an empty part is removed"
    assert_whole(home, original)


def test_as_many_layers_move_as_fit_into_a_number_of_bytes(
    home: Path, drive: Path, tmp_path: Path
) -> None:
    sizes = {layer: one.bytes for layer, one in load_manifest(home).layers.items()}
    limit = sum(sizes[layer] for layer in range(10)) + 1
    result = move(home, drive, most_bytes=limit)
    assert limit - min(sizes.values()) < result.bytes <= limit
    assert layers_in(drive / NAME)[:10] == [*range(10)]
    assert move(home, drive, most_bytes=limit).layers == 0, "it holds as many already"
    with pytest.raises(BuildRefusedError, match="the smallest has"):
        move(home, tmp_path, most_bytes=10)


def test_an_open_table_goes_on(home: Path, drive: Path) -> None:
    with Tablebase.open(home) as table:
        boards = [table.stored_board(layer, 0)[0] for layer in range(5, 70)]
        rates = [table.rate_of(board) for board in boards]
        move(home, drive)
        assert [table.rate_of(board) for board in boards] == rates


def test_progress_ends_with_everything(home: Path, drive: Path) -> None:
    told: list[Progress] = []
    result = relocate(RelocatePlan([home], drive, range(10, 20)), told.append)
    assert {progress.phase for progress in told} == {"relocate"}
    assert {progress.layer for progress in told} == set(range(10, 20))
    fractions = [progress.fraction for progress in told]
    assert fractions == sorted(fractions)
    assert 0 == fractions[0] < fractions[-1] <= 1
    assert told[-1].bytes == result.bytes


@pytest.mark.parametrize("moment", [1, 2, 9, 30])
def test_a_cancelled_move_goes_on(home: Path, drive: Path, original: Path, moment: int) -> None:
    asked = iter(range(1000))
    with pytest.raises(BuildCancelledError, match="the table is whole"):
        relocate(RelocatePlan([home], drive), is_cancelled=lambda: next(asked) >= moment)
    assert list(home.parent.parent.rglob("*.part")) == []
    assert_whole(home, original)
    move(home, drive)
    assert layers_in(home) == []
    assert_whole(home, original)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked processes")
def test_a_kill_at_any_write_leaves_a_whole_table(original: Path, tmp_path: Path) -> None:
    script = Path(__file__).with_name("relocate_kills.py")
    result = subprocess.run(
        [sys.executable, script, original, tmp_path / "scratch"],
        capture_output=True,
        text=True,
        env={**environment(), "PYTHONPATH": str(ROOT)},
        timeout=200,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    lines = json_lines(result.stdout)
    assert [line for line in lines if line["wrong"]] == []
    killed = [line for line in lines if line["status"] == 86]
    assert len(killed) > 100
    assert [line["status"] for line in lines if line not in killed] == [0] * 6, result.stderr


FAULTS = [errno.ENOSPC, errno.EIO, errno.EROFS]


@pytest.mark.parametrize("number", FAULTS)
def test_a_drive_that_fails_is_told_and_survived(
    monkeypatch: pytest.MonkeyPatch, home: Path, drive: Path, original: Path, number: int
) -> None:
    """The file system of the other drive fails at the n-th fsync, for some n."""
    real = os.fsync
    for n in (0, 1, 2, 3, 5, 8):
        calls = iter(range(1000))

        def fail(descriptor: int, n: int = n, calls: Any = calls) -> None:
            if next(calls) == n:
                raise OSError(number, os.strerror(number))
            real(descriptor)

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fail)
            kind = DiskFullError if number == errno.ENOSPC else BuildRefusedError
            with pytest.raises(kind) as caught:
                move(home, drive, range(10, 20))
        assert "\n" not in str(caught.value)
        assert str(home.parent.parent) in str(caught.value)
        assert_whole(home, original)
    move(home, drive, range(10, 20))
    assert layers_in(drive / NAME) == [*range(10, 20)]
    assert_whole(home, original)


def test_a_drive_that_gives_back_other_bytes_keeps_nothing(
    monkeypatch: pytest.MonkeyPatch, home: Path, drive: Path, original: Path
) -> None:
    real = os.fsync

    def rot(descriptor: int) -> None:
        real(descriptor)
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        if path.name == "layer-0012.tbl.part":
            data = bytearray(path.read_bytes())
            data[len(data) // 2] ^= 1
            with path.open("r+b") as file:
                file.write(data)

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("needs /proc")
    monkeypatch.setattr(os, "fsync", rot)
    with pytest.raises(BuildRefusedError, match="other bytes"):
        move(home, drive, range(10, 15))
    assert layers_in(drive / NAME) == [10, 11]
    assert_whole(home, original)


def test_a_damaged_layer_stays_where_it_is(home: Path, drive: Path) -> None:
    path = home / "layer-0012.tbl"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(DamagedTableError, match=r"tables.*layer-0012\.tbl"):
        move(home, drive, range(10, 15))
    assert path.read_bytes() == data
    assert layers_in(drive / NAME) == [10, 11]


def test_a_bad_copy_of_an_earlier_run_is_not_trusted(
    home: Path, drive: Path, original: Path
) -> None:
    move(home, drive, range(10, 12))
    for layer in (12, 13):  # of the right size, as after a crash that lost what was written
        whole = (home / f"layer-{layer:04d}.tbl").read_bytes()
        (drive / NAME / f"layer-{layer:04d}.tbl").write_bytes(bytes(len(whole)))
    (drive / NAME / "layer-0014.tbl.part").write_bytes(b"half")
    assert_whole(home, original)
    move(home, drive, range(10, 14))
    assert_whole(home, original)
    assert sorted(path.name for path in (drive / NAME).iterdir()) == [
        "home.json",
        *(f"layer-{layer:04d}.tbl" for layer in range(10, 14)),
    ]


def test_a_layer_that_is_there_twice_is_cleaned_up(home: Path, drive: Path, original: Path) -> None:
    move(home, drive, range(10, 14))
    shutil.copy(original / "layer-0011.tbl", home)  # as when killed before deleting it
    shutil.copy(original / "layer-0020.tbl", drive / NAME)  # as when killed before recording it
    assert_whole(home, original)
    move(home, drive, range(10, 14))
    assert 11 not in layers_in(home)
    assert 20 in layers_in(home)
    assert layers_in(drive / NAME) == [10, 11, 12, 13]
    assert_whole(home, original)


def test_a_good_layer_is_never_deleted_for_a_bad_one(
    home: Path, drive: Path, original: Path
) -> None:
    move(home, drive, range(10, 14))
    shutil.copy(original / "layer-0011.tbl", home)
    moved = drive / NAME / "layer-0011.tbl"
    moved.write_bytes(bytes(moved.stat().st_size))
    move(home, drive, range(10, 14))
    assert 11 in layers_in(home)
    assert_whole(home, original)


Usage = namedtuple("Usage", "total used free")


def test_too_little_room_is_told_before_anything_happens(
    monkeypatch: pytest.MonkeyPatch, home: Path, drive: Path
) -> None:
    before = contents(home.parent.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9 - 5000, 5000))
    with pytest.raises(BuildRefusedError, match=r"5\.00 KB free, 1\.\d+ MB are needed: free 1\."):
        move(home, drive)
    assert contents(home.parent.parent) == before
    assert list(drive.iterdir()) == []


def test_a_read_only_drive_is_told_and_leaves_the_table_as_it_is(
    monkeypatch: pytest.MonkeyPatch, home: Path, drive: Path
) -> None:
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


def test_a_table_being_built_is_refused(home: Path, drive: Path) -> None:
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


def test_an_unfinished_table_is_refused(home: Path, drive: Path) -> None:
    path = home / "layer-0070.tbl"
    manifest = load_manifest(home)
    layers = {i: layer for i, layer in manifest.layers.items() if i >= 40}
    type(manifest)(manifest.formation, 64, manifest.options, False, layers).save(home)
    with pytest.raises(BuildRefusedError, match="not finished"):
        move(home, drive)
    assert path.exists()


def test_folders_that_cannot_take_layers_are_refused(
    home: Path, drive: Path, table: TableMaker, tmp_path: Path
) -> None:
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


def test_a_part_of_another_table_is_refused(home: Path, drive: Path, table: TableMaker) -> None:
    other = load_manifest(table("44", 64))
    (drive / NAME).mkdir()
    Part.of(other, home).save(drive / NAME)
    with pytest.raises(BuildRefusedError, match=r"home\.json"):
        move(home, drive)
    with pytest.raises(BuildRefusedError, match="inside a table"):
        move(home, drive / NAME)


def test_two_copies_of_a_table_do_not_share_a_part(
    home: Path, drive: Path, original: Path, tmp_path: Path
) -> None:
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


def test_layers_that_are_away_cannot_be_moved(home: Path, drive: Path, original: Path) -> None:
    move(home, drive, range(10, 14))
    with detached(drive):
        with pytest.raises(MissingTableError, match="layer 10 of 2x4_64 is in"):
            move(home, home)
        other = home.parent.parent / "third"
        other.mkdir()
        assert move(home, other, range(20, 22)).layers == 2, "others can"
    assert_whole(home, original)


def test_a_drive_that_has_moved_is_recorded_anew(home: Path, drive: Path, original: Path) -> None:
    move(home, drive, range(10, 14))
    moved = drive.with_name("mounted elsewhere")
    drive.rename(moved)
    relocate(RelocatePlan([home, moved], moved, range(10, 15)))
    assert_whole(home, original)
    assert layers_in(moved / NAME) == [10, 11, 12, 13, 14]
    assert str(drive / NAME) not in (home / "elsewhere.json").read_text()


def test_a_damaged_record_is_made_anew_from_named_folders(
    home: Path, drive: Path, original: Path
) -> None:
    move(home, drive, range(10, 14))
    (home / "elsewhere.json").write_text("{}")
    with pytest.raises(Exception, match=r"elsewhere\.json"):
        move(home, home)
    relocate(RelocatePlan([home, drive], drive, range(10, 14)))
    assert_whole(home, original)


def test_the_same_folder_under_another_name_is_the_same(
    home: Path, drive: Path, original: Path, tmp_path: Path
) -> None:
    link, home_link = tmp_path / "link", tmp_path / "home link"
    link.symlink_to(drive)
    home_link.symlink_to(home)
    move(home, drive, range(10, 14))
    relocate(RelocatePlan([home_link, link], link, range(10, 16)))
    assert layers_in(drive / NAME) == [*range(10, 16)]
    assert_whole(home, original)
    relocate(RelocatePlan([home_link, link], home_link))
    assert contents(home) == contents(original)


def test_the_command_moves_layers(home: Path, drive: Path) -> None:
    result = run("relocate", home, "--to", drive, "--layers", "3-9", "--json")
    assert result.returncode == 0, result.stderr
    *progress, done = json_lines(result.stdout)
    assert progress
    keys = {"event", "phase", "layer", "layers", "boards", "bytes", "elapsed_s", "eta_s"}
    assert all(keys <= set(line) for line in progress)
    assert {(line["event"], line["phase"]) for line in progress} == {("progress", "relocate")}
    assert (done["event"], done["layers"]) == ("done", 7)
    assert (done["table"], done["to"]) == (str(home), str(drive / NAME))
    result = run("relocate", home, "--to", home, "--all")
    assert result.returncode == 0
    assert "7 layers" in result.stdout
    assert "nothing to move" in run("relocate", home, "--to", home).stdout


def test_the_command_refuses_in_one_line(home: Path, drive: Path) -> None:
    assert_refused(run("relocate", home, "--to", drive / "nowhere", "--json"), "not a folder")
    for layers in ("9-3", "x", "-1-4", "3-", "1,2"):
        assert_refused(run("relocate", home, "--to", drive, f"--layers={layers}"), "A-B")
    assert_refused(run("relocate", home), "--to")
    assert_refused(run("relocate", home, "--to", drive, "--all", "--bytes", "5G"), "not allowed")
    assert_refused(run("relocate", drive, "--to", drive), "no table")


def test_the_command_can_be_cancelled(home: Path, drive: Path, original: Path) -> None:
    """Stdin is at its end, which means to stop; a move too short for that is done."""
    result = run("relocate", home, "--to", drive, "--stdin-control", "--json", stdin="cancel\n")
    assert result.returncode in (0, 3)
    assert_whole(home, original)
    assert json.loads((home / "manifest.json").read_text())["complete"] is True
