"""`build` on a table that something happened to: what is damaged is computed again, no more."""

import errno
import os
import random
import shutil
import struct
import zlib
from io import FileIO
from pathlib import Path

import pytest
from child import contents, json_lines, run, written_at
from makers import TableMaker

from tablebase import build_files as atomic
from tablebase.build import builder
from tablebase.build.builder import BuildPlan, Progress, build
from tablebase.errors import BuildRefusedError, DamagedTableError, FormationError
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations
from tablebase.store.build_lock import LOCK_NAME, folder_lock
from tablebase.store.intact_layers import whole_layers
from tablebase.store.layer_file import LayerFile
from tablebase.store.manifest import load_manifest

PATTERN, TARGET = "2x4", 64


@pytest.fixture
def copied(table: TableMaker, tmp_path: Path) -> Path:
    return Path(shutil.copytree(table(PATTERN, TARGET), tmp_path / f"{PATTERN}_{TARGET}"))


@pytest.fixture
def plan(formations: dict[str, Formation], tmp_path: Path) -> BuildPlan:
    return BuildPlan(formations[PATTERN], TARGET, tmp_path / f"{PATTERN}_{TARGET}", threads=1)


@pytest.fixture(scope="module")
def finished(table: TableMaker) -> dict[str, bytes]:
    return contents(table(PATTERN, TARGET))


def spoil(path: Path, position: int) -> None:
    data = bytearray(path.read_bytes())
    data[position] ^= 1
    path.write_bytes(data)


def test_building_again_repairs_damaged_layers_and_leaves_the_others(copied, finished):
    rng = random.Random(7)
    names = [name for name in finished if name.startswith("layer-") and len(finished[name]) > 500]
    spoiled = rng.sample(names, 4)
    for name in spoiled:
        spoil(copied / name, rng.randrange(len(finished[name])))
    (copied / spoiled[0]).unlink()
    before = written_at(copied)
    result = run("build", PATTERN, TARGET, "--out", copied.parent, "--json")
    assert result.returncode == 0, result.stderr
    assert json_lines(result.stdout)[-1]["was_complete"] is False
    assert contents(copied) == finished
    after = written_at(copied)
    rewritten = {name for name in finished if before.get(name) != after[name]}
    assert rewritten == {*spoiled, "manifest.json"}


def test_a_large_table_is_checked_by_its_headers(copied):
    manifest = load_manifest(copied)
    paths = {i: copied / layer.file for i, layer in manifest.layers.items()}
    spoil(paths[10], 20)
    spoil(paths[40], paths[40].stat().st_size - 1)
    paths[20].unlink()
    paths[21].unlink()
    paths[21].mkdir()
    every = set(manifest.layers)
    assert set(whole_layers(paths, manifest)) == every - {10, 20, 21, 40}
    assert set(whole_layers(paths, manifest, most_bytes=0)) == every - {10, 20, 21}


@pytest.mark.parametrize("left", ["build.lock", "layer-0000.tbl.part", "work/after-0003.bits"])
def test_what_a_killed_builder_left_beside_a_complete_table_goes(copied, plan, finished, left):
    (copied / left).parent.mkdir(exist_ok=True)
    (copied / left).write_text("123")
    assert build(plan).was_complete
    assert not (copied / Path(left).parts[0]).exists()
    assert contents(copied) == finished


def test_a_build_stopped_after_its_last_layer_goes_on(plan, monkeypatch, finished):
    """Exact values are kept after every layer; nothing may be kept of the last one."""
    monkeypatch.setattr(builder, "_KEEP_LIVE_EVERY_S", 0.0)
    monkeypatch.setattr(builder, "_KEEP_LIVE_SHARE", 0)

    def stop(progress: Progress) -> None:
        if progress.phase == "finish":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(plan, stop)
    build(plan)
    assert contents(plan.folder) == finished


def test_a_layer_removed_while_building_is_noticed(plan, finished):
    def remove_one(progress: Progress) -> None:
        if progress.phase == "finish":
            (plan.folder / "layer-0005.tbl").unlink(missing_ok=True)

    with pytest.raises(BuildRefusedError, match=r"layer-0005\.tbl was removed"):
        build(plan, remove_one)
    build(plan)
    assert contents(plan.folder) == finished


