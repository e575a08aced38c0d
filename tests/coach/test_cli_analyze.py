"""``main.py analyze`` word for word."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import datetime, timezone
from html import escape
from pathlib import Path
from shutil import copytree
from unittest import mock

import pytest
from child import assert_refused, json_lines, run, run_apart
from makers import TableMaker
from other_machine import OtherMachine

from coach.analysis.analyses import Analyses
from coach.analysis.course import moment_line, phase_line
from coach.analysis.files import facts_in_file
from coach.cli import analyze
from coach.mistakes.mistakes import Mistakes
from coach.profile.facts import JudgedMoves
from coach.profile.filing import file_game
from coach.profile.judged_moves import judged_moves
from coach.record.user_database import UserDatabase
from coach.recordings.recording import open_recording
from coach.whole_game import file_analysis
from engine.formats.replay import Replay, replay_of
from engine.formats.rpl import read_rpl, write_rpl
from engine.formats.verse2048 import write_new, write_old
from engine.game import Game
from gui.review.work import open_analysis
from tablebase.library.opening import open_table
from tablebase.probe.reader import Tablebase
from tests.coach.played_games import played_game
from tests.coach.test_analyses import analysis_of


@pytest.fixture(scope="module")
def path(table: TableMaker) -> Path:
    return table("44", 64)


@pytest.fixture(scope="module")
def covered(path: Path) -> Replay:
    with Tablebase.open(path) as opened:
        return played_game(opened, 3)


@pytest.fixture(scope="module")
def plain() -> Replay:
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


def test_a_folder_is_analyzed_with_the_tables_found(games, path, tmp_path):
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


def test_bad_files_do_not_stop_the_others(games, path, tmp_path):
    bad, gone, loop = games / "bad.txt", tmp_path / "gone.txt", games / "loop.txt"
    bad.write_text("hello")
    loop.symlink_to(loop)
    result = run("analyze", bad, gone, loop, games / "a.rpl", "--table", path, "--json")
    assert result.returncode == 0, result.stderr
    errors = [event for event in json_lines(result.stdout) if event["event"] == "error"]
    assert [event["file"] for event in errors] == [str(bad), str(gone), str(loop)]
    assert "not a recorded game" in errors[0]["message"]
    assert "cannot read" in errors[1]["message"]
    assert json_lines(result.stdout)[-1]["files"] == 1


def test_without_a_good_file_or_a_table_it_is_a_mistake(games, path, tmp_path):
    (games / "bad.txt").write_text("hello")
    for bad in (games / "bad.txt", path / "manifest.json"):
        assert_refused(run("analyze", bad, "--table", path), "not a recorded game")
    assert_refused(run("analyze", games, "--data-dir", tmp_path / "d"), "no table to analyze with")


def test_text_for_people(games, path):
    result = run("analyze", games / "a.rpl", "--table", path, "--least-moves", "1")
    assert result.returncode == 0, result.stderr
    assert "a.rpl: .rpl recording" in result.stdout
    assert "44_64  moves 1 to" in result.stdout


def test_cancelled_from_outside_it_keeps_what_is_done(games, path):
    words = ("analyze", games, "--table", path, "--json", "--stdin-control")
    result = run_apart(*words, stdin="cancel\n")
    assert result.returncode == 3
    last = json_lines(result.stdout)[-1]
    assert (last["event"], last["cancelled"]) == ("done", True)
    assert last["files"] < 3


def test_search_judges_the_whole_game_without_tables(games, tmp_path):
    words = ["analyze", games / "c.vrs", "--engine", "--ms", "0.2"]
    words += ["--data-dir", tmp_path / "d", "--out", tmp_path / "out"]
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
    page = Path(file["reports"]["html"]).read_text("utf-8")
    assert page.count("<li>") == len(game["phases"]) + 10
    facts = facts_in_file(Path(file["reports"]["json"]))
    assert (len(facts.phases), len(facts.moments)) == (len(game["phases"]), 10)
    text = run(*words).stdout
    assert f"{game['judged']} moves judged, {game['by_search']} of them by search" in text
    assert text.count("\n  move ") == 10
    told = Path(file["reports"]["text"]).read_text("utf-8")
    for line in (*map(phase_line, facts.phases), *map(moment_line, facts.moments)):
        assert f"\n  {line}\n" in text
        assert f"\n  {line}\n" in told
        assert f"<li>{escape(line)}</li>" in page


def test_what_tables_say_of_a_recording_of_theirs_stands(games, path, tmp_path):
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
def test_milliseconds_have_bounds(games, ms):
    assert_refused(run("analyze", games, "--engine", f"--ms={ms}"), "expected milliseconds")


def test_own_games_count_once_and_as_review_would_have_it(games, tmp_path):
    """Mistakes and moves are those that Review rates with the same budget and files by Train."""
    data, game = tmp_path / "d", games / "c.vrs"
    words = ["analyze", game, "--engine", "--ms", "0.2", "--mine", "--data-dir", data]
    for _ in range(2):
        result = run(*words, "--json")
        assert result.returncode == 0, result.stderr
        (kept,) = [one for one in json_lines(result.stdout) if one["event"] == "kept"]
    with open_analysis(tmp_path / "other", 0.2) as analysis:
        rated = analysis.run(open_recording(game), []).recording
    moves = [*judged_moves(rated, {})]
    with (
        closing(Mistakes(UserDatabase(tmp_path))) as wanted,
        closing(Mistakes(UserDatabase(data))) as found,
    ):
        file_game(wanted, moves, 0.1, game.name, rated.played_at)
        told = [
            [(one.board, one.key, one.rates) for one in book.get(book.ids()).values()]
            for book in (wanted, found)
        ]
        assert told[0] == told[1] != []
        assert kept["mistakes"] == len(told[1])
    with closing(JudgedMoves(UserDatabase(data))) as facts:
        lost = [fact.lost for fact in facts.all()]
    assert lost == [one.lost for one in moves]
    assert kept["moves"] == len(lost)
    assert f"to drill, {len(lost)} moves in your profile" in run(*words).stdout


def test_games_of_others_are_kept_nowhere(games, tmp_path):
    words = ["analyze", games / "c.vrs", "--engine", "--ms", "0.2", "--data-dir", tmp_path / "d"]
    assert run(*words).returncode == 0
    assert not (tmp_path / "d" / "user.db").exists()


def test_what_cannot_be_kept_does_not_stop_the_analysis(games, path, tmp_path):
    data = tmp_path / "d"
    words = ["analyze", games / "a.rpl", "--table", path, "--mine", "--data-dir", data]
    (data / "user.db").mkdir(parents=True)
    assert_refused(run(*words), "user.db")


def test_search_knows_no_games_with_other_fours(games, tmp_path):
    words = ["analyze", games / "c.vrs", "--engine", "--data-dir", tmp_path / "d"]
    assert_refused(run(*words, "--spawn4", "0.2"), "10 % of the new tiles are 4s, not 20 %")


@pytest.mark.slow
def test_a_cluster_finds_and_keeps_the_same_in_the_same_order(games, path, tmp_path):
    pytest.importorskip("ray", reason="needs the extra cluster")
    (games / "d.rpl").write_bytes(b"no game")
    (games / "b.txt").unlink()  # the same game as the next one
    words = ("analyze", games, "--table", path, "--engine", "--ms", "0.2", "--mine", "--json")
    told, mistakes = [], []
    for data, more in ((tmp_path / "alone", ()), (tmp_path / "many", ("--cluster", "auto"))):
        events = json_lines(run_apart(*words, "--data-dir", data, *more).stdout)
        assert events.pop().items() >= {"event": "done", "files": 2, "failed": 1}.items()
        told.append([event for event in events if event["event"] != "progress"])
        with closing(Mistakes(UserDatabase(data))) as book:
            found = book.get(book.ids()).values()
            mistakes.append([(one.board, one.key, one.rates) for one in found])
    assert told[0] == told[1]
    assert {event["event"] for event in told[0]} == {"error", "file", "kept"}
    *_, last = (event for event in told[0] if event["event"] == "file")
    assert last["game"]["by_search"] > 0
    assert mistakes[0] == mistakes[1] != []


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the only machine of a cluster works in."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.setattr(analyze, "connected", lambda _: nullcontext(OtherMachine(folder)))
    return folder


@pytest.mark.usefixtures("machine")
def test_a_machine_opens_the_tables_once_for_all_games(games, path, tmp_path):
    with mock.patch.object(file_analysis, "open_table", wraps=open_table) as opened:
        told = run(
            "analyze", games, "--table", path, "--data-dir", tmp_path, "--cluster", "auto", "--json"
        )
    assert json_lines(told.stdout)[-1]["files"] == 3
    assert opened.call_count == 2  # by the command and by the machine


@pytest.mark.thorough
@pytest.mark.usefixtures("machine")
def test_machines_find_tables_named_from_the_folder_of_the_command(
    games, path, tmp_path, monkeypatch
):
    monkeypatch.chdir(path.parent)
    words = ("analyze", games, "--data-dir", tmp_path, "--cluster", "auto", "--json")
    for option, name in (("--table", path.name), ("--tables", ".")):
        events = json_lines(run(*words, option, name).stdout)
        assert events[-1]["covered"] > 0


@pytest.mark.skipif(sys.platform == "win32", reason="there, open tables cannot be moved")
def test_a_machine_without_a_table_that_was_found_is_told(
    games, path, tmp_path, machine, monkeypatch
):
    own = tmp_path / "tables" / path.name
    copytree(path, own)

    @contextmanager
    def connected(_: str) -> Iterator[OtherMachine]:
        own.rename(tmp_path / "away")
        yield OtherMachine(machine)

    monkeypatch.setattr(analyze, "connected", connected)
    words = ("analyze", games, "--data-dir", tmp_path, "--engine", "--cluster", "auto")
    assert_refused(run(*words), "a machine of the cluster can't use a table")


def test_reports_of_another_game_of_the_same_name_stay(games, path, tmp_path):
    out, other = tmp_path / "out", tmp_path / "other"
    other.mkdir()
    (other / "a.txt").write_bytes((games / "b.txt").read_bytes())
    told = []
    for game in (games / "a.rpl", other / "a.txt", games / "a.rpl", other / "a.txt"):
        done = run("analyze", game, "--table", path, "--out", out, "--json")
        (file,) = [one for one in json_lines(done.stdout) if one["event"] == "file"]
        told.append(Path(file["reports"]["json"]).name)
    assert told == ["a.json", "a-2.json", "a.json", "a-2.json"]


def test_reports_never_replace_the_recorded_games_or_other_files(games, path):
    (games / "a.csv").write_text("somebody's notes")
    before = {one.name: one.read_bytes() for one in games.iterdir()}
    for _ in range(2):
        done = run("analyze", games / "b.txt", games / "a.rpl", "--table", path, "--out", games)
        assert done.returncode == 0, done.stderr
        assert {name: (games / name).read_bytes() for name in before} == before
        assert {one.name for one in games.glob("*.json")} == {"a-2.json", "b-2.json"}
    (games / "b.json").write_bytes((games / "b-2.json").read_bytes())  # of this very game
    run("analyze", games / "b.txt", "--table", path, "--out", games)
    assert (games / "b.txt").read_bytes() == before["b.txt"]


def test_reports_in_the_folder_of_the_games_are_written_again(games, path):
    """They are listed among its files, as are the recordings of segments: neither are games."""
    found = []
    for _ in range(3):
        done = run("analyze", games, "--table", path, "--out", games, "--least-moves", 1)
        assert done.returncode == 0, done.stderr
        assert "warning" not in done.stderr
        found.append(sorted(one.name for one in games.iterdir()))
    assert found[0] == found[1] == found[2]
    assert [name for name in found[0] if ".json" in name] == ["a.json", "b-2.json", "c.json"]
    assert [name for name in found[0] if name.startswith("44_64_a_")]


@pytest.mark.skipif(sys.platform != "linux", reason="names are text there")
def test_a_game_whose_name_is_no_text_is_analyzed_and_kept(games, tmp_path):
    odd, out, data = games / os.fsdecode(b"g\xffame.vrs"), tmp_path / "out", tmp_path / "d"
    (games / "c.vrs").rename(odd)
    words = ("--engine", "--ms", "0.2", "--mine", "--data-dir", data, "--json")
    result = run("analyze", odd, "--out", out, *words)
    assert result.returncode == 0, result.stderr
    file, kept, _done = [one for one in json_lines(result.stdout) if one["event"] != "progress"]
    assert kept["mistakes"] > 0
    assert facts_in_file(out / "g-ame.json").name == odd.name
    assert "g\\udcffame.vrs" in (out / "g-ame.txt").read_text(encoding="utf-8")
    with closing(Analyses(UserDatabase(tmp_path))) as analyses:
        analyses.keep(analysis_of(file, datetime.now(timezone.utc)))
        assert [one.path.name for one in analyses.latest()] == ["g\\udcffame.vrs"]


def test_what_would_have_no_effect_is_refused(games, path, tmp_path):
    words = ("analyze", games / "a.rpl", "--table", path)
    assert_refused(run(*words, "--ms", 2), "add --engine")
    assert_refused(run(*words, "--threshold", 0.9), "add --mine")
    assert_refused(run(*words, "--tables", tmp_path / "none"), "no such folder")
    assert_refused(run(*words, "--out", games / "a.rpl" / "out"), "cannot write")
    assert_refused(run("analyze", "", "--table", path), "no file can be called ''")
