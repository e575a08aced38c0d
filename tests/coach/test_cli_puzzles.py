"""``puzzles`` as people type it: find, daily, list, import."""

from functools import partial
from pathlib import Path

import pytest

from tests.child import json_lines
from tests.coach.conftest import Command
from tests.gui.furnished_window import add_table
from tests.makers import TableMaker


@pytest.fixture
def data(table: TableMaker, tmp_path: Path) -> Path:
    (tmp_path / "data" / "tables").mkdir(parents=True)
    add_table(table("2x4", 64), tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def run(data: Path, command: Command) -> partial[tuple[int, str, str]]:
    return partial(command, data, "puzzles")


@pytest.mark.thorough
def test_found_puzzles_are_kept_and_listed_as_lines(run):
    assert run("find", "2x4_64", "--count", 5)[:2] == (0, "5 puzzles: 5 new, 0 already here\n")
    assert run("find", "2x4_64", "--count", 5)[1] == "5 puzzles: 5 new, 0 already here\n"
    seeded = run("find", "2x4_64", "--count", 10, "--seed", 0)
    assert seeded[1] == "10 puzzles: 0 new, 10 already here\n"
    status, out, _ = run("list")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == ["2048-puzzle/1"] * 10


def test_json_tells_all_of_each_puzzle(run):
    *puzzles, kept, done = json_lines(run("find", "2x4_64", "--count", 3, "--json")[1])
    assert [one["event"] for one in puzzles] == ["puzzle"] * 3
    assert (kept["new"], done["puzzles"], done["cancelled"]) == (3, 3, False)
    for one in puzzles:
        assert one["table"] == "2x4_64"
        assert one["rates"][one["best"]] == max(rate for rate in one["rates"].values() if rate)
        assert one["natural"] != one["best"]
        assert f"board={one['board']} best={one['best']}" in one["line"]
    listed = json_lines(run("list", "--json")[1])
    assert [one["line"] for one in listed] == [one["line"] for one in puzzles]
    assert {(one["origin"], one["deviation"], one["right"]) for one in listed} == {
        ("table", 250, 0)
    }


@pytest.mark.thorough
def test_a_seed_and_a_day_are_the_same_everywhere(run, tmp_path):
    files = [tmp_path / name for name in ("a", "b", "c")]
    for path, seed in zip(files, (7, 7, 8), strict=True):
        assert run("find", "2x4_64", "--count", 4, "--seed", seed, "--out", path)[0] == 0
    assert files[0].read_text() == files[1].read_text() != files[2].read_text()
    assert run("list")[1] == "", "what goes to a file is not kept"
    days = [run("daily", "2x4_64", "--date", f"2026-11-{day}")[1] for day in (21, 21, 22)]
    assert days[0] == days[1] != days[2]
    assert "2048-puzzle/1" in days[0]


def test_a_file_that_cannot_be_written_is_told_before_the_search(run, tmp_path):
    out = tmp_path / "none" / "puzzles.txt"
    status, said, told = run("find", "2x4_64", "--count", 3, "--out", out, "--json")
    assert (status, said) == (2, "")
    assert "cannot write" in told


def test_what_one_exports_another_imports(run, tmp_path):
    path = tmp_path / "puzzles.txt"
    run("find", "2x4_64", "--count", 3, "--out", path)
    lines = path.read_text().splitlines()
    foreign = lines[0].replace("2x4", "444")
    path.write_text("\n".join([f"> {lines[0]}", lines[1].replace("best=", "best =", 1), foreign]))
    status, out, err = run("import", path)
    assert (status, out) == (0, "2 new, 0 already here\n")
    assert "line 3: it was changed on its way" in err
    assert run("import", path)[1] == "0 new, 2 already here\n"
    status, out, err = run("import", path, "--json")
    assert [one["event"] for one in json_lines(out)] == ["problem", "done"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "ACTION"),
        (["find", "L9_512"], "no table"),
        (["find", "2x4_64", "--count", "none"], "--count"),
        (["daily", "2x4_64", "--date", "yesterday"], "expected a date such as"),
        (["import", "nowhere.txt"], "nowhere.txt"),
    ],
)
def test_mistakes_are_told_in_one_line(run, capsys, words, said):
    try:
        status, _, err = run(*words)
    except SystemExit as error:
        status, err = error.code, capsys.readouterr().err
    assert status == 2
    assert said in err
    assert err.count("\n") == 1


def test_a_file_without_a_puzzle_is_refused(run, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("to do: learn")
    status, _, err = run("import", path)
    assert status == 2
    assert "line 1:" in err
    assert "has no puzzle that can be kept" in err
