"""Playing backwards and forward through layers, against layers that were expanded and solved."""

import numpy as np
import pytest

from tablebase.build.layers import Layers
from tablebase.build.worker_pool import LayerPool
from tablebase.formation.patterns_file import load_formations
from tablebase.kernels.backward_reach import ancestors
from tablebase.kernels.bits import U64
from tablebase.kernels.forward_reach import can_win, share_won
from tablebase.kernels.single_boards import rules_of
from tablebase.kernels.unrank import stored_boards
from tablebase.plan.exact_count import expand_all
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space
from tablebase.store.rates import RATE_TYPES

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
