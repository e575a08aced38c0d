"""Network files: only the learned weights of each stage, in whole steps.

One zstd frame with a checksum::

    a line      JSON: `version`, `unit` (the value of a step), and the kind of network
    for each of the stages:
        uint8[size / 8]   a bit per weight, highest first: is it stored?
        int8[n]           the steps of the stored ones; -128: too large for 8 bits
        int16[m]          the steps of those, in their order

Most weights are a few steps, which the frame's entropy coder exploits. Uniform steps cost less
playing strength than the same number of levels placed where most weights are: such levels represent
the rare large weights badly, and those decide many moves.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import zstandard

from ai.errors import WeightsError
from engine.platform.files.atomic_file import replacing
from engine.platform.files.input_file import open_regular, why_unreadable
from engine.platform.jit import kernel
from engine.platform.language import mark

F32 = npt.NDArray[np.float32]
I16 = npt.NDArray[np.int16]
U32 = npt.NDArray[np.uint32]
MAX_STORED = np.iinfo(np.int16).max
_WIDE = np.int8(-128)
_MAX_LINE = 1000
_LEVEL = 9


class StageWeights(NamedTuple):
    """The weights that a stage has of its own."""

    places: U32  # uint32[n]: ascending
    steps: I16  # int16[n]: never 0


def steps_of(weights: F32, unit: float) -> I16:
    """Return weights as whole numbers of units, never 0, which would mean "not learned"."""
    steps = np.rint(weights / np.float32(unit)).astype(np.int16)
    return np.where(steps == 0, np.where(weights < 0, np.int16(-1), np.int16(1)), steps)


@contextmanager
def writing_frame(path: Path, head: dict[str, Any], level: int) -> Iterator[Any]:
    """Yield a stream into a zstd frame with a checksum, after a line of JSON.

    A crash leaves the old file or the new one.
    """
    compressor = zstandard.ZstdCompressor(level=level, write_checksum=True)
    with (
        replacing(path) as part,
        part.open("xb") as file,
        compressor.stream_writer(file, closefd=False) as stream,
    ):
        stream.write(json.dumps(head).encode("ascii") + b"\n")
        yield stream


def write_stages(
    path: Path, head: dict[str, Any], size: int, stages: Iterable[StageWeights]
) -> None:
    """Write stages of `size` weights each; a crash leaves the old file or the new one."""
    with writing_frame(path, head, _LEVEL) as stream:
        for places, steps in stages:
            is_here = np.zeros(size, np.bool_)
            is_here[places] = True
            stream.write(np.packbits(is_here).tobytes())
            is_wide = np.abs(steps) >= -int(_WIDE)
            stream.write(np.where(is_wide, _WIDE, steps).astype(np.int8).tobytes())
            stream.write(steps[is_wide].tobytes())


class StageReader:
    """A file of stages that is being read."""

    def __init__(self, path: Path, stream: Any, what: str, versions: tuple[int, ...]) -> None:
        # The error to raise if the contents are invalid.
        self.damaged = WeightsError("{path} is damaged, or not {what}", path=path, what=what)
        self._stream = stream
        self.head = json.loads(self._line())  # the contents of the first line
        self.version = self.head["version"]  # one of the accepted versions
        if self.version not in versions:
            text = mark("{path} has version {found}; this program reads version {known}")
            raise WeightsError(text, path=path, found=self.version, known=versions[-1])
        self.unit = float(self.head["unit"])  # value of a step
        if not 0 < self.unit < 1e9:
            raise self.damaged

    def stage(self, size: int) -> StageWeights:
        """Read the next stage, with `size` weights; never unpack more than it can have."""
        packed = self._array(size // 8, np.uint8)
        places = np.empty(int(np.bitwise_count(packed).sum()), np.uint32)
        put_places(packed, places)
        steps = self._array(places.size, np.int8).astype(np.int16)
        is_wide = steps == _WIDE
        steps[is_wide] = self._array(int(np.count_nonzero(is_wide)), np.int16)
        return StageWeights(places, steps)

    def _line(self) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            byte = self._stream.read(1)
            if not byte or len(line) == _MAX_LINE:
                raise self.damaged
            line += byte
        return line

    def _array(self, n: int, dtype: Any) -> Any:
        n_bytes = n * np.dtype(dtype).itemsize
        raw = self._stream.read(n_bytes)
        if len(raw) < n_bytes:
            raise self.damaged
        return np.frombuffer(raw, dtype)


@contextmanager
def reading_stages(path: Path, what: str, versions: tuple[int, ...]) -> Iterator[StageReader]:
    """Open a file of stages, which must be read to its end.

    `what` is the expected kind, for messages; `versions` are the accepted ones, latest last. Raises
    WeightsError if it is not such a file.
    """
    try:
        with open_regular(path) as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
            reader = StageReader(path, stream, what, versions)
            yield reader
            if stream.read(1):
                raise reader.damaged
    except OSError as error:
        raise WeightsError(why_unreadable(path, what, error)) from error
    except (
        ValueError,
        KeyError,
        TypeError,
        OverflowError,
        RecursionError,
        zstandard.ZstdError,
    ) as error:
        raise WeightsError("{path} is damaged, or not {what}", path=path, what=what) from error


@kernel
def put_places(packed, places):
    """Write the indices of the set bits: not with NumPy, which would block other threads."""
    n = 0
    for at in range(packed.size):
        byte = np.int64(packed[at])
        if byte == 0:
            continue
        for bit in range(8):
            if byte & 128 >> bit:
                places[n] = 8 * at + bit
                n += 1
