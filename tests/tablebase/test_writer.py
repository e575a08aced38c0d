"""What the writer promises: no layer is recorded before the drive holds it."""

import os
from pathlib import Path

import pytest

from tablebase import build_files as atomic
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import BuildCancelledError
from tablebase.formation.patterns_file import load_formations
from tablebase.store.manifest import Manifest, load_manifest


@pytest.mark.skipif(os.name != "posix", reason="asks the system which file a descriptor is of")
def test_a_layer_is_recorded_only_after_its_file_and_its_name_are_durable(tmp_path, monkeypatch):
    durable: set[tuple[int, int]] = set()
    is_folder_durable = True
    recorded: set[int] = set()
    sync, save, replace = os.fsync, Manifest.save, os.replace

    def note_sync(descriptor: int) -> None:
        nonlocal is_folder_durable
        found = os.fstat(descriptor)
        durable.add((found.st_dev, found.st_ino))
        if os.path.samestat(found, tmp_path.stat()):
            is_folder_durable = True
        sync(descriptor)

    def note_rename(source: Path, target: Path) -> None:
        nonlocal is_folder_durable
        if source.name.startswith("layer-"):
            is_folder_durable = False
        replace(source, target)

    def check_then_save(self: Manifest, folder: Path) -> None:
        assert is_folder_durable or not self.layers.keys() - recorded
        for one in self.layers.values():
            found = (folder / one.file).stat()
            assert (found.st_dev, found.st_ino) in durable, one.file
            recorded.add(one.layer)
        save(self, folder)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_rename)
    monkeypatch.setattr(Manifest, "save", check_then_save)
    monkeypatch.setattr("tablebase.build.writer._RECORD_EVERY_S", 0.02)
    build(BuildPlan(load_formations()["2x4"], 64, tmp_path, threads=2))
    assert len(recorded) > 50


def test_a_build_that_stops_leaves_no_finished_layer_unrecorded(tmp_path):
    """However short it was: the next one goes on from there instead of computing it again."""
    formation = load_formations()["2x4"]

    def is_cancelled() -> bool:
        return len(list(tmp_path.glob("layer-*.tbl"))) > formation.n_layers(64) // 2

    with pytest.raises(BuildCancelledError):
        build(BuildPlan(formation, 64, tmp_path, threads=2), is_cancelled=is_cancelled)
    written = {path.name for path in tmp_path.glob("layer-*.tbl")}
    assert written
    assert written == {one.file for one in load_manifest(tmp_path).layers.values()}


def test_files_are_waited_for_but_not_one_that_somebody_removed(tmp_path, monkeypatch):
    paths = [tmp_path / name for name in ("one", "gone", "other")]
    for path in paths:
        path.write_bytes(b"x")
    numbers = {path.stat().st_ino: path.name for path in paths}
    paths[1].unlink()
    synced, sync = [], os.fsync

    def note(descriptor: int) -> None:
        synced.append(numbers.get(os.fstat(descriptor).st_ino))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    atomic.sync_files(paths)
    assert [name for name in synced if name] == ["one", "other"]
