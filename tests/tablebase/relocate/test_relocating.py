"""Layers move to another drive and back, or are refused in a sentence, with nothing changed."""

import multiprocessing
import shutil
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from child import assert_refused, contents, json_lines, run
from drives import assert_whole, detached, layers_in, move, read_only

from tablebase.build.builder import BuildPlan, build
from tablebase.build.progress import Progress
from tablebase.errors import BuildRefusedError, MissingTableError
from tablebase.library import catalog
from tablebase.maintain.convert import ConvertPlan, convert
from tablebase.maintain.relocate import RelocatePlan, relocate
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import verify
from tablebase.store.block_cache import BlockCache
from tablebase.store.build_lock import folder_lock
from tablebase.store.layer_file import LayerFile
from tablebase.store.manifest import load_manifest
from tablebase.store.options import TableOptions
from tablebase.store.parts_index import PartRecord

NAME = "2x4_64"


def test_layers_move_and_the_table_stays_whole(home, drive, original):
    result = move(home, drive, range(3, 10))
    assert (result.table, result.to, result.layers) == (home, drive / NAME, 7)
    sizes = [(original / f"layer-{layer:04d}.tbl").stat().st_size for layer in range(3, 10)]
    assert result.bytes == sum(sizes)
    assert layers_in(drive / NAME) == [*range(3, 10)]
    assert layers_in(home) == [0, 1, 2, *range(10, 80)]
    assert_whole(home, original)
    assert verify(home, sample=50).ok
    (info,) = catalog.scan([home.parent, drive])
    assert info.state == "complete"


def test_all_layers_move_and_come_back_without_a_trace(home, drive, original):
    assert move(home, drive).layers == 80
    assert sorted(path.name for path in home.iterdir()) == ["elsewhere.json", "manifest.json"]
    assert_whole(home, original)
    assert move(home, home).layers == 80
    assert contents(home) == contents(original)
    assert list(drive.iterdir()) == []


def test_the_folder_that_holds_the_table_means_its_home(home, drive, original):
    move(home, drive, range(5))
    move(home, home.parent)
    assert contents(home) == contents(original)


def test_the_same_again_moves_nothing(home, drive):
    move(home, drive, range(3, 10))
    before = contents(home.parent.parent)
    for to in (drive, drive / NAME):
        assert move(home, to, range(3, 10)).layers == 0
    assert contents(home.parent.parent) == before


def test_layers_move_from_one_drive_to_the_next(home, drive, original, tmp_path):
    third = tmp_path / "third"
    third.mkdir()
    move(home, drive, range(3, 10))
    move(home, third, range(5, 12))
    assert layers_in(drive / NAME) == [3, 4]
    assert layers_in(third / NAME) == [*range(5, 12)]
    assert_whole(home, original)
    move(home, third)
    assert list(drive.iterdir()) == [], "an empty part is removed"
    assert_whole(home, original)


def test_as_many_layers_move_as_fit_into_a_number_of_bytes(home, drive, tmp_path):
    sizes = {layer: one.bytes for layer, one in load_manifest(home).layers.items()}
    limit = sum(sizes[layer] for layer in range(10)) + 1
    result = move(home, drive, most_bytes=limit)
    assert limit - min(sizes.values()) < result.bytes <= limit
    assert layers_in(drive / NAME)[:10] == [*range(10)]
    assert move(home, drive, most_bytes=limit).layers == 0, "it holds as many already"
    with pytest.raises(BuildRefusedError, match="the smallest has"):
        move(home, tmp_path, most_bytes=10)


def test_layers_that_stay_are_not_read(home, drive, monkeypatch):
    """A table may have a terabyte, and one layer be moved."""
    read, real = set[str](), LayerFile.check_blocks

    def note(self: LayerFile) -> Iterator[int]:
        read.add(self.path.name)
        return real(self)

    monkeypatch.setattr(LayerFile, "check_blocks", note)
    move(home, drive, range(10, 12))
    assert {name[:10] for name in read} == {"layer-0010", "layer-0011"}


def test_an_open_table_goes_on(home, drive):
    with Tablebase.open(home) as table:
        boards = [table.stored_board(layer, 0)[0] for layer in range(5, 70)]
        rates = [table.rate_of(board) for board in boards]
        move(home, drive)
        assert [table.rate_of(board) for board in boards] == rates


def test_so_does_one_that_keeps_what_it_has_read(table, drive, tmp_path):
    """It closes files whose directory it keeps, and opens them again for other blocks."""
    home = tmp_path / "442_64"
    shutil.copytree(table("442", 64), home)
    with Tablebase.open(home) as opened:
        ends = [
            [
                opened.stored_board(layer, i)[0]
                for i in (0, opened.manifest.layers[layer].stored - 1)
            ]
            for layer in range(20, 45)
        ]
        opened.keep_layers(BlockCache(1 << 30))
        assert None not in [opened.rate_of(first) for first, _ in ends]
        move(home, drive)
        assert None not in [opened.rate_of(last) for _, last in ends]


