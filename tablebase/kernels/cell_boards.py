"""Copies of boards of some blocks between a layer's slots and slots of their own."""

import numpy as np
import numpy.typing as npt

from engine.platform.jit import kernel
from tablebase.kernels.bits import U64, or_run, position
from tablebase.rank.kernel_tables import I64


@kernel
def copy_runs(source: U64, starts: I64, sizes: I64, target: U64, to: I64) -> None:
    """Add runs of bits of one bitmap to another.

    Parameters
    ----------
    source, target : uint64[...]
    starts, sizes, to : int64[n]
        Start of each run in `source`, its number of slots, and its start in `target`.
    """
    for i in range(starts.size):
        or_run(target, to[i], source, starts[i], sizes[i], False)


@kernel
def put_runs(
    index: U64,
    starts: I64,
    sizes: I64,
    run_values: npt.NDArray[np.float64],
    values: npt.NDArray[np.float64],
) -> np.int64:
    """Set the values of the boards in some runs of slots; return the number of boards.

    Parameters
    ----------
    index, values : uint64[...], float64[...]
        Indexed bitmap of a layer, and its values.
    starts, sizes : int64[n]
        Start of each run, and its number of slots.
    run_values : float64[...]
        Values of the boards, run after run.
    """
    done = np.int64(0)
    for i in range(starts.size):
        first = position(index, starts[i])
        last = position(index, starts[i] + sizes[i])
        for k in range(first, last):
            values[k] = run_values[done]
            done += 1
    return done
