"""The base of expanding, solving and storing: the layers of one formation and goal.

Boards that are side by side have images all over the layer: each costs a memory access. The boards
of a *tile* have the same cells in the two places that the diagonal exchanges: where the outer rows
meet the mid row's column, and where the mid row meets the columns of the outer rows. Images
exchange the two, so those of one tile make up one other tile, and two tiles are so small that they
stay in the processor's cache while their boards are processed.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.platform.array_types import F64, I64
from tablebase.build.worker_pool import LayerPool
from tablebase.kernels.bits import U64, bitmap_words, build_index_part
from tablebase.kernels.board_limits import BoardLimits
from tablebase.kernels.layer_boards import Solved
from tablebase.kernels.shifting_expand import MAX_WAITING
from tablebase.memory.arrays import Arrays
from tablebase.rank.kernel_tables import Blocks
from tablebase.rank.orientation import is_transposed, orientation_of
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space

_TILE = 15


class Tiles(NamedTuple):
    """The mid rows of a formation's tiles, for k keys: the cells that distinguish tiles."""

    keys: I64  # int64[k]: the cells in the columns of row 0 (4 bits, higher) and row 1, ascending
    begin: I64  # int64[k + 1]: starts of the mid rows of each key in `mids`
    mids: I64  # int64[n]: their numbers among all mid rows; those of a key ascend by half-sum


def tiles_of(space: Space) -> Tiles:
    order = space.arrangements[0].row_order
    listed = space.kinds[space.row_kinds[0][2]].open_rows  # they ascend by half-sum
    rows = listed.rows.astype(np.int64)
    of_row = _cell(rows, order[0]) << 4 | _cell(rows, order[1])
    mids = np.argsort(of_row, kind="stable")
    keys, begin = np.unique(of_row[mids], return_index=True)
    return Tiles(keys, np.append(begin, rows.size), mids)


def blocks_by_tile(space: Space, blocks: Blocks, first: int, last: int) -> I64:
    """Return the numbers of blocks, from `first` up to `last`, with those of a tile together.

    Blocks are left out if all their boards are the greater ones of two images, by the cells of the
    outer rows in each other's columns. If these are the same, boards may be either.
    """
    at_0, at_1, at_mid, _ = space.arrangements[0].row_order
    row_0, row_1 = blocks.rows[first:last] >> 16, blocks.rows[first:last] & 0xFFFF
    own, other = _cell(row_0, at_1), _cell(row_1, at_0)
    ordered = np.flatnonzero(own <= other)
    key = np.zeros(ordered.size, np.int64)
    for cells in (
        _cell(row_0, at_0), _cell(row_1, at_1), own, other,
        _cell(row_0, at_mid), _cell(row_1, at_mid),
    ):  # fmt: skip
        key = key << 4 | cells[ordered]
    return ordered[np.argsort(key, kind="stable")] + first


def _cell(rows: I64, column: int) -> I64:
    return rows >> (12 - 4 * column) & _TILE


STEP_WORDS = 1 << 14  # of a bitmap, whose slots may each have a value
_KEPT_BLOCKS = 4  # layers
_MAX_BLOCKS_BYTES = 16 << 20  # up to this size the blocks of all layers are kept
_BLOCK_BYTES = 36  # of a block in Blocks and Places together


class BlockRange(NamedTuple):
    """Blocks to work through, the number of slots before them, and the places of any layer."""

    blocks: Blocks
    n_slots: int


class LayerFrame:
    """The layers of one formation and goal; layer i has half-sum ``seed_half_sum + i``.

    With `all_images` positions are held with all images, even where fewer would do
    (tablebase.rank.orientation), and all four moves of each are tried. With `limits` after-states
    beyond them are terminal (tablebase.kernels.board_limits): they are found, but not expanded, and
    are worth 0. `is_diagonal` means that only moves along the rows are tried
    (tablebase.kernels.diagonal). With `rates_of_reached`, of a chained table, boards at the target
    are not worth 1 but what it returns for them, and positions are held with all images.
    """

    def __init__(
        self,
        space: Space,
        spawn4: float,
        pool: LayerPool,
        arrays: Arrays | None = None,
        *,
        all_images: bool = False,
        limits: BoardLimits | None = None,
        rates_of_reached: Callable[[U64], F64] | None = None,
    ) -> None:
        all_images = all_images or rates_of_reached is not None
        self.space = space
        self._limits, self._rates_of_reached = limits, rates_of_reached
        self.arrays = arrays or Arrays(Path(), None)
        self._spawn4 = spawn4
        self._pool = pool
        self._shifts = 1 if len(space.formation.arrangements) > 1 else None
        self._orientation = None if all_images else orientation_of(space)
        self.is_diagonal = self._orientation is None and not all_images and is_transposed(space)
        # Whether moves along columns are found as moves along the rows of other boards.
        self._rows_only = self.is_diagonal or (
            self._orientation is not None and self._orientation.is_transposed
        )
        self._tiles = tiles_of(space) if self.is_diagonal else None
        self._tables = kernel_tables(space, slides=self._orientation is None)
        self._scratch = np.zeros((pool.n_threads, 4, 12), np.int64)
        self._waiting = np.zeros((pool.n_threads, 4, MAX_WAITING), np.uint64)
        self._n_slots = [space.n_slots(self.half_sum(i)) for i in range(space.n_layers)]
        n_blocks = sum(
            shape.lists[0].rows.size * shape.lists[1].rows.size for shape in space.shapes
        )
        are_small = n_blocks * _BLOCK_BYTES * space.n_layers <= _MAX_BLOCKS_BYTES
        n_kept = space.n_layers if are_small else _KEPT_BLOCKS
        self.blocks: Callable[[int], Blocks] = lru_cache(maxsize=n_kept)(
            lambda layer: space.blocks(self.half_sum(layer))
        )

    @property
    def other_cpu_s(self) -> float:
        return 0.0

    def n_slots(self, layer: int) -> int:
        return self._n_slots[layer]

    def n_words(self, layer: int) -> int:
        return bitmap_words(self.n_slots(layer))

    def half_sum(self, layer: int) -> int:
        return self.space.formation.seed_half_sum + layer

    def whole(self, layer: int) -> BlockRange:
        return BlockRange(self.blocks(layer), self.n_slots(layer))

    def unsolved(self, layer: int, words: U64) -> Solved:
        index, n = self._index(words)
        values = self.arrays.empty(n + 1, np.float64)
        values[-1] = 0.0
        return Solved(index, values, self.blocks(layer).places)

    def _index(self, words: U64) -> tuple[U64, int]:
        index, n = self.arrays.empty(2 * words.size, np.uint64), np.uint64(0)
        for part in self.arrays.steps(words.size):
            n = np.uint64(build_index_part(words, part.start, part.stop, n, index))
        return index, int(n)
