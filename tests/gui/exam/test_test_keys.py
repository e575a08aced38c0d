"""The keyboard stays with the board on the Test page, whatever is clicked."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from gui.exam.page import ExamPage
from tests.gui.every_control import click_every_control, press
from tests.gui.exam.driver import NEAR_START, play_some, session, type_hex
from tests.gui.page_driver import CTRL, press_with

Key = Qt.Key
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def moves_by_a_key(page: ExamPage) -> bool:
    """Press the arrow of a move that is possible; tell whether it was made."""
    test = session(page)
    before = test.n_moves
    arrows = (Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down)
    press(arrows[next(d for d in range(4) if test.is_legal(d))])
    return session(page).n_moves == before + 1


def check_board(page: ExamPage, name: str) -> None:
    for key in (Key.Key_Escape, Key.Key_Space, Key.Key_Return):
        press(key)
        focused = QApplication.focusWidget()
        assert page.board_view.hasFocus(), f"{name} has given the keyboard to {focused}"
    if page.player.is_playing:
        assert moves_by_a_key(page), name


@pytest.mark.thorough
def test_the_board_answers_whatever_was_clicked(page):
    play_some(page, 2)

    def check(name: str) -> None:
        if page.frame.shows_board:
            check_board(page, name)

    def restore() -> None:
        page.show_list(False)
        if not page.player.is_playing:
            page.starts.restart()

    names = click_every_control(page, check, restore)
    assert len(names) > 15


@pytest.mark.thorough
def test_the_board_has_the_keys_after_the_end(page):
    def finish() -> None:
        page.show_list(False)
        type_hex(page, NEAR_START)
        press(Key.Key_Right)
        assert session(page).end is not None

    def check(name: str) -> None:
        if page.frame.shows_board:
            check_board(page, name)

    finish()
    names = click_every_control(page, check, finish)
    assert any("Again" in name for name in names)


def test_the_rows_of_the_history_answer_whatever_was_clicked(page):
    for n_moves in (3, 4, 5, 6):
        play_some(page, n_moves)
        page.starts.restart()
    press_with(page, CTRL, Key.Key_H)

    def check(name: str) -> None:
        if page.frame.shows_board:
            return
        focused = QApplication.focusWidget()
        if "Search" in name:
            assert focused is page.history.filter.search_edit
            page.history.list.view.setFocus()
            return
        assert page.history.list.view.hasFocus(), f"{name} has given the keyboard to {focused}"

    def restore() -> None:
        page.show_list(True)

    assert len(click_every_control(page.history, check, restore)) > 6
    press(Key.Key_Escape)
    assert page.frame.shows_board
    assert moves_by_a_key(page)


def test_opening_the_rules_brings_them_into_sight(page, qtbot):
    """One line of them was at the lower edge."""
    page.resize(900, 420)
    disclosure = page.panel.rules.disclosure
    disclosure.button.click()

    def is_seen() -> bool:
        return disclosure.content.visibleRegion().boundingRect().height() > 100

    qtbot.waitUntil(is_seen, timeout=5000)
    assert not disclosure.button.visibleRegion().isEmpty()
