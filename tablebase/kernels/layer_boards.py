"""The boards of a layer in the forms for kernels: with values, in a growing bitmap, in queues.

And copies of boards of some blocks between a layer's slots and slots of their own.
"""

from typing import NamedTuple

import numpy as np

from engine.platform.array_types import F64, I64, U64
from engine.platform.jit import kernel
from tablebase.kernels.bits import or_run, position
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


@kernel
def copy_runs(source: U64, starts: I64, sizes: I64, target: U64, to: I64) -> None:
    """Add runs of bits of one bitmap to another.

    `starts`, `sizes` and `to` (int64[n]) are the start of each run in `source`, its number of
    slots, and its start in `target`.
    """
    for i in range(starts.size):
        or_run(target, to[i], source, starts[i], sizes[i], False)


@kernel
def put_runs(index: U64, starts: I64, sizes: I64, run_values: F64, values: F64) -> np.int64:
    """Set the values of the boards in some runs of slots; return the number of boards.

    `index` and `values` are of a layer; `starts` and `sizes` (int64[n]) as in `copy_runs`;
    `run_values` are the values of the boards, run after run.
    """
    done = np.int64(0)
    for i in range(starts.size):
        first = position(index, starts[i])
        last = position(index, starts[i] + sizes[i])
        for k in range(first, last):
            values[k] = run_values[done]
            done += 1
    return done
