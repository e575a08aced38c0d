"""Scripted games, as a user types them."""

import json

from tests.child import run
from tests.test_main import assert_told

SCRIPT = "new 2 4 3\nleft\nundo\nundo\ndown\n"


def test_a_script_is_answered_line_by_line(tmp_path):
    path = tmp_path / "script.txt"
    path.write_text(SCRIPT)
    text = run("play", "--rules", "course", "--script", path)
    assert text.returncode == 0, text.stderr
    lines = text.stdout.splitlines()
    heads = [line for line in lines if line.startswith("step")]
    assert len(lines) == 5 * 3
    assert len(heads) == 5
    assert heads[0] == "step 0 score 0 playing"
    assert heads[3].endswith("unchanged")
    found = run("play", "--rules", "course", "--script", "-", "--json", stdin=SCRIPT)
    answers = [json.loads(line) for line in found.stdout.splitlines()]
    assert [answer["command"] for answer in answers] == ["new", "left", "undo", "undo", "down"]
    boards = [" ".join(str(tile) for row in answer["board"] for tile in row) for answer in answers]
    assert boards == [" ".join(lines[i + 1 : i + 3]) for i in range(0, 15, 3)]


def test_mistakes_are_told_in_one_line(tmp_path):
    path = tmp_path / "script.txt"
    path.write_text("new 4 4 1\nleft\nfly\n")
    course = ("play", "--rules", "course")
    assert_told(run(*course, "--script", path), "line 3", "'fly'")
    assert_told(run(*course), "--script FILE")
    assert_told(run(*course, "--script", tmp_path / "none"), "cannot read", "expected a script")
    assert_told(run("play", "--script", path), "--rules course")
