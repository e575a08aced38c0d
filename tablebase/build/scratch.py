"""The working files that a build needs to resume after an interruption, kept until used up.

``work/after-0012.bits`` is the bitmap of the after-states of a layer, ``live-0012.f8`` has their
exact values. From those of layers 12 and 13 solving resumes at layer 11; then later layers' bitmaps
are no longer needed, unless those layers are solved once more (tablebase.build.segments), from
values that are kept that long. Pre-states are not kept: they are the after-states before plus a new
tile, and computing them takes less time than reading them. These files carry their own checksums
and the drive is never waited for: after a power cut a damaged file counts as absent and is computed
again.

The file of a bitmap begins with its magic, layer, words and ones (u64 each). Then come pieces of
65,536 words, the last one shorter: u32 bytes, u32 crc32 of all pieces so far; then, if the file is
packed, zstd of the words, otherwise the output of `zero_run_codec.leave_out` for them. At the end
comes another magic: a file that has it is complete.

A file of values begins with its magic, layer and number of values (u64 each). Then come pieces of
65,536 values, the last one shorter: u32 bytes, u32 crc32 of the header and all pieces so far, then
zstd of one bit for each value that says whether it is nonzero, the highest first, and of the bytes
of the nonzero values: all lowest bytes first, and so on.

Small bitmaps are parts of ``batch-0000.bits`` and so on: making a file for each would take longer
than filling it. A part is u32 crc32 of the two next fields, 16 bytes of name, u64 bytes, and then
the bytes. If several parts have the same name, the one in the file with the highest number counts.
"""

import os
import re
import struct
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
import zstandard

from engine.platform.files.atomic_file import unlink
from engine.platform.files.input_file import open_regular
from tablebase.build_files import write_file
from tablebase.memory.arrays import Arrays

_CRC, _PART = struct.Struct("<I"), struct.Struct("<16sQ")
_NAME = re.compile(r"batch-(\d{4,9})\.bits", re.ASCII)
_ENOUGH = 4 << 20  # bytes, which take about a tenth of a second to compute


def names_in(folder: Path) -> Iterator[str]:
    """Yield names of parts by their heads: damage in their bytes goes unnoticed; raise OSError."""
    for path in filter(_match, folder.iterdir()):
        with open_regular(path) as file:
            yield from _heads(file)


class Batches:
    """The parts in the batches of a folder."""

    def __init__(self, folder: Path, arrays: Arrays) -> None:
        self._folder, self._arrays = folder, arrays
        self._waiting: dict[str, bytes] = {}
        self._waiting_bytes = 0
        self._places: dict[str, tuple[Path, int, int]] = {}
        self._last: tuple[Path, memoryview] | None = None  # parts are read in file order
        numbers = sorted(int(match[1]) for path in folder.iterdir() if (match := _match(path)))
        self._next = numbers[-1] + 1 if numbers else 0
        for number in numbers:
            self._places |= self._listed(self._path(number))

    def add(self, name: str, pieces: Iterable[bytes | memoryview]) -> None:
        """Keep a part, its name up to 16 letters, written now or later; raise like `write_file`."""
        body = bytearray()
        for piece in pieces:
            body += piece
        self._waiting[name] = bytes(body)
        self._waiting_bytes += len(body)
        if self._waiting_bytes > _ENOUGH:
            self.flush()

    def flush(self) -> None:
        if not self._waiting:
            return
        path, pieces, at = self._path(self._next), list[bytes](), 0
        places = {}
        for name, body in self._waiting.items():
            header = _PART.pack(name.encode("ascii"), len(body))
            pieces += _CRC.pack(zlib.crc32(header)), header, body
            at += _CRC.size + _PART.size
            places[name] = path, at, len(body)
            at += len(body)
        write_file(path, pieces, durable=False)
        self._next += 1
        self._waiting, self._waiting_bytes = {}, 0
        self._places |= places

    def find(self, name: str) -> bytes | memoryview | None:
        if name in self._waiting:
            return self._waiting[name]
        if name not in self._places:
            return None
        path, at, size = self._places[name]
        return self._read(path)[at : at + size]

    def _read(self, path: Path) -> memoryview:
        if self._last is None or self._last[0] != path:
            self._last = None  # one at a time in memory
            self._last = path, memoryview(self._arrays.read_file(path))
        return self._last[1]

    def _listed(self, path: Path) -> dict[str, tuple[Path, int, int]]:
        """Return the places of the parts of a file, up to the first damage."""
        try:
            return {name: (path, at, size) for name, at, size in _parts(self._read(path))}
        except OSError:
            return {}

    def _path(self, number: int) -> Path:
        return self._folder / f"batch-{number:04d}.bits"


