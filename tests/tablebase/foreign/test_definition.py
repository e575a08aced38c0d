"""The definition that another program's table was made with is found out when it is opened."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from makers import Solver
from reference_tables import Writer, stored_layers, write_table

from engine.bitboard import format_board
from tablebase.errors import TableFormatError
from tablebase.foreign.definition import definitions_of
from tablebase.foreign.find import ForeignTable
from tablebase.foreign.table import ReferenceTable
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations
from tablebase.library.foreign_summary import summarize

SHIPPED = load_formations()
EVERYWHERE = 0xFFFF_FFFF_FFFF_FFFF


@pytest.fixture
def wider(formations: dict[str, Formation]) -> Formation:
    """The formation of the tests, but with the target counting everywhere."""
    return replace(formations["tinyangle"], target_cells=EVERYWHERE)


@pytest.mark.parametrize("packed", [False, True], ids=["book", "packed"])
def test_other_target_cells_are_told_at_opening_with_how_to_go_on(
    packed: bool, written: Writer, wider: Formation
) -> None:
    """Else boards whose rate of 0 was not stored are answered as won."""
    folder = written("tinyangle", 64, "uint32", packed)
    with pytest.raises(TableFormatError, match=r"other target cells .* copy patterns_config\.json"):
        ReferenceTable.open(folder, formations={"tinyangle": wider})


def test_a_definition_of_another_name_that_fits_is_used(
    written: Writer, wider: Formation, formations: dict[str, Formation], solution: Solver
) -> None:
    usual = formations["tinyangle"]
    known = {"tinyangle": wider, "mine": replace(usual, name="mine", category="of another program")}
    layers = solution("tinyangle", 64).rates
    with ReferenceTable.open(written("tinyangle", 64), formations=known) as table:
        assert table.formation.target_cells == usual.target_cells
        assert (table.pattern, table.formation.name) == ("tinyangle", "tinyangle")
        for layer in (30, 50):
            for board, rate in layers[layer].items():
                assert table.rate_of(board, comes_up=True) == pytest.approx(rate, abs=1e-8)


def test_the_usual_one_is_used_where_a_wider_one_does_not_fit(
    written: Writer, wider: Formation, formations: dict[str, Formation]
) -> None:
    known = {"tinyangle": formations["tinyangle"], "wide": replace(wider, name="wide")}
    with ReferenceTable.open(written("tinyangle", 64), formations=known) as table:
        assert table.formation == formations["tinyangle"]


@pytest.mark.parametrize("is_theirs", [True, False], ids=["their format", "our format"])
def test_a_file_beside_the_table_brings_its_formation_along(
    is_theirs: bool, solution: Solver, formations: dict[str, Formation], tmp_path: Path
) -> None:
    one = formations["tinyangle"]
    write_table(tmp_path, "tinyangle_64", stored_layers(solution("tinyangle", 64)), "float32")
    theirs = {
        "category": one.category,
        "valid pattern": [format_board(mask) for mask in one.masks],
        "target pos": format_board(one.target_cells),
        "canonical mode": one.symmetry,
        "seed boards": [format_board(seed) for seed in one.seeds],
        "extra steps": one.extra_steps,
    }
    data = {one.name: theirs} if is_theirs else {"version": 1, "formations": [one.to_dict()]}
    (tmp_path / "patterns_config.json").write_text(json.dumps(data))
    with ReferenceTable.open(tmp_path, formations={}) as table:
        assert table.formation == one
        assert summarize(table.found, {}).state == "complete"


def definitions(pattern: str, target: int, position: str = "", last: int = 0) -> list[Formation]:
    layers = {last: Path("layer")}
    found = ForeignTable(Path("nowhere"), pattern, target, layers, position=position)
    return definitions_of(found, SHIPPED)


@pytest.mark.parametrize(
    ("pattern", "position", "cells"),
    [
        ("L3", "0", 0x0000_0F00_F000_0000),
        ("L3", "1", 0x0000_00F0_0000_0000),
        ("L3", "3", 0x0000_0000_F000_0000),
        ("LL", "0", 0x0000_00FF_0F00_0F00),
        ("LL", "1", 0x0000_0000_0000_0F00),
        ("444", "0", 0x0000_0000_0FF0_0000),
    ],
)
def test_a_position_stands_for_target_cells(pattern: str, position: str, cells: int) -> None:
    first = definitions(pattern, 512, position)[0]
    assert first.target_cells == cells
    assert first.symmetry == (
        "identity" if (pattern, position) == ("LL", "1") else SHIPPED[pattern].symmetry
    )


def test_older_tables_had_fewer_layers() -> None:
    assert definitions("L3", 512, "0", 256 + 35)[0].extra_steps == 36
    assert definitions("L3", 512, "0", 256 + 40)[0].extra_steps == 48
    assert definitions("LL", 512, "0")[0].extra_steps == 48


def test_versions_that_counted_fewer_cells_are_known() -> None:
    assert [one.target_cells for one in definitions("L3", 512)] == [
        EVERYWHERE,
        0x0000_0F00_F000_0000,
    ]
    assert definitions("4421", 512)[1].target_cells == 0x00F0_0000
    assert definitions("free9w", 128) == [SHIPPED["free9"]]
