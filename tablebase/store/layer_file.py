r"""One layer on disk: little-endian, in blocks of slots, each readable on its own.

offset  0  magic        8 bytes  b"E48LAYR2" (the last byte is the format version)
offset  8  layer        u32
offset 12  rate type    u32      see tablebase.store.rates
offset 16  slots        u64      size of the layer's rank space
offset 24  boards       u64      after-states that can come up and have not reached the target
offset 32  stored       u64      those with a rate above zero
offset 40  max error    f64      largest difference between a rate and its stored value
offset 48  blocks       u32      n: each has the same number of slots, a power of two from 131,072
                                 on, just large enough (see ``codecs.block_slots``)
offset 52  levels       u32      bytes of the list of levels; 0 unless the rate type has one
offset 56  header crc   u32      crc32 of bytes 0 to 55, then of the directory and the levels
offset 60  directory    n + 1 entries: where the block begins u64, boards stored before it u64,
                        bytes of its keys u32, crc32 of its bytes u32
           levels       see tablebase.store.codebook
           blocks       keys, then values (see tablebase.store.codecs); empty for a block
                        without a board

The header's crc is recorded in the manifest, and it covers the blocks' crcs: so every byte of a
table is tied to its manifest.
"""

import os
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from engine.platform.array_types import F64, I64, U8, U32, U64, Values
from engine.platform.files.atomic_file import with_retries
from engine.platform.files.input_file import open_regular
from engine.platform.language import tr
from tablebase.build_files import write_file
from tablebase.errors import (
    ChangedTableError,
    DamagedTableError,
    MissingTableError,
    TableFormatError,
    UnreadableTableError,
)
from tablebase.memory.arrays import NewArray, parts
from tablebase.store.block_cache import BlockCache
from tablebase.store.block_values import BlockValues
from tablebase.store.codebook import Codebook, unpack_levels
from tablebase.store.codecs import (
    FAST,
    BlockPacker,
    BlockReader,
    block_slots,
    blocks_for,
    most_bytes,
)
from tablebase.store.rates import RATE_TYPES, EncodedRates, RateType

MAGIC = b"E48LAYR2"
CACHE_BYTES = 32 << 20
_HEADER = struct.Struct("<8sIIQQQdII")
_CRC = struct.Struct("<I")
_ENTRY = np.dtype([("offset", "<u8"), ("before", "<u8"), ("key_bytes", "<u4"), ("crc", "<u4")])
_DIRECTORY_AT = _HEADER.size + _CRC.size


def _no_need() -> None:
    """Do nothing: there are no mapped arrays to make room for."""


def layer_name(layer: int, is_thinned: bool = False) -> str:
    return f"layer-{layer:04d}{'-best' if is_thinned else ''}.tbl"


@dataclass(frozen=True)
class WrittenLayer:
    """The manifest's record of a layer file."""

    layer: int
    file: str
    bytes: int
    crc: int
    boards: int
    stored: int


@dataclass(frozen=True)
class PackedLayer:
    """A layer in file format: the part before the blocks, and the blocks."""

    layer: int
    file: str
    crc: int
    boards: int
    stored: int
    head: bytes
    blocks: U8

    def write(
        self, folder: Path, *, durable: bool = True, make_room: Callable[[], None] = _no_need
    ) -> WrittenLayer:
        """Write the file atomically; `durable` unless the caller will sync the drive."""

        def pieces() -> Iterator[bytes | memoryview]:
            yield self.head
            for part in parts(self.blocks.size, 1 << 20):
                make_room()
                yield self.blocks[part].data

        size = write_file(folder / self.file, pieces(), durable=durable)
        return WrittenLayer(self.layer, self.file, size, self.crc, self.boards, self.stored)


