"""What is special of each variant: examples with a known answer, and what always holds."""

from collections import Counter
from dataclasses import fields, replace
from itertools import chain, combinations

import pytest

from minigames.board import CRATER, FLOOR, HOLE, ICE, PORTAL
from minigames.families.permutations import ring
from minigames.parameters import GIFT_WEIGHTS, SPECS, Numbers
from minigames.registry import GAMES, UnknownGameError, rules_of
from minigames.run import Run
from minigames.state import Action, ActionError, State, read_action, read_log
from minigames.trophies import trophy
from tests.minigames import slow_rules
from tests.minigames.made_states import do, faces, row_after, state_of
from tests.minigames.run_checks import LEVELS, TILE_LEVELS, fake_adversary

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


# All variants -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", NUMBERS)
def test_the_numbers_are_those_of_the_specification(game: str) -> None:
    spec = GAMES[game]
    common = {"tools": (5, 1), "award_percent": (25, 5)}
    for place, numbers in enumerate((spec.normal, spec.hard)):
        want = {name: pair[place] for name, pair in {**common, **NUMBERS[game]}.items()}
        for field in fields(Numbers):
            none = field.default if field.name not in common else 0
            assert getattr(numbers, field.name) == want.get(field.name, none), field.name
    assert spec.levels == LEVELS.get(game, TILE_LEVELS)
    assert spec.normal != replace(spec.hard, tools=5, award_percent=25), "hard is more than tools"


def test_there_are_twenty_and_each_is_listed_once() -> None:
    assert len(SPECS) == len(GAMES) == len(NUMBERS) == 20
    assert set(GAMES) == set(NUMBERS)
    with pytest.raises(UnknownGameError, match="ice_age"):
        rules_of("chess", hard=False)


@MODES
@pytest.mark.parametrize("game", NUMBERS)
def test_one_starts_with_the_tools_of_the_mode(game: str, hard: bool) -> None:
    tools = NUMBERS[game].get("tools", (5, 1))[hard]
    assert rules_of(game, hard=hard).start(3).tools == (tools, tools, tools)


@pytest.mark.parametrize("game", NUMBERS)
def test_what_is_illegal_gives_the_same_state(game: str) -> None:
    state = state_of(game, "2 _ _ _ / 4 _ _ _ / 2 _ _ _ / 4 _ _ _", n_moves=1)
    for text in ("left", "up", "down", "bomb 1", "glove 0 4", "glove 1 2", "twist 2", "twist 12"):
        after, events = do(state, text)
        assert after is state, text
        assert events == ()


def test_a_tool_is_not_used_where_none_is_left_or_no_cell_is() -> None:
    state = state_of("ice_age", "2 4 _ _", tools=(0, 1, 0))
    for text in ("bomb 0", "twist 0", "bomb 16", "glove 0 99", "glove 16 3"):
        assert do(state, text)[0] is state, text
    assert do(state, "glove 0 3")[0].tools == (0, 0, 0)


def test_a_bomb_removes_one_number() -> None:
    after, _ = do(state_of("ice_age", "2 4 8 _"), "bomb 1")
    assert faces(after).startswith("2 _ 8 _")


def test_a_glove_keeps_the_tiles() -> None:
    before = state_of("ice_age", "2 4 8 _")
    after, _ = do(before, "glove 0 15")
    assert sorted(after.tiles) == sorted(before.tiles)
    assert (after.tiles[0], after.tiles[15]) == (0, 1)


def test_a_twist_turns_clockwise_and_four_are_none() -> None:
    before = state_of("ice_age", "2 4 _ _ / 8 _ _ _", tools=(0, 0, 5))
    after, _ = do(before, "twist 0")
    assert faces(after).startswith("8 2 _ _ / _ 4 _ _")
    for _ in range(3):
        after, _ = do(after, "twist 0")
    assert after.tiles == before.tiles


@pytest.mark.parametrize("wall", ["I", "C"])
def test_no_tool_touches_a_wall(wall: str) -> None:
    game = {"I": "ice_age", "C": "endless_air_raid"}[wall]
    state = state_of(game, f"2 {wall} _ _ / 4 _ _ _")
    for text in ("bomb 1", "glove 0 1", "glove 1 3", "twist 0", "twist 1"):
        assert do(state, text)[0] is state, text
    assert do(state, "twist 4")[0] is not state


