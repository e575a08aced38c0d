"""``main.py probe``, ``verify``, ``tables``, ``patterns`` and ``demo`` word for word."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from child import assert_refused, json_lines, run
from makers import TableMaker

from tablebase.probe.reader import Tablebase
from tablebase.store.manifest import load_manifest
from tablebase.store.origin import Origin

DIRECTIONS = ("left", "right", "up", "down")
BOARD = "00010021ffffffff"
DEAD = ("12133130ffffffff", "34304123ffffffff", "31420315ffffffff")  # come up, with no way on
STUCK = "12122121ffffffff"  # without a move
NEVER = "0000202000ffffff"  # of no game in 442
# Of no game in 44 either; its rates are those of brute_force.solve with its moves as seeds.
ELSEWHERE = "30300000ffffffff"
TRUTH = {"left": 0.9909856514900979, "right": 0.9909856514900979, "down": 0.958101774213735}
PROBE_KEYS = {"board", "table", *DIRECTIONS, "best", "masked"}


@pytest.fixture(scope="module")
def path(table: TableMaker) -> Path:
    return table("44", 64)


def one(result: Any) -> dict[str, Any]:
    assert result.returncode == 0, result.stderr
    (line,) = json_lines(result.stdout)
    return line


def test_probe_answers_with_the_four_rates(path):
    answer = one(run("probe", path, "--board", BOARD, "--json"))
    assert set(answer) == PROBE_KEYS
    with Tablebase.open(path) as reader:
        probe = reader.probe(int(BOARD, 16))
    assert tuple(answer[direction] for direction in DIRECTIONS) == probe.rates
    assert answer["best"] == DIRECTIONS[probe.best]  # type: ignore[index]
    assert (answer["board"], answer["masked"]) == (BOARD, BOARD)
    assert answer["table"] == "44_64"


@pytest.mark.parametrize(
    "text",
    ["0x00010021FFFFFFFF", "0001_0021_ffff_ffff", "0001 0021 ffff ffff", " 0x00010021ffffffff "],
)
def test_probe_takes_every_way_to_write_a_board(path, text):
    assert one(run("probe", path, f"--board={text}", "--json"))["board"] == BOARD


def test_probe_shows_illegal_moves_as_null(path):
    answer = one(run("probe", path, "--board", STUCK, "--json"))
    assert [answer[direction] for direction in DIRECTIONS] == [None] * 4
    assert answer["best"] is None


def test_probe_shows_what_was_masked_and_turned(path):
    answer = one(run("probe", path, "--board", "000100216789abc6", "--json"))
    assert (answer["board"], answer["masked"]) == ("000100216789abc6", BOARD)
    upside_down = "6cba987612001000"
    answer = one(run("probe", path, "--board", upside_down, "--json"))
    mirrored = "10001200ffffffff"  # of the two ways to turn it back, either will do
    assert answer["board"] == upside_down
    assert answer["masked"] in (BOARD, mirrored)


def test_probe_reads_boards_from_stdin_one_a_line(path):
    result = run("probe", path, "--json", stdin=f"{BOARD}\n1000_0001_ffff_ffff\n")
    assert result.returncode == 0, result.stderr
    answers = json_lines(result.stdout)
    assert [answer["board"] for answer in answers] == [BOARD, "10000001ffffffff"]
    assert all(set(answer) == PROBE_KEYS for answer in answers)


def test_probe_goes_on_after_a_board_it_cannot_answer(path):
    lines = ["1111111111111111", "00010021fffffffz", BOARD, "0001"]
    result = run("probe", path, "--json", stdin="\n".join(lines) + "\n")
    assert result.returncode == 0, result.stderr
    outside, letter, good, short = json_lines(result.stdout)
    assert set(outside) == set(letter) == set(short) == {"board", "error"}
    assert outside["board"] == lines[0]
    assert (letter["board"], short["board"]) == (lines[1], lines[3])
    assert "16" in letter["error"], "the position of the first bad character"
    assert "16" in short["error"], "what was expected"
    assert good["board"] == BOARD


def test_probe_that_answers_nothing_fails(path):
    result = run("probe", path, "--board", "1111111111111111", "--json")
    assert result.returncode == 2
    (line,) = json_lines(result.stdout)
    assert set(line) == {"board", "error"}


@pytest.mark.thorough
def test_probe_takes_several_boards_and_tables(path, table):
    """Each board is answered by the table it belongs to."""
    other = "ffff01001200ffff"
    words = ("probe", path, table("2x4", 64), "--board", BOARD, "--board", other, "--json")
    answers = json_lines(run(*words).stdout)
    assert [(a["board"], a["table"]) for a in answers] == [(BOARD, "44_64"), (other, "2x4_64")]


def test_probe_after_gives_one_rate(path):
    boards = ["00001000ffffffff", "00006010ffffffff", *DEAD, "00030030ffffffff"]
    result = run("probe", path, "--after", "--json", stdin="\n".join(boards))
    assert result.returncode == 0, result.stderr
    seed, reached, *dead, never = json_lines(result.stdout)
    assert set(seed) == set(reached) == set(dead[0]) == {"board", "table", "rate"}
    with Tablebase.open(path) as reader:
        assert seed["rate"] == reader.rate_of(int(boards[0], 16))
    assert 0.99 < seed["rate"] < 1
    assert reached["rate"] == 1
    assert [one["rate"] for one in dead] == [0] * len(dead)
    assert (never["rate"], never["unknown"]) == (None, True)


@pytest.mark.thorough
def test_probe_says_what_it_cannot_know(table):
    answer = one(run("probe", table("442", 64), "--board", NEVER, "--json"))
    assert set(answer) == {*PROBE_KEYS, "unknown"}
    assert answer["unknown"] == ["right", "down"]  # left and up are no moves
    assert [answer[name] for name in DIRECTIONS] == [None] * 4
    assert answer["best"] is None
    plain = run("probe", table("442", 64), "--board", NEVER).stdout
    assert f"{answer['unknown'][0]} unknown" in plain
    assert "best unknown" in plain


def test_a_sparse_table_makes_up_no_figures(tmp_path):
    """What it computes is right only for boards that come up."""
    assert run("build", "44", 64, "--out", tmp_path, "--sparse", 4).returncode == 0
    answer = one(run("probe", tmp_path / "44_64", "--board", ELSEWHERE, "--json"))
    unknown = answer.get("unknown", [])
    for name, rate in TRUTH.items():
        assert (answer[name] is None) == (name in unknown)
        assert name in unknown or answer[name] == pytest.approx(rate, abs=1e-9)
    assert unknown or answer["best"] == "left"
    assert not unknown or answer["best"] is None


def test_probe_without_json_shows_figures_as_the_window_does(path):
    """Of two moves that are equal, both are best, and they have one figure."""
    equal = "00200002ffffffff"
    answer = one(run("probe", path, "--board", equal, "--json"))
    assert answer["left"] == answer["right"] == pytest.approx(0.99388, abs=5e-6)
    assert len(repr(answer["left"])) > len("0.9939"), "programs get all digits"
    result = run("probe", path, *(w for b in (equal, BOARD, STUCK) for w in ("--board", b)))
    assert result.returncode == 0, result.stderr
    assert [line.split("  ", 2)[2] for line in result.stdout.splitlines()] == [
        "left 99.39 %  right 99.39 %  up -  down 98.96 %  best left, right",
        "left 99.39 %  right -  up -  down 98.96 %  best left",
        "left -  right -  up -  down -  best none",
    ]


def test_probe_after_without_json_shows_a_figure(path):
    boards = ["00001000ffffffff", "00006010ffffffff", DEAD[0], "00030030ffffffff"]
    lines = run("probe", path, "--after", stdin="\n".join(boards)).stdout.splitlines()
    assert [line.split("  ")[-1] for line in lines[1:]] == ["100 %", "0 %", "unknown"]
    assert lines[0].endswith(" %")


def test_what_is_not_there_is_told_in_one_line(tmp_path):
    assert_refused(run("probe", tmp_path / "44_64", "--board", BOARD, "--json"), "44_64")
    assert_refused(run("verify", tmp_path / "44_64"), "44_64")
    assert_refused(run("patterns", "L4"), "'L4'", "did you mean")
    assert_refused(run("fly"), "fly")


def test_probe_of_a_damaged_table_is_told_in_one_line(path, tmp_path):
    folder = tmp_path / "44_64"
    shutil.copytree(path, folder)
    victim = sorted(folder.iterdir())[0]
    victim.write_bytes(victim.read_bytes()[:-1])
    assert_refused(run("probe", folder, "--board", BOARD, "--json"), "44_64")


def test_verify_says_that_a_table_is_sound(path):
    result = run("verify", path, "--sample", 50, "--json")
    assert result.returncode == 0, result.stderr
    *progress, done = json_lines(result.stdout)
    assert all({"event", "done", "total"} <= set(line) for line in progress)
    assert {line["event"] for line in progress} <= {"progress"}
    assert done["event"] == "done"
    assert done["ok"] is True
    assert (done["sampled"], done["mismatches"], done["problems"]) == (50, 0, [])
    layers = list(path.glob("layer-*.tbl"))
    assert done["files"] == len(layers)
    assert done["bytes"] == sum(file.stat().st_size for file in layers)


def test_verify_fails_on_a_damaged_table(path, tmp_path):
    folder = tmp_path / "44_64"
    shutil.copytree(path, folder)
    victim = max(folder.iterdir(), key=lambda file: file.stat().st_size)
    data = bytearray(victim.read_bytes())
    data[len(data) // 2] ^= 16
    victim.write_bytes(data)
    result = run("verify", folder, "--json")
    assert result.returncode == 2
    done = json_lines(result.stdout)[-1]
    assert done["ok"] is False
    assert victim.name in " ".join(done["problems"])
    assert "Traceback" not in result.stderr


def test_verify_says_once_what_to_do_about_a_missing_layer(path, tmp_path):
    folder = tmp_path / "44_64"
    shutil.copytree(path, folder)
    (folder / "layer-0010.tbl").unlink()
    told = run("verify", folder).stderr
    assert "start the same build again to recompute it" in told
    assert "delete it" not in told


def test_verify_says_how_to_finish_a_table_and_not_to_delete_it(path, tmp_path):
    folder = tmp_path / "44_64"
    shutil.copytree(path, folder)
    manifest = load_manifest(folder)
    layers = {i: layer for i, layer in manifest.layers.items() if i >= 40}
    replace(manifest, complete=False, layers=layers).save(folder)
    for command in (("verify", folder), ("probe", folder, "--board", BOARD)):
        told = " ".join(run(*command).stderr.split())
        assert "start the same build again to resume it" in told
        assert "damaged" not in told
        assert "delete" not in told
    Origin("uint32", False, "").save(folder)
    for command in (("verify", folder), ("probe", folder, "--board", BOARD)):
        assert "start the same import again" in " ".join(run(*command).stderr.split())


def test_tables_lists_what_is_there(path, table):
    other = table("2x4", 64)
    assert other.parent == path.parent
    result = run("tables", path.parent, "--json")
    assert result.returncode == 0, result.stderr
    lines = {line["name"]: line for line in json_lines(result.stdout)}
    assert {"44_64", "2x4_64"} <= set(lines)
    line = lines["44_64"]
    assert Path(line["path"]) == path
    assert (line["pattern"], line["target"], line["state"]) == ("44", 64, "complete")
    assert (line["layers"], line["spawn4"], line["rate"]) == (80, 0.1, "uint32")
    assert line["bytes"] == sum(file.stat().st_size for file in path.glob("layer-*.tbl"))
    assert 0 < line["stored"] < line["boards"]


def test_tables_of_an_empty_folder_lists_nothing(tmp_path):
    result = run("tables", tmp_path, "--json")
    assert (result.returncode, result.stdout) == (0, "")


def test_patterns_lists_every_formation(formations):
    result = run("patterns", "--json")
    assert result.returncode == 0, result.stderr
    names = [line["name"] for line in json_lines(result.stdout)]
    assert set(names) == {name for name in formations if not name.startswith("tiny")}


def test_patterns_draws_one():
    result = run("patterns", "44")
    assert result.returncode == 0, result.stderr
    assert "44" in result.stdout
    assert len(result.stdout.splitlines()) > 4


def test_help_of_every_command_needs_nothing():
    for command in ("build", "probe", "verify", "tables", "patterns", "demo", "estimate", "advise"):
        result = run(command, "--help")
        assert result.returncode == 0, result.stderr
        assert "--json" in result.stdout, command
        assert "--data-dir" in result.stdout, command


def own_formation(folder: Path, **changes: object) -> Path:
    """Write a person's own file of one formation."""
    fields = {"name": "mine", "category": "my own", "masks": ["0xffffffff"], "walls": False}
    fields |= {"target_cells": "0xffff00000000", "symmetry": "identity", "extra_steps": 48}
    path = folder / "patterns_config.json"
    entry = fields | {"seeds": ["0x1000ffffffff"]} | changes
    path.write_text(json.dumps({"version": 1, "formations": [entry]}))
    return path


