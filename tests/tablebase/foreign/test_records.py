"""Every record of plain and compressed layers, of every rate type, and nothing else."""

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import pytest
import reference_writer as writer
from reference_tables import stored_layers

from tablebase.errors import DamagedTableError
from tablebase.foreign.packed import CompressedLayer
from tablebase.foreign.plain_layer import PlainLayer
from tablebase.foreign.rates import STORED_RATES

RATES = list(writer.RATES)

LayerOpener = Callable[[dict[int, float], int], CompressedLayer]


def test_all_six_rate_types_are_known():
    assert sorted(STORED_RATES) == sorted(RATES)
    assert all(STORED_RATES[rate].record.itemsize == (12 if "32" in rate else 16) for rate in RATES)


@pytest.mark.parametrize("rate", RATES)
def test_stored_values_decode_to_the_rate(rate):
    stored_rate = STORED_RATES[rate]
    for p in (0.0, 1e-9, 0.1, 0.5, 0.99999, 1.0):
        value = np.array([writer.stored_value(rate, p)], stored_rate.dtype)
        assert stored_rate.decode(value)[0] == writer.stored_rate(rate, p)
    too_much = int(writer.stored_value(rate, 1.0)) + (10**7 if "32" in rate else 2 * 10**12)
    for nonsense in [too_much, *([] if "u" in rate else [np.nan, -3, np.inf])]:
        assert np.isnan(stored_rate.decode(np.array([nonsense], stored_rate.dtype))[0])


@pytest.mark.parametrize("packed", [False, True], ids=["book", "packed"])
@pytest.mark.parametrize("rate", RATES)
def test_every_record_is_read(rate, packed, written, opened, solution):
    layers = stored_layers(solution("tinymirror", 64), rate)
    with opened(written("tinymirror", 64, rate, packed)) as table:
        assert table.stored == sum(map(len, layers))
        for i, want in enumerate(layers):
            boards, raws = table.layer_boards(i)
            assert boards.tolist() == sorted(want)
            assert raws.tolist() == [
                writer.stored_value(rate, want[board]) for board in sorted(want)
            ]
            pieces = list(table.records(i))
            rates = [p for _, piece in pieces for p in piece.tolist()]
            order = list(want) if i == 0 else sorted(want)
            assert rates == [writer.stored_rate(rate, want[board]) for board in order]


@pytest.mark.parametrize("packed", [False, True], ids=["book", "packed"])
def test_every_board_is_found_and_no_other(packed, tmp_path, solution):
    rng = random.Random(1)
    stored_rate = STORED_RATES["uint32"]
    for i, layer in enumerate(stored_layers(solution("tinyangle", 64), "uint32")):
        if i % 9 != 5 or not layer:
            continue
        if packed:
            path = writer.write_packed(tmp_path, "t_64", i, layer, "uint32", rng.randrange(1, 200))
            opened: PlainLayer | CompressedLayer = CompressedLayer(path, stored_rate)
        else:
            path = writer.write_book(tmp_path, "t_64", i, layer, "uint32")
            opened = PlainLayer(path, stored_rate)
        some = [*rng.sample(sorted(layer), min(len(layer), 200)), min(layer), max(layer)]
        with closing(opened):
            for board in some:
                assert opened.find(board) == int(layer[board] * 4e9)
            near = [board ^ 1 << rng.randrange(64) for board in some] + [0, (1 << 64) - 1]
            assert all(opened.find(board) is None for board in near if board not in layer)
            assert opened.count() == len(layer)


@pytest.fixture
def opened_layer(tmp_path: Path) -> Iterator[LayerOpener]:
    """Return ``opened_layer(layer, rows) -> PackedLayer``, closed when the test is over."""
    with ExitStack() as layers:

        def open_one(layer: dict[int, float], rows: int) -> CompressedLayer:
            path = writer.write_packed(tmp_path, "t_64", 7, layer, "uint32", rows)
            return layers.enter_context(closing(CompressedLayer(path, STORED_RATES["uint32"])))

        yield open_one


def test_a_low_half_of_another_prefix_in_row_0_is_no_match(opened_layer):
    """The board wanted has the low half that row 0 of its stream has under another prefix."""
    low = 0x1FFF_5FFF
    layer = {0x10 << 32 | low: 1.0, 0x11 << 32 | 3: 0.5, 0x12 << 32 | low: 0.9}
    opened = opened_layer(layer, 100)
    for board, p in layer.items():
        assert opened.find(board) == int(p * 4e9)
    assert opened.find(0x11 << 32 | low) is None