def test_progress_ends_with_everything(home, drive):
    told: list[Progress] = []
    result = relocate(RelocatePlan([home], drive, range(10, 20)), told.append)
    assert {progress.phase for progress in told} == {"relocate"}
    assert {progress.layer for progress in told} == set(range(10, 20))
    fractions = [progress.fraction for progress in told]
    assert fractions == sorted(fractions)
    assert 0 == fractions[0] < fractions[-1] <= 1
    assert told[-1].bytes == result.bytes


def test_a_drive_that_has_moved_is_recorded_anew(home, drive, original):
    move(home, drive, range(10, 14))
    moved = drive.with_name("mounted elsewhere")
    drive.rename(moved)
    relocate(RelocatePlan([home, moved], moved, range(10, 15)))
    assert_whole(home, original)
    assert layers_in(moved / NAME) == [10, 11, 12, 13, 14]
    assert str(drive / NAME) not in (home / "elsewhere.json").read_text()


def test_a_damaged_record_is_made_anew_from_named_folders(home, drive, original):
    move(home, drive, range(10, 14))
    (home / "elsewhere.json").write_text("{}")
    with pytest.raises(Exception, match=r"elsewhere\.json"):
        move(home, home)
    relocate(RelocatePlan([home, drive], drive, range(10, 14)))
    assert_whole(home, original)


def test_the_same_folder_under_another_name_is_the_same(home, drive, original, tmp_path):
    link, home_link = tmp_path / "link", tmp_path / "home link"
    link.symlink_to(drive)
    home_link.symlink_to(home)
    move(home, drive, range(10, 14))
    relocate(RelocatePlan([home_link, link], link, range(10, 16)))
    assert layers_in(drive / NAME) == [*range(10, 16)]
    assert_whole(home, original)
    relocate(RelocatePlan([home_link, link], home_link))
    assert contents(home) == contents(original)


def test_the_command_moves_layers(home, drive):
    result = run("relocate", home, "--to", drive, "--layers", "3-9", "--json")
    assert result.returncode == 0, result.stderr
    *progress, done = json_lines(result.stdout)
    assert progress
    keys = {"event", "phase", "layer", "layers", "boards", "bytes", "elapsed_s", "eta_s"}
    assert all(keys <= set(line) for line in progress)
    assert {(line["event"], line["phase"]) for line in progress} == {("progress", "relocate")}
    assert (done["event"], done["layers"]) == ("done", 7)
    assert (done["table"], done["to"]) == (str(home), str(drive / NAME))
    result = run("relocate", home, "--to", home, "--all")
    assert result.returncode == 0
    assert "7 layers" in result.stdout
    assert "nothing to move" in run("relocate", home, "--to", home).stdout


def test_verifying_finds_layers_that_are_moved_meanwhile(home, drive):
    moved = []

    def move_now(_done: int, _total: int) -> None:
        if not moved:
            moved.append(relocate(RelocatePlan([home], drive)))

    assert verify(home, 0, move_now).ok
    assert moved[0].layers > 0


Usage = namedtuple("Usage", "total used free")


def test_too_little_room_is_told_before_anything_happens(monkeypatch, home, drive):
    before = contents(home.parent.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9 - 5000, 5000))
    with pytest.raises(BuildRefusedError, match=r"5\.00 KB free, 1\.\d+ MB are needed: free 1\."):
        move(home, drive)
    assert contents(home.parent.parent) == before
    assert list(drive.iterdir()) == []


def test_on_the_same_drive_one_copy_must_fit_beside_its_original(
    monkeypatch, home, drive, original
):
    largest = max(one.bytes for one in load_manifest(home).layers.values())
    for_small_files = 1 << 20
    free = for_small_files + largest - 1
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9 - free, free))
    with pytest.raises(BuildRefusedError, match=r"free 1 B more there"):
        move(home, drive)
    assert_whole(home, original)
    free += 1
    assert move(home, drive).layers == 80


def test_a_read_only_drive_is_told_and_leaves_the_table_as_it_is(monkeypatch, home, drive):
    before = contents(home)
    with (
        read_only(monkeypatch, drive),
        pytest.raises(BuildRefusedError, match=rf"cannot write {drive}.*Read-only"),
    ):
        move(home, drive)
    assert contents(home) == before
    assert list(drive.iterdir()) == []


def _hold_lock(home: Path, held: Any, let_go: Any) -> None:
    with folder_lock(home):
        held.set()
        let_go.wait(60)


@pytest.mark.thorough
def test_a_table_being_built_is_refused(home, drive):
    context = multiprocessing.get_context("spawn")
    held, let_go = context.Event(), context.Event()
    other = context.Process(target=_hold_lock, args=(home, held, let_go))
    other.start()
    assert held.wait(60)
    with pytest.raises(BuildRefusedError, match=f"process {other.pid}"):
        move(home, drive)
    let_go.set()
    other.join(60)
    assert move(home, drive, range(2)).layers == 2


def test_an_unfinished_table_is_refused(home, drive):
    path = home / "layer-0070.tbl"
    manifest = load_manifest(home)
    layers = {i: layer for i, layer in manifest.layers.items() if i >= 40}
    type(manifest)(manifest.formation, 64, manifest.options, False, layers).save(home)
    with pytest.raises(BuildRefusedError, match="not finished"):
        move(home, drive)
    assert path.exists()


