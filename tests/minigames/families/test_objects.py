"""The endless games: bombs, factorizers and gifts that move as tiles do."""

from collections import Counter
from dataclasses import replace

import pytest

from minigames.board import PORTAL
from minigames.parameters import GIFT_WEIGHTS
from minigames.registry import rules_of
from tests.minigames import slow_rules
from tests.minigames.made_states import do, faces, state_of

MODES = pytest.mark.parametrize("hard", [False, True])


@pytest.mark.parametrize(
    ("game", "row", "direction", "want", "gain"),
    [
        ("endless_explosions", "32 2 B 32", "left", "64 _ _ _", 64),
        ("endless_explosions", "B 2 _ 4", "left", "4 _ _ _", 0),  # none ahead: the nearest behind
        ("endless_explosions", "2 B _ 4", "right", "_ _ _ 2", 0),
        ("endless_explosions", "8 2 B 2", "right", "_ _ 8 2", 0),
        ("endless_factorization", "32 2 B 8", "left", "32 _ 8 _", 0),
        ("endless_factorization", "4 4 B 8", "left", "4 2 2 8", 0),
    ],
)
def test_what_objects_meet(game, row, direction, want, gain):
    state = state_of(game, row, kind={"e": 0, "f": 1}[game[8]])
    after, events = do(state, direction)
    assert (faces(after, events).partition(" /")[0], after.score) == (want, gain)
    assert events[0].kind == "hit"
    if "object" not in [event.kind for event in events]:
        assert after.number("object") == -1


def test_a_factorizer_can_fill_the_board():
    seen = set()
    state = state_of(
        "endless_factorization", "16 32 64 B / 2 4 8 16 / 4 8 16 32 / 8 16 32 2", kind=1
    )
    for seed in range(60):
        after, events = do(replace(state, rng=(0, seed, 0)), "left")
        assert after.tiles[:2] == (4, 5)
        x, y = after.tiles[2:4]
        assert x + y == 6
        seen.add(x)
        assert not {"spawn", "object"} & {event.kind for event in events}
        assert (after.number("object"), after.newest) == (-1, -1)
        assert after.tiles.count(0) == 0
        assert after.tiles[4:] == state.tiles[4:]
        legal = slow_rules.legal(list(after.tiles), [False] * 16, 4)
        assert (after.over == "stuck") == (legal == [])
    assert seen == {1, 2, 3, 4, 5}


def test_results_do_not_merge_in_the_same_move():
    for seed in range(20):
        state = state_of("endless_factorization", "2 4 B _", kind=1, rng=(0, seed, 0))
        after, events = do(state, "left")
        assert faces(after, events).startswith("2 2 2 _")
        assert after.score == 0
    for seed in range(60):
        state = state_of("endless_giftbox", "4 2 B _", kind=2, rng=(0, seed, 0))
        after, events = do(state, "left")
        assert after.tiles[0] == 2
        assert after.tiles[1] in range(2, 11)
        assert after.score == 0


@pytest.mark.parametrize(
    ("game", "kind"),
    [("endless_explosions", 0), ("endless_factorization", 1), ("endless_giftbox", 2)],
)
def test_an_object_goes_to_the_edge_only_through_an_empty_line(game, kind):
    state = state_of(game, "_ B _ _ / 2 _ _ _", kind=kind)
    after, events = do(state, "right")
    assert after.number("object") == 3
    assert [event.cells for event in events if event.kind == "object_moved"] == [(1, 3)]
    assert after.tiles[7] == 1
    at_edge = state_of(game, "B _ _ _ / _ 2 _ _", kind=kind)
    assert do(at_edge, "left")[0].number("object") == 0
    alone = state_of(game, "_ _ _ B / 2 _ _ _", kind=kind)
    assert do(alone, "right")[0].number("object") == 3
    nothing = state_of(game, "B _ _ _ / 2 _ _ _ / 4 _ _ _ / 8 _ _ _", kind=kind)
    assert do(nothing, "left")[0] is nothing


@pytest.mark.parametrize("game", ["endless_explosions", "endless_hybrid"])
def test_with_an_object_a_move_is_always_left(game):
    full = "2 4 2 4 / 4 B 4 2 / 2 4 2 4 / 4 2 4 2"
    state = state_of(game, full)
    assert state.over == ""
    assert rules_of(game, hard=False).legal(state) == [0, 1, 2, 3]


def test_gifts_are_new_numbers_up_to_1024():
    seen = Counter()
    for seed in range(600):
        state = state_of("endless_giftbox", "_ 8 B _", kind=2, rng=(0, seed, 0))
        seen[do(state, "left")[0].tiles[0]] += 1
    assert set(seen) == set(range(2, 11)) - {3}
    assert {k: round(w / 1e6, 6) for k, w in GIFT_WEIGHTS.items()} == {
        k: pytest.approx(k**-1.5, abs=1e-6) for k in range(2, 11)
    }


@pytest.mark.parametrize(("kind", "want"), [(0, "2 _ _ _"), (1, "2 _ _ _"), (2, "2 ? _ _")])
def test_an_object_of_hybrid_meets_a_portal(kind, want):
    for seed in range(20):
        state = state_of("endless_hybrid", "2 P B _", kind=kind, rng=(seed, seed, 0))
        after, events = do(state, "left")
        row = faces(after, events).partition(" /")[0]
        if want == "2 ? _ _":
            assert 2 <= after.tiles[1] <= 10
        else:
            assert row == want
        assert PORTAL not in after.tiles or any(event.what == "portal" for event in events)


@MODES
def test_in_hard_mode_objects_are_half_as_often(hard):
    n_seen = 0
    for seed in range(2000):
        state = state_of("endless_giftbox", "2 _ _ _", hard, rng=(0, seed, 0))
        n_seen += any(event.kind == "object" for event in do(state, "right")[1])
    assert (15 if hard else 38) < n_seen < (50 if hard else 90)  # 30 and 60, 3 sigma
