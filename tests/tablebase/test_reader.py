"""What a table answers for the boards that a player sees, by either reader."""

import math
import random
import shutil
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import psutil
import pytest
from exact_rates import (
    SQUARE,
    TURNS,
    UNIT,
    Exact,
    assert_honest,
    assert_stored,
    is_close,
    turned,
    turned_rates,
)
from makers import Solver, TableMaker
from small_formations import rules_of
from test_codecs import packed_values, same_bits, values_with_repeats

from engine.geometry import destinations, permute
from engine.spawn import Rng, spawn
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import DamagedTableError, ProbeError
from tablebase.formation.formation import Formation, half_sum
from tablebase.formation.patterns_file import load_formations
from tablebase.probe import after_states
from tablebase.probe.probes import Probe
from tablebase.probe.rate_profile import profile_starts
from tablebase.probe.reader import Tablebase
from tablebase.store.block_cache import BlockCache, NotCachedError
from tablebase.store.codebook import MAX_LEVELS
from tablebase.store.codecs import BlockReader
from tablebase.store.options import TableOptions
from tablebase.store.quick_reader import QuickReader
from tablebase.store.rates import find_rate_type


@pytest.fixture(params=["44", "2x4", "3x3", "L1"], scope="module")
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def exact(name: str, solution: Solver, formations: dict[str, Formation]) -> Exact:
    return Exact(solution(name, 64), rules_of(formations[name], 64))


@pytest.fixture(scope="module")
def certain(name: str, solution: Solver, formations: dict[str, Formation]) -> Exact:
    """What is certain of boards that nobody vouches for."""
    return Exact(solution(name, 64), rules_of(formations[name], 64), absent=math.nan)


@pytest.fixture(scope="module")
def reader(name: str, table: TableMaker) -> Iterator[Tablebase]:
    with Tablebase.open(table(name, 64)) as opened:
        yield opened


@pytest.fixture(scope="module")
def table_44(table: TableMaker) -> Iterator[Tablebase]:
    with Tablebase.open(table("44", 64)) as opened:
        yield opened


def assert_best(probe: Probe) -> None:
    legal = [rate for rate in probe.rates if rate is not None]
    if probe.best is None:
        assert not legal or max(legal) == 0
    else:
        assert probe.rates[probe.best] == max(legal)


@pytest.mark.thorough
def test_kept_layers_answer_the_same_without_descriptors(table, exact, reader, name):
    """Twice: what is kept answers as what is read."""
    boards = [board for board, _ in exact.positions(random.Random(14), 300)]
    with Tablebase.open(table(name, 64)) as kept:
        kept.keep_layers(BlockCache(1 << 20))
        before = psutil.Process().num_fds() if hasattr(psutil.Process(), "num_fds") else 0
        for _ in range(2):
            assert [kept.probe(board) for board in boards] == list(map(reader.probe, boards))
        after = psutil.Process().num_fds() if hasattr(psutil.Process(), "num_fds") else 0
    assert after - before <= 16 < len({half_sum(board) for board in boards})  # those of `reader`


