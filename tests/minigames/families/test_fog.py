"""Mystery Merge: what is hidden, and looks."""

from dataclasses import replace

import pytest

from minigames.registry import rules_of
from minigames.run import MinigameRun
from minigames.state import Action, State
from tests.minigames.made_states import do, state_of

STUCK = "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2"


def hidden_of(state: State) -> list[int]:
    return [cell for cell, hidden in enumerate(state.layer("hidden")) if hidden]


def test_of_the_first_two_tiles_one_is_seen():
    for seed in range(20):
        one = rules_of("mystery_merge_1", hard=False).start(seed)
        two = rules_of("mystery_merge_2", hard=False).start(seed)
        assert one.tiles == two.tiles
        first = next(cell for cell in range(16) if one.tiles[cell] and cell != one.newest)
        assert hidden_of(one) == [first]
        assert hidden_of(two) == [two.newest]


def test_mystery_merge_1_shows_the_newest_and_the_last_merges():
    state = state_of("mystery_merge_1", "2 2 8 _ / 4 16 _ _")
    after, _ = do(state, "left")
    assert hidden_of(after) == [1, 4, 5]
    again, _ = do(after, "right")
    assert 3 not in hidden_of(again) or again.tiles[3] == 0 or again.newest != 3


def test_mystery_merge_2_shows_what_merged_for_good():
    state = state_of("mystery_merge_2", "2 2 _ _ / 4 _ 16 _", hidden=[1, 1, 0, 0, 1] + [0] * 11)
    after, _ = do(state, "left")
    assert hidden_of(after) == sorted([4, after.newest])
    again, _ = do(after, "right")
    assert 4 not in hidden_of(again) or again.newest == 4
    assert 7 not in hidden_of(again)
    assert {6} <= set(hidden_of(again)) | {again.newest}


@pytest.mark.parametrize("game", ["mystery_merge_1", "mystery_merge_2"])
def test_looks_are_counted(game):
    rules = rules_of(game, hard=True)
    state = state_of(game, "2 4 _ _", hard=True, hidden=[1] + [0] * 15)
    assert rules.view(state).peeks_left == 1
    once, events = do(state, "peek")
    assert events == ()
    assert once.number("peeks") == 1
    assert replace(once, own=state.own) == state
    assert rules.view(once).peeks_left == 0
    assert do(once, "peek")[0] is once
    for score, left in ((9_999, 0), (10_000, 1), (29_999, 2), (30_000, 3)):
        assert rules.view(replace(once, score=score)).peeks_left == left
    free = state_of(game, "2 4 _ _", peeks=1000)
    assert rules_of(game, hard=False).view(free).peeks_left == -1
    assert do(free, "peek")[0] is not free
    assert do(state_of(game, STUCK), "peek")[1] == ()
    over = state_of(game, STUCK, hidden=[1] * 16)
    assert do(over, "peek")[0] is over


@pytest.mark.parametrize("game", ["mystery_merge_1", "mystery_merge_2"])
def test_an_undo_gives_no_look_back(game):
    run = MinigameRun(game, True, 1)
    run.state = state_of(game, "_ 2 4 _", True)
    run.do(Action("left"))
    run.do(Action("peek"))
    assert run.undo()
    assert run.state.n_moves == 0
    assert run.rules.view(run.state).peeks_left == 0
    run.do(Action("peek"))
    assert run.log == ["l", "p", "z"]


@pytest.mark.parametrize("game", ["mystery_merge_1", "mystery_merge_2"])
def test_a_look_shows_all_and_so_does_the_end(game):
    rules = rules_of(game, hard=False)
    state = state_of(game, "2 4 _ _", hidden=[1, 1] + [0] * 14)
    assert [cell.face for cell in rules.view(state).cells[:3]] == ["hidden", "hidden", "empty"]
    assert [cell.exponent for cell in rules.view(state, peeks=True).cells[:2]] == [1, 2]
    over = state_of(game, STUCK, hidden=[1] * 16)
    assert all(cell.face == "number" for cell in rules.view(over).cells)
