"""The packing of one block of a layer: its keys as a bitmap, its values as byte planes.

keys     zstd of the bitmap of the block's slots; the bitmap itself if that is not shorter
values   u32 number of repeated values r; unless it is 0: a piece of (n + 7) // 8 bytes, a bit per
         value, the lowest first, that marks the repeated ones, and two pieces of r bytes, the low
         and the high bytes of the distances to the values' last occurrences;
         then a piece for each byte plane of the n - r other values, the lowest bytes first
piece    u32 length, then zstd of the bytes; the bytes themselves if that is their full length

Bytes of equal weight are together because the high ones compress and the low ones are noise.
The compression level is up to the writer: a reader unpacks any.
"""

import struct
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import zstandard

from engine.platform.array_types import F64, U8, U64, Values
from engine.platform.language import tr
from tablebase.errors import BuildRefusedError, DamagedTableError
from tablebase.memory.arrays import NewArray
from tablebase.store.block_values import BlockValues, repeats_of
from tablebase.store.codebook import Codebook

BLOCK_SLOTS = 1 << 17  # at least,
MAX_BLOCK_SLOTS = 1 << 20  # and at most
_WORTH_A_BLOCK = 1 << 14  # boards; with fewer, the overhead of a block matters


_LENGTH = struct.Struct("<I")
_MIN_WORTH_PACKING = 64  # bytes; below, the overhead of zstd exceeds the gain


@dataclass(frozen=True)
class Compression:
    """The effort of compression; levels are zstd's, 0 for none."""

    keys: int = 0
    planes: int = 0
    high_planes: int = 0  # number of high byte planes to compress; the others count as noise
    repeats: bool = False  # whether to store repeated values as distances


# By the `level` of `pack_layer`.
COMPRESSIONS = (
    Compression(),
    Compression(keys=1, planes=1, high_planes=1, repeats=True),
    Compression(keys=5, planes=1, high_planes=8, repeats=True),
    Compression(keys=12, planes=6, high_planes=8, repeats=True),
)
LEVEL_NAMES = ("raw", "fast", "normal", "small")
FAST = LEVEL_NAMES.index("fast")


def find_level(name: str) -> int:
    if name not in LEVEL_NAMES:
        raise BuildRefusedError(
            "no level {name!r}: expected one of {values}", name=name, values=", ".join(LEVEL_NAMES)
        )
    return LEVEL_NAMES.index(name)


