"""Moves that reach the target where reaching it is not the end: what they are worth is looked up.

See `tablebase.probe.continuation`. The kernels that solve moves count 1 for them; few boards have
such a move, so those are listed and given their values again.
"""

import numpy as np

from engine.platform.array_types import F64, I64, U64
from engine.platform.jit import kernel, trailing_zeros
from tablebase.kernels.bits import position, read_indexed, value_of
from tablebase.kernels.block_addressing import IS_REACHED, spot_of, upper_rows
from tablebase.kernels.layer_boards import Solved
from tablebase.kernels.layer_walk import block_at, lists_of, run_of
from tablebase.rank.kernel_tables import Blocks, KernelTables

_ONE, _ZERO = np.uint64(1), np.uint64(0)
_LOWEST_BITS = np.uint64(0x1111_1111_1111_1111)


@kernel
def list_pairs(
    t: KernelTables, blocks: Blocks, lo: int, hi: int, index: U64, half: np.uint64,
    boards: U64, positions: I64,
) -> int:  # fmt: skip
    """List the boards of some blocks that hold two tiles with exponent `half`; return how many.

    `boards` (uint64[n]) and `positions` (int64[n], in the layer's values) have room for all boards
    of the blocks.
    """
    n, halves = 0, half * _LOWEST_BITS
    for i_block in range(lo, hi):
        block = block_at(t.arrangement, t.count_23, blocks, i_block)
        slot, at = block.start, position(index, block.start)
        if at == position(index, slot + block.n):
            continue
        spot = spot_of(t, blocks.places, block.arrangement)
        lists = lists_of(t.arrangement, block.arrangement)
        outer = upper_rows(spot, block.row_0, block.row_1)
        for i in range(t.row_end[lists.mid_sums + block.rest]):
            run = run_of(t.sums, t.count_3, lists, block, i)
            upper = outer | (np.uint64(t.rows[run.mid]) << spot.shift_2)
            for done in range(0, run.n, 64):
                bits = read_indexed(index, slot + done, run.n - done)
                first = np.uint64(lists.inners + t.row_begin[run.sums] + done)
                while bits != _ZERO:
                    row = np.uint64(t.rows[first + trailing_zeros(bits)])
                    bits &= bits - _ONE
                    boards[n] = upper | (row << spot.shift_3)
                    other = boards[n] ^ halves
                    other |= other >> np.uint64(2)
                    equal = ~(other | other >> _ONE) & _LOWEST_BITS
                    positions[n] = at
                    at += 1
                    n += 1 if equal & (equal - _ONE) != _ZERO else 0
            slot += run.n
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
