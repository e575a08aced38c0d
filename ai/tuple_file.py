"""A network on disk: only weights that were learned, as 16-bit numbers, compressed.

A zip of NumPy arrays without objects (``numpy.savez_compressed``):

    version  int64      of this format
    unit     float64    points of one step of a weight
    spacing  uint32[n]  from one kept weight to the next, in the order of `ai.tuple_net`
    steps    int16[n]   the weights
"""

import os
import zipfile
from pathlib import Path

import numpy as np

from ai.errors import WeightsError
from ai.tuple_net import F32, N_TUPLES, TUPLE_SIZE, TupleNet

VERSION = 1
_SIZE = N_TUPLES * TUPLE_SIZE


def write_net(path: Path, weights: F32, use: F32, keep: int) -> int:
    """Write the `keep` most used weights of a network; return how many were kept.

    Parameters
    ----------
    path : Path
        A crash leaves the old file or the new one.
    weights : float32[4 * 2**24]
    use : float32[4 * 2**24]
        How much each was used; those of 0 are never kept.
    keep : int
    """
    kept = np.flatnonzero(use > 0)
    if kept.size > keep:
        most_used = np.argpartition(use[kept], kept.size - keep)[kept.size - keep :]
        kept = np.sort(kept[most_used])
    found = weights[kept].astype(np.float64)
    unit = max(float(np.abs(found).max(initial=0.0)), 1e-9) / np.iinfo(np.int16).max
    steps = np.rint(found / unit).astype(np.int16)
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        spacing = np.diff(kept, prepend=0).astype(np.uint32)
        np.savez_compressed(file, version=VERSION, unit=unit, spacing=spacing, steps=steps)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
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
            version, unit = int(data["version"]), float(data["unit"])
            spacing, steps = data["spacing"], data["steps"]
    except OSError as error:
        raise WeightsError(f"cannot read the network in {path}: {error}") from error
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise WeightsError(f"{path} is no network of this program: {error}") from error
    if version != VERSION:
        raise WeightsError(f"{path} has version {version}; this program reads version {VERSION}")
    at = np.cumsum(spacing, dtype=np.int64)
    if spacing.shape != steps.shape or spacing.ndim != 1 or (at.size and at[-1] >= _SIZE):
        raise WeightsError(f"{path} is damaged: its weights do not fit the tuples")
    weights = np.zeros(_SIZE, np.float32)
    weights[at] = steps * unit
    return TupleNet(weights)