@pytest.mark.skipif(os.name == "nt", reason="another kind of lock")
@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"nobody", b"-7"])
def test_a_lock_with_a_nonsense_text_still_locks(tmp_path, text):
    with folder_lock(tmp_path):
        (tmp_path / "build.lock").write_bytes(text)
        with pytest.raises(BuildRefusedError, match="unknown"), folder_lock(tmp_path):
            pytest.fail("let in")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be removed there")
def test_a_lock_leaves_the_lock_of_another_builder_alone(tmp_path):
    """Somebody renamed the folder and built anew under its old name."""
    folder = tmp_path / "table"
    with folder_lock(folder):
        folder.rename(tmp_path / "renamed")
        with folder_lock(folder):
            pass
        folder.mkdir(exist_ok=True)
        (folder / "build.lock").write_text("another's")
    assert (folder / "build.lock").read_text() == "another's"


def test_a_folder_turned_into_a_file_is_told(tmp_path):
    (tmp_path / "table").write_text("not a folder")
    with pytest.raises(BuildRefusedError, match="table"):
        atomic.write_file(tmp_path / "table" / "manifest.json", [b"x"])


def test_the_first_trouble_of_writing_is_the_one_told(tmp_path, monkeypatch):
    def full(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    def broken(*_args: object, **_more: object) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.setattr(os, "unlink", broken)
    with pytest.raises(atomic.DiskFullError):
        atomic.write_file(tmp_path / "file", [b"x"])


@pytest.mark.parametrize(
    ("field", "at", "number"),
    [
        ("offset", 0, 2**63),
        ("offset", 1, 0),
        ("offset", 1, 2**62),
        ("boards before", 1 * 24 + 8, 2**40),
        ("key bytes", 16, 2**32 - 1),
    ],
)
def test_a_directory_that_contradicts_itself_is_refused(copied, field, at, number):
    """Its checksums are right: a defect of a program, or intent."""
    path = copied / "layer-0033.tbl"
    data = bytearray(path.read_bytes())
    place = 60 + (24 * at if field == "offset" else at)
    struct.pack_into("<I" if field == "key bytes" else "<Q", data, place, number)
    n = struct.unpack_from("<I", data, 48)[0]
    crc = zlib.crc32(data[60 : 60 + 24 * (n + 1)], zlib.crc32(data[:56]))
    struct.pack_into("<I", data, 56, crc)
    path.write_bytes(data)
    with pytest.raises(DamagedTableError, match=r"layer-0033\.tbl.*contradicts"):
        LayerFile(path)


def test_a_deeply_nested_file_of_formations_is_refused(tmp_path):
    path = tmp_path / "patterns.json"
    path.write_text("[" * 100_000)
    with pytest.raises(FormationError, match="patterns"):
        load_formations(path)


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be removed there")
def test_a_lock_taken_while_its_file_was_deleted_is_taken_again(tmp_path, monkeypatch):
    """Its last owner deletes the file between our opening it and locking it."""
    import fcntl

    real = fcntl.flock

    def late(file: FileIO, how: int) -> None:
        monkeypatch.undo()
        (tmp_path / LOCK_NAME).unlink()
        real(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    refused = pytest.raises(BuildRefusedError, match=str(os.getpid()))
    with folder_lock(tmp_path), refused, folder_lock(tmp_path):
        pytest.fail("two builders at work")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", [".", "work"])
def test_what_killed_builders_were_writing_goes_at_the_start(plan, monkeypatch, place):
    """Each kill may leave a layer's worth: a drive that is nearly full would never get through."""

    def stop(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(builder, "_solve", stop)
    with pytest.raises(KeyboardInterrupt):
        build(plan)
    left = plan.folder / place / "layer-0007.tbl.0123456789ab.part"
    left.write_bytes(b"half")
    with pytest.raises(KeyboardInterrupt):
        build(plan)
    assert not left.exists()
