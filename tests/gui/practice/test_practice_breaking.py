"""Moves that are legal but break the formation, the goal, and the first-run hints."""

import pytest
from PySide6.QtCore import Qt

from coach.grading.formation_cells import locked_cells
from engine.bitboard import cells
from gui.practice.page import PracticePage
from tests.gui.page_driver import click, press
from tests.gui.practice.driver import board, type_hex
from tests.gui.practice_fakes import (
    L3_START,
    TABLE_PATH,
    TABLES,
    FakeFormation,
    FakeOpener,
    FakeTable,
    FakeTasks,
    board_of,
    play_services,
)
from tests.gui.test_board_view import color_at

LEFT, RIGHT, UP, DOWN = range(4)
LOOSE = 0x1200_0000_0FFF_2FFF  # a move to the left pushes three large tiles off their places


class KnowsOne:
    """A lookup that knows one position alone."""

    def __init__(self, table: FakeTable) -> None:
        self._table, self._probe = table, table.probe

    def __call__(self, asked: int, comes_up: bool = False) -> object:
        if asked != LOOSE:
            self._table.outside.add(asked)
        return self._probe(asked, comes_up)


@pytest.fixture
def table() -> FakeTable:
    """From the start only Right keeps the formation; Left is illegal."""
    return FakeTable(rates={L3_START: (None, 0.98, None, None)})


def test_the_cross_says_that_a_move_breaks_the_formation(page):
    cross = page.panel.cross
    texts = [cell.text() for cell in cross.cells]
    assert texts == ["", "98.00 %", "breaks the formation", "breaks the formation"]
    assert [cell.is_legal for cell in cross.cells] == [False, True, True, True]
    assert cross.cells[UP].accessibleDescription() == "breaks the formation"
    assert page.panel.verdict.text() == "Only one move keeps the formation."


def test_a_move_is_not_called_the_only_one_where_others_are_legal(page):
    press(page, Qt.Key.Key_Right)
    assert page.panel.verdict.text() == "Right was the only move that kept the formation."


def test_the_four_places_never_jump(page):
    before = [cell.geometry() for cell in page.panel.cross.cells]
    press(page, Qt.Key.Key_Right)
    page.panel.cross.show_rates((None, None, None, 0.1234567))
    assert [cell.geometry() for cell in page.panel.cross.cells] == before


def test_a_breaking_move_leaves_no_locks_behind(page, table):
    outside = KnowsOne(table)
    table.probe = outside  # type: ignore[method-assign]
    type_hex(page, f"{LOOSE:016x}")
    page.board_view.setFocus()
    assert len(page.board_view.locked) == 6
    quiet = color_at(page.board_view, page.board_view.cells.index(15))
    page.board_view.set_slide_ms(0)
    press(page, Qt.Key.Key_Left)
    assert board(page) != LOOSE
    assert page.board_view.locked == set()
    assert color_at(page.board_view, page.board_view.cells.index(15)) == quiet
    assert page.panel.notice.text_label.text() == (
        "The large tiles are no longer in the L3 shape. Keep playing, or undo."
    )
    press(page, Qt.Key.Key_Backspace)
    assert len(page.board_view.locked) == 6


def enabled(page: PracticePage) -> list[str]:
    names = ("step", "demo", "hint")
    return [name for name in names if page.actions_by_name[name].isEnabled()]


def test_off_the_table_there_is_no_best_move_to_ask_for(page, table):
    assert enabled(page) == ["step", "demo", "hint"]
    table.probe = KnowsOne(table)  # type: ignore[method-assign]
    press(page, Qt.Key.Key_Up)
    assert page.panel.notice.title_label.text() == "Not in this table"
    assert enabled(page) == []
    first = page.panel.notice.buttons[0]
    assert (first.text(), first.property("primary")) == ("Undo", True)
    click(first)
    assert board(page) == L3_START
    assert enabled(page) == ["step", "demo", "hint"]


def test_large_tiles_off_their_places_are_not_locked():
    moved = board_of("1024 512 256 2", "4096 2048 8192 .", "4 . . .", ". 8 . .")
    assert len(locked_cells(moved, 256, FakeFormation())) == 6, "turned, it is the formation still"
    broken = board_of("1024 512 256 2", "4096 2048 . 8192", "4 . . .", ". 8 . .")
    assert locked_cells(broken, 256, FakeFormation()) == set()


def test_it_asks_first_where_that_is_wanted(page, settings):
    click(page.panel.asks_box)
    assert settings.get("practice.asks_before_breaking") is True
    press(page, Qt.Key.Key_Up)
    assert board(page) == L3_START
    assert page.panel.verdict.text() == (
        "Up breaks the formation, so the L3 \N{RIGHTWARDS ARROW} 256 table can't rate what "
        "follows. To play it anyway, press Up again."
    )
    press(page, Qt.Key.Key_Down)
    assert board(page) == L3_START, "another move is another question"
    press(page, Qt.Key.Key_Down)
    assert board(page) != L3_START
    press(page, Qt.Key.Key_Backspace, Qt.Key.Key_Down)
    assert board(page) == L3_START, "it is asked anew at each position"
    press(page, Qt.Key.Key_Right)
    assert board(page) != L3_START, "no question where nothing breaks"


def test_it_does_not_ask_unless_told(page):
    press(page, Qt.Key.Key_Up)
    assert board(page) != L3_START


def test_the_goal_is_in_the_header(page):
    assert page.frame.goal_label.isVisible()
    assert page.frame.goal_label.text() == "Goal: 256"
    page.close_table(TABLE_PATH)
    assert not page.frame.goal_label.isVisible()


def test_the_first_hints_are_closed_for_good(page, qtbot, settings):
    hints = page.panel.hints
    assert hints.isVisible()
    assert hints.label.text() == (
        "Locked tiles are your large ones. Figures are your chances of 256."
    )
    assert page.panel.tab_chips.visibleRegion().boundingRect().height() > 0, "the tabs are in sight"
    click(hints.close_button)
    assert not hints.isVisible()
    assert page.board_view.hasFocus()
    again = PracticePage(play_services(FakeOpener(FakeTable()), FakeTasks(), settings))
    qtbot.addWidget(again)
    again.show()
    again.set_tables(TABLES)
    assert again.board_view.cells == cells(L3_START)
    assert not again.panel.hints.isVisible()
