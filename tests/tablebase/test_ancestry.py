"""Playing backwards against layers that were expanded: nothing is found that does not come up."""

import numpy as np
import pytest

from tablebase.ancestry import comes_up, play_forward
from tablebase.bits import U64
from tablebase.crew import Crew
from tablebase.formation import load_formations
from tablebase.layers import Layers
from tablebase.single_boards import rules_of
from tablebase.space import Space

FORMATIONS = load_formations()


def bitmaps(space: Space) -> list[U64]:
    """After-states of all layers."""
    after: list[U64] = []
    with Crew(1, lambda: False) as crew:
        layers = Layers(space, 0.1, crew, all_images=True)
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


@pytest.mark.parametrize(("name", "recall"), [("44", 0.97), ("2x4", 0.97), ("442", 0.95)])
def test_what_is_found_comes_up_and_what_comes_up_is_found(name: str, recall: float) -> None:
    formation, first, n = FORMATIONS[name], 18, 250
    space = Space(formation, 64, formation.n_layers(64))
    after = bitmaps(space)
    rows = tuple(
        np.array(sorted(boards_of(space, after, layer)), np.uint64) for layer in (first - 1, first)
    )
    rng = np.random.default_rng(1)
    drawn = rng.integers(first + 1, space.n_layers - 1, size=n)
    boards, truth = np.zeros(n, np.uint64), np.zeros(n, np.bool_)
    for i, layer in enumerate(drawn):
        half_sum = formation.seed_half_sum + int(layer)
        slot = int(rng.integers(space.n_slots(half_sum)))
        boards[i] = space.board(slot, half_sum)
        truth[i] = int(after[layer][slot >> 6]) >> (slot & 63) & 1
    rules = rules_of(formation, 64)
    met = play_forward(rules, (rows[0], rows[1]), space.n_layers - first + 1, 256, seed=1)
    found = comes_up(rules, boards, drawn - first + 1, met, seed=1, most_tries=10**9)
    assert not (found & ~truth).any()
    assert truth.sum() > 5
    assert found.sum() >= recall * truth.sum()


def test_what_was_played_forward_comes_up() -> None:
    formation, first = FORMATIONS["44"], 10
    space = Space(formation, 64, formation.n_layers(64))
    after = bitmaps(space)
    rows = tuple(
        np.array(sorted(boards_of(space, after, layer)), np.uint64) for layer in (first - 1, first)
    )
    rules = rules_of(formation, 64)
    met = play_forward(rules, (rows[0], rows[1]), space.n_layers - first, 512, seed=1)
    for row in (2, 5, 20):
        played = set(met.seen[row].tolist()) - {0}
        assert len(played) > 100
        assert played <= set(boards_of(space, after, first - 1 + row))


def test_the_search_ends_when_the_tries_are_spent() -> None:
    formation = FORMATIONS["44"]
    rules = rules_of(formation, 64)
    nothing = np.empty(0, np.uint64)
    met = play_forward(rules, (nothing, nothing), 40, 256, seed=1)
    boards = np.full(100, 0x54305210FFFFFFFF, np.uint64)
    some = comes_up(rules, boards, np.full(100, 39), met, seed=1, most_tries=20_000)
    assert 0 < some.size < 100
    assert not some.any()
