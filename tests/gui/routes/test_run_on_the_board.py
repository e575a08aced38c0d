"""A route on the board: its keys, the list meanwhile, and how a run compares in words."""

from collections.abc import Callable
from dataclasses import replace
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from coach.grading.grade import Grade
from coach.routes.code import Route
from coach.routes.result import RECEIVED, RouteResult
from coach.routes.results import RouteResults, StoredRun
from coach.routes.setup import route_on
from engine.platform.errors import AppError
from gui.routes.page import RoutesPage
from gui.routes.text import standing_text
from tests.gui.page_driver import SHIFT, banner_texts, click, press
from tests.gui.practice_fakes import NOON, FakeTasks
from tests.gui.routes.route_driver import RouteTable, arrow, run_of

Key = Qt.Key
SAVED, MORE = 10, 4  # moves: those that are in the database, and those that are not yet


def play_some(page: RoutesPage) -> None:
    for _ in range(SAVED + MORE):
        press(page, arrow(page, is_best=True))
    assert run_of(page).n_moves == SAVED + MORE
    assert page.player.is_playing


def rows(page: RoutesPage) -> list[StoredRun]:
    return page.start_view.list.model.rows


def choose(page: RoutesPage, key: Qt.Key) -> None:
    page.start_view.list.view.setFocus()
    QTest.keyClick(page.start_view.list.view, key)


def long_route(table: RouteTable) -> Route:
    return route_on(table, 5, 50, is_corrected=False)


def whole_game() -> Route:
    return Route("", "", 7, 100, is_corrected=False)


@pytest.mark.parametrize("is_game", [False, True])
def test_the_run_in_play_goes_on_from_the_list_with_its_last_moves(page, table, is_game):
    page.play(whole_game() if is_game else long_route(table))
    play_some(page)
    page.show_list(True)
    choose(page, Key.Key_Return)
    assert run_of(page).n_moves == SAVED + MORE
    assert page.board_view.isVisible()


def test_the_whole_game_of_today_goes_on_with_its_last_moves(page):
    page.set_tables([])
    page.play_today()
    play_some(page)
    page.play_today()
    assert run_of(page).n_moves == SAVED + MORE


def test_a_removed_run_does_not_come_back(page, table):
    page.play(long_route(table))
    play_some(page)
    page.show_list(True)
    choose(page, Key.Key_Delete)
    assert not rows(page)
    page.save()
    page.play(whole_game())
    page.show_list(True)
    assert not rows(page)
    page.close_page()


@pytest.mark.thorough
def test_an_undo_that_fails_can_be_tried_again(page, table, monkeypatch):
    page.play(long_route(table))
    play_some(page)
    page.show_list(True)
    choose(page, Key.Key_Delete)
    with monkeypatch.context() as patch:
        patch.setattr(RouteResults, "restore", Mock(side_effect=AppError("the drive is full")))
        page.deletion.undo()
    assert not rows(page)
    texts = banner_texts(page)
    assert sorted(texts) == ["Removed.", "The drive is full."]
    page.deletion.undo()
    assert len(rows(page)) == 1


@pytest.mark.thorough
def test_a_removed_run_is_brought_back_with_its_last_moves(page, table):
    page.play(long_route(table))
    play_some(page)
    page.show_list(True)
    choose(page, Key.Key_Delete)
    (banner,) = page.banners.banners
    click(banner.buttons[0])
    (kept,) = rows(page)
    assert kept.result.n_moves == SAVED + MORE


LEFT, UP = 0, 2


@pytest.fixture
def lookups(tasks) -> FakeTasks:
    return tasks[0]


def route(table: RouteTable, seed: int = 5, is_corrected: bool = True) -> Route:
    return route_on(table, seed, 12, is_corrected)


def best_keys(new_page: Callable[[], RoutesPage], table: RouteTable, n: int) -> list[Qt.Key]:
    page, keys = new_page(), []
    page.play(route(table))
    for _ in range(n):
        keys.append(arrow(page, is_best=True))
        press(page, keys[-1])
    assert run_of(page).n_moves == n
    page.player.drop()
    return keys


