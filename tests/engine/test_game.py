import json
import random

import oracle
import pytest

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.game import Game
from engine.game_data import game_from_dict, game_to_dict
from engine.platform.errors import AppError, InvalidBoardError
from engine.saved_game import SavedGameError
from engine.variants import VARIANTS, variant_of


def play(game, seed=0, n=10_000):
    """Make up to n random legal moves; return how many were made."""
    rng = random.Random(seed)
    for i in range(n):
        legal = game.legal_moves()
        if not legal:
            return i
        game.move(rng.choice(legal))
    return n


def state(game):
    return game.cells, game.score, game.can_undo, game.n_moves


def saved(game):
    return json.loads(json.dumps(game_to_dict(game)))


@pytest.mark.parametrize(
    "rule", [{}, {"merge_32768": False}, {"walls": True}], ids=["in play", "as in tables", "walls"]
)
def test_every_move_agrees_with_the_oracle(rule):
    walls, merge = rule.get("walls", False), rule.get("merge_32768", not rule.get("walls", False))
    for seed in range(5):
        start = [15, 15, 14, 14, 0, 0, 14, 15, 1, 1, 2, 0, 0, 0, 0, 15]
        random.Random(seed).shuffle(start)
        game = Game(start, seed=seed, **rule)
        for _ in range(60):
            before, score = list(game.cells), game.score
            moves = [oracle.move(before, d, walls, merge) for d in range(4)]
            legal = [d for d in range(4) if moves[d][0] != before]
            assert game.legal_moves() == legal
            assert game.is_over == (not legal)
            if not legal:
                break
            result = game.move(legal[seed % len(legal)])
            after, points = moves[result.direction]
            cell, exponent = result.spawned
            assert after[cell] == 0
            after[cell] = exponent
            assert list(game.cells) == after
            assert result.gained == points == game.score - score
            assert sum(2**tile for _, tile in result.merges) == points


def test_an_illegal_move_changes_nothing():
    game = Game(0x1200 << 48, seed=1)
    assert not game.can_move(LEFT)
    before = state(game)
    assert game.move(LEFT) is None
    assert state(game) == before
    assert game.can_move(RIGHT)


def test_the_result_tells_an_animation_everything():
    game = Game(0x1100 << 48, seed=1)
    result = game.move(RIGHT)
    assert [(s.from_cell, s.to_cell, s.exponent, s.merged) for s in result.slides] == [
        (1, 3, 1, True),
        (0, 3, 1, True),
    ]
    assert result.merges == ((3, 2),)
    assert result.gained == 4
    assert game.cells[result.spawned[0]] == result.spawned[1]
    assert game.last_move == result


def test_the_same_seed_gives_the_same_game_and_another_seed_another():
    games = [Game.new(seed) for seed in (7, 7, 8)]
    for game in games:
        play(game, n=200)
    assert game_to_dict(games[0]) == game_to_dict(games[1])
    assert games[0].cells != games[2].cells


def test_a_new_game_has_two_tiles_and_no_history():
    for seed in range(20):
        game = Game.new(seed)
        assert sorted(game.cells)[:14] == [0] * 14
        assert set(sorted(game.cells)[14:]) <= {1, 2}
        assert (game.score, game.can_undo, game.can_redo) == (0, False, False)


def test_undo_goes_all_the_way_back_and_redo_all_the_way_forward():
    game = Game.new(3)
    n = play(game, n=300)
    states = [state(game)]
    while game.undo():
        states.append(state(game))
    assert len(states) == n + 1
    assert not game.can_undo
    while True:
        assert state(game) == states.pop()
        if not game.redo():
            break
    assert states == []


def test_the_same_move_after_undo_meets_the_same_spawn():
    game = Game.new(4)
    play(game, n=50)
    direction = game.legal_moves()[0]
    first = game.move(direction)
    then = state(game)
    for _ in range(5):
        game.undo()
        game.undo()
        game.redo()
        assert game.move(direction) == first
        assert state(game) == then


def test_another_move_after_undo_forgets_what_was_undone():
    game = Game.new(5)
    play(game, n=20)
    game.undo()
    game.undo()
    assert game.can_redo
    game.move(game.legal_moves()[0])
    assert not game.can_redo
    assert not game.redo()


def test_redo_shows_the_move_again():
    game = Game.new(6)
    play(game, n=30)
    shown = game.last_move
    game.undo()
    assert game.last_move != shown
    game.redo()
    assert game.last_move == shown


def test_two_32768_merge_in_play_and_the_board_no_longer_fits_a_number():
    game = Game(0xFF00 << 48, seed=1)
    assert game.bitboard == 0xFF00 << 48
    result = game.move(LEFT)
    assert result.gained == 65536
    assert game.cells[0] == 16
    assert game.max_exponent == 16
    assert game.bitboard is None
    assert game.clamped_bitboard >> 60 == 15
    assert game.text[0] == "g"
    assert "65536" in str(game)
    game.undo()
    assert game.bitboard == 0xFF00 << 48


