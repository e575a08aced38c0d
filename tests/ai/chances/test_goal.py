"""What is to be made next: from the words of its definition, case by case and at random."""

import random

import pytest

from ai.chances.goal import ChanceGoal, goal_of
from engine.trace import slide_cells


def board(*tiles: int) -> list[int]:
    return [tile.bit_length() - 1 for tile in tiles] + [0] * (16 - len(tiles))


@pytest.mark.parametrize(
    ("tiles", "n_large", "tile"),
    [
        ((), 0, 2048),
        ((2, 4), 0, 2048),
        ((1024,), 1, 1024),
        ((512,), 0, 2048),
        ((1024, 512), 2, 512),
        ((1024, 512, 256), 2, 512),
        ((1024, 1024), 0, 2048),
        ((1024, 512, 512), 1, 1024),
        ((2048,), 1, 2048),
        ((2048, 512), 1, 2048),
        ((4096, 2048), 2, 2048),
        ((2048, 2048), 0, 4096),
        ((4096, 2048, 2048), 1, 4096),
        ((8192, 8192, 2048), 0, 16384),
        ((16384, 8192, 4096, 2048), 4, 2048),
        ((16384, 8192, 4096, 2048, 1024), 5, 1024),
        ((16384, 8192, 4096, 2048, 1024, 512), 6, 512),
        ((16384, 8192, 4096, 2048, 1024, 512, 256), 6, 512),
        ((131072, 65536, 2), 2, 2048),
    ],
)
def test_the_goal(tiles, n_large, tile):
    assert goal_of(board(*tiles)) == ChanceGoal(n_large, tile.bit_length() - 1)


def brute_force_goal(cells: list[int]) -> ChanceGoal:
    """Return the goal by trying: the smallest tile that makes all from it on merge into one."""
    large = sorted((1 << cell for cell in cells if cell >= 11), reverse=True)
    for tile in large:
        if large.count(tile) > 1:
            return ChanceGoal(sum(one > tile for one in large), (2 * tile).bit_length() - 1)
    for tile in (512, 1024):
        others = sorted((1 << cell for cell in cells if cell), reverse=True)
        chain = [2048 >> i for i in range(1, 12) if 2048 >> i >= tile]
        beside = [one for one in others if one < 2048]
        if beside[: len(chain)] == chain and beside[len(chain) : len(chain) + 1] != chain[-1:]:
            return ChanceGoal(len(large) + len(chain), tile.bit_length() - 1)
    return ChanceGoal(len(large), 11)


def test_random_boards():
    chance = random.Random(5)
    for _ in range(3000):
        cells = [chance.choice((0, 0, 1, 3, 8, 9, 9, 10, 10, 11, 12, 13)) for _ in range(16)]
        if chance.random() < 0.7:
            cells = [*sorted(set(cells), reverse=True), *[0] * 16][:16]
        assert goal_of(cells) == brute_force_goal(cells)


def test_a_goal_is_made_by_the_merge_that_makes_it_and_by_no_other():
    cells = board(4096, 2048, 1024, 1024)
    goal = ChanceGoal(2, 11)
    made = slide_cells(tuple(cells), 0, merge_32768=True).cells
    assert made[:3] == (12, 11, 11)
    assert goal.is_made(cells, made)
    merged = slide_cells(tuple(made), 0, merge_32768=True).cells
    assert not goal.is_made(made, merged), "large tiles merge: nothing new"
    smaller = board(512, 512)
    assert not goal.is_made(smaller, slide_cells(tuple(smaller), 0, merge_32768=True).cells)


def merged_all(tiles):
    """Return the largest tile when equal ones merge as long as there are some."""
    tiles = sorted(tiles)
    while twice := [one for one in tiles if tiles.count(one) > 1]:
        tiles = sorted([*tiles, 2 * twice[0]])
        tiles.remove(twice[0])
        tiles.remove(twice[0])
    return tiles[-1]


def test_a_goal_leads_to_what_its_tile_merges_to():
    """One tile of the goal more, where the goal stands already or once it is there."""
    chance = random.Random(6)
    for _ in range(2000):
        large = sorted(chance.sample(range(11, 16), chance.randrange(5)), reverse=True)
        cells = [*large, *[chance.randrange(8) for _ in range(16 - len(large))]]
        goal = goal_of(cells)
        reached = goal.leads_to(cells)
        below = [1 << one for one in large if one < reached]
        assert merged_all([*below, 1 << goal.exponent]) == 1 << reached
        assert reached not in large