def test_portals_can_be_twisted_and_nothing_else() -> None:
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
def test_a_tool_is_won_by_moves_of_300_to_1023_points(
    row: str, gain: int, may: bool, hard: bool
) -> None:
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


def test_only_moves_count_and_a_tool_can_revive() -> None:
    state = state_of("column_chaos", STUCK)
    assert state.over == "stuck"
    after, events = do(state, "bomb 5")
    assert (after.over, after.n_moves, after.score) == ("", 0, 0)
    assert [event.kind for event in events] == ["tool"]
    back = state_of("column_chaos", "2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 8")
    assert do(back, "twist 0")[0].over == ""


def test_a_tool_can_end_a_run() -> None:
    state = state_of("column_chaos", "2 4 2 4 / 4 2 4 2 / 2 4 4 2 / 4 2 2 4")
    assert state.over == ""
    after, events = do(state, "twist 10")
    assert faces(after) == STUCK
    assert after.over == "stuck"
    assert [event.kind for event in events] == ["permute", "tool", "over"]


def test_spawns_are_two_or_four_and_the_newest_is_known() -> None:
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
def test_trophies(game: str, changes: dict, want: int) -> None:
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
def test_what_is_no_action_is_refused(text: str, words: str) -> None:
    with pytest.raises(ActionError, match=words):
        read_action(text)


def test_actions_are_read_as_they_are_written() -> None:
    texts = ["left", "right", "up", "down", "bomb 3", "glove 3 15", "twist 0", "peek", "tick 17"]
    actions = [read_action(text) for text in [*texts, "undo"]]
    assert [action.text for action in actions] == [*texts, "undo"]
    assert read_log(" ".join(action.short for action in actions)) == actions
    assert read_log("") == []
    for log in ("left", "l1", "b", "q", "g1,2,3", "kx"):
        with pytest.raises(ActionError):
            read_log(log)


# Blitzkrieg ---------------------------------------------------------------------------------------


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
def test_each_large_tile_made_brings_time(row: str, normal_s: int, hard_s: int, hard: bool) -> None:
    bonus = 1000 * (hard_s if hard else normal_s)
    before = state_of("blitzkrieg", row, hard)
    after, events = do(before, "left")
    assert after.number("left_ms") == 180_000 + bonus
    assert [event.amount for event in events if event.kind == "bonus"] == [bonus] * (bonus > 0)


def test_the_clock_waits_for_the_first_move() -> None:
    state = rules_of("blitzkrieg", hard=False).start(1)
    assert do(state, "tick 5000")[0] is state
    used, _ = do(state, "bomb " + str(next(c for c, t in enumerate(state.tiles) if t)))
    assert do(used, "tick 5000")[0] is used
    moved = next(a for a in (do(state, d)[0] for d in ("left", "up")) if a is not state)
    assert do(moved, "tick 5000")[0].number("left_ms") == 175_000
    assert do(moved, "tick 0")[0] is moved


def test_when_time_is_up_nothing_can_be_done() -> None:
    state = state_of("blitzkrieg", "2 2 _ _", n_moves=1, left_ms=10)
    over, events = do(state, "tick 11")
    assert (over.over, over.number("left_ms")) == ("time", 0)
    assert [event.kind for event in events] == ["over"]
    for text in ("left", "bomb 0", "glove 0 5", "twist 0", "tick 1", "peek"):
        assert do(over, text)[0] is over, text


def test_a_pattern_that_a_tool_completes_counts_at_once() -> None:
    state = state_of("design_master_2", "256 _ _ _ / _ 256 _ _ / _ _ 256 _ / _ _ 256 2", level=0)
    assert do(state, "bomb 15")[0].number("level") == 0
    cleared, _ = do(state, "bomb 15")
    made, events = do(cleared, "glove 14 15")
    assert made.number("level") == 8
    assert [event.kind for event in events] == ["permute", "tool", "level"]