def blocks_for(n_slots: int, n_stored: int) -> tuple[int, int]:
    """Return the number of blocks of a layer, and of the slots of each.

    Blocks have 131,072 slots, doubled until they hold 16,384 boards on average.
    """
    size = BLOCK_SLOTS
    while size < MAX_BLOCK_SLOTS and n_stored * size < _WORTH_A_BLOCK * n_slots:
        size *= 2
    n_blocks = -(-n_slots // size)
    return n_blocks, block_slots(n_slots, n_blocks)


def block_slots(n_slots: int, n_blocks: int) -> int:
    """Return the slots per block: the least power of two from BLOCK_SLOTS on for `n_blocks` blocks.

    At most MAX_BLOCK_SLOTS; wrong if the numbers are damaged.
    """
    size = BLOCK_SLOTS
    while size < MAX_BLOCK_SLOTS and -(-n_slots // size) > n_blocks:
        size *= 2
    return size


class BlockPacker:
    """Packs the blocks of one layer, one after the other; not to be shared between threads.

    The bytes depend only on the input, the level (see `COMPRESSIONS`) and the version of zstd. They
    are the first `size` of `packed` (uint8[most_bytes]): one array for all, because copying them
    took longer than finding the repeated values.
    """

    def __init__(
        self,
        level: int,
        dtype: np.dtype,
        most_bytes: int,
        new_array: NewArray = np.empty,
        n_slots: int = BLOCK_SLOTS,
    ) -> None:
        from tablebase.store.value_dedup import PackingBuffers  # loads the compiler

        if not 0 <= level < len(COMPRESSIONS):
            raise ValueError(
                tr(
                    "compression level {level!r}: expected 0 to {most}",
                    level=level,
                    most=len(COMPRESSIONS) - 1,
                )
            )
        self._how = how = COMPRESSIONS[level]
        self._bits = np.dtype(f"<u{dtype.itemsize}")  # values are equal if their bits are
        self._keys = _compressor(how.keys)
        self._planes = _compressor(how.planes)
        self._n_words = n_slots // 64
        self._buffers = PackingBuffers(self._bits, n_slots)
        self.packed: U8 = new_array(most_bytes, np.uint8)
        self.size = 0

    def add_keys(self, words: U64) -> int:
        """Pack the bitmap of a block (uint64[n_slots / 64]); return its size in bytes.

        The bitmap of the last block may be shorter; the rest of it is zeros.
        """
        start = self.size
        if words.size < self._n_words:
            words = np.append(words, np.zeros(self._n_words - words.size, np.uint64))
        raw = words.view(np.uint8)
        if not (self._how.keys and self._add_compressed(self._keys, raw)):
            self._add(raw)
        return self.size - start

    def add_values(self, values: Values) -> None:
        new = values.view(self._bits)
        n_repeated = 0
        if self._how.repeats:
            new, is_repeated, low, high = self._buffers.split(new)
            n_repeated = low.size
        self._add_number(n_repeated)
        if n_repeated:
            for piece in (np.packbits(is_repeated, bitorder="little"), low, high):
                self._add_piece(piece, is_tried=True)
        first_tried = self._bits.itemsize - self._how.high_planes
        for k in range(self._bits.itemsize):
            if k >= first_tried:
                self._add_piece(self._buffers.plane(new, k), is_tried=True)
            else:
                self._add_number(new.size)
                self._buffers.plane(new, k, self._room(new.size))

    def _add_piece(self, raw: U8, *, is_tried: bool) -> None:
        at = self.size
        self._add_number(raw.size)
        if is_tried and raw.size >= _MIN_WORTH_PACKING and self._add_compressed(self._planes, raw):
            _LENGTH.pack_into(self.packed.data, at, self.size - at - _LENGTH.size)
        else:
            self._add(raw)

    def _add_compressed(self, compressor: zstandard.ZstdCompressor, raw: U8) -> bool:
        """Add the compressed bytes if they are fewer; return whether they were added."""
        compressed = compressor.compress(raw.data)
        if len(compressed) >= raw.size:
            return False
        self._add(np.frombuffer(compressed, np.uint8))
        return True

    def _add_number(self, number: int) -> None:
        _LENGTH.pack_into(self.packed.data, self.size, number)
        self.size += _LENGTH.size

    def _add(self, raw: U8) -> None:
        self._room(raw.size)[:] = raw

    def _room(self, size: int) -> U8:
        self.size += size
        return self.packed[self.size - size : self.size]


class _Compressors(threading.local):
    """The compressors of a thread: making one takes as long as packing a small layer's keys."""

    def __init__(self) -> None:
        self.of_level: dict[int, zstandard.ZstdCompressor] = {}


_compressors = _Compressors()


def _compressor(level: int) -> zstandard.ZstdCompressor:
    compressors = _compressors.of_level
    if level not in compressors:
        compressors[level] = _new_compressor(level)
    return compressors[level]


def _new_compressor(level: int) -> zstandard.ZstdCompressor:
    """Return a zstd compressor of a level, for pieces of mostly less than 128 KiB.

    Level 1 looks for matches of 6 bytes, which is faster and hardly misses any here.
    """
    parameters = zstandard.ZstdCompressionParameters.from_level(level, source_size=BLOCK_SLOTS)
    if level == 1:
        parameters = zstandard.ZstdCompressionParameters.from_level(
            level, source_size=BLOCK_SLOTS, min_match=6, hash_log=12
        )
    return zstandard.ZstdCompressor(compression_params=parameters)


def most_bytes(n_blocks: int, n_values: int, dtype: np.dtype, n_slots: int = BLOCK_SLOTS) -> int:
    flags = n_values // 8 + n_blocks
    distances = 2 * n_values
    numbers = (1 + 3 + dtype.itemsize) * _LENGTH.size * n_blocks
    return n_slots // 8 * n_blocks + flags + distances + numbers + n_values * dtype.itemsize


class BlockReader:
    """Unpacks blocks of any level; raises DamagedTableError; not to be shared between threads."""

    _values = BlockValues

    def __init__(self) -> None:
        self._reader = zstandard.ZstdDecompressor()

    def unpack_keys(self, packed: bytes, n_slots: int = BLOCK_SLOTS) -> U64:
        (keys,) = self._unpack([packed], [n_slots // 8])
        return np.frombuffer(keys, "<u8")

    def unpack_values(self, packed: bytes, n: int, dtype: np.dtype) -> BlockValues:
        n_repeated, pieces = _cut(packed, dtype.itemsize)
        if not 0 <= n_repeated <= n:
            raise DamagedTableError(
                "a block of {count} values has {repeated} repeated ones",
                count=n,
                repeated=n_repeated,
            )
        repeats = None
        if n_repeated:
            sizes = [(n + 7) // 8, n_repeated, n_repeated]
            flags, *distances = self._unpack(pieces[:3], sizes)
            low, high = [np.frombuffer(raw, np.uint8) for raw in distances]
            repeats, pieces = repeats_of(n, flags, low, high), pieces[3:]
        return self._values(n, self._join_planes(pieces, n - n_repeated, dtype), repeats)

    def level_rates(self, levels: Codebook) -> F64:
        return levels.rates()

    def _join_planes(self, pieces: Sequence[bytes], n: int, dtype: np.dtype) -> Values:
        planes = np.empty((n, dtype.itemsize), np.uint8)
        for k, plane in enumerate(self._unpack(pieces, [n] * dtype.itemsize)):
            planes[:, k] = np.frombuffer(plane, np.uint8)
        return planes.view(dtype).ravel()

    def _unpack(self, pieces: Sequence[bytes], sizes: Sequence[int]) -> list[bytes]:
        blocks = []
        for packed, size in zip(pieces, sizes, strict=True):
            if len(packed) == size:
                blocks.append(packed)
                continue
            try:
                # The frame states the length of its content, which zstandard does not check.
                is_as_long = zstandard.frame_content_size(packed) == size
                raw = self._reader.decompress(packed) if is_as_long else b""
            except zstandard.ZstdError as error:
                raise DamagedTableError(
                    "a block cannot be unpacked: {error}", error=error
                ) from error
            if not is_as_long:
                raise DamagedTableError(
                    "a piece of a block has another length than {size} bytes", size=size
                )
            blocks.append(raw)
        return blocks


def _cut(packed: bytes, n_planes: int) -> tuple[int, list[bytes]]:
    """Return the number of repeated values, and the pieces: three for those, and the planes."""
    pieces, at = [], _LENGTH.size
    try:
        (n_repeated,) = _LENGTH.unpack_from(packed)
        for _ in range(n_planes + (3 if n_repeated else 0)):
            (length,) = _LENGTH.unpack_from(packed, at)
            start = at + _LENGTH.size
            at = start + length
            pieces.append(packed[start:at])
    except struct.error:
        at = len(packed) + 1
    if at > len(packed):
        raise DamagedTableError(tr("a block of values ends too early"))
    if at < len(packed):
        raise DamagedTableError(tr("a block of values is longer than its pieces"))
    return n_repeated, pieces
