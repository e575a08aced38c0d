"""Tables against what another program computed.

That program keeps reached boards (rate 1) and truncates rates after every layer; we store neither
and round to nearest once, so the reached boards are added here, one spawn and one move from the
stored ones, and its rates are expected to be lower by less than a unit per remaining layer.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from after_states import Boards, Expansion
from golden_tables import GoldenTable, load_golden
from makers import TableMaker
from small_formations import rules_of

from tablebase.formation.formation import Formation
from tablebase.probe.reader import Tablebase

RAW_ONE = 4_000_000_000
GOLDEN = load_golden()


class Kept(NamedTuple):
    """What the other program would have kept of one layer."""

    boards: Boards
    raws: np.ndarray
    reached: Boards


class Table:
    """A finished table and, per layer, its stored boards with the reached ones added."""

    def __init__(self, path: Path, formation: Formation, target: int) -> None:
        self.reader = Tablebase.open(path)
        self.n_layers = self.reader.n_layers
        self._expansion = Expansion(rules_of(formation, target))
        self._stored = [self.reader.layer_boards(i) for i in range(self.n_layers)]
        self._kept: dict[int, Kept] = {}

    def _winning(self, layer: int) -> Boards:
        is_expanded = 0 <= layer <= self.n_layers - 3
        return self._stored[layer][0] if is_expanded else np.empty(0, np.uint64)

    def kept(self, layer: int) -> Kept:
        if layer not in self._kept:
            below = self._winning(layer - 1), self._winning(layer - 2)
            boards, raws = self._stored[layer]
            reached = self._expansion.reached_after(*below)
            self._kept[layer] = Kept(boards, raws.astype(np.int64), reached)
        return self._kept[layer]


TOO_MANY_BOARDS = 5_000_000  # for a test of every day
PARAMS = [
    pytest.param(
        golden,
        id=f"{golden.formation}-{golden.target}",
        marks=[pytest.mark.slow] * (golden.kept > TOO_MANY_BOARDS),
    )
    for golden in GOLDEN
]


@pytest.fixture(params=PARAMS, scope="module")
def golden(request: pytest.FixtureRequest) -> GoldenTable:
    return request.param


@pytest.fixture(scope="module")
def built(
    golden: GoldenTable, formations: dict[str, Formation], table: TableMaker
) -> Iterator[Table]:
    path = table(golden.formation, golden.target)
    opened = Table(path, formations[golden.formation], golden.target)
    yield opened
    opened.reader.close()


def test_the_formation_is_the_one_that_was_computed(golden, formations):
    formation = formations[golden.formation]
    assert formation.target_cells == golden.target_cells
    assert formation.n_layers(golden.target) == golden.layers


@pytest.mark.sample(1)
def test_kept_boards_agree_on_sampled_layers(golden, built):
    for layer, sample in golden.samples.items():
        kept = built.kept(layer)
        assert not np.isin(kept.reached, kept.boards).any(), f"layer {layer} stores a reached board"
        surplus = kept.boards.size + kept.reached.size - sample.kept
        # Truncation may have taken a rate of a few units to 0; rounding once does not.
        doubtful = np.count_nonzero(kept.raws <= golden.layers - layer)
        assert 0 <= surplus <= doubtful, f"layer {layer}"
        if surplus == 0:
            together = np.concatenate([kept.boards, kept.reached])
            assert int(np.bitwise_xor.reduce(together)) == sample.xor_boards, f"layer {layer}"


@pytest.mark.thorough
def test_rates_agree_on_sampled_layers(golden, built):
    for layer, sample in golden.samples.items():
        kept = built.kept(layer)
        raws = np.concatenate([kept.raws, np.full(kept.reached.size, RAW_ONE)])
        lost_at_most = golden.layers - layer  # units, by truncating once per layer
        assert -raws.size <= raws.sum() - sample.sum_raw <= raws.size * lost_at_most
        assert -1 <= raws.max(initial=0) - sample.max_raw <= lost_at_most
        # What is certain for both is certain; what is nearly so was truncated to less than 1.
        assert sample.at_max <= np.count_nonzero(raws == RAW_ONE)
        assert sample.at_max >= kept.reached.size


@pytest.mark.sample(1)
def test_generated_boards_agree_on_sampled_layers(golden, built):
    for layer, sample in golden.samples.items():
        if sample.generated is not None:
            reached = built.kept(layer).reached.size
            assert built.reader.manifest.layers[layer].boards + reached == sample.generated


@pytest.mark.sample(1)
def test_seed_rates_agree(golden, built):
    for seed, raw in golden.seed_raws.items():
        assert 0 <= built.reader.rate_of(seed) * RAW_ONE - raw <= golden.layers


@pytest.mark.thorough
def test_kept_boards_agree_on_the_whole_table(golden, built):
    layers = [built.kept(layer) for layer in range(built.n_layers)]
    surplus = sum(kept.boards.size + kept.reached.size for kept in layers) - golden.kept
    doubtful = sum(
        np.count_nonzero(kept.raws <= golden.layers - i) for i, kept in enumerate(layers)
    )
    assert 0 <= surplus <= doubtful


# Seed rates in float64, as a fourth program computed them.
SEED_RATES = [
    ("2x4", 256, 0xFFFF_0000_0000_FFFF, 0.869755862217),
    ("442", 256, 0x1000_0000_21FF_FFFF, 0.987891952472),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "target", "seed", "rate"), SEED_RATES)
def test_seed_rates_are_the_known_ones(table, name, target, seed, rate):
    with Tablebase.open(table(name, target)) as reader:
        assert reader.rate_of(seed) == pytest.approx(rate, abs=1e-9)
    if name == "2x4":
        with Tablebase.open(table(name, target, "float64")) as reader:
            assert reader.rate_of(seed) == pytest.approx(rate, abs=1e-12)