def test_two_65536_merge_too():
    game = Game([16, 0, 0, 16] + [0] * 12)
    game.move(LEFT)
    assert game.cells[0] == 17
    assert game.text[0] == "h"


def test_by_the_tables_rule_32768_are_locked():
    game = Game(0xFF00 << 48, merge_32768=False)
    assert not game.can_move(LEFT)
    game.move(RIGHT)
    assert game.cells[2:4] == (15, 15)
    assert game.bitboard is not None


def test_walls_stay_and_do_not_count_as_tiles():
    for variant in VARIANTS.values():
        game = Game.new(1, empty_board=variant.walls, walls=True)
        assert game.max_exponent <= 2
        play(game)
        assert game.is_over
        assert variant_of(game.bitboard) is variant
        assert "#" in str(game)


def test_a_set_board_is_part_of_the_history():
    game = Game.new(9)
    play(game, n=10)
    before = state(game)
    game.set_board(0x1234 << 48, score=500)
    assert (game.bitboard, game.score, game.last_move) == (0x1234 << 48, 500, None)
    game.move(DOWN)
    game.undo()
    assert game.bitboard == 0x1234 << 48
    game.undo()
    assert state(game) == before


def test_a_board_is_set_with_no_score_below_zero():
    game = Game.new(1)
    before = state(game)
    for score in (-1, -1000):
        with pytest.raises(ValueError, match=f"score is {score}; expected 0 to"):
            game.set_board(0x12 << 56, score=score)
    assert state(game) == before
    game.set_board(0x12 << 56, score=0)
    assert game.score == 0


@pytest.mark.parametrize(
    "board",
    [-1, 1 << 64, [0] * 15, [0] * 15 + [18], [0] * 15 + [-1], [0] * 15 + [1.0], "1" * 16, None],
)
def test_what_is_no_board_is_refused_and_nothing_changes(board):
    game = Game.new(1)
    before = state(game)
    with pytest.raises(InvalidBoardError):
        game.set_board(board)
    assert state(game) == before
    with pytest.raises(InvalidBoardError):
        Game(board)


def test_by_the_tables_rule_larger_tiles_are_refused():
    with pytest.raises(InvalidBoardError, match="exponent 16 in cell 0: expected 0 to 15"):
        Game([16] + [0] * 15, merge_32768=False)


@pytest.mark.parametrize("settings", [{"spawn4": 1.1}, {"walls": True, "merge_32768": True}])
def test_impossible_settings_are_refused(settings):
    with pytest.raises(ValueError, match=r"spawn4|walls"):
        Game(0, **settings)


def test_a_saved_game_comes_back_whole():
    game = Game.new(11, spawn4=0.25)
    play(game, n=100)
    game.set_board([16, 16] + [0] * 14, score=1_000_000)
    game.move(LEFT)
    game.move(UP if game.can_move(UP) else RIGHT)
    for _ in range(3):
        game.undo()
    back = game_from_dict(saved(game))
    assert saved(back) == saved(game)
    while game.redo():
        assert back.redo()
        assert (back.last_move, state(back)) == (game.last_move, state(game))
    play(game, n=30)
    play(back, n=30)
    assert state(back) == state(game)
    while game.undo():
        assert back.undo()
        assert state(back) == state(game)


def test_a_saved_variant_comes_back():
    game = Game.new(2, empty_board=VARIANTS["3x3"].walls, walls=True)
    play(game)
    back = game_from_dict(saved(game))
    assert (state(back), back.walls, back.is_over) == (state(game), True, True)


def broken(**changes):
    game = Game.new(12)
    play(game, n=20)
    return {**saved(game), **changes}


def broken_part(**changes):
    data = broken()
    data["parts"][0].update(changes)
    return data


def broken_later(**changes):
    data = broken()
    data["parts"].append({**data["parts"][0], "moves": "", **changes})
    return data


