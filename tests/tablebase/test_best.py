"""Tables of optimal play only: which boards they keep, and that play finds all it needs."""

import json
import os
import random
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import brute_force
import numpy as np
import pytest
from child import contents, environment
from optimal_play import optimal_boards
from small_formations import TINY, rules_of

from engine.moves import move
from tablebase.build.builder import BuildPlan, Progress, build
from tablebase.build.layers import Layers
from tablebase.build.segments import segments_of
from tablebase.errors import BuildCancelledError
from tablebase.formation.arrangements import turned
from tablebase.formation.formation import Formation
from tablebase.kernels.unrank import stored_boards
from tablebase.probe.reader import Tablebase
from tablebase.rank.orientation import held_ones, orientation_of
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space
from tablebase.store.manifest import load_manifest
from tablebase.store.options import TableOptions
from tablebase.store.rates import find_rate_type

TARGET = 64
LOOSE = replace(  # two F that slide in the upper half: arrangements, most of them without a mirror
    TINY["tinymirror"],
    name="tinyloose",
    masks=(0x0000_0000_FFFF_FFFF,),
    target_cells=0xFFFF_FFFF_0000_0000,
    seeds=(0x0011_F00F_FFFF_FFFF,),
)
WINDOW = replace(  # three rows of two cells between walls, with the symmetries of a window
    TINY["tinymirror"],
    name="tinywindow",
    category="variant",
    masks=(),
    target_cells=0x0FF0_0000_0FF0_0000,
    symmetry="rect3x4",
    seeds=(0xF01F_F00F_F12F_FFFF,),
    walls=True,
)
FORMATIONS = {one.name: one for one in (*TINY.values(), LOOSE, WINDOW)}
NAMES = ("tinymirror", "tinyangle", "tinyloose", "tinywindow")
RATES = ("float64", "uint16")


@pytest.fixture(scope="module", params=NAMES)
def formation(request: pytest.FixtureRequest) -> Formation:
    return FORMATIONS[request.param]


