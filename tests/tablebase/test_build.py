"""A build refuses to mix, can be cancelled, tells how far it is, and never changes its bytes."""

import errno
import itertools
import multiprocessing
import os
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from child import contents, written_at
from makers import TableMaker

from engine.platform.errors import AppError
from tablebase.build.builder import BuildPlan, Progress, build
from tablebase.build.scratch import Scratch
from tablebase.build.writer import TableWriter
from tablebase.errors import BuildCancelledError, BuildRefusedError
from tablebase.formation.formation import Formation
from tablebase.maintain.convert import ConvertPlan, convert
from tablebase.memory.arrays import Arrays
from tablebase.probe.reader import Tablebase
from tablebase.store import manifest
from tablebase.store.build_lock import folder_lock
from tablebase.store.manifest import load_manifest
from tablebase.store.options import TableOptions

PATTERN, TARGET = "44", 64


@pytest.fixture
def plan(formations: dict[str, Formation], tmp_path: Path) -> BuildPlan:
    return BuildPlan(formations[PATTERN], TARGET, tmp_path / f"{PATTERN}_{TARGET}", threads=1)


@pytest.fixture(scope="module")
def finished(table: TableMaker) -> dict[str, bytes]:
    return contents(table(PATTERN, TARGET))


def cancel_after(n_calls: int) -> Callable[[], bool]:
    left = iter(range(n_calls))
    return lambda: next(left, None) is None


def cancel_half_way(plan: BuildPlan) -> None:
    """Leave a build that has solved some layers but not all."""

    def is_cancelled() -> bool:
        return len(list(plan.folder.glob("layer-*.tbl"))) > plan.formation.n_layers(TARGET) // 2

    with pytest.raises(BuildCancelledError):
        build(plan, is_cancelled=is_cancelled)


def test_the_result_says_what_was_built(plan):
    result = build(plan)
    files = contents(plan.folder)
    assert result.table == plan.folder
    assert result.bytes == sum(map(len, files.values())) - len(files["manifest.json"])
    assert result.layers == plan.formation.n_layers(TARGET)
    assert 0 < result.stored < result.boards
    assert result.elapsed_s > 0
    assert result.cpu_s > 0
    assert result.peak_rss_bytes > 1 << 20
    assert not result.was_complete
    with Tablebase.open(plan.folder) as reader:
        sizes = [reader.layer_boards(layer)[0].size for layer in range(reader.n_layers)]
        generated = sum(layer.boards for layer in reader.manifest.layers.values())
        assert (reader.stored, reader.n_layers) == (sum(sizes), result.layers)
        assert (result.stored, result.boards) == (sum(sizes), generated)


def test_a_complete_table_is_not_built_again(plan):
    first = build(plan)
    before = written_at(plan.folder)
    again = build(plan)
    assert again.was_complete
    assert (again.boards, again.stored, again.bytes) == (first.boards, first.stored, first.bytes)
    assert written_at(plan.folder) == before


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_any_number_of_threads_gives_the_same_bytes(plan, finished, threads):
    build(replace(plan, threads=threads))
    assert contents(plan.folder) == finished


def test_nothing_unfinished_is_left_behind(plan, finished):
    build(plan)
    assert sorted(contents(plan.folder.parent)) == sorted(f"44_64/{name}" for name in finished)
    assert not [name for name in finished if "part" in name or "tmp" in name or "lock" in name]


def test_a_folder_of_the_users_is_no_leftover(plan, finished):
    (plan.folder / "notes.part").mkdir(parents=True)
    build(plan)
    assert contents(plan.folder) == finished
    assert (plan.folder / "notes.part").is_dir()