def pack_layer(
    layer: int,
    rate: RateType,
    n_slots: int,
    n_boards: int,
    words: U64,
    encoded: EncodedRates | Values,
    level: int = FAST,
    *,
    new_array: NewArray = np.empty,
    make_room: Callable[[], None] = _no_need,
    is_thinned: bool = False,
    max_error: float | None = None,
) -> PackedLayer:
    """Return one layer in file format.

    `n_boards` is the number of boards that can come up, `words` (uint64[>= n_slots / 64]) the
    bitmap of the stored ones. `encoded` is the result of ``rate.encode`` for their rates, in slot
    order; just the values are enough if the type has no levels. `level` is that of compression,
    from 0 to 3 (see ``codecs.LEVEL_NAMES``); the file does not record it. `max_error` is the
    largest difference between a rate and its stored value; None for that of encoding.

    `new_array` makes a large working array, such as ``Arrays.empty``; `make_room` makes room for
    the data of each step of work, such as ``Arrays.make_room``. With `is_thinned` these are boards
    of optimal play alone; the file then has another name.
    """
    values, levels = encoded if isinstance(encoded, tuple) else EncodedRates(encoded)
    n_blocks, size = blocks_for(n_slots, values.size)
    words = words[: -(-n_slots // 64)]
    directory = np.zeros(n_blocks + 1, _ENTRY)
    packed_levels = levels.pack() if levels else b""
    offset = _DIRECTORY_AT + directory.nbytes + len(packed_levels)
    most = most_bytes(n_blocks, values.size, rate.dtype, size)
    packer = BlockPacker(level, rate.dtype, most, new_array, size)
    before = 0
    for i in range(n_blocks):
        start, bitmap = packer.size, words[i * size // 64 : (i + 1) * size // 64]
        key_bytes = crc = 0
        make_room()
        if count := int(np.bitwise_count(bitmap).sum()):
            key_bytes = packer.add_keys(bitmap)
            packer.add_values(values[before : before + count])
            crc = zlib.crc32(packer.packed[start : packer.size].data)
        directory[i] = (offset + start, before, key_bytes, crc)
        before += count
    directory[n_blocks] = (offset + packer.size, before, 0, 0)
    if max_error is None:
        max_error = levels.max_error if levels else rate.max_error
    header = _HEADER.pack(
        MAGIC, layer, rate.code, n_slots, n_boards, values.size,
        max_error, n_blocks, len(packed_levels),
    )  # fmt: skip
    crc = zlib.crc32(packed_levels, zlib.crc32(directory.tobytes(), zlib.crc32(header)))
    head = header + _CRC.pack(crc) + directory.tobytes() + packed_levels
    blocks = packer.packed[: packer.size]
    name = layer_name(layer, is_thinned)
    return PackedLayer(layer, name, crc, n_boards, int(values.size), head, blocks)


class _Block(NamedTuple):
    """An unpacked block; `before` counts the boards before each word.

    For a rate type with levels the values are level numbers, a quarter of the size.
    """

    words: U64
    before: U32
    values: BlockValues

    @property
    def nbytes(self) -> int:
        return self.words.nbytes + self.before.nbytes + self.values.nbytes


class LayerFile:
    """One layer, opened for one caller at a time; blocks are checked and unpacked on demand.

    A *stored value* is a ``rate.dtype``, or for a rate type with levels the level, a float64;
    ``rate.decode`` turns either into a rate. `crc` is the checksum of header and directory,
    `max_error` the largest difference between a rate and its stored value, `n_bytes` the size in
    memory without blocks.

    `cache` is for unpacked blocks, or the number of bytes of them to keep; the block used last is
    always kept. `find` returns where the file is by now, asked when it is no longer at its path.
    """

    def __init__(
        self,
        path: Path,
        cache: BlockCache | int = CACHE_BYTES,
        unpack: BlockReader | None = None,
        find: Callable[[], Path] | None = None,
    ) -> None:
        self.path = path
        self._find = find or (lambda: path)
        self._file = self._opened_where_it_is(_opened)
        self._unpack = unpack or BlockReader()
        try:
            self._read_header()
        except BaseException:
            self._file.close()
            raise
        self._cache = cache if isinstance(cache, BlockCache) else BlockCache(cache)
        self._key = object()  # identifies its blocks in a cache for many files
        self.n_bytes = self._directory.nbytes
        if self.levels:
            self.n_bytes += self.levels.codes.nbytes + self._levels.nbytes

    def value(self, slot: int) -> np.generic | None:
        i_block, inside = divmod(slot, self.block_slots)
        block = self._block(i_block)
        if block is None:
            return None
        i, bit = divmod(inside, 64)
        word = int(block.words[i])
        if not word >> bit & 1:
            return None
        stored = block.values.one(int(block.before[i]) + (word & ((1 << bit) - 1)).bit_count())
        value: np.generic = self._levels[stored] if self.rate.has_levels else stored
        return value

    def values_at(self, slots: I64) -> F64:
        """Return the rates (float64[n]) of the boards in many slots, 0 where no board is stored.

        The slots (int64[n]) are in any order; negative means no slot.
        """
        order = np.argsort(slots, kind="stable")
        wanted = slots[order]
        i_block = wanted // self.block_slots
        word_of = (wanted % self.block_slots) >> 6
        numbers, starts = np.unique(i_block, return_index=True)
        words, before = np.zeros(wanted.size, np.uint64), np.zeros(wanted.size, np.int64)
        parts = []
        ends = np.append(starts, wanted.size)[1:].tolist()
        for number, lo, hi in zip(numbers.tolist(), starts.tolist(), ends, strict=True):
            block = self._block(number) if 0 <= number < self.n_blocks else None
            if block is not None:
                part = slice(lo, hi)
                words[part] = block.words[word_of[part]]
                before[part] = block.before[word_of[part]]
                parts.append((part, block.values))
        bit = (wanted & 63).astype(np.uint64)
        is_stored = (words >> bit & np.uint64(1)).view(np.int64).astype(np.bool_)
        below = np.bitwise_count(words & ((np.uint64(1) << bit) - np.uint64(1)))
        place = np.where(is_stored, before + below, 0)
        levels = np.zeros(wanted.size, np.float64)
        for part, values in parts:
            some = values.at(place[part])
            levels[part] = self._levels[some] if self.rate.has_levels else some
        rates = np.empty(wanted.size, np.float64)
        rates[order] = np.where(is_stored, levels / self.rate.scale, 0.0)
        return rates

    def slots_and_values(self, i_block: int) -> tuple[I64, Values]:
        """Return the slots stored in a block (int64[n], ascending) and their values."""
        words, values = self.block(i_block)
        bits = np.unpackbits(words.view(np.uint8), bitorder="little").view(np.bool_)
        return np.nonzero(bits)[0] + i_block * self.block_slots, values

    def block_of(self, i_stored: int) -> tuple[int, int]:
        """Return the block that holds the `i_stored`-th stored board, and the number before."""
        i = int(np.searchsorted(self._directory["before"], i_stored, "right")) - 1
        return i, int(self._directory["before"][i])

    @property
    def n_blocks(self) -> int:
        return self._directory.size - 1

    def block(self, i: int) -> tuple[U64, Values]:
        """Return bitmap (uint64[block_slots / 64]) and values of a block, after a checksum test."""
        words, values = self.block_as_stored(i)
        return words, self._levels[values] if self.rate.has_levels else values

    def block_as_stored(self, i: int) -> tuple[U64, Values]:
        """Return a block like `block`, but with level numbers if the rate type has levels."""
        block = self._block(i)
        if block is None:
            return np.zeros(self.block_slots // 64, np.uint64), np.zeros(0, self.rate.dtype)
        return block.words, block.values.every()

    def check_blocks(self) -> Iterator[int]:
        for i in range(self.n_blocks):
            yield len(self._read_block(i))

    def close(self) -> None:
        """Close the file; cached blocks stay, and other blocks reopen it."""
        self._file.close()

    def _block(self, i: int) -> _Block | None:
        cached: _Block | None = self._cache.get((self._key, i))
        if cached is not None:
            return cached
        packed = self._read_block(i)
        if not packed:
            return None
        block = self._unpacked(i, packed)
        self._cache.keep((self._key, i), block, block.nbytes)
        return block

    def _unpacked(self, i: int, packed: bytes) -> _Block:
        count = int(self._directory["before"][i + 1] - self._directory["before"][i])
        key_bytes = int(self._directory["key_bytes"][i])
        try:
            words = self._unpack.unpack_keys(packed[:key_bytes], self.block_slots)
            values = self._unpack.unpack_values(packed[key_bytes:], count, self.rate.dtype)
            if self.rate.has_levels and values.new.max(initial=0) >= self._levels.size:
                raise DamagedTableError(tr("a value is of no level of the list"))
        except DamagedTableError as error:
            raise self._damaged(tr("block {number}: {error}", number=i, error=error)) from error
        ones = np.bitwise_count(words)
        before = ones.cumsum(dtype=np.uint32)
        if int(before[-1]) != count:
            raise self._damaged(
                tr("block {number} holds another number of boards than recorded", number=i)
            )
        return _Block(words, before - ones, values)

    def _read_block(self, i: int) -> bytes:
        start, end = int(self._directory["offset"][i]), int(self._directory["offset"][i + 1])
        if start == end:
            return b""
        packed = self._read(start, end - start)
        if len(packed) != end - start or zlib.crc32(packed) != self._directory["crc"][i]:
            self._check_same()
            raise self._damaged(tr("block {number} does not match its checksum", number=i))
        return packed

    def _read(self, start: int, n_bytes: int) -> bytes:
        try:
            if self._file.closed:  # closed because many layers need not all hold a descriptor
                with self._opened_where_it_is(_opened_again) as file:
                    file.seek(start)
                    return file.read(n_bytes)
            self._file.seek(start)
            return self._file.read(n_bytes)
        except OSError as error:
            raise UnreadableTableError(
                "cannot read {path}: {reason}; is its drive connected?",
                path=self.path,
                reason=error.strerror or error,
            ) from error

    def _opened_where_it_is(self, open_at: Callable[[Path], BinaryIO]) -> BinaryIO:
        try:
            return open_at(self.path)
        except MissingTableError:
            moved = self._find()
            if moved == self.path:
                raise
            self.path = moved
            return open_at(moved)

    def _check_same(self) -> None:
        """Raise ChangedTableError if another layer has this one's name now."""
        header = self._read(0, _DIRECTORY_AT)
        if header[_HEADER.size :] != _CRC.pack(self.crc):
            raise ChangedTableError(
                "{folder} was changed in the meantime: open or verify it again",
                folder=self.path.parent,
            )

    def _read_header(self) -> None:
        header = self._file.read(_HEADER.size)
        if len(header) < _HEADER.size or header[:8] != MAGIC:
            raise TableFormatError(
                "{path} is not a layer file of this program's version", path=self.path
            )
        (
            _, self.layer, code, self.n_slots, self.n_boards, self.stored,
            self.max_error, n, level_bytes,
        ) = _HEADER.unpack(header)  # fmt: skip
        crc = self._file.read(_CRC.size)
        directory_bytes = (n + 1) * _ENTRY.itemsize
        rest = os.fstat(self._file.fileno()).st_size - _DIRECTORY_AT
        if directory_bytes + level_bytes > rest:
            raise self._damaged(tr("its directory is cut off"))
        directory = self._file.read(directory_bytes)
        levels = self._file.read(level_bytes)
        self.crc = zlib.crc32(levels, zlib.crc32(directory, zlib.crc32(header)))
        if _CRC.pack(self.crc) != crc:
            raise self._damaged(tr("its header does not match its checksum"))
        rates = {rate.code: rate for rate in RATE_TYPES.values()}
        if code not in rates:
            raise TableFormatError(
                "{path} has rates of an unknown type ({code})", path=self.path, code=code
            )
        self.rate = rates[code]
        self._directory = np.frombuffer(directory, _ENTRY)
        self.block_slots = block_slots(self.n_slots, n)
        if not self._is_consistent(level_bytes, _DIRECTORY_AT + rest):
            raise self._damaged(tr("its directory contradicts itself"))
        self.levels: Codebook | None = None
        if self.rate.has_levels:
            self.levels = self._unpack_levels(levels)
            self._levels: F64 = self._unpack.level_rates(self.levels)

    def _is_consistent(self, level_bytes: int, size: int) -> bool:
        """Return whether the blocks follow one another and hold the boards stated in the header."""
        offset, before = self._directory["offset"], self._directory["before"]
        key_bytes = self._directory["key_bytes"][:-1]
        return bool(
            self.n_blocks == -(-self.n_slots // self.block_slots)
            and offset[0] == _DIRECTORY_AT + self._directory.nbytes + level_bytes
            and offset[-1] == size
            and before[0] == 0
            and before[-1] == self.stored
            and (offset[1:] >= offset[:-1]).all()
            and (before[1:] >= before[:-1]).all()
            and (before[1:] - before[:-1] <= self.block_slots).all()
            and (key_bytes <= offset[1:] - offset[:-1]).all()
        )

    def _unpack_levels(self, packed: bytes) -> Codebook:
        try:
            return unpack_levels(packed, self.max_error)
        except DamagedTableError as error:
            raise self._damaged(str(error)) from error

    def _damaged(self, what: str) -> DamagedTableError:
        return DamagedTableError(
            "{path} is damaged: {what}; delete this file and start the same build again",
            path=self.path,
            what=what,
        )


def gone(path: Path) -> MissingTableError:
    """Return the error for a file or a folder of an open table that was there and no longer is."""
    return MissingTableError(
        "{path} is no longer there; the table may have been moved, or its drive detached: "
        "open it again from where it is now",
        path=path,
    )


def _opened_again(path: Path) -> BinaryIO:
    """Return a reopened file; raise MissingTableError, not damage, if it is gone."""
    try:
        return _opened(path)
    except MissingTableError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            raise gone(path) from error
        raise


def _opened(path: Path) -> BinaryIO:
    try:
        return with_retries(lambda: open_regular(path))  # a builder may be replacing it
    except OSError as error:
        raise MissingTableError(
            "cannot open {path}: {reason}; verify the table, or build it again",
            path=path,
            reason=error.strerror,
        ) from error
