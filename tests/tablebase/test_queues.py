"""Many lookups in one loop, against one board after the other."""

import random

import numpy as np
import oracle
import pytest
from brute_force import board_of, cells_of

from engine.platform.jit import kernel
from tablebase.formation.formation import Formation
from tablebase.kernels.batched_lookup import NO_SLOT, look_up_moved, raise_to_values
from tablebase.kernels.bits import build_index, empty_bitmap
from tablebase.kernels.block_addressing import spot_of
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space

N_BOARDS = 300  # of which some cannot move


@kernel
def look_up_all(t, spread, places, queue):  # type: ignore[no-untyped-def]
    look_up_moved(t, spread, spot_of(t, places, 0), places, queue, queue.size)


@kernel
def raise_all(index, values, slots, positions, raised):  # type: ignore[no-untyped-def]
    raise_to_values(index, values, slots, positions, slots.size, raised)


@pytest.fixture(params=["442", "L3", "4432"], scope="module")
def space(request: pytest.FixtureRequest, formations: dict[str, Formation]) -> Space:
    formation = formations[request.param]
    return Space(formation, 64, formation.n_layers(64))


def columns_of(space: Space, board: int) -> int:
    """The columns, the cells of each in the order of the rows."""
    cells, order = cells_of(board), space.arrangements[0].row_order
    return board_of([cells[4 * row + column] for column in range(4) for row in order])


@pytest.mark.sample(1)
@pytest.mark.parametrize("direction", [oracle.UP, oracle.DOWN])
def test_boards_moved_along_their_columns_are_found(space, direction):
    rng = random.Random(direction)
    tables = kernel_tables(space)
    n_found = n_reached = 0
    for half in rng.sample(range(20, space.top + 1), 20):
        boards = [space.board(rng.randrange(space.n_slots(half)), half) for _ in range(N_BOARDS)]
        moves = [board_of(oracle.move(cells_of(board), direction)[0]) for board in boards]
        pairs = [(b, m) for b, m in zip(boards, moves, strict=True) if m != b]
        pairs = [(b, m) for b, m in pairs if space.is_inside(m)]
        queue = np.array([columns_of(space, board) for board, _ in pairs], np.uint64)
        spread = tables.column_up if direction == oracle.UP else tables.column_down
        look_up_all(tables, spread, space.places(half), queue)
        wanted = [space.slot(moved, half) for _, moved in pairs]
        assert [None if slot == NO_SLOT else slot for slot in queue.tolist()] == wanted
        n_reached += wanted.count(None)
        n_found += len(wanted) - wanted.count(None)
    assert direction == oracle.UP or (n_found > 100 and n_reached > 0)


@pytest.mark.parametrize("n", [0, 1, 3, 64, 777])
def test_values_are_raised_to_those_found(n):
    rng = np.random.default_rng(n)
    there = np.sort(rng.choice(5000, 600, replace=False))
    words = empty_bitmap(5000)
    for slot in there.tolist():
        words[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
    index = np.empty(2 * words.size, np.uint64)
    assert build_index(words, index) == there.size
    values, raised = rng.random(there.size), rng.random(40)
    chosen, positions = rng.integers(-1, there.size, n), rng.integers(0, 40, n)
    slots = np.array([NO_SLOT if i < 0 else there[i] for i in chosen.tolist()], np.uint64)
    wanted = raised.tolist()
    for i, position in zip(chosen.tolist(), positions.tolist(), strict=True):
        wanted[position] = max(wanted[position], 1.0 if i < 0 else values[i])
    raise_all(index, values, slots, positions.astype(np.uint64), raised)
    assert raised.tolist() == wanted
