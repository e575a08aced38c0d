"""Cells: bands of whole blocks that a layer is cut into, and what of a layer belongs to each.

A machine that has some cells lays them into arrays over the whole layer, whose other pages nobody
ever touches: so the kernels work on cells as they do on layers, and look-ups of boards that are not
there find 0.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from tablebase.build.scratch import F64
from tablebase.build.worker_pool import Band
from tablebase.kernels.bits import U64, bitmap_words, build_index_part
from tablebase.kernels.layer_boards import Solved
from tablebase.rank.kernel_tables import Blocks, Places

_FULL = 0xFFFF_FFFF_FFFF_FFFF
_WORD = 64


class Cell(NamedTuple):
    """A band of a layer's blocks, and the slots from `first` up to `end` that they have."""

    band: Band
    first: int
    end: int

    @property
    def words(self) -> slice:
        """Return the words of the layer's bitmap that have slots of it."""
        return slice(self.first >> 6, (self.end + 63) >> 6)


class CellRule(NamedTuple):
    """How layers are cut: in `n_wanted` parts, unless that makes them smaller, or leaves larger.

    Every machine of a build has to cut alike; what is built does not depend on it.
    """

    n_wanted: int
    least_slots: int
    most_slots: int

    def cells(self, blocks: Blocks, n_slots: int) -> list[Cell]:
        """Return the cells of a layer, one at least; about equally many slots in each."""
        n_blocks = blocks.start.size
        n = max(min(self.n_wanted, n_slots // self.least_slots), -(-n_slots // self.most_slots), 1)
        cells, band, slot = list[Cell](), 0, 0
        for k in range(1, n):
            edge = bisect_left(blocks.start, n_slots * k // n)
            end = int(blocks.start[edge]) if edge < n_blocks else n_slots
            if end >= slot + _WORD:  # no word has bits of more than two cells
                cells.append(Cell((band, edge), slot, end))
                band, slot = edge, end
        return [*cells, Cell((band, n_blocks), slot, n_slots)]


class SolvedCell(NamedTuple):
    """The boards of a cell with their values.

    Attributes
    ----------
    cell : Cell
    bits : uint64[...]
        See `cut`.
    values : float64[n]
        Of the cell's own boards, in slot order.
    """

    cell: Cell
    bits: U64
    values: F64


class SolvedPart(NamedTuple):
    """Boards of a layer with their values, as the kernels take them, but for their places.

    The first value is 0, which those find who look for a board that is not there; so is the last.
    """

    indexed: U64
    values: F64


def cut(words: U64, cell: Cell) -> U64:
    """Return the words of a layer's bitmap that have boards of a cell; none when it has no board.

    Neighbors have bits in the first and the last of them. They stay: whoever looks a board up
    counts all bits that come before it in its word.
    """
    bits: U64 = words[cell.words]
    return bits.copy() if own_bits(bits, cell).any() else bits[:0].copy()


def own_bits(bits: U64, cell: Cell) -> U64:
    """Return what `cut` returned without the bits of neighbors."""
    own = bits.copy()
    if own.size:
        own[0] &= _mask_from(cell.first)
        own[-1] &= _mask_to(cell.end)
    return own


def count_own(bits: U64, cell: Cell) -> int:
    """Return how many boards a cell has."""
    return int(np.bitwise_count(own_bits(bits, cell)).sum())


def laid_out(n_slots: int, parts: Iterable[tuple[int, U64]]) -> U64:
    """Return the bitmap of a layer that has some bits, each part from a word on."""
    words = np.zeros(bitmap_words(n_slots), np.uint64)
    for first, bits in parts:
        words[first : first + bits.size] |= bits
    return words


def together(n_slots: int, cells: Sequence[SolvedCell], *, are_all: bool = False) -> SolvedPart:
    """Return some cells of a layer as one part, given in their order.

    The boards of neighbors that are not given are worth 0 in it, as are all others. Of a layer's
    cells together the values stand in one row, with nothing between the first and the last 0.
    """
    given = [one for one in cells if one.bits.size]
    words = laid_out(n_slots, ((one.cell.words.start, one.bits) for one in given))
    indexed = np.zeros(2 * words.size, np.uint64)
    gap = 0 if are_all else 1
    values, count, done, behind = [np.zeros(1)], 1, 0, 0
    for cell, bits, own_values in given:
        first, end = cell.words.start, cell.words.start + bits.size
        if first >= done:
            before = _ones(bits[0] & ~_mask_from(cell.first))
            values.append(np.zeros(behind + gap + before))
            count += gap
        values.append(own_values)
        behind = _ones(bits[-1] & ~_mask_to(cell.end))
        # A word that two cells share has the bits of both; of the word behind them all it may be
        # asked how many boards come before.
        count = int(build_index_part(words, max(first, done), end, np.uint64(count), indexed))
        build_index_part(words, end, end + 1, np.uint64(count), indexed)
        done = end
    return SolvedPart(indexed, np.concatenate([*values, np.zeros(behind + 1)]))


def unsolved(n_slots: int, cell: Cell, bits: U64) -> SolvedPart:
    """Return the boards of a cell, without those of neighbors, before their values are set."""
    own = own_bits(bits, cell)
    whole = Cell((0, 0), cell.words.start << 6, cell.words.stop << 6)
    values = np.zeros(int(np.bitwise_count(own).sum()))
    return together(n_slots, [SolvedCell(whole, own, values)], are_all=True)


def with_places(part: SolvedPart, places: Places) -> Solved:
    """Return boards as the kernels take them."""
    return Solved(part.indexed, part.values, places)


def _mask_from(slot: int) -> np.uint64:
    """Return the bits of a slot's word from it on."""
    return np.uint64(_FULL << (slot & 63) & _FULL)


def _mask_to(slot: int) -> np.uint64:
    """Return the bits of the word before a slot, or of its own word, that come before it."""
    return np.uint64(_FULL >> (-slot & 63))


def _ones(word: np.uint64) -> int:
    return int(np.bitwise_count(word))
