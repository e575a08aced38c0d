"""Sums of tiles in the window: chosen on the Tables page, played, seen to be reached."""

from dataclasses import replace
from pathlib import Path

import pytest

from ai.dispatch.open_tables import OpenTables
from coach.analysis.coverage import Coverage
from coach.exam.session_file import read_session
from coach.grading.formation_cells import has_reached, locked_cells, small_sum
from coach.play.rules import End
from engine.platform.errors import AppError
from engine.spawn import Rng
from gui.exam.text import end_title
from gui.practice.game import PracticeGame
from gui.practice.panel import FirstHints
from gui.practice.text import missing_rates_message
from gui.table_work.queue_file import request_from_json, request_to_json
from gui.table_work.requests import BuildRequest, rebuild_request
from gui.text.numbers import format_table, table_title
from tablebase.build.builder import BuildPlan, build
from tablebase.formation.goal import SumGoal
from tablebase.formation.patterns_file import load_formations
from tablebase.probe.reader import Tablebase
from tests.coach.made_sessions import write_session
from tests.gui.exam.driver import make_page
from tests.gui.practice_fakes import WALLED, FakeClock, FakeFormation, FakeTasks, board_of
from tests.gui.tables_stage import Stage
from tests.gui.window_fakes import table_info

ARROW = "\N{RIGHTWARDS ARROW}"


def test_a_sum_is_named_as_people_read_it():
    assert format_table("3x3", SumGoal(1800)) == f"3x3 {ARROW} sum 1,800"
    assert table_title("3x3_sum1800") == f"3x3 {ARROW} sum 1,800"
    assert table_title("my_sum") == "my_sum"


def test_the_small_tiles_make_the_sum():
    board = board_of("2 8 . .", "4 . . .", "16 1024 512 256", "8 4096 2048 8192")
    shape = FakeFormation()
    assert small_sum(board, SumGoal(200), shape) == 38
    assert has_reached(board, SumGoal(38), shape)
    assert not has_reached(board, SumGoal(40), shape)
    assert len(locked_cells(board, SumGoal(256), shape)) == 6
    assert not locked_cells(board, SumGoal(258), shape), "a small tile may become a 256"
    assert small_sum(board, SumGoal(258), shape) is None
    walled = board_of("64 2 . 32768", ". . . 32768", "4 . . 32768", "32768 32768 32768 32768")
    assert small_sum(walled, SumGoal(100), WALLED) == 70
    assert has_reached(walled, SumGoal(70), WALLED)
    assert not has_reached(walled, SumGoal(72), WALLED)


def choose_sum(stage: Stage, pattern: str, total: int) -> None:
    panel = stage.panel
    panel.choose(pattern, 128)
    stage.click(panel.target_field.kind_chips.buttons["sum"])
    panel.target_field.sum_spin.setValue(total)


@pytest.mark.thorough
def test_a_sum_is_chosen_built_and_remembered(stage, settings):
    stage.click(stage.page.form_button)
    field = stage.panel.target_field
    assert field.tile_chips.isVisible()
    choose_sum(stage, "3x3", 1800)
    assert field.sum_spin.isVisible()
    assert not field.tile_chips.isVisible()
    assert (field.sum_spin.minimum(), field.sum_spin.maximum()) == (4, 2044)
    assert stage.panel.request == BuildRequest("3x3", SumGoal(1800), stage.home)
    assert stage.panel.name_label.text().startswith(f"3x3 {ARROW} sum 1,800")
    stage.click(stage.panel.build_button)
    assert stage.requests == [BuildRequest("3x3", SumGoal(1800), stage.home)]
    assert stage.requests[0].table == stage.home / "3x3_sum1800"
    assert "sum1800" in stage.requests[0].command()
    assert (settings.get("build.goal"), settings.get("build.sum")) == ("sum", 1800)
    stage.panel.choose("3x3", 512)
    assert stage.panel.request == BuildRequest("3x3", 512, stage.home)
    assert settings.get("build.goal") == "tile"