@pytest.mark.sample(1)
def test_what_is_kept_is_told_without_reading_and_nothing_else(
    name, table, reader, exact, tmp_path
):
    boards = list(dict.fromkeys(board for board, _ in exact.positions(random.Random(15), 300)))
    folder = tmp_path / "table"
    shutil.copytree(table(name, 64), folder)
    cache = BlockCache(1 << 30)
    with Tablebase.open(folder) as kept:
        kept.keep_layers(cache)
        known, others = boards[: len(boards) // 2], boards[len(boards) // 2 :]
        with cache.only_cached(), pytest.raises(NotCachedError):
            kept.probe(known[0])
        for board in known:
            kept.probe(board)
        kept.close()
        for path in folder.glob("layer-*"):
            path.unlink()
        told = []
        with cache.only_cached():
            for board in boards:
                with suppress(NotCachedError):
                    assert kept.probe(board) == reader.probe(board)
                    told.append(board)
        assert len({*told} & {*known}) > 0.7 * len(known)  # for the others a proof is looked for
        assert len(told) < len(boards) or name == "2x4"
        with pytest.raises(DamagedTableError):
            list(map(kept.probe, others))


def test_the_table_says_what_it_is(reader, name, table):
    assert reader.path == table(name, 64)
    assert reader.name == f"{name}_64"
    assert (reader.pattern, reader.target) == (name, 64)
    assert (reader.spawn4, reader.rate) == (0.1, "uint32")
    assert reader.formation.name == name
    assert reader.n_layers == reader.formation.n_layers(64)


@pytest.mark.thorough
def test_random_positions_agree_with_brute_force(reader, exact):
    for board, layer in exact.positions(random.Random(11), 1500):
        probe = reader.probe(board)
        want = exact.rates(board, layer)
        assert is_close(probe.rates, want), f"{board:016x}: {probe.rates}, expected {want}"
        assert_best(probe)
        assert (probe.board, probe.masked) == (board, board)


@pytest.mark.thorough
def test_after_states_agree_with_brute_force(reader, exact):
    """Told that they come up all have a rate; that those of rate 0 do is proved for nearly all."""
    rng = random.Random(12)
    n_zeros = n_unproved = 0
    for rates in exact.solved.rates:
        for board in rng.sample(sorted(rates), min(20, len(rates))):
            want = pytest.approx(rates[board], abs=UNIT)
            assert reader.rate_of(board, comes_up=True) == want
            found = reader.rate_of(board)
            n_zeros += rates[board] == 0.0
            n_unproved += found is None
            assert found == want or (found is None and rates[board] <= UNIT)
    assert n_unproved <= 0.05 * n_zeros


@pytest.mark.sample(1)
def test_many_after_states_at_once_agree_with_brute_force(reader, exact):
    """What is stored of all layers, in any orientation; boards that are none of the table's."""
    rng = random.Random(14)
    afters, want = [0x1234_5432_1234_5432, 0xFFFF_FFFF_FFFF_1111, 0xFFFF_FFFF_0050_5555], [0.0] * 3
    for layer, rates in enumerate(exact.solved.rates):
        for board in rng.sample(sorted(rates), min(20, len(rates))):
            afters.append(turned(board, rng.choice(list(SQUARE))))
            want.append(exact.after_rate(afters[-1], layer))
    got = reader.many_rates(np.array(afters, np.uint64))
    assert max(want) > 0.5
    assert_stored(got, want)


@pytest.mark.thorough
def test_turned_and_mirrored_boards_are_answered(reader, exact, certain):
    """All eight views of a position get the answer of a view that lies in the formation."""
    for board, layer in exact.positions(random.Random(13), 150):
        for sources in SQUARE:
            image = turned(board, sources)
            probe = reader.probe(image)
            assert probe.board == image
            assert any(is_close(probe.rates, want) for want in exact.views(image, layer))
            assert_best(probe)
            assert_honest(probe, list(certain.views(image, layer)))


@pytest.mark.thorough
def test_a_board_that_fits_as_it_stands_is_not_mirrored(solution, formations, table):
    """Its mirror image is another position: the target counts on one side only."""
    name = "tinyoneside"
    exact = Exact(solution(name, 64), rules_of(formations[name], 64))
    boards = [board for board, _ in exact.positions(random.Random(15), 200)]
    mirror = SQUARE[1]
    n_other = 0
    with Tablebase.open(table(name, 64)) as reader:
        first = half_sum(exact.moves.rules.seeds[0])
        for board in boards + [turned(board, mirror) for board in boards]:
            want = exact.rates(board, half_sum(board) - first)
            probe = reader.probe(board, comes_up=True)
            assert is_close(probe.rates, want), f"{board:016x}: {probe.rates}, expected {want}"
            assert probe.masked == board
            other = exact.rates(turned(board, mirror), half_sum(board) - first)
            n_other += not is_close(turned_rates(other, mirror), want)
        rates, is_told = reader.many_probes(np.array(boards, np.uint64), comes_up=True)
        for i in np.flatnonzero(is_told).tolist():
            one = np.array(reader.probe(boards[i], comes_up=True).rates, np.float64)
            assert np.allclose(rates[i], one, rtol=0, atol=1e-14, equal_nan=True)
    assert n_other > 100
    assert is_told.mean() > 0.5


def test_real_tiles_are_answered_as_if_they_were_f(table_44):
    """2048 ... 64 in the locked cells instead of f."""
    real, f = 0x0001_0021_6789_ABC6, 0x0001_0021_FFFF_FFFF
    probe, want = table_44.probe(real), table_44.probe(f)
    assert probe.rates == want.rates
    assert probe.best == want.best
    assert (probe.board, probe.masked) == (real, f)


def test_of_two_equal_tiles_the_one_in_place_is_masked(table_44):
    """A 64 among the small tiles and a 64 as the eighth large one: only one way fits."""
    for board in (0x0006_0021_6789_ABC7, 0x6000_0021_6789_ABC6, 0x0006_0021_FFFF_F6FF):
        probe = table_44.probe(board)
        assert probe.masked == board | 0xFFFF_FFFF


def test_f_and_real_tiles_may_be_mixed(table_44):
    probe = table_44.probe(0x0001_0021_FF9F_BFF7)
    assert probe.masked == 0x0001_0021_FFFF_FFFF


def test_a_mask_needs_tiles_of_at_least_the_target(table_44):
    with pytest.raises(ProbeError):
        table_44.probe(0x0001_0021_6789_ABC5)  # the eighth largest is 32


@pytest.mark.parametrize("tile", range(1, 15))
def test_how_a_board_can_be_turned_depends_on_its_f_alone(table_44, tile):
    without = 0x0000_0000_FFFF_FFFF
    assert len(table_44.turns(without)) == 2
    for shift in range(32, 64, 4):
        assert table_44.turns(without | tile << shift) == table_44.turns(without)
    assert table_44.turns(without | 15 << 32) == []


def test_masked_boards_are_turned_too(table_44):
    want = table_44.probe(0x0001_0021_FFFF_FFFF).rates
    rotations = [s for s in SQUARE if (s[1] - s[0], s[4] - s[0]) in TURNS]
    assert len(rotations) == 4  # a mirror image would be a board of the table as well
    for sources in rotations:
        probe = table_44.probe(turned(0x0001_0021_6789_ABC6, sources))
        assert probe.rates == turned_rates(want, sources)


@pytest.mark.parametrize(
    ("board", "why"),
    [
        (0x0000_0000_0000_0000, "empty"),
        (0x0000_0010_FFFF_FF0F, "not enough f"),
        (0x0000_F010_FFFF_0FFF, "f in the wrong cells"),
        (0xF000_1010_FFFF_FFFF, "an f too many"),
        (0x0000_0000_FFFF_FFFF, "a sum below the seeds"),
        (0x5555_5555_FFFF_FFFF, "a sum above the last layer"),
        (0xFFFF_FFFF_FFFF_FFFF, "nothing but f"),
        (0x1111_1111_1111_1111, "no large tile"),
    ],
)
def test_a_board_outside_the_table_is_refused(table_44, board, why):
    with pytest.raises(ProbeError) as caught:
        table_44.probe(board)
    message = str(caught.value)
    assert f"{board:016x}" in message.replace("_", ""), f"{why}: {message}"
    assert "\n" not in message
    assert table_44.get(board) is None


@pytest.mark.parametrize("board", [-1, 1 << 64, 1 << 80])
def test_a_number_that_is_no_board_is_refused(table_44, board):
    with pytest.raises(ProbeError):
        table_44.probe(board)
    assert table_44.get(board) is None


def test_get_answers_what_probe_answers(table_44):
    board = 0x0001_0021_FFFF_FFFF
    assert table_44.get(board) == table_44.probe(board)


def test_a_board_without_moves_has_no_best(table_44):
    probe = table_44.probe(0x1212_2121_FFFF_FFFF)
    assert probe.rates == (None, None, None, None)
    assert probe.best is None


def test_a_move_that_reaches_the_target_is_certain(table_44):
    """Two 32s side by side in the second row, where the target counts."""
    probe = table_44.probe(0x0000_5501_FFFF_FFFF)
    assert probe.rates[0] == 1.0
    assert probe.rates[1] == 1.0
    assert probe.best == 0  # the first of equals: left, right, up, down


def test_a_start_board_can_be_played(reader):
    for seed in range(50):
        board = reader.start_board(Rng(seed))
        probe = reader.probe(board)
        assert probe.best is not None
        assert probe.rates[probe.best] > 0
    assert reader.start_board(Rng(7)) == reader.start_board(Rng(7))
    assert len({reader.start_board(Rng(seed)) for seed in range(50)}) > 1


def test_no_game_starts_from_a_seed_without_an_empty_cell(tmp_path):
    """A formation of one's own may have such a seed beside others."""
    full, other = 0xFFFF_1111_1111_FFFF, 0xFFFF_0000_0004_FFFF
    formation = replace(load_formations()["2x4"], name="mix", symmetry="identity")
    formation = replace(formation, seeds=(full, other))
    build(BuildPlan(formation, 64, tmp_path / "mix_64", threads=1))
    with Tablebase.open(tmp_path / "mix_64") as table:
        for seed in range(20):
            board = table.start_board(Rng(seed))
            assert board & other == other
            assert board > other
        starts = profile_starts(table)
        assert starts.worst is not None
        assert starts.mean is not None
        assert starts.mean >= starts.worst
    assert replace(formation, seeds=(other,)).starts == (other,)


def test_one_reader_may_move_from_thread_to_thread(table_44):
    """One caller at a time, but not always the same thread."""
    boards = [0x0001_0021_FFFF_FFFF, 0x0012_0001_FFFF_FFFF, 0x1000_0001_FFFF_FFFF]
    want = [table_44.probe(board).rates for board in boards]
    lock, got = threading.Lock(), []

    def look_up() -> None:
        for _ in range(200):
            for board in boards:
                with lock:
                    got.append(table_44.probe(board).rates)

    threads = [threading.Thread(target=look_up) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 3 * 200 * 3
    assert set(got) == set(want)


def test_a_closed_table_opens_its_files_again(table):
    opened = Tablebase.open(table("44", 64))
    before = opened.probe(0x0001_0021_FFFF_FFFF)
    opened.close()
    opened.close()
    assert opened.probe(0x0001_0021_FFFF_FFFF) == before
    opened.close()


def test_tables_of_rows_are_made_once_for_all_layers_and_lookups(table, monkeypatch):
    """Those of a formation whose F may be anywhere take seconds."""
    make, made = after_states.kernel_tables, list[int]()

    def noted(*given: Any, **more: Any) -> Any:
        made.append(1)
        return make(*given, **more)

    monkeypatch.setattr(after_states, "kernel_tables", noted)
    with Tablebase.open(table("2x4", 64)) as opened:
        boards = np.concatenate([opened.layer_boards(layer)[0] for layer in (5, 6, 7)])
        assert opened.many_rates(boards).max() > 0
    assert made == [1]


def outcome(reader: BlockReader, packed: bytes, values: np.ndarray) -> bytes | str:
    """Return the unpacked bytes, or the error message."""
    try:
        return reader.unpack_values(packed, values.size, values.dtype).every().tobytes()
    except DamagedTableError as error:
        return str(error)


@pytest.mark.parametrize("dtype", ["<u2", "<f4", "<u8"])
@pytest.mark.parametrize(("n", "n_different"), [(1, 1), (9, 1), (4000, 40), (70_000, 60_000)])
def test_values_come_back(dtype, n, n_different):
    values = values_with_repeats(n, n_different, np.dtype(dtype), 3)
    found = QuickReader().unpack_values(packed_values(values, 1), n, np.dtype(dtype)).every()
    assert same_bits(found, values)


def test_damage_is_told_in_the_same_words():
    values = values_with_repeats(600, 300, np.dtype("<u2"), 6)
    packed, rng, told = packed_values(values, 1), random.Random(7), set()
    for _ in range(1500):
        damaged = bytearray(packed)
        damaged[rng.randrange(len(packed))] ^= 1 << rng.randrange(8)
        found = outcome(QuickReader(), bytes(damaged), values)
        assert found == outcome(BlockReader(), bytes(damaged), values)
        told.add(str(found).partition(" repeated value")[0][:10])
    assert "a repeated" in told or "a block ha" in told


def test_levels_are_the_same_to_the_last_bit():
    rng = np.random.default_rng(5)
    rates = np.append(np.sort(rng.random(3 * MAX_LEVELS) ** 40), 1.0)
    levels = find_rate_type("uint16").encode(rates).levels
    assert levels is not None
    assert levels.wide.size
    assert same_bits(QuickReader().level_rates(levels), levels.rates())


def test_a_cache_keeps_what_was_asked_for_last_within_its_bytes():
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
def test_held_rates_are_the_exact_ones(name, table, solution, formations):
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
def test_layers_without_a_file_are_worked_out(sparse, formations, tmp_path):
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
