"""A network on disk: only weights that were learned, as 16-bit numbers, compressed.

A zip of NumPy arrays without objects (``numpy.savez_compressed``):

    version  int64      of this format
    goal     int64      the exponent of the tile to be made
    unit     float64    what one step of a weight is worth
    spacing  uint32[n]  from one kept weight to the next, in the order of `ai.tuple_net`
    steps    int16[n]   the weights
"""

import zipfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ai.errors import WeightsError
from ai.tuple_net import N_WEIGHTS, TupleNet, tuple_net
from ai.walls import GOALS
from engine.atomic_file import replacing
from engine.jit import kernel

F32 = npt.NDArray[np.float32]
VERSION = 3
_LARGEST = np.iinfo(np.int16).max


def write_net(path: Path, goal: int, weights: F32, use: F32, keep: int) -> int:
    """Write the `keep` most used weights of a network; return how many were kept.

    Parameters
    ----------
    path : Path
        A crash leaves the old file or the new one.
    goal : int
        An exponent.
    weights : float32[N_WEIGHTS]
    use : float32[N_WEIGHTS]
        How much each was used; those of 0 are never kept.
    keep : int
        All others are worth nothing.
    """
    kept = np.flatnonzero(use > 0)
    if kept.size > keep:
        most_used = np.argpartition(use[kept], kept.size - keep)[kept.size - keep :]
        kept = np.sort(kept[most_used])
    found = weights[kept].astype(np.float64)
    unit = max(float(np.abs(found).max(initial=0.0)), 1e-9) / _LARGEST
    steps = np.rint(found / unit).astype(np.int16)
    with replacing(path) as part, part.open("xb") as file:
        spacing = np.diff(kept, prepend=0).astype(np.uint32)
        np.savez_compressed(
            file,
            version=VERSION,
            goal=goal,
            unit=unit,
            spacing=spacing,
            steps=steps,
        )
    return int(kept.size)


def read_net(path: Path) -> TupleNet:
    """Return the network in a file.

    Raises
    ------
    WeightsError
        It cannot be read, is no such file or of another version.
    """
    try:
        with np.load(path) as data:
            version, goal = int(data["version"]), int(data["goal"])
            unit, spacing, steps = float(data["unit"]), data["spacing"], data["steps"]
    except OSError as error:
        raise WeightsError(f"cannot read the network in {path}: {error}") from error
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise WeightsError(f"{path} is no network of this program: {error}") from error
    if version != VERSION:
        raise WeightsError(f"{path} has version {version}; this program reads version {VERSION}")
    fits = spacing.shape == steps.shape and spacing.ndim == 1 and goal in GOALS
    fits = fits and (spacing.dtype, steps.dtype) == (np.uint32, np.int16)
    if not fits or int(spacing.sum(dtype=np.uint64)) >= N_WEIGHTS:
        raise WeightsError(f"{path} is damaged: its weights do not fit the tuples")
    weights = np.zeros(N_WEIGHTS, np.int16)  # takes memory only where something is written
    put_weights(spacing, steps, weights)
    return tuple_net(weights, unit, goal)


@kernel
def put_weights(spacing, steps, weights):
    """Write the kept weights to their places: not by NumPy, which would hold up other threads."""
    at = 0
    for i in range(spacing.size):
        at += np.int64(spacing[i])
        weights[at] = steps[i]
