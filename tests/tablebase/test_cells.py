"""Cells: cutting a layer and putting some of it together changes nothing of what is looked up."""

import itertools

import numpy as np
import numpy.typing as npt
import pytest

from tablebase.cluster.cells import Cell, CellRule, SolvedCell, count_own, cut, together, unsolved
from tablebase.kernels.bits import U64, bitmap_words
from tablebase.rank.kernel_tables import Blocks, Places


def blocks_of(sizes: npt.NDArray[np.int64]) -> Blocks:
    start = np.concatenate([[0], np.cumsum(sizes)])[: sizes.size]
    none = np.zeros(0, np.int64)
    return Blocks(start, none, none, none.astype(np.int32), Places(none, none, none))


def bitmap(slots: npt.NDArray[np.int64], n_slots: int) -> U64:
    words = np.zeros(bitmap_words(n_slots), np.uint64)
    for slot in slots.tolist():
        words[slot >> 6] |= np.uint64(1 << (slot & 63))
    return words


def look_up(indexed: U64, values: npt.NDArray[np.float64], slot: int) -> float:
    """As tablebase.kernels.bits.value_of has it, which doesn't ask whether the board is there."""
    word, before = int(indexed[2 * (slot >> 6)]), int(indexed[2 * (slot >> 6) + 1])
    return float(values[before + (word & ((1 << (slot & 63)) - 1)).bit_count()])


@pytest.mark.parametrize("seed", range(20))
def test_look_ups_find_what_was_given_and_nothing_else(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, rng.choice([3, 40, 300]), 200)
    n_slots = int(sizes.sum())
    slots = np.flatnonzero(rng.random(n_slots) < rng.choice([0.02, 0.3, 0.9]))
    words, values = bitmap(slots, n_slots), rng.random(slots.size) + 1
    rule = CellRule(int(rng.integers(1, 9)), 1, 1 << 40)
    cells = rule.cells(blocks_of(sizes), n_slots)
    solved = []
    for cell in cells:
        own = (slots >= cell.first) & (slots < cell.end)
        bits = cut(words, cell)
        assert count_own(bits, cell) == own.sum()
        solved.append(SolvedCell(cell, bits, values[own]))
    given = [one for one in solved if rng.random() < 0.6]
    part = together(n_slots, given)
    for slot, value in zip(slots.tolist(), values.tolist(), strict=True):
        is_given = any(one.cell.first <= slot < one.cell.end for one in given)
        assert look_up(*part, slot) == (value if is_given else 0.0)
    whole = together(n_slots, solved, are_all=True)
    assert whole.values[1:-1].tolist() == values.tolist()
    for slot, value in zip(slots.tolist(), values.tolist(), strict=True):
        assert look_up(*whole, slot) == value


def test_a_cell_has_its_own_boards_alone_while_it_is_solved() -> None:
    slots = np.array([60, 62, 64, 70, 126, 130])
    words, cell = bitmap(slots, 200), Cell((0, 1), 62, 127)
    part = unsolved(200, cell, cut(words, cell))
    assert part.values.tolist() == [0.0] * 6
    part.values[1:-1] = [1, 2, 3, 4]
    assert [look_up(*part, slot) for slot in (62, 64, 70, 126)] == [1, 2, 3, 4]


@pytest.mark.parametrize(("wanted", "least", "most"), [(1, 1, 99), (7, 64, 99), (3, 500, 1000)])
def test_cells_are_bands_of_blocks_without_gaps(wanted: int, least: int, most: int) -> None:
    sizes = np.random.default_rng(5).integers(1, 30, 300)
    edges = [0, *np.cumsum(sizes).tolist()]
    cells = CellRule(wanted, least, most).cells(blocks_of(sizes), edges[-1])
    assert (cells[0].band[0], cells[-1].band[1]) == (0, 300)
    assert all(one.band[1] == two.band[0] for one, two in itertools.pairwise(cells))
    assert all((one.first, one.end) == tuple(edges[b] for b in one.band) for one in cells)
    assert all(one.end - one.first >= 64 for one in cells[:-1])
    assert len(cells) > 1 or wanted == 1


def test_a_layer_without_boards_is_one_cell() -> None:
    (cell,) = CellRule(4, 1, 10).cells(blocks_of(np.zeros(0, np.int64)), 0)
    assert cell == Cell((0, 0), 0, 0)