def test_folders_that_cannot_take_layers_are_refused(home, drive, table, tmp_path):
    before = contents(tmp_path)
    inside = home / "inside"
    other = table("44", 64)
    (drive / "file").write_text("")
    (drive / "used" / NAME).mkdir(parents=True)
    (drive / "used" / NAME / "letter.txt").write_text("dear")
    (drive / "odd").mkdir()
    (drive / "odd" / NAME).write_text("a file")
    inside.mkdir()
    for to, words in (
        (drive / "nowhere", "is not a folder"),
        (drive / "file", "is not a folder"),
        (inside, "inside the table itself"),
        (other, "inside a table"),
        (drive / "used", r"letter\.txt"),
        (drive / "odd", "not a folder"),
    ):
        with pytest.raises(BuildRefusedError, match=words):
            move(home, to)
    with pytest.raises(BuildRefusedError, match="0-79"):
        move(home, drive, range(70, 90))
    with pytest.raises(MissingTableError):
        move(tmp_path / "nowhere", drive)
    assert not (tmp_path / "nowhere").exists()
    inside.rmdir()
    shutil.rmtree(drive)
    assert contents(tmp_path) == before


def test_a_part_of_another_table_is_refused(home, drive, table):
    other = load_manifest(table("44", 64))
    (drive / NAME).mkdir()
    PartRecord.of(other, home).save(drive / NAME)
    with pytest.raises(BuildRefusedError, match=r"home\.json"):
        move(home, drive)
    with pytest.raises(BuildRefusedError, match="inside a table"):
        move(home, drive / NAME)


def test_two_copies_of_a_table_do_not_share_a_part(home, drive, original, tmp_path):
    """Somebody copies the home, record and all, and brings the copy's layers together."""
    move(home, drive, range(10, 14))
    copy = tmp_path / "copy" / NAME
    shutil.copytree(home, copy)
    with pytest.raises(BuildRefusedError, match=f"belongs to the table in {home}"):
        move(copy, drive)
    move(copy, copy)
    assert contents(copy) == contents(original)
    assert_whole(home, original)
    assert layers_in(drive / NAME) == [10, 11, 12, 13]
    shutil.rmtree(home)
    shutil.copytree(original, home)
    assert move(copy, drive, range(3)).layers == 3, "nobody else wants it any more"


@pytest.mark.thorough
def test_layers_of_a_table_whose_home_is_away_are_not_replaced(home, drive, original, tmp_path):
    """The same table packed otherwise: its layers have other bytes, its parameters are equal."""
    other = tmp_path / "other" / NAME
    shutil.copytree(original, other)
    convert(ConvertPlan([other], level="small", threads=1))
    part = move(home, drive, range(40)).to
    before = contents(part)
    with detached(home), pytest.raises(BuildRefusedError, match=f"belongs to the table in {home}"):
        move(other, drive)
    assert contents(part) == before
    assert verify(home).ok
    assert verify(other).ok


def test_damaged_layers_of_ones_own_are_moved_again(home, drive, original):
    """The home was copied back from a backup, which knows nothing of the part."""
    part = move(home, drive, range(3)).to
    with (part / "layer-0001.tbl").open("r+b") as file:
        file.truncate(10)
    shutil.rmtree(home)
    shutil.copytree(original, home)
    move(home, drive, range(3))
    assert_whole(home, original)
    assert layers_in(part) == [0, 1, 2]


@pytest.mark.thorough
@pytest.mark.parametrize("record", ["intact", "damaged"])
def test_no_table_is_built_over_the_layers_of_another(home, drive, formations, record):
    part = move(home, drive, range(40)).to
    if record == "damaged":
        (part / "home.json").write_text("{}")
    before = contents(part)
    options = TableOptions(rate="uint16")
    with pytest.raises(BuildRefusedError, match=r"choose another|in the way"):
        build(BuildPlan(formations["2x4"], 64, part, options, threads=1))
    assert contents(part) == before
    if record == "intact":
        assert verify(home).ok


def test_layers_that_are_away_cannot_be_moved(home, drive, original):
    move(home, drive, range(10, 14))
    with detached(drive):
        with pytest.raises(MissingTableError, match="layer 10 of 2x4_64 is in"):
            move(home, home)
        other = home.parent.parent / "third"
        other.mkdir()
        assert move(home, other, range(20, 22)).layers == 2, "others can"
    assert_whole(home, original)


def test_the_command_refuses_in_one_line(home, drive):
    assert_refused(run("relocate", home, "--to", drive / "nowhere", "--json"), "not a folder")
    for layers in ("9-3", "x", "-1-4", "3-", "1,2"):
        assert_refused(run("relocate", home, "--to", drive, f"--layers={layers}"), "A-B")
    assert_refused(run("relocate", home), "--to")
    assert_refused(run("relocate", home, "--to", drive, "--all", "--bytes", "5G"), "not allowed")
    assert_refused(run("relocate", drive, "--to", drive), "no table")
