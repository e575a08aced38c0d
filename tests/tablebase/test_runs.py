"""The kernels that treat the boards of a run together, and images of tiles, one by one."""

import random
from functools import cache

import numpy as np
import oracle
import pytest
from brute_force import board_of, cells_of, spawned_boards

from engine.geometry import permute
from tablebase.build.layer_frame import blocks_by_tile, tiles_of
from tablebase.build.layers import Layers
from tablebase.build.worker_pool import LayerPool
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations
from tablebase.kernels.bits import U64, build_index, empty_bitmap
from tablebase.kernels.block_addressing import gather
from tablebase.kernels.diagonal import Outside, raise_to_images
from tablebase.kernels.layer_boards import Solved
from tablebase.kernels.layer_walk import rows_below
from tablebase.kernels.shifting_expand import MAX_WAITING
from tablebase.rank.kernel_tables import I64, fours_of
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space

LONG = 60  # boards of a run; of these tables the longest has 66
TRANSPOSED = tuple(4 * (cell % 4) + cell // 4 for cell in range(16))
SPAWN4 = 0.2


@pytest.fixture(params=["L3", "LL", "t"], scope="module")
def space(request: pytest.FixtureRequest, formations: dict[str, Formation]) -> Space:
    formation = formations[request.param]
    return Space(formation, 256, formation.n_layers(256))


def inner_rows(space: Space, board: int) -> list[int]:
    """The rows that a board's run has as its last one, of which its own is one."""
    number = next(
        i for i, one in enumerate(space.arrangements) if board & one.f_cells == one.f_cells
    )
    kind = space.kinds[space.row_kinds[number][3]].open_rows
    row = board >> (48 - 16 * space.arrangements[number].row_order[3]) & 0xFFFF
    (at,) = np.flatnonzero(kind.rows == row)
    return [int(row) for row in kind.rows[kind.sums == kind.sums[at]]]


def boards_of_long_runs(space: Space, half: int, rng: random.Random) -> list[int]:
    """Boards of random slots, more of them where runs are long."""
    boards = [space.board(rng.randrange(space.n_slots(half)), half) for _ in range(400)]
    long = [board for board in boards if len(inner_rows(space, board)) > LONG]
    assert long, "or this half-sum shows nothing"
    for board in long[:12]:
        slot = space.slot(board, half)
        assert slot is not None
        near = range(max(slot - 40, 0), min(slot + 40, space.n_slots(half)))
        boards += [space.board(one, half) for one in near]
    return boards


def bitmap_of(space: Space, boards: set[int], half: int) -> U64:
    words = empty_bitmap(space.n_slots(half))
    for board in boards:
        slot = space.slot(board, half)
        assert slot is not None
        words[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
    return words


def solved(space: Space, worth: dict[int, float], half: int) -> Solved:
    words = bitmap_of(space, set(worth), half)
    index = np.empty(2 * words.size, np.uint64)
    assert build_index(words, index) == len(worth)
    in_order = sorted((space.slot(board, half), value) for board, value in worth.items())
    values = np.array([value for _, value in in_order] + [0.0])
    return Solved(index, values, space.places(half))


@pytest.fixture(scope="module")
def layer(space: Space) -> int:
    """A layer of which many boards lie in long runs."""
    tables = kernel_tables(space)
    longest = int(np.argmax(tables.count_3))
    assert tables.count_3[longest] > 64
    return min(longest % (space.top + 1) + 30, space.top - 3) - space.formation.seed_half_sum


@pytest.fixture(scope="module")
def boards(space: Space, layer: int) -> list[int]:
    half = space.formation.seed_half_sum + layer
    return boards_of_long_runs(space, half, random.Random(space.formation.name))


def test_a_new_tile_comes_into_each_free_cell_of_all_boards(space, layer, boards):
    half = space.formation.seed_half_sum + layer
    after = bitmap_of(space, set(boards), half)
    with LayerPool(1, lambda: False) as pool:
        layers = Layers(space, SPAWN4, pool)
        for tile in (1, 2):
            before: list[U64 | None] = [None, None]
            before[tile - 1] = after
            found = layers.spawn(layer + tile, before)
            wanted = {new for board in boards for new in spawned_boards(board, tile)}
            assert (found == bitmap_of(space, wanted, half + tile)).all()


def test_an_after_state_is_worth_what_its_new_tiles_are(space, layer, boards):
    half, rng = space.formation.seed_half_sum + layer, random.Random(3)
    worth: list[dict[int, float]] = []
    for tile in (1, 2):
        grown = {new for board in boards for new in spawned_boards(board, tile)}
        worth.append({board: rng.random() for board in sorted(grown)})
    after = solved(space, dict.fromkeys(boards, 0.0), half)
    with LayerPool(1, lambda: False) as pool:
        layers = Layers(space, SPAWN4, pool)
        pre = [solved(space, one, half + tile) for tile, one in enumerate(worth, start=1)]
        layers.fill_spawns(layers.whole(layer), after, *pre)
    in_order = sorted(set(boards), key=lambda board: space.slot(board, half) or 0)
    for board, value in zip(in_order, after.values.tolist(), strict=False):
        means = [
            sum(one[new] for new in spawned_boards(board, tile)) / max(cells_of(board).count(0), 1)
            for tile, one in enumerate(worth, start=1)
        ]
        assert value == pytest.approx((1 - SPAWN4) * means[0] + SPAWN4 * means[1], abs=1e-14)


def test_boards_move_along_their_rows(space, layer, boards):
    half = space.formation.seed_half_sum + layer
    pre = bitmap_of(space, set(boards), half)
    with LayerPool(1, lambda: False) as pool:
        layers = Layers(space, SPAWN4, pool, all_images=True)
        found = layers.move(layer, pre)
    wanted = set()
    for board in boards:
        for direction in (oracle.LEFT, oracle.RIGHT, oracle.UP, oracle.DOWN):
            new = int(board_of(oracle.move(cells_of(board), direction)[0]))
            if new != board and space.is_inside(new) and space.slot(new, half) is not None:
                wanted.add(new)
    assert (found == bitmap_of(space, wanted, half)).all()


def test_inner_rows_below_that_of_the_image_are_known_for_whole_runs(formations):
    formation = formations["LL"]
    space = Space(formation, 256, formation.n_layers(256))
    tables, rng = kernel_tables(space), random.Random(5)
    order = space.arrangements[0].row_order
    shift = 48 - 16 * order[3]
    assert shift == 48, "so that the rows alone say which board is less"
    n_equal = 0
    for _ in range(60):
        half = rng.randrange(40, space.top)
        board = space.board(rng.randrange(space.n_slots(half)), half)
        if rng.random() < 0.3:  # one that has the cells of its image in the inner row
            cells = cells_of(board)
            board = board_of([cells[min(cell, TRANSPOSED[cell])] for cell in range(16)])
        upper = board & ~(0xFFFF << shift)
        image = permute(upper, TRANSPOSED)
        rows = inner_rows(space, board)
        for chunk in range(0, len(rows), 64):
            half_3 = sum((1 << tile) >> 1 for tile in cells_of(rows[0] << 48)[:4])
            part = np.uint64(tables.slide_part[half_3] + chunk // 64)
            for rest_is_less in (False, True):
                spot = type("Spot", (), {"shift_3": np.uint64(shift)})
                bits = rows_below.py_func(
                    tables.low_cells, part, spot, np.uint64(image), rest_is_less
                )
                line = image >> shift & 0xFFF
                for k, row in enumerate(rows[chunk : chunk + 64]):
                    is_less = row & 0xFFF < line or (rest_is_less and row & 0xFFF == line)
                    assert bool(int(bits) >> k & 1) == is_less
                    n_equal += row & 0xFFF == line
    assert n_equal > 10


def test_bits_of_four_rows_are_found_together():
    rng = random.Random(1)
    bits = np.array([[1 << rng.randrange(64) for _ in range(70)] for _ in range(2)], np.uint64)
    fours = fours_of(bits)
    for side in range(2):
        for _ in range(50):
            first = rng.randrange(70)
            chosen = rng.getrandbits(min(64, 70 - first))
            wanted = 0
            for k in range(70 - first):
                if chosen >> k & 1:
                    wanted |= int(bits[side, first + k])
            assert int(gather.py_func(fours[side], np.uint64(chosen), first)) == wanted


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