def test_an_odd_sum_becomes_even_and_one_too_large_the_largest(stage):
    choose_sum(stage, "2x4", 101)
    assert stage.panel.request.target == SumGoal(102)
    choose_sum(stage, "2x4", 5000)
    assert stage.panel.request.target == SumGoal(1020)
    choose_sum(stage, "2x4", 1)
    assert stage.panel.request.target == SumGoal(4)


def test_a_table_of_a_sum_is_listed_and_can_be_built_again(stage):
    path = stage.home / "3x3_sum600"
    info = replace(
        table_info(stage.home / "3x3_512"), path=path, name=path.name, target=SumGoal(600)
    )
    stage.put(info)
    assert stage.page.cards[path].title_label.text() == f"3x3 {ARROW} sum 600"
    assert rebuild_request(info).target == SumGoal(600)


def test_requests_of_sums_survive_as_json(tmp_path):
    request = BuildRequest("3x3", SumGoal(600), tmp_path)
    data = request_to_json(request)
    assert data["target"] == "sum600"
    assert request_from_json(data) == request
    assert "sum600" in request.command()
    for wrong in ("sum601", "sum-4", "600", "sum0600", "sum99999999", True, 600, None):
        with pytest.raises(ValueError, match="target"):
            request_from_json({**data, "target": wrong})


def test_the_hints_of_practice_say_the_sum(qtbot):
    hints = FirstHints()
    qtbot.addWidget(hints)
    hints.explain(SumGoal(1800).words(), 7, walls=True)
    assert hints.label.text() == "Striped cells are walls. Figures are your chances of sum 1,800."


@pytest.fixture(scope="module")
def small_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sum") / "2x4_sum30"
    build(BuildPlan(load_formations()["2x4"], SumGoal(30), folder, threads=1))
    return folder


class Shown:
    """A listener that shows nothing."""

    def show_step(self, how) -> None: ...

    def show_answer(self) -> None: ...

    def show_failure(self, error) -> None:
        raise error


def test_practice_sees_that_the_sum_is_there(small_table):
    game = PracticeGame(Tablebase.open, FakeTasks(), Shown(), Rng(1))
    game.open(small_table)
    assert not game.is_reached
    for _ in range(40):
        if game.is_reached:
            break
        best = game.answer.best
        assert best is not None
        game.play(best)
    assert game.is_reached
    message = missing_rates_message(game)
    assert message is not None
    assert message.title == "sum 30 reached"
    game.close()


def test_a_test_ends_at_the_sum_and_its_file_says_so(small_table, qtbot, settings, tmp_path):
    page = make_page(
        *(qtbot, Tablebase.open, FakeTasks(), FakeTasks(), settings, tmp_path, FakeClock())
    )
    page.starts.open(small_table, "2x4_sum30")
    session = page.player.run
    assert session is not None
    assert page.panel.goal_label.text().startswith("Goal: sum 30, now ")
    for _ in range(40):
        answer = page.player.answer
        if session.end or answer is None:
            break
        page.player.press(answer.best)
    assert session.end is End.REACHED
    assert page.player.made(session.board) >= 30
    assert end_title(session) == "sum 30 reached"
    path = tmp_path / "test.json"
    write_session(path, session)
    assert b'"target": "sum30"' in path.read_bytes()
    again = read_session(path)
    assert (again.setup, again.end) == (session.setup, End.REACHED)
    path.write_bytes(path.read_bytes().replace(b"sum30", b"sum31"))
    with pytest.raises(AppError, match="target"):
        read_session(path)
    page.close_page()
    page.player.close()


def test_the_ai_leaves_sums_out(small_table):
    with Tablebase.open(small_table) as table:
        assert Coverage(table, walls=True).is_possible, "an analysis asks them"
    tables = OpenTables([small_table.parent])
    assert not tables.tables()
    assert not tables.warnings
