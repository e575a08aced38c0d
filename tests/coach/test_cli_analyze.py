"""``main.py analyze`` word for word."""

import json
from pathlib import Path

import pytest
from child import assert_refused, json_lines, run
from makers import TableMaker

from engine.formats.game_replay import replay_of
from engine.formats.replay import Replay
from engine.formats.rpl import read_rpl, write_rpl
from engine.formats.verse import write_new, write_old
from engine.game import Game
from tablebase.probe.reader import Tablebase
from tests.coach.played_games import played_game


@pytest.fixture(scope="module")
def path(table: TableMaker) -> Path:
    return table("44", 64)


@pytest.fixture(scope="module")
def covered(path: Path) -> Replay:
    """A game that begins inside the formation."""
    with Tablebase.open(path) as opened:
        return played_game(opened, 3)


@pytest.fixture(scope="module")
def plain() -> Replay:
    """A game that no table covers."""
    game = Game.new(5)
    while not game.is_over:
        game.move(game.legal_moves()[0])
    return replay_of(game)


@pytest.fixture
def games(tmp_path: Path, covered: Replay, plain: Replay) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "a.rpl").write_bytes(write_rpl(covered))
    (folder / "b.txt").write_bytes(write_old(plain))
    (folder / "c.vrs").write_text(write_new(plain), encoding="utf-8")
    (folder / "notes.md").write_text("not a game")
    return folder


def test_a_folder_is_analyzed_with_the_tables_found(games: Path, path: Path, tmp_path) -> None:
    out = tmp_path / "out"
    result = run(
        "analyze", games, "--tables", path, "--out", out, "--json", "--data-dir", tmp_path / "d"
    )
    assert result.returncode == 0, result.stderr
    events = json_lines(result.stdout)
    files = [event for event in events if event["event"] == "file"]
    assert [file["name"] for file in files] == ["a.rpl", "b.txt", "c.vrs"]
    assert [file["recorded_as"] for file in files] == ["rpl", "verse-old", "verse-new"]
    assert [file["tables"] for file in files] == [["44_64"]] * 3
    assert files[0]["segments"]
    assert files[1]["segments"] == []
    assert files[1]["points"] == files[2]["points"] > 0
    for segment in files[0]["segments"]:
        recording = read_rpl(Path(segment["rpl"]).read_bytes())
        assert len(recording.moves) >= segment["judged"]
    for file in files:
        assert {Path(where).suffix for where in file["reports"].values()} == {
            ".html", ".txt", ".json", ".csv"
        }  # fmt: skip
        saved = json.loads(Path(file["reports"]["json"]).read_text("utf-8"))
        assert saved["moves"] == file["moves"]
    assert (events[-1]["event"], events[-1]["files"], events[-1]["failed"]) == ("done", 3, 0)


def test_one_bad_file_does_not_stop_the_others(games: Path, path: Path, tmp_path: Path) -> None:
    bad, gone = games / "bad.txt", tmp_path / "gone.txt"
    bad.write_text("hello")
    result = run("analyze", bad, gone, games / "a.rpl", "--table", path, "--json")
    assert result.returncode == 0, result.stderr
    errors = [event for event in json_lines(result.stdout) if event["event"] == "error"]
    assert [Path(event["file"]).name for event in errors] == ["bad.txt", "gone.txt"]
    assert "not a recorded game" in errors[0]["message"]
    assert "cannot read" in errors[1]["message"]
    assert json_lines(result.stdout)[-1]["files"] == 1


def test_without_a_good_file_it_is_a_mistake(games: Path, path: Path) -> None:
    (games / "bad.txt").write_text("hello")
    assert_refused(run("analyze", games / "bad.txt", "--table", path), "not a recorded game")


def test_without_a_table_it_is_a_mistake(games: Path, tmp_path: Path) -> None:
    assert_refused(run("analyze", games, "--data-dir", tmp_path / "d"), "no table to analyze with")


def test_text_for_people(games: Path, path: Path) -> None:
    result = run("analyze", games / "a.rpl", "--table", path, "--least-moves", "1")
    assert result.returncode == 0, result.stderr
    assert "a.rpl: .rpl recording" in result.stdout
    assert "44_64  moves 1 to" in result.stdout


def test_cancelled_from_outside_it_keeps_what_is_done(games: Path, path: Path) -> None:
    result = run("analyze", games, "--table", path, "--json", "--stdin-control", stdin="cancel\n")
    assert result.returncode == 3
    last = json_lines(result.stdout)[-1]
    assert (last["event"], last["cancelled"]) == ("done", True)
    assert last["files"] < 3


def test_search_judges_the_whole_game_without_tables(games: Path, tmp_path: Path) -> None:
    words = ["analyze", games / "c.vrs", "--engine", "--ms", "0.2"]
    words += ["--data-dir", tmp_path / "d"]
    told = []
    for _ in range(2):  # the second time nothing is searched
        result = run(*words, "--json")
        assert result.returncode == 0, result.stderr
        (file,) = [one for one in json_lines(result.stdout) if one["event"] == "file"]
        told.append(file["game"])
    game = told[0]
    assert told[1] == game
    assert game["complete"] is True
    assert game["judged"] == game["by_search"] == game["searched"] - 1 == file["moves"]
    assert sum(game["grades"].values()) == game["judged"]
    assert game["phases"][-1]["last_move"] == file["moves"]
    assert len(game["moments"]) == 10
    text = run(*words).stdout
    assert f"{game['judged']} moves judged, {game['by_search']} of them by search" in text
    assert text.count("\n  move ") == 10


def test_what_tables_say_of_a_recording_of_theirs_stands(games, path, tmp_path) -> None:
    result = run(
        *("analyze", games / "a.rpl", "--table", path, "--engine", "--ms", "0.2"),
        *("--json", "--data-dir", tmp_path / "d"),
    )
    assert result.returncode == 0
    (file,) = [one for one in json_lines(result.stdout) if one["event"] == "file"]
    assert file["segments"]
    assert "game" not in file
    assert "a.rpl is a recording of a table" in result.stderr


@pytest.mark.parametrize("ms", ["0", "-1", "nan", "many", "1e9"])
def test_milliseconds_have_bounds(games: Path, ms: str) -> None:
    assert_refused(run("analyze", games, "--engine", f"--ms={ms}"), "expected milliseconds")
