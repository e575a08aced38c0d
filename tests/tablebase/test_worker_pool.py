"""Threads on one layer: every block once, and one result, whoever writes where."""

import numpy as np
import pytest

from tablebase.build import worker_pool
from tablebase.build.builder import BuildPlan, build
from tablebase.build.worker_pool import LayerPool
from tablebase.errors import BuildCancelledError
from tablebase.formation.patterns_file import load_formations
from tablebase.memory.arrays import Arrays
from tablebase.rank.kernel_tables import Blocks, Places


def some_blocks(n: int, slots_each: int) -> Blocks:
    start = np.arange(n, dtype=np.int64) * slots_each
    return Blocks(start, start, start, start.astype(np.int32), Places(start, start, start))


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("n_blocks", [0, 1, 1000])
def test_every_block_is_worked_on_once(n_threads, n_blocks):
    seen: list[int] = []
    with LayerPool(n_threads, lambda: False) as pool:
        blocks = some_blocks(n_blocks, 5000)
        pool.run(blocks, n_blocks * 5000, lambda _, lo, hi: seen.extend(range(lo, hi)))
    assert sorted(seen) == list(range(n_blocks))


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("n", [1, 2, 100])
def test_every_item_is_worked_on_once(n_threads, n):
    seen: list[int] = []
    with LayerPool(n_threads, lambda: False) as pool:
        pool.run_each(n, lambda _, i: seen.append(i))
    assert sorted(seen) == list(range(n))


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("n_blocks", [0, 1, 1000])
def test_blocks_in_an_order_of_their_own_are_worked_on_once(n_threads, n_blocks):
    ranges: list[tuple[int, int]] = []
    sizes = np.random.default_rng(n_blocks).integers(1, 10_000, n_blocks)
    with LayerPool(n_threads, lambda: False) as pool:
        pool.run_in_order(sizes, lambda _, lo, hi: ranges.append((lo, hi)))
    assert sorted(i for lo, hi in ranges for i in range(lo, hi)) == list(range(n_blocks))
    assert (len(ranges) > 5) == (n_blocks == 1000), "or nothing is shared among threads"


def test_a_wish_to_stop_is_heard_between_ranges():
    done: list[int] = []
    with LayerPool(2, lambda: len(done) >= 3) as pool, pytest.raises(BuildCancelledError):
        pool.run(some_blocks(1000, 5000), 5_000_000, lambda _, lo, hi: done.append(hi - lo))
    assert len(done) < 16


def test_an_error_in_a_thread_comes_out():
    def fail(_worker: int, lo: int, _hi: int) -> None:
        if lo:
            raise ZeroDivisionError

    with LayerPool(2, lambda: False) as pool, pytest.raises(ZeroDivisionError):
        pool.run(some_blocks(1000, 5000), 5_000_000, fail)


@pytest.mark.thorough
def test_bitmaps_of_one_s_own_and_a_shared_one_give_the_same_table(tmp_path, monkeypatch):
    """With tiny ranges, so that three threads really meet in every layer."""
    monkeypatch.setattr(worker_pool, "_MIN_CHUNK_SLOTS", 64)
    tables = {}
    for name, own_bytes in (("own", 1 << 20), ("shared", 0)):
        monkeypatch.setattr(worker_pool, "_PRIVATE_BITMAP_BYTES", own_bytes)
        folder = tmp_path / name
        build(BuildPlan(load_formations()["L1"], 64, folder, threads=3))
        tables[name] = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert len(tables["own"]) > 40
    assert tables["own"] == tables["shared"]


@pytest.mark.parametrize(("most_bytes", "is_shared"), [(3 * 1001, False), (3 * 1001 - 1, True)])
def test_each_thread_has_a_bitmap_of_its_own_while_all_of_them_fit(
    tmp_path, monkeypatch, most_bytes, is_shared
):
    monkeypatch.setattr(worker_pool, "_PRIVATE_BITMAP_BYTES", most_bytes)
    with LayerPool(3, lambda: False) as pool:
        bitmap = pool.bitmap_for(8 * 1000, Arrays(tmp_path, None))
    assert bitmap.is_shared == is_shared
    assert np.shares_memory(bitmap.of(0), bitmap.of(2)) == is_shared
    bitmap.of(1)[0] |= np.uint64(4)
    bitmap.of(2)[0] |= np.uint64(1)
    assert int(bitmap.merged()[0]) == 5