@pytest.mark.parametrize("name", ["layer-0030.tbl", "notes.part"])
@pytest.mark.thorough
def test_a_file_that_cannot_be_deleted_is_named(plan, monkeypatch, name):
    """As on Windows where another program has it open."""
    plan.folder.mkdir()
    (plan.folder / "notes.part").touch()
    real = Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        if path.name == name:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        real(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    with pytest.raises(BuildRefusedError, match=re.escape(name)):
        build(replace(plan, options=TableOptions(optimal_only=True)))
    monkeypatch.undo()
    build(replace(plan, options=TableOptions(optimal_only=True)))
    assert not (plan.folder / name).exists()


def test_progress_goes_forward_through_all_phases(plan):
    seen: list[Progress] = []
    build(plan, seen.append)
    phases = list(dict.fromkeys(p.phase for p in seen))
    assert phases == ["expand", "solve", "finish"]
    for p in seen:
        assert 0 <= p.layer <= p.layers == plan.formation.n_layers(TARGET)
        assert p.boards >= 0
        assert p.bytes >= 0
        assert p.eta_s is None or p.eta_s >= 0
    elapsed = [p.elapsed_s for p in seen]
    assert elapsed == sorted(elapsed)


@pytest.mark.parametrize("n_calls", [0, 1, 2, 5, 50, 150, 237, 250, 300, 350])
def test_a_cancelled_build_goes_on_where_it_was(plan, finished, n_calls):
    with pytest.raises(BuildCancelledError):
        build(plan, is_cancelled=cancel_after(n_calls))
    assert not list(plan.folder.rglob("*.part"))
    build(plan)
    assert contents(plan.folder) == finished


@pytest.mark.thorough
def test_a_build_cancelled_again_and_again_still_ends(plan, finished):
    n_starts = 0
    while True:
        n_starts += 1
        try:
            build(plan, is_cancelled=cancel_after(40 * n_starts))
            break
        except BuildCancelledError:
            continue
    assert 3 < n_starts < 20
    assert contents(plan.folder) == finished


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"options": TableOptions(spawn4=0.2)}, "spawn4"),
        ({"options": TableOptions(spawn4=0.1000001)}, "spawn4"),
        ({"options": TableOptions(rate="float64")}, "float64"),
        ({"target": 128}, "128"),
    ],
)
@pytest.mark.parametrize("is_complete", [True, False])
def test_other_parameters_are_refused(plan, changes, word, is_complete):
    build(plan) if is_complete else cancel_half_way(plan)
    before = contents(plan.folder)
    with pytest.raises(BuildRefusedError, match=word):
        build(replace(plan, **changes))
    assert contents(plan.folder) == before


@pytest.mark.parametrize("is_complete", [True, False])
def test_another_definition_of_the_formation_is_refused(plan, is_complete):
    build(plan) if is_complete else cancel_half_way(plan)
    before = contents(plan.folder)
    for changes in (
        {"target_cells": 0x0000_F000_0000_0000},
        {"extra_steps": 47},
        {"seeds": (0x0000_0100_FFFF_FFFF,)},
    ):
        formation = replace(plan.formation, **changes)
        with pytest.raises(BuildRefusedError, match="44"):
            build(replace(plan, formation=formation))
    assert contents(plan.folder) == before


def test_other_formations_in_the_same_folder_are_refused(plan, formations):
    build(plan)
    before = contents(plan.folder)
    with pytest.raises(BuildRefusedError, match="L1"):
        build(replace(plan, formation=formations["L1"]))
    assert contents(plan.folder) == before


