"""Arrays that are gone through in order: what is asked for is there, and all that is read is."""

import errno
import io
import mmap
import sys
import tempfile
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablebase.build.band_exchange as band_exchange
import tablebase.build.layer_window as layer_window
import tablebase.memory.arrays as arrays_module
from tablebase.build.band_exchange import BandExchange
from tablebase.build.layer_window import LayerWindow, Window
from tablebase.build.layers import Layers
from tablebase.build.worker_pool import LayerPool, halved, slots_of
from tablebase.errors import DiskFullError
from tablebase.kernels.bits import build_index
from tablebase.kernels.diagonal import Outside
from tablebase.kernels.layer_boards import Solved
from tablebase.memory.arrays import Arrays, Spool, room_in_memory
from tablebase.rank.kernel_tables import Blocks, Places
from tablebase.rank.space import Space

PAGE = mmap.PAGESIZE
BACK = getattr(mmap, "MADV_DONTNEED", None)

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="maps the page file there")


class Told(mmap.mmap):
    """A map that records its advice calls."""

    def madvise(self, *told: int) -> None:  # type: ignore[override]
        self.__dict__.setdefault("calls", []).append(told)
        super().madvise(*told)


@posix_only
@settings(max_examples=40, deadline=None)
@given(sizes=st.lists(st.integers(0, 3 * PAGE // 8), min_size=1, max_size=12), data=st.data())
def test_pieces_asked_for_are_fetched_and_no_others_kept(sizes, data):
    """Pages are there as the system was told; none that is asked for was handed back since."""
    edges = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    mapped = Told(-1, max(8, 8 * int(edges[-1])))
    array = np.frombuffer(mapped, np.uint64)
    array[:] = np.arange(array.size)
    window, here = Window(array, edges), set[int]()
    for _ in range(3):
        wanted = np.array(
            data.draw(st.lists(st.booleans(), min_size=len(sizes), max_size=len(sizes)))
        )
        mapped.__dict__["calls"] = []
        window.keep(wanted)
        for what, begin, length in mapped.__dict__["calls"]:
            assert begin % PAGE == 0
            pages = range(begin // PAGE, -(-(begin + length) // PAGE))
            here = here - set(pages) if what == BACK else here | set(pages)
        must, may = set[int](), set[int]()
        for piece in np.flatnonzero(wanted):
            begin, end = 8 * int(edges[piece]), 8 * int(edges[piece + 1])
            if begin < end:
                must |= set(range(begin // PAGE, -(-end // PAGE)))
        for page in must:
            may |= {page - 1, page, page + 1}  # an end may share its page with a neighbor
        assert must <= here
        assert here <= may | {int(8 * edge) // PAGE for edge in edges}
        assert np.array_equal(array, np.arange(array.size)), "on an unnamed map nothing is lost"


def test_an_array_in_memory_has_no_window():
    values = np.arange(1000.0)
    Window(values, np.array([0, 500, 1000])).keep(np.array([False, True]))
    assert values.sum() == 499_500


@pytest.mark.parametrize("n_slots", [1, 4095, 4096, 4097, 50_000])
def test_an_index_made_in_pieces_is_the_same(tmp_path, monkeypatch, n_slots):
    monkeypatch.setattr(layer_window, "_PIECE_SHIFT", 12)
    rng = np.random.default_rng(n_slots)
    words = rng.integers(0, 1 << 63, n_slots // 64 + 3, np.uint64)
    words &= rng.integers(0, 1 << 63, words.size, np.uint64)
    expected = np.empty(2 * words.size, np.uint64)
    n = int(build_index(words, expected))
    none = Places(*(np.zeros(1, np.int64) for _ in range(3)))
    with Arrays(tmp_path, 1 << 30) as arrays:
        window = LayerWindow(words, none, arrays)
        assert np.array_equal(window.solved.indexed, expected)
        assert window.solved.values.size == n + 1
        assert window.solved.values[-1] == 0.0
        assert window.n_pieces == -(-words.size // 64)


def some_blocks(starts: list[int]) -> Blocks:
    start = np.array(starts, np.int64)
    return Blocks(start, start, start, start.astype(np.int32), Places(start, start, start))


def test_a_band_is_cut_in_two_until_it_is_one_block():
    starts = np.cumsum([0, 5, 300, 1, 1, 40, 2, 90]).tolist()
    blocks, n_slots, seen = some_blocks(starts), 600, list[int]()
    left, found = [(0, 8)], list[tuple[int, int]]()
    while left:
        band = left.pop()
        if band[1] - band[0] == 1:
            found.append(band)
            continue
        middle = halved(blocks, n_slots, band)
        assert band[0] < middle < band[1]
        left += [(middle, band[1]), (band[0], middle)]
    assert found == [(i, i + 1) for i in range(8)]
    assert [slots_of(blocks, n_slots, band) for band in found] == [
        *zip(starts, [*starts[1:], n_slots], strict=True)
    ]
    assert halved(blocks, n_slots, (0, 8)) == 2, "305 of 600 slots"
    with LayerPool(1, lambda: False) as pool:
        for band in ((0, 3), (3, 8)):
            pool.run(blocks, n_slots, lambda _, lo, hi: seen.extend(range(lo, hi)), band)
    assert seen == list(range(8))


@pytest.mark.thorough
@posix_only
@pytest.mark.parametrize(
    ("name", "n"),
    [
        ("442", 30),
        ("tinyshift", 44),
        ("L1", 44),
        ("2x4", 44),
        ("444", 15),
        ("3x3", 40),
        ("3x4", 16),
    ],
)
def test_what_is_marked_is_all_that_new_tiles_are_looked_up_in(
    formations, tmp_path, monkeypatch, name, n
):
    """Values elsewhere are made nonsense: it must not come out."""
    monkeypatch.setattr(layer_window, "_PIECE_SHIFT", 6)
    monkeypatch.setattr(arrays_module, "_ALWAYS_IN_MEMORY", 0)
    monkeypatch.setattr(arrays_module, "_STREAM_SHARE", 1 << 16)  # some pieces in a band
    monkeypatch.setattr(arrays_module, "room_in_memory", lambda *_: 0)  # nor more of them
    real, n_left_out = LayerWindow.keep, [0]
    kept, is_spawning = dict[int, np.ndarray](), False

    def keep(self: LayerWindow, wanted: np.ndarray, *, to_write: bool = False) -> None:
        real(self, wanted, to_write=to_write)
        if to_write or self.n_pieces < 2 or not is_spawning:
            return
        whole = kept.setdefault(id(self), self.solved.values.copy())
        values, before = self.solved.values, self.solved.indexed[1::2]  # ones before each word
        edges = [*before[:: 1 << self.piece_shift - 6].astype(np.int64), values.size]
        values[:-1] = np.nan
        for piece in np.flatnonzero(wanted):
            values[edges[piece] : edges[piece + 1]] = whole[edges[piece] : edges[piece + 1]]
        if wanted.any():
            n_left_out[0] += int((~wanted).sum())
        else:
            values[:] = whole

    monkeypatch.setattr(LayerWindow, "keep", keep)
    space = Space(formations[name], 64, n)
    with LayerPool(1, lambda: False) as pool, Arrays(tmp_path, 1 << 30) as arrays:
        limited, free = Layers(space, 0.1, pool, arrays), Layers(space, 0.1, pool)
        after, pre = [free.seeds()], [free.seeds()]
        for layer in range(1, n):
            pre.append(free.spawn(layer, [after[-1], after[-2] if layer > 1 else None]))
            after.append(free.move(layer, pre[-1]))
        ends = [free.ended(layer, after[layer]) for layer in (n - 1, n - 2)]
        for solved in ends:
            solved.values[:] = np.random.default_rng(3).random(solved.values.size)
        before = [
            [one.rate_moves(layer, pre[layer], solved) for one in (limited, free)]
            for layer, solved in zip((n - 1, n - 2), ends, strict=True)
        ]
        for layer in range(n - 3, n - 9, -1):
            (two_on, free_two_on), (one_on, free_one_on) = before
            kept.clear()
            is_spawning = True
            found = limited.rate_spawns(layer, after[layer], one_on, two_on)
            is_spawning = False
            expected = free.rate_spawns(layer, after[layer], free_one_on, free_two_on)
            assert np.array_equal(found.values, expected.values)
            both = [
                limited.rate_moves(layer, pre[layer], found),
                free.rate_moves(layer, pre[layer], expected),
            ]
            assert np.array_equal(both[0].solved.values, both[1].solved.values)
            before = [before[1], both]
    assert n_left_out[0] > 50


@pytest.mark.thorough
@posix_only
def test_of_several_bands_only_the_one_that_is_there_is_touched(formations, tmp_path, monkeypatch):
    """What lies in others is nonsense as long as they are not there: it must not come out."""
    monkeypatch.setattr(layer_window, "_PIECE_SHIFT", 6)
    monkeypatch.setattr(arrays_module, "_ALWAYS_IN_MEMORY", 0)
    monkeypatch.setattr(arrays_module, "_STREAM_SHARE", 1 << 16)
    monkeypatch.setattr(arrays_module, "room_in_memory", lambda *_: 0)
    real, n_bands = LayerWindow.keep, [0]
    apart = dict[int, tuple[np.ndarray, np.ndarray]]()  # all values, and which of them are there

    def keep(self: LayerWindow, wanted: np.ndarray, *, to_write: bool = False) -> None:
        real(self, wanted, to_write=to_write)
        values, before = self.solved.values, self.solved.indexed[1::2]  # ones before each word
        edges = [*before[:: 1 << self.piece_shift - 6].astype(np.int64), values.size - 1]
        whole, here = apart.pop(id(self), (values.copy(), np.zeros(values.size, np.bool_)))
        whole[here] = values[here]
        if not wanted.any():
            values[:] = whole
            return
        n_bands[0] += 1
        here = np.repeat(wanted, np.diff(edges))
        here = np.append(here, True)  # the spare one
        values[:] = np.where(here, whole, 7.0)
        apart[id(self)] = whole, here

    monkeypatch.setattr(LayerWindow, "keep", keep)
    space = Space(formations["L1"], 64, 44)
    with LayerPool(2, lambda: False) as pool, Arrays(tmp_path, 1 << 30) as arrays:
        limited, free = Layers(space, 0.1, pool, arrays), Layers(space, 0.1, pool)
        after, pre = [free.seeds()], [free.seeds()]
        for layer in range(1, 44):
            pre.append(free.spawn(layer, [after[-1], after[-2] if layer > 1 else None]))
            after.append(free.move(layer, pre[-1]))
        for layer in range(20, 30):
            solved = free.ended(layer, after[layer])
            solved.values[:-1] = np.random.default_rng(layer).random(solved.values.size - 1)
            found, expected = (one.rate_moves(layer, pre[layer], solved) for one in (limited, free))
            assert np.array_equal(found.solved.values, expected.solved.values)
    assert n_bands[0] > 50


@pytest.mark.parametrize("seed", range(6))
def test_values_sent_from_band_to_band_are_the_greater_of_two(tmp_path, monkeypatch, seed):
    monkeypatch.setattr(band_exchange, "_MIN_LETTERS", 3)
    rng = np.random.default_rng(seed)
    n_slots, n_bands = 6000, [2, 2, 3, 8, 9, 30][seed]
    words = rng.integers(0, 1 << 63, n_slots // 64 + 2, np.uint64)
    words[-1] = 0
    indexed = np.zeros(2 * words.size, np.uint64)
    n = int(build_index(words, indexed))
    slots = np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little").view(np.bool_))
    values = np.append(rng.integers(0, 50, n) / 50, 0.0)
    image = np.arange(n)
    pairs = rng.permutation(n)[: n // 2 * 2].reshape(-1, 2)
    image[pairs[:, 0]], image[pairs[:, 1]] = pairs[:, 1], pairs[:, 0]
    expected = np.append(np.maximum(values[:n], values[image]), 0.0)
    starts = np.sort(rng.choice(np.arange(1, n_slots), n_bands - 1, replace=False))
    starts = [0, *starts.tolist()]
    band_of = np.searchsorted(starts, slots, "right") - 1
    writes = np.zeros(n, np.bool_)  # of each two, either one
    writes[np.where(rng.random(len(pairs)) < 0.5, pairs[:, 0], pairs[:, 1])] = True
    none = Places(*(np.zeros(1, np.int64) for _ in range(3)))
    waiting = np.zeros((2, 5), np.uint64)
    with LayerPool(2, lambda: False) as pool, Arrays(tmp_path, 1 << 30) as arrays:
        solved = Solved(indexed, values, none)
        with BandExchange(solved, starts, 0, arrays, pool, waiting) as exchange:
            for band in range(n_bands):
                own = np.flatnonzero(band_of == band)
                inside = own[band_of[image[own]] == band]
                values[inside] = np.maximum(values[inside], values[image[inside]])
                writing = own[writes[own] & (band_of[image[own]] != band)]
                for some in np.split(writing, [writing.size // 3]):
                    listed = np.zeros((2, some.size + 2), np.uint64)
                    listed[:, : some.size] = slots[image[some]], some
                    count = np.array([some.size])
                    nowhere = np.uint64(0), np.uint64(0)
                    exchange.write(band, Outside(*nowhere, listed[0], listed[1], count))
                exchange.send(band)
                exchange.answer(band)
            for band in range(n_bands):
                exchange.answer(band)
                exchange.read(band)
                assert not exchange.has_messages(band)
    assert np.array_equal(values, expected)


def test_numbers_are_read_from_a_spool_in_any_order(tmp_path):
    parts = [np.arange(5, dtype=np.uint32), np.arange(3) / 7, np.arange(9, dtype=np.uint32)]
    with closing(Spool(tmp_path)) as spool:
        places = [spool.add(part) for part in parts]
        for i in (2, 0, 1, 0):
            found = spool.read(places[i])
            assert found.dtype == parts[i].dtype
            assert np.array_equal(found, parts[i])


def test_a_full_drive_is_told_when_numbers_are_spooled(tmp_path, monkeypatch):
    class Full(io.BytesIO):
        def write(self, _bytes: object) -> int:
            raise OSError(errno.ENOSPC, "no room")

    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: Full())
    with closing(Spool(tmp_path)) as spool, pytest.raises(DiskFullError):
        spool.add(np.arange(5))


def test_arrays_have_most_of_the_limit_and_never_nothing():
    assert room_in_memory(4 << 30) > 3 << 30
    assert room_in_memory(4 << 30, 1 << 30) == room_in_memory(4 << 30) - (1 << 30)
    assert room_in_memory(240 << 20) == (240 << 20) // 12
