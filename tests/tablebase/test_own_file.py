"""The file of a person's own formations: added to, changed, damaged."""

import json
from pathlib import Path

import pytest
from child import run

import endgame2048 as eg
from engine.platform.errors import WriteError
from engine.platform.user_folders import UserFolders
from tablebase.errors import FormationError
from tablebase.formation.drawing import Drawing
from tablebase.formation.formation import Formation
from tablebase.formation.own_file import OwnFile, formation_text, parse_formation_text
from tablebase.formation.patterns_file import load_formations

SHIPPED = load_formations()


def drawn(name: str, large: int = 0xFFFF_FFFF) -> Formation:
    return Drawing((large,), 0xFFFF_0000_0000).formation(name)


@pytest.fixture
def own(tmp_path: Path) -> OwnFile:
    return OwnFile(tmp_path / "data" / "patterns_config.json")


def test_what_is_saved_is_found_by_everybody(own):
    assert own.read() == {}
    own.put(drawn("mine"), SHIPPED)
    assert load_formations(own=own.path) == {**SHIPPED, "mine": drawn("mine")}
    assert eg.formations(own.path)["mine"] == drawn("mine")


def test_the_api_builds_what_was_drawn(own, monkeypatch, tmp_path):
    own.put(drawn("mine"), SHIPPED)
    monkeypatch.setattr(
        "endgame2048.builds.user_folders", lambda: UserFolders(own.path.parent, tmp_path)
    )
    assert eg.build("mine", 64, tmp_path / "mine_64").layers == 32 + 48


def test_the_command_line_builds_what_was_drawn(own):
    own.put(drawn("mine"), SHIPPED)
    done = run("--data-dir", own.path.parent, "build", "mine", 64)
    assert done.returncode == 0, done.stderr
    assert (own.path.parent / "tables" / "mine_64" / "manifest.json").exists()


def test_a_new_name_keeps_the_place(own):
    for name in ("one", "two", "three"):
        own.put(drawn(name), SHIPPED)
    own.put(drawn("second", 0xFFFF), SHIPPED, replaces="two")
    assert list(own.read()) == ["one", "second", "three"]
    assert own.read()["second"] == drawn("second", 0xFFFF)


@pytest.mark.parametrize("name", ["L3", "l3", "Other"])
def test_a_name_that_is_taken_is_refused(own, name):
    own.put(drawn("other"), SHIPPED)
    before = own.path.read_bytes()
    with pytest.raises(FormationError, match="already"):
        own.put(drawn(name), SHIPPED)
    assert own.path.read_bytes() == before


def test_what_is_deleted_can_come_back_where_it_was(own):
    for name in ("one", "two", "three"):
        own.put(drawn(name), SHIPPED)
    done = own.remove("two")
    assert list(own.read()) == ["one", "three"]
    own.put(drawn("two"), SHIPPED, place=done.place)
    assert list(own.read()) == ["one", "two", "three"]


def test_several_are_added_or_none(own):
    own.put(drawn("one"), SHIPPED)
    with pytest.raises(FormationError, match="called one already"):
        own.add([drawn("two"), drawn("ONE")], SHIPPED)
    assert list(own.read()) == ["one"]
    assert own.add([drawn("two"), drawn("three")], SHIPPED).place == 1
    assert list(own.read()) == ["one", "two", "three"]
    assert own.remove("two", "one").place == 0
    assert list(own.read()) == ["three"]


def test_the_file_goes_with_the_last_formation(own):
    own.put(drawn("mine"), SHIPPED)
    own.remove("mine")
    assert not own.path.exists()
    assert load_formations(own=own.path) == SHIPPED


def test_what_was_written_by_hand_stays(own):
    own.path.parent.mkdir()
    data = {"$schema": "x.json", "version": 1, "formations": [drawn("byhand").to_dict()]}
    own.path.write_text(json.dumps(data))
    own.put(drawn("mine"), SHIPPED)
    assert json.loads(own.path.read_text())["$schema"] == "x.json"
    assert list(own.read()) == ["byhand", "mine"]


@pytest.mark.parametrize("change", [{"masks": "many"}, {"name": "by hand"}])
def test_a_damaged_file_is_kept_and_what_is_sound_goes_on(own, change):
    own.path.parent.mkdir()
    entries = [drawn("sound").to_dict(), {**drawn("broken").to_dict(), **change}]
    text = json.dumps({"version": 1, "formations": entries})
    own.path.write_text(text)
    done = own.put(drawn("mine"), SHIPPED)
    assert done.old_file
    assert done.old_file.read_text() == text
    assert list(own.read()) == ["sound", "mine"]


def test_what_is_no_json_is_kept(own):
    own.path.parent.mkdir()
    own.path.write_text("{oops")
    done = own.put(drawn("mine"), SHIPPED)
    assert done.old_file
    assert done.old_file.read_text() == "{oops"
    assert list(own.read()) == ["mine"]


def test_a_file_that_cannot_be_read_is_left_alone(own):
    own.path.mkdir(parents=True)
    with pytest.raises(FormationError):
        own.put(drawn("mine"), SHIPPED)
    assert own.path.is_dir()


def test_a_file_that_cannot_be_written_is_told(own):
    own.path.parent.write_text("a file where the folder should be")
    with pytest.raises(WriteError, match="cannot write"):
        own.put(drawn("mine"), SHIPPED)


def test_a_formation_travels_as_text():
    text = formation_text(drawn("mine"))
    assert parse_formation_text(f"  {text},\n") == drawn("mine")
    whole = json.dumps({"version": 1, "formations": [json.loads(text)]})
    assert parse_formation_text(whole) == drawn("mine")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "not valid JSON"),
        ("hello", "not valid JSON"),
        ("[1]", "must be an object"),
        ('{"name": "x"}', "field category"),
        ('{"formations": []}', "0 formations"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_text_that_is_no_formation_says_why(text, part):
    with pytest.raises(FormationError, match=part):
        parse_formation_text(text)
