"""Values that boards exchange with their transposed images, tile by tile: each pair once."""

from functools import cache

import numpy as np
import pytest

from engine.geometry import permute
from tablebase.build.layer_frame import blocks_by_tile, tiles_of
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations
from tablebase.kernels.bits import build_index, empty_bitmap
from tablebase.kernels.diagonal import Outside, raise_to_images
from tablebase.kernels.layer_boards import Solved
from tablebase.kernels.shifting_expand import MAX_WAITING
from tablebase.rank.kernel_tables import I64
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space

TRANSPOSED = tuple(4 * (cell % 4) + cell // 4 for cell in range(16))
# F along the diagonal: then outer rows have cells in each other's columns.
DIAGONAL = Formation(
    name="diagonalf",
    category="others",
    masks=(0xF000_0F00_00F0_000F,),
    target_cells=(1 << 64) - 1,
    symmetry="diagonal",
    seeds=(0xF100_1F00_00F0_000F,),
    extra_steps=0,
    walls=False,
)
HALF_SUMS = {"LL": 8, "L1": 14, "4432": 8, "diagonalf": 8}


@cache
def images_of(name: str) -> tuple[Space, int, list[int]]:
    """Return a space, a half-sum, and the slot of the image of each slot."""
    formation = DIAGONAL if name == "diagonalf" else load_formations()[name]
    half = HALF_SUMS[name]
    space = Space(formation, 64, 30)
    images = []
    for slot in range(space.n_slots(half)):
        image = space.slot(permute(space.board(slot, half), TRANSPOSED), half)
        assert image is not None
        images.append(image)
    return space, half, images


def some_boards(images: list[int], rng: np.random.Generator, *, seldom: bool) -> Solved:
    slots = np.arange(len(images))
    chosen = slots[rng.random(slots.size) < (0.02 if seldom else 0.6)]
    words = empty_bitmap(slots.size)
    for slot in {*chosen.tolist(), *(images[slot] for slot in chosen.tolist())}:
        words[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
    index = np.empty(2 * words.size, np.uint64)
    n = int(build_index(words, index))
    return Solved(index, np.append(rng.random(n), 0.0), None)  # type: ignore[arg-type]


def slots_in(solved: Solved) -> list[int]:
    words = np.ascontiguousarray(solved.indexed[::2])
    return np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little")).tolist()


def raised(space: Space, half: int, pre: Solved, outside: Outside, order: I64) -> None:
    tables, blocks = kernel_tables(space), space.blocks(half)
    solved = pre._replace(places=blocks.places)
    waiting = np.zeros((4, MAX_WAITING), np.uint64)
    raise_to_images(tables, tiles_of(space), blocks, order, solved, waiting, outside)


@pytest.mark.thorough
@pytest.mark.parametrize("name", HALF_SUMS)
@pytest.mark.parametrize("seldom", [False, True])
def test_both_of_two_images_get_the_greater_value(name, seldom):
    space, half, images = images_of(name)
    pre = some_boards(images, np.random.default_rng(3), seldom=seldom)
    slots = slots_in(pre)
    worth = dict(zip(slots, pre.values.tolist(), strict=False))
    none, blocks = np.zeros(0, np.uint64), space.blocks(half)
    everywhere = Outside(np.uint64(0), np.uint64(len(images)), none, none, np.zeros(1, np.int64))
    order = blocks_by_tile(space, blocks, 0, blocks.start.size)
    raised(space, half, pre, everywhere, order)
    assert pre.values[:-1].tolist() == [max(worth[slot], worth[images[slot]]) for slot in slots]
    assert len(slots) > (100 if seldom else 1000)
    assert any(images[slot] == slot for slot in slots)


@pytest.mark.thorough
@pytest.mark.parametrize("name", HALF_SUMS)
def test_of_each_pair_one_is_looked_at_whichever_blocks_there_are(name):
    """Images that are not there are listed, by one of the two, and from one band alone."""
    space, half, images = images_of(name)
    pre, blocks = some_boards(images, np.random.default_rng(4), seldom=False), space.blocks(half)
    slots, n_blocks = slots_in(pre), blocks.start.size
    room = len(slots) + 1
    pairs = []
    for first in range(0, n_blocks, max(n_blocks // 5, 1)):
        last = min(first + max(n_blocks // 5, 1), n_blocks)
        listed = np.zeros(room, np.uint64), np.zeros(room, np.uint64), np.zeros(1, np.int64)
        nowhere = Outside(np.uint64(0), np.uint64(0), *listed)
        raised(space, half, pre, nowhere, blocks_by_tile(space, blocks, first, last))
        n = int(listed[2][0])
        for image, position in zip(listed[0][:n].tolist(), listed[1][:n].tolist(), strict=True):
            pairs.append((image, slots[position]))
    assert all(images[slot] == image for image, slot in pairs)
    found = sorted((min(pair), max(pair)) for pair in pairs)
    wanted = {(min(slot, images[slot]), max(slot, images[slot])) for slot in slots}
    assert found == sorted(pair for pair in wanted if pair[0] != pair[1])


@pytest.mark.thorough
def test_outer_rows_with_cells_in_each_other_s_columns_leave_blocks_out():
    space, half, _ = images_of("diagonalf")
    blocks = space.blocks(half)
    order = blocks_by_tile(space, blocks, 0, blocks.start.size)
    assert 0 < order.size < blocks.start.size
