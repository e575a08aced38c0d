"""The map of what the next tile can do, as a person asks for it."""

import pytest
from PySide6.QtCore import Qt

from coach.grading.names import move_title
from coach.play.board_edits import put
from engine.bitboard import cells
from engine.trace import slide_cells
from gui.text.rates import bar_fraction, relative_loss
from tests.gui.page_driver import click, press, press_with
from tests.gui.practice.driver import board
from tests.gui.practice_fakes import L3_START, FakeTable, board_of
from tests.gui.waiting import rest

LEFT, RIGHT, UP, DOWN = range(4)
ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier


def after(direction: int) -> list[int]:
    return list(slide_cells(cells(L3_START), direction).cells)


def rate_tiles(table: FakeTable, direction: int, rates: dict[tuple[int, int], float]) -> None:
    """Let every tile after a move leave 0.9, but for some."""
    found = after(direction)
    start = sum(e << (60 - 4 * i) for i, e in enumerate(found))
    for cell in (cell for cell, e in enumerate(found) if e == 0):
        for exponent in (1, 2):
            rate = rates.get((cell, exponent), 0.9)
            table.rates[put(start, cell, exponent)] = (rate, rate / 2, None, None)


@pytest.fixture
def rated(table: FakeTable) -> FakeTable:
    rate_tiles(table, UP, {(9, 1): 0.7, (10, 1): 0.89, (9, 2): 0.6})
    return table


def test_x_shows_the_map_of_the_best_move_and_takes_it_away(page, rated):
    assert rated
    press(page, Qt.Key.Key_Y)
    assert page.board_view.cells == after(UP)
    heat = page.board_view.heat
    assert set(heat) == {cell for cell, e in enumerate(after(UP)) if e == 0}
    assert heat[9].figure == "70.00 %"
    assert heat[9].below == "\N{MINUS SIGN}20 pts"
    assert heat[9].is_framed
    assert heat[9].heat == bar_fraction(relative_loss(0.7, 0.9)) == 1.0
    assert heat[10].heat > heat[11].heat == 0.0
    assert page.panel.tab == "why"
    assert "At worst a 4 at row 3, column 2 leaves 60.00 %" in page.panel.why.sentence.text()
    press(page, Qt.Key.Key_Y)
    assert page.board_view.heat == {}
    assert page.board_view.cells == cells(L3_START)


def test_tiles_that_differ_little_have_figures_that_differ(page, table):
    rates = {(9, 1): 0.99968, (10, 1): 0.99963, (9, 2): 0.99961}
    rate_tiles(table, UP, {**dict.fromkeys(all_tiles(UP), 0.9997), **rates})
    press(page, Qt.Key.Key_Y)
    shown, told = page.panel.why.list_label.text(), page.panel.why.sentence.text()
    assert all(f"99.96{digits} %" in shown for digits in (1, 3, 8))
    figures = [word for word in told.split() if word.startswith("99.")]
    assert len(set(figures)) == 2, told


def all_tiles(direction: int) -> list[tuple[int, int]]:
    return [(cell, e) for cell, own in enumerate(after(direction)) if own == 0 for e in (1, 2)]


def test_a_move_is_made_from_the_position_not_from_the_map(page, rated):
    assert rated
    press(page, Qt.Key.Key_Y, Qt.Key.Key_Right)
    assert page.board_view.heat == {}
    assert page.game.step is not None
    assert page.game.step.direction == RIGHT
    assert page.board_view.cells == cells(board(page))
    assert not page.why.is_on


def test_t_draws_the_map_for_a_4(page, rated):
    assert rated
    press(page, Qt.Key.Key_Y, Qt.Key.Key_T)
    assert page.board_view.heat[9].figure == "60.00 %"
    click(page.panel.why.exponents.buttons[1])
    assert page.board_view.heat[9].figure == "70.00 %"


def test_alt_and_an_arrow_explain_another_move(page, table):
    rate_tiles(table, RIGHT, {(0, 1): 0.5})
    press_with(page, ALT, Qt.Key.Key_Right)
    assert page.board_view.cells == after(RIGHT)
    assert page.board_view.heat[0].figure == "50.00 %"
    assert page.panel.why.directions.value == RIGHT
    click(page.panel.why.directions.buttons[UP])
    assert page.board_view.cells == after(UP)


