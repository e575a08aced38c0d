"""The network for whole games on disk: only weights that were learned, as 16 or 8 bits.

One zstd frame with a checksum::

    a line        JSON: version, bits, unit (points that a step is worth)
    7 times, for the stages:
        uint8[STAGE_SIZE / 8]   a bit for each weight, the highest first: whether it is here
        int16[256]              with 8 bits alone: the steps that the codes stand for
        int16[n] or uint8[n]    the steps, or codes, of those that are here

With 8 bits, the levels of a stage lie densest where most of its weights are: their density goes
with the cube root of that of the weights. 2,000 games of one network after 1,120 million moves,
without looking ahead: mean 138,251 (+-2,223) in training, 136,878 with 16 bits, 123,998 with 8.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import zstandard

from ai.errors import WeightsError
from ai.evaluation.game_net import N_STAGES, STAGE_SIZE, GameNet
from engine.files.atomic_file import replacing
from engine.files.input_file import open_regular, why_unreadable
from engine.language import tr

F32 = npt.NDArray[np.float32]
I16 = npt.NDArray[np.int16]
U8 = npt.NDArray[np.uint8]
VERSION = 1
BITS = (8, 16)
_LARGEST = np.iinfo(np.int16).max
_MOST_LINE = 1000
_LEVEL = 9
_N_LEVELS, _N_BINS = 256, 1 << 14


def write_game_net(path: Path, weights: F32, errors: F32, bits: int, keep: int) -> int:
    """Write the `keep` weights that learned most; return how many were written.

    Parameters
    ----------
    path : Path
        A crash leaves the old file or the new one.
    weights : float32[N_STAGES * STAGE_SIZE]
        0: nothing was learned of it.
    errors : float32[N_STAGES * STAGE_SIZE]
        How much each has learned: the sum of its absolute errors.
    bits : int
        One of `BITS`, for each weight.
    keep : int
    """
    least = _least_error(weights, errors, keep)
    stages = [slice(i * STAGE_SIZE, (i + 1) * STAGE_SIZE) for i in range(N_STAGES)]
    largest = max(float(np.abs(weights[stage]).max()) for stage in stages)
    unit, n_written = max(largest, 1e-9) / _LARGEST, 0
    head = {"version": VERSION, "bits": bits, "unit": unit}
    compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
    with (
        replacing(path) as part,
        part.open("xb") as file,
        compressor.stream_writer(file, closefd=False) as stream,
    ):
        stream.write(json.dumps(head).encode("ascii") + b"\n")
        for stage in stages:
            is_here = (weights[stage] != 0) & (errors[stage] >= least)
            steps = steps_of(weights[stage][is_here], unit)
            stream.write(np.packbits(is_here).tobytes())
            if bits == 8:
                levels = levels_of(steps)
                stream.write(levels.tobytes())
                stream.write(nearest(steps, levels).tobytes())
            else:
                stream.write(steps.tobytes())
            n_written += steps.size
    return n_written


def _least_error(weights: F32, errors: F32, keep: int) -> float:
    found = errors[weights != 0]
    if found.size <= keep:
        return 0.0
    return float(np.partition(found, found.size - keep)[found.size - keep])


def steps_of(weights: F32, unit: float) -> I16:
    """Return weights as whole numbers of units; 0 would say that nothing was learned."""
    steps = np.rint(weights / np.float32(unit)).astype(np.int16)
    return np.where(steps == 0, np.int16(1), steps)


def levels_of(steps: I16) -> I16:
    """Return 256 ascending numbers, none of them 0, that stand well for so many steps.

    Levels of the least squared error play much worse: they serve the few large weights.
    """
    if steps.size == 0:
        return np.arange(1, _N_LEVELS + 1, dtype=np.int16)
    edges = np.linspace(int(steps.min()) - 0.5, int(steps.max()) + 0.5, _N_BINS + 1)
    part = np.concatenate([[0.0], np.cumsum(np.cbrt(np.histogram(steps, edges)[0]))])
    wanted = (np.arange(_N_LEVELS) + 0.5) / _N_LEVELS * part[-1]
    levels = np.rint(np.interp(wanted, part, edges)).astype(np.int16)
    levels[0], levels[-1] = steps.min(), steps.max()
    return np.where(levels == 0, np.int16(1), levels)


def nearest(steps: I16, levels: I16) -> U8:
    """Return for each step the number of the level nearest to it."""
    between = (levels[:-1].astype(np.float32) + levels[1:]) / 2
    return np.searchsorted(between, steps.astype(np.float32)).astype(np.uint8)


def read_game_net(path: Path) -> GameNet:
    """Return the network in a file, in its first stage.

    Raises
    ------
    WeightsError
        It cannot be read, is no such file, damaged or of another version.
    """
    what = tr("a network for whole games")
    damaged = WeightsError(tr("{path} is damaged, or no network for whole games", path=path))
    weights = np.zeros(N_STAGES * STAGE_SIZE, np.int16)
    try:
        with open_regular(path) as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
            head = _read_head(stream, damaged)
            version, bits, unit = head["version"], head["bits"], float(head["unit"])
            if version != VERSION:
                raise WeightsError(
                    tr(
                        "{path} has version {found}; this program reads version {known}",
                        path=path,
                        found=version,
                        known=VERSION,
                    )
                )
            if bits not in BITS or not 0 < unit < 1e9:
                raise damaged
            for i in range(N_STAGES):
                _read_stage(stream, bits, weights[i * STAGE_SIZE : (i + 1) * STAGE_SIZE], damaged)
            if stream.read(1):
                raise damaged
    except OSError as error:
        raise WeightsError(why_unreadable(path, what, error)) from error
    except (ValueError, KeyError, TypeError, RecursionError, zstandard.ZstdError) as error:
        raise damaged from error
    return GameNet(weights, np.float32(unit), np.int64(0))


def _read_head(stream: Any, damaged: WeightsError) -> Any:
    """Return what the first line says; nothing after it is read yet."""
    line = b""
    while not line.endswith(b"\n"):
        byte = stream.read(1)
        if not byte or len(line) == _MOST_LINE:
            raise damaged
        line += byte
    return json.loads(line)


def _read_stage(stream: Any, bits: int, weights: I16, damaged: WeightsError) -> None:
    """Read one stage; no more is ever unpacked than a stage can have."""
    is_here = np.unpackbits(_read(stream, STAGE_SIZE // 8, np.uint8, damaged)).view(np.bool_)
    n = int(np.count_nonzero(is_here))
    if bits == 8:
        levels = _read(stream, _N_LEVELS, np.int16, damaged)
        steps = levels[_read(stream, n, np.uint8, damaged)]
    else:
        steps = _read(stream, n, np.int16, damaged)
    if n:
        weights[is_here] = steps


def _read(stream: Any, n: int, dtype: Any, damaged: WeightsError) -> Any:
    n_bytes = n * np.dtype(dtype).itemsize
    raw = stream.read(n_bytes)
    if len(raw) < n_bytes:
        raise damaged
    return np.frombuffer(raw, dtype)
