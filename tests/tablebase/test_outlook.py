"""Playing forward with all luck against what the solver finds."""

import numpy as np
import pytest

from tablebase.build.layers import Layers
from tablebase.build.worker_pool import LayerPool
from tablebase.formation.patterns_file import load_formations
from tablebase.kernels.forward_reach import can_win, share_won
from tablebase.kernels.single_boards import rules_of
from tablebase.kernels.unrank import stored_boards
from tablebase.plan.exact_count import expand_all
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space
from tablebase.store.rates import RATE_TYPES

FORMATIONS = load_formations()


@pytest.mark.parametrize(("name", "target", "most_missed"), [("44", 64, 0.02), ("L1", 64, 0.02)])
def test_a_board_can_win_whose_rate_is_not_zero(name, target, most_missed):
    formation = FORMATIONS[name]
    space = Space(formation, target, formation.n_layers(target))
    n, rng = space.n_layers, np.random.default_rng(1)
    boards, at, truth = [], [], []
    with LayerPool(1, lambda: False) as pool:
        layers = Layers(space, 0.1, pool, all_images=True)
        after, pre = expand_all(layers)
        one_on = two_on = None
        for layer in range(n - 1, 0, -1):
            if one_on is None or two_on is None or layer >= n - 2:
                solved = layers.ended(layer, after[layer])
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
    found = can_win(rules_of(formation, target), np.array(boards, np.uint64), np.array(at), n, 1)
    wins = np.array(truth)
    assert wins.any()
    assert not wins.all()
    assert not (found & ~wins).any()
    assert (wins & ~found).sum() <= most_missed * wins.sum()


def test_games_are_won_where_that_is_easy_and_never_where_it_is_too_late():
    """A 32 beside a 32 wins with the next move, unless no layer is left for the next tile."""
    rules = rules_of(FORMATIONS["44"], 64)
    board = np.array([0x00005500FFFFFFFF], np.uint64)
    assert share_won(rules, board, np.array([40]), 80, seed=1, n_games=50) == 1.0
    assert share_won(rules, board, np.array([79]), 80, seed=1, n_games=50) == 0.0


def test_games_are_won_about_as_often_as_best_play_wins():
    """Less often, but not much: the mean rate of layer 20 of 44 is what the solver finds."""
    formation = FORMATIONS["44"]
    space = Space(formation, 64, formation.n_layers(64))
    with LayerPool(1, lambda: False) as pool:
        layers = Layers(space, 0.1, pool, all_images=True)
        after, pre = expand_all(layers)
        one_on = two_on = None
        for layer in range(space.n_layers - 1, 19, -1):
            if one_on is None or two_on is None or layer >= space.n_layers - 2:
                solved = layers.ended(layer, after[layer])
            else:
                solved = layers.rate_spawns(layer, after[layer], one_on, two_on)
            one_on, two_on = layers.rate_moves(layer, pre[layer], solved), one_on
    best = float(solved.values[:-1].mean())
    boards = stored_boards(space, kernel_tables(space), layers.half_sum(20), after[20])[::10].copy()
    found = share_won(
        rules_of(formation, 64), boards, np.full(boards.size, 20), space.n_layers, 1, 4
    )
    assert 0.5 * best < found < best