@pytest.mark.parametrize("tab", ["play", "line"])
def test_another_tab_brings_the_position_back(page, rated, tab):
    assert rated
    press_with(page, ALT, Qt.Key.Key_Right)
    assert page.board_view.cells == after(RIGHT)
    click(page.panel.tab_chips.buttons[tab])
    assert page.board_view.cells == cells(L3_START)
    assert page.board_view.heat == {}
    assert not page.why.is_on


def test_an_illegal_move_cannot_be_explained(page):
    press_with(page, ALT, Qt.Key.Key_Left)
    assert page.board_view.heat == {}
    assert not page.panel.why.directions.buttons[LEFT].isEnabled()


def test_two_tiles_ahead_are_asked_for_on_demand(page, rated):
    # After a 2 in cell 9 left is best: the 2 slides to cell 8. A 2 in the corner then is a trap.
    replied = board_of("4 32768 32768 32768", "4 32768 32768 32768", "2 . . .", ". . . 2")
    rated.rates[replied] = (0.01, None, None, None)
    press(page, Qt.Key.Key_Y)
    asked = len(rated.probed)
    press_with(page, SHIFT, Qt.Key.Key_Y)
    assert len(rated.probed) > asked + 50
    assert page.panel.why.depths.value == 2
    assert "a 2 at row 3, column 2 and the next one can leave 1.00 %" in (
        page.panel.why.sentence.text()
    )
    assert page.board_view.heat[9].figure == "1.00 %"


def test_the_panel_goes_on_with_each_position(page):
    press(page, Qt.Key.Key_F7)
    assert page.panel.why.isVisible()
    assert page.panel.why.sentence.text().startswith("Up keeps")
    press(page, Qt.Key.Key_Up)
    best = page.game.answer.best if page.game.answer else None
    assert page.panel.why.directions.value == best


def test_a_page_that_opens_on_the_panel_explains_the_move_that_it_marks(page):
    page.panel.show_tab("why")
    page.hide()
    press(page, Qt.Key.Key_Up)
    page.show()
    best = page.game.answer.best if page.game.answer else None
    assert best is not None
    assert page.panel.why.directions.value == best
    assert page.panel.why.sentence.text().startswith(move_title(best))


def test_the_move_that_just_lost_is_explained(page):
    press(page, Qt.Key.Key_Right)
    assert page.panel.links.isVisible()
    page.panel.links.linkActivated.emit("why")
    assert page.why.explained_move == (L3_START, RIGHT)
    assert page.panel.why.directions.value == RIGHT
    assert page.panel.why.subject_label.text() == "The position before your last move"
    press_with(page, ALT, Qt.Key.Key_Up)
    assert page.why.explained_move == (board(page), UP), "if asked, a move of this position"
    assert page.panel.why.subject_label.text() == "The position on the board"
    press(page, Qt.Key.Key_F6)
    assert page.board_view.cells == cells(board(page)), "the board is that of the rates again"
    press(page, Qt.Key.Key_Backspace, Qt.Key.Key_Up)
    assert not page.panel.links.isVisible(), "nothing was lost"


def test_nothing_is_looked_up_while_the_panel_is_out_of_sight(page, table):
    table.probed.clear()
    press(page, Qt.Key.Key_Up)
    assert len(table.probed) == 1


@pytest.mark.thorough
def test_a_late_explanation_does_not_come_after_the_move(page, tasks, rated):
    assert rated
    tasks.at_once = False
    press(page, Qt.Key.Key_Y)
    press(page, Qt.Key.Key_Right)
    tasks.work_off()
    assert page.board_view.heat == {}
    assert page.board_view.cells == cells(board(page))


def test_what_the_table_does_not_know_is_said(page, table):
    found = after(UP)
    start = sum(e << (60 - 4 * i) for i, e in enumerate(found))
    table.outside |= {put(start, c, e) for c in range(16) if not found[c] for e in (1, 2)}
    press(page, Qt.Key.Key_Y)
    assert page.panel.why.sentence.text() == (
        "The table doesn't cover any position after this move."
    )
    assert page.board_view.heat == {}


def test_the_map_is_drawn(page, rated):
    assert rated
    plain = page.board_view.picture().toImage()
    press(page, Qt.Key.Key_Y)
    rest(1)
    with_map = page.board_view.picture().toImage()
    assert with_map != plain
    assert with_map.width() == with_map.height()