def test_time_is_shown() -> None:
    state = state_of("blitzkrieg", "2 2 _ _", left_ms=61_234)
    assert rules_of("blitzkrieg", hard=False).view(state).time_left_ms == 61_234


def test_an_undo_gives_no_time_back() -> None:
    run = Run("blitzkrieg", False, 1)
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


# Design Master ------------------------------------------------------------------------------------

PATTERNS_256 = {
    "design_master_1": "_ _ _ _ / _ 512 256 _ / _ 256 512 _ / _ _ _ _",
    "design_master_2": "256 _ _ _ / _ 256 _ _ / _ _ 256 _ / _ _ _ 256",
    "design_master_3": "_ _ 256 _ / _ _ _ _ / 256 _ _ _ / _ _ _ 256",
    "design_master_4": "_ _ _ _ / _ 2 256 128 / _ 4 512 64 / _ 8 16 32",
}


def words_of(text: str) -> list[str]:
    return [word for row in text.split("/") for word in row.split()]


def after_goal_check(game: str, words: list[str], hard: bool = False, **own: int) -> State:
    """Have a board checked, by the move "right" of a board that it makes, or None can."""
    # A move right that moves one tile in a row where the pattern asks for nothing; where the
    # pattern needs all rows, the tile that is moved is one of it.
    for cell in range(16):
        left = cell - 1
        if cell % 4 == 0 or words[cell] == "_" or words[left] != "_":
            continue
        before = list(words)
        before[left], before[cell] = words[cell], "_"
        state = state_of(
            game, " / ".join(" ".join(before[r : r + 4]) for r in (0, 4, 8, 12)), hard, **own
        )
        after, events = do(state, "right")
        if (
            after is not state
            and faces(after, events).split()
            == faces(
                state_of(game, " / ".join(" ".join(words[r : r + 4]) for r in (0, 4, 8, 12)))
            ).split()
        ):
            return after
    raise AssertionError("no move makes this board")


@pytest.mark.parametrize("game", PATTERNS_256)
def test_the_goal_asks_for_the_pattern_of_the_next_level(game: str) -> None:
    rules = rules_of(game, hard=False)
    for level in range(8, 15):
        state = state_of(game, "2 _ _ _", level=level - 1 if level > 8 else 0)
        goal = rules.goal(state)
        want = {
            cell: face.bit_length() - 1
            for cell, face in slow_rules.pattern(game, 1 << level, False).items()
        }
        assert (goal.exponent, goal.cells) == (level, want)
        view = rules.view(state)
        assert {c: one.goal for c, one in enumerate(view.cells) if one.goal is not None} == want
        assert view.goal_level == level
    assert rules.goal(state_of(game, "2 _ _ _")).cells == {
        cell: int(word).bit_length() - 1
        for cell, word in enumerate(words_of(PATTERNS_256[game]))
        if word != "_"
    }


@pytest.mark.parametrize("game", PATTERNS_256)
def test_in_hard_mode_the_pattern_turns_with_each_level(game: str) -> None:
    rules = rules_of(game, hard=True)
    seen = []
    for level in range(8, 15):
        goal = rules.goal(state_of(game, "2 _ _ _", hard=True, level=level - 1 if level > 8 else 0))
        want = slow_rules.pattern(game, 1 << level, True)
        assert {cell: 1 << exponent for cell, exponent in goal.cells.items()} == want
        seen.append({cell: exponent - level for cell, exponent in goal.cells.items()})
    assert seen[0] != seen[1]
    assert seen[0] == seen[4]
    if game == "design_master_3":  # the lone corner, bottom right, goes around clockwise
        assert [next(c for c in (15, 12, 0, 3) if c in one) for one in seen[:4]] == [15, 12, 0, 3]


def test_a_pattern_counts_where_it_stands_and_only_there() -> None:
    whole = "_ _ _ 2 / _ 512 256 4 / _ 256 512 8 / _ _ 2 16"
    after = after_goal_check("design_master_1", words_of(whole))
    assert after.number("level") == 8
    turned = "_ _ _ 2 / _ 256 512 4 / _ 512 256 8 / _ _ 2 16"
    assert after_goal_check("design_master_1", words_of(turned)).number("level") == 0


