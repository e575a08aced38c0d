"""Blitzkrieg: the clock, and the time that large tiles bring."""

import pytest

from minigames.registry import rules_of
from minigames.run import MinigameRun
from minigames.state import Action
from tests.minigames.made_states import do, state_of

MODES = pytest.mark.parametrize("hard", [False, True])


@MODES
@pytest.mark.parametrize(
    ("row", "normal_s", "hard_s"),
    [
        ("128 128 _ _", 0, 0),
        ("256 256 _ _", 30, 20),
        ("512 512 _ _", 45, 30),
        ("512 512 512 512", 90, 60),
        ("1024 1024 512 512", 60 + 45, 40 + 30),
        ("2048 2048 _ _", 75, 50),
        ("4096 4096 _ _", 90, 60),
    ],
)
def test_each_large_tile_made_brings_time(row, normal_s, hard_s, hard):
    bonus = 1000 * (hard_s if hard else normal_s)
    before = state_of("blitzkrieg", row, hard)
    after, events = do(before, "left")
    assert after.number("left_ms") == 180_000 + bonus
    assert [event.amount for event in events if event.kind == "bonus"] == [bonus] * (bonus > 0)


def test_the_clock_waits_for_the_first_move():
    state = rules_of("blitzkrieg", hard=False).start(1)
    assert do(state, "tick 5000")[0] is state
    used, _ = do(state, "bomb " + str(next(c for c, t in enumerate(state.tiles) if t)))
    assert do(used, "tick 5000")[0] is used
    moved = next(a for a in (do(state, d)[0] for d in ("left", "up")) if a is not state)
    assert do(moved, "tick 5000")[0].number("left_ms") == 175_000
    assert do(moved, "tick 0")[0] is moved


def test_when_time_is_up_nothing_can_be_done():
    state = state_of("blitzkrieg", "2 2 _ _", n_moves=1, left_ms=10)
    over, events = do(state, "tick 11")
    assert (over.over, over.number("left_ms")) == ("time", 0)
    assert [event.kind for event in events] == ["over"]
    for text in ("left", "bomb 0", "glove 0 5", "twist 0", "tick 1", "peek"):
        assert do(over, text)[0] is over, text


def test_a_pattern_that_a_tool_completes_counts_at_once():
    state = state_of("design_master_2", "256 _ _ _ / _ 256 _ _ / _ _ 256 _ / _ _ 256 2", level=0)
    assert do(state, "bomb 15")[0].number("level") == 0
    cleared, _ = do(state, "bomb 15")
    made, events = do(cleared, "glove 14 15")
    assert made.number("level") == 8
    assert [event.kind for event in events] == ["permute", "tool", "level"]


def test_an_undo_gives_no_time_back():
    run = MinigameRun("blitzkrieg", False, 1)
    run.state = state_of("blitzkrieg", "256 256 _ _", n_moves=1)
    run.do(Action("tick", (1000,)))
    run.do(Action("left"))
    assert run.state.number("left_ms") == 209_000
    run.do(Action("tick", (7000,)))
    assert run.undo()
    assert run.state.number("left_ms") == 172_000  # what was won is gone, what was spent as well
    run.do(Action("left"))
    run.do(Action("tick", (180_000,)))
    assert run.state.number("left_ms") == 22_000
    assert not run.can_undo, "without the bonus no time would be left"
    assert not run.undo()
