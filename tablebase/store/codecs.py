"""How one block of a layer is packed: its keys as a bitmap, its values as byte planes."""

import struct

import numpy as np
import numpy.typing as npt
import zstandard

from tablebase.errors import DamagedTableError

BLOCK_SLOTS = 1 << 16
BLOCK_WORDS = BLOCK_SLOTS // 64

_LENGTH = struct.Struct("<I")


class BlockCodec:
    """Packs and unpacks blocks; not to be shared between threads.

    The bytes depend on the input and the version of zstd alone.
    """

    def __init__(self) -> None:
        self._keys = zstandard.ZstdCompressor(level=3)
        self._planes = zstandard.ZstdCompressor(level=1)
        self._reader = zstandard.ZstdDecompressor()

    def pack_keys(self, words: npt.NDArray[np.uint64]) -> bytes:
        """Return the packed bitmap of a block (uint64[1024])."""
        return self._keys.compress(words.tobytes())

    def unpack_keys(self, packed: bytes) -> npt.NDArray[np.uint64]:
        """Return the bitmap of a block; raise DamagedTableError when it is none."""
        return np.frombuffer(self._unpack(packed, 8 * BLOCK_WORDS), "<u8")

    def pack_values(self, values: npt.NDArray[np.generic]) -> bytes:
        """Return the packed values of a block.

        The bytes of equal weight lie together: the high ones compress, the low ones are noise
        and stay as they are. Each plane is preceded by its length, the full length when raw.
        """
        planes = values.view(np.uint8).reshape(values.size, values.itemsize).T
        pieces = []
        for plane in np.ascontiguousarray(planes):
            raw = plane.tobytes()
            packed = self._planes.compress(raw)
            piece = packed if len(packed) < len(raw) else raw
            pieces += [_LENGTH.pack(len(piece)), piece]
        return b"".join(pieces)

    def unpack_values(self, packed: bytes, n: int, dtype: np.dtype) -> npt.NDArray[np.generic]:
        """Return the `n` values of a block; raise DamagedTableError when they are none."""
        planes = np.empty((dtype.itemsize, n), np.uint8)
        at = 0
        for plane in planes:
            if at + 4 > len(packed):
                raise DamagedTableError("a block of values ends too early")
            (length,) = _LENGTH.unpack_from(packed, at)
            piece = packed[at + 4 : at + 4 + length]
            if len(piece) != length:
                raise DamagedTableError("a block of values ends too early")
            raw = piece if length == n else self._unpack(piece, n)
            plane[:] = np.frombuffer(raw, np.uint8)
            at += 4 + length
        return np.ascontiguousarray(planes.T).view(dtype).ravel()

    def _unpack(self, packed: bytes, expected: int) -> bytes:
        try:
            raw = self._reader.decompress(packed, max_output_size=expected)
        except zstandard.ZstdError as error:
            raise DamagedTableError(f"a block cannot be unpacked: {error}") from error
        if len(raw) != expected:
            raise DamagedTableError(f"a block has {len(raw)} bytes, expected {expected}")
        return raw
