from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from engine.bitboard import cells, format_board
from engine.spawn import Rng
from gui.practice import parts
from gui.practice.page import PracticePage
from gui.practice.session import SpawnMode
from tablebase.errors import ProbeError
from tests.gui.page_driver import press, press_with
from tests.gui.practice.driver import OTHER_START, board, click_cell, type_hex
from tests.gui.practice_fakes import (
    L3_START,
    TABLE_PATH,
    WALLED,
    WALLED_START,
    FakeTable,
    FakeTasks,
    play_services,
)


def test_a_typed_position_is_set_and_can_be_undone(page):
    type_hex(page, "0000_0001_2fff_1fff")
    assert board(page) == OTHER_START
    assert page.panel.hex_field.edit.text() == format_board(OTHER_START)
    assert page.board_view.hasFocus()
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == L3_START


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("123", "3 of 16"),
        ("1000000z1fff2fff", "'z' is not"),
        ("10000000100000001", "more than 16"),
        ("0000000000000000", "at least one tile"),
    ],
)
def test_a_bad_position_is_explained_beside_the_field(page, text, complaint):
    type_hex(page, text)
    assert complaint in page.panel.hex_field.error_label.text()
    assert page.panel.hex_field.error_label.isVisible()
    assert page.panel.hex_field.edit.text() == text
    assert board(page) == L3_START
    press(page, Qt.Key.Key_Up)
    assert not page.panel.hex_field.error_label.isVisible()


def test_typing_in_the_field_does_not_play(page, qtbot):
    page.panel.hex_field.edit.setFocus()
    page.panel.hex_field.edit.selectAll()
    qtbot.keyClicks(page.panel.hex_field.edit, "adf")
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Home, Qt.Key.Key_Backspace):
        qtbot.keyClick(page.panel.hex_field.edit, key)
    assert board(page) == L3_START
    assert "d" in page.panel.hex_field.edit.text()


def test_escape_takes_back_what_was_typed_as_a_position(page, qtbot):
    before = page.panel.hex_field.edit.text()
    type_hex(page, "zz")
    assert page.panel.hex_field.error_label.text()
    qtbot.keyClick(page.panel.hex_field.edit, Qt.Key.Key_Escape)
    assert page.panel.hex_field.edit.text() == before
    assert not page.panel.hex_field.error_label.text()
    assert page.focusWidget() is page.board_view


def test_copy_and_paste_go_through_the_clipboard(page):
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(page.board_view, Qt.Key.Key_C, control)
    assert QGuiApplication.clipboard().text() == format_board(L3_START)
    QGuiApplication.clipboard().setText(f" {format_board(OTHER_START)}\n")
    QTest.keyClick(page.board_view, Qt.Key.Key_V, control)
    assert board(page) == OTHER_START


@pytest.mark.parametrize("name", ["flip_sideways", "flip_over", "rotate_left", "rotate_right"])
def test_a_turned_board_can_be_turned_back_by_undo(page, name):
    action = next(action for action in page.actions() if action.objectName() == name)
    action.trigger()
    assert board(page) != L3_START
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == L3_START


def test_a_tile_is_placed_by_hand(page):
    page.panel.spawn_chips.buttons[SpawnMode.MANUAL].click()
    press(page, Qt.Key.Key_Up)
    after = board(page)
    assert "Place the new tile" in page.panel.cross.sentence.text()
    press(page, Qt.Key.Key_Right)  # the frame moves, not the tiles
    assert board(page) == after
    empty = page.board_view.cells.index(0)
    click_cell(page, empty, Qt.MouseButton.RightButton)
    assert cells(board(page))[empty] == 2
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == after
    page.keys.cursor = empty
    press(page, Qt.Key.Key_2)
    assert cells(board(page))[empty] == 1


def test_the_board_is_edited_with_the_mouse(page):
    press(page, Qt.Key.Key_E)
    page.edit_bar.palette_row.chosen.emit(5)
    click_cell(page, 1, Qt.MouseButton.LeftButton)
    click_cell(page, 2, Qt.MouseButton.RightButton)
    press(page, Qt.Key.Key_E)
    assert cells(board(page))[:4] == [1, 5, 1, 0]
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == L3_START


