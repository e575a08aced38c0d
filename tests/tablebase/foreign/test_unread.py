"""Formats of 2048EndgameTablebase that are not read are named for what they are, everywhere."""

from collections.abc import Callable
from pathlib import Path

import pytest
from child import run

from tablebase.errors import MissingTableError
from tablebase.foreign.find import find_table
from tablebase.foreign.table import ReferenceTable
from tablebase.library.catalog import scan
from tablebase.library.opening import open_table
from tablebase.store.foreign_files import unread_tables, what_is_in
from tablebase.store.manifest import load_manifest

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
def test_a_format_is_named_wherever_a_folder_is_opened(
    tmp_path: Path, name: str, word: str, opens: Callable[[Path], object]
) -> None:
    put(tmp_path, name, "notes.txt")
    with pytest.raises(MissingTableError, match=rf"is a table of 2048EndgameTablebase.*{word}"):
        opens(tmp_path)


def test_a_table_of_several_is_named_by_the_path_of_its_name(tmp_path: Path) -> None:
    put(tmp_path, "free10_512_30b/", "free12_512_3.bccmp")
    with pytest.raises(MissingTableError, match="BC algorithm"):
        open_table(tmp_path / "free12_512")
    assert [*unread_tables(tmp_path)] == ["free10_512", "free12_512"]


def test_other_files_are_nobodys_table(tmp_path: Path) -> None:
    put(tmp_path, "holiday_2026_8.7z", "scan_12_3", "L3_512_config.txt", "L3_512_3b")
    put(tmp_path, "L3_512_4/", "L3_512_5.bccmp/")
    assert what_is_in(tmp_path) == ""
    with pytest.raises(MissingTableError, match=r"it has no manifest\.json"):
        open_table(tmp_path)


def test_a_table_that_can_be_read_is_to_be_imported_where_only_ours_will_do(tmp_path: Path) -> None:
    put(tmp_path, "L3_512_0.book", "free10_512_30b/")
    with pytest.raises(MissingTableError, match=r"holds L3_512, .*import it first"):
        load_manifest(tmp_path)
    assert [*unread_tables(tmp_path)] == ["free10_512"]


def test_a_third_number_is_a_position_of_the_target(tmp_path: Path) -> None:
    put(tmp_path, "L3_512_0_0.book", "L3_512_0_1.z/")
    found = find_table(tmp_path)
    assert found is not None
    assert (found.pattern, found.target, found.position, found.name) == ("L3", 512, "0", "L3_512_0")
    assert [*found.layers] == [0, 1]
    assert "L3_512_0_2.book" in found.why_missing(2)


def test_the_list_of_tables_names_it(tmp_path: Path) -> None:
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
def test_every_command_names_it(tmp_path: Path, command: str) -> None:
    put(tmp_path / "theirs", "free10_512_30b/")
    more = {"relocate": ["--to", str(tmp_path / "there")], "convert": ["--rate", "uint16"]}
    done = run(command, str(tmp_path / "theirs"), *more.get(command, []))
    assert done.returncode
    assert "advanced algorithm" in done.stderr
    assert "manifest.json" not in done.stderr
