"""Bitmaps over slots: reading and writing short runs of bits, copying long ones, counting.

A bitmap is uint64[n + 2], bit s of the layer at word ``s >> 6``, bit ``s & 63``; the two spare
words let a run that starts anywhere be read and written as whole words. An *index* is the bitmap
interleaved with the number of ones before each word, uint64[2 n]: one cache line answers both
"is it there" and "which one is it".
"""

import numpy as np

from engine.platform.array_types import U64
from engine.platform.jit import atomic_or, inline_kernel, kernel, pair_at, popcount

_ONE, _LOW6, _64 = np.uint64(1), np.uint64(63), np.uint64(64)


def bitmap_words(n_slots: int) -> int:
    return (n_slots + 63) // 64 + 2


def empty_bitmap(n_slots: int) -> U64:
    return np.zeros(bitmap_words(n_slots), np.uint64)


@inline_kernel
def read_bits(words, start, length):
    """Return up to 64 bits beginning at slot `start`, in the low bits of a uint64."""
    i = np.uint64(start) >> np.uint64(6)
    low = np.uint64(start) & _LOW6
    bits = words[i] >> low | (words[i + _ONE] << _ONE) << (_LOW6 - low)
    if length < 64:
        bits &= (_ONE << np.uint64(length)) - _ONE
    return bits


@inline_kernel
def or_word(words, i, bits, shared):
    """Do ``words[i] |= bits``; atomically if other threads write there too."""
    if not shared:
        words[i] |= bits  # cheaper than checking whether they are set already
    elif bits & ~words[i] != np.uint64(0):
        atomic_or(words, i, bits)


@inline_kernel
def or_bits(words, start, bits, shared):
    """Set, from slot `start` on, the ones of up to 64 bits."""
    i = np.uint64(start) >> np.uint64(6)
    low = np.uint64(start) & _LOW6
    or_word(words, i, bits << low, shared)
    if low != np.uint64(0):
        or_word(words, i + _ONE, bits >> (_64 - low), shared)


@inline_kernel
def set_bit(words, slot, shared):
    slot = np.uint64(slot)
    or_word(words, slot >> np.uint64(6), _ONE << (slot & _LOW6), shared)


@inline_kernel
def or_run(target, to, source, start, length, shared):
    """Set, from slot `to` of `target` on, the ones among `length` bits of `source` from `start`."""
    done = np.int64(0)
    while done < length:
        bits = read_bits(source, start + done, length - done)
        if bits != np.uint64(0):
            or_bits(target, to + done, bits, shared)
        done += 64


@inline_kernel
def is_empty(words, start, length):
    """Return whether a run of any number of bits has no ones."""
    done = np.int64(0)
    while done < length:
        if read_bits(words, start + done, length - done) != np.uint64(0):
            return False
        done += 64
    return True


@kernel
def or_all(target: U64, others: U64) -> None:
    """Merge the bitmaps ``others[k]`` (uint64[k, n]) into `target` (uint64[n])."""
    for k in range(others.shape[0]):
        for i in range(target.size):
            target[i] |= others[k, i]


@kernel
def build_index(words: U64, index: U64) -> np.int64:
    """Fill `index` (uint64[2 n], overwritten) from a bitmap; return the number of ones."""
    count = np.uint64(0)
    for i in range(words.size):
        index[2 * i] = words[i]
        index[2 * i + 1] = count
        count += popcount(words[i])
    return np.int64(count)


@kernel
def build_index_part(words: U64, first: int, last: int, count: np.uint64, index: U64) -> np.uint64:
    """Fill the words of an index from `first` up to `last`, after `count` ones; return that sum."""
    for i in range(first, last):
        index[2 * i] = words[i]
        index[2 * i + 1] = count
        count += popcount(words[i])
    return count


@kernel
def count_ones(words: U64) -> np.int64:
    count = np.uint64(0)
    for i in range(words.size):
        count += popcount(words[i])
    return np.int64(count)


@kernel
def pack_rates(words, rates, threshold, scale, rounded, wanted, kept, stored):
    """Drop boards that need not be stored; return the number that remain.

    `words` is a bitmap, `rates` (float64[>= n]) has the rate of each of its n ones. Only boards of
    the bitmap `wanted` are processed, which may have ones that `words` lacks. Those with a rate at
    or below `threshold` are dropped, and those whose rate times `scale`, with `rounded` to the
    nearest whole number, is stored as 0. The bitmap `kept`, zeros beforehand, receives the others,
    and `stored` (array[m + 1], m boards to process) their rates.
    """
    before = n = np.uint64(0)
    for i in range(words.size):
        word = words[i]
        looked_at, left = word & wanted[i], np.uint64(0)
        while looked_at != np.uint64(0):
            lowest = looked_at & (~looked_at + _ONE)
            looked_at ^= lowest
            at = before + popcount(word & (lowest - _ONE))
            rate = rates[at] * scale
            if rounded:
                rate = np.rint(rate)
            # Which are kept is practically random: no branch, the next one overwrites dropped ones.
            value = stored.dtype.type(rate)
            stored[n] = value
            is_kept = np.uint64((rates[at] > threshold) & (value != 0))
            left |= lowest & (np.uint64(0) - is_kept)
            n += is_kept
        before += popcount(word)
        kept[i] = left
    return np.int64(n)


@inline_kernel
def position(index, slot):
    """Return the number of ones of the indexed bitmap before `slot`."""
    slot = np.uint64(slot)
    word, before = pair_at(index, slot >> np.uint64(6))
    return np.int64(before + popcount(word & ((_ONE << (slot & _LOW6)) - _ONE)))


@inline_kernel
def value_of(index, values, slot):
    """Return the value of the board in `slot`, which must be one of the indexed bitmap."""
    slot = np.uint64(slot)  # unsigned, or every access would check whether the index is negative
    word, before = pair_at(index, slot >> np.uint64(6))
    return values[before + popcount(word & ((_ONE << (slot & _LOW6)) - _ONE))]


@inline_kernel
def value_or_zero(index, values, slot):
    """Return the value of the board in `slot`, 0 if it is not in the indexed bitmap."""
    slot = np.uint64(slot)
    word, before = pair_at(index, slot >> np.uint64(6))
    bit = _ONE << (slot & _LOW6)
    if word & bit == np.uint64(0):
        return 0.0
    return values[before + popcount(word & (bit - _ONE))]


@inline_kernel
def read_indexed(index, start, length):
    """Return up to 64 bits of the indexed bitmap beginning at slot `start`."""
    i = np.uint64(start) >> np.uint64(6)
    low = np.uint64(start) & _LOW6
    bits = pair_at(index, i)[0] >> low | (pair_at(index, i + _ONE)[0] << _ONE) << (_LOW6 - low)
    if length < 64:
        bits &= (_ONE << np.uint64(length)) - _ONE
    return bits


@inline_kernel
def read_window(index, start):
    """Return 64 bits of the indexed bitmap beginning at slot `start`, and the ones before them."""
    i = np.uint64(start) >> np.uint64(6)
    low = np.uint64(start) & _LOW6
    word, before = pair_at(index, i)
    bits = word >> low | (pair_at(index, i + _ONE)[0] << _ONE) << (_LOW6 - low)
    return bits, before + popcount(word & ((_ONE << low) - _ONE))
