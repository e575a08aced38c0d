"""Playing backwards against layers that were expanded."""

import numpy as np
import pytest

from tablebase.build.layers import Layers
from tablebase.build.worker_pool import LayerPool
from tablebase.formation.patterns_file import load_formations
from tablebase.kernels.backward_reach import ancestors
from tablebase.kernels.bits import U64
from tablebase.kernels.single_boards import rules_of
from tablebase.rank.space import Space

FORMATIONS = load_formations()


def bitmaps(space: Space) -> list[U64]:
    after: list[U64] = []
    with LayerPool(1, lambda: False) as pool:
        layers = Layers(space, 0.1, pool, all_images=True)
        for layer in range(space.n_layers):
            before = [after[layer - k] if layer >= k else None for k in (1, 2)]
            # As in a build: the last layer but one is not expanded.
            before[0] = before[0] if layer < space.n_layers - 1 else None
            after.append(
                layers.move(layer, layers.spawn(layer, before)) if layer else layers.seeds()
            )
    return after


def boards_of(space: Space, after: list[U64], layer: int) -> list[int]:
    bits = np.unpackbits(after[layer].view(np.uint8), bitorder="little")
    half_sum = space.formation.seed_half_sum + layer
    return [space.board(int(slot), half_sum) for slot in np.flatnonzero(bits)]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "first", "recall"), [("44", 18, 0.95), ("2x4", 18, 0.95), ("L1", 10, 0.85)]
)
def test_who_has_an_ancestor_that_comes_up_comes_up(name, first, recall):
    """And who comes up has ancestors, most of them one that is known."""
    formation, n = FORMATIONS[name], 250
    space = Space(formation, 64, formation.n_layers(64))
    after = bitmaps(space)
    known = [set(boards_of(space, after, first - 1 + row)) for row in range(2)]
    rng = np.random.default_rng(1)
    drawn = rng.integers(first + 1, space.n_layers - 2, size=n)
    boards, truth = np.zeros(n, np.uint64), np.zeros(n, np.bool_)
    for i, layer in enumerate(drawn):
        half_sum = formation.seed_half_sum + int(layer)
        slot = int(rng.integers(space.n_slots(half_sum)))
        boards[i] = space.board(slot, half_sum)
        truth[i] = int(after[layer][slot >> 6]) >> (slot & 63) & 1
    rules = rules_of(formation, 64)
    which, crowds, n_tries = ancestors(rules, boards, drawn - first + 1, 512, seed=1)
    has_any, is_met = np.zeros((2, n), np.bool_)
    has_any[which] = True
    for i, crowd in zip(which.tolist(), crowds, strict=True):
        is_met[i] = any(set(crowd[row].tolist()) & known[row] for row in range(2))
    assert n_tries > which.size
    assert truth.sum() > 5
    assert not (is_met & ~truth).any()
    assert has_any[truth].mean() >= 0.98
    assert is_met[truth].mean() >= recall


def test_the_same_seed_finds_the_same_ancestors():
    rules = rules_of(FORMATIONS["44"], 64)
    boards, rows = np.full(3, 0x54305210FFFFFFFF, np.uint64), np.full(3, 20)
    one, other = (ancestors(rules, boards, rows, 64, seed=5) for _ in range(2))
    assert np.array_equal(one[1], other[1])
    assert one[2] == other[2]
