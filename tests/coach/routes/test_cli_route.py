"""``main.py route`` word for word."""

from pathlib import Path

import pytest
from child import assert_refused, json_lines, run
from makers import TableMaker

from coach.routes.code import Route, code_of, read_code
from coach.routes.result import read_result

GAME = code_of(Route("", "", 5, 15, is_corrected=False))


@pytest.fixture(scope="module")
def path(table: TableMaker) -> Path:
    return table("44", 64)


def test_a_route_is_made_shown_and_played(path, tmp_path):
    data = ("--data-dir", tmp_path, "--table", path)
    made = run("route", "new", "44", "64", "--moves", 12, "--json", *data)
    assert made.returncode == 0, made.stderr
    (event,) = json_lines(made.stdout)
    route = read_code(event["code"])
    assert (event["table"], event["moves"], event["corrected"]) == ("44_64", 12, True)
    shown = run("route", "show", event["code"], *data)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines()[0] == event["code"]
    assert "44 \N{RIGHTWARDS ARROW} 64, up to 12 moves, mistakes corrected" in shown.stdout
    assert "The first new tiles: " in shown.stdout
    played = run("route", "play", event["code"].lower(), *data)
    assert played.returncode == 0, played.stderr
    result = read_result(played.stdout.splitlines()[-1])
    assert result.route == route
    assert (result.match_rate, result.n_mistakes) == (1.0, 0)
    figures = json_lines(run("route", "play", event["code"], "--json", *data).stdout)
    assert figures[0]["moves"] == result.n_moves
    assert figures[0]["who"] == "table"


def test_an_ai_plays_a_whole_game(tmp_path):
    played = run("route", "play", GAME, "--ai", "random", "--data-dir", tmp_path)
    assert played.returncode == 0, played.stderr
    assert read_result(played.stdout.splitlines()[-1]).n_moves == 15


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["one-move", "one_move"])
def test_ais_have_the_names_that_play_has(tmp_path, name):
    """And those of the window's settings, which results of routes have too."""
    code = code_of(Route("", "", 5, 3, is_corrected=False))
    played = run("route", "play", code, "--ai", name, "--json", "--data-dir", tmp_path)
    assert played.returncode == 0, played.stderr
    assert json_lines(played.stdout)[0]["who"] == "one_move"


def test_today_has_one_route(path, tmp_path):
    words = ("route", "today", "44", "64", "--table", path, "--data-dir", tmp_path)
    assert run(*words).stdout == run(*words).stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show",), "expected one code"),
        (("show", "442-512"), "letters and digits"),
        (("play", GAME), "--ai"),
        (("play", code_of(Route("442", "512", 5))), "build 442 512"),
        (("new", "442"), "expected a formation and a target"),
        (("new", "442", "512"), "no table 442_512 here"),
        (("new", "--moves", "5000"), "expected 0 to 4095"),
        (("new", "--moves", "x"), "--moves"),
        (("today", "--moves", "50"), "--moves goes with route new, not with route today"),
        (("today", "--uncorrected"), "--uncorrected goes with route new"),
        (("new", "--ai"), "--ai goes with route play"),
        (("today", "--ms", "5"), "--ms goes with route play"),
        (("show", GAME, "--moves", "0"), "--moves goes with route new"),
        (("play", GAME, "--ai", "--uncorrected"), "--uncorrected goes with route new"),
        (("show", GAME, "--ai", "random"), "--ai goes with route play"),
        (("play", GAME, "--ms", "5"), "add --ai"),
        (("new", "--table", "x_64"), "leave out --table"),
    ],
)
def test_mistakes_are_told_in_a_line(words, said, tmp_path):
    assert_refused(run("route", *words, "--data-dir", tmp_path), said)


def test_a_code_for_another_table_is_refused(path, tmp_path):
    code = code_of(Route("442", "512", 5))
    result = run("route", "show", code, "--table", path, "--data-dir", tmp_path)
    assert_refused(result, "442_512", "44_64")