def test_a_file_in_place_of_the_folder_is_refused(plan):
    plan.folder.write_text("a file")
    with pytest.raises(AppError, match="44_64"):
        build(plan)
    assert plan.folder.read_text() == "a file"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"options": TableOptions(spawn4=-0.1)}, "-0.1"),
        ({"options": TableOptions(spawn4=0.0)}, "0.0"),
        ({"options": TableOptions(spawn4=1.5)}, "1.5"),
        ({"options": TableOptions(spawn4=float("nan"))}, "nan"),
        ({"options": TableOptions(rate="uint7")}, "uint7"),
        ({"target": 63}, "63"),
        ({"threads": 0}, "0 threads"),
        ({"threads": -2}, "-2 threads"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(plan, changes, told):
    with pytest.raises(AppError) as caught:
        build(replace(plan, **changes))
    assert told in str(caught.value)
    assert not plan.folder.exists() or not contents(plan.folder)


def test_a_table_without_layers_is_refused(formations, tmp_path):
    """3x405 starts at layer -1900 of a large target: nothing is left of a small one."""
    with pytest.raises(AppError, match="3x405"):
        build(BuildPlan(formations["3x405"], 64, tmp_path / "3x405_64"))


def _hold_a_build(plan: BuildPlan, started: object, let_go: object) -> None:
    """Run a build that waits in the middle (in a process of its own)."""

    def on_progress(_progress: Progress) -> None:
        started.set()  # type: ignore[attr-defined]
        let_go.wait(60)  # type: ignore[attr-defined]

    build(plan, on_progress)


@pytest.mark.thorough
def test_a_second_builder_is_refused_and_told_about_the_first(plan, finished):
    context = multiprocessing.get_context("spawn")
    started, let_go = context.Event(), context.Event()
    other = context.Process(target=_hold_a_build, args=(plan, started, let_go))
    other.start()
    try:
        assert started.wait(60)
        with pytest.raises(BuildRefusedError, match=rf"\b{other.pid}\b"):
            build(plan)
    finally:
        let_go.set()
        other.join(60)
    assert other.exitcode == 0
    assert contents(plan.folder) == finished


@pytest.mark.thorough
def test_a_dead_builder_blocks_nobody(plan, finished):
    context = multiprocessing.get_context("spawn")
    started, let_go = context.Event(), context.Event()
    other = context.Process(target=_hold_a_build, args=(plan, started, let_go))
    other.start()
    assert started.wait(60)
    assert other.pid != os.getpid()
    other.kill()
    other.join(60)
    build(plan)
    assert contents(plan.folder) == finished


@pytest.mark.thorough
def test_what_is_left_of_another_build_is_not_taken_over(monkeypatch, plan, tmp_path):
    """Somebody deletes the manifest and builds with other parameters in the same folder."""
    keep_values_all_the_time(monkeypatch)
    cancel_half_way(plan)
    (plan.folder / "manifest.json").unlink()
    other = replace(plan, options=TableOptions(spawn4=0.3))
    build(other)
    clean = replace(other, folder=tmp_path / "clean" / "44_64")
    build(clean)
    assert contents(other.folder) == contents(clean.folder)


def test_working_files_that_outlived_the_build_are_removed(plan, finished):
    """As after a kill between the last manifest and cleaning up."""
    build(plan)
    (plan.folder / "work").mkdir()
    (plan.folder / "work" / "pre-0001.bits").write_bytes(b"left")
    (plan.folder / "manifest.json.part").write_bytes(b"left")
    build(plan)
    assert contents(plan.folder) == finished


def test_a_folder_called_work_that_is_somebodys_is_kept(plan):
    """As where a program builds into a folder that is not the table's alone."""
    mine = {"notes.txt": b"mine", "thesis/after-0001.bits": b"mine too"}
    for name, content in mine.items():
        (plan.folder / "work" / name).parent.mkdir(parents=True, exist_ok=True)
        (plan.folder / "work" / name).write_bytes(content)
    build(plan)
    assert contents(plan.folder / "work") == mine
    build(plan)
    convert(ConvertPlan([plan.folder], rate="uint16", threads=1))
    assert contents(plan.folder / "work") == mine
    assert not plan.folder.with_name(f"{plan.folder.name}.converting").exists()


@pytest.mark.parametrize("reason", [errno.EACCES, errno.EIO])
def test_a_table_whose_manifest_cannot_be_read_is_not_built_over(
    plan, finished, monkeypatch, reason
):
    """As on a drive that fails for a moment, or where another user built it."""
    build(plan)
    real = manifest.read_limited

    def read_limited(path: Path) -> bytes:
        if path.name == manifest.MANIFEST_NAME:
            raise OSError(reason, os.strerror(reason), str(path))
        return real(path)

    monkeypatch.setattr(manifest, "read_limited", read_limited)
    with pytest.raises(BuildRefusedError, match="cannot read"):
        build(replace(plan, options=TableOptions(rate="uint16")))
    assert contents(plan.folder) == finished


def test_a_lost_layer_is_computed_again(plan, finished):
    build(plan)
    (plan.folder / "layer-0040.tbl").unlink()
    (plan.folder / "layer-0050.tbl").write_bytes(b"short")
    build(plan)
    assert contents(plan.folder) == finished


def test_a_lost_layer_is_computed_again_after_half_a_build(monkeypatch, plan, finished):
    """Also when exact values were kept further down, from which solving would resume."""
    keep_values_all_the_time(monkeypatch)
    cancel_half_way(plan)
    lost = max(plan.folder.glob("layer-*.tbl"))
    lost.unlink()
    build(plan)
    assert contents(plan.folder) == finished


@pytest.mark.sample(1)
@pytest.mark.parametrize("n_calls", [245, 270, 300, 330, 360])
def test_a_cancelled_build_goes_on_from_kept_values(monkeypatch, plan, finished, n_calls):
    keep_values_all_the_time(monkeypatch)
    with pytest.raises(BuildCancelledError):
        build(plan, is_cancelled=cancel_after(n_calls))
    build(plan)
    assert contents(plan.folder) == finished


def test_kept_values_spare_the_layers_above(monkeypatch, plan, tmp_path):
    """Solving resumes from them; without them it restarts at the last layer."""
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)
    with monkeypatch.context() as patch:
        keep_values_all_the_time(patch)
        cancel_half_way(plan)
    without = replace(plan, folder=tmp_path / "without" / plan.folder.name)
    shutil.copytree(plan.folder, without.folder)
    kept = sorted((without.folder / "work").glob("live-*.f8"))
    assert len(kept) in (2, 3), "the third is the next one's first"
    kept[-2].unlink()  # those of one layer alone are of no use
    n_asked = []
    for one in (plan, without):
        calls = itertools.count()
        build(one, is_cancelled=lambda calls=calls: next(calls) < 0)
        n_asked.append(next(calls))
    assert n_asked[0] < n_asked[1] - plan.formation.n_layers(TARGET) // 2
    assert contents(plan.folder) == contents(without.folder)


