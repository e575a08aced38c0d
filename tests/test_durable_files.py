"""What must survive a power cut lies on the drive before it gets its name, and its name after."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engine.game import Game
from engine.game_log import GameLog
from engine.platform.files.json_file import write_text
from gui.game.records import GameRecord, append_record
from tablebase.formation.patterns_file import load_formations
from tablebase.store.layer_file import pack_layer
from tablebase.store.manifest import Manifest
from tablebase.store.rates import find_rate_type
from tests.coach.made_sessions import played, write_session


def begin_log(path: Path) -> None:
    log = GameLog(path)
    log.begin(Game.new(1), 0)
    log.close()


def save_manifest(path: Path) -> None:
    Manifest(load_formations()["2x4"], 64).save(path.parent)


def save_layer(path: Path) -> None:
    rate = find_rate_type("uint32")
    words, values = np.ones(2048, np.uint64), np.full(2048, 7, np.uint32)
    pack_layer(3, rate, 131_072, 2048, words, values).write(path.parent)


def add_to_old_records(path: Path) -> None:
    path.write_text("seed,score\n1,2\n")
    append_record(path, GameRecord(1, "2026-05-01T12:00:00", 2, 3, 4))


WRITERS: dict[str, Callable[[Path], None]] = {
    "current.log": begin_log,
    "manifest.json": save_manifest,
    "layer-0003.tbl": save_layer,
    "test.json": lambda path: write_session(path, played(3)),
    "settings.json": lambda path: write_text(path, "{}"),
    "games.csv": add_to_old_records,
}


@pytest.mark.skipif(os.name != "posix", reason="asks the system which file a descriptor is of")
@pytest.mark.parametrize("name", WRITERS)
def test_a_file_is_on_the_drive_before_its_name_and_its_name_after(tmp_path, monkeypatch, name):
    events: list[tuple[str, int, int]] = []
    sync, replace = os.fsync, os.replace

    def note_sync(descriptor: int) -> None:
        found = os.fstat(descriptor)
        events.append(("sync", found.st_ino, found.st_size))
        sync(descriptor)

    def note_replace(source: Path, target: Path) -> None:
        found = os.stat(source)
        events.append(("replace", found.st_ino, found.st_size))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    WRITERS[name](tmp_path / name)
    file, folder = (tmp_path / name).stat(), tmp_path.stat()
    replaced = events.index(("replace", file.st_ino, file.st_size))
    assert ("sync", file.st_ino, file.st_size) in events[:replaced]
    assert [(what, inode) for what, inode, _ in events[replaced + 1 :]] == [("sync", folder.st_ino)]
