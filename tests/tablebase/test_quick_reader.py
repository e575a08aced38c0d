"""What games unpack by machine code, and keep, is what everybody else reads."""

import random
from pathlib import Path

import numpy as np
import pytest
from exact_rates import Exact
from makers import Solver, TableMaker
from small_formations import rules_of
from test_codecs import packed_values, same_bits, values_with_repeats

from engine.geometry import destinations, permute
from engine.spawn import Rng, spawn
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import DamagedTableError
from tablebase.formation.formation import Formation
from tablebase.probe.reader import Tablebase
from tablebase.store.block_cache import BlockCache
from tablebase.store.codebook import MAX_LEVELS
from tablebase.store.codecs import BlockReader
from tablebase.store.options import TableOptions
from tablebase.store.quick_reader import QuickReader
from tablebase.store.rates import find_rate_type


def outcome(reader: BlockReader, packed: bytes, values: np.ndarray) -> bytes | str:
    """Return the unpacked bytes, or the error message."""
    try:
        return reader.unpack_values(packed, values.size, values.dtype).every().tobytes()
    except DamagedTableError as error:
        return str(error)


@pytest.mark.parametrize("dtype", ["<u2", "<f4", "<u8"])
@pytest.mark.parametrize(("n", "n_different"), [(1, 1), (9, 1), (4000, 40), (70_000, 60_000)])
def test_values_come_back(dtype: str, n: int, n_different: int) -> None:
    values = values_with_repeats(n, n_different, np.dtype(dtype), 3)
    found = QuickReader().unpack_values(packed_values(values, 1), n, np.dtype(dtype)).every()
    assert same_bits(found, values)


def test_damage_is_told_in_the_same_words() -> None:
    values = values_with_repeats(600, 300, np.dtype("<u2"), 6)
    packed, rng, told = packed_values(values, 1), random.Random(7), set()
    for _ in range(1500):
        damaged = bytearray(packed)
        damaged[rng.randrange(len(packed))] ^= 1 << rng.randrange(8)
        found = outcome(QuickReader(), bytes(damaged), values)
        assert found == outcome(BlockReader(), bytes(damaged), values)
        told.add(str(found).partition(" repeated value")[0][:10])
    assert "a repeated" in told or "a block ha" in told


def test_levels_are_the_same_to_the_last_bit() -> None:
    rng = np.random.default_rng(5)
    rates = np.append(np.sort(rng.random(3 * MAX_LEVELS) ** 40), 1.0)
    levels = find_rate_type("uint16").encode(rates).levels
    assert levels is not None
    assert levels.wide.size
    assert same_bits(QuickReader().level_rates(levels), levels.rates())


def test_a_cache_keeps_what_was_asked_for_last_within_its_bytes() -> None:
    cache = BlockCache(10)
    for key in "abc":
        cache.keep(key, key.upper(), 4)
    assert (cache.get("a"), cache.get("b"), cache.n_bytes) == (None, "B", 8)
    cache.keep("d", "D", 4)  # b was asked for after c
    assert (cache.get("b"), cache.get("c"), cache.get("d")) == ("B", None, "D")
    cache.keep("e", "E", 99)
    assert (cache.get("d"), cache.get("e"), cache.n_bytes) == (None, "E", 99)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["44", "2x4", "3x3", "L1"])
def test_held_rates_are_the_exact_ones(
    name: str, table: TableMaker, solution: Solver, formations: dict[str, Formation]
) -> None:
    """In any orientation, with any room in the cache: 0 counts as unknown."""
    exact = Exact(solution(name, 64), rules_of(formations[name], 64))
    boards = [board for board, _ in exact.positions(random.Random(3), 200)]
    turn = random.Random(4)
    with Tablebase.open(table(name, 64)) as plain, Tablebase.open(table(name, 64)) as kept:
        kept.keep_layers(BlockCache(1 << 16))
        n_known = 0
        for board in boards:
            turned = permute(board, turn.choice(destinations("full")))
            want = [rate or None for rate in plain.probe(turned, comes_up=True).rates]
            for found in (kept.held_rates(turned), plain.held_rates(turned)):
                assert found is not None
                assert max(rate or 0.0 for rate in found) == max(rate or 0.0 for rate in want)
                assert sum(rate is not None for rate in found) >= sum(map(bool, want))
            n_known += any(want)
        assert n_known > 50
        assert plain.held_rates(0x1111_1111_1111_1111) is None


@pytest.mark.thorough
@pytest.mark.parametrize("sparse", [3, 4])
def test_layers_without_a_file_are_worked_out(
    sparse: int, formations: dict[str, Formation], tmp_path: Path
) -> None:
    rng = Rng(6)
    whole, thin = tmp_path / "whole", tmp_path / "thin"
    build(BuildPlan(formations["44"], 64, whole, TableOptions(rate="uint64"), threads=1))
    options = TableOptions(rate="uint64", sparse=sparse)
    build(BuildPlan(formations["44"], 64, thin, options, threads=1))
    with Tablebase.open(whole) as one, Tablebase.open(thin) as other:
        other.keep_layers(BlockCache(1 << 20))
        for layer in range(2, one.n_layers - 2):
            file = one.layer_file(layer)
            for i in range(0, file.stored, max(1, file.stored // 20)):
                board = spawn(one.stored_board(layer, i)[0], rng)[0]
                want, found = one.held_rates(board), other.held_rates(board)
                assert want is not None
                assert found is not None
                assert [rate or 0.0 for rate in found] == pytest.approx(
                    [rate or 0.0 for rate in want], abs=1e-12
                )