def test_own_formations_are_listed_drawn_and_built(tmp_path):
    own_formation(tmp_path)
    lines = json_lines(run("patterns", "--json", "--data-dir", tmp_path).stdout)
    assert [line["name"] for line in lines if line["origin"] == "own"] == ["mine"]
    assert "1 arrangement of" in run("patterns", "mine", "--data-dir", tmp_path).stdout
    built = run("build", "mine", 64, "--data-dir", tmp_path)
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "tables" / "mine_64" / "manifest.json").exists()


def test_an_own_file_with_a_mistake_is_told_by_every_command(tmp_path):
    path = own_formation(tmp_path, symmetry="diagonal")
    for command in (("patterns",), ("build", "mine", 64), ("estimate", "44", 64), ("advise",)):
        refused = run(*command, "--data-dir", tmp_path)
        assert_refused(refused, str(path), "field masks", "the symmetry 'diagonal' keeps")
    assert_refused(run("patterns", "--file", path), "field masks")


def test_a_file_can_be_checked_before_it_is_used(tmp_path):
    path = own_formation(tmp_path)
    result = run("patterns", "--file", path, "--json")
    assert [line["name"] for line in json_lines(result.stdout)] == ["mine"]


def test_a_drawing_shows_masks_and_how_many_ways_there_are():
    drawn = run("patterns", "442t").stdout
    assert "mask 10" in drawn
    assert "10 arrangements of the large tiles" in drawn
    assert "f T T f" in drawn


