"""Lookups of hundreds of boards in one loop, which is far faster than one at a time.

No lookup waits for a branch or for the one before, and where the machine can, the compiler
vectorizes them (see `engine.platform.jit.table_at`). All boards are of one arrangement.
"""

import numpy as np

from engine.kernels.symmetry import transpose
from engine.platform.jit import inline_kernel, popcount, prefetch, put, queued, table_at
from tablebase.rank.kernel_tables import (
    INDEX_SHIFT,
    REACHED,
    REST_MASK,
    REST_SHIFT,
    RUN_MASK,
    RUN_SHIFT,
    SUM_ID_MASK,
    SUM_ID_SHIFT,
)

_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)
_ROW, _LOW6, _SIX = np.uint64(0xFFFF), np.uint64(63), np.uint64(6)
_REACHED = np.uint64(REACHED)
_X_SHIFT, _ID_SHIFT, _IDS = np.uint64(INDEX_SHIFT), np.uint64(SUM_ID_SHIFT), np.uint64(SUM_ID_MASK)
_REST_SHIFT, _REST_MASK = np.uint64(REST_SHIFT), np.uint64(REST_MASK)
_RUN_SHIFT, _RUN_MASK = np.uint64(RUN_SHIFT), np.uint64(RUN_MASK)

# Replaces the slot of a board that has reached the target.
NO_SLOT = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@inline_kernel
def look_up_moved(t, spread, spot, places, queue, n):
    """Replace the columns of n boards by the slots of the moved boards, or by NO_SLOT.

    The moves must be legal and shift no F; `spread` is one of the tables of moved columns.
    """
    for turn in range(n):
        i = np.uint64(turn)
        put(queue, i, _straight_slot(t, spot, places, _moved(spread, spot, queued(queue, i))))


@inline_kernel
def look_up_moved_images(t, spread, spot, places, queue, n):
    """Like `look_up_moved`, but for slots of the transposed images of the moved boards."""
    for turn in range(n):
        i = np.uint64(turn)
        board = transpose(_moved(spread, spot, queued(queue, i)))
        put(queue, i, _straight_slot(t, spot, places, board))


@inline_kernel
def _moved(spread, spot, columns):
    board = table_at(spread, spot.columns + (columns >> np.uint64(48)))
    second, third = (columns >> np.uint64(32)) & _ROW, (columns >> np.uint64(16)) & _ROW
    board |= table_at(spread, spot.columns + second) >> np.uint64(4)
    board |= table_at(spread, spot.columns + third) >> np.uint64(8)
    return board | table_at(spread, spot.columns + (columns & _ROW)) >> np.uint64(12)


@inline_kernel
def look_up_transposed(t, spot, places, queue, n):
    """Replace n boards by the slots of the transposed boards; all must be inside."""
    for turn in range(n):
        i = np.uint64(turn)
        put(queue, i, _straight_slot(t, spot, places, transpose(queued(queue, i))))


@inline_kernel
def _straight_slot(t, spot, places, board):
    """Return the slot of a board that stays inside, or NO_SLOT: `board_slot` without branches."""
    x = np.uint64(table_at(t.number, spot.number_0 + ((board >> spot.shift_0) & _ROW)))
    y = np.uint64(table_at(t.number, spot.number_1 + ((board >> spot.shift_1) & _ROW)))
    mid = np.uint64(table_at(t.code, spot.code_mid + ((board >> spot.shift_2) & _ROW)))
    inner = np.uint64(table_at(t.code, spot.code_inner + ((board >> spot.shift_3) & _ROW)))
    is_inside = max(x | y, mid | inner) < _REACHED
    # Boards that have reached the target are looked up too, at some valid place.
    place = spot.at + (x * spot.stride + y if is_inside else _ZERO)
    block = np.uint64(table_at(places.place, place))
    rest = block & _REST_MASK if is_inside else _ZERO
    sum_id = (mid >> _ID_SHIFT) & _IDS if is_inside else _ZERO
    run = np.uint64(table_at(t.runs, spot.runs + rest * spot.run_sums + sum_id))
    slot = np.uint64(spot.start) + (block >> _REST_SHIFT) + (run >> _RUN_SHIFT)
    slot += (mid >> _X_SHIFT) * (run & _RUN_MASK) + (inner >> _X_SHIFT)
    return slot if is_inside else NO_SLOT


@inline_kernel
def raise_to_values(index, values, slots, positions, n, raised):
    """Raise ``raised[positions[i]]`` to the value in ``slots[i]``, 1 for NO_SLOT, for i below n."""
    for turn in range(n):
        i = np.uint64(turn)
        slot = queued(slots, i)
        is_there = slot != NO_SLOT
        slot = slot if is_there else _ZERO
        pair = _TWO * (slot >> _SIX)
        word, before = table_at(index, pair), table_at(index, pair + _ONE)
        at = before + popcount(word & ((_ONE << (slot & _LOW6)) - _ONE))
        put(slots, i, at if is_there else NO_SLOT)
    for turn in range(n):
        i = np.uint64(turn)
        prefetch(values, slots[i])
    for turn in range(n):
        i = np.uint64(turn)
        at = slots[i]
        value = 1.0 if at == NO_SLOT else values[at]
        raised[positions[i]] = max(raised[positions[i]], value)
