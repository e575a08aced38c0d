"""The levels of a layer on disk: ascending rates, about five bits each.

u32 number of levels below 1, u8 whether 1 is a level too, u32 number of wide gaps, then
zstd of a byte per level, which names the gap between it and the one before (0 for the first):
code c > 0 stands for 2 ** (-47 + (c - 1) / 5), code 0 for a wide gap;
then the wide gaps, u32 each, in units of 2 ** -32.

A gap is the largest one that does not lead beyond the wanted level, counted from the level before
as it is read back, not as it was wanted. So levels stay in order, below 1, and too low by at most
an eighth of the gap before them.
"""

import struct
from dataclasses import dataclass

import numpy as np
import zstandard

from engine.platform.array_types import F64, U8, U32
from engine.platform.language import tr
from tablebase.errors import DamagedTableError

MAX_LEVELS = 1 << 16
WIDE = 0
WIDE_UNIT = 2.0**-32
# Written out, because a power may differ in its last bit between C libraries.
_FIFTHS = np.array(
    [1.0, 1.148698354997035, 1.3195079107728942, 1.515716566510398, 1.7411011265922482]
)
MIN_EXPONENT, WIDEST_EXPONENT = -47, -10
# Gap by code; code 0 has none.
GAPS: F64 = np.concatenate(
    [[0.0], *(np.ldexp(_FIFTHS, e) for e in range(MIN_EXPONENT, WIDEST_EXPONENT))]
)

_HEAD = struct.Struct("<IBI")


@dataclass(frozen=True)
class Codebook:
    """The levels of one layer."""

    codes: U8  # uint8[k]: codes of the gaps before the levels below 1
    wide: U32  # uint32[...]: the wide gaps among them
    has_one: bool  # whether the highest level is exactly 1
    max_error: float  # largest difference between a rate of the layer and its level

    def rates(self) -> F64:
        """Return the levels: float64[k or k + 1], ascending."""
        gaps = GAPS[self.codes]
        gaps[self.codes == WIDE] = self.wide * WIDE_UNIT
        return np.concatenate([np.cumsum(gaps), np.ones(int(self.has_one))])

    def pack(self) -> bytes:
        head = _HEAD.pack(self.codes.size, self.has_one, self.wide.size)
        codes = zstandard.ZstdCompressor(level=1).compress(self.codes.tobytes())
        return head + self.wide.astype("<u4").tobytes() + codes


def unpack_levels(packed: bytes, max_error: float) -> Codebook:
    if len(packed) < _HEAD.size:
        raise DamagedTableError(tr("the list of levels is cut off"))
    n, has_one, n_wide = _HEAD.unpack_from(packed)
    at = _HEAD.size + 4 * n_wide
    if n > MAX_LEVELS or n_wide > n or at > len(packed):
        raise DamagedTableError(tr("the list of levels is not one"))
    try:
        if zstandard.frame_content_size(packed[at:]) != n:
            raise DamagedTableError("the list of levels does not hold {count} of them", count=n)
        codes = np.frombuffer(zstandard.ZstdDecompressor().decompress(packed[at:]), np.uint8)
    except zstandard.ZstdError as error:
        raise DamagedTableError(
            "the list of levels cannot be unpacked: {error}", error=error
        ) from error
    wide = np.frombuffer(packed, "<u4", n_wide, _HEAD.size)
    if codes.max(initial=0) >= GAPS.size or np.count_nonzero(codes == WIDE) != n_wide:
        raise DamagedTableError(tr("the list of levels has impossible gaps"))
    return Codebook(codes, wide, bool(has_one), max_error)