@pytest.mark.thorough
def test_advice_keeps_within_what_is_given(tmp_path):
    options = ("--disk", "1GB", "--memory", "450MB", "--hours", "1", "--threads", "2")
    result = run("advise", *options, "--json", "--data-dir", tmp_path)
    assert result.returncode == 0, result.stderr
    advice = json_lines(result.stdout)
    chosen = [table for table in advice if table["verdict"] == "build"]
    assert chosen
    assert sum(table["bytes"] for table in chosen) <= 10**9
    assert sum(table["wall_s"] for table in chosen) <= 3600
    assert [table["order"] for table in advice] == list(range(len(advice)))
    assert all(table["reason"] for table in advice if table["verdict"] == "left out")


@pytest.mark.parametrize(
    "option", [("--disk", "much"), ("--hours", "0"), ("--hours", "nan"), ("--memory", "-1")]
)
def test_advice_for_no_sensible_limit_is_refused(option):
    assert_refused(run("advise", f"{option[0]}={option[1]}"), option[1])


def test_estimate_answers_before_building():
    estimate = one(run("estimate", "44", 64, "--json"))
    assert estimate["boards"] > 0
    assert estimate["bytes"] > 0


def test_estimate_tells_what_a_memory_limit_means(monkeypatch):
    words = ("estimate", "4431", 1024, "--threads", 1)
    machine = SimpleNamespace(total=64 * 10**9, available=60 * 10**9)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: machine)
    free = one(run(*words, "--json"))
    assert free["memory_limit_bytes"] == 51_200_000_000
    text = run(*words).stdout
    assert "limit" not in text
    assert "60.0 GB free" in text
    assert len(re.findall(r"with (one|\d+)", text)) == 1
    named = one(run(*words, "--json", "--memory", "3GB"))
    assert named["memory_limit_bytes"] == 3 * 10**9
    assert named["memory_bytes"] == free["memory_bytes"]
    assert named["scratch_bytes"] > free["scratch_bytes"]
    assert "within a limit of 3.00 GB" in run(*words, "--memory", "3GB").stdout
    machine.available = 8 * 10**9
    assert one(run(*words, "--json"))["memory_limit_bytes"] == 7_200_000_000
    text = run("estimate", "4431", 1024, "--threads", 2).stdout
    assert "within a limit of 7.20 GB" in text
    assert " with 2\n" in text