def test_going_on_reads_few_bitmaps_and_those_that_have_served_are_gone(
    monkeypatch, plan, finished
):
    monkeypatch.setattr("tablebase.build.scratch._SMALL", 0)  # each in a file of its own
    keep_values_all_the_time(monkeypatch)
    cancel_half_way(plan)
    work = plan.folder / "work"
    lowest = min(int(path.stem.split("-")[1]) for path in work.glob("live-*.f8"))
    n_layers = plan.formation.n_layers(TARGET)
    assert 0 < lowest < n_layers - 10
    left = sorted(int(path.stem.split("-")[1]) for path in work.glob("after-*.bits"))
    assert left == list(range(len(left)))
    assert lowest + 2 <= len(left) <= lowest + 3
    read, real = list[int](), Scratch.load_bits

    def note(self: Scratch, layer: int, n_words: int) -> np.ndarray | None:
        read.append(layer)
        return real(self, layer, n_words)

    monkeypatch.setattr(Scratch, "load_bits", note)
    build(plan)
    assert contents(plan.folder) == finished
    assert sorted(read) == list(range(lowest + 2)), "each once"


def test_a_bitmap_damaged_unnoticed_is_computed_again_by_the_next_build(
    monkeypatch, plan, finished
):
    monkeypatch.setattr("tablebase.build.scratch._SMALL", 0)
    keep_values_all_the_time(monkeypatch)
    cancel_half_way(plan)
    path = plan.folder / "work" / "after-0009.bits"
    damaged = bytearray(path.read_bytes())
    damaged[40] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(BuildRefusedError, match=r"layer 9 .* recompute it"):
        build(plan)
    build(plan)
    assert contents(plan.folder) == finished


