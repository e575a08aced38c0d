"""What holds in all variants: figures, tools, trophies, actions, undo, the game of the day."""

from dataclasses import fields, replace
from datetime import date, timedelta
from itertools import pairwise

import pytest

from minigames.board import PORTAL
from minigames.parameters import SPECS, Numbers
from minigames.records import DailyResult, MinigameRecord, daily_result
from minigames.registry import GAMES, UnknownGameError, rules_of
from minigames.run import MinigameRun, daily_game
from minigames.state import Action, ActionError, move, read_action, read_log
from minigames.trophies import trophy
from tests.minigames.made_states import do, faces, state_of
from tests.minigames.specified import LEVELS, TILE_LEVELS

STUCK = "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2"
MODES = pytest.mark.parametrize("hard", [False, True])

# The specification's table of modes, with what was decided since: (normal, hard).
NUMBERS = {
    "blitzkrieg": {
        "tools": (10, 3),
        "clock_ms": (180_000, 180_000),
        "bonus_ms": (30_000, 20_000),
        "bonus_step_ms": (15_000, 10_000),
    },
    **{f"design_master_{i}": {"turns_pattern": (False, True)} for i in (1, 2, 3, 4)},
    "column_chaos": {"period": (40, 30)},
    "ferris_wheel": {"period": (40, 30)},
    "mystery_merge_1": {"peeks": (-1, 1), "points_per_peek": (0, 10_000)},
    "mystery_merge_2": {"peeks": (-1, 1), "points_per_peek": (0, 10_000)},
    "gravity_twist_1": {"period": (0, 20)},
    "gravity_twist_2": {"period": (0, 20)},
    "ice_age": {"freeze_after": (80, 60)},
    "isolated_island": {"portal_permille": (40, 50), "portal_less_permille": (20, 20)},
    "shape_shifter": {"rectangle": ((8, 13), (6, 11))},
    "tricky_tiles": {"adversary_percent": (33, 43)},
    "endless_factorization": {"object_permille": (30, 15)},
    "endless_explosions": {"object_permille": (30, 15)},
    "endless_giftbox": {"object_permille": (30, 15)},
    "endless_hybrid": {
        "object_permille": (50, 50),
        "portal_permille": (30, 45),
        "portal_less_permille": (20, 20),
    },
    "endless_air_raid": {
        "mark_permille": (80, 80),
        "mark_less_permille": (25, 25),
        "mark_least_permille": (10, 10),
        "crater_moves": (60, 100),
    },
}


@pytest.mark.parametrize("game", NUMBERS)
def test_the_numbers_are_those_of_the_specification(game):
    spec = GAMES[game]
    common = {"tools": (5, 1), "award_percent": (25, 5)}
    for place, numbers in enumerate((spec.normal, spec.hard)):
        want = {name: pair[place] for name, pair in {**common, **NUMBERS[game]}.items()}
        for field in fields(Numbers):
            none = field.default if field.name not in common else 0
            assert getattr(numbers, field.name) == want.get(field.name, none), field.name
    assert spec.levels == LEVELS.get(game, TILE_LEVELS)
    assert spec.normal != replace(spec.hard, tools=5, award_percent=25), "hard is more than tools"


def test_there_are_twenty_and_each_is_listed_once():
    assert len(SPECS) == len(GAMES) == len(NUMBERS) == 20
    assert set(GAMES) == set(NUMBERS)
    with pytest.raises(UnknownGameError, match="ice_age"):
        rules_of("chess", hard=False)


@MODES
@pytest.mark.parametrize("game", NUMBERS)
def test_one_starts_with_the_tools_of_the_mode(game, hard):
    tools = NUMBERS[game].get("tools", (5, 1))[hard]
    assert rules_of(game, hard=hard).start(3).tools == (tools, tools, tools)


@pytest.mark.parametrize("game", NUMBERS)
def test_what_is_illegal_gives_the_same_state(game):
    state = state_of(game, "2 _ _ _ / 4 _ _ _ / 2 _ _ _ / 4 _ _ _", n_moves=1)
    for text in ("left", "up", "down", "bomb 1", "glove 0 4", "glove 1 2", "twist 2", "twist 12"):
        after, events = do(state, text)
        assert after is state, text
        assert events == ()


def test_a_tool_is_not_used_where_none_is_left_or_no_cell_is():
    state = state_of("ice_age", "2 4 _ _", tools=(0, 1, 0))
    for text in ("bomb 0", "twist 0", "bomb 16", "glove 0 99", "glove 16 3"):
        assert do(state, text)[0] is state, text
    assert do(state, "glove 0 3")[0].tools == (0, 0, 0)


def test_a_bomb_removes_one_number():
    after, _ = do(state_of("ice_age", "2 4 8 _"), "bomb 1")
    assert faces(after).startswith("2 _ 8 _")


