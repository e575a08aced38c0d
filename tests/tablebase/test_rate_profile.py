"""The profile of a table's rates, against the brute-force solver: sampled, kept, and reported."""

import json
import math
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from child import json_lines, run
from makers import TableMaker
from msgspec.structs import replace

from engine.bitboard import cells, from_cells
from engine.moves import move
from engine.platform.events import to_plain
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import BuildCancelledError
from tablebase.events import LayerRates
from tablebase.library.rate_summary import (
    load_stored,
    places_of,
    stored_file,
    summarize_rates,
    without_rates,
)
from tablebase.probe.rate_profile import profile_layers, profile_starts
from tablebase.probe.reader import Tablebase
from tablebase.store.layer_file import WrittenLayer
from tablebase.store.options import TableOptions
from tablebase.store.rates import find_rate_type

NAME, TARGET = "44", 64


@pytest.fixture(scope="module")
def folder(table: TableMaker) -> Path:
    return table(NAME, TARGET, "float64")


def quantile(ascending: list[float], tenths: int) -> float:
    """Return the least rate that so many tenths of the boards do not exceed."""
    return ascending[math.ceil(Fraction(tenths * len(ascending), 10)) - 1]


def test_the_rates_of_each_layer_are_those_of_brute_force(folder, solution):
    truth = solution(NAME, TARGET)
    with Tablebase.open(folder) as table:
        layers = profile_layers(table)
        first = 2 * table.formation.seed_half_sum
    assert len(layers) == len(truth.rates)
    n_with_rates = 0
    for one in layers:
        stored = sorted(truth.stored(one.layer).values())
        assert (one.stored, one.sampled) == (len(stored), len(stored))
        assert one.tile_sum == first + 2 * one.layer
        if not stored:
            assert one.mean is one.low is None
            continue
        n_with_rates += 1
        assert one.mean == pytest.approx(math.fsum(stored) / len(stored), abs=1e-13)
        told = (one.low, one.median, one.high)
        wanted = [quantile(stored, tenths) for tenths in (1, 5, 9)]
        assert told == pytest.approx(wanted, abs=1e-13)
    assert n_with_rates > 20


def test_first_positions_have_the_rates_of_brute_force(folder, solution):
    rates = {b: rate for layer in solution(NAME, TARGET).rates for b, rate in layer.items()}
    with Tablebase.open(folder) as table:
        starts = profile_starts(table)
        seeds, canonical = table.formation.seeds, table.canonical
    best = []
    for seed in seeds:
        board = cells(seed)
        for i in (i for i in range(16) if not board[i]):
            for tile in (1, 2):
                start = from_cells([*board[:i], tile, *board[i + 1 :]])
                afters = {move(start, direction) for direction in range(4)} - {start}
                best.append(max(rates.get(canonical(after), 0.0) for after in afters))
    assert starts.positions == starts.all_positions == len(best)
    assert (starts.best, starts.worst) == pytest.approx((max(best), min(best)), abs=1e-13)
    mean = sum(rates[canonical(seed)] for seed in seeds) / len(seeds)
    assert starts.mean == pytest.approx(mean, abs=1e-13)


class ManyBlocks:
    """A layer file of 200 blocks, each of 50 boards whose rates grow with its number."""

    n_blocks, stored, rate = 200, 10_000, find_rate_type("float64")

    def __init__(self) -> None:
        self.asked: list[int] = []

    def block(self, i: int) -> tuple[np.ndarray, np.ndarray]:
        self.asked.append(i)
        return np.zeros(0, np.uint64), np.full(50, (i + 0.5) / self.n_blocks)


def sampled_of(file: ManyBlocks, sample: int) -> LayerRates:
    one = WrittenLayer(0, "layer-0000.tbl", 1, 0, file.stored, file.stored)
    table = SimpleNamespace(
        manifest=SimpleNamespace(layers={0: one}, omitted={}),
        formation=SimpleNamespace(seed_half_sum=7),
        n_layers=1,
        layer_file=lambda _: file,
    )
    return profile_layers(table, sample)[0]


def test_a_sample_lies_all_over_a_layer_and_is_the_same_each_time():
    first, second, whole = ManyBlocks(), ManyBlocks(), ManyBlocks()
    told = sampled_of(first, 1000)
    assert sampled_of(second, 1000) == told
    assert first.asked == second.asked == sorted(set(first.asked))
    assert [i // 10 for i in first.asked] == list(range(20)), "one of every ten blocks"
    assert told.sampled == 1000
    assert not told.is_exact
    assert told.mean == pytest.approx(0.5, abs=0.03)
    assert len({i % 10 for i in first.asked}) > 3, "chosen at random"
    few = ManyBlocks()
    sampled_of(few, 1)
    assert len(few.asked) == 16, "boards in a block are alike, so never too few blocks"
    assert sampled_of(whole, 10_000).mean == pytest.approx(0.5)
    assert whole.asked == list(range(200))


def test_it_can_be_stopped(folder):
    with Tablebase.open(folder) as table, pytest.raises(BuildCancelledError):
        profile_layers(table, is_cancelled=lambda: True)


def test_what_is_known_is_kept_and_a_damaged_file_is_not_believed(folder, tmp_path):
    with Tablebase.open(folder) as table:
        first = summarize_rates(table, tmp_path / "rates")
        kept = stored_file(folder, table.name, tmp_path / "rates")
        assert load_stored(kept) == first
        assert summarize_rates(table, tmp_path / "rates", is_cancelled=lambda: True) == first
        body = json.loads(kept.read_text())
        for wrong in ({"mean": 2.0}, {"stored": -1}, {"mean": "0.5"}, {"more": 1}):
            body["by_layer"][3] |= wrong
            kept.write_text(json.dumps(body))
            assert load_stored(kept) is None, wrong
            body["by_layer"][3] = to_plain(first)["by_layer"][3]
        assert summarize_rates(table, tmp_path / "rates") == first
        assert load_stored(kept) == first
        assert stored_file(folder, table.name, tmp_path, sample=5).name != kept.name


def test_a_sparse_table_tells_the_layers_it_has(formations, tmp_path):
    folder = tmp_path / f"{NAME}_{TARGET}"
    build(BuildPlan(formations[NAME], TARGET, folder, TableOptions(sparse=4), threads=1))
    with Tablebase.open(folder) as opened:
        layers = profile_layers(opened)
        assert profile_starts(opened).mean is not None
        assert opened.manifest.omitted
        for one in layers:
            assert (one.bytes == 0) == (one.layer in opened.manifest.omitted)
            assert not (one.bytes == 0 and one.sampled)


def test_the_command_tells_it_to_people_and_programs(folder, tmp_path):
    plain = run("--data-dir", str(tmp_path), "info", str(folder))
    assert plain.returncode == 0, plain.stderr
    assert "options: 4s: 0.1, float64" in plain.stdout
    assert "mean" not in plain.stdout
    told = run("--data-dir", str(tmp_path), "info", str(folder), "--rates", "--json")
    event = json_lines(told.stdout)[-1]
    with Tablebase.open(folder) as table:
        wanted = summarize_rates(table, tmp_path / "rates")
        (place,) = places_of(table)
        assert without_rates(table).layers == tuple(
            replace(one, sampled=0, mean=None, low=None, median=None, high=None)
            for one in wanted.layers
        )
    assert event["event"] == "info"
    assert event["by_layer"] == list(to_plain(wanted)["by_layer"])
    assert event["places"] == [
        {"folder": str(folder), "layers": place.layers, "bytes": event["bytes"]}
    ]
