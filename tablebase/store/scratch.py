"""What a build needs to go on after an interruption, kept until the table is complete.

``work/after-0012.bits`` and ``pre-0012.bits`` are the bitmaps of a layer, ``live-0012.f8`` the
exact values of the after-states of layers 12 and 13, from which solving goes on at layer 11. These
files carry their own checksums and are never waited for: after a power cut a damaged one counts as
absent and is computed again.
"""

import re
import struct
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt
import zstandard

from tablebase.store.arrays import Arrays
from tablebase.store.atomic import explain, write_file

U64 = npt.NDArray[np.uint64]
F64 = npt.NDArray[np.float64]

_BITS = struct.Struct("<8sIQ")
_LIVE = struct.Struct("<8sIQQ")
_RAW_MAGIC, _PACKED_MAGIC, _LIVE_MAGIC = b"E48BITS2", b"E48BITZ2", b"E48LIVE1"
_PIECE = 1 << 20  # packed or unpacked at once
_LIVE_NAME = re.compile(r"live-\d{4,6}\.f8", re.ASCII)


class Scratch:
    """The working files of one build.

    Parameters
    ----------
    folder : Path
        ``work/`` of the table, which exists.
    arrays : Arrays
        What reads large files.
    pack : bool
        Whether bitmaps are compressed.
    """

    def __init__(self, folder: Path, arrays: Arrays, *, pack: bool = False) -> None:
        self.folder = folder
        self._arrays = arrays
        self._pack = pack

    def save_bits(self, kind: str, layer: int, words: U64) -> None:
        """Keep a bitmap; `kind` is "after" or "pre"."""
        raw = words.data.cast("B")
        body: bytes | memoryview = raw
        magic = _RAW_MAGIC
        if self._pack:
            magic, body = _PACKED_MAGIC, self._packed(raw)
        header = _BITS.pack(magic, zlib.crc32(body), words.size)
        write_file(self._path(kind, layer), [header, body], durable=False)

    def load_bits(self, kind: str, layer: int, n_words: int) -> U64 | None:
        """Return a bitmap of that many words; None when it is absent or damaged."""
        try:
            raw = self._arrays.read_file(self._path(kind, layer))
            magic, crc, recorded = _BITS.unpack_from(raw)
            body = memoryview(raw)[_BITS.size :]
            if recorded != n_words or zlib.crc32(body) != crc:
                return None
            if magic == _PACKED_MAGIC:
                return self._unpacked(body, n_words)
        except (OSError, struct.error, zstandard.ZstdError):
            return None
        if magic != _RAW_MAGIC or len(body) != 8 * n_words:
            return None
        return np.frombuffer(body, np.uint64)

    def _packed(self, raw: memoryview) -> memoryview:
        """Return bytes compressed, piece by piece because there may be more than memory has."""
        packer = zstandard.ZstdCompressor(level=1).compressobj(size=len(raw))
        packed = self._arrays.empty(len(raw) + len(raw) // 128 + _PIECE, np.uint8)
        n = 0
        for start in range(0, len(raw) + 1, _PIECE):
            piece = packer.compress(raw[start : start + _PIECE])
            if start + _PIECE > len(raw):
                piece += packer.flush()
            packed[n : n + len(piece)] = np.frombuffer(piece, np.uint8)
            n += len(piece)
        return packed[:n].data.cast("B")

    def _unpacked(self, packed: memoryview, n_words: int) -> U64 | None:
        """Return the bitmap that was compressed; None when it has another length."""
        words: U64 = self._arrays.empty(n_words, np.uint64)
        room, n = words.data.cast("B"), 0
        with zstandard.ZstdDecompressor().stream_reader(packed) as reader:
            while read := reader.readinto(room[n : n + _PIECE]):
                n += read
            return words if n == len(room) and not reader.read(1) else None

    def save_live(self, layer: int, values: F64, next_values: F64) -> None:
        """Keep the exact values of the after-states of `layer` and the one after it."""
        crc = zlib.crc32(next_values.data, zlib.crc32(values.data))
        header = _LIVE.pack(_LIVE_MAGIC, crc, values.size, next_values.size)
        pieces: list[bytes | memoryview] = [
            header,
            values.data.cast("B"),
            next_values.data.cast("B"),
        ]
        write_file(self._live_path(layer), pieces, durable=False)
        for path in self.folder.glob("live-*.f8"):
            if path != self._live_path(layer):
                with suppress(OSError):  # the lowest layer's file is the one that counts
                    path.unlink()

    def load_live(self) -> tuple[int, F64, F64] | None:
        """Return the lowest layer whose values are kept, with these and the next layer's."""
        for path in sorted(self.folder.glob("live-*.f8")):
            try:
                raw = self._arrays.read_file(path)
            except OSError:
                continue
            if len(raw) < _LIVE.size or not _LIVE_NAME.fullmatch(path.name):
                continue
            magic, crc, n, n_next = _LIVE.unpack_from(raw)
            body = memoryview(raw)[_LIVE.size :]
            if magic == _LIVE_MAGIC and len(body) == 8 * (n + n_next) and zlib.crc32(body) == crc:
                values = np.frombuffer(body, np.float64)
                return int(path.stem.split("-")[1]), values[:n], values[n:]
        return None

    def _path(self, kind: str, layer: int) -> Path:
        return self.folder / f"{kind}-{layer:04d}.bits"

    def _live_path(self, layer: int) -> Path:
        return self.folder / f"live-{layer:04d}.f8"


def make_work_folder(folder: Path) -> Path:
    """Return ``work/`` of a table's folder, made if need be; raise as `write_file` does."""
    work = folder / "work"
    try:
        work.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise explain(error, work) from error
    return work