@pytest.mark.parametrize("n_first", [1, 2, 5])
@pytest.mark.parametrize("rows", [1, 2, 4, 100])
def test_a_stream_whose_first_group_is_a_single_row(opened_layer, n_first, rows):
    """Its last row is row 0, which elsewhere means the end of the stream."""
    layer = {0x0153_4231 << 32 | i: 0.25 + i / 100 for i in range(n_first)}
    layer |= {0x0153_4232 << 32 | 7: 0.5}
    layer |= {0x0153_4233 << 32 | i: 0.75 + i / 1000 for i in range(3)}
    layer |= {0x1153_4233 << 32 | 7: 0.125}
    opened = opened_layer(layer, rows)
    for board, p in layer.items():
        assert opened.find(board) == int(p * 4e9), hex(board)
    for high in {board >> 32 for board in layer}:
        for low in range(10):
            board = high << 32 | low
            assert (opened.find(board) is None) == (board not in layer), hex(board)
    got = np.concatenate(list(opened.chunks()))
    assert got["board"].tolist() == sorted(layer)


def test_streams_of_the_real_length(opened_layer):
    """More than 32,768 rows, and a last group that does not fit into 16 bits."""
    layer = {high << 32 | low: 0.5 for high in (3, 4, 6) for low in range(0, 90_000, 3)}
    layer |= {9 << 32 | low: 0.25 for low in range(70_000)}
    layer |= {2 << 56 | low: 0.75 for low in range(5)}
    opened = opened_layer(layer, 32768)
    assert opened.count() == len(layer)
    rng = random.Random(3)
    for board in rng.sample(sorted(layer), 300):
        assert opened.find(board) == int(layer[board] * 4e9)
    got = np.concatenate(list(opened.chunks()))
    assert np.array_equal(got["board"], np.array(sorted(layer), np.uint64))
    assert np.array_equal(got["rate"], np.array([layer[b] * 4e9 for b in sorted(layer)], np.uint32))


def test_an_empty_compressed_layer_has_nothing(opened_layer):
    opened = opened_layer({}, 10)
    assert (opened.count(), opened.find(0), list(opened.chunks())) == (0, None, [])


@pytest.mark.parametrize("suffix", ["z", "i", "ii", "s"])
def test_a_cut_file_of_a_compressed_layer_is_named(tmp_path, suffix):
    layer = {high << 32 | low: 0.5 for high in range(9) for low in range(50)}
    path = writer.write_packed(tmp_path, "t_64", 7, layer, "uint32", 40)
    file = path / f"t_64_7.{suffix}"
    whole = file.read_bytes()
    for length in range(0, len(whole), 1 + len(whole) // 100):
        file.write_bytes(whole[:length])
        with pytest.raises(DamagedTableError, match=r"t_64_7\.(z|ii?|s) "):
            CompressedLayer(path, STORED_RATES["uint32"])


def test_a_cut_book_is_named_with_what_was_expected(tmp_path):
    path = writer.write_book(tmp_path, "t_64", 7, {1: 0.5, 2: 0.25}, "uint32")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(
        DamagedTableError, match=r"t_64_7\.book has 23 bytes, expected a multiple of 12"
    ):
        PlainLayer(path, STORED_RATES["uint32"])


def test_a_book_out_of_order_is_refused_where_the_search_meets_it(tmp_path):
    layer = dict.fromkeys(range(5000), 0.5)
    path = writer.write_book(tmp_path, "t_64", 7, layer, "uint32")
    records = [path.read_bytes()[i : i + 12] for i in range(0, 60000, 12)]
    path.write_bytes(b"".join([*records[3000:], *records[:3000]]))
    with (
        closing(PlainLayer(path, STORED_RATES["uint32"])) as opened,
        pytest.raises(DamagedTableError, match="not in ascending order"),
    ):
        opened.find(100)


def test_levels_whose_fillers_are_empty_are_told_by_their_nodes(tmp_path):
    """The fillers of the upper two levels may have been left at (0, 0)."""
    rng = random.Random(8)
    layer = {rng.randrange(1 << 64) & 0x3_0307_0300_0000_0FFF: 0.5 for _ in range(400)}
    path = writer.write_packed(tmp_path, "t_64", 7, layer, "uint32", 20)
    file = path / "t_64_7.i"
    whole = file.read_bytes()
    second = int.from_bytes(whole[6:10], "little")
    empty = bytes(5)
    file.write_bytes(whole[:5] + empty + whole[10 : 5 * second] + empty + whole[5 * second + 5 :])
    assert file.stat().st_size == len(whole)
    with closing(CompressedLayer(path, STORED_RATES["uint32"])) as opened:
        assert all(opened.find(board) == 2_000_000_000 for board in layer)
        got = np.concatenate(list(opened.chunks()))
    assert got["board"].tolist() == sorted(layer)


def test_levels_without_any_filler_are_damage(tmp_path):
    layer = {high << 32 | low: 0.5 for high in range(9) for low in range(50)}
    path = writer.write_packed(tmp_path, "t_64", 7, layer, "uint32", 40)
    file = path / "t_64_7.i"
    n = len(file.read_bytes()) // 5
    file.write_bytes(b"\7\0\0\0\0".join([b"\7\1\0\0\0", b"\7\1\0\0\0" * (n - 2)]))
    with pytest.raises(DamagedTableError, match="its levels do not fit together"):
        CompressedLayer(path, STORED_RATES["uint32"])
