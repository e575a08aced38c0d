"""Tricky Tiles: an adversary that places the new tiles."""

from dataclasses import replace
from itertools import chain

import pytest

from tests.minigames.made_states import do, state_of
from tests.minigames.specified import fake_adversary


def test_the_adversary_is_asked_about_a_mirror_image():
    asked = []

    def adversary(image):
        asked.append(tuple(image))
        return fake_adversary(image)

    state, n_placed = state_of("tricky_tiles", "2 4 8 _ / 16 _ _ _"), 0
    for seed in range(200):
        asked.clear()
        after, events = do(replace(state, rng=(seed, seed, 0)), "right", adversary)
        (spawn,) = [event for event in events if event.kind == "spawn"]
        if not asked:
            continue
        n_placed += 1
        (image,) = asked
        cell, exponent = fake_adversary(image)
        assert after.tiles[spawn.cells[0]] == exponent
        # Both boards, with the new tile, are images of each other.
        with_tile = list(image)
        with_tile[cell] = exponent
        board = [list(after.tiles[r : r + 4]) for r in (0, 4, 8, 12)]
        images = []
        for _ in range(4):
            board = [list(row) for row in zip(*board[::-1], strict=True)]
            images += [list(chain(*board)), list(chain(*(row[::-1] for row in board)))]
        assert with_tile in images
    assert 30 < n_placed < 110


@pytest.mark.thorough
def test_large_tiles_are_no_trouble_to_the_real_adversary():
    from ai.choice import make_adversary

    choose = make_adversary()
    state = state_of(
        "tricky_tiles", "65536 32768 131072 2 / 4 8 16 32 / 2 4 8 16 / 2 _ _ _", hard=True
    )
    n_placed = 0
    for seed in range(30):
        start = replace(state, rng=(seed, seed, 0))
        after, events = do(start, "right", choose)
        assert do(start, "right", choose) == (after, events)
        (spawn,) = [event for event in events if event.kind == "spawn"]
        assert spawn.cells[0] in (12, 13, 14)
        assert after.tiles[spawn.cells[0]] in (1, 2)
        n_placed += after != do(start, "right")[0]
    assert n_placed > 0