def without(name):
    data = broken()
    del data[name]
    return data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "it is null; expected an object"),
        ([], r"it is \[\]; expected an object"),
        ({}, "'version' is missing"),
        (without("seed"), "'seed' is missing"),
        (without("board"), "'board' is missing"),
        (broken(version=2), "has version 2"),
        (broken(version="1"), "has version '1'; this program reads 1"),
        (broken(seed=1.5), "'seed' is 1.5; expected a whole number"),
        (broken(seed=True), "'seed' is true; expected a whole number"),
        (broken(spawn4=10**400), "'spawn4' is 1000.*0; expected a number"),
        (broken(spawn4=7), "spawn4 is 7.0"),
        (broken(spawn4=float("nan")), "spawn4 is nan"),
        (broken(walls=1), "'walls' is 1; expected true or false"),
        (broken(walls=True), "exclude each other"),
        (broken(at=-1), "is at step -1 of 21"),
        (broken(at=21), "is at step 21 of 21"),
        (broken(at=19), "it leads to"),
        (broken(score=3), "it leads to"),
        (broken(board="0" * 16), "it leads to"),
        (broken(parts=[]), "'parts' is empty"),
        (broken(parts={}), "'parts' is {}; expected a list"),
        (broken(parts=[3]), "part 1 is 3; expected an object"),
        (broken_part(board="12"), "board '12'; expected 16 digits"),
        (broken_part(board="?" * 16), "expected 16 digits"),
        (broken_part(board="z" * 16), "exponent 35 in cell 0"),
        (broken_later(board="z" * 16), "exponent 35 in cell 0"),
        (broken_part(moves="x"), "move 1 from board .* is 'x'"),
        (broken_part(moves="llllllll"), "which is illegal"),
        (broken_part(rng_state=-1), "part 1: 'rng_state' is -1; expected a whole number from 0"),
        (broken_part(rng_state=1), "it leads to|which is illegal"),
        (broken_part(score=-4), "part 1: 'score' is -4; expected a whole number from 0"),
        (broken_part(ms=[1.5]), "'ms': entry 1 is 1.5; expected a whole number from 0 .* or null"),
        (broken_part(ms=[-1]), "'ms': entry 1 is -1; expected a whole number from 0"),
        (broken_part(ms="now"), "'ms' is 'now'; expected a list"),
    ],
)
def test_a_damaged_saved_game_is_refused_with_the_reason(data, message):
    with pytest.raises(SavedGameError, match=message):
        game_from_dict(data)


def test_damaged_games_raise_the_saved_game_error():
    assert issubclass(SavedGameError, AppError)


def test_a_tile_may_be_chosen_and_a_saved_game_keeps_it():
    game = Game.new(seed=3)
    for _ in range(8):
        direction = game.legal_moves()[-1]
        cell, exponent = game_from_dict(saved(game)).move(direction).spawned
        result = game.move(direction, (cell, 3 - exponent))
        assert result.spawned == (cell, 3 - exponent)
        game.move(game.legal_moves()[-1])
    again = game_from_dict(saved(game))
    assert state(again) == state(game)
    assert saved(again) == saved(game)


@pytest.mark.parametrize("tile", [(0, 1), (3, 0), (3, 3), (16, 1), (-1, 1)])
def test_a_tile_that_cannot_be_chosen_changes_nothing(tile):
    game = Game(0x1100_0000_0000_0000)
    with pytest.raises(ValueError, match="new tile"):
        game.move(LEFT, tile)
    assert (game.n_moves, game.score) == (0, 0)


def test_played_tells_the_moves_since_the_position_was_set():
    game = Game.new(seed=3)
    start = game.cells
    results = [game.move(game.legal_moves()[0]) for _ in range(5)]
    game.undo()
    assert game.played() == (start, [(r.direction, r.spawned) for r in results[:4]])
    game.set_board(0x1200_0000_0000_0000)
    assert game.played() == ((1, 2) + (0,) * 14, [])
    assert game.n_moves == 4
    assert game.is_from_set_board
    again = game_from_dict(saved(game))
    assert (again.n_moves, again.is_from_set_board) == (4, True)
    again.undo()
    assert not again.is_from_set_board


def test_times_and_fours_add_up_along_the_moves_that_stand():
    game = Game(0x1100_0000_0000_0000)
    assert game.move(LEFT, (15, 2), 700)
    assert game.move(DOWN, (0, 1))
    assert game.move(RIGHT, (5, 2), 50)
    game.undo()
    assert (game.times(), game.played_ms, game.n_fours) == ([700, None], 700, 1)
    game.redo()
    assert (game.times(), game.played_ms, game.n_fours) == ([700, None, 50], 750, 2)
    game.set_board(0x1200_0000_0000_0000)
    game.move(RIGHT, (0, 2), 30)
    assert (game.times(), game.played_ms, game.n_moves) == ([30], 780, 4)
    again = game_from_dict(saved(game))
    assert (again.times(), again.played_ms, again.n_fours) == ([30], 780, 3)
    game.undo()
    game.undo()
    assert game.played_ms == 750


def test_a_game_saved_before_times_were_kept_comes_back_without():
    game = Game.new(1)
    game.move(game.legal_moves()[0])
    data = saved(game)
    for part in data["parts"]:
        del part["ms"]
    assert game_from_dict(data).times() == [None]


def test_a_snapshot_goes_its_own_way():
    game = Game.new(5)
    play(game, n=20)
    twin = game.snapshot()
    assert saved(twin) == saved(game)
    before = saved(game)
    play(twin, seed=1, n=10)
    twin.undo()
    assert saved(game) == before
    game.undo()
    assert twin.n_moves == 29
