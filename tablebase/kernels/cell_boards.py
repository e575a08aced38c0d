"""Copies of boards of some blocks between a layer's slots and slots of their own."""

import numpy as np

from engine.platform.array_types import F64, I64, U64
from engine.platform.jit import kernel
from tablebase.kernels.bits import or_run, position


@kernel
def copy_runs(source: U64, starts: I64, sizes: I64, target: U64, to: I64) -> None:
    """Add runs of bits of one bitmap to another.

    `starts`, `sizes` and `to` (int64[n]) are the start of each run in `source`, its number of
    slots, and its start in `target`.
    """
    for i in range(starts.size):
        or_run(target, to[i], source, starts[i], sizes[i], False)


@kernel
def put_runs(
    index: U64,
    starts: I64,
    sizes: I64,
    run_values: F64,
    values: F64,
) -> np.int64:
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
