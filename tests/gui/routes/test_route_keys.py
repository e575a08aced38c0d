"""Keys along a route: those pressed ahead, and those of moves about as good as the best."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from coach.grading.grade import Grade
from coach.routes.code import Route
from coach.routes.setup import route_on
from gui.routes.page import RoutesPage
from tests.gui.page_driver import SHIFT, press
from tests.gui.practice_fakes import FakeTasks
from tests.gui.routes.route_driver import RouteTable, arrow, run_of

Key = Qt.Key
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