@pytest.fixture(scope="module", params=RATES)
def pair(
    formation: Formation, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """A table with all boards, and one of optimal play only."""
    options = TableOptions(rate=request.param)
    paths = []
    for one in (options, replace(options, optimal_only=True)):
        paths.append(tmp_path_factory.mktemp(formation.name) / f"{formation.name}_{TARGET}")
        build(BuildPlan(formation, TARGET, paths[-1], one, threads=2))
    return paths[0], paths[1]


def stored_rates(folder: Path) -> list[dict[int, float]]:
    """Return the rates of every layer by canonical board."""
    with Tablebase.open(folder) as reader:
        rate = find_rate_type(reader.rate)
        layers = [reader.layer_boards(i) for i in range(reader.n_layers)]
    return [
        dict(zip(boards.tolist(), rate.decode_many(values).tolist(), strict=True))
        for boards, values in layers
    ]


@pytest.mark.sample(1)
@pytest.mark.thorough
def test_every_layer_holds_what_brute_force_keeps(formation, pair):
    whole, best = (stored_rates(folder) for folder in pair)
    space = Space(formation, TARGET, len(whole))

    def positions(board: int) -> set[int]:
        """The images as the table orients them: the F tiles stand as in the chosen arrangement."""
        if not formation.masks:
            return {
                brute_force.board_of([brute_force.cells_of(board)[cell] for cell in source])
                for source in brute_force.SOURCES[formation.symmetry]
            }
        i, image = space.placed.find(board)
        return {turned(image, one) for one in space.arrangements[i].kept_by}

    orientation = orientation_of(space)

    def is_held(board: int) -> bool:
        boards = np.array([board], np.uint64)
        return orientation is None or held_ones(orientation, space, boards).size == 1

    expected = optimal_boards(rules_of(formation, TARGET), whole, positions, is_held)
    assert [set(layer) for layer in best] == expected
    for kept, rates in zip(best, whole, strict=True):
        assert all(rates[board] == rate for board, rate in kept.items())
    n_kept = sum(map(len, best))
    assert 0 < n_kept < 0.99 * sum(map(len, whole))  # or this test could not fail


@pytest.mark.sample(1)
def test_optimal_play_never_leaves_the_table(pair):
    """Whatever is spawned, the best rate is that of the whole table, move after move."""
    rng, n_compared = random.Random(64), 0
    with Tablebase.open(pair[0]) as whole, Tablebase.open(pair[1]) as best:
        rules = rules_of(whole.formation, TARGET)
        starts = np.concatenate([best.layer_boards(layer)[0] for layer in range(18, 24)]).tolist()
        for board in rng.choices(starts, k=150):
            while not brute_force.has_reached(rules, board):
                pre = rng.choice(brute_force.spawned_boards(board, rng.choice((1, 1, 2))))
                wanted = whole.get(pre)
                if wanted is None or wanted.best_rate <= 0:
                    break
                answer = best.probe(pre)
                assert answer.best_rate == wanted.best_rate, f"{pre:016x}"
                board = move(pre, answer.best, rules.walls)
                n_compared += 1
    assert n_compared > 150


@pytest.mark.sample(1)
def test_layers_before_the_first_thinned_one_are_the_same_files(pair):
    whole, best = (contents(folder) for folder in pair)
    for layer in range(21):
        name = f"layer-{layer:04d}.tbl"
        assert whole[name] == best[name]
    assert f"layer-{21:04d}.tbl" not in best
    assert f"layer-{21:04d}-best.tbl" in best


def test_few_layers_lie_on_the_drive_as_a_whole(tmp_path):
    """No more at a time than the longest segment has, and all of them did once."""
    options = TableOptions(optimal_only=True)
    plan = BuildPlan(FORMATIONS["tinyangle"], TARGET, tmp_path / "t", options, threads=1)
    space = Space(plan.formation, TARGET, plan.formation.n_layers(TARGET))
    first = plan.formation.seed_half_sum
    segments = segments_of([space.n_slots(first + i) for i in range(space.n_layers)], options)
    assert len(segments) > 2
    seen: set[str] = set()
    most = 0

    def look(_progress: Progress) -> None:
        nonlocal most
        there = {path.name for path in plan.folder.glob("layer-????.tbl")}
        there = {name for name in there if name >= "layer-0021"}
        most = max(most, len(there))
        seen.update(there)

    build(plan, look)
    assert 0 < most <= max(len([i for i in one if i >= 21]) for one in segments)
    assert len({path.name for path in plan.folder.glob("*-best.tbl")}) == space.n_layers - 21
    assert seen


@pytest.mark.sample(1)
@pytest.mark.parametrize("moment", [1, 5, 20])
@pytest.mark.thorough
def test_a_stopped_pass_goes_on_to_the_same_bytes(tmp_path, moment):
    formation = FORMATIONS["tinyangle"]
    options = TableOptions(optimal_only=True)
    wanted = BuildPlan(formation, TARGET, tmp_path / "whole", options, threads=2)
    build(wanted)
    plan = replace(wanted, folder=tmp_path / "stopped", threads=1)

    def is_cancelled() -> bool:
        return len(list(plan.folder.glob("*-best.tbl"))) >= moment

    with pytest.raises(BuildCancelledError):
        build(plan, is_cancelled=is_cancelled)
    assert not load_manifest(plan.folder).complete
    build(plan)
    assert contents(plan.folder) == contents(wanted.folder)


@pytest.mark.thorough
@pytest.mark.parametrize("keeps_values", [False, True])
def test_a_build_that_is_stopped_anywhere_goes_on_to_the_same_bytes(
    tmp_path, monkeypatch, keeps_values
):
    """While it solves all layers, or a segment once more, or thins one; values kept or not."""
    if keeps_values:
        monkeypatch.setattr("tablebase.build.builder._KEEP_LIVE_EVERY_S", 0.0)
        monkeypatch.setattr("tablebase.build.builder._KEEP_LIVE_SHARE", 0)
    options = TableOptions(optimal_only=True, rate="uint16")
    wanted = BuildPlan(FORMATIONS["tinymirror"], TARGET, tmp_path / "whole", options, threads=2)
    n_calls = 0

    def count() -> bool:
        nonlocal n_calls
        n_calls += 1
        return False

    build(wanted, is_cancelled=count)
    for stop in range(0, n_calls, max(1, n_calls // 12)):
        plan = replace(wanted, folder=tmp_path / f"stopped{stop}", threads=1)
        left = iter(range(stop))
        with suppress(BuildCancelledError):
            build(plan, is_cancelled=lambda left=left: next(left, None) is None)
        build(plan)
        assert contents(plan.folder) == contents(wanted.folder), stop


def test_a_build_goes_on_inside_a_later_segment(tmp_path, monkeypatch):
    """From values that were kept there, not from those above the segment."""
    monkeypatch.setattr("tablebase.build.builder._KEEP_LIVE_EVERY_S", 0.0)
    monkeypatch.setattr("tablebase.build.builder._KEEP_LIVE_SHARE", 0)
    options = TableOptions(optimal_only=True)
    plan = BuildPlan(FORMATIONS["tinyangle"], TARGET, tmp_path / "t", options, threads=1)
    space = Space(plan.formation, TARGET, plan.formation.n_layers(TARGET))
    first = plan.formation.seed_half_sum
    segments = segments_of([space.n_slots(first + i) for i in range(space.n_layers)], options)
    segment = max(segments[1:], key=len)
    layer = segment.start + 1
    assert len(segment) > 5
    stopped_at = plan.folder / f"layer-{layer:04d}.tbl"
    with pytest.raises(BuildCancelledError):
        build(plan, is_cancelled=stopped_at.exists)
    solved, real = list[int](), Layers.rate_spawns

    def rate_spawns(self: Layers, layer: int, *data: Any) -> Any:
        solved.append(layer)
        return real(self, layer, *data)

    monkeypatch.setattr(Layers, "rate_spawns", rate_spawns)
    build(plan)
    assert segment.start <= solved[0] < layer + 4


@pytest.mark.sample(1)
@pytest.mark.parametrize("lost", ["live-*.f8", "*.bits", "layer-000?.tbl", "layer-002?-best.tbl"])
@pytest.mark.thorough
def test_what_was_lost_of_a_stopped_build_is_computed_again(tmp_path, lost):
    options = TableOptions(optimal_only=True)
    wanted = BuildPlan(FORMATIONS["tinymirror"], TARGET, tmp_path / "whole", options, threads=1)
    build(wanted)
    plan = replace(wanted, folder=tmp_path / "stopped")
    n_layers = plan.formation.n_layers(TARGET)

    def is_cancelled() -> bool:
        return len(list(plan.folder.glob("layer-*.tbl"))) > (n_layers + 21) // 2

    with pytest.raises(BuildCancelledError):
        build(plan, is_cancelled=is_cancelled)
    gone = list(plan.folder.rglob(lost))
    assert gone
    for path in gone:
        path.unlink()
    build(plan)
    assert contents(plan.folder) == contents(wanted.folder)


def test_a_whole_layer_is_deleted_only_when_the_manifest_names_the_thinned_one(
    tmp_path, monkeypatch
):
    """So whatever moment the pass is stopped at, the layers that are recorded are there."""
    options = TableOptions(optimal_only=True)
    plan = BuildPlan(FORMATIONS["tinyangle"], TARGET, tmp_path / "t", options, threads=1)
    deleted, real = list[str](), Path.unlink

    def unlink(self: Path, missing_ok: bool = False) -> None:
        if self.suffix == ".tbl":
            deleted.append(self.name)
            recorded = {one.file for one in load_manifest(plan.folder).layers.values()}
            assert self.name not in recorded
        real(self, missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    build(plan)
    assert len(deleted) > 20


def test_a_damaged_thinned_layer_is_computed_again(tmp_path):
    formation = FORMATIONS["tinyangle"]
    plan = BuildPlan(formation, TARGET, tmp_path / "t", TableOptions(optimal_only=True), threads=1)
    build(plan)
    wanted = contents(plan.folder)
    path = plan.folder / "layer-0023-best.tbl"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    (plan.folder / "layer-0005.tbl").unlink()
    build(plan)
    assert contents(plan.folder) == wanted


def test_images_of_stored_boards_are_all_there_is_of_a_layer(formation):
    """Unfolding what is stored gives the set it was taken from, and images that are not held."""
    from tablebase.build.worker_pool import LayerPool

    space = Space(formation, TARGET, formation.n_layers(TARGET))
    orientation, tables = orientation_of(space), kernel_tables(space)
    with LayerPool(1, lambda: False) as pool:
        layers = Layers(space, 0.1, pool)
        after = [layers.seeds(), None]
        for layer in range(1, 12):
            pre = layers.spawn(layer, after)
            after = [layers.move(layer, pre), after[0]]
            solved = layers.ended(layer, after[0])
            solved.values[:] = 0.5
            _, stored, _ = layers.packed(layer, after[0], solved, find_rate_type("float64"))
            half_sum = layers.half_sum(layer)
            unfolded = stored_boards(space, tables, half_sum, layers.images(layer, stored))
            if orientation is not None:
                unfolded = held_ones(orientation, space, unfolded)
            assert np.array_equal(unfolded, stored_boards(space, tables, half_sum, after[0]))
    assert after[0].any()


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked processes")
def test_a_kill_at_any_write_of_the_pass_does_not_change_a_byte(tmp_path):
    script = Path(__file__).with_name("thin_kills.py")
    tests = script.parent.parent
    result = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        capture_output=True,
        text=True,
        env={**environment(), "PYTHONPATH": os.pathsep.join(map(str, (tests.parent, tests)))},
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    kills = [json.loads(line) for line in result.stdout.splitlines()]
    assert [kill for kill in kills if kill["wrong"]] == []
    assert sum(kill["status"] == 86 for kill in kills) > 12
    assert sum(kill["status"] == 0 for kill in kills) == 2
