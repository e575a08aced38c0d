"""The command `minigame`: its list, scripted runs, refusals."""

import os
import subprocess
import sys
from datetime import datetime, timezone

import pytest

from minigames.registry import GAMES, rules_of
from minigames.run import MinigameRun
from minigames.state import Action
from minigames.store import save_replay
from tests.child import ROOT, assert_refused, json_lines, run

SCRIPT = "left\nup  # a remark\n\n# a line of its own\nRIGHT\nbomb 99\ndown\nleft\nup\n"


def play(name: str, *options: object, script: str = SCRIPT) -> list[dict]:
    done = run("minigame", name, "--seed", 5, "--script", "-", *options, "--json", stdin=script)
    assert done.returncode == 0, done.stderr
    return json_lines(done.stdout)


def test_the_list_has_a_line_for_each_game():
    done = run("minigame", "--list", "--json")
    assert done.returncode == 0, done.stderr
    lines = json_lines(done.stdout)
    assert len(lines) == 20
    assert [line["name"] for line in lines] == list(GAMES)
    assert all(set(line) == {"name", "title", "family"} for line in lines)
    assert {"name": "ice_age", "title": "Ice Age", "family": "ice"} in lines
    plain = run("minigame", "--list").stdout.splitlines()
    assert len(plain) == 20
    assert all(line["title"] in text for line, text in zip(lines, plain, strict=True))