def test_todays_route_begins_whichever_control_has_the_keyboard_but_a_text_field(page):
    view = page.start_view
    view.others.set_open(True)
    for control in (view.table_combo, view.daily_button, view.length_combo, view.corrected_box):
        page.show_list(True)
        control.setFocus()
        QTest.keyClick(control, Key.Key_D, SHIFT)
        assert page.shows_board, control
    page.show_list(True)
    view.code_edit.setFocus()
    QTest.keyClick(view.code_edit, Key.Key_D, SHIFT)
    assert not page.shows_board
    assert view.code_edit.text(), "it was typed"


@pytest.mark.thorough
def test_keys_wait_in_line_for_a_slow_table(new_page, table, lookups):
    keys = best_keys(new_page, table, 4)
    page = new_page()
    page.play(route(table))
    lookups.at_once = False
    for key in keys:  # of the first alone the answer is there
        press(page, key)
    assert run_of(page).n_moves == 1
    lookups.work_off()
    assert run_of(page).n_moves == 4
    assert all(move.judged and move.judged.is_perfect for move in run_of(page).moves)


@pytest.mark.thorough
def test_a_slow_table_is_said_to_be_read(qtbot, new_page, table, lookups):
    keys = best_keys(new_page, table, 2)
    page = new_page()
    page.play(route(table))
    lookups.at_once = False
    for key in keys:
        press(page, key)
    qtbot.waitUntil(lambda: "Reading" in page.panel.line.text())
    lookups.work_off()
    assert page.panel.line.text() == ""


@pytest.mark.parametrize("pause_ms", [0, 1000])
def test_a_correction_drops_the_keys_that_were_meant_for_another_board(
    new_page, table, lookups, settings, pause_ms
):
    settings.set("routes.correction_ms", pause_ms)
    page = new_page()
    page.play(route(table))
    lookups.at_once = False
    press(page, arrow(page, is_best=True))
    for _ in range(2):
        press(page, arrow(page, is_best=False))
    lookups.work_off()
    run = run_of(page)
    assert run.moves[1].is_corrected
    assert page.display.correction.isVisible() is bool(pause_ms)
    assert run.n_moves == (2 if pause_ms else 3)


def test_a_move_about_as_good_stands(new_page, table):
    page = new_page()
    seed = next(seed for seed in range(99) if _both_go(page, table, seed))
    page.play(route(table, seed))
    press(page, Key.Key_Up)
    run = run_of(page)
    move = run.last
    assert move
    assert move.judged
    assert (move.direction, move.made, move.judged.grade) == (UP, UP, Grade.EXCELLENT)
    assert (move.is_corrected, run.totals.n_mistakes, run.worst(5)) == (False, 0, [])
    assert page.display.correction.isHidden()
    assert "Corrected" not in page.panel.cross.sentence.text()


def _both_go(page: RoutesPage, table: RouteTable, seed: int) -> bool:
    page.play(route(table, seed))
    return run_of(page).is_legal(LEFT) and run_of(page).is_legal(UP)


RESULT = RouteResult(Route("442", "512", 1, 100), "", 35, 3, 0.0, 0.5, 0, 1000, 7, "moves")


THIS = StoredRun(1, NOON, RESULT, has_moves=True)


def of(who: str, lost: float, outcome: str = "moves", n_mistakes: int = 3) -> StoredRun:
    result = replace(
        RESULT, who=who, n_moves=87, points_lost=lost, outcome=outcome, n_mistakes=n_mistakes
    )
    return StoredRun(2, NOON, result, has_moves=not who)


@pytest.mark.parametrize(
    ("others", "text"),
    [
        ([], ""),
        ([of("search", 2.16)], "You beat the AI (216 points lost in 87 moves)."),
        ([of("search", 0.5)], "As good as the AI."),
        ([of("search", 0.12, n_mistakes=21)], "The AI did better: 12 points lost in 87 moves."),
        ([of("", 0.6), of("", 0.9)], "Your best so far."),
        ([of("", 0.2)], "Your best: 20 points lost in 87 moves."),
        ([of("", 0.2, outcome="")], ""),
        ([of(RECEIVED, 0.2), of("table", 0)], ""),
    ],
)
def test_a_run_is_compared_with_the_ai_and_with_earlier_ones(others, text):
    assert standing_text([THIS, *others], 1) == text


def test_one_under_way_is_not_compared():
    assert standing_text([replace(THIS, result=replace(RESULT, outcome="")), of("", 2)], 1) == ""
