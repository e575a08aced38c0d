"""The Analysis page with the real command, a real table and a real recording."""

import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest

from engine.formats.rpl import write_rpl
from gui.analysis.kept import KeptAnalyses
from gui.analysis.runs import AnalysisRuns
from gui.pages.analysis.page import AnalysisPage
from gui.tasks import TaskRunner
from tablebase.builder import BuildPlan, build
from tablebase.catalog import scan
from tablebase.coach.analyze import analyze
from tablebase.coach.recording import open_recording
from tablebase.formation import load_formations
from tablebase.options import TableOptions
from tablebase.reader import Tablebase
from tests.gui.practice_theme import plain_theme

sys.path.append(str(Path(__file__).parents[2] / "tablebase" / "coach"))
from played_games import played_game

NOON = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with the table 44_64."""
    folder = tmp_path / "data"
    table = folder / "tables" / "44_64"
    build(BuildPlan(load_formations()["44"], 64, table, TableOptions(), threads=1))
    return folder


def test_a_game_goes_from_a_file_to_review(qtbot, settings, data: Path, tmp_path: Path) -> None:
    with Tablebase.open(data / "tables" / "44_64") as table:
        replay = played_game(table, 3)
        wanted = analyze(replay, [table], least_moves=5).segments
    game = tmp_path / "my game.rpl"
    game.write_bytes(write_rpl(replay))
    runner = TaskRunner()
    kept = KeptAnalyses(data / "analyses.db", data / "analyses", runner, lambda: NOON)
    runs = AnalysisRuns(lambda request: [*request.command(), "--data-dir", str(data)])
    page = AnalysisPage(
        kept, runs, runner, settings, plain_theme(), lambda: [data / "tables"], lambda: NOON
    )
    qtbot.addWidget(page)
    page.set_tables(scan([data / "tables"]))
    page.analyze([game])
    qtbot.waitUntil(lambda: any(item.analysis for item in page.tree.games), timeout=30_000)
    (item,) = page.tree.games
    found = item.analysis.segments
    assert [(one.table, one.first_move) for one in found] == [
        (one.segment.table, one.segment.first + 1) for one in wanted
    ]
    assert [one.match_rate for one in found] == [one.score.match_rate for one in wanted]
    assert item.analysis.reports["html"].read_text("utf-8").startswith("<!DOCTYPE html>")
    item.setExpanded(True)
    page.tree.setCurrentItem(item.child(0))
    with qtbot.waitSignal(page.review_asked) as asked:
        page.review_action.trigger()
    recording = open_recording(asked.args[0])
    assert recording.table == "44_64"
    assert recording.scores[-1].match_rate == pytest.approx(wanted[0].score.match_rate, abs=1e-6)
    runs.close()
    runner.close()
    kept.close()