@pytest.mark.thorough
def test_neither_list_nor_run_needs_the_compiler_or_the_window(tmp_path):
    script = tmp_path / "script.txt"
    script.write_text(SCRIPT)
    code = """
import sys
sys.modules.update(dict.fromkeys(["numba", "numpy", "PySide6"]))  # not there
import main
sys.exit(main.main(sys.argv[1:]))
"""
    game = ["ice_age", "--seed", "1", "--script", str(script)]
    for words in (["--list"], ["--list", "--json"], [*game, "--json"], game):
        done = subprocess.run(
            [sys.executable, "-c", code, "minigame", *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout


def test_the_same_seed_and_script_give_the_same_output(tmp_path):
    script = tmp_path / "script.txt"
    script.write_text(SCRIPT)
    words = ["minigame", "endless_hybrid", "--seed", 5, "--json", "--script"]
    outputs = [run(*words, script).stdout, run(*words, script).stdout]
    outputs.append(run(*words, "-", stdin=SCRIPT).stdout)
    assert outputs[0] == outputs[1] == outputs[2]
    assert outputs[0]
    other = run("minigame", "endless_hybrid", "--seed", 6, "--json", "--script", script).stdout
    assert other != outputs[0]


def test_the_last_line_says_how_it_ended():
    *moves, last = play("column_chaos")
    one = MinigameRun("column_chaos", False, 5)
    done = [one.do(Action(name)) for name in ("left", "up", "right", "down", "left", "up")]
    assert len(moves) == sum(map(bool, done))
    assert last["score"] == one.state.score
    assert last["moves"] == one.state.n_moves
    assert last["best_tile"] == 2**one.state.best
    assert last["over"] is False
    assert (last["result"], last["mode"], last["seed"]) == ("column_chaos", "normal", 5)


def test_a_run_to_the_end_is_over():
    last = play("ferris_wheel", script="left\nup\nright\ndown\n" * 400)[-1]
    assert (last["over"], last["end"]) == (True, "stuck")
    assert last["moves"] > 20
    assert last["best_tile"] >= 32
    last = play("blitzkrieg", script="left\nup\nright\ntick 999999\nleft\nup\n")[-1]
    assert (last["over"], last["end"]) == (True, "time")


def test_what_is_not_allowed_is_skipped():
    lines = play("ice_age", script="left\nleft\nleft\nleft\nbomb 16\nglove 0 0\n")
    start = rules_of("ice_age", hard=False).start(5)
    assert 1 <= len(lines) < 5
    assert (
        lines[-1]["moves"]
        == len(lines) - 1
        >= int(0 in rules_of("ice_age", hard=False).legal(start))
    )
    assert all(line["action"] == "left" for line in lines[:-1])


def test_tools_looks_time_and_undo_are_actions():
    start = rules_of("mystery_merge_1", hard=False).start(5)
    cell = next(c for c, tile in enumerate(start.tiles) if tile)
    free = start.tiles.index(0)
    script = f"glove {cell} {free}\nbomb {free}\npeek\nundo\nundo\nleft\nup\ntick 5\n"
    actions = [line.get("action") for line in play("mystery_merge_1", script=script)]
    assert actions[:5] == [f"glove {cell} {free}", f"bomb {free}", "peek", "undo", "undo"]
    assert "tick 5" not in actions


def test_hard_mode_is_another_game():
    script = "left\nup\nright\ndown\n" * 12
    hard = play("gravity_twist_1", "--mode", "hard", script=script)
    assert hard[-1]["mode"] == "hard"
    assert any("gravity" in line["events"] for line in hard[:-1])
    assert not any(
        "gravity" in line["events"] for line in play("gravity_twist_1", script=script)[:-1]
    )


def test_people_see_the_board():
    done = run("minigame", "ice_age", "--seed", 5, "--script", "-", stdin=SCRIPT)
    assert done.returncode == 0
    assert "Ice Age, normal:" in done.stdout
    assert "best tile" in done.stdout
    assert len(done.stdout.splitlines()) == 5


def test_a_replay_is_played_again(tmp_path):
    one = MinigameRun("design_master_4", True, 9)
    for name in ("left", "up", "right", "down", "undo", "left"):
        one.do(Action(name))
    path = save_replay(tmp_path, one.replay, lambda: datetime(2026, 1, 1, tzinfo=timezone.utc))
    done = run("minigame", "--replay", path, "--json")
    assert done.returncode == 0, done.stderr
    last = json_lines(done.stdout)[-1]
    assert (last["score"], last["moves"]) == (one.state.score, one.state.n_moves)
    assert (last["mode"], last["seed"]) == ("hard", 9)


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        (["chess", "--seed", 1, "--script", "-"], "left", "'chess'"),
        (["ice_age", "--seed", 1, "--script", "-"], "left\nup\njump\n", "line 3"),
        (["ice_age", "--seed", 1, "--script", "-"], "\n\nbomb\n", "line 3"),
        (["ice_age", "--seed", 1, "--script", "-"], "left\nbomb -1\n", "line 2"),
        (["ice_age", "--seed", 1, "--script", "/nowhere/script"], "", "script"),
        (["ice_age", "--seed", 1], "", "--script"),
        (["ice_age", "--script", "-"], "left", "--seed"),
        ([], "", "--list"),
        (["--replay", "/nowhere/replay.json"], "", "replay"),
        (["ice_age", "--replay", "/nowhere"], "", "the name of a game has no effect with --replay"),
        (["--replay", "/nowhere", "--seed", 0], "", "--seed has no effect with --replay"),
        (["--replay", "/nowhere", "--script", "-"], "", "--script has no effect with --replay"),
        (["--replay", "/nowhere", "--mode", "normal"], "", "--mode has no effect with --replay"),
        (["--list", "--replay", "/nowhere"], "", "--replay has no effect with --list"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(words, stdin, said):
    assert_refused(run("minigame", *words, stdin=stdin), said)


@pytest.mark.parametrize("seed", ["-1", "x", "1.5", str(1 << 53), "²", "9" * 5000, ""])
def test_a_seed_is_a_whole_number(seed):
    done = run("minigame", "ice_age", "--seed", seed, "--script", "-", stdin="left")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "seed" in done.stderr
    assert done.stdout == ""


def test_a_script_that_is_no_text_is_refused(tmp_path):
    script = tmp_path / "script.txt"
    script.write_bytes(b"left\n\xff\xfe\n")
    assert_refused(run("minigame", "ice_age", "--seed", 1, "--script", script), "script")
    words = [
        sys.executable,
        ROOT / "main.py",
        "minigame",
        "ice_age",
        "--seed",
        "1",
        "--script",
        "-",
    ]
    for encoding in ("utf-8:surrogateescape", "utf-8:strict"):  # of a locale C, or of others
        done = subprocess.run(
            words,
            input=b"left\n\xff\xfe\n",
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )
        assert done.returncode == 2
        assert b"not UTF-8" in done.stderr
