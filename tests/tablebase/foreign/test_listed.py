"""Other programs' tables in the list of tables."""

from pathlib import Path

from tablebase.formation.patterns_file import load_formations
from tablebase.library.catalog import scan
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
