"""Playing forward with all luck against what the solver finds."""

import numpy as np
import pytest

from tablebase.crew import Crew
from tablebase.formation import load_formations
from tablebase.layers import Layers
from tablebase.outlook import can_win
from tablebase.pilot import expand_all
from tablebase.rates import RATE_TYPES
from tablebase.single_boards import rules_of
from tablebase.space import Space

FORMATIONS = load_formations()


@pytest.mark.parametrize(("name", "target", "most_missed"), [("44", 64, 0.02), ("L1", 64, 0.02)])
def test_a_board_can_win_whose_rate_is_not_zero(name: str, target: int, most_missed: float) -> None:
    formation = FORMATIONS[name]
    space = Space(formation, target, formation.n_layers(target))
    n, rng = space.n_layers, np.random.default_rng(1)
    boards, at, truth = [], [], []
    with Crew(1, lambda: False) as crew:
        layers = Layers(space, 0.1, crew, all_images=True)
        after, pre = expand_all(layers)
        one_on = two_on = None
        for layer in range(n - 1, 0, -1):
            if one_on is None or two_on is None or layer >= n - 2:
                solved = layers.hopeless(layer, after[layer])
            else:
                solved = layers.rate_spawns(layer, after[layer], one_on, two_on)
            words = layers.packed(layer, after[layer], solved, RATE_TYPES["float64"])[1]
            stored = (
                words.copy() if formation.symmetry == "identity" else layers.images(layer, words)
            )
            for slot in rng.integers(layers.n_slots(layer), size=40).tolist():
                if int(after[layer][slot >> 6]) >> (slot & 63) & 1:
                    boards.append(space.board(slot, layers.half_sum(layer)))
                    at.append(layer)
                    truth.append(int(stored[slot >> 6]) >> (slot & 63) & 1 == 1)
            one_on, two_on = layers.rate_moves(layer, pre[layer], solved), one_on
    found = can_win(
        rules_of(formation, target), np.array(boards, np.uint64), np.array(at), n, 1, 10**9
    )
    wins = np.array(truth)
    assert wins.any()
    assert not wins.all()
    assert not (found & ~wins).any()
    assert (wins & ~found).sum() <= most_missed * wins.sum()


def test_the_search_ends_when_the_turns_are_spent() -> None:
    boards = np.full(100, 0x01001010FFFFFFFF, np.uint64)
    rules = rules_of(FORMATIONS["44"], 64)
    some = can_win(rules, boards, np.full(100, 10), 80, seed=1, most_turns=10_000)
    assert 0 < some.size < 100
    assert some.all()