def test_a_level_counts_once_and_may_be_jumped() -> None:
    board = words_of("_ _ _ 2 / _ 2048 1024 4 / _ 1024 2048 8 / _ _ 2 16")
    assert after_goal_check("design_master_1", board).number("level") == 10
    assert after_goal_check("design_master_1", board, level=10).number("level") == 10
    assert after_goal_check("design_master_1", board, level=12).number("level") == 12


def test_the_last_level_is_16384() -> None:
    board = words_of("_ _ _ 2 / _ 32768 16384 4 / _ 16384 32768 8 / _ _ 2 16")
    after = after_goal_check("design_master_1", board)
    assert after.number("level") == 14
    more = words_of("_ _ _ 2 / _ 65536 32768 4 / _ 32768 65536 8 / _ _ 2 16")
    assert after_goal_check("design_master_1", more).number("level") == 0


def test_the_new_tile_may_complete_a_pattern() -> None:
    text = "4 8 4 8 / _ 256 _ 128 / 2 4 512 64 / 4 8 16 32"
    found = set()
    for seed in range(100):
        state = state_of("design_master_4", text, rng=(seed, 0, 0))
        after, _ = do(state, "right")
        found.add((after.tiles[5], after.number("level")))
    assert found == {(0, 0), (1, 8), (2, 0)}


# Column Chaos, Ferris Wheel -----------------------------------------------------------------------


@MODES
@pytest.mark.parametrize("game", ["column_chaos", "ferris_wheel"])
def test_the_board_changes_at_the_period_and_not_before(game: str, hard: bool) -> None:
    run = Run(game, hard, 5)
    period, at = (30 if hard else 40), []
    while len(at) < 2:
        if run.state.over:
            run.do(Action("bomb", (0,)))  # makes room
        events = ()
        for name in ("left", "down", "right", "up"):
            events = events or run.do(Action(name))
        if any(event.kind == "permute" for event in events):
            at.append(run.state.n_moves)
        run.state = replace(run.state, tiles=(1, *[0] * 14, 1), over="")  # never stuck
    assert at == [period, 2 * period]


def test_columns_keep_their_order_and_the_others_stay() -> None:
    state, seen = state_of("column_chaos", "_ 4 8 16 / 4 8 16 32 / 8 16 32 64 / 2 32 64 128"), set()
    for seed in range(40):
        after, events = do(replace(state, own={"moves_left": 1}, rng=(0, seed, 0)), "up")
        (swap,) = [event for event in events if event.kind == "permute"]
        a, b = sorted({source % 4 for source, _ in swap.pairs})
        seen.add((a, b))
        plain, _ = do(replace(state, own={"moves_left": 2}, rng=(0, seed, 0)), "up")
        order = [0, 1, 2, 3]
        order[a], order[b] = b, a
        assert list(after.tiles) == [plain.tiles[c - c % 4 + order[c % 4]] for c in range(16)]
    assert len(seen) == 6


def test_the_run_is_judged_after_the_swap() -> None:
    # The 128s stand side by side; after two of the six swaps they do not, and nothing is left.
    text = "8 128 128 512 / _ 1024 2048 16 / 32 4096 256 64 / 64 8 16 32"
    ends = {}
    for seed in range(100):
        after, events = do(state_of("column_chaos", text, moves_left=1, rng=(0, seed, 0)), "down")
        (swap,) = [event for event in events if event.kind == "permute"]
        ends.setdefault(tuple(sorted({source % 4 for source, _ in swap.pairs})), set()).add(
            after.over
        )
    stuck = {(0, 1), (2, 3)}
    assert ends == {pair: {"stuck" if pair in stuck else ""} for pair in combinations(range(4), 2)}


def test_the_ring_turns_clockwise() -> None:
    assert ring(4, 4) == slow_rules.RING
    state = state_of(
        "ferris_wheel", "_ 4 8 16 / 4 8 16 32 / 8 16 32 64 / 2 32 64 128", moves_left=1
    )
    plain, _ = do(replace(state, own={"moves_left": 2}), "up")
    after, events = do(state, "up")
    for here, onward in zip(
        slow_rules.RING, slow_rules.RING[1:] + slow_rules.RING[:1], strict=True
    ):
        assert after.tiles[onward] == plain.tiles[here]
    assert [after.tiles[c] for c in (5, 6, 9, 10)] == [plain.tiles[c] for c in (5, 6, 9, 10)]
    (turn,) = [event for event in events if event.kind == "permute"]
    labels = list(range(16))
    for _ in range(12):
        old = list(labels)
        for source, stop in turn.pairs:
            labels[stop] = old[source]
    assert labels == list(range(16))


