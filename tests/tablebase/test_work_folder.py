"""Working files on another drive: found again, moved, removed, and nothing else removed."""

import errno
import json
import os
import shutil
from pathlib import Path

import pytest
from child import contents
from makers import TableMaker

import tablebase.store.work_folder as work_folder_module
from engine.platform.files.atomic_file import write_file as write_anywhere
from tablebase.build.builder import BuildPlan, Progress, build
from tablebase.build_files import write_file
from tablebase.errors import BuildCancelledError, BuildRefusedError, DiskFullError
from tablebase.formation.formation import Formation
from tablebase.library import catalog
from tablebase.store.build_lock import folder_lock
from tablebase.store.work_folder import (
    lost_work_folder,
    make_work_folder,
    remove_work,
    work_bytes,
    work_folder,
)

PATTERN, TARGET = "44", 64


@pytest.fixture(scope="module")
def finished(table: TableMaker) -> dict[str, bytes]:
    return contents(table(PATTERN, TARGET))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "tables" / f"{PATTERN}_{TARGET}"


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    return tmp_path / "scratch"


@pytest.fixture(autouse=True)
def kept_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small tables are solved before it is time to keep exact values, or to tell of each layer."""
    monkeypatch.setattr("tablebase.build.progress._MIN_PAUSE_S", 0.0)
    monkeypatch.setattr("tablebase.build.builder._KEEP_LIVE_EVERY_S", 0.0)
    monkeypatch.setattr("tablebase.build.builder._KEEP_LIVE_SHARE", 0)


def plan(formations: dict[str, Formation], home: Path, scratch: Path | None = None) -> BuildPlan:
    return BuildPlan(formations[PATTERN], TARGET, home, threads=1, scratch=scratch)


def stop_half_way(plan: BuildPlan) -> list[Progress]:
    """Build until half of the layers are solved; return the events."""
    told: list[Progress] = []
    with pytest.raises(BuildCancelledError):
        build(
            plan, told.append, lambda: bool(told) and told[-1].phase == "solve" and _is_half(told)
        )
    return told


def _is_half(told: list[Progress]) -> bool:
    return told[-1].layer < told[-1].layers // 2


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_working_files_lie_in_the_folder_named_and_are_found_there_again(
    formations, home, scratch, finished
):
    stop_half_way(plan(formations, home, scratch))
    (place,) = scratch.iterdir()
    assert place.name.startswith("44_64.")
    assert place == work_folder(home)
    assert {name.partition("-")[0] for name in names(place)} == {"batch", "live"}
    assert names(home / "work") == {"places.json"}
    first: list[Progress] = []
    build(plan(formations, home), first.append)  # without naming it again
    solved = [one.layer for one in first if one.phase == "solve"]
    assert max(solved) < first[-1].layers // 2 + 5, "solving goes on where it stopped"
    assert contents(home) == finished
    assert not list(scratch.iterdir()), "a finished table leaves nothing there"


@pytest.mark.sample(1)
@pytest.mark.parametrize("phase", ["expand", "solve"])
@pytest.mark.parametrize("is_elsewhere", [True, False])
def test_the_list_of_tables_knows_how_far_an_unfinished_one_is(
    formations, home, scratch, phase, is_elsewhere
):
    told: list[Progress] = []
    with pytest.raises(BuildCancelledError):
        build(
            plan(formations, home, scratch if is_elsewhere else None),
            told.append,
            lambda: bool(told) and told[-1].phase == phase and 5 < told[-1].layer < 20,
        )
    (info,) = catalog.scan([home.parent])
    assert (info.state, info.step) == ("partial", phase)
    last = told[-1]
    done = last.layer + 1 if phase == "expand" else last.layers - last.layer
    assert info.step_layers == done
    files = [path for path in work_folder(home).iterdir() if path.suffix in (".bits", ".f8")]
    assert info.work_bytes == sum(path.stat().st_size for path in files) > 0
    build(plan(formations, home))
    (info,) = catalog.scan([home.parent])
    assert (info.state, info.work_bytes) == ("complete", 0)


def test_a_lock_and_a_record_are_no_working_files(home, scratch):
    assert work_bytes(home) == 0
    place = make_work_folder(home, scratch)
    with folder_lock(place):
        assert work_bytes(home) == 0
        (place / "after-0003.bits").write_bytes(bytes(70))
        assert work_bytes(home) == 70


@pytest.mark.thorough
def test_two_tables_share_a_folder(formations, home, scratch, finished):
    other = home.parent.parent / "more" / home.name
    for one in (home, other):
        stop_half_way(plan(formations, one, scratch))
    assert len(names(scratch)) == 2
    build(plan(formations, home))
    assert names(scratch) == {work_folder(other).name}
    build(plan(formations, other))
    assert not names(scratch)
    assert contents(home) == contents(other) == finished


@pytest.mark.sample(1)
@pytest.mark.parametrize("same_drive", [True, False])
@pytest.mark.parametrize("back", [True, False])
def test_working_files_move_to_another_folder_when_asked(
    monkeypatch, formations, home, scratch, finished, same_drive, back
):
    stop_half_way(plan(formations, home, scratch if back else None))
    before = work_folder(home)
    held = {name for name in names(before) if not name.endswith("json")}
    assert held
    if not same_drive:
        monkeypatch.setattr(work_folder_module.os, "rename", _cross_device)
    elsewhere = scratch.parent / "larger"
    told: list[Progress] = []
    with pytest.raises(BuildCancelledError):
        build(plan(formations, home, elsewhere), told.append, lambda: bool(told))
    assert held <= names(work_folder(home))
    assert work_folder(home).parent == elsewhere
    assert not before.exists() or names(before) == {"places.json"}
    build(plan(formations, home))
    assert contents(home) == finished
    assert not names(elsewhere)


def _cross_device(*_: object) -> None:
    raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))


@pytest.mark.sample(1)
@pytest.mark.parametrize("drive_too", [True, False])
def test_a_folder_that_has_vanished_is_told_and_done_without(
    formations, home, scratch, finished, drive_too
):
    stop_half_way(plan(formations, home, scratch))
    assert lost_work_folder(home) is None
    place = work_folder(home)
    shutil.rmtree(scratch if drive_too else place)
    assert lost_work_folder(home) == place
    build(plan(formations, home))
    assert contents(home) == finished
    assert scratch.exists() != drive_too, "nothing is made where a drive may be attached later"


@pytest.mark.sample(1)
@pytest.mark.parametrize("text", ["", "{}", "[]", '{"places": ["/"]}'])
@pytest.mark.thorough
def test_a_damaged_record_is_none(formations, home, scratch, finished, text):
    stop_half_way(plan(formations, home, scratch))
    (home / "work" / "places.json").write_text(text)
    assert work_folder(home) == home / "work"
    build(plan(formations, home))
    assert contents(home) == finished


@pytest.mark.parametrize("name", ["documents", "44_64.3f9c0a71d2e4.work"])
def test_nothing_is_deleted_but_working_files(tmp_path, name):
    """Also where a stranger's record names somebody's folder."""
    home, foreign = tmp_path / "44_64", tmp_path / name
    place = make_work_folder(home, tmp_path)
    record = json.loads((home / "work" / "places.json").read_text())
    foreign.mkdir()
    for file in ("letter.txt", "after-0001.bits"):
        (foreign / file).write_text("x")
    record["places"] = [str(foreign)]
    from tablebase.store.checked_json import checksum

    del record["crc"]
    text = json.dumps({**record, "crc": checksum(record)})
    (home / "work" / "places.json").write_text(text)
    remove_work(home)
    is_place = name != "documents"
    assert names(foreign) == {"letter.txt"} | (set() if is_place else {"after-0001.bits"})
    assert not (home / "work").exists()
    place.rmdir()  # empty: nothing refers to it any more


@pytest.mark.skipif(os.name == "nt", reason="needs the right to make links")
@pytest.mark.parametrize("scratch", ["", "elsewhere"])
def test_a_link_to_another_drive_is_cleared_there(tmp_path, scratch):
    home, drive = tmp_path / "44_64", tmp_path / "drive"
    home.mkdir()
    drive.mkdir()
    (home / "work").symlink_to(drive)
    place = make_work_folder(home, tmp_path / scratch if scratch else None)
    (place / "after-0001.bits").write_text("x")
    (drive / "letter.txt").write_text("mine")
    remove_work(home)
    assert names(drive) == {"letter.txt"}
    assert names(home) == set()
    assert not place.exists() or place == home / "work"


def test_one_builder_at_a_time_works_with_the_files(formations, home, scratch):
    """A copy of an unfinished table names the same folder."""
    stop_half_way(plan(formations, home, scratch))
    copy = home.parent.parent / "copy" / home.name
    shutil.copytree(home, copy)
    place = work_folder(copy)
    before = names(place)
    with folder_lock(place):
        for where in (None, scratch.parent / "other"):
            with pytest.raises(BuildRefusedError, match="another builder"):
                build(plan(formations, copy, where))
        remove_work(copy)
    assert before <= names(place)


@pytest.mark.thorough
def test_a_full_drive_for_working_files_is_named_and_another_can_be_named(
    monkeypatch, formations, home, scratch, finished
):
    def full_there(path: Path, *rest: object, **options: bool) -> int:
        if scratch in path.parents:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write_anywhere(path, *rest, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr("tablebase.build_files.atomic_file.write_file", full_there)
        with pytest.raises(DiskFullError) as caught:
            build(plan(formations, home, scratch))
    assert str(scratch) in str(caught.value)
    build(plan(formations, home, scratch.parent / "larger"))
    assert contents(home) == finished
    assert not names(scratch)


def test_stopped_while_moving_nothing_is_lost(monkeypatch, tmp_path):
    home = tmp_path / "44_64"
    old = make_work_folder(home, tmp_path / "a")
    for i in range(6):
        write_file(old / f"after-{i:04d}.bits", [b"x" * i])
    n_moved = 0

    def move_some(*names: Path) -> None:
        nonlocal n_moved
        if n_moved == 3:
            raise KeyboardInterrupt
        n_moved += 1
        shutil.move(*names)

    with monkeypatch.context() as patch:
        patch.setattr(work_folder_module.os, "rename", move_some)
        with pytest.raises(KeyboardInterrupt):
            make_work_folder(home, tmp_path / "b")
    new = make_work_folder(home)
    assert new.parent == tmp_path / "b"
    assert {path.name: path.stat().st_size for path in new.iterdir()} == {
        f"after-{i:04d}.bits": i for i in range(6)
    }
    assert not old.exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(BuildRefusedError, match="file"):
        make_work_folder(tmp_path / "44_64", tmp_path / "file")
    assert make_work_folder(tmp_path / "44_64") == tmp_path / "44_64" / "work"
