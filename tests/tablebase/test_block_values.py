"""Any value of a block is found alone, among others and with all of them: what was packed."""

import numpy as np
import pytest
from test_codecs import packed_values, values_with_repeats

from tablebase.errors import DamagedTableError
from tablebase.store.block_values import BlockValues, repeats_of
from tablebase.store.codecs import BlockReader
from tablebase.store.quick_reader import QuickReader

READERS = pytest.mark.parametrize("reader", [BlockReader(), QuickReader()], ids=["plain", "quick"])
U2 = np.dtype("<u2")


@READERS
@pytest.mark.parametrize(
    ("n", "n_different"),
    [(1, 1), (63, 40), (64, 5), (65, 30), (4000, 3000), (4000, 1), (30_000, 2)],
)
def test_values_are_those_that_were_packed(reader, n, n_different):
    """Of few different ones each stood so often that following it back is given up."""
    values = values_with_repeats(n, n_different, U2, 3)
    packed, rng = packed_values(values, 1), np.random.default_rng(4)
    for n_asked in (1, 7, n):
        places = rng.integers(0, n, n_asked)
        places[-1] = n - 1
        found = reader.unpack_values(packed, n, U2)
        assert found.at(places).tolist() == values[places].tolist()
        assert found.every().tolist() == values.tolist()
        assert found.at(places).tolist() == values[places].tolist()
    for place in {0, n // 2, n - 1, *rng.integers(0, n, 20).tolist()}:
        assert reader.unpack_values(packed, n, U2).one(place) == values[place]


def made(reader: BlockReader, flags: list[int], distances: list[int]) -> BlockValues:
    """Return values of a block: 10, 11, ... where they are not repeated."""
    n, n_new = len(flags), flags.count(0)
    low = np.array([one & 255 for one in distances], np.uint8)
    high = np.array([one >> 8 for one in distances], np.uint8)
    packed_flags = np.packbits(np.array(flags, np.uint8), bitorder="little").tobytes()
    pieces = [packed_flags, low.tobytes(), high.tobytes()]
    new = np.arange(10, 10 + n_new).astype(np.uint16)
    pieces += [(new & 255).astype(np.uint8).tobytes(), (new >> 8).astype(np.uint8).tobytes()]
    packed = len(distances).to_bytes(4, "little")
    packed += b"".join(len(one).to_bytes(4, "little") + one for one in pieces)
    return reader.unpack_values(packed, n, U2)


@READERS
def test_steps_lead_to_the_first_of_equal_ones(reader):
    flags, distances = [0, 0, 1, 0, 1, 1], [2, 1, 3]
    expected = [10, 11, 10, 12, 12, 10]
    for place, value in enumerate(expected):
        assert made(reader, flags, distances).one(place) == value
    assert made(reader, flags, distances).at(np.arange(6)).tolist() == expected
    assert made(reader, flags, distances).every().tolist() == expected


@READERS
@pytest.mark.parametrize("distance", [0, 4, 256])
def test_a_step_out_of_the_block_is_told(reader, distance):
    """By whatever way it is asked; what does not follow from it is not touched by it."""
    flags, distances = [0, 0, 0, 1, 1], [distance, 1]
    assert made(reader, flags, distances).one(2) == 12
    assert made(reader, flags, distances).at(np.array([2, 0])).tolist() == [12, 10]
    for ask in (
        lambda values: values.one(4),
        lambda values: values.at(np.array([0, 4])),
        lambda values: values.every(),
    ):
        with pytest.raises(DamagedTableError, match="points outside its block"):
            ask(made(reader, flags, distances))


def test_flags_that_tell_another_number_are_refused():
    one, zero = np.ones(1, np.uint8), np.zeros(1, np.uint8)
    assert repeats_of(3, b"\2", one, zero).before.tolist() == [0]
    with pytest.raises(DamagedTableError, match="has 2 repeated values, not 1"):
        repeats_of(3, b"\6", one, zero)
    with pytest.raises(DamagedTableError, match="points outside its block"):
        repeats_of(3, b"\10", one, zero)  # the fourth of three


@READERS
def test_what_they_take_shrinks_to_the_values_once_all_are_known(reader):
    values = reader.unpack_values(packed_values(values_with_repeats(4000, 50, U2, 5), 1), 4000, U2)
    before = values.nbytes
    values.every()
    assert before > values.nbytes == 8000
