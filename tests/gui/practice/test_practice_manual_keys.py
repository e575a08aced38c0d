"""The keys of the manual, the clipboard, folders, and jumps from other pages."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest

from engine.bitboard import cells, draw_board, format_board
from engine.platform.errors import AppError
from gui.practice.page import PracticePage
from gui.practice.session import SpawnMode
from tests.gui.page_driver import CTRL, SHIFT, click, press, press_with
from tests.gui.practice.driver import OTHER_START, board, click_cell
from tests.gui.practice_fakes import L3_START, TABLE_PATH, FakeTable

LEFT_BUTTON, RIGHT_BUTTON = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


@pytest.mark.parametrize(
    ("key", "direction"), [(Qt.Key.Key_L, 1), (Qt.Key.Key_K, 2), (Qt.Key.Key_J, 3)]
)
def test_hjkl_play(page, key, direction):
    press(page, key)
    assert page.game.step is not None
    assert page.game.step.direction == direction
    press(page, Qt.Key.Key_H)
    assert page.game.step.direction == 0


def test_an_edit_goes_on_when_tiles_are_to_come_in_another_way(page):
    press(page, Qt.Key.Key_E)
    click_cell(page, 1, RIGHT_BUTTON)
    edited, digits = page.board_view.cells, page.panel.hex_field.edit.text()
    page.panel.spawn_chips.buttons[SpawnMode.WORST].click()
    press(page, Qt.Key.Key_Q)
    assert page.game.spawn_mode is SpawnMode.MANUAL
    assert page.edit_bar.is_active
    assert page.board_view.cells == edited
    assert page.panel.hex_field.edit.text() == digits
    assert page.board_view.cursor_cell is not None
    press(page, Qt.Key.Key_E)
    assert cells(board(page)) == edited


@pytest.mark.parametrize("mode", [SpawnMode.RANDOM, SpawnMode.WORST])
def test_a_tile_that_was_awaited_comes_after_an_edit_that_is_dropped(page, mode):
    press(page, Qt.Key.Key_Q, Qt.Key.Key_Up)
    after = board(page)
    press(page, Qt.Key.Key_E)
    page.panel.spawn_chips.buttons[mode].click()
    assert board(page) == after
    press(page, Qt.Key.Key_Escape)
    assert not page.game.awaits_hand
    assert cells(board(page)).count(0) == cells(after).count(0) - 1


def test_delete_takes_back(page):
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Backspace)
    assert board(page) == L3_START


def test_q_goes_to_placing_by_hand_and_back(page):
    press(page, Qt.Key.Key_Q, Qt.Key.Key_Up)
    assert page.game.awaits_hand
    assert page.panel.spawn_chips.value is SpawnMode.MANUAL
    click_cell(page, 15, LEFT_BUTTON)
    assert cells(board(page))[15] == 1
    press(page, Qt.Key.Key_Q)
    assert page.game.spawn_mode is SpawnMode.RANDOM
    assert page.panel.spawn_chips.value is SpawnMode.RANDOM


def test_e_empties_cells(page):
    press(page, Qt.Key.Key_E)
    click_cell(page, 0, LEFT_BUTTON)
    press(page, Qt.Key.Key_E)
    assert cells(board(page))[0] == 0
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == L3_START


def test_an_edit_is_undone_cell_by_cell(page):
    press(page, Qt.Key.Key_F2)
    click_cell(page, 1, RIGHT_BUTTON)
    click_cell(page, 1, RIGHT_BUTTON)
    click_cell(page, 2, Qt.MouseButton.MiddleButton)
    assert page.board_view.cells[:3] == [1, 2, 15]
    press_with(page, CTRL, Qt.Key.Key_Z)
    press_with(page, CTRL, Qt.Key.Key_Z)
    assert page.board_view.cells[:3] == [1, 1, 0]
    press_with(page, CTRL, Qt.Key.Key_Y)
    assert page.board_view.cells[:3] == [1, 2, 0]
    press(page, Qt.Key.Key_E)
    assert cells(board(page))[:3] == [1, 2, 0]
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == L3_START


def test_z_copies_a_picture_of_the_board(page):
    press(page, Qt.Key.Key_Z)
    image = QGuiApplication.clipboard().image()
    assert image.width() == image.height() > 200
    assert page.panel.verdict.text() == "Picture of the board copied."


def test_a_picture_is_saved(page, dialogs, tmp_path):
    dialogs.path = tmp_path / "board"
    press_with(page, SHIFT, Qt.Key.Key_Z)
    assert page.panel.verdict.text() == f"Saved as {tmp_path / 'board.png'}"
    written = QImage(str(tmp_path / "board.png"))
    assert written.width() == written.height() > 200
    assert [path.name for path in tmp_path.iterdir()] == ["board.png"]
    dialogs.path = tmp_path / "no" / "folder" / "board.png"
    press_with(page, SHIFT, Qt.Key.Key_Z)
    assert "Cannot write" in page.panel.verdict.text()


def test_a_board_drawn_as_text_is_copied_and_pasted(page):
    press_with(page, CTRL | SHIFT, Qt.Key.Key_C)
    assert QGuiApplication.clipboard().text() == draw_board(L3_START)
    QGuiApplication.clipboard().setText(draw_board(OTHER_START))
    press_with(page, CTRL, Qt.Key.Key_V)
    assert board(page) == OTHER_START
    assert page.panel.hex_field.edit.text() == format_board(OTHER_START)


def test_a_real_game_is_masked_and_drawn_as_it_is(page):
    QGuiApplication.clipboard().setText("2 . . .  . . . .  4 1024 512 256  8 4096 2048 8192")
    press_with(page, CTRL, Qt.Key.Key_V)
    assert page.board_view.cells[9:12] == [10, 9, 8]
    assert page.game.lookup.locked(board(page)) == {9, 10, 11, 13, 14, 15}


def test_a_tile_too_large_to_draw_is_said(page):
    QGuiApplication.clipboard().setText("65536 2" + " ." * 14)
    press_with(page, CTRL, Qt.Key.Key_V)
    assert page.panel.verdict.text() == "65536 is shown as 32768."


def test_what_is_no_board_is_not_pasted(page):
    QGuiApplication.clipboard().setText("see you at nine")
    press_with(page, CTRL, Qt.Key.Key_V)
    assert "not a board" in page.panel.hex_field.error_label.text()
    assert board(page) == L3_START


def test_a_folder_is_pasted(page, qtbot, opener):
    opener.gives = FakeTable(start=OTHER_START)
    edit = page.panel.folder_edit
    assert edit.text() == str(TABLE_PATH)
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, '"some/where/442_512"')
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert opener.asked[1:] == [Path("some/where/442_512")]
    assert board(page) == OTHER_START
    assert page.table_combo.currentText() == "442_512"


def test_the_panel_is_left_as_it_was(page):
    press(page, Qt.Key.Key_F8)
    assert page.remembered.tab == "line"
    press(page, Qt.Key.Key_F6)
    assert page.panel.hex_field.edit.isVisible()


def test_another_page_sends_a_position_and_has_it_back(page, qtbot):
    press(page, Qt.Key.Key_Up)
    left = board(page)
    page.show_position(TABLE_PATH, format_board(OTHER_START), "Review")
    assert board(page) == OTHER_START
    assert page.frame.back_button.text() == "Back to Review"
    with qtbot.waitSignal(page.back_requested) as signal:
        click(page.frame.back_button)
    assert signal.args == ["Review"]
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == left
    page.show_position(TABLE_PATH, format_board(L3_START))
    assert not page.frame.back_button.isVisible()


def test_a_position_on_another_table_opens_it(page, tasks):
    tasks.at_once = False
    page.show_position(Path("tables/L3_512"), format_board(OTHER_START), "Test")
    page.show_position(Path("tables/L3_512"), format_board(L3_START), "Test")  # a second thought
    tasks.work_off()
    assert board(page) == L3_START
    assert page.choice.path == Path("tables/L3_512")


def test_a_jump_drops_an_unfinished_edit_and_stops_the_demo(page):
    press(page, Qt.Key.Key_Space)
    page.show_position(TABLE_PATH, format_board(OTHER_START), "Test")
    assert not page.demo.is_running
    press(page, Qt.Key.Key_E)
    page.show_position(TABLE_PATH, format_board(L3_START), "Test")
    assert not page.edit_bar.is_active
    assert board(page) == L3_START


def test_a_cruel_tile_is_looked_for_off_the_gui_thread(page, tasks, table):
    page.panel.spawn_chips.buttons[SpawnMode.WORST].click()
    tasks.at_once = False
    table.probed.clear()
    press(page, Qt.Key.Key_Up)
    assert table.probed == []
    tasks.work_off()
    assert len(table.probed) > 10


def test_keys_pressed_while_the_worker_is_slow_show_only_the_last_answer(page, tasks, table):
    tasks.at_once = False
    shown: list[str] = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left) * 2:
        press(page, key)
        shown.append(page.panel.cross.cells[0].text())
    table.rates[board(page)] = (0.123, None, None, None)
    tasks.work_off()
    assert page.panel.cross.cells[0].text() == "12.30 %"
    assert len(table.probed) < 8  # not one for every key
    assert len(set(shown)) == 1


def test_a_table_that_fails_to_open_leaves_the_way_back(page, opener):
    opener.gives = AppError("there is no table")
    page.show_position(Path("gone"), format_board(L3_START), "Mistakes")
    assert page.panel.notice.text_label.text() == "There is no table."
    assert page.frame.back_button.isVisible()
    QTest.keyClick(page.board_view, Qt.Key.Key_Y)  # nothing to explain, and no harm
    assert page.board_view.heat == {}


def test_a_folder_is_chosen(page, dialogs):
    dialogs.path = Path("elsewhere/t_512")
    click(page.panel.folder_button)
    assert page.choice.path == dialogs.path
    assert dialogs.offered == [TABLE_PATH.parent]


def test_what_the_table_stores_is_said(page):
    assert (
        page.panel.content_label.text() == "32-bit rates, 10\N{NO-BREAK SPACE}% of new tiles are 4s"
    )
    page.close_table(TABLE_PATH)
    assert page.panel.content_label.text() == ""


def test_rates_that_are_lower_bounds_are_said_to_be(page, opener):
    page.close_table(TABLE_PATH)
    opener.gives = FakeTable(is_limited=True)
    page.show_position(TABLE_PATH, format_board(L3_START), "Mistakes")
    assert "lower bounds" in page.panel.content_label.text()


def drop(page: PracticePage, path: Path) -> bool:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, modifiers = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, buttons, modifiers)
    page.dragEnterEvent(enter)
    event = QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, buttons, modifiers)
    page.dropEvent(event)
    return enter.isAccepted()


def test_a_recording_or_a_table_is_dropped(page, dialogs, tmp_path):
    press(page, Qt.Key.Key_Up)
    dialogs.path = tmp_path / "game.json"
    press_with(page, CTRL, Qt.Key.Key_S)
    press(page, Qt.Key.Key_Right)
    assert drop(page, dialogs.path)
    assert board(page) == L3_START
    assert "1 move." in page.banners.banners[0].text_label.text()
    assert drop(page, tmp_path)
    assert page.choice.path == tmp_path


def test_shift_home_begins_some_moves_in(page):
    boards = set()
    for _ in range(8):
        press_with(page, CTRL | SHIFT, Qt.Key.Key_N)
        boards.add(board(page))
    assert len(boards) > 3
    press(page, Qt.Key.Key_Backspace)
    assert board(page) in boards


def test_f_keys_work_wherever_the_keyboard_is(page):
    page.panel.hex_field.edit.setFocus()
    QTest.keyClick(page.panel.hex_field.edit, Qt.Key.Key_F8)
    assert page.panel.tab == "line"


@pytest.mark.thorough
def test_late_answers_leave_an_edit_alone(page, tasks):
    tasks.at_once = False
    for act in (
        lambda: page.actions_by_name["new_start"].trigger(),
        lambda: page.actions_by_name["step"].trigger(),
        lambda: press(page, Qt.Key.Key_Up),  # and the tile is chosen late
    ):
        page.playing.choose_spawn_mode(SpawnMode.WORST)
        act()
        page.actions_by_name["edit"].trigger()
        edited, place = page.board_view.cells, board(page)
        tasks.work_off()
        assert page.edit_bar.is_active
        assert (page.board_view.cells, board(page)) == (edited, place)
        press(page, Qt.Key.Key_Escape)
        tasks.work_off()
    assert page.game.step is not None
    assert not page.game.step.needs_spawn, "the tile came after the edit"