def test_values_that_are_not_as_many_as_the_boards_are_refused_and_computed_anew(
    monkeypatch, plan, finished
):
    """As of two builds that somebody has mixed."""
    keep_values_all_the_time(monkeypatch)
    cancel_half_way(plan)
    work = plan.folder / "work"
    lowest = min(int(path.stem.split("-")[1]) for path in work.glob("live-*.f8"))
    Scratch(work, Arrays(work, None)).save_live(lowest, np.ones(5))
    with pytest.raises(BuildRefusedError, match=rf"layer {lowest} .* recompute it"):
        build(plan)
    build(plan)
    assert contents(plan.folder) == finished


def test_values_are_kept_every_few_seconds_in_a_twentieth_of_the_time(monkeypatch, plan):
    """By a clock on which a layer takes as many seconds as it takes to keep values of two."""
    now, kept_at = 0.0, list[float]()
    real_write, real_save = TableWriter.write, Scratch.save_live

    def write(self: TableWriter, *layer: Any) -> None:
        nonlocal now
        now += 10.0
        real_write(self, *layer)

    def save(self: Scratch, *values: Any) -> None:
        nonlocal now
        kept_at.append(now)
        now += 5.0
        real_save(self, *values)

    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("tablebase.build.builder.time", clock)
    monkeypatch.setattr(TableWriter, "write", write)
    monkeypatch.setattr(Scratch, "save_live", save)
    build(plan)
    first, second = kept_at[::2], kept_at[1::2]  # two layers one after the other
    assert first[0] == 10.0
    assert all(b - a == 15.0 for a, b in zip(first, second, strict=False))
    pauses = [b - a - 5.0 for a, b in zip(second, first[1:], strict=False)]
    assert len(pauses) > 1
    assert all(20 * 10.0 <= pause <= 22 * 10.0 for pause in pauses), pauses


def test_a_layer_that_is_removed_while_the_build_ends_is_noticed(plan, finished):
    """No table calls itself complete without it; the next build computes it again."""

    def remove(progress: Progress) -> None:
        if progress.phase == "finish":
            (plan.folder / "layer-0040.tbl").unlink()

    with pytest.raises(BuildRefusedError, match=r"layer-0040\.tbl was removed while building"):
        build(plan, remove)
    assert not load_manifest(plan.folder).complete
    build(plan)
    assert contents(plan.folder) == finished


def keep_values_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small tables are solved before it would be time to keep exact values for a resume."""
    monkeypatch.setattr("tablebase.build.builder._KEEP_LIVE_EVERY_S", 0.0)
    monkeypatch.setattr("tablebase.build.builder._KEEP_LIVE_SHARE", 0)


@pytest.mark.skipif(sys.platform == "win32", reason="folders in use can't be removed there")
@pytest.mark.parametrize("place", [".", "work"])
def test_a_folder_removed_before_the_working_files_are_opened_is_told(plan, monkeypatch, place):
    def opened(folder: Path, arrays: Arrays, *, pack: bool) -> Scratch:
        shutil.rmtree(plan.folder / place)
        return Scratch(folder, arrays, pack=pack)

    monkeypatch.setattr("tablebase.build.builder.Scratch", opened)
    with pytest.raises(BuildRefusedError, match=r"44_64.work was removed meanwhile"):
        build(plan)


def test_a_missing_file_in_a_locked_folder_stays_what_it_is(tmp_path):
    with pytest.raises(FileNotFoundError), folder_lock(tmp_path):
        (tmp_path / "none").read_bytes()
