"""Classes of blocks that new tiles never leave: what can be cut apart where tiles appear.

A new tile is a 2 or a 4 in an empty cell. So it never changes where the large tiles of the outer
rows stand, nor the arrangement of F: after-states and pre-states that follow from each other by new
tiles lie in blocks of one class, in whatever layer. Moves lead anywhere.
"""

import numpy as np

from tablebase.rank.kernel_tables import I64, U16, Blocks
from tablebase.rank.orientation import Orientation

_NEW_TILES = 2  # exponents 1 and 2
_ROW = 0xFFFF


def spawn_classes(blocks: Blocks, orientation: Orientation | None, n_arrangements: int) -> I64:
    """Return the number of the class of each block, which is the same in all layers.

    Parameters
    ----------
    blocks : Blocks
        Of any layer.
    orientation : Orientation or None
        What tells which images of a board are held, if they are not all.
    n_arrangements : int
        Of the formation.
    """
    if n_arrangements > 1:
        return blocks.arrangement.astype(np.int64)
    row_0, row_1 = blocks.rows >> 16, blocks.rows & _ROW
    if orientation is None:
        return _class(row_0, row_1)
    # With a new tile another image may be held: mirrored, or with row 1 where the mid row was.
    if orientation.exchanges:
        row_1 = np.zeros_like(row_1)
    mirror: U16 = orientation.mirror_row
    images = _class(mirror[row_0].astype(np.int64), mirror[row_1].astype(np.int64))
    return np.minimum(_class(row_0, row_1), images)


def _class(row_0: I64, row_1: I64) -> I64:
    both: I64 = (row_0 << 16) | row_1
    found = np.zeros_like(both)
    for shift in range(0, 32, 4):
        tile = (both >> shift) & 15
        found |= np.where(tile > _NEW_TILES, tile, 0) << shift
    return found
