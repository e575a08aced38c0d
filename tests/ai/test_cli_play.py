"""The command play, as a user types it; its tables stay open until its process ends."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from shutil import copytree

import psutil
import pytest

from ai.cli import play
from ai.evaluation.game_net_file import DEFAULT_NETWORK
from engine.game import Game
from tablebase.build.builder import BuildPlan, build
from tablebase.formation.patterns_file import load_formations
from tests.child import command, environment, json_lines, run, run_apart
from tests.other_machine import OtherMachine
from tests.test_main import assert_told

FAST = ("--nodes", 1)


# Eight large tiles in the locked cells of the formation 44, and room for two rows.
START_44 = "0000_1002_89ab_fedc"


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    build(BuildPlan(load_formations()["44"], 64, folder / "44_64", threads=1))
    return folder


@pytest.mark.thorough
def test_tables_decide_what_they_can(tables, tmp_path):
    """The first moves, that is; the same table in any orientation, and named in any way."""
    path = tmp_path / "games.csv"
    with_tables = ("play", "--games", 3, *FAST, "--start", START_44, "--json")
    result = run_apart(*with_tables, "--tables", tables, "--csv", path)
    assert result.returncode == 0, result.stderr
    games = [json.loads(line) for line in result.stdout.splitlines()]
    for game in games:
        assert sum(game["sources"].values()) == game["moves"]
        assert game["sources"]["44_64"] > 5
        assert set(game["sources"]) <= {"44_64", "44_64+search", "search"}
        assert game["source_ms"].keys() == game["sources"].keys()
        spent = sum(game["source_ms"][name] * n for name, n in game["sources"].items())
        assert 0 < spent <= game["ms_per_move"] * game["moves"] * 1.01
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["tables"] for row in rows] == ["44_64"] * 3
    again = run_apart(*with_tables, "--tables", tables / "44_64", tmp_path, "--csv", path).stdout
    assert [json.loads(line) for line in again.splitlines()] == games
    assert_told(run(*with_tables, "--no-tables", "--csv", path), "tables", "44_64", "''")
    alone = [json.loads(line) for line in run(*with_tables, "--no-tables").stdout.splitlines()]
    assert all(set(game["sources"]) == {"search"} for game in alone)


@pytest.mark.thorough
def test_a_network_can_do_the_search(tables, tmp_path):
    """It is what comes with the program, unless another one is named; tables are asked as well.

    One whose target is easy to make, 64 in eight cells, is not.
    """
    base = ("play", *FAST, "--json", "--start", "0123_1234_2345_0001")
    named = run(*base, "--no-tables", "--weights", DEFAULT_NETWORK)
    result = run(*base, "--no-tables", "--player", "network-search")
    found = [
        [{**json.loads(line), "ms_per_move": 0, "source_ms": 0} for line in one.stdout.splitlines()]
        for one in (named, result, run(*base, "--no-tables"))
    ]
    assert found[0] == found[1] != found[2]
    build(BuildPlan(load_formations()["44"], 128, tmp_path / "44_128", threads=1))
    with_tables = ("play", *FAST, "--start", START_44, "--tables", tables, tmp_path)
    asked = run_apart(*with_tables, "--player", "network-search").stdout
    assert "44_128" in asked
    assert "44_64" not in asked


@pytest.mark.thorough
def test_tables_of_the_data_folder_are_used_unless_told_otherwise(tables, tmp_path):
    (tmp_path / "tables").symlink_to(tables)
    result = run_apart("play", "--data-dir", tmp_path, *FAST, "--start", START_44)
    assert "44_64" in result.stdout
    result = run_apart("play", "--data-dir", tmp_path, *FAST, "--start", START_44, "--spawn4", 0.2)
    assert "44_64" not in result.stdout  # it is a table of another game


def test_a_set_for_which_there_is_no_room_is_refused(tmp_path):
    folder = ("--data-dir", tmp_path)
    assert_told(run("play", *FAST, "--build-tables", "--disk", "1MB", *folder), "1.00 MB", "fits")
    assert_told(run("play", *FAST, "--disk", "1GB", *folder), "--build-tables")
    assert_told(run("play", "--player", "random", "--build-tables", *folder), "random", "tables")
    assert_told(run("play", *FAST, "--build-tables", "--no-tables", *folder), "not allowed")
    assert not (tmp_path / "tables").exists()


@pytest.mark.thorough
def test_games_are_told_as_json_and_kept(tmp_path):
    path = tmp_path / "games.csv"
    result = run(
        "play", "--player", "main", "--games", 2, "--seed", 7, *FAST, "--json", "--csv", path
    )
    assert result.returncode == 0, result.stderr
    games = [json.loads(line) for line in result.stdout.splitlines()]
    assert [game["seed"] for game in games] == [7, 8]
    for game in games:
        assert set(game) == {
            "seed", "score", "max_tile", "moves", "final", "ms_per_move", "sources",
            "source_ms",
        }  # fmt: skip
        assert game["sources"] == {"search": game["moves"]}
        final = Game([int(digit, 18) for digit in game["final"]])
        assert final.is_over
        assert 1 << final.max_exponent == game["max_tile"]
    with path.open(newline="") as file:
        assert [int(row["score"]) for row in csv.DictReader(file)] == [g["score"] for g in games]


def test_an_interrupted_run_goes_on_and_comes_to_the_same(tmp_path):
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


def test_games_of_another_match_are_not_mixed_in(tmp_path):
    path = tmp_path / "games.csv"
    assert run("play", *FAST, "--csv", path).returncode == 0
    before = path.read_bytes()
    assert_told(run("play", "--nodes", 2, "--csv", path), "budget", "1 nodes", "2 nodes")
    assert path.read_bytes() == before


def test_another_file_is_not_overwritten(tmp_path):
    path = tmp_path / "notes.csv"
    path.write_text("my notes\n")
    assert_told(run("play", *FAST, "--csv", path), "not a list of games")
    assert path.read_text() == "my notes\n"


def test_a_game_can_start_anywhere():
    begun = ("play", "--player", "random", "--json", "--start")
    assert json.loads(run(*begun, "1212_2121_1212_2120").stdout)["moves"] >= 1
    over = json.loads(run(*begun, "1212_2121_1212_2121").stdout)
    assert (over["moves"], over["score"], over["final"]) == (0, 0, "1212212112122121")
    largest = json.loads(run(*begun, "f" * 16).stdout)
    assert largest["max_tile"] > 1 << 17, "beyond what games from two tiles come to"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--player", "nobody"), ("nobody", "main")),
        (("--games", "0"), ("'0'", "1 to")),
        (("--seed", "x"), ("'x'", "whole number")),
        (("--ms", "-1"), ("'-1'", "milliseconds")),
        (("--ms", "1", "--nodes", "5"), ("not allowed",)),
        (("--tables", "/nowhere"), ("/nowhere", "no such folder")),
        (("--tables", "/", "--no-tables"), ("not allowed",)),
        (("--start", "12"), ("2 of 16 digits",)),
        (("--start", "0" * 16), ("empty",)),
        (("--weights", "/nowhere.json"), ("/nowhere.json",)),
    ],
)
def test_mistakes_are_told_in_one_line(options, words):
    assert_told(run("play", *options), *words)


@pytest.mark.thorough
def test_machines_find_tables_named_from_the_folder_of_the_command(tables, tmp_path, monkeypatch):
    monkeypatch.setattr(play, "connected", lambda _: nullcontext(OtherMachine(tmp_path)))
    monkeypatch.chdir(tables.parent)
    words = ("play", "--games", 1, "--nodes", 1, "--start", START_44, "--json", "--cluster", "auto")
    (game,) = json_lines(run(*words, "--tables", tables.name).stdout)
    assert game["sources"]["44_64"] > 5


def test_a_machine_without_a_table_that_was_found_is_told(tables, tmp_path, monkeypatch):
    own = tmp_path / "tables"
    copytree(tables, own)

    @contextmanager
    def connected(_):
        own.rename(tmp_path / "away")
        yield OtherMachine(tmp_path)

    monkeypatch.setattr(play, "connected", connected)
    told = run("play", "--games", 1, "--nodes", 1, "--tables", own, "--cluster", "auto")
    assert_told(told, "a machine of the cluster", "44_64")


@pytest.mark.thorough
def test_what_a_process_that_plays_cannot_read_is_told_in_one_line(tmp_path):
    path = tmp_path / "own.net"
    path.write_text("no network")
    assert_told(run("play", "--games", 2, "--weights", path, "--jobs", 2), "own.net is damaged")


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_an_interrupt_in_a_terminal_ends_games_without_a_traceback():
    """It reaches the processes that play, too; and more games wait than a pipe holds."""
    process = subprocess.Popen(
        command("play", "--player", "hand", "--games", 50_000, "--jobs", 2),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )
    assert process.stderr
    assert "game 1 of 50000" in process.stderr.readline()
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 3
    assert errors.splitlines()[-1] == "canceled"
    assert "Traceback" not in errors


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_it_is_said_what_to_install(tables):
    told = run("play", "--games", 1, "--nodes", 1, "--tables", tables, "--cluster", "auto")
    assert_told(told, "pip install 'endgame2048[cluster]'")


@pytest.mark.thorough
def test_a_cluster_plays_the_same_games_in_the_same_order(tables):
    pytest.importorskip("ray", reason="needs the extra cluster")
    words = ("play", "--games", 3, "--nodes", 1, "--start", START_44, "--tables", tables, "--json")
    assert_told(run(*words, "--cluster", "auto", "--jobs", 2), "--jobs")
    assert_told(run(*words, "--cluster", "nowhere"), "HOST:PORT")
    alone, many = (run_apart(*words, *more).stdout for more in ((), ("--cluster", "auto")))
    games = [
        [
            {key: value for key, value in json.loads(line).items() if "ms" not in key}
            for line in text.splitlines()
        ]
        for text in (alone, many)
    ]
    assert games[0] == games[1]
    assert [game["seed"] for game in games[0]] == [1, 2, 3]


@pytest.mark.thorough
def test_players_do_not_outlive_a_killed_command(project_root):
    """Killed hard, so that it can't notify anything; its games would run for a day."""
    command = [sys.executable, "main.py", "play", "--games", "50", "--ms", "1000", "--jobs", "2"]
    with subprocess.Popen(command, cwd=project_root, stderr=subprocess.DEVNULL) as parent:
        try:
            workers = _workers_of(parent.pid)
        finally:
            parent.kill()
    gone, alive = psutil.wait_procs(workers, timeout=600)
    for one in alive:
        one.kill()
    assert len(gone) == 2
    assert not alive


def _workers_of(pid: int) -> list[psutil.Process]:
    """Return both workers once they are at work: past the start of the interpreter."""
    while True:
        found = [
            child
            for child in psutil.Process(pid).children()
            if "spawn_main" in " ".join(child.cmdline()) and child.num_threads() > 1
        ]
        if len(found) == 2:
            return found
        time.sleep(0.05)
