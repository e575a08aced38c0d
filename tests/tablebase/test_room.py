"""A build that surely has no room is not started; its room besides the table is reported."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from child import assert_refused, run

import engine.platform.files.free_room as free_room
import tablebase.plan.estimate as estimates
import tablebase.plan.room as room
from engine.platform.files.free_room import free_bytes
from tablebase.build.builder import BuildPlan, Progress, build
from tablebase.errors import BuildCancelledError, BuildRefusedError
from tablebase.plan.advise import quick_cost
from tablebase.plan.estimate import Estimate, estimate
from tablebase.plan.known_costs import Counted, StoredCounts
from tablebase.plan.room import check_room
from tablebase.store.options import TableOptions

GB = 10**9


def two_drives(
    monkeypatch: pytest.MonkeyPatch, scratch: Path, free_bytes: float, free_scratch_bytes: float
) -> None:
    """Let a folder be on a drive of its own."""

    def is_there(place: Path) -> bool:
        return scratch == place or scratch in place.parents

    def usage(place: Path) -> SimpleNamespace:
        return SimpleNamespace(free=int(free_scratch_bytes if is_there(place) else free_bytes))

    monkeypatch.setattr(free_room.shutil, "disk_usage", usage)
    monkeypatch.setattr(room, "is_same_drive", lambda a, b: is_there(a) == is_there(b))


def free(monkeypatch: pytest.MonkeyPatch, n_bytes: float) -> None:
    monkeypatch.setattr(
        free_room.shutil, "disk_usage", lambda _: SimpleNamespace(free=int(n_bytes))
    )


def costs(monkeypatch: pytest.MonkeyPatch, **cost: Any) -> None:
    found = Estimate(1, 1, 10 * GB, GB, 60.0, **{"scratch_bytes": 4 * GB, **cost})
    monkeypatch.setattr(room, "quick_cost", lambda *_, **__: found)


def test_a_drive_that_holds_the_largest_table_there_could_be_is_not_looked_into(
    monkeypatch, formations, tmp_path
):
    free(monkeypatch, 100 * GB)
    monkeypatch.setattr(room, "quick_cost", None)  # calling it would fail
    check_room(formations["L3"], 256, tmp_path / "a" / "b", TableOptions())


@pytest.mark.thorough
def test_a_look_that_takes_seconds_can_be_ended(monkeypatch, formations, tmp_path):
    free(monkeypatch, GB)
    shares: list[float] = []

    def watch(share: float) -> None:
        shares.append(share)
        if len(shares) == 3:
            raise BuildCancelledError

    with pytest.raises(BuildCancelledError):
        check_room(formations["4442ff"], 4096, tmp_path / "table", TableOptions(), watch=watch)
    assert 0 <= shares[0] <= shares[-1] < 0.5


@pytest.mark.parametrize(
    ("free_gb", "fits"), [(14.1, True), (10.0, True), (9.7, False), (1.0, False)]
)
def test_table_and_working_files_must_fit_as_far_as_that_is_sure(
    monkeypatch, formations, tmp_path, free_gb, fits
):
    free(monkeypatch, free_gb * GB)
    costs(monkeypatch)
    folder = tmp_path / "4431_1024"
    if fits:
        check_room(formations["4431"], 1024, folder, TableOptions())
        return
    with pytest.raises(BuildRefusedError) as refusal:
        check_room(formations["4431"], 1024, folder, TableOptions())
    ways_out = ("--out", "--scratch", "--sparse 4", "--rate uint16")
    for words in ("10.0 GB", "4.00 GB", str(tmp_path), *ways_out):
        assert words in str(refusal.value)


@pytest.mark.parametrize(
    ("free_gb", "scratch_gb", "why_not"),
    [(7.1, 3.0, ""), (6.9, 100, "takes about 10.0 GB, but"), (100, 2.7, "working files of 4431")],
)
def test_each_drive_must_hold_what_is_to_lie_there(
    monkeypatch, formations, tmp_path, free_gb, scratch_gb, why_not
):
    scratch = tmp_path / "scratch"
    two_drives(monkeypatch, scratch, free_gb * GB, scratch_gb * GB)
    costs(monkeypatch)
    where = (tmp_path / "tables" / "4431_1024", TableOptions(), scratch)
    if not why_not:
        check_room(formations["4431"], 1024, *where)
        return
    with pytest.raises(BuildRefusedError, match=why_not) as refusal:
        check_room(formations["4431"], 1024, *where)
    full = scratch if "working" in why_not else tmp_path / "tables"
    assert f"{full} has" in str(refusal.value)


@pytest.mark.parametrize(
    ("memory_bytes", "usual", "working"),
    [(None, GB, "4.00"), (None, GB - 1, "7.00"), (GB, 1, "4.00"), (GB - 1, 2 * GB, "7.00")],
)
def test_working_files_take_more_within_less_memory(
    monkeypatch, formations, tmp_path, memory_bytes, usual, working
):
    monkeypatch.setattr(room, "default_limit", lambda: usual)
    free(monkeypatch, 9.5 * GB)
    costs(monkeypatch, stream_bytes=3 * GB)
    where = (tmp_path / "tables" / "4431_1024", TableOptions(), None, memory_bytes)
    with pytest.raises(BuildRefusedError, match=rf"{working} GB more"):
        check_room(formations["4431"], 1024, *where)


@pytest.mark.parametrize(
    ("options", "less"),
    [
        (TableOptions(), "; --sparse 4 or --rate uint16 stores less"),
        (TableOptions(rate="float64", sparse=3), "; --rate uint16 stores less"),
        (TableOptions(optimal_only=True), "; --rate uint16 stores less"),
        (TableOptions(threshold=0.5), "; --rate uint16 stores less"),
        (TableOptions(rate="uint16"), "; --sparse 4 stores less"),
        (TableOptions(rate="uint16", sparse=4), "with --scratch"),
        (TableOptions(rate="uint16", optimal_only=True), "with --scratch"),
    ],
)
def test_only_what_was_not_chosen_yet_is_named(monkeypatch, formations, tmp_path, options, less):
    free(monkeypatch, GB)
    costs(monkeypatch)
    with pytest.raises(BuildRefusedError) as refusal:
        check_room(formations["4431"], 1024, tmp_path / "4431_1024", options)
    assert str(refusal.value).endswith(less)


def test_folders_of_one_drive_share_its_room(monkeypatch, formations, tmp_path):
    free(monkeypatch, 9.7 * GB)
    costs(monkeypatch)
    where = (tmp_path / "tables" / "4431_1024", TableOptions(), tmp_path / "not there" / "yet")
    with pytest.raises(BuildRefusedError, match=r"4\.00 GB more"):
        check_room(formations["4431"], 1024, *where)


def test_of_a_table_that_leaves_boards_out_only_working_files_are_sure(
    monkeypatch, formations, tmp_path
):
    free(monkeypatch, 3 * GB)
    costs(monkeypatch, is_most=True)
    check_room(formations["4431"], 1024, tmp_path, TableOptions(optimal_only=True))
    free(monkeypatch, 2 * GB)
    with pytest.raises(BuildRefusedError):
        check_room(formations["4431"], 1024, tmp_path, TableOptions(optimal_only=True))


def test_the_room_is_that_where_the_folder_will_be(monkeypatch, tmp_path):
    asked: list[Path] = []

    def usage(place: Path) -> SimpleNamespace:
        asked.append(place)
        if not place.exists():
            raise FileNotFoundError
        return SimpleNamespace(free=77)

    monkeypatch.setattr(free_room.shutil, "disk_usage", usage)
    assert free_bytes(tmp_path / "not" / "there") == 77
    assert asked == [tmp_path / "not" / "there", tmp_path / "not", tmp_path]


def test_the_command_refuses_and_leaves_nothing(tmp_path):
    result = run("build", "LL", 8192, "--rate", "float64", "--out", tmp_path)
    assert_refused(result, "more until it is built")
    assert not list(tmp_path.iterdir())


def test_the_command_uses_an_estimate_that_was_kept(monkeypatch, formations, tmp_path):
    """One that no table can have, so that it can't come from anywhere else."""
    found = Counted(10**15, 10**15, 10**15)
    monkeypatch.setattr(estimates, "_counted_or_sampled", lambda *_: found)
    store = StoredCounts(tmp_path / "estimates")
    assert quick_cost(formations["4432"], 1024, store=store).boards == found.boards
    result = run("build", "4432", 1024, "--data-dir", tmp_path)
    assert_refused(result, "4432 1024 takes about 1.00 PB")


@pytest.mark.thorough
def test_working_files_take_about_what_was_told(formations, tmp_path):
    told, most = estimate(formations["442"], 64).scratch_bytes, 0

    def look(_progress: Progress) -> None:
        nonlocal most
        work = tmp_path / "442_64" / "work"
        most = max(most, sum(path.stat().st_size for path in work.glob("*.bits")))

    build(BuildPlan(formations["442"], 64, tmp_path / "442_64", threads=1), look)
    assert 0.3 * told < most < 1.5 * told