def test_moves_left_are_shown() -> None:
    for game in ("column_chaos", "ferris_wheel"):
        view = rules_of(game, hard=True).view(state_of(game, "2 _ _ _", hard=True, moves_left=7))
        assert (view.moves_left, view.period) == (7, 30)


# Mystery Merge ------------------------------------------------------------------------------------


def hidden_of(state: State) -> list[int]:
    return [cell for cell, hidden in enumerate(state.layer("hidden")) if hidden]


def test_of_the_first_two_tiles_one_is_seen() -> None:
    for seed in range(20):
        one = rules_of("mystery_merge_1", hard=False).start(seed)
        two = rules_of("mystery_merge_2", hard=False).start(seed)
        assert one.tiles == two.tiles
        first = next(cell for cell in range(16) if one.tiles[cell] and cell != one.newest)
        assert hidden_of(one) == [first]
        assert hidden_of(two) == [two.newest]


def test_mystery_merge_1_shows_the_newest_and_the_last_merges() -> None:
    state = state_of("mystery_merge_1", "2 2 8 _ / 4 16 _ _")
    after, _ = do(state, "left")
    assert hidden_of(after) == [1, 4, 5]
    again, _ = do(after, "right")
    assert 3 not in hidden_of(again) or again.tiles[3] == 0 or again.newest != 3


def test_mystery_merge_2_shows_what_merged_for_good() -> None:
    state = state_of("mystery_merge_2", "2 2 _ _ / 4 _ 16 _", hidden=[1, 1, 0, 0, 1] + [0] * 11)
    after, _ = do(state, "left")
    assert hidden_of(after) == sorted([4, after.newest])
    again, _ = do(after, "right")
    assert 4 not in hidden_of(again) or again.newest == 4
    assert 7 not in hidden_of(again)
    assert {6} <= set(hidden_of(again)) | {again.newest}


@pytest.mark.parametrize("game", ["mystery_merge_1", "mystery_merge_2"])
def test_looks_are_counted(game: str) -> None:
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
def test_an_undo_gives_no_look_back(game: str) -> None:
    run = Run(game, True, 1)
    run.state = state_of(game, "_ 2 4 _", True)
    run.do(Action("left"))
    run.do(Action("peek"))
    assert run.undo()
    assert run.state.n_moves == 0
    assert run.rules.view(run.state).peeks_left == 0
    run.do(Action("peek"))
    assert run.log == ["l", "p", "z"]


@pytest.mark.parametrize("game", ["mystery_merge_1", "mystery_merge_2"])
def test_a_look_shows_all_and_so_does_the_end(game: str) -> None:
    rules = rules_of(game, hard=False)
    state = state_of(game, "2 4 _ _", hidden=[1, 1] + [0] * 14)
    assert [cell.face for cell in rules.view(state).cells[:3]] == ["hidden", "hidden", "empty"]
    assert [cell.exponent for cell in rules.view(state, peeks=True).cells[:2]] == [1, 2]
    over = state_of(game, STUCK, hidden=[1] * 16)
    assert all(cell.face == "number" for cell in rules.view(over).cells)


# Gravity Twist ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "column", "gain"),
    [("gravity_twist_1", [0, 2, 2, 4], 0), ("gravity_twist_2", [0, 0, 4, 4], 4)],
)
def test_what_falls(game: str, column: list[int], gain: int) -> None:
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


def test_the_first_tiles_hang_until_the_first_move() -> None:
    found = [rules_of("gravity_twist_1", hard=False).start(seed).tiles[:8] for seed in range(10)]
    assert any(any(tiles) for tiles in found)


