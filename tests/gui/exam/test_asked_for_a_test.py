"""Another page asks for a test on a table: it starts, and nothing in progress is lost."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from tests.gui.exam.driver import NEAR_START, kept, moves_of, play_some, session, type_hex
from tests.gui.page_driver import press
from tests.gui.practice_fakes import TABLE_PATH, TABLES

OTHER = Path("tables/442_128")
BOTH = [TABLES[0], SimpleNamespace(**{**vars(TABLES[1]), "state": "complete"})]


def test_a_test_under_way_on_that_table_goes_on(page):
    play_some(page, 3)
    before = session(page)
    page.show_list(True)
    page.begin_on(TABLE_PATH)
    assert session(page) is before
    assert page.frame.shows_board


def test_a_table_of_lower_bounds_says_so(page):
    page.set_tables(BOTH)
    assert not page.panel.table_note.isVisible()
    page.begin_on(OTHER)
    assert page.panel.table_note.isVisible()
    assert "lower bounds" in page.panel.table_note.text()
    page.begin_on(TABLE_PATH)
    assert not page.panel.table_note.isVisible()


def test_no_test_is_taken_on_lower_bounds(page, table, lookups):
    table.is_limited, lookups.at_once = True, False
    page.set_tables(BOTH)
    page.begin_on(OTHER)
    lookups.work_off()
    assert page.player.run is None
    assert page.player.table is None
    assert table.is_closed
    notice = page.panel.notice
    assert notice.title_label.text() == "This table can't grade your moves"
    assert "don't show what a move loses" in notice.text_label.text()


def test_one_that_is_over_is_followed_by_a_new_one(page):
    type_hex(page, NEAR_START)
    press(page, Qt.Key.Key_Right)
    assert session(page).end is not None
    page.begin_on(TABLE_PATH)
    assert session(page).end is None
    assert session(page).n_moves == 0


def test_a_test_on_another_table_is_kept(page, tmp_path):
    page.set_tables(BOTH)
    play_some(page, 3)
    n_moves = session(page).n_moves
    page.begin_on(OTHER)
    assert session(page).setup.table == "442_128"
    (test,) = kept(tmp_path)
    assert moves_of(tmp_path, test).n_moves == n_moves


@pytest.mark.thorough
def test_the_test_of_last_time_goes_on_if_it_is_on_that_table(page, new_page, files):
    play_some(page, 4)
    n_moves = session(page).n_moves
    page.close_page()
    page.hide()
    files.at_once = False
    again = new_page()
    again.begin_on(TABLE_PATH)
    files.work_off()
    assert session(again).n_moves == n_moves


def test_the_test_of_last_time_is_kept_if_it_is_on_another_table(page, new_page, files, tmp_path):
    play_some(page, 4)
    n_moves = session(page).n_moves
    page.close_page()
    page.hide()
    files.at_once = False
    again = new_page()
    again.set_tables(BOTH)
    again.begin_on(OTHER)
    files.work_off()
    assert (session(again).setup.table, session(again).n_moves) == ("442_128", 0)
    (test,) = kept(tmp_path)
    assert moves_of(tmp_path, test).n_moves == n_moves


def test_a_table_that_is_removed_is_not_opened_again(new_page, files):
    files.at_once = False
    page = new_page()
    page.set_tables(BOTH)
    page.begin_on(OTHER)
    files.work_off()
    assert session(page).setup.table == "442_128"
    page.close_table(OTHER)
    page.set_tables(BOTH[:1])
    assert session(page).setup.table == "L3_256"


def test_before_the_first_position_there_is_nothing_to_copy(new_page, lookups):
    """The button of the field was a bug report as long as the table was being opened."""
    lookups.at_once = False
    page = new_page()
    page.open_table(TABLE_PATH)
    assert page.player.run is None
    QGuiApplication.clipboard().setText("kept")
    page.panel.hex_field.copy_button.click()
    assert QGuiApplication.clipboard().text() == "kept"
