"""Parts of a layer that hold the transposed images of each other, and of nothing else.

Boards that are side by side have images all over the layer: each costs a memory access. The boards
of a *tile* have the same cells in the two places that the diagonal exchanges: where the outer rows
meet the mid row's column, and where the mid row meets the columns of the outer rows. Images
exchange the two, so those of one tile make up one other tile, and two tiles are so small that they
stay in the processor's cache while their boards are processed.
"""

from typing import NamedTuple

import numpy as np

from engine.platform.array_types import I64
from tablebase.rank.kernel_tables import Blocks
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