def _match(path: Path) -> re.Match[str] | None:
    return _NAME.fullmatch(path.name)


def _parts(raw: memoryview) -> Iterator[tuple[str, int, int]]:
    at = 0
    while at + _CRC.size + _PART.size <= len(raw):
        (crc,) = _CRC.unpack_from(raw, at)
        at += _CRC.size
        name, size = _PART.unpack_from(raw, at)
        if zlib.crc32(raw[at : at + _PART.size]) != crc:
            return
        at += _PART.size
        if at + size <= len(raw):
            yield name.rstrip(b"\0").decode("ascii"), at, size
        at += size


def _heads(file: BinaryIO) -> Iterator[str]:
    n_bytes = file.seek(0, os.SEEK_END)
    at, length = 0, _CRC.size + _PART.size
    while at + length <= n_bytes:
        file.seek(at)
        head = file.read(length)
        name, size = _PART.unpack_from(head, _CRC.size)
        at += length + size
        if zlib.crc32(head[_CRC.size :]) != _CRC.unpack_from(head)[0] or at > n_bytes:
            return
        yield name.rstrip(b"\0").decode("ascii")


U64 = npt.NDArray[np.uint64]
F64 = npt.NDArray[np.float64]

_BITS = struct.Struct("<8sQQQ")
_PIECE = struct.Struct("<II")
_LIVE = struct.Struct("<8sQQ")
_GAPS_MAGIC, _PACKED_MAGIC, _LIVE_MAGIC = b"E48BITS4", b"E48BITZ4", b"E48LIVE3"
_END_MAGIC = b"E48BITSE"
_PIECE_WORDS = 1 << 16  # so that a piece is checked and written while it is in the cache
_PIECE_MARKS = _PIECE_WORDS // 64
_PIECE_VALUES = 1 << 16
_SMALL = 1 << 20  # bytes: a smaller bitmap does not get a file of its own
_LARGE = 8 << 20  # bytes: a larger bitmap is always packed: packing takes 2 % of the time
_BITS_NAME = re.compile(r"after-(\d{4,6})", re.ASCII)
_LIVE_NAME = re.compile(r"live-(\d{4,6})\.f8", re.ASCII)


def n_expanded(folder: Path, n_layers: int) -> int:
    """Return the number of expanded layers, all once there are values, by the names of files."""
    try:
        names = {path.stem for path in folder.iterdir()} | set(names_in(folder))
    except (OSError, ValueError, struct.error):
        return 0
    if any(name.startswith("live-") for name in names):
        return n_layers
    layers = [int(match[1]) for name in names if (match := _BITS_NAME.fullmatch(name))]
    return min(max(layers, default=-1) + 1, n_layers)