def test_estimate_refuses_a_memory_limit_as_a_build_does(tmp_path):
    words = ("44", 64, "--memory", "100M")
    answers = [
        run(command, *words, *more)
        for command, *more in (("estimate",), ("build", "--out", tmp_path))
    ]
    for answer in answers:
        assert_refused(answer, "44 64 needs at least", "more than the 100 MB allowed")


@pytest.mark.parametrize(("spare", "is_enough"), [(0, True), (-1, False)])
@pytest.mark.thorough
def test_estimate_says_that_table_and_working_files_have_no_room(monkeypatch, spare, is_enough):
    cost = one(run("estimate", "44", 64, "--json"))
    room = cost["bytes"] + cost["scratch_bytes"] + spare
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=room))
    lines = run("estimate", "44", 64).stdout.splitlines()
    told = [line for line in lines if "too much for this drive" in line]
    assert bool(told) is not is_enough
    assert all("working files" in line for line in told)


@pytest.mark.thorough
def test_demo_builds_verifies_and_plays(tmp_path):
    """442 -> 128, played by best moves from its start; the second time the table is there."""
    result = run("demo", "--data-dir", tmp_path)
    assert result.returncode == 0, result.stderr
    assert "128" in result.stdout
    with Tablebase.open(tmp_path / "tables" / "442_128") as reader:
        assert reader.stored > 0
    again = run("demo", "--data-dir", tmp_path, "--json")
    assert again.returncode == 0, again.stderr
    assert all(isinstance(json.loads(line), dict) for line in again.stdout.splitlines())
    assert again.stdout
    words = ("--data-dir", tmp_path, "442_128", "--rate", "uint16")
    assert run("convert", *words).returncode == 0
    other = run("demo", "--data-dir", tmp_path)
    assert other.returncode == 0, other.stderr