def test_the_board_is_edited_with_keys(page):
    press(page, Qt.Key.Key_E)
    page.edit_bar.palette_row.chosen.emit(1)
    press(page, Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Plus)
    press(page, Qt.Key.Key_E)
    assert cells(board(page))[1] == 2
    press(page, Qt.Key.Key_E, Qt.Key.Key_3, Qt.Key.Key_Right, Qt.Key.Key_9, Qt.Key.Key_E)
    assert cells(board(page))[:2] == [3, 9]
    press(page, Qt.Key.Key_E, Qt.Key.Key_1, Qt.Key.Key_E)
    press(page, Qt.Key.Key_E, Qt.Key.Key_0, Qt.Key.Key_Escape)
    assert cells(board(page))[0] == 1  # Escape takes the edit back


def test_pasting_into_the_field_is_only_text(page):
    QGuiApplication.clipboard().setText(format_board(OTHER_START))
    page.panel.hex_field.edit.setFocus()
    page.panel.hex_field.edit.selectAll()
    QTest.keyClick(page.panel.hex_field.edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert page.panel.hex_field.edit.text() == format_board(OTHER_START)
    assert board(page) == L3_START


def test_walls_stay_walls(qtbot, settings):
    table = FakeTable(formation=WALLED, start=WALLED_START, name="3x3_512", target=512)
    page = PracticePage(play_services(lambda _: table, FakeTasks(), settings, Rng(2)))
    qtbot.addWidget(page)
    page.open_table(Path("tables/3x3_512"))
    for name in ("flip_sideways", "rotate_left"):
        next(action for action in page.actions() if action.objectName() == name).trigger()
        assert page.game.lookup.walls(board(page)) == {3, 7, 11, 12, 13, 14, 15}
    page.panel.hex_field.entered.emit("1000000000000000")
    assert "walls" in page.panel.hex_field.error_label.text()


def test_g_goes_to_a_position_from_any_panel(page, qtbot):
    press(page, Qt.Key.Key_F8)
    press(page, Qt.Key.Key_G)
    assert page.panel.hex_field.edit.hasFocus()
    assert page.panel.hex_field.edit.isVisible()
    qtbot.keyClicks(page.panel.hex_field.edit, f"{OTHER_START:016x}")
    qtbot.keyClick(page.panel.hex_field.edit, Qt.Key.Key_Return)
    assert board(page) == OTHER_START
    assert page.board_view.hasFocus()


def test_ctrl_t_asks_for_a_test_on_the_open_table(page, qtbot):
    with qtbot.waitSignal(page.test_requested) as asked:
        press_with(page, Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_T)
    assert asked.args == [TABLE_PATH]


def test_why_a_board_has_no_rates_is_said_without_the_names(page, table):
    why = "its tiles add up to too much"
    refuse = Mock(side_effect=ProbeError(f"L3_256 cannot answer for that: {why}", why))
    table.probe = refuse  # type: ignore[method-assign]
    type_hex(page, f"{OTHER_START:016x}")
    assert page.panel.notice.text_label.text().startswith("Its tiles add up to too much. ")


def test_while_a_board_is_edited_its_locks_stay_and_the_rates_are_grey(page):
    locked, size = page.board_view.locked, page.board_view.size()
    assert locked
    press(page, Qt.Key.Key_E, Qt.Key.Key_Down, Qt.Key.Key_Plus)
    assert page.board_view.locked == locked
    assert page.board_view.size() == size
    assert all(cell.is_stale for cell in page.panel.cross.cells)


def test_news_of_a_position_leaves_after_its_time(page, qtbot, monkeypatch):
    monkeypatch.setattr(parts, "NEWS_MS", 20)
    page.parts.show_message("info", "rec1.rpl: 8 moves.")
    assert page.banners.shows("line")
    qtbot.waitUntil(lambda: not page.banners.shows("line"))
