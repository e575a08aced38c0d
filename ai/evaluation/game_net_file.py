"""The network for whole games on disk: only weights that were learned, in steps of so many points.

One zstd frame with a checksum::

    a line        JSON: version, unit (points that a step is worth), sums (where stages begin),
                  tuples (how many of `TUPLES`, the first ones, the network has)
    for each of the stages:
        uint8[tuples * TUPLE_SIZE / 8]  a bit for each weight, the highest first: is it here?
        int8[n]                         the steps of those that are here; -128: too many for 8 bits
        int16[m]                        the steps of those, in their order

Most weights are a few steps: the coder of the frame finds what they have in common. Steps that are
all of the same size cost less play than as many levels set where most weights are: the rare large
weights, which such levels serve badly, decide many a move.

Version 3 did not tell the number of tuples: there were four.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import zstandard

from ai.errors import WeightsError
from ai.evaluation.game_net import N_STAGES, STAGE_SIZE, STAGE_SUMS, TUPLE_SIZE, TUPLES
from ai.evaluation.staged_net import StagedNet, StageWeights
from engine.files.atomic_file import replacing
from engine.files.input_file import open_regular, why_unreadable
from engine.language import tr

F32 = npt.NDArray[np.float32]
I16 = npt.NDArray[np.int16]
U32 = npt.NDArray[np.uint32]
GAME_NET_SUFFIX = ".net"
DEFAULT_NETWORK = Path(__file__).parent / "weights" / f"whole_game{GAME_NET_SUFFIX}"
"""The network that comes with the program."""

VERSION = 4
_WITHOUT_TUPLES = 3
"""The version before, all of whose networks had `TUPLES_BEFORE`."""

TUPLES_BEFORE = 4
_LARGEST = np.iinfo(np.int16).max
_WIDE = np.int8(-128)
_MOST_LINE = 1000
_LEVEL = 9
_STAGES = [slice(i * STAGE_SIZE, (i + 1) * STAGE_SIZE) for i in range(N_STAGES)]


def write_game_net(path: Path, weights: F32, errors: F32, unit: float, keep: int) -> int:
    """Write the `keep` weights that matter most; return how many were written.

    Parameters
    ----------
    path : Path
        A crash leaves the old file or the new one.
    weights : float32[N_STAGES * STAGE_SIZE]
        0: nothing was learned of it.
    errors : float32[N_STAGES * STAGE_SIZE]
        How much each has learned: the sum of its absolute errors.
    unit : float
        Points that a step is worth; more where the largest weight would need more than 16 bits.
    keep : int
    """
    known = list(_known(weights, errors))
    least = _least_loss([losses for _places, _own, losses in known], keep)
    largest = max(float(np.abs(own).max(initial=0)) for _places, own, _losses in known)
    unit, n_written = max(unit, largest / _LARGEST), 0
    sums = [0, *STAGE_SUMS]
    head = {"version": VERSION, "unit": unit, "sums": sums, "tuples": len(TUPLES)}
    compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
    with (
        replacing(path) as part,
        part.open("xb") as file,
        compressor.stream_writer(file, closefd=False) as stream,
    ):
        stream.write(json.dumps(head).encode("ascii") + b"\n")
        for places, own, losses in known:
            is_kept = losses >= least
            steps = steps_of(own[is_kept], unit)
            is_here = np.zeros(STAGE_SIZE, np.bool_)
            is_here[places[is_kept]] = True
            stream.write(np.packbits(is_here).tobytes())
            is_wide = np.abs(steps) >= -int(_WIDE)
            stream.write(np.where(is_wide, _WIDE, steps).astype(np.int8).tobytes())
            stream.write(steps[is_wide].tobytes())
            n_written += steps.size
    return n_written


def _known(weights: F32, errors: F32) -> Iterator[tuple[U32, F32, F32]]:
    """Yield of each stage the places of its weights, these, and what leaving out each would cost.

    Without it the weight of the stage before counts, so what is lost is their difference, as often
    as it is asked for; the errors that it has seen stand for that.
    """
    before = np.zeros(STAGE_SIZE, np.float32)
    for stage in _STAGES:
        places = np.flatnonzero(weights[stage]).astype(np.uint32)
        own = weights[stage][places]
        change = np.maximum(np.abs(own - before[places]), np.float32(1))
        yield places, own, errors[stage][places] * change
        before[places] = own


def _least_loss(losses: Sequence[F32], keep: int) -> float:
    known = np.concatenate(losses)
    if known.size <= keep:
        return 0.0
    return float(np.partition(known, known.size - keep)[known.size - keep])


def steps_of(weights: F32, unit: float) -> I16:
    """Return weights as whole numbers of units; 0 would say that nothing was learned."""
    steps = np.rint(weights / np.float32(unit)).astype(np.int16)
    return np.where(steps == 0, np.where(weights < 0, np.int16(-1), np.int16(1)), steps)


def read_game_net(path: Path) -> StagedNet:
    """Return the network in a file.

    Raises
    ------
    WeightsError
        It cannot be read, is no such file, damaged or of another version.
    """
    what = tr("a network for whole games")
    damaged = WeightsError(tr("{path} is damaged, or no network for whole games", path=path))
    stages = [StageWeights(np.zeros(0, np.uint32), np.zeros(0, np.int16))] * N_STAGES
    try:
        with open_regular(path) as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
            head = _read_head(stream, damaged)
            version, unit = head["version"], float(head["unit"])
            if version not in (_WITHOUT_TUPLES, VERSION):
                raise WeightsError(
                    tr(
                        "{path} has version {found}; this program reads version {known}",
                        path=path,
                        found=version,
                        known=VERSION,
                    )
                )
            n_tuples = int(head["tuples"] if version == VERSION else TUPLES_BEFORE)
            if not (0 < unit < 1e9 and 0 < n_tuples <= len(TUPLES)):
                raise damaged
            for i in _stages_in(head, damaged):
                stages[i] = _read_stage(stream, n_tuples * TUPLE_SIZE, damaged)
            if stream.read(1):
                raise damaged
    except OSError as error:
        raise WeightsError(why_unreadable(path, what, error)) from error
    except (ValueError, KeyError, TypeError, RecursionError, zstandard.ZstdError) as error:
        raise damaged from error
    return StagedNet(stages, unit)


def _read_head(stream: Any, damaged: WeightsError) -> Any:
    """Return what the first line says; nothing after it is read yet."""
    line = b""
    while not line.endswith(b"\n"):
        byte = stream.read(1)
        if not byte or len(line) == _MOST_LINE:
            raise damaged
        line += byte
    return json.loads(line)


def _stages_in(head: Any, damaged: WeightsError) -> list[int]:
    """Return which of the stages a file has: a network may know fewer than there are."""
    known, sums = [0, *STAGE_SUMS], head["sums"]
    stages = [known.index(first) for first in sums]
    if stages != sorted(set(stages)) or not stages or stages[0] != 0:
        raise damaged
    return stages


def _read_stage(stream: Any, size: int, damaged: WeightsError) -> StageWeights:
    """Read one stage of so many weights; no more is ever unpacked than a stage can have."""
    packed = _read(stream, size // 8, np.uint8, damaged)
    at = np.flatnonzero(packed).astype(np.uint32)  # of eight, mostly none is here
    which, bit = np.nonzero(np.unpackbits(packed[at]).reshape(-1, 8))
    places = 8 * at[which] + bit.astype(np.uint32)
    steps = _read(stream, places.size, np.int8, damaged).astype(np.int16)
    is_wide = steps == _WIDE
    steps[is_wide] = _read(stream, int(np.count_nonzero(is_wide)), np.int16, damaged)
    return StageWeights(places, steps)


def _read(stream: Any, n: int, dtype: Any, damaged: WeightsError) -> Any:
    n_bytes = n * np.dtype(dtype).itemsize
    raw = stream.read(n_bytes)
    if len(raw) < n_bytes:
        raise damaged
    return np.frombuffer(raw, dtype)
