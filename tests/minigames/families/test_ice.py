"""Ice Age: tiles that are idle freeze."""

from dataclasses import replace

import pytest

from minigames.board import FLOOR, ICE
from minigames.registry import rules_of
from tests.minigames.made_states import do, faces, state_of


def test_who_merges_or_moves_is_not_idle():
    state = state_of("ice_age", "8 4 _ 4", idle=[5, 6, 0, 7] + [0] * 12)
    after, _ = do(state, "left")
    assert faces(after)[:3] == "8 8"
    assert after.layer("idle")[:2] == [6, 0]


@pytest.mark.parametrize(("hard", "limit"), [(False, 80), (True, 60)])
def test_a_tile_freezes_at_the_limit(hard, limit):
    state = state_of("ice_age", "8 4 _ 2", hard, idle=[limit - 2] + [0] * 15)
    once, events = do(state, "left")
    assert once.layer("idle")[0] == limit - 1
    assert once.terrain[0] == FLOOR
    again = replace(once, tiles=(3, 0, 2, *[0] * 13), own={**once.own})
    frozen, events = do(again, "left")
    assert frozen.terrain[0] == ICE
    assert frozen.tiles[0] == 0
    assert frozen.layer("frozen")[0] == 3
    assert frozen.layer("idle")[0] == 0
    assert [event.cells for event in events if event.kind == "freeze"] == [(0,)]
    cell = rules_of("ice_age", hard=hard).view(frozen).cells[0]
    assert (cell.face, cell.exponent, cell.ice) == ("frozen", 3, 6)
    for text in ("bomb 0", "glove 0 15", "twist 0"):
        assert do(frozen, text)[0] is frozen


@pytest.mark.parametrize(
    ("hard", "steps"), [(False, [20, 36, 50, 64, 75]), (True, [15, 27, 38, 48, 56])]
)
def test_ice_grows_in_steps(hard, steps):
    rules = rules_of("ice_age", hard=hard)
    for idle in range(60 if hard else 80):
        state = state_of("ice_age", "8 4 _ 2", hard, idle=[idle] + [0] * 15)
        assert rules.view(state).cells[0].ice == sum(idle >= step for step in steps), idle
