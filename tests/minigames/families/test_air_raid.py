"""AirRaid: marks, strikes and craters."""

from dataclasses import replace

import pytest

from minigames.board import CRATER, FLOOR
from minigames.registry import rules_of
from tests.minigames.made_states import do, faces, state_of


@pytest.mark.parametrize(("hard", "life"), [(False, 60), (True, 100)])
def test_a_tile_that_ends_on_the_mark_is_lost(hard, life):
    before = state_of("endless_air_raid", "X _ 2 2", hard)
    after, events = do(before, "left")
    assert after.score == 4  # the points stay
    assert after.terrain[0] == CRATER
    assert after.tiles[0] == 0
    assert after.layer("crater_left")[0] == life
    assert after.number("mark") == -1
    assert [event.cells for event in events if event.kind == "strike"] == [(0,)]
    view = rules_of("endless_air_raid", hard=hard).view(after)
    assert (view.cells[0].face, view.cells[0].crater_left) == ("crater", life)


def test_to_pass_a_mark_is_safe_and_it_lasts_one_move():
    before = state_of("endless_air_raid", "_ X 2 _")
    assert rules_of("endless_air_raid", hard=False).view(before).cells[1].is_marked
    after, events = do(before, "left")
    assert faces(after, events).startswith("2 _")
    assert CRATER not in after.terrain
    (strike,) = [event for event in events if event.kind == "strike"]
    assert (strike.cells, strike.amount) == ((1,), 0)
    marks = [event.cells[0] for event in events if event.kind == "mark"]
    assert after.number("mark") == (marks[0] if marks else -1)


def test_a_new_mark_may_come_with_a_strike_that_missed_not_with_one_that_hit():
    missed = hit = 0
    for seed in range(300):
        state = state_of("endless_air_raid", "_ X 2 _", rng=(0, seed, 0))
        missed += any(event.kind == "mark" for event in do(state, "left")[1])
        state = state_of("endless_air_raid", "X _ 2 _", rng=(0, seed, 0))
        hit += any(event.kind == "mark" for event in do(state, "left")[1])
    assert missed > 0
    assert hit == 0


def test_a_crater_closes_and_may_be_spawned_into_at_once():
    text = "C 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 8 8"
    left = [1] + [0] * 15
    before = state_of("endless_air_raid", text, crater_left=left)
    cells = set()
    for seed in range(60):
        after, events = do(replace(before, rng=(seed, 0, 0)), "right")
        assert after.terrain[0] == FLOOR
        assert after.layer("crater_left")[0] == 0
        cells |= {event.cells[0] for event in events if event.kind == "spawn"}
        assert [event.cells for event in events if event.kind == "thaw"] == [(0,)]
    assert cells == {0, 12}
    later = replace(before, own={**before.own, "crater_left": [2] + [0] * 15})
    after, _ = do(later, "right")
    assert after.terrain[0] == CRATER
    assert after.layer("crater_left")[0] == 1


@pytest.mark.parametrize(("left", "is_old"), [(60, False), (31, False), (30, True), (1, True)])
def test_old_craters_look_old(left, is_old):
    state = state_of("endless_air_raid", "C 2 _ _", crater_left=[left] + [0] * 15)
    assert rules_of("endless_air_raid", hard=False).view(state).cells[0].is_old == is_old


def test_the_marked_cell_is_closed_to_tools():
    state = state_of("endless_air_raid", "2 X _ _ / 4 _ _ _")
    for text in ("glove 0 1", "twist 0", "twist 1"):
        assert do(state, text)[0] is state
    rules = rules_of("endless_air_raid", hard=False)
    assert 1 not in rules.tool_cells(state, "glove", source=0)
    assert rules.tool_cells(state, "twist") == [4]