def test_a_glove_keeps_the_tiles():
    before = state_of("ice_age", "2 4 8 _")
    after, _ = do(before, "glove 0 15")
    assert sorted(after.tiles) == sorted(before.tiles)
    assert (after.tiles[0], after.tiles[15]) == (0, 1)


def test_a_twist_turns_clockwise_and_four_are_none():
    before = state_of("ice_age", "2 4 _ _ / 8 _ _ _", tools=(0, 0, 5))
    after, _ = do(before, "twist 0")
    assert faces(after).startswith("8 2 _ _ / _ 4 _ _")
    for _ in range(3):
        after, _ = do(after, "twist 0")
    assert after.tiles == before.tiles


@pytest.mark.parametrize("wall", ["I", "C"])
def test_no_tool_touches_a_wall(wall):
    game = {"I": "ice_age", "C": "endless_air_raid"}[wall]
    state = state_of(game, f"2 {wall} _ _ / 4 _ _ _")
    for text in ("bomb 1", "glove 0 1", "glove 1 3", "twist 0", "twist 1"):
        assert do(state, text)[0] is state, text
    assert do(state, "twist 4")[0] is not state


def test_portals_can_be_twisted_and_nothing_else():
    state = state_of("isolated_island", "P 2 _ _ / _ _ _ _")
    assert do(state, "bomb 0")[0] is state
    assert do(state, "glove 0 5")[0] is state
    assert do(state, "twist 0")[0].tiles[1] == PORTAL


@MODES
@pytest.mark.parametrize(
    ("row", "gain", "may"),
    [
        ("128 128 32 _ / 16 16 4 4 / _ _ _ _", 256 + 32 + 8, False),  # 296
        ("128 128 16 16 / 4 4 2 _", 256 + 32 + 8, False),
        ("128 128 16 16 / 4 4 2 2", 300, True),
        ("256 256 _ _", 512, True),
        ("256 256 128 128 / 64 64 32 32 / 16 16 8 8 / 4 4 2 2", 1020, True),
        ("512 512 _ _", 1024, False),
    ],
)
def test_a_tool_is_won_by_moves_of_300_to_1023_points(row, gain, may, hard):
    state, n_won, names = state_of("column_chaos", row, hard), 0, set()
    for seed in range(400):
        after, events = do(replace(state, rng=(1, 1, seed)), "left")
        assert after.score == gain
        won = [event.what for event in events if event.kind == "award"]
        assert len(won) <= 1
        assert sum(after.tools) == sum(state.tools) + len(won)
        n_won += len(won)
        names |= set(won)
    assert (n_won > 0) == may
    if may and not hard:
        assert names == {"bomb", "glove", "twist"}


def test_only_moves_count_and_a_tool_can_revive():
    state = state_of("column_chaos", STUCK)
    assert state.over == "stuck"
    after, events = do(state, "bomb 5")
    assert (after.over, after.n_moves, after.score) == ("", 0, 0)
    assert [event.kind for event in events] == ["tool"]
    back = state_of("column_chaos", "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 8")
    assert do(back, "twist 0")[0].over == ""


def test_a_tool_can_end_a_run():
    state = state_of("column_chaos", "2 4 2 4 / 4 2 4 2 / 2 4 4 2 / 4 2 2 4")
    assert state.over == ""
    after, events = do(state, "twist 10")
    assert faces(after) == STUCK
    assert after.over == "stuck"
    assert [event.kind for event in events] == ["permute", "tool", "over"]


def test_spawns_are_two_or_four_and_the_newest_is_known():
    state = state_of("column_chaos", "2 _ _ _")
    after, events = do(state, "right")
    (spawn,) = [event for event in events if event.kind == "spawn"]
    assert spawn.cells == (after.newest,)
    assert after.tiles[after.newest] in (1, 2)


@pytest.mark.parametrize(
    ("game", "changes", "want"),
    [
        ("column_chaos", {"best": 9}, 0),
        ("column_chaos", {"best": 10}, 1),
        ("ferris_wheel", {"best": 11}, 2),
        ("ice_age", {"best": 12}, 3),
        ("isolated_island", {"best": 13}, 4),
        ("blitzkrieg", {"best": 13}, 0),
        ("blitzkrieg", {"best": 13, "over": "time"}, 4),
        ("blitzkrieg", {"best": 10, "over": "stuck"}, 1),
        ("design_master_1", {"level": 0, "best": 14}, 0),
        ("design_master_1", {"level": 8}, 1),
        ("design_master_4", {"level": 11}, 4),
        ("design_master_4", {"level": 14}, 4),
        ("endless_explosions", {"score": 39_999, "best": 14}, 0),
        ("endless_giftbox", {"score": 40_000}, 1),
        ("endless_factorization", {"score": 100_000}, 2),
        ("endless_air_raid", {"score": 299_999}, 3),
        ("endless_air_raid", {"score": 300_000}, 4),
        ("endless_hybrid", {"score": 20_000}, 1),
        ("endless_hybrid", {"score": 150_000}, 4),
    ],
)
def test_trophies(game, changes, want):
    assert trophy(GAMES[game], state_of(game, "2 _ _ _", **changes)) == want


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("jump", "jump"),
        ("bomb", "1 numbers"),
        ("glove 3", "2 numbers"),
        ("left 3", "0 numbers"),
        ("bomb x", "whole numbers"),
        ("bomb -1", "whole numbers"),
        ("bomb ²", "whole numbers"),
        ("tick 9999999999", "larger"),
        ("tick 99999999999999", "whole numbers"),
    ],
)
def test_what_is_no_action_is_refused(text, words):
    with pytest.raises(ActionError, match=words):
        read_action(text)


