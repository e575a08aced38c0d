"""The command play, as a user types it."""

import csv
import json

import pytest

from engine.game import Game
from tests.test_main import assert_told, run

FAST = ("--nodes", 1)


def test_games_are_told_as_json_and_kept(tmp_path) -> None:
    path = tmp_path / "games.csv"
    result = run(
        "play", "--player", "main", "--games", 2, "--seed", 7, *FAST, "--json", "--csv", path
    )
    assert result.returncode == 0, result.stderr
    games = [json.loads(line) for line in result.stdout.splitlines()]
    assert [game["seed"] for game in games] == [7, 8]
    for game in games:
        assert set(game) == {
            "seed", "score", "max_tile", "moves", "final", "ms_per_move", "sources"
        }  # fmt: skip
        assert game["sources"] == {"search": game["moves"]}
        final = Game([int(digit, 18) for digit in game["final"]])
        assert final.is_over
        assert 1 << final.max_exponent == game["max_tile"]
    with path.open(newline="") as file:
        assert [int(row["score"]) for row in csv.DictReader(file)] == [g["score"] for g in games]


def test_an_interrupted_run_goes_on_and_comes_to_the_same(tmp_path) -> None:
    """Also when the line that was being written is torn, and with more processes than before."""
    whole, torn = tmp_path / "whole.csv", tmp_path / "torn.csv"
    assert run("play", "--games", 4, *FAST, "--csv", whole).returncode == 0
    text = whole.read_text()
    lines = text.splitlines(keepends=True)
    torn.write_text("".join(lines[:3]) + lines[3][:20])
    result = run("play", "--games", 4, *FAST, "--csv", torn, "--jobs", 2)
    assert result.returncode == 0, result.stderr
    assert "2 of 4 games are in" in result.stderr
    assert "mean score" in result.stdout
    assert what_counts(torn) == what_counts(whole)


def what_counts(path):
    with path.open(newline="") as file:
        return sorted((row["seed"], row["score"], row["final"]) for row in csv.DictReader(file))


def test_games_of_another_match_are_not_mixed_in(tmp_path) -> None:
    path = tmp_path / "games.csv"
    assert run("play", *FAST, "--csv", path).returncode == 0
    before = path.read_bytes()
    assert_told(run("play", "--nodes", 2, "--csv", path), "budget", "1 nodes", "2 nodes")
    assert path.read_bytes() == before


def test_another_file_is_not_overwritten(tmp_path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("my notes\n")
    assert_told(run("play", *FAST, "--csv", path), "no list of games")
    assert path.read_text() == "my notes\n"


def test_a_game_can_start_anywhere() -> None:
    result = run("play", *FAST, "--start", "1212_2121_1212_2120", "--json")
    game = json.loads(result.stdout)
    assert game["moves"] >= 1
    over = json.loads(run("play", *FAST, "--start", "1212_2121_1212_2121", "--json").stdout)
    assert (over["moves"], over["score"], over["final"]) == (0, 0, "1212212112122121")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--player", "nobody"), ("nobody", "main")),
        (("--games", "0"), ("'0'", "1 to")),
        (("--seed", "x"), ("'x'", "whole number")),
        (("--ms", "-1"), ("'-1'", "milliseconds")),
        (("--ms", "1", "--nodes", "5"), ("not allowed",)),
        (("--start", "12"), ("2 of 16 digits",)),
        (("--start", "0" * 16), ("empty",)),
        (("--weights", "/nowhere.json"), ("/nowhere.json",)),
    ],
)
def test_mistakes_are_told_in_one_line(options, words) -> None:
    assert_told(run("play", *options), *words)
