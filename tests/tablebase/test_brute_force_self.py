"""The oracle itself, anchored to what another program computed for 2x4 -> 128."""

from collections.abc import Iterable
from functools import reduce
from operator import xor

import brute_force
import brute_force_arrays
import pytest
from brute_force import cells_of
from golden_tables import GoldenTable, Sample, load_golden
from small_formations import rules_of

from tablebase.formation.formation import Formation

RAW_ONE = 4_000_000_000


@pytest.fixture(scope="module")
def golden() -> GoldenTable:
    return next(t for t in load_golden() if (t.formation, t.target) == ("2x4", 128))


@pytest.fixture(scope="module")
def layers(golden: GoldenTable, formations: dict[str, Formation]) -> list[dict[int, float]]:
    """The rates as that program has them: truncated to multiples of 1 / 4e9 after every layer."""
    rules = rules_of(formations[golden.formation], golden.target, raw_one=RAW_ONE)
    assert rules.n_layers == golden.layers
    assert rules.target_cells == golden.target_cells
    return brute_force_arrays.solve(rules).rates


@pytest.mark.thorough
def test_kept_boards_agree_on_the_whole_table(layers, golden):
    assert sum(rate > 0 for layer in layers for rate in layer.values()) == golden.kept


@pytest.mark.thorough
def test_every_sampled_layer_agrees(layers, golden):
    for i, sample in golden.samples.items():
        boards = [board for board, rate in layers[i].items() if rate > 0]
        raws = [round(layers[i][board] * RAW_ONE) for board in boards]
        got = (len(boards), reduce(xor, boards), raws.count(RAW_ONE))
        assert got == (sample.kept, sample.xor_boards, sample.at_max), f"layer {i}"
        assert sample.generated in (None, len(layers[i])), f"layer {i}"
        assert_raws_agree(i, raws, sample)


def assert_raws_agree(layer: int, raws: list[int], sample: Sample) -> None:
    """That program was compiled with fused multiply-add: a rate may differ by a unit."""
    assert abs(max(raws) - sample.max_raw) <= 1, f"layer {layer}"
    assert abs(sum(raws) - sample.sum_raw) <= len(raws), f"layer {layer}"


@pytest.mark.parametrize(
    ("line", "walls", "want"),
    [
        ([1, 1, 1, 1], False, [2, 2, 0, 0]),
        ([0, 1, 0, 1], False, [2, 0, 0, 0]),
        ([1, 1, 2, 0], False, [2, 2, 0, 0]),
        ([15, 15, 0, 1], False, [15, 15, 1, 0]),
        ([0, 15, 1, 1], False, [15, 2, 0, 0]),
        ([14, 14, 0, 0], False, [15, 0, 0, 0]),
        ([0, 15, 1, 1], True, [0, 15, 2, 0]),
        ([0, 1, 15, 1], True, [1, 0, 15, 1]),
    ],
)
def test_a_line_slides_as_the_rules_say(line, walls, want):
    assert brute_force.slide_line(line, walls) == want


LIMITS = {"most_equal": 2, "small_sum": 40, "large_from": 16}


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "target", "changes"),
    [
        ("tinymirror", 64, {}),
        ("tinyangle", 32, {"spawn4": 0.2}),
        ("tinyloose", 64, {"raw_one": RAW_ONE}),
        ("tinyends", 64, LIMITS),
        ("tinyfree", 64, {"most_equal": 2, "large_from": 16}),
        ("2x4", 32, {"small_sum": 24, "large_from": 16}),
    ],
)
def test_arrays_say_what_the_recursion_says_board_by_board(name, target, changes, formations):
    rules = rules_of(formations[name], target, **changes)
    want = brute_force.solve(rules)
    assert any(0 < rate < 1 for layer in want.rates for rate in layer.values())
    assert brute_force_arrays.solve(rules) == want


@pytest.mark.parametrize("mode", brute_force.SOURCES)
def test_the_images_of_a_mode_are_a_group(mode):
    """One image after another is an image again, so "least image" does not depend on the start."""
    images = {tuple(image) for image in brute_force.SOURCES[mode]}
    assert len(images) == len(brute_force.SOURCES[mode])
    for one in images:
        for other in images:
            assert tuple(one[cell] for cell in other) in images


def test_a_spawn_goes_into_each_empty_cell():
    boards = brute_force.spawned_boards(0x1030_0000_FFFF_FFFF, 2)
    assert sorted(boards) == sorted(_with(0x1030_0000_FFFF_FFFF, (1, 3, 4, 5, 6, 7)))


def _with(board: int, empty_cells: Iterable[int]) -> list[int]:
    spawned = []
    for cell in empty_cells:
        cells = cells_of(board)
        cells[cell] = 2
        spawned.append(brute_force.board_of(cells))
    return spawned