def test_actions_are_read_as_they_are_written():
    texts = ["left", "right", "up", "down", "bomb 3", "glove 3 15", "twist 0", "peek", "tick 17"]
    actions = [read_action(text) for text in [*texts, "undo"]]
    assert [action.text for action in actions] == [*texts, "undo"]
    assert read_log(" ".join(action.short for action in actions)) == actions
    assert read_log("") == []
    for log in ("left", "l1", "b", "q", "g1,2,3", "kx"):
        with pytest.raises(ActionError):
            read_log(log)


def test_an_undo_marks_the_run_and_goes_back_to_the_same_future():
    run = MinigameRun("column_chaos", False, 4)
    assert not run.can_undo
    assert not run.undo()
    assert not run.is_assisted
    moves = [name for name in ("left", "up", "right", "down") if run.do(Action(name))]
    there = run.state
    assert run.can_undo
    assert run.undo()
    assert run.is_assisted
    run.do(Action(moves[-1]))
    assert run.state == there
    while run.undo():
        pass
    assert run.state == rules_of("column_chaos", hard=False).start(4)


@pytest.mark.parametrize("tool", ["bomb", "glove", "twist"])
@pytest.mark.parametrize("game", NUMBERS)
def test_the_cells_that_are_shown_for_a_tool_are_those_that_work(game, tool):
    text = {"ice_age": "2 I _ 4 / 8 _ 2 _", "endless_air_raid": "2 C X 4 / 8 _ 2 _"}.get(
        game, "2 _ B 4 / 8 _ 2 _" if game.startswith("endless") else "2 _ _ 4 / 8 _ 2 _"
    )
    state, rules = state_of(game, text), rules_of(game, hard=False)
    n = len(state.tiles)
    if tool == "glove":
        works = {(s, t) for s in range(n) for t in range(n) if do(state, f"glove {s} {t}")[1]}
        assert rules.tool_cells(state, tool) == sorted({source for source, _ in works})
        for source in range(n):
            stops = [t for s, t in sorted(works) if s == source]
            assert rules.tool_cells(state, tool, source=source) == stops
    else:
        works = [cell for cell in range(n) if do(state, f"{tool} {cell}")[1]]
        assert rules.tool_cells(state, tool) == works
    assert rules.tool_cells(replace(state, tools=(0, 0, 0)), tool) == []


DAY = date(2026, 3, 5)


def test_every_game_has_its_day():
    games = [daily_game(DAY + timedelta(days=n)) for n in range(len(GAMES))]
    assert sorted(games) == sorted(GAMES)
    families = [GAMES[name].family for name in games]
    assert all(a != b for a, b in pairwise(families)), "something else"


def played(n_moves: int, day: date = DAY) -> MinigameRun:
    run = MinigameRun("ice_age", hard=False, seed=5, day=day.isoformat())
    for _ in range(n_moves):
        run.do(move(run.rules.legal(run.state)[0]))
    return run


def test_a_run_that_goes_on_is_the_result_until_one_ended():
    assert daily_result(MinigameRecord(), None, DAY) is None
    assert daily_result(MinigameRecord(), played(0), DAY) is None, "only opened"
    run = played(9)
    assert daily_result(MinigameRecord(), run, DAY) == DailyResult(
        run.state.score, run.state.best, False
    )
    assert daily_result(MinigameRecord(), run, DAY + timedelta(days=1)) is None
    record = MinigameRecord().with_finished(played(6), "2026-03-05T12:00:00+00:00")
    ended = played(6).state
    assert daily_result(record, run, DAY) == DailyResult(ended.score, ended.best, True)


def test_the_result_of_a_day_is_the_best_run_without_undo():
    record = MinigameRecord()
    for n_moves, takes_back in ((8, False), (20, True), (15, False), (4, False)):
        run = played(n_moves)
        if takes_back:
            run.undo()
        record = record.with_finished(run, "2026-03-05T12:00:00+00:00")
    best = played(15).state
    assert daily_result(record, None, DAY) == DailyResult(best.score, best.best, True)
