"""One table in several folders: opened, verified and listed, with all its drives or without one."""

import json
import os
import random
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from child import assert_refused, contents, json_lines, run
from drives import detached, layers_in, read_only, split_by_hand
from makers import TableMaker

from engine.platform.user_folders import UserFolders
from engine.spawn import Rng
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import BuildRefusedError, DamagedTableError, MissingTableError, TableError
from tablebase.library import catalog
from tablebase.library.named_tables import named_folder, named_folders
from tablebase.maintain.relocate import RelocatePlan, relocate
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import verify
from tablebase.store.checked_json import checksum
from tablebase.store.layer_locations import locate
from tablebase.store.manifest import load_manifest
from tablebase.store.parts_index import Elsewhere, PartRecord, load_elsewhere, load_part, ranges

NAME = "2x4_64"
AWAY = range(3, 10)


@pytest.fixture(scope="module")
def original(table: TableMaker) -> Path:
    return table("2x4", 64)


@pytest.fixture
def drives(original: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Return (home, other drive): layers 3 to 9 are on the other one."""
    home, other = tmp_path / "tables" / NAME, tmp_path / "other"
    split_by_hand(original, home, other / NAME, AWAY)
    manifest = load_manifest(home)
    PartRecord.of(manifest, home).save(other / NAME)
    Elsewhere(manifest.identity, {other / NAME: frozenset(AWAY)}).save(home)
    return home, other


@pytest.fixture
def home_alone(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / NAME))


def board_of_layer(path: Path, layer: int) -> int:
    """Return a stored after-state of a layer."""
    with Tablebase.open(path) as table:
        return table.stored_board(layer, 0)[0]


def test_layers_are_found_in_both_folders(drives):
    home, other = drives
    manifest = load_manifest(home)
    layers = locate([home], manifest).layers
    assert sorted(layers) == list(range(manifest.n_layers))
    for layer, path in layers.items():
        assert path == (other / NAME if layer in AWAY else home) / f"layer-{layer:04d}.tbl"


def test_a_table_in_two_folders_is_one(drives, original):
    home, _ = drives
    with Tablebase.open(original) as whole, Tablebase.open(home) as split:
        assert split.locations.warning == ""
        rng = Rng(3)
        for layer in [*AWAY, 0, 20]:
            i = rng.below(whole.manifest.layers[layer].stored)
            board, stored = whole.stored_board(layer, i)
            assert split.stored_board(layer, i) == (board, stored)
            assert split.rate_of(board) == whole.rate_of(board) > 0
    assert verify(home, sample=100).ok


def test_folders_can_be_named_instead(drives):
    home, other = drives
    (home / "elsewhere.json").unlink()
    with pytest.raises(TableError, match=r"layer-0003\.tbl is missing"):
        Tablebase.open(home)
    for place in (other / NAME, other):
        with Tablebase.open([home, place]) as table:
            assert table.locations.warning == ""
        assert verify([home, str(place)], sample=20).ok


def test_a_drive_that_is_not_there_is_a_warning(drives, original):
    home, other = drives
    there, away = board_of_layer(original, 20), board_of_layer(original, 5)
    with detached(other):
        with Tablebase.open(home) as table:
            warning = table.locations.warning
            for word in ("layers 3 to 9", NAME, str(other / NAME), "not there", "attach"):
                assert word in warning
            assert table.rate_of(there) > 0
            with pytest.raises(MissingTableError) as caught:
                table.rate_of(away)
            assert "layer 5 of 2x4_64 is in" in str(caught.value)
            assert str(other / NAME) in str(caught.value)
        with pytest.raises(MissingTableError, match="attach"):
            verify(home)


def test_a_drive_may_come_and_go_while_the_table_is_open(drives, original):
    home, other = drives
    away = board_of_layer(original, 5)
    with detached(other):
        table = Tablebase.open(home)
        with pytest.raises(MissingTableError):
            table.rate_of(away)
    assert table.rate_of(away) > 0
    table.close()
    with detached(other), pytest.raises(MissingTableError, match="attach"):
        table.rate_of(away)
    table.close()


def test_a_drive_at_another_place_can_be_named(drives):
    home, other = drives
    moved = other.with_name("mounted elsewhere")
    other.rename(moved)
    with Tablebase.open(home) as table:
        assert table.locations.away
    with Tablebase.open([home, moved]) as table:
        assert not table.locations.away
        assert not table.locations.warning


def test_a_missing_layer_on_a_drive_that_is_there_is_damage(drives):
    home, other = drives
    lost = other / NAME / "layer-0005.tbl"
    whole = lost.read_bytes()
    lost.write_bytes(whole[:-1])
    with pytest.raises(TableError, match=rf"{len(whole) - 1} bytes, expected {len(whole)}"):
        Tablebase.open(home)
    lost.unlink()
    with pytest.raises(TableError, match=r"other.*layer-0005\.tbl is missing"):
        Tablebase.open(home)
    lost.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(TableError, match=r"layer-0005\.tbl is damaged"):
        Tablebase.open(home)
    (info,) = catalog.scan([home.parent])
    assert info.state == "complete", "sizes only"


def test_a_strangers_folder_is_refused(drives, table, tmp_path):
    home, other = drives
    stranger = load_manifest(table("44", 64))
    PartRecord.of(stranger, home).save(other / NAME)
    with Tablebase.open(home) as opened:
        assert "belongs to another table" in opened.locations.warning
    with pytest.raises(MissingTableError, match="belongs to another table"):
        Tablebase.open([home, other / NAME])
    with pytest.raises(MissingTableError, match="is not part"):
        Tablebase.open([home, tmp_path])
    with pytest.raises(MissingTableError, match="is not part"):
        Tablebase.open([home, tmp_path / "nowhere"])
    with pytest.raises(MissingTableError, match="belongs to another table"):
        Tablebase.open([home, table("44", 64)])


def test_a_copy_of_the_table_serves_as_a_part(drives, original):
    home, other = drives
    with detached(other), Tablebase.open([home, original]) as table:
        assert not table.locations.away


def test_a_record_of_another_table_counts_for_nothing(drives, original):
    home, other = drives
    Elsewhere("00000000", {other / NAME: frozenset(AWAY)}).save(home)
    with pytest.raises(TableError, match="missing"):
        Tablebase.open(home)
    whole = home.parent.parent / "whole" / NAME
    shutil.copytree(original, whole)
    (whole / "elsewhere.json").write_bytes((home / "elsewhere.json").read_bytes())
    with Tablebase.open(whole) as table:
        assert table.locations.warning == ""


def test_a_damaged_record_hides_layers_but_breaks_nothing(drives, original):
    home, other = drives
    path = home / "elsewhere.json"
    whole = path.read_bytes()
    there = board_of_layer(original, 20)
    rng = random.Random(6)
    for _ in range(60):
        raw = bytearray(whole)
        raw[rng.randrange(len(raw) - 1)] ^= 1 << rng.randrange(8)
        path.write_bytes(raw)
        locations = locate([home], load_manifest(home))
        assert sorted(locations.away) == list(AWAY)
        assert str(path) in locations.warning
    with Tablebase.open(home) as table:
        assert table.rate_of(there) > 0
    with Tablebase.open([home, other]) as table:
        assert not table.locations.away, "the folder was named"
    (info,) = catalog.scan([home.parent])
    assert info.state == "away"


def test_a_wrong_record_under_a_right_checksum_breaks_nothing(drives):
    home, _ = drives
    manifest = load_manifest(home)
    path = home / "elsewhere.json"
    body = json.loads(path.read_text())
    del body["crc"]
    folders = [
        *(None, 5, {}, "x", [1], [None], [{}], [{"path": 5, "layers": []}]),
        [{"path": "/nowhere", "layers": [[0, 1 << 40]]}],
        [{"path": "/nowhere", "layers": [[0, 9], [0, 9]]}],
        [{"path": "/nowhere", "layers": [[5, 3]]}],
        [{"path": "/nowhere", "layers": [[1.5, 3]]}],
        [{"path": "\0", "layers": []}],
        [{"path": "\ud800", "layers": [[3, 9]]}],
        [{"path": "x" * 5000, "layers": []}],
        [{"path": str(home / "manifest.json"), "layers": [[3, 9]]}],
        [{"path": "/dev/null", "layers": [[3, 9]]}],
        [{"path": "", "layers": [[3, 9]]}],
    ]
    for value in folders:
        changed = {**body, "folders": value}
        path.write_text(json.dumps({**changed, "crc": checksum(changed)}))
        locations = locate([home], manifest)
        assert sorted({*locations.away, *locations.lost}) == list(AWAY), value
        assert catalog.scan([home.parent])[0].state in ("away", "damaged")


def test_a_part_whose_label_is_damaged_is_used_where_it_is_known(drives):
    home, other = drives
    label = other / NAME / "home.json"
    label.write_bytes(label.read_bytes()[:-30])
    with Tablebase.open(home) as table:
        assert not table.locations.away
    (home / "elsewhere.json").unlink()
    with pytest.raises(MissingTableError, match=r"home\.json is damaged"):
        Tablebase.open([home, other])


def test_the_record_is_written_and_read_as_it_is(tmp_path, original):
    manifest = load_manifest(original)
    one, two = tmp_path / "one", tmp_path / "zwei €"
    record = Elsewhere(manifest.identity).with_folder(one).with_folder(two)
    record = record.with_layers(one, [1, 2, 3, 9]).with_layers(two, [2, 50])
    assert (record.place(2), record.place(3), record.place(4)) == (two, one, None)
    record.save(tmp_path)
    assert load_elsewhere(tmp_path, manifest) == record
    record = record.with_layers(tmp_path, range(60))
    assert [record.place(layer) for layer in range(60)] == [None] * 60
    record.without_folder(one).without_folder(two).save(tmp_path)
    assert not (tmp_path / "elsewhere.json").exists()


def test_a_file_in_the_place_of_the_folder_does_not_count_as_no_record(tmp_path, original):
    (tmp_path / "file").touch()
    with pytest.raises(DamagedTableError, match=r"elsewhere\.json"):
        load_elsewhere(tmp_path / "file", load_manifest(original))
    with pytest.raises(FileNotFoundError):
        load_part(tmp_path / "file")


def test_ranges_hold_what_they_were_made_of():
    rng = random.Random(7)
    for _ in range(50):
        numbers = {rng.randrange(40) for _ in range(rng.randrange(30))}
        pairs = ranges(numbers)
        assert {i for first, last in pairs for i in range(first, last + 1)} == numbers
        assert all(a[1] + 1 < b[0] for a, b in pairwise(pairs))


def test_the_catalog_shows_one_entry(drives, original):
    home, other = drives
    (info,) = catalog.scan([home.parent, other, other / NAME])
    assert (info.path, info.state, info.message) == (home, "complete", "")
    assert info.folders == (other / NAME,)
    assert info.bytes == load_manifest(original).bytes


def test_the_catalog_says_which_drive_is_missing(drives):
    home, other = drives
    with detached(other):
        (info,) = catalog.scan([home.parent, other])
    assert info.state == "away"
    assert str(other / NAME) in info.message


def test_the_catalog_shows_a_part_without_its_table(drives):
    home, other = drives
    (info,) = catalog.scan([other])
    assert (info.path, info.state, info.name) == (other / NAME, "part", NAME)
    assert (info.layers_done, info.layers) == (len(AWAY), 80)
    assert str(home) in info.message
    (home / "elsewhere.json").unlink()
    states = [info.state for info in catalog.scan([home.parent, other])]
    assert states == ["damaged"], "a part of the listed table, which has forgotten it"


def test_a_build_is_complete_with_its_layers_elsewhere(drives, formations):
    home, other = drives
    before = contents(home.parent.parent)
    plan = BuildPlan(formations["2x4"], 64, home, threads=1)
    assert build(plan).was_complete
    with detached(other), pytest.raises(BuildRefusedError, match="attach"):
        build(plan)
    assert contents(home.parent.parent) == before


def test_a_lost_layer_is_computed_again_beside_those_elsewhere(drives, formations, original):
    home, other = drives
    (other / NAME / "layer-0005.tbl").unlink()
    (home / "layer-0030.tbl").unlink()
    build(BuildPlan(formations["2x4"], 64, home, threads=1))
    assert verify(home, sample=20).ok
    assert layers_in(other / NAME) == [3, 4, 6, 7, 8, 9]
    relocate(RelocatePlan([home], home))
    assert contents(home) == contents(original)


@pytest.mark.skipif(os.name == "nt", reason="no open file can be moved there")
def test_an_open_table_that_was_moved_away_is_no_damage(home_alone):
    with Tablebase.open(home_alone) as table:
        home_alone.rename(home_alone.with_name("moved"))
        with pytest.raises(MissingTableError) as told:
            table.stored_board(5, 0)
    assert f"{home_alone} is no longer there; the table may have been moved" in str(told.value)
    assert "build" not in str(told.value)


def test_nothing_is_written_to_read_only_drives(monkeypatch, drives, formations):
    home, other = drives
    before = contents(home.parent.parent)
    for path in (home, other / NAME):
        for file in path.iterdir():
            file.chmod(0o444)
        path.chmod(0o555)
    try:
        with read_only(monkeypatch, home.parent, other) as tried:
            with Tablebase.open(home) as table:
                assert table.rate_of(table.stored_board(5, 0)[0]) > 0
            assert verify(home, sample=20).ok
            assert [info.state for info in catalog.scan([home.parent, other])] == ["complete"]
            assert build(BuildPlan(formations["2x4"], 64, home, threads=1)).was_complete
            assert tried == []
            with pytest.raises(BuildRefusedError, match="Read-only"):
                relocate(RelocatePlan([home], home))
            assert tried, "the test would see a write"
    finally:
        for path in (home, other / NAME):
            path.chmod(0o755)
    assert contents(home.parent.parent) == before


def test_the_command_line_takes_folders_joined(drives):
    home, other = drives
    (home / "elsewhere.json").unlink()
    joined = f"{home}{os.pathsep}{other}"
    result = run("verify", joined, "--sample", 5, "--json")
    assert json_lines(result.stdout)[-1]["ok"] is True
    board = "ffff01001200ffff"
    result = run("probe", joined, "--board", board, "--json")
    assert json_lines(result.stdout)[0]["best"]


def test_the_command_line_warns_of_a_missing_drive(drives):
    home, other = drives
    with detached(other):
        result = run("probe", home, "--board", "ffff00000001ffff", "--after", "--json")
        assert result.returncode == 0
        (line,) = result.stderr.splitlines()
        assert line.startswith("warning: layers 3 to 9")
        assert_refused(run("verify", home, "--json"), "layers 3 to 9", str(other / NAME))
        (listed,) = json_lines(run("tables", home.parent, "--json").stdout)
    assert listed["state"] == "away"


def test_the_target_in_a_name_may_be_spelled_as_people_do(tmp_path):
    folders = UserFolders(tmp_path, tmp_path)
    for typed, name in (("442_2k", "442_2048"), ("3x3_sum-1790", "3x3_sum1790"), ("a_b", "a_b")):
        assert named_folder(folders, typed) == tmp_path / "tables" / name
    (tmp_path / "tables" / "442_2k").mkdir(parents=True)
    assert named_folder(folders, "442_2k") == tmp_path / "tables" / "442_2k"


def test_a_name_with_the_joining_character_is_one_folder(tmp_path):
    folders = UserFolders(tmp_path, tmp_path)
    odd = tmp_path / f"a{os.pathsep}b"
    assert named_folders(folders, str(odd)) == [Path(text) for text in str(odd).split(os.pathsep)]
    odd.mkdir()
    assert named_folders(folders, str(odd)) == [odd]
    assert named_folders(folders, f"2x4_64{os.pathsep}/mnt") == [
        tmp_path / "tables" / "2x4_64",
        Path("/mnt"),
    ]
