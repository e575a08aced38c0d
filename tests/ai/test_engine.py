"""The command `engine`: another program's side of the conversation, with a real process."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from child import ROOT, command, environment, json_lines, run, run_apart, start

from ai.choice import ValueKind
from engine.bitboard import DIRECTIONS
from engine.game import Game

OPEN = "1234 0000 1100 1000"
COVERED = "0102 0000 21fe dcba"


class Engine:
    """A process that is spoken to."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def send(self, *lines: str) -> None:
        assert self.process.stdin
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, "the engine has ended"
        event = json.loads(line)
        assert isinstance(event, dict)
        return event

    def until(self, name: str) -> list[dict[str, Any]]:
        told = [self.read()]
        while told[-1]["event"] != name:
            told.append(self.read())
        return told


@contextmanager
def engine(tables: Path, *words: str) -> Iterator[Engine]:
    process = subprocess.Popen(
        command("engine", "--json", "--tables", tables, *words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    try:
        running = Engine(process)
        running.until("ok")
        yield running
    finally:
        _, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    assert errors == ""


@pytest.fixture(scope="module")
def tables(table: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one table: other tests put theirs beside the one that all share."""
    folder = tmp_path_factory.mktemp("tables")
    shutil.copytree(table("442", 64), folder / "442_64")
    return folder


@pytest.fixture(scope="module")
def running(tables: Path) -> Iterator[Engine]:
    """An engine for all tests that leave it as it was."""
    with engine(tables) as one:
        yield one


def legal(board: str) -> list[str]:
    game = Game([int(digit, 16) for digit in board.replace(" ", "")])
    return [DIRECTIONS[one] for one in game.legal_moves()]


def test_a_search_by_nodes_tells_more_and_more(running):
    running.send(f"board {OPEN}", "go nodes 60000")
    *infos, last = running.until("bestmove")
    assert last["move"] in legal(OPEN)
    assert len(infos) > 2
    depths = [info["depth"] for info in infos]
    assert depths == sorted(depths)
    assert infos[-1]["nodes"] >= 60_000
    assert infos[-1]["pv"][0]["move"] == last["move"]
    best = max(value for value in infos[-1]["values"].values() if value is not None)
    assert infos[-1]["value"] == best


def test_the_line_can_be_played(running):
    running.send(f"board {OPEN}", "go nodes 20000")
    *_, info, _last = running.until("bestmove")
    game = Game([int(digit, 16) for digit in OPEN.replace(" ", "")])
    for ply in info["pv"]:
        cell, tile = ply.get("new_tile", (None, 0))
        spawned = None if cell is None else (cell, tile.bit_length() - 1)
        assert game.move(DIRECTIONS.index(ply["move"]), spawned) is not None
    assert len(info["pv"]) > 1


def test_a_table_answers_at_once_with_its_rates(tables, running):
    said = run("probe", tables / "442_64", "--board", COVERED, "--json")
    running.send(f"board {COVERED}", "go")
    info, last = running.until("bestmove")
    (probe,) = json_lines(said.stdout)
    assert info["source"] == "442_64"
    assert info["kind"] == "rates"
    assert last["move"] == probe["best"]
    assert info["value"] == probe[probe["best"]]


def test_a_search_without_limit_answers_isready_and_ends_by_stop(running):
    running.send("isready")
    running.until("readyok")
    for _ in range(5):
        running.send(f"board {OPEN}", "go")
        running.until("info")
        running.send("isready")
        running.until("readyok")
        running.send("stop")
        *_, last = running.until("bestmove")
        assert last["move"] in legal(OPEN)


def test_a_time_is_kept(running):
    running.send("isready", f"board {OPEN}")
    running.until("readyok")
    running.send("go ms 50")
    *infos, _last = running.until("bestmove")
    assert infos[-1]["ms"] < 1000


@pytest.mark.thorough
def test_pondering_is_silent_when_it_is_over(tables):
    with engine(tables) as one:
        one.send("isready", f"board {OPEN}", "ponder")
        one.until("info")
        one.send("go nodes 5000")
        told = one.until("bestmove")
        assert [event["event"] for event in told].count("bestmove") == 1
        one.send("ponder")
        one.until("info")
        one.send("stop")
        assert one.until("bestmove")[-1]["move"] in legal(OPEN)


# An option takes a third of a second: networks are read again.
@pytest.mark.parametrize("begin", ["ponder", "go"])
@pytest.mark.parametrize(
    ("n", "then"), [(20, []), (20, [f"board {OPEN}"]), (4, ["option threads 2"])]
)
def test_each_stopped_search_answers_once_whatever_comes_next(running, begin, n, then):
    running.send(f"board {OPEN}", *[begin, "stop", *then] * n, "option threads 2", "fly")
    told = running.until("error")
    assert [event["event"] for event in told].count("bestmove") == n
    assert "'fly' is not a command" in told[-1]["message"]


@pytest.mark.parametrize("board", [COVERED, "1234000000000000", "1212212112122121"])
def test_pondering_with_nothing_left_to_find_waits_to_be_ended(running, board):
    running.send(f"board {board}", "ponder")
    running.until("info")
    running.send("isready")
    assert [event["event"] for event in running.until("readyok")].count("bestmove") == 0
    running.send("stop")
    running.until("bestmove")
    running.send("ponder")
    running.until("info")
    running.send(f"board {OPEN}", "go nodes 1000")
    assert running.until("bestmove")[-1]["move"] in legal(OPEN)
    running.send("stop")
    (error,) = running.until("error")
    assert "no search to stop" in error["message"]


@pytest.mark.parametrize("line", ["option threads 99", "option speed 3", "board 12", "go fast"])
def test_a_refused_line_does_not_end_pondering(running, line):
    running.send(f"board {OPEN}", "ponder")
    running.until("info")
    running.send(line)
    running.until("error")
    running.send("stop")
    assert running.until("bestmove")[-1]["move"] in legal(OPEN)


@pytest.mark.thorough
def test_options_are_told_and_set(tables, tmp_path):
    with engine(tables) as one:
        one.send("option threads 1", "option spawn4 0.2", f"option tables {tmp_path}", "options")
        told = {event["name"]: event["value"] for event in (one.read() for _ in range(3))}
        assert told == {"tables": str(tmp_path), "threads": 1, "spawn4": 0.2}
        one.send(f"board {COVERED}", "go nodes 2000")
        assert one.until("info")[-1]["source"] == "search"
        one.until("bestmove")
        one.send("option tables default", "option spawn4 0.1", "go")
        assert one.until("info")[-1]["source"] == "442_64"
        one.until("bestmove")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("fly", "'fly' is not a command"),
        ("board", "no text to read a board"),
        ("board 12", "board"),
        ("go nodes", "expected go nodes N"),
        ("go nodes 0", "expected a number from 1"),
        ("go nodes 1e9", "expected a number from 1"),
        ("go nodes " + "9" * 4000, "expected a number from 1"),
        ("go ms nan", "expected a number from 0.1"),
        ("go ms inf", "expected a number from 0.1"),
        ("go ms -5", "expected a number from 0.1"),
        ("go fast", "expected go nodes N"),
        ("ponder x", "ponder takes no arguments"),
        ("option", "expected a name and a value"),
        ("option speed 3", "no option is called 'speed'"),
        ("option threads 0", "expected a number from 1"),
        ("option threads two", "expected a number from 1"),
        ("option spawn4 2", "expected a number from 0.001"),
        ("option tables /no/such/folder", "is not a folder"),
        ("option tables \x00", "is not a folder"),
        ("GO", "'GO' is not a command"),
        ("\x1b[A", "is not a command"),
        ("x" * 10_000, "not a command"),
        ("quit now", "quit takes no arguments"),
        ("options x", "options takes no arguments"),
        ("isready x", "isready takes no arguments"),
        ("stop x", "stop takes no arguments"),
        ("stop", "no search to stop"),
    ],
)
def test_a_line_that_is_no_command_is_refused_and_harms_nothing(running, line, words):
    running.send(line)
    (error,) = running.until("error")
    assert words in error["message"], error
    running.send(f"board {COVERED}", "go")
    assert running.until("bestmove")[-1]["move"] in legal(COVERED)


@pytest.mark.thorough
def test_without_a_board_nothing_is_searched(tables):
    with engine(tables) as one:
        one.send("go")
        (error,) = one.until("error")
        assert "no board yet" in error["message"]
        one.send(f"board {COVERED}", "go")
        assert one.until("bestmove")[-1]["move"] in legal(COVERED)


@pytest.mark.thorough
def test_bytes_that_are_no_text_are_refused(tables):
    done = subprocess.run(
        command("engine", "--json", "--tables", tables),
        input=b"\xff\xfe\x00\n" + b"\x00" * 30_000 + b"\r\nisready\r\n\n \n",
        capture_output=True,
        env=environment(),
        check=False,
        timeout=600,
    )
    told = [json.loads(line)["event"] for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert told[told.index("ok") + 1 :] == ["error", "error", "readyok"]


@pytest.mark.thorough
def test_the_end_of_input_lets_a_search_with_a_limit_answer(tables):
    done = run_apart("engine", "--tables", tables, stdin=f"board {OPEN}\ngo nodes 3000")
    *_, info, last = done.stdout.splitlines()
    assert done.returncode == 0
    assert info.startswith("info depth ")
    assert last.split()[0] == "bestmove"
    assert last.split()[1] in legal(OPEN)
    assert f" pv {last.split()[1]}" in info


@pytest.mark.thorough
@pytest.mark.parametrize("ending", ["", "quit\n"])
def test_a_search_without_limit_does_not_outlive_its_input(tables, ending):
    done = run_apart("engine", "--tables", tables, stdin=f"board {OPEN}\ngo\n{ending}")
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.thorough
def test_a_board_without_moves_has_no_best_one(tables):
    done = run_apart("engine", "--tables", tables, stdin="board 1212212112122121\ngo\n")
    assert done.stdout.splitlines()[-1] == "bestmove none"


@pytest.mark.thorough
def test_every_command_is_documented(tables):
    with engine(tables) as one:
        one.send("what is there")
        (error,) = one.until("error")
    commands = error["message"].partition("expected one of ")[2].split(", ")
    text = (ROOT / "docs/engine.md").read_text(encoding="utf-8")
    assert len(commands) == 8
    assert [name for name in commands if f"| `{name}" not in text] == []


@pytest.mark.thorough
def test_every_kind_of_values_is_documented():
    text = (ROOT / "docs/engine.md").read_text(encoding="utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("| `kind` |"))
    kinds = set(ValueKind) - {ValueKind.POINTS}  # of networks for whole games: not of the engine
    assert [kind for kind in kinds if f"`{kind.name.lower()}`" not in line] == []


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_search_without_a_word(tables, number):
    process = start("engine", "--json", "--tables", tables)
    running = Engine(process)
    running.send(f"board {OPEN}", "go")
    running.until("info")
    process.send_signal(number)
    out, errors = process.communicate(timeout=600)
    assert (process.returncode, errors) == (3, "canceled\n")
    assert not [event for event in json_lines(out) if event["event"] == "error"]


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="a pipe there tells later")
def test_it_ends_when_nobody_reads_any_more(tables):
    """Its input stays open."""
    process = start("engine", "--json", "--tables", tables)
    running = Engine(process)
    running.until("ok")
    assert process.stdout
    assert process.stdin
    assert process.stderr
    process.stdout.close()
    running.send("options")
    assert process.wait(60) == 3
    process.stdin.close()
    process.stderr.close()


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device")
def test_output_that_cannot_be_written_is_no_success(tables):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command("engine", "--tables", tables),
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            check=False,
        )
    assert done.returncode == 2
    assert "cannot write the output" in done.stderr
