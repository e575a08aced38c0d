"""The new tiles of a route: against a twin, against what was published, in either byte order."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.play.tiles import draw, draw_below, route_tile, start_tile
from engine.spawn import Rng
from tests.coach.routes import route_twin as twin

# Published with the generator: https://prng.di.unimi.it/splitmix64.c, seeded with 1234567.
PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
# Tiles of the seed 2048 on an empty board, by the twin.
CELLS = [4, 4, 10, 3, 15, 6, 1, 7, 6, 13, 10, 13]
WRITTEN = [(cell, 2 if i == 9 else 1) for i, cell in enumerate(CELLS)]
SEEDS = st.integers(0, (1 << 38) - 1)


@pytest.mark.parametrize("order", ["<", ">"])
def test_the_twin_is_the_generator_that_was_published(order):
    state, found = 1234567, []
    for _ in PUBLISHED:
        found.append(twin.output(state, order))
        state += twin.GAMMA
    assert found == PUBLISHED


def test_and_so_is_ours():
    rng = Rng(1234567)
    assert [rng.next_u64() for _ in PUBLISHED] == PUBLISHED


@given(SEEDS)
def test_numbers_are_those_of_the_twin_in_either_byte_order(seed):
    found = [draw(seed, number) for number in range(6)]
    assert found == twin.stream(seed, 6, "<") == twin.stream(seed, 6, ">")


@given(SEEDS, st.integers(0, 60), st.integers(0, 1000), st.sets(st.integers(0, 15), min_size=1))
def test_a_tile_is_that_of_the_twin(seed, k, fours, cells):
    empty, numbers = sorted(cells), twin.stream(seed, 10 + 2 * k)
    assert route_tile(empty, seed, k, fours) == twin.tile(empty, numbers[-2:], fours)
    assert start_tile(empty, seed, 0, fours) == twin.tile(empty, numbers[2:4], fours)
    assert start_tile(empty, seed, 1, fours) == twin.tile(empty, numbers[4:6], fours)


def test_tiles_that_were_written_down_once():
    """From the twin; if they ever change, nobody meets the tiles of an older code again."""
    expected = [twin.tile(list(range(16)), twin.stream(2048, 10 + 2 * k)[-2:], 100) for k in (0, 1)]
    found = [route_tile(range(16), 2048, k, 100) for k in range(12)]
    assert found[:2] == expected
    assert found == WRITTEN


def test_values_do_not_depend_on_the_moves():
    for k in range(200):
        _, few = route_tile([3, 9], 5, k, 100)
        _, many = route_tile(range(16), 5, k, 100)
        assert few == many


def test_places_of_the_same_tile_lie_equally_far_down():
    for k in range(200):
        (small, _), (large, _) = route_tile(range(4), 5, k, 100), route_tile(range(16), 5, k, 100)
        assert large // 4 == small


def test_luck_is_fair():
    n = 40_000
    tiles = [route_tile(range(10), 99, k, 100) for k in range(n)]
    fours = sum(exponent == 2 for _, exponent in tiles)
    assert abs(fours / n - 0.1) < 4 * (0.1 * 0.9 / n) ** 0.5
    for count in Counter(cell for cell, _ in tiles).values():
        assert abs(count / n - 0.1) < 4 * (0.1 * 0.9 / n) ** 0.5


def test_neighboring_seeds_have_nothing_in_common():
    one = {draw(1000, number) for number in range(2000)}
    other = {draw(1001, number) for number in range(2000)}
    assert len(one) == len(other) == 2000
    assert not one & other


def test_all_or_no_fours():
    assert {route_tile([0], 3, k, 0)[1] for k in range(500)} == {1}
    assert {route_tile([0], 3, k, 1000)[1] for k in range(500)} == {2}


@given(SEEDS, st.integers(0, 100), st.integers(1, 1 << 20))
def test_what_is_drawn_below_is_below(seed, number, n):
    assert 0 <= draw_below(seed, number, n) < n