def test_down_only_merges_in_gravity_twist_1() -> None:
    packed = state_of("gravity_twist_1", "_ _ _ _ / 2 _ _ _ / 4 2 _ _ / 2 4 2 _")
    assert do(packed, "down")[0] is packed
    pair = state_of("gravity_twist_1", "_ _ _ _ / _ _ _ _ / 2 _ _ _ / 2 _ _ _")
    assert do(pair, "down")[0].score == 4


@pytest.mark.parametrize("game", ["gravity_twist_1", "gravity_twist_2"])
def test_in_hard_mode_gravity_turns_every_20_moves(game: str) -> None:
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


# Ice Age ------------------------------------------------------------------------------------------


def test_who_merges_or_moves_is_not_idle() -> None:
    state = state_of("ice_age", "8 4 _ 4", idle=[5, 6, 0, 7] + [0] * 12)
    after, _ = do(state, "left")
    assert faces(after)[:3] == "8 8"
    assert after.layer("idle")[:2] == [6, 0]


@pytest.mark.parametrize(("hard", "limit"), [(False, 80), (True, 60)])
def test_a_tile_freezes_at_the_limit(hard: bool, limit: int) -> None:
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
def test_ice_grows_in_steps(hard: bool, steps: list[int]) -> None:
    rules = rules_of("ice_age", hard=hard)
    for idle in range(60 if hard else 80):
        state = state_of("ice_age", "8 4 _ 2", hard, idle=[idle] + [0] * 15)
        assert rules.view(state).cells[0].ice == sum(idle >= step for step in steps), idle


# Isolated Island ----------------------------------------------------------------------------------


def test_portals_in_a_row() -> None:
    assert row_after("isolated_island", "P P P 2", "left")[:2] == ("P 2 _ _", 0)
    state = state_of("isolated_island", "2 P 2 _")
    assert do(state, "left")[0] is state
    row, gain, _ = row_after("isolated_island", "2 P 2 2", "left")
    assert (row, gain) == ("2 P 4 _", 4)
    assert rules_of("isolated_island", hard=False).view(state).cells[1].face == "portal"


# Shape Shifter ------------------------------------------------------------------------------------


@MODES
def test_shapes(hard: bool) -> None:
    seen, sizes = set(), set()
    for seed in range(80):
        state = rules_of("shape_shifter", hard=hard).start(seed)
        is_open, n = [kind == FLOOR for kind in state.terrain], state.n_columns
        assert set(state.terrain) == {FLOOR, HOLE}
        assert sum(is_open) == 18
        assert slow_rules.is_connected(is_open, n)
        assert state.n_rows <= n <= 12
        rows = [is_open[r : r + n] for r in range(0, len(is_open), n)]
        for side in (rows[0], rows[-1], [r[0] for r in rows], [r[-1] for r in rows]):
            assert any(side), "the box is as small as it can be"
        size = slow_rules.largest_rectangle(is_open, n)
        assert size in (range(6, 12) if hard else range(8, 14))
        sizes.add(size)
        seen.add(state.terrain)
    assert len(seen) > 75
    assert min(sizes) == (6 if hard else 8)
    assert max(sizes) >= 10


# Tricky Tiles -------------------------------------------------------------------------------------


def test_the_adversary_is_asked_about_a_mirror_image() -> None:
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


def test_large_tiles_are_no_trouble_to_the_real_adversary() -> None:
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


# Objects ------------------------------------------------------------------------------------------


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
def test_what_objects_meet(game: str, row: str, direction: str, want: str, gain: int) -> None:
    state = state_of(game, row, kind={"e": 0, "f": 1}[game[8]])
    after, events = do(state, direction)
    assert (faces(after, events).partition(" /")[0], after.score) == (want, gain)
    assert events[0].kind == "hit"
    if "object" not in [event.kind for event in events]:
        assert after.number("object") == -1


def test_a_factorizer_can_fill_the_board() -> None:
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
        assert "spawn" not in [event.kind for event in events]
        assert after.tiles.count(0) == 0
        legal = slow_rules.legal(list(after.tiles), [False] * 16, 4)
        assert (after.over == "stuck") == (legal == [])
    assert seen == {1, 2, 3, 4, 5}


