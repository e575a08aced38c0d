r"""One layer on disk: little-endian, blocks of 65,536 slots, any of them readable alone.

offset  0  magic        8 bytes  b"E48LAYR1" (the last byte is the format version)
offset  8  layer        u32
offset 12  rate type    u32      see tablebase.rates
offset 16  slots        u64      size of the layer's rank space
offset 24  boards       u64      after-states that can come up and have not reached the target
offset 32  stored       u64      those of a rate above zero
offset 40  blocks       u32      n
offset 44  header crc   u32      crc32 of bytes 0 to 43, then of the directory
offset 48  directory    n + 1 entries: where the block begins u64, boards stored before it u64,
                        bytes of its keys u32, crc32 of its bytes u32
           blocks       keys (zstd of a bitmap of 8,192 bytes), then values (see codecs);
                        nothing at all for a block without a board

The header's crc is recorded in the manifest, and it covers the blocks' crcs: so every byte of a
table is tied to its manifest.
"""

import struct
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tablebase.errors import DamagedTableError, MissingTableError, TableFormatError
from tablebase.rates import RATE_TYPES, RateType
from tablebase.store.atomic import write_file
from tablebase.store.codecs import BLOCK_SLOTS, BLOCK_WORDS, BlockCodec

MAGIC = b"E48LAYR1"
_HEADER = struct.Struct("<8sIIQQQI")
_CRC = struct.Struct("<I")
_ENTRY = np.dtype([("offset", "<u8"), ("before", "<u8"), ("key_bytes", "<u4"), ("crc", "<u4")])
_DIRECTORY_AT = _HEADER.size + _CRC.size
_CACHED_BLOCKS = 32


@dataclass(frozen=True)
class WrittenLayer:
    """What the manifest records of a layer file."""

    layer: int
    file: str
    bytes: int
    crc: int
    boards: int
    stored: int


