"""The list of routes while one of them is on the board: nothing is lost, nothing comes back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from coach.routes.code import Route
from coach.routes.results import RouteResults, StoredRun
from coach.routes.setup import route_on
from engine.platform.errors import AppError
from gui.routes.page import RoutesPage
from tests.gui.page_driver import banner_texts, click, press
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

    def fail(*_: object) -> None:
        raise AppError("the drive is full")

    with monkeypatch.context() as patch:
        patch.setattr(RouteResults, "restore", fail)
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
