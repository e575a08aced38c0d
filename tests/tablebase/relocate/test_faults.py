"""Moves that are stopped, killed or let down by a drive: the table stays whole."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from child import environment, json_lines, run_apart
from drives import assert_whole, layers_in, move

from engine.platform.files.atomic_file import is_part_of
from tablebase.errors import (
    BuildCancelledError,
    BuildRefusedError,
    DamagedTableError,
    DiskFullError,
)
from tablebase.maintain.relocate import RelocatePlan, relocate

NAME = "2x4_64"
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("moment", [1, 2, 9, 30])
def test_a_cancelled_move_goes_on(home, drive, original, moment):
    asked = iter(range(1000))
    with pytest.raises(BuildCancelledError, match="the table is intact"):
        relocate(RelocatePlan([home], drive), is_cancelled=lambda: next(asked) >= moment)
    assert list(home.parent.parent.rglob("*.part")) == []
    assert_whole(home, original)
    move(home, drive)
    assert layers_in(home) == []
    assert_whole(home, original)


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked processes")
@pytest.mark.parametrize(
    ("stride", "n_killed"), [(7, 15), pytest.param(1, 100, marks=pytest.mark.slow)]
)
def test_a_kill_at_any_write_leaves_a_whole_table(original, tmp_path, stride, n_killed):
    script = Path(__file__).parents[1] / "relocate_kills.py"
    result = subprocess.run(
        [sys.executable, script, original, tmp_path / "scratch", str(stride)],
        capture_output=True,
        text=True,
        env={**environment(), "PYTHONPATH": str(ROOT)},
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    lines = json_lines(result.stdout)
    assert [line for line in lines if line["wrong"]] == []
    killed = [line for line in lines if line["status"] == 86]
    assert len(killed) > n_killed
    assert [line["status"] for line in lines if line not in killed] == [0] * 6, result.stderr


FAULTS = [errno.ENOSPC, errno.EIO, errno.EROFS]


@pytest.mark.parametrize("number", FAULTS)
@pytest.mark.thorough
def test_a_drive_that_fails_is_told_and_survived(monkeypatch, home, drive, original, number):
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


def test_a_drive_that_gives_back_other_bytes_keeps_nothing(monkeypatch, home, drive, original):
    real = os.fsync

    def rot(descriptor: int) -> None:
        real(descriptor)
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        if is_part_of(path.name, "layer-0012.tbl"):
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


def test_a_layer_that_cannot_be_opened_is_told_as_what_it_is(monkeypatch, home, drive, original):
    """Not as a fault of the drive that it was to be copied to."""
    path, real = home / "layer-0012.tbl", Path.open

    def fail(self: Path, *mode: Any, **more: Any) -> Any:
        if self == path:
            raise OSError(errno.EIO, "Input/output error")
        return real(self, *mode, **more)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", fail)
        with pytest.raises(DamagedTableError) as caught:
            move(home, drive, range(10, 15))
    assert str(caught.value) == f"cannot read {path}: Input/output error"
    assert layers_in(drive / NAME) == [10, 11]
    assert_whole(home, original)


def test_a_damaged_layer_stays_where_it_is(home, drive):
    path = home / "layer-0012.tbl"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(DamagedTableError, match=r"tables.*layer-0012\.tbl"):
        move(home, drive, range(10, 15))
    assert path.read_bytes() == data
    assert layers_in(drive / NAME) == [10, 11]


def test_a_bad_copy_of_an_earlier_run_is_not_trusted(home, drive, original):
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


def test_a_layer_that_is_there_twice_is_cleaned_up(home, drive, original):
    move(home, drive, range(10, 14))
    shutil.copy(original / "layer-0011.tbl", home)  # as when killed before deleting it
    shutil.copy(original / "layer-0020.tbl", drive / NAME)  # as when killed before recording it
    assert_whole(home, original)
    move(home, drive, range(10, 14))
    assert 11 not in layers_in(home)
    assert 20 in layers_in(home)
    assert layers_in(drive / NAME) == [10, 11, 12, 13]
    assert_whole(home, original)


def test_a_good_layer_is_never_deleted_for_a_bad_one(home, drive, original):
    move(home, drive, range(10, 14))
    shutil.copy(original / "layer-0011.tbl", home)
    moved = drive / NAME / "layer-0011.tbl"
    moved.write_bytes(bytes(moved.stat().st_size))
    move(home, drive, range(10, 14))
    assert 11 in layers_in(home)
    assert_whole(home, original)


@pytest.mark.thorough
def test_the_command_can_be_cancelled(home, drive, original):
    """Stdin is at its end, which means to stop; a move too short for that is done."""
    result = run_apart(
        "relocate", home, "--to", drive, "--stdin-control", "--json", stdin="cancel\n"
    )
    assert result.returncode in (0, 3)
    assert_whole(home, original)
    assert json.loads((home / "manifest.json").read_text())["complete"] is True