def write_layer(
    folder: Path,
    layer: int,
    rate: RateType,
    n_slots: int,
    n_boards: int,
    words: npt.NDArray[np.uint64],
    values: npt.NDArray[np.generic],
) -> WrittenLayer:
    """Write one layer atomically and durably.

    Parameters
    ----------
    folder : Path
    layer : int
    rate : RateType
        Of `values`.
    n_slots, n_boards : int
        Size of the rank space; boards that can come up.
    words : uint64[>= n_slots / 64]
        Bitmap of the stored boards.
    values : rate.dtype[n_stored]
        Their values, in slot order.
    """
    n_blocks = -(-n_slots // BLOCK_SLOTS)
    directory = np.zeros(n_blocks + 1, _ENTRY)
    codec, pieces = BlockCodec(), []
    offset, before = _DIRECTORY_AT + directory.nbytes, 0
    for i in range(n_blocks):
        block = np.zeros(BLOCK_WORDS, "<u8")
        part = words[i * BLOCK_WORDS : (i + 1) * BLOCK_WORDS]
        block[: part.size] = part
        count = int(np.bitwise_count(block).sum()) if part.any() else 0
        entry = (offset, before, 0, 0)
        if count:
            keys = codec.pack_keys(block)
            packed = keys + codec.pack_values(values[before : before + count])
            entry = (offset, before, len(keys), zlib.crc32(packed))
            pieces.append(packed)
            offset += len(packed)
            before += count
        directory[i] = entry
    directory[n_blocks] = (offset, before, 0, 0)
    header = _HEADER.pack(MAGIC, layer, rate.code, n_slots, n_boards, values.size, n_blocks)
    crc = zlib.crc32(directory.tobytes(), zlib.crc32(header))
    name = f"layer-{layer:04d}.tbl"
    size = write_file(folder / name, [header, _CRC.pack(crc), directory.tobytes(), *pieces])
    return WrittenLayer(layer, name, size, crc, n_boards, int(values.size))


class LayerFile:
    """One layer, opened for reading; blocks are checked and unpacked as they are asked for.

    Attributes
    ----------
    layer, n_slots, n_boards, stored : int
    rate : RateType
    crc : int
        Of header and directory.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise MissingTableError(
                f"cannot open {path}: {error.strerror}; verify the table, or build it again"
            ) from error
        try:
            self._read_header()
        except BaseException:
            self._file.close()
            raise
        self._codec = BlockCodec()
        self._cache: OrderedDict[int, tuple[npt.NDArray[np.uint64], npt.NDArray[np.generic]]] = (
            OrderedDict()
        )

    def value(self, slot: int) -> np.generic | None:
        """Return the stored value of the board in `slot`; None when it is not stored."""
        i_block, inside = divmod(slot, BLOCK_SLOTS)
        if not self._directory["key_bytes"][i_block]:
            return None
        words, values = self.block(i_block)
        i, bit = divmod(inside, 64)
        if not int(words[i]) >> bit & 1:
            return None
        before = int(np.bitwise_count(words[:i]).sum())
        return values[before + (int(words[i]) & ((1 << bit) - 1)).bit_count()]

    def slots_and_values(
        self, i_block: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.generic]]:
        """Return the slots stored in a block (int64[n], ascending) and their values."""
        words, values = self.block(i_block)
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")
        return np.nonzero(bits)[0] + i_block * BLOCK_SLOTS, values

    def block_of(self, i_stored: int) -> tuple[int, int]:
        """Return the block that holds the `i_stored`-th stored board, and how many lie before."""
        i = int(np.searchsorted(self._directory["before"], i_stored, "right")) - 1
        return i, int(self._directory["before"][i])

    @property
    def n_blocks(self) -> int:
        """Return the number of blocks."""
        return self._directory.size - 1

    def block(self, i: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.generic]]:
        """Return bitmap (uint64[1024]) and values of a block, its checksum compared."""
        if i in self._cache:
            self._cache.move_to_end(i)
            return self._cache[i]
        count = int(self._directory["before"][i + 1] - self._directory["before"][i])
        packed = self._read_block(i)
        if not packed:
            return np.zeros(BLOCK_WORDS, np.uint64), np.zeros(0, self.rate.dtype)
        key_bytes = int(self._directory["key_bytes"][i])
        try:
            words = self._codec.unpack_keys(packed[:key_bytes])
            if int(np.bitwise_count(words).sum()) != count:
                raise DamagedTableError("it holds another number of boards than recorded")
            values = self._codec.unpack_values(packed[key_bytes:], count, self.rate.dtype)
        except DamagedTableError as error:
            raise self._damaged(f"block {i}: {error}") from error
        self._cache[i] = words, values
        if len(self._cache) > _CACHED_BLOCKS:
            self._cache.popitem(last=False)
        return words, values

    def check_blocks(self) -> Iterator[int]:
        """Compare every block's checksum; yield the bytes checked, one block at a time."""
        for i in range(self.n_blocks):
            yield len(self._read_block(i))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read_block(self, i: int) -> bytes:
        start, end = int(self._directory["offset"][i]), int(self._directory["offset"][i + 1])
        self._file.seek(start)
        packed = self._file.read(end - start)
        if len(packed) != end - start or (
            packed and zlib.crc32(packed) != self._directory["crc"][i]
        ):
            raise self._damaged(f"block {i} does not match its checksum")
        return packed

    def _read_header(self) -> None:
        header = self._file.read(_HEADER.size)
        if len(header) < _HEADER.size or header[:8] != MAGIC:
            raise TableFormatError(f"{self.path} is not a layer file of this program's version")
        _, self.layer, code, self.n_slots, self.n_boards, self.stored, n = _HEADER.unpack(header)
        crc = self._file.read(_CRC.size)
        rest = self.path.stat().st_size - _DIRECTORY_AT
        if (n + 1) * _ENTRY.itemsize > rest:
            raise self._damaged("its directory is cut off")
        packed = self._file.read((n + 1) * _ENTRY.itemsize)
        self.crc = zlib.crc32(packed, zlib.crc32(header))
        if _CRC.pack(self.crc) != crc:
            raise self._damaged("its header does not match its checksum")
        rates = {rate.code: rate for rate in RATE_TYPES.values()}
        if code not in rates:
            raise TableFormatError(f"{self.path} has rates of an unknown type ({code})")
        self.rate = rates[code]
        self._directory = np.frombuffer(packed, _ENTRY)
        if not self._is_consistent(_DIRECTORY_AT + rest):
            raise self._damaged("its directory contradicts itself")

    def _is_consistent(self, size: int) -> bool:
        """Tell whether the blocks lie one after the other and hold the boards of the header."""
        offset, before = self._directory["offset"], self._directory["before"]
        key_bytes = self._directory["key_bytes"][:-1]
        return bool(
            self.n_blocks == -(-self.n_slots // BLOCK_SLOTS)
            and offset[0] == _DIRECTORY_AT + self._directory.nbytes
            and offset[-1] == size
            and before[0] == 0
            and before[-1] == self.stored
            and (offset[1:] >= offset[:-1]).all()
            and (before[1:] >= before[:-1]).all()
            and (before[1:] - before[:-1] <= BLOCK_SLOTS).all()
            and (key_bytes <= offset[1:] - offset[:-1]).all()
        )

    def _damaged(self, what: str) -> DamagedTableError:
        return DamagedTableError(
            f"{self.path} is damaged: {what}; delete this file and start the same build again"
        )
