"""Other programs' tables: their definition and origin, in lists, and those that can't be read."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from child import run
from reference_tables import stored_layers, write_table

from engine.bitboard import format_board
from tablebase.errors import DamagedTableError, MissingTableError, TableFormatError
from tablebase.foreign.definition import definitions_of
from tablebase.foreign.find import ForeignTable, find_table
from tablebase.foreign.table import ReferenceTable
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations
from tablebase.library.catalog import scan, stamp_of
from tablebase.library.foreign_summary import summarize
from tablebase.library.opening import open_table
from tablebase.store.foreign_files import unread_tables, what_is_in
from tablebase.store.manifest import IMPORT_NAME, Manifest, load_manifest
from tablebase.store.origin import Origin, load_origin

SHIPPED = load_formations()
EVERYWHERE = 0xFFFF_FFFF_FFFF_FFFF


@pytest.fixture
def wider(formations: dict[str, Formation]) -> Formation:
    """The formation of the tests, but with the target counting everywhere."""
    return replace(formations["tinyangle"], target_cells=EVERYWHERE)


@pytest.mark.parametrize("packed", [False, True], ids=["book", "packed"])
def test_other_target_cells_are_told_at_opening_with_how_to_go_on(packed, written, wider):
    """Else boards whose rate of 0 was not stored are answered as won."""
    folder = written("tinyangle", 64, "uint32", packed)
    with pytest.raises(TableFormatError, match=r"other target cells .* copy patterns_config\.json"):
        ReferenceTable.open(folder, formations={"tinyangle": wider})


def test_a_definition_of_another_name_that_fits_is_used(written, wider, formations, solution):
    usual = formations["tinyangle"]
    known = {"tinyangle": wider, "mine": replace(usual, name="mine", category="of another program")}
    layers = solution("tinyangle", 64).rates
    with ReferenceTable.open(written("tinyangle", 64), formations=known) as table:
        assert table.formation.target_cells == usual.target_cells
        assert (table.pattern, table.formation.name) == ("tinyangle", "tinyangle")
        for layer in (30, 50):
            for board, rate in layers[layer].items():
                assert table.rate_of(board, comes_up=True) == pytest.approx(rate, abs=1e-8)


def test_the_usual_one_is_used_where_a_wider_one_does_not_fit(written, wider, formations):
    known = {"tinyangle": formations["tinyangle"], "wide": replace(wider, name="wide")}
    with ReferenceTable.open(written("tinyangle", 64), formations=known) as table:
        assert table.formation == formations["tinyangle"]


@pytest.mark.parametrize("is_theirs", [True, False], ids=["their format", "our format"])
def test_a_file_beside_the_table_brings_its_formation_along(
    is_theirs, solution, formations, tmp_path
):
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
def test_a_position_stands_for_target_cells(pattern, position, cells):
    first = definitions(pattern, 512, position)[0]
    assert first.target_cells == cells
    assert first.symmetry == (
        "identity" if (pattern, position) == ("LL", "1") else SHIPPED[pattern].symmetry
    )


def test_older_tables_had_fewer_layers():
    assert definitions("L3", 512, "0", 256 + 35)[0].extra_steps == 36
    assert definitions("L3", 512, "0", 256 + 40)[0].extra_steps == 48
    assert definitions("LL", 512, "0")[0].extra_steps == 48


def test_versions_that_counted_fewer_cells_are_known():
    assert [one.target_cells for one in definitions("L3", 512)] == [
        EVERYWHERE,
        0x0000_0F00_F000_0000,
    ]
    assert definitions("4421", 512)[1].target_cells == 0x00F0_0000
    assert definitions("free9w", 128) == [SHIPPED["free9"]]


def put_books(folder: Path, name: str, layers: int = 3) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for layer in range(layers):
        (folder / f"{name}_{layer}.book").write_bytes(b"\0" * 12)
    return folder


def test_they_are_found_in_the_folder_and_in_those_inside(tmp_path):
    put_books(tmp_path, "44_64")
    put_books(tmp_path / "more", "L3_128")
    put_books(tmp_path / "442_64", "442_64")
    found = scan([tmp_path])
    assert [(table.name, table.path) for table in found] == [
        ("44_64", tmp_path / "44_64"),
        ("442_64", tmp_path / "442_64"),
        ("L3_128", tmp_path / "more" / "L3_128"),
    ]
    assert {table.origin for table in found} == {"2048EndgameTablebase"}


def test_a_folder_named_twice_is_listed_once(tmp_path):
    put_books(tmp_path / "theirs", "44_64")
    assert len(scan([tmp_path, tmp_path / "theirs", tmp_path / "theirs" / "."])) == 1


def test_our_own_tables_are_ours(tmp_path):
    folder = put_books(tmp_path / "44_64", "44_64")
    Manifest(load_formations()["44"], 64).save(folder)
    assert [table.origin for table in scan([tmp_path])] == [""]


def test_what_was_imported_beside_its_source_hides_that(tmp_path):
    put_books(tmp_path, "44_64")
    (tmp_path / "44_64").mkdir()
    Manifest(load_formations()["44"], 64).save(tmp_path / "44_64")
    assert [(table.name, table.origin) for table in scan([tmp_path])] == [("44_64", "")]


def test_nothing_that_lies_there_makes_the_list_fail(tmp_path):
    put_books(tmp_path, "99999_99999")
    (tmp_path / "L3_512_config.txt").write_bytes(b"\xff\xfe: \0")
    put_books(tmp_path, "L3_512", layers=1)
    (tmp_path / "t_512_1.z").mkdir()
    (tmp_path / "t_512_0.book").symlink_to(tmp_path / "nowhere")
    names = [table.name for table in scan([tmp_path])]
    assert "L3_512" in names


@pytest.mark.parametrize("packed", [False, True])
def test_a_layer_linked_from_a_drive_that_is_gone_is_missing(tmp_path, packed):
    folder = put_books(tmp_path / "theirs", "44_64")
    (folder / "44_64_1.book").unlink()
    (folder / "44_64_1.book").symlink_to(tmp_path / "nowhere")
    (folder / "44_64_2.book").unlink()
    (folder / "44_64_2.book").symlink_to("44_64_2.book")
    if packed:
        (folder / "44_64_1.z").mkdir()
    found = find_table(folder)
    assert found is not None
    assert set(found.layers) == ({0, 1} if packed else {0})
    assert found.bytes == 12
    assert "neither 44_64_2.book nor 44_64_2.z is there" in found.why_missing(2)


def test_a_link_in_a_circle_hides_no_table(tmp_path):
    put_books(tmp_path / "theirs", "44_64")
    (tmp_path / "circle").symlink_to("circle")
    before = stamp_of([tmp_path])
    assert [table.name for table in scan([tmp_path])] == ["44_64"]
    put_books(tmp_path / "theirs", "44_64", layers=4)
    assert stamp_of([tmp_path]) != before


def test_new_layers_of_a_table_without_a_manifest_are_noticed(tmp_path):
    """As while it is copied: a service lists it as unfinished until its last layer is there."""
    put_books(tmp_path / "theirs", "44_64")
    before = stamp_of([tmp_path])
    assert stamp_of([tmp_path]) == before
    put_books(tmp_path / "theirs", "44_64", layers=4)
    assert stamp_of([tmp_path]) != before


def test_an_origin_comes_back(tmp_path):
    assert load_origin(tmp_path) is None
    origin = Origin("uint32", False, "0123abcd")
    origin.save(tmp_path)
    assert load_origin(tmp_path) == origin


@pytest.mark.parametrize(
    ("field", "value"), [("is_thinned", 0), ("source_rate", None), ("source_files", 3), ("more", 1)]
)
def test_an_origin_of_other_types_is_damage(tmp_path, field, value):
    """0 equals False: an import that went on would leave it, and call the table its own."""
    Origin("uint32", False, "0123abcd").save(tmp_path)
    path = tmp_path / IMPORT_NAME
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}), encoding="ascii")
    with pytest.raises(DamagedTableError, match="import it again"):
        load_origin(tmp_path)


FORMATS = {
    "free10_512_30b/": "advanced algorithm",
    "free12_512_3.bccmp": "BC algorithm",
    "free12_512_3.bcraw": "BC algorithm",
    "3x3_sum-1790_2.zbook": "EX algorithm",
    "3x3_sum-1790_.zlut": "EX algorithm",
    "L3_512_4.exzbook": "EX algorithm",
    "3x3_sum-1790_2.book": "tile sum as its target",
    "L3_512_0_7.book.7z": "unpack",
    "L3_512_7.7z": "unpack",
    "L3_512_12": "not finished",
}


def put(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            path.mkdir()
        else:
            path.write_bytes(b"x")
    return folder


@pytest.mark.parametrize("opens", [load_manifest, open_table, ReferenceTable.open])
@pytest.mark.parametrize(("name", "word"), FORMATS.items())
def test_a_format_is_named_wherever_a_folder_is_opened(tmp_path, name, word, opens):
    put(tmp_path, name, "notes.txt")
    with pytest.raises(MissingTableError, match=rf"is a table of 2048EndgameTablebase.*{word}"):
        opens(tmp_path)


def test_a_table_of_several_is_named_by_the_path_of_its_name(tmp_path):
    put(tmp_path, "free10_512_30b/", "free12_512_3.bccmp")
    with pytest.raises(MissingTableError, match="BC algorithm"):
        open_table(tmp_path / "free12_512")
    assert [*unread_tables(tmp_path)] == ["free10_512", "free12_512"]


def test_other_files_are_nobodys_table(tmp_path):
    put(tmp_path, "holiday_2026_8.7z", "scan_12_3", "L3_512_config.txt", "L3_512_3b")
    put(tmp_path, "L3_512_4/", "L3_512_5.bccmp/")
    assert what_is_in(tmp_path) == ""
    with pytest.raises(MissingTableError, match=r"it has no manifest\.json"):
        open_table(tmp_path)


def test_a_table_that_can_be_read_is_to_be_imported_where_only_ours_will_do(tmp_path):
    put(tmp_path, "L3_512_0.book", "free10_512_30b/")
    with pytest.raises(MissingTableError, match=r"holds L3_512, .*import it first"):
        load_manifest(tmp_path)
    assert [*unread_tables(tmp_path)] == ["free10_512"]


def test_a_third_number_is_a_position_of_the_target(tmp_path):
    put(tmp_path, "L3_512_0_0.book", "L3_512_0_1.z/")
    found = find_table(tmp_path)
    assert found is not None
    assert (found.pattern, found.target, found.position, found.name) == ("L3", 512, "0", "L3_512_0")
    assert [*found.layers] == [0, 1]
    assert "L3_512_0_2.book" in found.why_missing(2)


def test_the_list_of_tables_names_it(tmp_path):
    put(tmp_path, "theirs/free10_512_30b/", "theirs/3x3_sum-1790_.zlut", "theirs/scan_12_3")
    put(tmp_path, "theirs/44_64_0.book")
    found = {info.name: info for info in scan([tmp_path])}
    assert {name: info.state for name, info in found.items()} == {
        "3x3_sum-1790": "unread",
        "44_64": "partial",
        "free10_512": "unread",
    }
    one = found["free10_512"]
    assert (one.pattern, one.target, one.origin) == ("free10", 512, "2048EndgameTablebase")
    assert "advanced algorithm" in one.message
    for words in ([], ["--json"]):
        done = run("tables", str(tmp_path), *words)
        assert done.returncode == 0
        assert "advanced algorithm" in done.stdout
        assert "EX algorithm" in done.stdout


@pytest.mark.parametrize("command", ["info", "verify", "convert", "relocate"])
def test_every_command_names_it(tmp_path, command):
    put(tmp_path / "theirs", "free10_512_30b/")
    more = {"relocate": ["--to", str(tmp_path / "there")], "convert": ["--rate", "uint16"]}
    done = run(command, str(tmp_path / "theirs"), *more.get(command, []))
    assert done.returncode
    assert "advanced algorithm" in done.stderr
    assert "manifest.json" not in done.stderr
