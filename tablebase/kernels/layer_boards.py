"""The boards of a layer in the forms for kernels: with values, in a growing bitmap, in queues."""

from typing import NamedTuple

from engine.platform.array_types import F64, U64
from tablebase.rank.kernel_tables import Places


class Solved(NamedTuple):
    """The boards of one layer, after-states or pre-states, with their values."""

    indexed: U64  # uint64[...]: their indexed bitmap (see tablebase.kernels.bits)
    # float64[n + 1]: probabilities of reaching the target, 0 to 1, in slot order; the spare value
    # is read for boards that do not exist and never used.
    values: F64
    places: Places  # places of the layer


class GrowingBitmap(NamedTuple):
    """The bitmap over a layer's slots that a kernel adds boards to."""

    words: U64  # uint64[...]: the bitmap (see tablebase.kernels.bits)
    is_shared: bool  # whether other threads write to it at the same time


class Queue(NamedTuple):
    """Boards that wait to be looked up together (see tablebase.kernels.batched_lookup)."""

    boards: U64  # uint64[MAX_WAITING]: boards or their columns, later their slots
    # uint64[MAX_WAITING]: positions in `Solved.values` of the boards they were moved from.
    positions: U64
