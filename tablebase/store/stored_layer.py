"""The whole content of a layer file in working arrays, and its reduction to fewer boards."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from engine.platform.array_types import F64, U64, Bools
from tablebase.kernels.bits import bitmap_words, pack_rates
from tablebase.kernels.optimal_replies import mark_common
from tablebase.memory.arrays import Arrays, parts
from tablebase.store.layer_file import LayerFile
from tablebase.store.rates import EncodedRates, RateType

_Kind = TypeVar("_Kind", bound=np.generic)


@dataclass(frozen=True)
class StoredLayer:
    """The content of one layer file."""

    words: U64  # uint64[...]: bitmap of the stored boards
    encoded: EncodedRates  # their rates in stored form
    rates: F64  # float64[n]: their rates
    max_error: float  # largest difference between a rate and its stored value

    def reduced_to(self, kept: U64, arrays: Arrays) -> "StoredLayer":
        marks = arrays.empty(self.rates.size, np.bool_)
        mark_common(self.words, kept, marks)
        words = arrays.empty(self.words.size, np.uint64)
        np.bitwise_and(self.words, kept, out=words)
        encoded = EncodedRates(_chosen(self.encoded.values, marks, arrays), self.encoded.levels)
        return StoredLayer(words, encoded, _chosen(self.rates, marks, arrays), self.max_error)


def _chosen(values: npt.NDArray[_Kind], marks: Bools, arrays: Arrays) -> npt.NDArray[_Kind]:
    chosen: npt.NDArray[_Kind] = arrays.empty(int(np.count_nonzero(marks)), values.dtype)
    at = 0
    for part in parts(values.size):
        some = values[part][marks[part]]
        chosen[at : at + some.size] = some
        at += some.size
    return chosen


def read_stored(file: LayerFile, arrays: Arrays) -> StoredLayer:
    words = arrays.zeros(bitmap_words(file.n_slots), np.uint64)
    values = arrays.empty(file.stored, file.rate.dtype)
    at = done = 0
    for i in range(file.n_blocks):
        bitmap, stored = file.block_as_stored(i)
        part = min(bitmap.size, words.size - 2 - at)
        words[at : at + part] = bitmap[:part]
        values[done : done + stored.size] = stored
        at, done = at + part, done + stored.size
    encoded = EncodedRates(values, file.levels)
    return StoredLayer(words, encoded, decoded(encoded, file.rate, arrays), file.max_error)


def encoded_rates(
    words: U64, rates: F64, rate: RateType, threshold: float, arrays: Arrays
) -> tuple[U64, EncodedRates]:
    """Return the bitmap of the boards that are stored in a rate type, and their rates.

    Boards with a rate up to `threshold` are not stored, nor those whose stored rate would be 0.
    `words` is a bitmap, `rates` (float64[n]) has the rate of each of its n ones.
    """
    stored_bits = arrays.zeros(words.size, np.uint64)
    # Levels are chosen from all exact rates of the layer; other types convert each by itself.
    stored = arrays.empty(rates.size + 1, np.float64 if rate.has_levels else rate.dtype)
    n = pack_rates(words, rates, threshold, rate.scale, rate.is_rounded, words, stored_bits, stored)
    if rate.has_levels:
        return stored_bits, rate.encode(stored[:n], arrays.empty)
    return stored_bits, EncodedRates(stored[:n])


def decoded(encoded: EncodedRates, rate: RateType, arrays: Arrays) -> F64:
    rates = arrays.empty(encoded.values.size, np.float64)
    levels = encoded.levels.rates() if encoded.levels else None
    for part in parts(rates.size):
        if levels is None:
            rate.decode_many(encoded.values[part], rates[part])
        else:
            rates[part] = levels[encoded.values[part]]
    return rates
