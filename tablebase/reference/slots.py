"""From boards to slots, many at a time, with numpy alone.

The bulk version of `Space.slot`, to be replaced by the builder's own.
"""

import numpy as np
import numpy.typing as npt

from tablebase.space import Space
from tablebase.tables import INDEX_SHIFT, REACHED, SUM_ID_MASK, SUM_ID_SHIFT, SUM_MASK

U64 = npt.NDArray[np.uint64]
I64 = npt.NDArray[np.int64]


def slots_of_boards(space: Space, half_sum: int, boards: U64) -> I64:
    """Return the slots (int64[n]) of `boards` (uint64[n]) in a layer; -1 where there is none.

    That is a board outside of the formation, one of another tile sum, or one that has reached the
    target. The boards are to be in canonical form, like those that `Space.slot` is asked for.
    """
    words = [
        space.code[k, (boards >> np.uint64(48 - 16 * position)) & np.uint64(0xFFFF)]
        for k, position in enumerate(space.row_order)
    ]
    is_stored = np.all([word < REACHED for word in words], axis=0)
    words = [np.where(is_stored, word, 0).astype(np.int64) for word in words]
    sums = [word & SUM_MASK for word in words]
    is_stored &= sum(sums) == half_sum
    sums = [np.where(is_stored, part, 0) for part in sums]
    ids = [np.where(is_stored, (word >> SUM_ID_SHIFT) & SUM_ID_MASK, 0) for word in words]
    x = [word >> INDEX_SHIFT for word in words]
    count_123, count_23, count_3 = space.counts
    rest_1 = half_sum - sums[0]
    rest_2 = rest_1 - sums[1]
    slots = space.base_0(half_sum)[ids[0]] + x[0] * count_123[rest_1]
    slots += space.base_1[rest_1, ids[1]] + x[1] * count_23[rest_2]
    slots += space.base_2[rest_2, ids[2]] + x[2] * count_3[sums[3]] + x[3]
    return np.where(is_stored, slots, -1)
