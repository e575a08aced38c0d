"""A layer file answers what was written, whichever way it is asked, and notices any damage."""

import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tablebase.errors import (
    DamagedTableError,
    MissingTableError,
    TableFormatError,
    UnreadableTableError,
)
from tablebase.store.codecs import (
    BLOCK_SLOTS,
    COMPRESSIONS,
    MAX_BLOCK_SLOTS,
    block_slots,
    blocks_for,
)
from tablebase.store.layer_file import CACHE_BYTES, LayerFile, WrittenLayer, pack_layer
from tablebase.store.rates import RATE_TYPES, find_rate_type

N_SLOTS = 3 * BLOCK_SLOTS + 777  # the second block holds nothing, the last one is short

Opener = Callable[..., LayerFile]

every_rate = pytest.mark.parametrize("name", RATE_TYPES)


class Layer(NamedTuple):
    """What is stored: ascending slots, their rates, and the bitmap with two spare words."""

    slots: np.ndarray
    rates: np.ndarray
    words: np.ndarray


@pytest.fixture(scope="module")
def layer() -> Layer:
    rng = np.random.default_rng(1)
    is_stored = rng.random(N_SLOTS) < 0.2  # enough for the smallest blocks
    is_stored[BLOCK_SLOTS : 2 * BLOCK_SLOTS] = False
    is_stored[[0, BLOCK_SLOTS - 1, N_SLOTS - 1]] = True
    slots = np.flatnonzero(is_stored)
    different = rng.beta(0.3, 0.3, slots.size // 2).clip(1e-6, 1.0)
    rates = rng.choice(different, slots.size)
    rates[::10] = 1.0
    packed = np.packbits(is_stored, bitorder="little")
    words = np.zeros((N_SLOTS + 63) // 64 + 2, np.uint64)
    words.view(np.uint8)[: packed.size] = packed
    return Layer(slots, rates, words)


def write(folder: Path, layer: Layer, name: str = "uint32", level: int = 1) -> WrittenLayer:
    folder.mkdir(exist_ok=True)
    rate = find_rate_type(name)
    encoded = rate.encode(layer.rates)
    packed = pack_layer(7, rate, N_SLOTS, 2 * layer.slots.size, layer.words, encoded, level)
    return packed.write(folder)


@pytest.fixture
def opened() -> Iterator[Opener]:
    """Return ``opened(path, cache_bytes=...) -> LayerFile``, closed when the test is over."""
    with ExitStack() as files:

        def open_one(path: Path, cache_bytes: int = CACHE_BYTES) -> LayerFile:
            return files.enter_context(closing(LayerFile(path, cache_bytes)))

        yield open_one


def check(path: Path) -> None:
    """Read the whole file, comparing every checksum."""
    with closing(LayerFile(path)) as file:
        for _ in file.check_blocks():
            pass


@pytest.mark.parametrize("level", range(len(COMPRESSIONS)))
@every_rate
def test_all_values_come_back(name, level, layer, tmp_path, opened):
    file = opened(tmp_path / write(tmp_path, layer, name, level).file)
    assert (file.layer, file.rate.name, file.n_slots) == (7, name, N_SLOTS)
    assert (file.n_boards, file.stored) == (2 * layer.slots.size, layer.slots.size)
    parts = [file.slots_and_values(i) for i in range(file.n_blocks)]
    assert np.array_equal(np.concatenate([slots for slots, _ in parts]), layer.slots)
    found = file.rate.decode_many(np.concatenate([values for _, values in parts]))
    assert np.abs(found - layer.rates).max() <= file.max_error
    if file.rate.has_levels:
        assert np.array_equal(found == 1.0, layer.rates == 1.0)


@every_rate
def test_every_way_of_asking_gives_the_same(name, layer, tmp_path, opened):
    file = opened(tmp_path / write(tmp_path, layer, name).file)
    rng = np.random.default_rng(2)
    asked = np.concatenate(
        [
            rng.integers(0, N_SLOTS, 500),
            rng.choice(layer.slots, 500),
            [-1, 0, N_SLOTS - 1, BLOCK_SLOTS, 2 * BLOCK_SLOTS, -(10**9)],
        ]
    )
    many = file.values_at(asked)
    rate_of = dict(zip(layer.slots.tolist(), layer.rates.tolist(), strict=True))
    for slot, rate in zip(asked.tolist(), many.tolist(), strict=True):
        stored = file.value(slot) if slot >= 0 else None
        assert rate == (0.0 if stored is None else file.rate.decode(stored))
        assert (stored is None) == (slot not in rate_of)
        assert rate == pytest.approx(rate_of.get(slot, 0.0), abs=max(file.max_error, 1e-15))


def test_asking_for_nothing_gives_nothing(layer, tmp_path, opened):
    assert opened(tmp_path / write(tmp_path, layer).file).values_at(np.empty(0, np.int64)).size == 0


def test_a_small_cache_changes_nothing(layer, tmp_path, opened):
    path = tmp_path / write(tmp_path, layer).file
    asked = np.random.default_rng(3).permutation(layer.slots)[:2000]
    small, large = opened(path, cache_bytes=1), opened(path)
    assert np.array_equal(small.values_at(asked), large.values_at(asked))
    for slot in asked[:20].tolist():
        assert small.value(slot) == large.value(slot)


def test_the_position_of_a_stored_board_is_found(layer, tmp_path, opened):
    file = opened(tmp_path / write(tmp_path, layer).file)
    for i in (0, 1, layer.slots.size // 2, layer.slots.size - 1):
        i_block, before = file.block_of(i)
        assert file.slots_and_values(i_block)[0][i - before] == layer.slots[i]


@pytest.mark.parametrize("level", range(len(COMPRESSIONS)))
@every_rate
def test_same_input_same_bytes(name, level, layer, tmp_path):
    one, other = (write(tmp_path / part, layer, name, level) for part in "ab")
    assert one == other
    assert (tmp_path / "a" / one.file).read_bytes() == (tmp_path / "b" / one.file).read_bytes()
    assert one.bytes == (tmp_path / "a" / one.file).stat().st_size


@every_rate
def test_an_empty_layer_can_be_written(name, tmp_path, opened):
    nothing = Layer(np.empty(0, np.int64), np.empty(0), np.zeros(N_SLOTS // 64 + 3, np.uint64))
    file = opened(tmp_path / write(tmp_path, nothing, name).file)
    assert file.stored == 0
    assert file.value(5) is None
    assert not file.values_at(np.arange(5)).any()


@pytest.mark.parametrize("name", ["uint32", "uint16"])
def test_every_flipped_bit_is_found(name, layer, tmp_path):
    written = write(tmp_path, layer, name)
    path = tmp_path / written.file
    whole = path.read_bytes()
    rng = np.random.default_rng(4)
    for at in [*range(60), len(whole) - 1, *rng.integers(60, len(whole), 60).tolist()]:
        damaged = bytearray(whole)
        damaged[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        with pytest.raises((DamagedTableError, TableFormatError)) as caught:
            check(path)
        assert path.name in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_flipped_bit_is_found_when_its_block_is_asked_for(layer, tmp_path, opened):
    path = tmp_path / write(tmp_path, layer).file
    damaged = bytearray(path.read_bytes())
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    file = opened(path)
    assert file.value(int(layer.slots[0])) is not None
    with pytest.raises(DamagedTableError, match="checksum"):
        file.value(N_SLOTS - 1)
    with pytest.raises(DamagedTableError, match="checksum"):
        file.values_at(layer.slots)


@pytest.mark.parametrize("keep", [0, 10, 59, 100, -1])
def test_a_shortened_file_is_found(keep, layer, tmp_path):
    path = tmp_path / write(tmp_path, layer, "uint16").file
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises((DamagedTableError, TableFormatError)):
        check(path)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(MissingTableError, match=r"layer-0007\.tbl"):
        LayerFile(tmp_path / "layer-0007.tbl")


@pytest.mark.skipif(os.name == "nt", reason="no open file can be moved there")
def test_a_file_that_was_moved_since_it_was_opened_is_no_damage(layer, tmp_path):
    """One of many, which hold no descriptor: `relocate` has no way to tell who has them open."""
    path = tmp_path / write(tmp_path, layer, "uint16").file
    file = LayerFile(path)
    file.close()
    path.rename(tmp_path / "elsewhere.tbl")
    with pytest.raises(MissingTableError) as told:
        file.slots_and_values(0)
    assert all(words in str(told.value) for words in (str(path), "no longer there", "moved"))
    assert "build" not in str(told.value)
    path.mkdir()
    with pytest.raises(MissingTableError, match=r"cannot open .* verify the table, or build"):
        file.slots_and_values(0)


def few_boards(n_slots: int, one_in: int) -> Layer:
    slots = np.arange(0, n_slots, one_in)
    words = np.zeros((n_slots + 63) // 64 + 2, np.uint64)
    np.bitwise_or.at(words, slots >> 6, np.uint64(1) << (slots & 63).astype(np.uint64))
    return Layer(slots, np.random.default_rng(5).random(slots.size).clip(0.01), words)


@pytest.mark.parametrize("n_slots", [777, N_SLOTS, 9 * BLOCK_SLOTS + 5, 2 * MAX_BLOCK_SLOTS + 77])
@pytest.mark.parametrize("one_in", [3, 12, 40, 900])
def test_few_boards_lie_in_larger_blocks(n_slots, one_in, tmp_path, opened):
    few, rate = few_boards(n_slots, one_in), find_rate_type("uint32")
    packed = pack_layer(7, rate, n_slots, few.slots.size, few.words, rate.encode(few.rates))
    written = packed.write(tmp_path)
    file = opened(tmp_path / written.file)
    assert BLOCK_SLOTS <= file.block_slots <= MAX_BLOCK_SLOTS
    assert file.n_blocks == -(-n_slots // file.block_slots)
    if one_in == 3:
        assert file.block_slots == BLOCK_SLOTS, "there are enough boards in the smallest ones"
    if one_in == 900 and n_slots > MAX_BLOCK_SLOTS:
        assert file.block_slots == MAX_BLOCK_SLOTS
    found = np.concatenate([file.slots_and_values(i)[0] for i in range(file.n_blocks)])
    assert np.array_equal(found, few.slots)
    asked = np.random.default_rng(6).integers(0, n_slots, 300)
    rates = dict(zip(few.slots.tolist(), few.rates.tolist(), strict=True))
    expected = [rates.get(slot, 0.0) for slot in asked.tolist()]
    assert file.values_at(asked) == pytest.approx(expected, abs=2e-10)
    for slot, one in zip(asked[:30].tolist(), expected, strict=False):
        value = file.value(slot)
        assert (0.0 if value is None else rate.decode(value)) == pytest.approx(one, abs=2e-10)


def test_layers_with_the_blocks_of_older_tables_are_read(tmp_path, opened, monkeypatch):
    """Of 131,072 slots each, however few boards they held."""
    few, rate = few_boards(N_SLOTS, 40), find_rate_type("uint32")
    monkeypatch.setattr("tablebase.store.codecs._WORTH_A_BLOCK", 0)
    encoded = rate.encode(few.rates)
    packed = pack_layer(7, rate, N_SLOTS, few.slots.size, few.words, encoded)
    written = packed.write(tmp_path)
    monkeypatch.undo()
    file = opened(tmp_path / written.file)
    assert (file.n_blocks, file.block_slots) == (4, BLOCK_SLOTS)
    assert np.abs(file.values_at(few.slots) - few.rates).max() < 2e-10


def test_the_number_of_blocks_tells_their_size():
    for n_slots in (1, BLOCK_SLOTS, BLOCK_SLOTS + 1, 10**6, 3 * 10**6, 10**9):
        for n_stored in (0, 1, n_slots // 200, n_slots // 30, n_slots // 5):
            n_blocks, size = blocks_for(n_slots, n_stored)
            assert n_blocks * size >= n_slots > (n_blocks - 1) * size
            assert size == block_slots(n_slots, n_blocks)
    assert block_slots(10**9, 0) == MAX_BLOCK_SLOTS, "damaged, and told by the reader"


@pytest.mark.parametrize("is_released", [False, True])
def test_a_drive_that_fails_is_told_and_over_when_it_is_back(
    layer, tmp_path, monkeypatch, is_released
):
    failing = []

    class Drive(io.BufferedReader):
        def read(self, size: int | None = -1) -> bytes:
            if failing:
                raise OSError(errno.EIO, "Input/output error")
            return super().read(size)

    def open_there(path: Path) -> Drive:
        return Drive(io.FileIO(path))

    path = tmp_path / write(tmp_path, layer).file
    with monkeypatch.context() as patch:
        patch.setattr("tablebase.store.layer_file.open_regular", open_there)
        with closing(LayerFile(path)) as file:
            if is_released:
                file.close()  # one of many, which holds no descriptor
            failing.append(True)
            with pytest.raises(UnreadableTableError, match="Input/output error; is its drive"):
                file.slots_and_values(0)
            failing.clear()
            assert file.slots_and_values(0)[0][0] == 0