class Scratch:
    """The working files of one build, in their folder; `pack` compresses small bitmaps as well."""

    def __init__(self, folder: Path, arrays: Arrays, *, pack: bool = False) -> None:
        self.folder = folder
        self._arrays = arrays
        self._pack = pack
        self._batches = Batches(folder, arrays)

    def save_bits(self, layer: int, words: U64, n_ones: int) -> None:
        """Keep the bitmap of a layer's after-states; a small one is not written before `flush`."""
        if words.nbytes <= _SMALL:
            self._batches.add(_name(layer), self._pieces(layer, words, n_ones))
        else:
            pieces = self._pieces(layer, words, n_ones)
            write_file(self._path(layer), self._arrays.with_room(pieces), durable=False)

    def flush(self) -> None:
        self._batches.flush()

    def count_bits(self, layer: int, n_words: int) -> int | None:
        """None if absent or damaged, though damage in a large one is only found by `load_bits`."""
        path = self._path(layer)
        if not path.exists():
            is_whole = self.load_bits(layer, n_words) is not None
            return int(_BITS.unpack_from(self._read(layer))[-1]) if is_whole else None
        try:
            with open_regular(path) as file:
                *head, n_ones = _BITS.unpack(file.read(_BITS.size))
                file.seek(-len(_END_MAGIC), os.SEEK_END)
                is_whole = file.read() == _END_MAGIC
        except (OSError, struct.error):
            return None
        is_right = head in ([_GAPS_MAGIC, layer, n_words], [_PACKED_MAGIC, layer, n_words])
        return n_ones if is_whole and is_right else None

    def load_bits(self, layer: int, n_words: int) -> U64 | None:
        """Return a bitmap; None when it is absent or damaged."""
        try:
            raw = self._read(layer)
            magic, *head, _ = _BITS.unpack_from(raw)
            if head != [layer, n_words] or magic not in (_GAPS_MAGIC, _PACKED_MAGIC):
                return None
            words: U64 = self._arrays.empty(n_words, np.uint64)
            is_whole = self._fill(words, raw, magic == _PACKED_MAGIC)
        except (OSError, ValueError, struct.error, zstandard.ZstdError):
            return None
        return words if is_whole else None

    def drop_bits(self, layer: int) -> None:
        with suppress(OSError):
            unlink(self._path(layer), missing_ok=True)

    def _read(self, layer: int) -> memoryview:
        part = self._batches.find(_name(layer))
        return memoryview(self._arrays.read_file(self._path(layer)) if part is None else part)

    def _pieces(self, layer: int, words: U64, n_ones: int) -> Iterator[bytes | memoryview]:
        """Each part is used before the next is made."""
        from tablebase.store.zero_run_codec import leave_out  # loads the compiler

        is_packed = self._pack or words.nbytes >= _LARGE
        magic = _PACKED_MAGIC if is_packed else _GAPS_MAGIC
        header = _BITS.pack(magic, layer, words.size, n_ones)
        yield header
        crc = zlib.crc32(header)
        packer = zstandard.ZstdCompressor(level=1)
        room = np.empty(_PIECE_MARKS + _PIECE_WORDS + 1, np.uint64)
        for start in range(0, words.size, _PIECE_WORDS):
            piece = words[start : start + _PIECE_WORDS]
            if is_packed:
                body = memoryview(packer.compress(piece.data.cast("B")))
            else:
                body = room[: int(leave_out(piece, room))].data.cast("B")
            crc = zlib.crc32(body, crc)
            yield _PIECE.pack(len(body), crc)
            yield body
        yield _END_MAGIC

    def _fill(self, words: U64, raw: memoryview, is_packed: bool) -> bool:
        bodies = _whole_pieces(raw[: -len(_END_MAGIC)], _BITS.size)
        room = np.empty(_PIECE_MARKS + _PIECE_WORDS + 1, np.uint64)
        starts = self._arrays.with_room(range(0, words.size, _PIECE_WORDS))
        for start, body in zip(starts, bodies, strict=True):
            piece = words[start : start + _PIECE_WORDS]
            if not (_unpack if is_packed else _put_back)(body, piece, room):
                return False
        return bytes(raw[-len(_END_MAGIC) :]) == _END_MAGIC

    def save_live(self, layer: int, values: F64) -> None:
        pieces = self._arrays.with_room(_value_pieces(layer, values))
        write_file(self.folder / f"live-{layer:04d}.f8", pieces, durable=False)

    def drop_live(self, kept: Collection[int] = ()) -> None:
        for path, layer in self._live_files():
            if layer not in kept:
                with suppress(OSError):  # only the files of the lowest layers matter
                    unlink(path)

    def load_live(
        self, is_usable: Callable[[int], bool] = lambda _: True
    ) -> tuple[int, F64, F64] | None:
        """Return the lowest usable layer whose values and the next one's are kept, with both."""
        before: tuple[int, F64] | None = None
        for path, layer in self._live_files():
            is_second = before is not None and before[0] == layer - 1
            if not is_second and not is_usable(layer):
                continue
            values = self._load_values(path, layer)
            if values is None:
                continue
            if before is not None and is_second:
                return layer - 1, before[1], values
            before = layer, values
        return None

    def _live_files(self) -> list[tuple[Path, int]]:
        matches = [(path, _LIVE_NAME.fullmatch(path.name)) for path in self.folder.glob("live-*")]
        files = [(path, int(match[1])) for path, match in matches if match]
        return sorted(files, key=lambda file: file[1])

    def _load_values(self, path: Path, layer: int) -> F64 | None:
        try:
            raw = memoryview(self._arrays.read_file(path))
            magic, recorded, n = _LIVE.unpack_from(raw)
            pieces = list(self._arrays.with_room(_whole_pieces(raw, _LIVE.size)))
        except (OSError, struct.error, _DamagedError):
            return None
        starts = range(0, n, _PIECE_VALUES)
        if (magic, recorded) != (_LIVE_MAGIC, layer) or len(pieces) != len(starts) or not pieces:
            return None
        values: F64 = self._arrays.empty(n, np.float64)
        are_right = (
            _unpack_values(body, values[start : start + _PIECE_VALUES])
            for start, body in self._arrays.with_room(zip(starts, pieces, strict=True))
        )
        return values if all(are_right) else None

    def _path(self, layer: int) -> Path:
        return self.folder / f"{_name(layer)}.bits"


