"""The settings of the other program: read as plain data, each field by itself, and planned."""

import json
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

from coach.foreign.config import NEW, OLD, UNKNOWN, ForeignSettingsError, parse_settings
from coach.foreign.plan import COLORS, DOUBTFUL, FOLDERS, NOTEBOOK, SETTINGS, find_files, plan
from coach.mistakes.mistakes import Mistakes
from coach.record.user_database import UserDatabase
from gui.settings_model.settings import OPTIONS
from gui.style.own_palettes import OwnPalettes
from main import main
from tests.coach.test_notebook import BOOK, Evil

COLORS_36 = [f"#{i:02x}8090" for i in range(36)]
CONFIG = {
    "filepath_map": {
        ("L3_512", 0.1): [("{here}", "uint32")],
        ("442_2048", 0.22): [("{here}", "uint32"), ("D:\\tables", "float32")],
    },
    "colors": COLORS_36,
    "demo_speed": 40,
    "4_spawn_rate": 0.2,
    "do_animation": False,
    "game_state": [np.uint64(0x1234 << 48), 38224, 51000],
    "dis_32k": True,
    "dis_text": True,
    "compress_temp_files": True,
    "optimal_branch_only": False,
    "deletion_threshold": 0.25,
    "success_rate_dtype": "1-float32",
    "SmallTileSumLimit": 96,
    "notebook_threshold": 0.995,
    "font_size_factor": 150,
    "minigame_state": [{"a": np.arange(16)}, {}],
    "language": "zh",
    "theme": "Dark",
}


def config(folder: Path, **fields: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    tables = folder.parent / "tables"
    tables.mkdir(exist_ok=True)
    (tables / "L3_512_3.book").write_bytes(b"")
    data = {**CONFIG, **fields}
    data["filepath_map"] = {
        key: [(name.replace("{here}", str(tables)), kind) for name, kind in places]
        for key, places in CONFIG["filepath_map"].items()
    }
    path = folder / "config"
    path.write_bytes(pickle.dumps(data))
    return path


def symmetry_of(_table: str) -> str:
    return "full"


def test_all_fields_are_read():
    found = parse_settings(pickle.dumps(CONFIG, 2), "config", OLD)
    assert found.problems == ()
    assert [(one.table, one.spawn4, one.folder) for one in found.folders] == [
        ("L3_512", 0.1, "{here}"),
        ("442_2048", 0.22, "{here}"),
        ("442_2048", 0.22, "D:\\tables"),
    ]
    assert found.colors == tuple(COLORS_36[:16])
    assert found.game is not None
    assert (found.game.board, found.game.score, found.game.best) == (0x1234 << 48, 38224, 51000)
    assert (found.demo_speed, found.spawn4, found.is_animated) == (40, 0.2, False)
    assert (found.rate, found.language, found.font_percent) == ("1-float32", "zh", 150)


def test_tables_of_older_and_newer_versions_have_names_of_other_forms():
    places = {"LL_4096_0": ["here"], ("3x3_sum-1790", 0.1): [("there", "uint32")]}
    found = parse_settings(pickle.dumps({"filepath_map": places}), "config")
    assert found.problems == ()
    assert [one.table for one in found.folders] == ["LL_4096_0", "3x3_sum-1790"]


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("demo_speed", "fast", "whole number"),
        ("demo_speed", 1e300, "whole number"),
        ("demo_speed", float("nan"), "a number"),
        ("4_spawn_rate", 1.5, "from 0 to 1"),
        ("do_animation", 2, "yes or no"),
        ("colors", COLORS_36[:15], "16 colors"),
        ("colors", ["red"] * 36, "'red'"),
        ("language", "tlh", "zh, en"),
        ("success_rate_dtype", "int", "uint32"),
        ("game_state", [1, 2], "a board"),
        ("game_state", [1 << 64, 2, 3], "a board"),
        ("filepath_map", [], "folders by table"),
        ("filepath_map", {"../x": [("a", "uint32")]}, "name of a table"),
        ("filepath_map", {("L3_512", 7): [("a", "uint32")]}, "from 0 to 1"),
        ("filepath_map", {("L3_512", 0.1): [("a\0b", "uint32")]}, "expected folders"),
        ("odd", 1, "not a setting"),
        (7, 1, "not a setting"),
    ],
)
def test_what_makes_no_sense_is_named_and_left_out(name, value, why):
    found = parse_settings(pickle.dumps({"notebook_threshold": 0.5, name: value}), "config")
    assert found.notebook_threshold == 0.5
    assert len(found.problems) == 1
    assert why in found.problems[0]
    assert found.problems[0].startswith(f"{name}" if name != "odd" else "'odd'")


@pytest.mark.parametrize("evil", [Evil(os.system, "true"), Evil(eval, "1"), Path("x")])
def test_a_config_with_more_than_plain_data_is_refused(evil):
    with pytest.raises(ForeignSettingsError, match="not plain data"):
        parse_settings(pickle.dumps({"demo_speed": evil}), "config")


@pytest.mark.parametrize("data", [b"", b"text", pickle.dumps([]), pickle.dumps({"a": 1})])
def test_what_is_no_config_is_refused(data):
    with pytest.raises(ForeignSettingsError):
        parse_settings(data, "config")


