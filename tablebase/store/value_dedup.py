"""Finds repeated values of a block shortly after their last occurrence: kernels for writing.

A fifth of the rates of a layer are equal, to the last bit, to that of another board: moves and
spawns lead to the same boards in different orders, and near the end many rates are 1. Storing the
distance to the last occurrence of such a value is cheaper than storing the value again.
"""

import numpy as np
import numpy.typing as npt

from engine.platform.array_types import U8, U32, Values
from engine.platform.jit import kernel

MAX_DISTANCE = 0xFFFF
TABLE_BITS = 13

_MULTIPLIER = np.uint64(0x9E37_79B9_7F4A_7C15)  # spreads the bits of a value over the high ones
_SHIFT = np.uint64(64 - TABLE_BITS)
_FARTHEST = np.uint64(MAX_DISTANCE)
_ZERO, _ONE, _EIGHT = np.uint64(0), np.uint64(1), np.uint64(8)


class PackingBuffers:
    """Working memory for the values of one block, made once for all blocks of a layer."""

    def __init__(self, bits: np.dtype, n_slots: int) -> None:
        self._last = np.empty(1 << TABLE_BITS, np.uint32)
        self._new = np.empty(n_slots + 1, bits)
        self._is_repeated = np.empty(n_slots, np.uint8)
        self._low, self._high = np.empty((2, n_slots + 1), np.uint8)
        self._plane = np.empty(n_slots, np.uint8)

    def split(self, values: Values) -> tuple[Values, U8, U8, U8]:
        self._last.fill(0)
        arrays = self._new, self._is_repeated, self._low, self._high
        n_new = int(split_repeats(values, self._last, *arrays))
        sizes = n_new, values.size, values.size - n_new, values.size - n_new
        new, flags, low, high = (a[:n] for a, n in zip(arrays, sizes, strict=True))
        return new, flags, low, high

    def plane(self, values: Values, k: int, plane: U8 | None = None) -> U8:
        """Return byte k of each value, the lowest first, written to `plane` if given."""
        plane = self._plane[: values.size] if plane is None else plane
        take_plane(values, np.uint32(8 * k), plane)
        return plane


@kernel
def split_repeats(
    values: npt.NDArray[np.unsignedinteger],
    last: U32,
    new: npt.NDArray[np.unsignedinteger],
    is_repeated: U8,
    low: U8,
    high: U8,
) -> np.uint64:
    """Split the `values` (unsigned[n]) of a block; return the number of new ones.

    `new` (unsigned[n + 1]) receives the new values, `is_repeated` (uint8[n]) 1 for each repeated
    one, `low` and `high` (uint8[n + 1]) the bytes of its distance back to the last occurrence.
    `last` (uint32[1 << TABLE_BITS]) are zeros; it receives the last position of a value with each
    hash. A value whose hash was taken over by another one meanwhile counts as new: that costs
    bytes, not correctness.

    Which values are repeated is practically random, so there is no branch on it: everything is
    written, and values that do not count are overwritten by the next. Indices are unsigned because
    numba would check whether signed ones are negative.
    """
    n_new = n_repeated = _ZERO
    for k in range(values.size):
        i = np.uint64(k)
        value = values[i]
        at = (np.uint64(value) * _MULTIPLIER) >> _SHIFT
        before = np.uint64(last[at])
        last[at] = np.uint32(i)
        distance = i - before
        is_hit = (values[before] == value) & (distance <= _FARTHEST) & (distance != _ZERO)
        hit = np.uint64(is_hit)
        is_repeated[i] = np.uint8(hit)
        low[n_repeated] = np.uint8(distance)
        high[n_repeated] = np.uint8(distance >> _EIGHT)
        n_repeated += hit
        new[n_new] = value
        n_new += _ONE - hit
    return n_new


@kernel
def take_plane(values: npt.NDArray[np.unsignedinteger], shift: np.uint32, plane: U8) -> None:
    """Fill `plane` (uint8[n]) with the eight bits from `shift` on of each value (unsigned[n])."""
    for i in range(plane.size):
        plane[i] = np.uint8(values[i] >> shift)