def test_results_do_not_merge_in_the_same_move() -> None:
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
def test_an_object_goes_to_the_edge_only_through_an_empty_line(game: str, kind: int) -> None:
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
def test_with_an_object_a_move_is_always_left(game: str) -> None:
    full = "2 4 2 4 / 4 B 4 2 / 2 4 2 4 / 4 2 4 2"
    state = state_of(game, full)
    assert state.over == ""
    assert rules_of(game, hard=False).legal(state) == [0, 1, 2, 3]


def test_gifts_are_new_numbers_up_to_1024() -> None:
    seen = Counter()
    for seed in range(600):
        state = state_of("endless_giftbox", "_ 8 B _", kind=2, rng=(0, seed, 0))
        seen[do(state, "left")[0].tiles[0]] += 1
    assert set(seen) == set(range(2, 11)) - {3}
    assert {k: round(w / 1e6, 6) for k, w in GIFT_WEIGHTS.items()} == {
        k: pytest.approx(k**-1.5, abs=1e-6) for k in range(2, 11)
    }


@pytest.mark.parametrize(("kind", "want"), [(0, "2 _ _ _"), (1, "2 _ _ _"), (2, "2 ? _ _")])
def test_an_object_of_hybrid_meets_a_portal(kind: int, want: str) -> None:
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
def test_in_hard_mode_objects_are_half_as_often(hard: bool) -> None:
    n_seen = 0
    for seed in range(2000):
        state = state_of("endless_giftbox", "2 _ _ _", hard, rng=(0, seed, 0))
        n_seen += any(event.kind == "object" for event in do(state, "right")[1])
    assert (15 if hard else 38) < n_seen < (50 if hard else 90)  # 30 and 60, 3 sigma


# AirRaid ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hard", "life"), [(False, 60), (True, 100)])
def test_a_tile_that_ends_on_the_mark_is_lost(hard: bool, life: int) -> None:
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


def test_to_pass_a_mark_is_safe_and_it_lasts_one_move() -> None:
    before = state_of("endless_air_raid", "_ X 2 _")
    assert rules_of("endless_air_raid", hard=False).view(before).cells[1].is_marked
    after, events = do(before, "left")
    assert faces(after, events).startswith("2 _")
    assert CRATER not in after.terrain
    (strike,) = [event for event in events if event.kind == "strike"]
    assert (strike.cells, strike.amount) == ((1,), 0)
    marks = [event.cells[0] for event in events if event.kind == "mark"]
    assert after.number("mark") == (marks[0] if marks else -1)


def test_a_new_mark_may_come_with_a_strike_that_missed_not_with_one_that_hit() -> None:
    missed = hit = 0
    for seed in range(300):
        state = state_of("endless_air_raid", "_ X 2 _", rng=(0, seed, 0))
        missed += any(event.kind == "mark" for event in do(state, "left")[1])
        state = state_of("endless_air_raid", "X _ 2 _", rng=(0, seed, 0))
        hit += any(event.kind == "mark" for event in do(state, "left")[1])
    assert missed > 0
    assert hit == 0


def test_a_crater_closes_and_may_be_spawned_into_at_once() -> None:
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
def test_old_craters_look_old(left: int, is_old: bool) -> None:
    state = state_of("endless_air_raid", "C 2 _ _", crater_left=[left] + [0] * 15)
    assert rules_of("endless_air_raid", hard=False).view(state).cells[0].is_old == is_old


def test_the_marked_cell_is_closed_to_tools() -> None:
    state = state_of("endless_air_raid", "2 X _ _ / 4 _ _ _")
    for text in ("glove 0 1", "twist 0", "twist 1"):
        assert do(state, text)[0] is state
    rules = rules_of("endless_air_raid", hard=False)
    assert 1 not in rules.tool_cells(state, "glove", source=0)
    assert rules.tool_cells(state, "twist") == [4]


# Undo, and where tools go -------------------------------------------------------------------------


def test_an_undo_marks_the_run_and_goes_back_to_the_same_future() -> None:
    run = Run("column_chaos", False, 4)
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
def test_the_cells_that_are_shown_for_a_tool_are_those_that_work(game: str, tool: str) -> None:
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
