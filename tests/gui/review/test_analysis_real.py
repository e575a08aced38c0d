"""The Analysis page with the real command, a real table and a real recording."""

from datetime import datetime, timezone
from pathlib import Path

import pytest

from coach.analysis.analyze import analyze
from coach.mistakes.mistakes import Mistakes
from coach.old_files.opening import open_user_database
from coach.recordings.recording import open_recording
from engine.formats.rpl import write_rpl
from gui.review.games import AnalysisPage
from gui.work.analysis_runs import AnalysisRuns
from gui.work.analysis_store import AnalysisStore
from gui.work.mistake_service import MistakeService
from gui.work.tasks import TaskRunner
from tablebase.build.builder import BuildPlan, build
from tablebase.formation.patterns_file import load_formations
from tablebase.library.catalog import scan
from tablebase.probe.reader import Tablebase
from tablebase.store.options import TableOptions
from tests.coach.made_sessions import played, write_session
from tests.coach.played_games import played_game

NOON = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    table = folder / "tables" / "44_64"
    build(BuildPlan(load_formations()["44"], 64, table, TableOptions(), threads=1))
    return folder


@pytest.mark.thorough
def test_a_game_goes_from_a_file_to_review(qtbot, settings, data, tmp_path):
    with Tablebase.open(data / "tables" / "44_64") as table:
        replay = played_game(table, 3)
        wanted = analyze(replay, [table], least_moves=5).segments
    game = tmp_path / "my game.rpl"
    game.write_bytes(write_rpl(replay))
    runner = TaskRunner()
    store = AnalysisStore(open_user_database(data), data / "analyses", runner, lambda: NOON)
    runs = AnalysisRuns(lambda request: [*request.command(), "--data-dir", str(data)])
    store.follow(runs)
    page = AnalysisPage(store, runs, runner, settings, lambda: [data / "tables"], lambda: NOON)
    qtbot.addWidget(page)
    page.set_tables(scan([data / "tables"]))
    page.analyze([game])
    qtbot.waitUntil(lambda: any(item.analysis for item in page.tree.games))
    (item,) = page.tree.games
    segments = item.analysis.segments
    assert [(one.table, one.first_move) for one in segments] == [
        (one.segment.table, one.segment.first + 1) for one in wanted
    ]
    assert [one.match_rate for one in segments] == [one.score.match_rate for one in wanted]
    assert item.analysis.reports["html"].read_text("utf-8").startswith("<!DOCTYPE html>")
    item.setExpanded(True)
    page.tree.setCurrentItem(item.child(0))
    with qtbot.waitSignal(page.review_requested) as asked:
        page.review_action.trigger()
    recording = open_recording(asked.args[0])
    with qtbot.waitSignal(page.compare_requested) as asked:
        page.compare_action.trigger()
    request, worst = asked.args[0], recording.worst(1)[0]
    assert request.table == data / "tables" / "44_64"
    assert (request.cells, request.played) == (
        recording.positions[worst],
        recording.replay.moves[worst].direction,
    )
    assert recording.table == "44_64"
    assert recording.scores[-1].match_rate == pytest.approx(wanted[0].score.match_rate, abs=1e-6)
    runs.close()
    runner.close()
    store.close()


def analysis_page(
    qtbot, settings, data: Path, runner: TaskRunner, mistake_store: MistakeService
) -> tuple[AnalysisPage, AnalysisRuns, AnalysisStore]:
    store = AnalysisStore(open_user_database(data), data / "analyses", runner, lambda: NOON)
    runs = AnalysisRuns(lambda request: [*request.command(), "--data-dir", str(data)])
    store.follow(runs)
    page = AnalysisPage(store, runs, runner, settings, lambda: [data / "tables"], lambda: NOON)
    page.games_filed.connect(mistake_store.changed)
    qtbot.addWidget(page)
    page.set_tables(scan([data / "tables"]))
    return page, runs, store


def all_filed(qtbot, mistake_store: MistakeService) -> list:
    filed: list = []

    def work(mistakes: Mistakes) -> list:
        known = mistakes.get(mistakes.ids())
        return [(one, attempt) for i, one in known.items() for attempt in mistakes.attempts(i)]

    mistake_store.ask(work, filed.append)
    qtbot.waitUntil(lambda: bool(filed))
    return filed[0]


@pytest.mark.thorough
def test_mistakes_of_analyzed_games_are_filed_once_when_that_is_wanted(
    qtbot, settings, data, tmp_path
):
    with Tablebase.open(data / "tables" / "44_64") as table:
        replay = played_game(table, 3)
        parts = analyze(replay, [table], least_moves=5).segments
    moves = [move for one in parts for move in one.moves]
    wrong = [move for move in moves if move.judgement and move.judgement.ratio < 0.99]
    assert wrong
    game = tmp_path / "my game.rpl"
    game.write_bytes(write_rpl(replay))
    runner = TaskRunner()
    mistake_store = MistakeService(open_user_database(data), runner)
    page, runs, store = analysis_page(qtbot, settings, data, runner, mistake_store)
    texts = lambda: [one.text_label.text() for one in page.banners.banners]  # noqa: E731
    assert not page.file_action.isChecked(), "off unless it is asked for"
    page.analyze([game])
    qtbot.waitUntil(lambda: any(item.analysis for item in page.tree.games))
    assert all_filed(qtbot, mistake_store) == []
    page.file_action.trigger()
    assert settings.get("analysis.files_mistakes") is True
    for _ in range(2):
        page.banners.remove("filed")
        page.analyze([game])
        qtbot.waitUntil(lambda: any("to your drills" in one for one in texts()))
        filed = all_filed(qtbot, mistake_store)
        assert sorted(made.move for _, made in filed) == sorted(one.number for one in wrong)
        assert {made.source for _, made in filed} == {"analysis of my game.rpl"}
        assert {one.key.name for one, _ in filed} == {"44_64"}
        assert all(f"{one.board:016x}".count("f") == 8 for one, _ in filed)
    runs.close()
    runner.close()
    store.close()
    mistake_store.close()


@pytest.mark.thorough
def test_of_a_test_the_page_says_that_review_shows_it(qtbot, settings, data, tmp_path):
    runner = TaskRunner()
    mistake_store = MistakeService(open_user_database(data), runner)
    page, runs, store = analysis_page(qtbot, settings, data, runner, mistake_store)
    write_session(tmp_path / "test.json", played(10))
    page.analyze([tmp_path / "test.json"])
    qtbot.waitUntil(lambda: any(item.problem for item in page.tree.games))
    assert "Review shows it" in page.tree.games[0].problem
    runs.close()
    runner.close()
    store.close()
    mistake_store.close()
