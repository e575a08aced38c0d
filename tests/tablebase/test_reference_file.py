"""The formations of 2048EndgameTablebase: read as they are, in the data folder and as text."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from child import run

from tablebase.errors import FormationError
from tablebase.formation.own_file import OwnFile, parse_formation_text
from tablebase.formation.patterns_file import (
    is_same_definition,
    load_formations,
    parse_reference,
    read_formations,
)

SHIPPED = load_formations()
MODES = {"rect2x4": "min24", "square3x3": "min33", "rect3x4": "min34"}


def entry(name: str, **changes: object) -> dict[str, Any]:
    """A formation of ours as that program writes it."""
    one = SHIPPED[name]
    fields = {
        "category": one.category,
        "valid pattern": [f"{mask:x}" for mask in one.masks],
        "target pos": f"0x{one.target_cells:x}",
        "canonical mode": MODES.get(one.symmetry, one.symmetry),
        "seed boards": [f"0x{seed:x}" for seed in one.seeds],
        "extra steps": one.extra_steps,
    }
    return {**fields, **changes}


L3_OF_TWO_CELLS = entry("L3", **{"target pos": "f00f0000000"})
MINE = entry("44", **{"target pos": "0xf00000000", "canonical mode": "identity"})
ALL = {**{name: entry(name) for name in SHIPPED}, "L3": L3_OF_TWO_CELLS, "mine44": MINE}


@pytest.fixture
def own(tmp_path: Path) -> OwnFile:
    """The user's own file, as that program wrote it."""
    file = OwnFile(tmp_path / "data" / "patterns_config.json")
    file.path.parent.mkdir()
    file.path.write_text(json.dumps(ALL))
    return file


def test_every_formation_is_that_of_ours():
    found, problems = parse_reference({name: entry(name) for name in SHIPPED})
    assert not problems
    assert found.keys() == SHIPPED.keys()
    assert all(is_same_definition(one, SHIPPED[name]) for name, one in found.items())


def test_steps_may_be_missing_and_seeds_of_other_sums_do_not_count():
    rough = entry("442", **{"seed boards": ["1000000021ffffff", "0x112ffffff", "122ffffff"]})
    del rough["extra steps"]
    (found,) = parse_reference({"442": rough})[0].values()
    assert found == replace(SHIPPED["442"], extra_steps=36)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"target pos": 15}, "target_cells"),
        ({"target pos": "0x0"}, "at least one cell"),
        ({"canonical mode": "min99"}, "symmetry"),
        ({"seed boards": [3]}, "seeds"),
        ({"seed boards": "12"}, "seeds"),
        ({"valid pattern": None}, "masks"),
        ({"color": "red"}, "color"),
    ],
)
def test_an_entry_that_cannot_be_used_is_told_and_the_others_are_read(changes, word):
    found, (problem,) = parse_reference({"bad": entry("44", **changes), "mine44": MINE, "x": MINE})
    assert [*found] == ["mine44", "x"]
    assert "'bad'" in problem
    assert word in problem


def test_in_the_data_folder_it_adds_what_is_new_and_replaces_what_differs(own):
    assert [*own.read()] == ["L3", "mine44"]
    known = load_formations(own=own.path)
    assert known["L3"].target_cells == 0x0000_0F00_F000_0000
    assert known["mine44"] == replace(SHIPPED["44"], name="mine44", target_cells=0xF_0000_0000)
    assert {name: known[name] for name in SHIPPED if name != "L3"} == {
        name: one for name, one in SHIPPED.items() if name != "L3"
    }


@pytest.mark.thorough
def test_it_stops_no_command(own):
    for words in (["patterns"], ["patterns", "mine44"], ["tables"], ["patterns", "--file"]):
        more = [own.path] if words[-1] == "--file" else []
        done = run("--data-dir", own.path.parent, *words, *more)
        assert done.returncode == 0, done.stderr


def test_a_file_of_nothing_usable_says_why(tmp_path):
    path = tmp_path / "patterns_config.json"
    path.write_text(json.dumps({"bad_name": MINE}))
    with pytest.raises(FormationError, match=r"patterns_config\.json: .*'bad_name'.*letters"):
        read_formations(path)


def test_a_change_keeps_the_file_and_goes_on_in_ours(own):
    text = own.path.read_text()
    done = own.put(replace(SHIPPED["44"], name="another"), {})
    assert done.old_file
    assert done.old_file.read_text() == text
    assert json.loads(own.path.read_text())["version"] == 1
    assert [*own.read()] == ["L3", "mine44", "another"]
    assert own.remove("another").old_file is None


def test_a_text_of_one_is_understood():
    found = parse_formation_text(json.dumps({"mine44": MINE}))
    assert found == replace(SHIPPED["44"], name="mine44", target_cells=0xF_0000_0000)
    with pytest.raises(FormationError, match="paste one at a time"):
        parse_formation_text(json.dumps(ALL))
