"""Moves that reach the target where reaching it is not the end: what they are worth is looked up.

See `tablebase.probe.continuation`. The kernels that solve moves count 1 for them; few boards have
such a move, so those are listed and given their values again.
"""

import numpy as np

from engine.platform.array_types import F64, I64, U64
from engine.platform.jit import kernel
from tablebase.kernels.bits import value_of
from tablebase.kernels.block_addressing import IS_REACHED
from tablebase.kernels.layer_boards import Solved

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_LOWEST_BITS = np.uint64(0x1111_1111_1111_1111)


@kernel
def choose_pairs(boards: U64, before: int, half: np.uint64, positions: I64) -> int:
    """Keep the boards that hold two tiles with exponent `half`, in front; return how many.

    The first of `boards` (uint64[n]) has the value number `before` of its layer; `positions`
    (int64[n]) becomes the numbers of those kept.
    """
    n, halves = 0, half * _LOWEST_BITS
    for i in range(boards.size):
        other = boards[i] ^ halves
        other |= other >> np.uint64(2)
        equal = ~(other | other >> _ONE) & _LOWEST_BITS
        if equal & (equal - _ONE) != _ZERO:
            boards[n], positions[n] = boards[i], before + i
            n += 1
    return n


@kernel
def set_best(
    positions: I64, legal: np.ndarray, slots: I64, reached: F64, after: Solved, values: F64
) -> None:
    """Set the values of listed boards that have a move to the target.

    `legal` (bool[4, n]) and `slots` (int64[4, n]) are about their moves, `reached` (float64[4, n])
    has the values of those that reach the target.
    """
    for i in range(positions.size):
        best, has_reached = 0.0, False
        for direction in range(4):
            slot = slots[direction, i]
            if not legal[direction, i]:
                continue
            if slot == IS_REACHED:
                has_reached = True
                best = max(best, reached[direction, i])
            elif slot >= 0:
                best = max(best, value_of(after.indexed, after.values, slot))
        if has_reached:
            values[positions[i]] = best
