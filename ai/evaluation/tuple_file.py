"""A network on disk: only weights that were learned, as 16-bit numbers, compressed.

A zip of NumPy arrays without objects (``numpy.savez_compressed``):

    version  int64      of this format
    goal     int64      the exponent of the tile to be made
    unit     float64    what one step of a weight is worth
    spacing  uint32[n]  from one kept weight to the next, in the order of `ai.evaluation.tuple_net`
    steps    int16[n]   the weights
"""

import io
import math
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ai.errors import WeightsError
from ai.evaluation.tuple_net import N_WEIGHTS, TupleNet, tuple_net
from ai.evaluation.walls import GOALS
from engine.files.atomic_file import replacing
from engine.files.input_file import read_bytes
from engine.jit import kernel
from engine.language import tr

F32 = npt.NDArray[np.float32]
VERSION = 3
_MOST_BYTES = 256 << 20
_MOST_HEAD_BYTES = 1 << 16  # of an array; what follows it is read as far as it is wanted
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
    raw = read_bytes(path, tr("a network of this program"), _MOST_BYTES, WeightsError)
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as file:
            version, goal = int(_array(file, "version")), int(_array(file, "goal"))
            unit = float(_array(file, "unit"))
            spacing, steps = _array(file, "spacing"), _array(file, "steps")
    except (
        ArithmeticError, EOFError, KeyError, MemoryError, NotImplementedError, RuntimeError,
        SyntaxError, TypeError, ValueError, struct.error, zipfile.BadZipFile, zlib.error,
    ) as error:  # fmt: skip
        raise WeightsError(
            tr("{path} is no network of this program: {problem}", path=path, problem=error)
        ) from error
    if version != VERSION:
        raise WeightsError(
            tr(
                "{path} has version {found}; this program reads version {known}",
                path=path,
                found=version,
                known=VERSION,
            )
        )
    fits = spacing.shape == steps.shape and spacing.ndim == 1 and goal in GOALS
    fits = fits and (spacing.dtype, steps.dtype) == (np.uint32, np.int16)
    if not fits or int(spacing.sum(dtype=np.uint64)) >= N_WEIGHTS:
        raise WeightsError(tr("{path} is damaged: its weights do not fit the tuples", path=path))
    weights = np.zeros(N_WEIGHTS, np.int16)  # takes memory only where something is written
    put_weights(spacing, steps, weights)
    return tuple_net(weights, unit, goal)


def _array(file: zipfile.ZipFile, name: str) -> npt.NDArray[Any]:
    """Return an array of the file, unpacked only as far as its type and shape say.

    ``numpy.load`` would make room for any shape that a file claims, and unpack any bomb.
    """
    with file.open(f"{name}.npy") as member:
        head = io.BytesIO(member.read(_MOST_HEAD_BYTES))
        if np.lib.format.read_magic(head) != (1, 0):
            raise ValueError(tr("{name} is in another version of the format", name=name))
        shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(head)
        n_bytes = math.prod(shape) * dtype.itemsize
        if dtype.hasobject or is_fortran or not 0 <= n_bytes <= _MOST_BYTES:
            raise ValueError(
                tr("{name} cannot have {kind} of shape {shape}", name=name, kind=dtype, shape=shape)
            )
        body = head.read()
        body += member.read(max(0, n_bytes - len(body)) + 1)  # a byte too many is noticed below
    if len(body) != n_bytes:
        raise ValueError(tr("{name} has not as many bytes as its shape says", name=name))
    return np.frombuffer(body, dtype).reshape(shape)


@kernel
def put_weights(spacing, steps, weights):
    """Write the kept weights to their places: not by NumPy, which would hold up other threads."""
    at = 0
    for i in range(spacing.size):
        at += np.int64(spacing[i])
        weights[at] = steps[i]
