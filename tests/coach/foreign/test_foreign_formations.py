"""The formations of the other program become the user's own."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coach.foreign.config import ForeignSettingsError
from coach.foreign.plan import FORMATIONS, plan
from engine.bitboard import format_board
from main import main
from tablebase.formation.own_file import OwnFile
from tablebase.formation.patterns_file import load_formations

SHIPPED = load_formations()
TWO_CELLS = 0x0000_0F00_F000_0000


def entry(name: str, target_cells: int = 0) -> dict[str, Any]:
    """A formation of ours as that program writes it, perhaps with other target cells."""
    one = SHIPPED[name]
    return {
        "category": one.category,
        "valid pattern": [format_board(mask) for mask in one.masks],
        "target pos": f"0x{target_cells or one.target_cells:x}",
        "canonical mode": one.symmetry,
        "seed boards": [format_board(seed) for seed in one.seeds],
        "extra steps": one.extra_steps,
    }


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    folder = tmp_path / "it" / "docs_and_configs"
    folder.mkdir(parents=True)
    formations = {
        "442": entry("442"),
        "L3": entry("L3", TWO_CELLS),
        "mine44": entry("44", 0xF_0000_0000),
        "odd_name": entry("44"),
    }
    (folder / "patterns_config.json").write_text(json.dumps(formations))
    return folder.parent


def symmetry_of(_table: str) -> str:
    return "full"


def test_what_differs_from_ours_gets_a_name_of_its_own(theirs):
    found = plan(theirs, symmetry_of)
    assert [one.formation for one in found.formations] == [
        replace(SHIPPED["L3"], name="L3alt", target_cells=TWO_CELLS),
        replace(SHIPPED["44"], name="mine44", target_cells=0xF_0000_0000),
    ]
    (part,) = found.parts
    assert (part.key, part.title) == (FORMATIONS, "2 formations")
    assert part.lines == ("L3, as L3alt: ours is another one", "mine44")
    assert len(found.notes) == 1
    assert "odd_name" in found.notes[0]
    taken = {**SHIPPED, "l3ALT": replace(SHIPPED["44"], name="l3ALT", extra_steps=1)}
    names = [one.formation.name for one in plan(theirs, symmetry_of, known=taken).formations]
    assert names == ["L3alt2", "mine44"]


def test_the_command_adds_them_once(theirs, tmp_path):
    data = tmp_path / "data"
    for _ in range(2):
        assert main(["migrate", str(theirs), "--data-dir", str(data)]) == 0
    assert [*OwnFile(data / "patterns_config.json").read()] == ["L3alt", "mine44"]
    assert load_formations(own=data / "patterns_config.json")["L3"] == SHIPPED["L3"]


def test_the_file_itself_can_be_named(theirs, tmp_path):
    assert plan(theirs / "docs_and_configs" / "patterns_config.json", symmetry_of).formations
    other = tmp_path / "other.json"
    other.write_text('{"version": 1}')
    with pytest.raises(ForeignSettingsError, match="no formations of 2048EndgameTablebase"):
        plan(other, symmetry_of)
