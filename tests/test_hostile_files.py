"""Every reader of files from outside, before what is no file, no text, or far too large."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ai.baselines.linear_value import read_linear_weights
from ai.evaluation.evaluation import read_weights
from ai.evaluation.tuple_file import read_net
from coach.backup.opening import read_backup
from coach.exam.session_file import read_session
from coach.foreign.config import read_settings as read_foreign_settings
from coach.mistakes.importing import read_mistakes
from coach.recordings.game_files import read_game_file
from coach.recordings.recording import open_recording
from engine.game_log import read_log
from engine.platform.errors import AppError
from gui.game.records import read_records
from gui.practice.recordings import open_recording as open_practice
from gui.settings_model.settings_file import read_settings
from gui.style.color_schemes import load_color_schemes
from tablebase.foreign.config import load_config
from tablebase.foreign.plain_layer import PlainLayer
from tablebase.foreign.rates import STORED_RATES
from tablebase.formation.json_file import read_json
from tablebase.store.layer_file import LayerFile
from tablebase.store.manifest import load_manifest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")

Reader = Callable[[Path], object]


def _manifest(path: Path) -> object:
    path.rename(path.with_name("manifest.json"))
    return load_manifest(path.parent)


READERS: dict[str, Reader] = {
    "weights": read_weights,
    "linear weights": read_linear_weights,
    "network": read_net,
    "colors": load_color_schemes,
    "practice recording": open_practice,
    "game to analyze": read_game_file,
    "mistakes": lambda path: read_mistakes(path, lambda _: "full"),
    "recording": open_recording,
    "test": read_session,
    "formations": read_json,
    "book": lambda path: PlainLayer(path, STORED_RATES["uint32"]),
    "config": load_config,
    "layer": LayerFile,
    "manifest": _manifest,
    "saved game": read_log,
    "backup": read_backup,
    "settings": read_settings,
    "settings of the other program": read_foreign_settings,
}


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def giant(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 42)


@pytest.mark.parametrize("kind", [pipe, device, folder, giant])
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_such_file_is_refused_at_once(name, kind, tmp_path):
    """None of these may be read: a pipe has no end to wait for, the others no end at all."""
    if (name, kind) == ("book", giant):
        pytest.skip("books are read piece by piece, however large they are")
    path = tmp_path / "file"
    kind(path)
    expected = OSError if name == "saved game" else AppError
    with pytest.raises(expected) as caught:
        READERS[name](path)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("kind", [pipe, device, folder, giant])
def test_finished_games_that_cannot_be_read_are_none(kind, tmp_path):
    kind(tmp_path / "games.csv")
    assert read_records(tmp_path / "games.csv") == []


HEAD = "seed,ended,score,moves,largest,difficulty,helper,ms,fours,spawn4\n"


@pytest.mark.parametrize(
    "line",
    [
        f"1,now,{10**400},10,5,0,,,,",
        "1,now,100,10,400,0,,,,",
        "1,now,100,-10,5,0,,,,",
        "1,now,100,10,5,0,,1,1,nan",
        "1,now,100,10,5,0,,1,1,inf",
        f"1,now,100,10,5,0,,{10**30},1,0.1",
    ],
)
def test_finished_games_that_cannot_be_are_skipped(line, tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(f"{HEAD}2,now,200,20,6,0,,,,\n{line}\n")
    assert [record.score for record in read_records(path)] == [200]


@pytest.mark.parametrize("name", ["colors", "weights", "formations"])
def test_a_byte_order_mark_changes_nothing(name, tmp_path, project_root):
    source = {
        "colors": project_root / "color_schemes.txt",
        "weights": project_root / "ai" / "evaluation" / "weights" / "lines.json",
        "formations": project_root / "patterns_config.json",
    }[name]
    path = tmp_path / source.name
    path.write_bytes(b"\xef\xbb\xbf" + source.read_bytes())
    if name == "weights":
        for net in source.parent.glob("walls_*.net"):
            (tmp_path / net.name).symlink_to(net)
    assert READERS[name](path) == READERS[name](source)
