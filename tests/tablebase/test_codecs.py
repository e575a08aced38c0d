"""Blocks are unpacked as they were packed, and anything else is reported."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablebase.errors import DamagedTableError
from tablebase.store.codecs import BLOCK_SLOTS, COMPRESSIONS, BlockPacker, BlockReader, most_bytes
from tablebase.store.rates import RATE_TYPES
from tablebase.store.value_dedup import MAX_DISTANCE, TABLE_BITS, split_repeats, take_plane

DTYPES = [np.dtype(name) for name in ("<u2", "<u4", "<u8", "<f4", "<f8")]
BLOCK_WORDS = BLOCK_SLOTS // 64
LEVELS = range(len(COMPRESSIONS))

every_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=str)
every_level = pytest.mark.parametrize("level", LEVELS)


def packed_values(values: np.ndarray, level: int) -> bytes:
    packer = BlockPacker(level, values.dtype, most_bytes(1, values.size, values.dtype))
    packer.add_values(values)
    return packer.packed[: packer.size].tobytes()


def packed_keys(words: np.ndarray, level: int) -> bytes:
    packer = BlockPacker(level, np.dtype("<u4"), most_bytes(1, 0, np.dtype("<u4")))
    assert packer.add_keys(words) == packer.size
    return packer.packed[: packer.size].tobytes()


def values_with_repeats(n: int, n_different: int, dtype: np.dtype, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    raw = rng.integers(0, 256, (n_different, dtype.itemsize), np.uint8)
    return raw[rng.integers(0, n_different, n)].view(dtype).ravel()


def same_bits(one: np.ndarray, other: np.ndarray) -> bool:
    return one.dtype == other.dtype and one.tobytes() == other.tobytes()


def test_every_rate_type_is_tried_here():
    assert {rate.dtype for rate in RATE_TYPES.values()} == set(DTYPES)


@every_level
@every_dtype
@given(n=st.integers(1, 400), n_different=st.integers(1, 400), seed=st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_values_come_back(level, dtype, n, n_different, seed):
    values = values_with_repeats(n, n_different, dtype, seed)
    packed = packed_values(values, level)
    assert same_bits(BlockReader().unpack_values(packed, n, dtype).every(), values)
    assert packed_values(values, level) == packed


@every_level
@pytest.mark.parametrize("n_different", [1, 1000, 1 << 40], ids=["one", "some", "all"])
def test_a_full_block_comes_back(level, n_different):
    n_different = min(n_different, BLOCK_SLOTS)
    values = values_with_repeats(BLOCK_SLOTS, n_different, np.dtype("<u4"), 1)
    packed = packed_values(values, level)
    assert same_bits(BlockReader().unpack_values(packed, values.size, values.dtype).every(), values)


@every_level
@given(n_words=st.integers(0, BLOCK_WORDS), bits=st.integers(1, 2**64 - 1))
@settings(max_examples=20, deadline=None)
def test_keys_come_back(level, n_words, bits):
    words = np.full(n_words, bits, np.uint64)
    found = BlockReader().unpack_keys(packed_keys(words, level))
    assert found[:n_words].tolist() == words.tolist()
    assert not found[n_words:].any()


def test_more_effort_never_takes_more_than_none():
    values = values_with_repeats(20_000, 10_000, np.dtype("<u4"), 2)
    sizes = [len(packed_values(values, level)) for level in LEVELS]
    assert sizes[1] < 0.85 * sizes[0]
    assert all(size <= 1.01 * sizes[1] for size in sizes[2:])


def split_slowly(values: list[int]) -> tuple[list[int], list[int], list[int]]:
    """Return the new values, the flags and the distances, given a table that forgets nothing."""
    last: dict[int, int] = {}
    new, flags, distances = [], [], []
    for i, value in enumerate(values):
        distance = i - last.get(value, i)
        flags.append(int(0 < distance <= MAX_DISTANCE))
        if flags[-1]:
            distances.append(distance)
        else:
            new.append(value)
        last[value] = i
    return new, flags, distances


@pytest.mark.parametrize("n", [1, 7, 8, 1000, MAX_DISTANCE + 100])
def test_repeats_are_found_as_by_a_dictionary(n):
    """With one value per hash the kernel's table forgets nothing either."""
    candidates = np.random.default_rng(3).permutation(1 << 16).astype(np.uint32)
    hashes = (candidates.astype(np.uint64) * np.uint64(0x9E37_79B9_7F4A_7C15)) >> np.uint64(
        64 - TABLE_BITS
    )
    apart = candidates[np.unique(hashes, return_index=True)[1]][:300]
    values = np.random.default_rng(4).choice(apart[1:], n)
    values[0] = values[-1] = apart[0]  # as far apart as can be
    new, flags, distances = split_slowly(values.tolist())
    found, is_repeated = np.empty(n + 1, np.uint32), np.empty(n, np.uint8)
    low, high = np.empty(n + 1, np.uint8), np.empty(n + 1, np.uint8)
    last = np.zeros(1 << TABLE_BITS, np.uint32)
    n_new = int(split_repeats(values, last, found, is_repeated, low, high))
    assert found[:n_new].tolist() == new
    assert is_repeated.tolist() == flags
    assert (low[: n - n_new] + 256 * high[: n - n_new].astype(int)).tolist() == distances


@pytest.mark.parametrize("dtype", ["<u2", "<u4", "<u8"])
def test_planes_are_the_bytes(dtype):
    values = values_with_repeats(1000, 1000, np.dtype(dtype), 5)
    for k in range(values.itemsize):
        plane = np.empty(values.size, np.uint8)
        take_plane(values, np.uint32(8 * k), plane)
        assert plane.tolist() == [int(value).to_bytes(8, "little")[k] for value in values]


@every_level
def test_damaged_values_are_told_or_of_the_right_size(level):
    """The checksum comes first; still, nothing but DamagedTableError may come of damage."""
    values = values_with_repeats(600, 300, np.dtype("<u4"), 6)
    packed = packed_values(values, level)
    rng = np.random.default_rng(7)
    for at in rng.integers(0, len(packed), 300).tolist():
        damaged = bytearray(packed)
        damaged[at] ^= 1 << int(rng.integers(8))
        try:
            found = BlockReader().unpack_values(bytes(damaged), values.size, values.dtype).every()
        except DamagedTableError:
            continue
        assert found.size == values.size


@every_level
def test_cut_values_are_told(level):
    values = values_with_repeats(600, 300, np.dtype("<u4"), 8)
    packed = packed_values(values, level)
    for size in range(0, len(packed), 13):
        with pytest.raises(DamagedTableError):
            BlockReader().unpack_values(packed[:size], values.size, values.dtype)
    with pytest.raises(DamagedTableError):
        BlockReader().unpack_values(packed + b"\0", values.size, values.dtype)
    with pytest.raises(DamagedTableError):
        BlockReader().unpack_values(packed, values.size - 1, values.dtype)


def test_keys_that_are_none_are_told():
    packed = packed_keys(np.full(BLOCK_WORDS, 5, np.uint64), 1)
    for wrong in (b"", b"\0", packed[:-1], packed[::-1]):
        with pytest.raises(DamagedTableError):
            BlockReader().unpack_keys(wrong)


@pytest.mark.parametrize("level", [-1, len(COMPRESSIONS)])
def test_a_level_that_there_is_not_is_refused(level):
    with pytest.raises(ValueError, match="expected 0 to 3"):
        BlockPacker(level, np.dtype("<u4"), 0)
