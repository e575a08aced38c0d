"""The log of a game in play: written at every move, intact after a crash; damage is reported."""

import json
import random

import pytest

from engine.game import Game
from engine.game_data import game_from_dict, game_to_dict
from engine.game_log import GameLog, read_log
from engine.saved_game import SavedGameError


def play(game: Game, log: GameLog, n: int, seed: int = 1) -> None:
    """Play with undo, redo and chosen tiles, as a person might."""
    rng = random.Random(seed)
    for _ in range(n):
        roll = rng.random()
        if roll < 0.1 and game.undo():
            log.undo()
        elif roll < 0.15 and game.redo():
            log.redo()
        elif legal := game.legal_moves():
            direction, chosen = rng.choice(legal), None
            if roll > 0.8:
                copy = Game(list(game.cells))
                cell, _ = copy.move(direction).spawned
                chosen = cell, rng.choice((1, 2))
            ms = rng.choice((None, 0, 850, 60_000))
            log.move(game.move(direction, chosen, ms), chosen is not None, ms)
        else:
            return


def history(game: Game) -> tuple:
    return json.dumps(game_to_dict(game)), game.cells, game.score, game.n_moves


@pytest.fixture
def logged(tmp_path):
    """Return a game of 90 steps and its log, which was not closed."""
    game, log = Game.new(seed=7), GameLog(tmp_path / "game" / "current.log")
    log.begin(game, best=50)
    play(game, log, 90)
    assert not game.is_over
    yield game, log
    log.close()


def test_the_game_comes_back_without_the_log_being_closed(logged):
    game, log = logged
    found = read_log(log.path)
    assert history(found.game) == history(game)
    assert (found.problem, found.is_torn, found.helper) == ("", False, "")


def test_a_move_after_weeks_at_the_board_comes_back(logged):
    game, log = logged
    month_ms = 30 * 24 * 3600 * 1000
    log.move(game.move(game.legal_moves()[0], None, month_ms), False, month_ms)
    found = read_log(log.path)
    assert found.problem == ""
    assert history(found.game) == history(game)


def test_the_generator_goes_on_where_it_was(logged):
    game, log = logged
    found = read_log(log.path).game
    direction = game.legal_moves()[0]
    assert found.move(direction) == game.move(direction)


def test_set_positions_and_helpers_come_back(logged):
    game, log = logged
    game.set_board([16, 15, 1, 1] + [0] * 12, score=1_000_000)
    log.set_board(game)
    log.move(game.move(game.legal_moves()[0]), False, helper="search")
    play(game, log, 40, seed=2)
    found = read_log(log.path)
    assert history(found.game) == history(game)
    assert found.helper == "search"


def test_the_best_score_survives_undo(tmp_path):
    game, log = Game(0x1100_0000_0000_0000), GameLog(tmp_path / "g.log")
    log.begin(game, best=0)
    log.move(game.move(0), False)
    game.undo()
    log.undo()
    log.close()
    assert (read_log(log.path).best, read_log(log.path).game.score) == (4, 0)


def test_whatever_a_crash_leaves_of_the_last_line_costs_that_line_only(logged):
    _, log = logged
    log.close()
    whole = log.path.read_bytes()
    ends = [at + 1 for at, byte in enumerate(whole) if byte == 10]
    cut = log.path.with_name("cut.log")
    for size in range(ends[-4], len(whole)):
        cut.write_bytes(whole[:size])
        found = read_log(cut)
        n_lines = whole[:size].count(b"\n")
        want = log.path.with_name("want.log")
        want.write_bytes(whole[: ends[n_lines - 1]])
        assert history(found.game) == history(read_log(want).game)
        assert found.is_torn == (size not in ends)
        assert not found.problem


@pytest.mark.parametrize(
    "damage",
    [
        *(b"x00\n", b"l41 -3\n", b"l41  7\n", b"l\xff1\n", b"lz9\n", b"\0\0\0\0\n", b"l99\n"),
        b"= 0123000000000000 " + b"9" * 400 + b"\n",
    ],
)
def test_a_damaged_line_is_told_and_what_is_before_it_kept(logged, damage):
    game, log = logged
    want = history(game)[1:]
    log.close()
    with log.path.open("ab") as file:
        file.write(damage + b"u\n")
    found = read_log(log.path)
    assert history(found.game)[1:] == want
    assert "cannot be followed" in found.problem
    assert found.is_torn


def test_a_tile_that_the_generator_would_not_have_drawn_is_damage(logged):
    game, log = logged
    direction = game.legal_moves()[0]
    cell, exponent = game_from_dict(game_to_dict(game)).move(direction).spawned
    with log.path.open("a") as file:
        file.write(f"{'lrud'[direction]}{cell:x}{3 - exponent}\n")
    assert "should be" in read_log(log.path).problem


@pytest.mark.parametrize("text", ["", "{", "{}\n", '{"version": 2}\n', "[]\n", '{"version":1'])
def test_a_log_without_a_start_is_refused(tmp_path, text):
    path = tmp_path / "g.log"
    path.write_text(text)
    with pytest.raises(SavedGameError):
        read_log(path)


@pytest.mark.parametrize("number", [-1, 1 << 60, 10**400])
@pytest.mark.parametrize("name", ["best", "score", "rng_state", "ms"])
def test_numbers_beyond_all_bounds_are_damage(logged, name, number):
    _, log = logged
    log.close()
    head = json.loads(log.path.read_text().splitlines()[0])
    part = head["game"]["parts"][0]
    changed = {"best": head, "ms": part, "score": part, "rng_state": part}[name]
    changed[name] = [number] if name == "ms" else number
    if name == "rng_state":
        part[name] *= 16
    log.path.write_text(json.dumps(head) + "\n")
    with pytest.raises(SavedGameError) as error:
        read_log(log.path)
    assert len(str(error.value)) < 300


def test_a_log_without_times_can_be_read(logged):
    _, log = logged
    log.close()
    first, *rest = log.path.read_text().splitlines()
    head = json.loads(first)
    assert head["version"] == 2
    head["version"] = 1
    del head["game"]["parts"][0]["ms"]
    old = [json.dumps(head), *(line.split(" ")[0] for line in rest)]
    log.path.write_text("\n".join(old) + "\n")
    found = read_log(log.path)
    assert not found.problem
    assert set(found.game.times()) == {None}
    assert found.game.played_ms == 0