def _name(layer: int) -> str:
    return f"after-{layer:04d}"


def _unpack(body: memoryview, words: U64, _room: U64) -> bool:
    if zstandard.frame_content_size(body) != words.nbytes:
        return False
    words[:] = np.frombuffer(zstandard.ZstdDecompressor().decompress(body), np.uint64)
    return True


def _value_pieces(layer: int, values: F64) -> Iterator[bytes]:
    header = _LIVE.pack(_LIVE_MAGIC, layer, values.size)
    yield header
    crc = zlib.crc32(header)
    packer = zstandard.ZstdCompressor(level=1)
    for start in range(0, values.size, _PIECE_VALUES):
        piece = values[start : start + _PIECE_VALUES]
        is_other = piece != 0.0
        others = piece[is_other].view(np.uint8).reshape(-1, 8)
        body = packer.compress(np.packbits(is_other).tobytes() + others.T.tobytes())
        crc = zlib.crc32(body, crc)
        yield _PIECE.pack(len(body), crc) + body


class _DamagedError(ValueError):
    """A piece of a file is damaged."""


def _whole_pieces(raw: memoryview, at: int) -> Iterator[memoryview]:
    """Yield the bodies of the pieces from position `at` on; raise _DamagedError."""
    crc = zlib.crc32(raw[:at])
    while at < len(raw):
        n_bytes, recorded = _PIECE.unpack_from(raw, at)
        body = raw[at + _PIECE.size : at + _PIECE.size + n_bytes]
        crc = zlib.crc32(body, crc)
        if len(body) != n_bytes or crc != recorded:
            raise _DamagedError
        yield body
        at += _PIECE.size + n_bytes


def _unpack_values(body: memoryview, values: F64) -> bool:
    n_marks = -(-values.size // 8)
    try:
        most = n_marks + values.nbytes
        raw = np.frombuffer(zstandard.ZstdDecompressor().decompress(body, most), np.uint8)
    except zstandard.ZstdError:
        return False
    is_other = np.unpackbits(raw[:n_marks], count=values.size).astype(np.bool_)
    others = raw[n_marks:]
    if others.size != 8 * int(is_other.sum()):
        return False
    values[:] = 0.0
    values[is_other] = np.ascontiguousarray(others.reshape(8, -1).T).view(np.float64).ravel()
    return True


def _put_back(body: memoryview, words: U64, room: U64) -> bool:
    from tablebase.store.zero_run_codec import put_back  # loads the compiler

    n, n_marks = len(body) // 8, -(-words.size // 64)
    if len(body) % 8 or not n_marks <= n < room.size:
        return False
    room[:n] = np.frombuffer(body, np.uint64)
    if int(np.bitwise_count(room[:n_marks]).sum()) != n - n_marks:
        return False
    put_back(room, words)
    return True
