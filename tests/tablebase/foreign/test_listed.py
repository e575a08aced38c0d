"""Other programs' tables in the list of tables."""

from pathlib import Path

import pytest

from tablebase.foreign.find import find_table
from tablebase.formation.patterns_file import load_formations
from tablebase.library.catalog import scan
from tablebase.library.stamp import stamp_of
from tablebase.store.manifest import Manifest


def put_books(folder: Path, name: str, layers: int = 3) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for layer in range(layers):
        (folder / f"{name}_{layer}.book").write_bytes(b"\0" * 12)
    return folder


def test_they_are_found_in_the_folder_and_in_those_inside(tmp_path: Path) -> None:
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


def test_a_folder_named_twice_is_listed_once(tmp_path: Path) -> None:
    put_books(tmp_path / "theirs", "44_64")
    assert len(scan([tmp_path, tmp_path / "theirs", tmp_path / "theirs" / "."])) == 1


def test_our_own_tables_are_ours(tmp_path: Path) -> None:
    folder = put_books(tmp_path / "44_64", "44_64")
    Manifest(load_formations()["44"], 64).save(folder)
    assert [table.origin for table in scan([tmp_path])] == [""]


def test_what_was_imported_beside_its_source_hides_that(tmp_path: Path) -> None:
    put_books(tmp_path, "44_64")
    (tmp_path / "44_64").mkdir()
    Manifest(load_formations()["44"], 64).save(tmp_path / "44_64")
    assert [(table.name, table.origin) for table in scan([tmp_path])] == [("44_64", "")]


def test_nothing_that_lies_there_makes_the_list_fail(tmp_path: Path) -> None:
    put_books(tmp_path, "99999_99999")
    (tmp_path / "L3_512_config.txt").write_bytes(b"\xff\xfe: \0")
    put_books(tmp_path, "L3_512", layers=1)
    (tmp_path / "t_512_1.z").mkdir()
    (tmp_path / "t_512_0.book").symlink_to(tmp_path / "nowhere")
    names = [table.name for table in scan([tmp_path])]
    assert "L3_512" in names


@pytest.mark.parametrize("packed", [False, True])
def test_a_layer_linked_from_a_drive_that_is_gone_is_missing(tmp_path: Path, packed: bool) -> None:
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


def test_a_link_in_a_circle_hides_no_table(tmp_path: Path) -> None:
    put_books(tmp_path / "theirs", "44_64")
    (tmp_path / "circle").symlink_to("circle")
    before = stamp_of([tmp_path])
    assert [table.name for table in scan([tmp_path])] == ["44_64"]
    put_books(tmp_path / "theirs", "44_64", layers=4)
    assert stamp_of([tmp_path]) != before


def test_new_layers_of_a_table_without_a_manifest_are_noticed(tmp_path: Path) -> None:
    """As while it is copied: a service lists it as unfinished until its last layer is there."""
    put_books(tmp_path / "theirs", "44_64")
    before = stamp_of([tmp_path])
    assert stamp_of([tmp_path]) == before
    put_books(tmp_path / "theirs", "44_64", layers=4)
    assert stamp_of([tmp_path]) != before
