"""What the writer promises: no layer is recorded before the drive holds it."""

import os
from pathlib import Path

import pytest

from tablebase.builder import BuildPlan, build
from tablebase.formation import load_formations
from tablebase.store import atomic
from tablebase.store.manifest import Manifest


@pytest.mark.skipif(os.name != "posix", reason="asks the system which file a descriptor is of")
def test_a_layer_is_recorded_only_after_its_file_and_its_name_are_durable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    monkeypatch.setattr("tablebase.writer._RECORD_EVERY_S", 0.02)
    build(BuildPlan(load_formations()["2x4"], 64, tmp_path, threads=2))
    assert len(recorded) > 50


def test_a_file_that_somebody_removed_is_not_waited_for(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_bytes(b"x")
    atomic.sync_files([tmp_path / "gone", there])
