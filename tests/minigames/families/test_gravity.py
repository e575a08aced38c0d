"""Gravity Twist: what falls, and when gravity turns."""

from dataclasses import replace

import pytest

from minigames.registry import rules_of
from tests.minigames.made_states import do, state_of


@pytest.mark.parametrize(
    ("game", "column", "gain"),
    [("gravity_twist_1", [0, 2, 2, 4], 0), ("gravity_twist_2", [0, 0, 4, 4], 4)],
)
def test_what_falls(game, column, gain):
    # The move goes right, and makes a last column of 2, nothing, 2, 4 before it falls.
    state = state_of(game, "_ _ 2 _ / _ _ _ _ / _ _ 2 _ / _ _ _ 4")
    for seed in range(50):
        after, events = do(replace(state, rng=(seed, 0, 0)), "right")
        (spawn,) = [event for event in events if event.kind == "spawn"]
        if spawn.cells[0] % 4 == 3:
            continue
        assert [2 ** after.tiles[c] if after.tiles[c] else 0 for c in (3, 7, 11, 15)] == column
        assert after.score == gain
        assert after.newest >= 12  # the new tile fell, too
        break
    else:
        raise AssertionError("no new tile beside the column")


def test_the_first_tiles_hang_until_the_first_move():
    found = [rules_of("gravity_twist_1", hard=False).start(seed).tiles[:8] for seed in range(10)]
    assert any(any(tiles) for tiles in found)


def test_down_only_merges_in_gravity_twist_1():
    packed = state_of("gravity_twist_1", "_ _ _ _ / 2 _ _ _ / 4 2 _ _ / 2 4 2 _")
    assert do(packed, "down")[0] is packed
    pair = state_of("gravity_twist_1", "_ _ _ _ / _ _ _ _ / 2 _ _ _ / 2 _ _ _")
    assert do(pair, "down")[0].score == 4


@pytest.mark.parametrize("game", ["gravity_twist_1", "gravity_twist_2"])
def test_in_hard_mode_gravity_turns_every_20_moves(game):
    rules = rules_of(game, hard=True)
    state, directions = rules.start(1), [3]
    assert rules.view(state).gravity == 3
    for _ in range(80):
        state = replace(state, tiles=(1, *[0] * 15), over="")
        after = next(
            a for a in (do(state, d)[0] for d in ("right", "down", "up")) if a is not state
        )
        if after.number("gravity") != state.number("gravity"):
            directions.append(after.number("gravity"))
            assert after.n_moves % 20 == 0
        state = after
    assert directions == [3, 0, 2, 1, 3]  # down, left, up, right
    assert rules.view(state).period == 20
    normal = rules_of(game, hard=False)
    assert normal.view(normal.start(1)).moves_left is None
