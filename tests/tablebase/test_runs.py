"""The kernels that treat the boards of a run together, against one board after the other.

Of boards with long runs: those of more than 64 boards are treated otherwise than the others.
"""

import random

import numpy as np
import oracle
import pytest
from brute_force import board_of, cells_of, spawned_boards

from engine.geometry import permute
from tablebase.build.layers import Layers
from tablebase.build.worker_pool import LayerPool
from tablebase.formation.formation import Formation
from tablebase.kernels.bits import U64, build_index, empty_bitmap
from tablebase.kernels.block_addressing import gather
from tablebase.kernels.layer_boards import Solved
from tablebase.kernels.layer_walk import rows_below
from tablebase.rank.kernel_tables import fours_of
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
