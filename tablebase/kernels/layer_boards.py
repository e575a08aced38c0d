"""The boards of a layer in the forms for kernels: with values, in a growing bitmap, in queues."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tablebase.kernels.bits import U64
from tablebase.rank.kernel_tables import Places


class Solved(NamedTuple):
    """The boards of one layer, after-states or pre-states, with their values.

    Attributes
    ----------
    indexed : uint64[...]
        Their indexed bitmap (see tablebase.kernels.bits).
    values : float64[n + 1]
        Probabilities of reaching the target, 0 to 1, in slot order; the spare value is read for
        boards that do not exist and never used.
    places : Places
        Places of the layer.
    """

    indexed: U64
    values: npt.NDArray[np.float64]
    places: Places


class GrowingBitmap(NamedTuple):
    """The bitmap over a layer's slots that a kernel adds boards to.

    Attributes
    ----------
    words : uint64[...]
        The bitmap (see tablebase.kernels.bits).
    is_shared : bool
        Whether other threads write to it at the same time.
    """

    words: U64
    is_shared: bool


class Queue(NamedTuple):
    """Boards that wait to be looked up together (see tablebase.kernels.batched_lookup).

    Attributes
    ----------
    boards : uint64[MAX_WAITING]
        Boards or their columns, later their slots.
    positions : uint64[MAX_WAITING]
        Positions in `Solved.values` of the boards they were moved from.
    """

    boards: U64
    positions: U64
