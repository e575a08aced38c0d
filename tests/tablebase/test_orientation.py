"""Symmetric formations by fewer images: the same boards and rates as when all images are held."""

import numpy as np
import pytest

from engine.geometry import destinations, permute
from tablebase.build.layers import Layers
from tablebase.build.worker_pool import LayerPool
from tablebase.formation.patterns_file import load_formations
from tablebase.kernels.bits import count_ones
from tablebase.rank.orientation import held_ones, is_transposed, orientation_of
from tablebase.rank.space import Space
from tablebase.store.rates import find_rate_type

# Formation, target, layers, symmetries that the kernels make use of. The last two are too large to
# go on until rates are above zero: only their boards are compared.
CASES = [("2x4", 64, 60, 2), ("3x3", 64, 92, 4), ("3x4", 64, 16, 4), ("444", 64, 14, 2)]


def solve(layers: Layers, n: int) -> tuple[list[tuple[int, bytes, np.ndarray]], int]:
    """Return the stored part of every layer, and the number of after-states held."""
    after, pre = [layers.seeds()], []
    for layer in range(1, n):
        pre.append(layers.spawn(layer, [after[-1], after[-2] if layer > 1 else None]))
        after.append(layers.move(layer, pre[-1]))
    stored, one_on, two_on = [], None, None
    for layer in range(n - 1, -1, -1):
        if one_on is None or two_on is None:
            solved = layers.ended(layer, after[layer])
        else:
            solved = layers.rate_spawns(layer, after[layer], one_on, two_on)
        rate = find_rate_type("float64")
        n_boards, words, encoded = layers.packed(layer, after[layer], solved, rate)
        stored.append((n_boards, words.tobytes(), np.array(encoded.values, np.float64)))
        if layer:
            one_on, two_on = layers.rate_moves(layer, pre[layer - 1], solved), one_on
    return stored, sum(int(count_ones(words)) for words in after)


def assert_same(found, whole, n: int) -> None:
    """Compare the first `n` layers of two ways to solve them."""
    assert sum(n_boards for n_boards, _, _ in whole) > 1000
    has_rates = any(rates.size for _, _, rates in whole)
    assert has_rates == (n > 20), "otherwise rates are not compared, or could be"
    for (n_a, words_a, rates_a), (n_b, words_b, rates_b) in zip(found, whole, strict=True):
        assert n_a == n_b
        assert words_a == words_b
        # Sums over free cells are taken in another order.
        np.testing.assert_allclose(rates_a, rates_b, rtol=0, atol=1e-14)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "target", "n", "turns"), CASES)
def test_fewer_images_lead_to_the_same_table(name, target, n, turns):
    space = Space(load_formations()[name], target, n)
    orientation = orientation_of(space)
    assert orientation is not None
    assert orientation.exchange.size == turns
    with LayerPool(2, lambda: False) as pool:
        fewer, n_fewer = solve(Layers(space, 0.1, pool), n)
        whole, n_whole = solve(Layers(space, 0.1, pool, all_images=True), n)
    assert n_fewer < n_whole * 1.5 / turns, "some positions are their own image, most are not"
    assert_same(fewer, whole, n)


# The last two are too large to go on until rates are above zero.
@pytest.mark.parametrize(("name", "n"), [("L1", 60), ("LL", 14), ("4432", 12)])
def test_moves_along_rows_alone_lead_to_the_same_table_where_boards_may_be_transposed(name, n):
    space = Space(load_formations()[name], 64, n)
    with LayerPool(2, lambda: False) as pool:
        rows_only = Layers(space, 0.1, pool)
        assert rows_only.is_diagonal
        half, _ = solve(rows_only, n)
        whole, _ = solve(Layers(space, 0.1, pool, all_images=True), n)
    assert_same(half, whole, n)


@pytest.mark.parametrize("name", ["2x4", "3x3", "3x4", "444"])
def test_the_stored_image_is_among_those_held(name):
    space = Space(load_formations()[name], 64, 60)
    orientation = orientation_of(space)
    assert orientation is not None
    rng = np.random.default_rng(7)
    f_cells = space.arrangements[0].f_cells
    for _ in range(200):
        cells = [
            15 if (f_cells >> (60 - 4 * i)) & 15 else int(tile)
            for i, tile in enumerate(rng.integers(0, 3, 16))
        ]
        board = sum(cell << (60 - 4 * i) for i, cell in enumerate(cells))
        images = [permute(board, to) for to in destinations(space.formation.symmetry)]
        least = np.array([min(images)], np.uint64)
        assert held_ones(orientation, space, least).size == 1
        assert int(least[0]) == space.stored_form(board)


@pytest.mark.parametrize(
    ("name", "is_transposed", "is_whole"),
    [("2x4", False, False), ("3x3", True, True), ("3x4", False, True), ("444", False, True)],
)
def test_what_is_known_of_the_other_symmetries(name, is_transposed, is_whole):
    orientation = orientation_of(Space(load_formations()[name], 64, 20))
    assert orientation is not None
    assert (orientation.is_transposed, orientation.is_whole) == (is_transposed, is_whole)


@pytest.mark.parametrize(
    ("name", "has_diagonal"),
    [("L3", False), ("LL", True), ("4432", True), ("44", False), ("free8", False), ("t", False)],
)
def test_others_hold_all_images(name, has_diagonal):
    space = Space(load_formations()[name], 64, 20)
    assert orientation_of(space) is None
    assert is_transposed(space) == has_diagonal
