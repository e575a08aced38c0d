"""Arrays that are gone through in order: what is asked for is there, and all that is read is."""

import mmap
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablebase.build.layer_window as layer_window
import tablebase.memory.arrays as arrays_module
from tablebase.build.layer_window import LayerWindow
from tablebase.build.passes import Layers
from tablebase.build.worker_pool import LayerPool, halved, slots_of
from tablebase.formation.formation import Formation
from tablebase.kernels.bits import build_index
from tablebase.kernels.diagonal import count_before, raise_listed
from tablebase.kernels.layer_boards import Solved
from tablebase.memory.arrays import Arrays, room_in_memory
from tablebase.memory.window import Window
from tablebase.rank.kernel_tables import Blocks, Places
from tablebase.rank.space import Space

PAGE = mmap.PAGESIZE
BACK = getattr(mmap, "MADV_DONTNEED", None)

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="maps the page file there")


class Told(mmap.mmap):
    """A map that remembers what it was told."""

    def madvise(self, *told: int) -> None:  # type: ignore[override]
        self.__dict__.setdefault("calls", []).append(told)
        super().madvise(*told)


@posix_only
@settings(max_examples=40, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 3 * PAGE // 8), min_size=1, max_size=12),
    data=st.data(),
)
def test_pieces_asked_for_are_fetched_and_no_others_kept(
    sizes: list[int], data: st.DataObject
) -> None:
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


def test_an_array_in_memory_has_no_window() -> None:
    values = np.arange(1000.0)
    Window(values, np.array([0, 500, 1000])).keep(np.array([False, True]))
    assert values.sum() == 499_500


@pytest.mark.parametrize("n_slots", [1, 4095, 4096, 4097, 50_000])
def test_an_index_made_in_pieces_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_slots: int
) -> None:
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


def test_a_band_is_cut_in_two_until_it_is_one_block() -> None:
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


@posix_only
@pytest.mark.parametrize(("name", "n"), [("442", 30), ("tinyshift", 44), ("L1", 44)])
def test_what_is_marked_is_all_that_new_tiles_are_looked_up_in(
    formations: dict[str, Formation],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    n: int,
) -> None:
    """Values elsewhere are made nonsense: it must not come out."""
    monkeypatch.setattr(layer_window, "_PIECE_SHIFT", 6)
    monkeypatch.setattr(arrays_module, "_ALWAYS_IN_MEMORY", 0)
    monkeypatch.setattr(arrays_module, "_STREAM_SHARE", 1 << 16)  # some pieces in a band
    monkeypatch.setattr(arrays_module, "room_in_memory", lambda _limit: 0)  # nor more of them
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


def test_only_images_within_the_range_are_raised() -> None:
    rng = np.random.default_rng(5)
    words = rng.integers(0, 1 << 63, 4, np.uint64)
    indexed = np.zeros(10, np.uint64)
    n = int(build_index(np.append(words, np.uint64(0)), indexed))
    slots = np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little"))
    none = Places(*(np.zeros(1, np.int64) for _ in range(3)))
    own = np.flatnonzero((slots >= 64) & (slots < 192))
    images = rng.permutation(slots)[: own.size]
    images[::3] = -1
    first, last = sorted(images[images >= 0])[1], sorted(images)[-2]  # from the one to the other
    values = rng.random(n + 1)
    expected = values.copy()
    for position, image in zip(own, images, strict=True):
        if first <= image < last:
            at = int(np.searchsorted(slots, image))
            expected[position] = expected[at] = max(expected[position], expected[at])
    assert not np.array_equal(values, expected)
    pre = Solved(indexed, values, none)
    assert count_before(indexed, 64) == own[0]
    raise_listed(pre, 64, 192, images, int(own[0]), int(first), int(last))
    assert np.array_equal(values, expected)


def test_arrays_have_most_of_the_limit_and_never_nothing() -> None:
    assert room_in_memory(4 << 30) > 3 << 30
    assert room_in_memory(240 << 20) == (240 << 20) // 12
