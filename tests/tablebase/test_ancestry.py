"""Playing backwards against layers that were expanded: nothing is found that does not come up."""

import numpy as np
import pytest

from tablebase.ancestry import comes_up, rules_of, sampled_share
from tablebase.bits import U64
from tablebase.crew import Crew
from tablebase.formation import load_formations
from tablebase.layers import Layers
from tablebase.space import Space

FORMATIONS = load_formations()


def bitmaps(space: Space) -> list[U64]:
    """After-states of all layers."""
    after: list[U64] = []
    with Crew(1, lambda: False) as crew:
        layers = Layers(space, 0.1, crew)
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


@pytest.mark.parametrize(("name", "recall"), [("44", 0.7), ("2x4", 0.7), ("L1", 0.7), ("442", 0.6)])
def test_what_is_found_comes_up_and_most_that_comes_up_is_found(name: str, recall: float) -> None:
    formation, first, n = FORMATIONS[name], 18, 400
    space = Space(formation, 64, formation.n_layers(64))
    after = bitmaps(space)
    known = sorted(boards_of(space, after, first - 1) + boards_of(space, after, first))
    rng = np.random.default_rng(1)
    drawn = rng.integers(first + 1, space.n_layers - 1, size=n)
    boards, truth = np.zeros(n, np.uint64), np.zeros(n, np.bool_)
    for i, layer in enumerate(drawn):
        half_sum = formation.seed_half_sum + int(layer)
        slot = int(rng.integers(space.n_slots(half_sum)))
        boards[i] = space.board(slot, half_sum)
        truth[i] = int(after[layer][slot >> 6]) >> (slot & 63) & 1
    rules = rules_of(formation, 64)
    found = comes_up(rules, boards, drawn - first, np.array(known, np.uint64), seed=1)
    assert not (found & ~truth).any()
    assert truth.sum() > 5
    assert found.sum() >= recall * truth.sum()


def test_a_table_of_few_boards_is_counted_whole() -> None:
    formation = FORMATIONS["44"]
    space = Space(formation, 64, formation.n_layers(64))
    slots = sum(space.n_slots(formation.seed_half_sum + i) for i in range(space.n_layers))
    assert sampled_share(formation, 64) == pytest.approx(228_317 / slots, rel=0.01)


def test_the_same_seed_gives_the_same_share() -> None:
    shares = [sampled_share.__wrapped__(FORMATIONS["3x4"], 64, n_samples=40) for _ in range(2)]
    assert shares[0] == shares[1] > 0
