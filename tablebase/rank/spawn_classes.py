"""Classes of blocks that new tiles never leave: where a layer can be divided for spawns.

A new tile is a 2 or a 4 in an empty cell. So it never moves the large tiles of the outer rows, nor
changes the arrangement of F: after-states and pre-states that follow from each other by new tiles
are in blocks of one class, in any layer. Moves can lead to any class.
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
        Blocks of any layer.
    orientation : Orientation or None
        Defines which images of a board are held, if not all are.
    n_arrangements : int
        Number of arrangements of the formation.
    """
    if n_arrangements > 1:
        return blocks.arrangement.astype(np.int64)
    row_0, row_1 = blocks.rows >> 16, blocks.rows & _ROW
    if orientation is None:
        return _class(row_0, row_1)
    # With a new tile another image may be held: mirrored, or with row 1 and mid row swapped.
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
