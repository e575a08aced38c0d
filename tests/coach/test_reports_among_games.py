"""Which files of a folder are an analysis of games, and which are games."""

import json
from pathlib import Path

import pytest

from coach.recordings.game_files import files_of_reports

REPORT = {"format": "endgame2048-analysis", "version": 1, "file": "my game.vrs", "moves": 5}
SEGMENT = "L3_256_my game_7_0.9912.rpl"


def found_in(folder: Path) -> list[str]:
    return sorted(one.name for one in files_of_reports(folder.iterdir()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "my game.json").write_text(json.dumps(REPORT))
    (tmp_path / "my game.txt").write_text("my game.vrs: 2048verse, 5 moves")
    (tmp_path / SEGMENT).write_bytes(b"x")
    return tmp_path


def test_texts_and_segments_of_a_report_are_found(folder):
    assert found_in(folder) == [SEGMENT, "my game.txt"]


def test_names_that_are_no_text_are_escaped(folder):
    """As `coach.analysis.files` does."""
    name = "g\udcffame.vrs"
    report = json.dumps({**REPORT, "file": name}, ensure_ascii=False)
    (folder / "my game.json").write_bytes(report.encode("utf-8", "backslashreplace"))
    text = f"{name}: 2048verse, 5 moves"
    (folder / "my game.txt").write_bytes(text.encode("utf-8", "backslashreplace"))
    assert found_in(folder) == [SEGMENT, "my game.txt"]


@pytest.mark.parametrize(
    "report", [{**REPORT, "format": "endgame2048-test"}, [REPORT], {**REPORT, "file": 5}]
)
def test_other_json_is_no_report(folder, report):
    (folder / "my game.json").write_text(json.dumps(report))
    assert found_in(folder) == []


def test_a_damaged_report_is_none(folder):
    (folder / "my game.json").write_text(json.dumps(REPORT)[:60])
    assert found_in(folder) == []


def test_a_game_named_like_a_report_is_a_game(folder):
    (folder / "my game.txt").write_text("2 4 8 16")
    assert found_in(folder) == [SEGMENT]


@pytest.mark.parametrize(
    "name",
    ["L3_256_game_7_0.9912.rpl", "my game_7_0.9912.rpl", "L3_256_my game_7.rpl", "my game.rpl"],
)
def test_recordings_with_other_names_are_games(folder, name):
    (folder / name).write_bytes(b"x")
    assert found_in(folder) == [SEGMENT, "my game.txt"]
