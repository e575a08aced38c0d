"""Design Master: patterns that are asked for, level by level."""

import pytest

from minigames.registry import rules_of
from minigames.state import State
from tests.minigames import slow_rules
from tests.minigames.made_states import do, faces, state_of

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
def test_the_goal_asks_for_the_pattern_of_the_next_level(game):
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
def test_in_hard_mode_the_pattern_turns_with_each_level(game):
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


def test_a_pattern_counts_where_it_stands_and_only_there():
    whole = "_ _ _ 2 / _ 512 256 4 / _ 256 512 8 / _ _ 2 16"
    after = after_goal_check("design_master_1", words_of(whole))
    assert after.number("level") == 8
    turned = "_ _ _ 2 / _ 256 512 4 / _ 512 256 8 / _ _ 2 16"
    assert after_goal_check("design_master_1", words_of(turned)).number("level") == 0


def test_a_level_counts_once_and_may_be_jumped():
    board = words_of("_ _ _ 2 / _ 2048 1024 4 / _ 1024 2048 8 / _ _ 2 16")
    assert after_goal_check("design_master_1", board).number("level") == 10
    assert after_goal_check("design_master_1", board, level=10).number("level") == 10
    assert after_goal_check("design_master_1", board, level=12).number("level") == 12


def test_the_last_level_is_16384():
    board = words_of("_ _ _ 2 / _ 32768 16384 4 / _ 16384 32768 8 / _ _ 2 16")
    after = after_goal_check("design_master_1", board)
    assert after.number("level") == 14
    more = words_of("_ _ _ 2 / _ 65536 32768 4 / _ 32768 65536 8 / _ _ 2 16")
    assert after_goal_check("design_master_1", more).number("level") == 0


def test_the_new_tile_may_complete_a_pattern():
    text = "4 8 4 8 / _ 256 _ 128 / 2 4 512 64 / 4 8 16 32"
    found = set()
    for seed in range(100):
        state = state_of("design_master_4", text, rng=(seed, 0, 0))
        after, _ = do(state, "right")
        found.add((after.tiles[5], after.number("level")))
    assert found == {(0, 0), (1, 8), (2, 0)}