def test_the_files_are_found_from_any_of_them(tmp_path):
    old = config(tmp_path / "old")
    (tmp_path / "old/patterns_config.json").write_text("{}")
    (tmp_path / "old/mistakes_book.pkl").write_bytes(pickle.dumps(BOOK))
    new = config(tmp_path / "new/docs_and_configs")
    for path, wanted in (
        (tmp_path / "old", (old, OLD)),
        (old, (old, OLD)),
        (tmp_path / "new", (new, NEW)),
    ):
        found = find_files(path)
        assert (found.config, found.version) == wanted
    assert find_files(tmp_path / "old").notebook == tmp_path / "old/mistakes_book.pkl"
    assert find_files(tmp_path / "old/mistakes_book.pkl").config is None
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(ForeignSettingsError):
            find_files(path)


def test_only_folders_with_tables_that_can_be_used_are_named(tmp_path):
    config(tmp_path / "it")
    advanced = tmp_path / "tables" / "free10_512_30b"
    (tmp_path / "tables" / "L3_512_3.book").unlink()
    advanced.mkdir()
    found = plan(tmp_path / "it", symmetry_of)
    (part,) = [part for part in found.parts if part.key == FOLDERS]
    assert (found.new_folders, part.is_usable, part.title) == ([], False, "0 folders with tables")
    here, away = part.lines
    assert "(can't be used: a table of 2048EndgameTablebase of the advanced algorithm" in here
    assert "(free10_512_30b)" in here
    assert away.endswith("(can't be used: not on this machine)")
    advanced.rename(tmp_path / "tables" / "kept aside")
    (tmp_path / "tables" / "L3_512_.exzbook").touch()
    assert ".exzbook" in plan(tmp_path / "it", symmetry_of).folders[0].why_not
    (tmp_path / "tables" / "L3_512_.exzbook").unlink()
    (part,) = [part for part in plan(tmp_path / "it", symmetry_of).parts if part.key == FOLDERS]
    assert part.lines[0].endswith("(can't be used: no tables of 2048EndgameTablebase are there)")


def test_the_plan_says_what_would_change(tmp_path):
    config(tmp_path / "it")
    (tmp_path / "it/mistakes_book.pkl").write_bytes(pickle.dumps(BOOK))
    found = plan(tmp_path / "it", symmetry_of, {"game.spawn4": 0.2})
    assert [(p.key, p.title, p.is_wanted) for p in found.parts] == [
        (FOLDERS, "1 folder with tables", True),
        (NOTEBOOK, "Notebook with 3 positions", True),
        (COLORS, "Palette", True),
        (SETTINGS, "9 settings", True),
        (DOUBTFUL, "2 uncertain settings", False),
    ]
    assert found.new_folders == [str(tmp_path / "tables")]
    assert found.values([SETTINGS, DOUBTFUL])["practice.speed"] == 4
    assert "practice.speed" not in found.values([SETTINGS])
    assert "game.spawn4" not in found.values([SETTINGS]), "that is so already"
    assert any("38,224 points" in note and "1234000000000000" in note for note in found.notes)
    assert any("version" in note for note in found.notes)


@pytest.mark.parametrize(
    ("version", "speed", "has_number"), [(OLD, 4, True), (NEW, 25, False), (UNKNOWN, 4, True)]
)
def test_what_a_field_means_depends_on_the_version(tmp_path, version, speed, has_number):
    newer = {"ui_scale": 125, "dark_mode": True, "theme": "Classic"} if version == NEW else {}
    config(tmp_path / "it", **newer)
    if version == OLD:
        (tmp_path / "it/patterns_config.json").write_text("{}")
    found = plan(tmp_path / "it", symmetry_of)
    assert found.version == version
    values = found.values([SETTINGS, DOUBTFUL])
    assert (values["practice.speed"], values["large_tile_numbers"]) == (speed, has_number)
    assert values["theme"] == "dark"
    for name, value in values.items():
        assert OPTIONS[name].is_valid(value), name


def test_the_command(tmp_path, capsys):
    config(tmp_path / "it")
    (tmp_path / "it/mistakes_book.pkl").write_bytes(pickle.dumps(BOOK))
    data = tmp_path / "data"
    where = [str(tmp_path / "it"), "--data-dir", str(data), "--json"]
    assert main(["migrate", *where, "--dry-run"]) == 0
    assert not (data / "settings.json").exists()
    assert main(["migrate", *where]) == 0
    values = json.loads((data / "settings.json").read_text())["values"]
    assert values["table_folders"] == [str(tmp_path / "tables")]
    palette = OwnPalettes(data / "color_schemes.txt").load().palettes[values["tile_palette"]]
    assert [fill for fill, _ in palette.light] == COLORS_36[:16]
    mistakes = Mistakes(UserDatabase(data))
    assert len(mistakes.ids()) == 3
    mistakes.close()
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == ["found", "found", "done"]
    assert main(["migrate", *where]) == 0  # once more: the palette is there
    assert list(OwnPalettes(data / "color_schemes.txt").load().palettes) == [palette.name]
    assert json.loads((data / "settings.json").read_text())["values"] == values


def test_a_data_folder_that_cannot_be_made_is_told_in_a_line(tmp_path, capsys):
    config(tmp_path / "it")
    (tmp_path / "data").write_text("a file")
    with pytest.raises(SystemExit, match="2"):
        main(["migrate", str(tmp_path / "it"), "--data-dir", str(tmp_path / "data")])
    assert "data is not a folder" in capsys.readouterr().err
