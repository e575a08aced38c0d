"""The history as a list: walking it, branching, bookmarks."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.bitboard import cells
from gui.practice.history_list import HistoryModel
from gui.practice.page import PracticePage
from gui.practice.tree import MoveTree, Step
from tests.gui.page_driver import SHIFT, press, press_with
from tests.gui.practice.driver import board
from tests.gui.practice_fakes import L3_START, board_of


def rows(page: PracticePage) -> list[str]:
    model = page.panel.history.list.rows
    return [str(model.data(model.index(i))) for i in range(model.rowCount())]


def shown(page: PracticePage) -> list[str]:
    press(page, Qt.Key.Key_F8)
    return rows(page)


def click_row(page: PracticePage, row: int) -> None:
    view = page.panel.history.list
    place = view.visualRect(view.rows.index(row)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_the_list_grows_with_the_game_and_marks_the_moves(page):
    assert shown(page) == ["Start"]
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Right)
    listed = rows(page)
    assert len(listed) == 3
    assert listed[1].startswith("1.  Up, then a ")
    assert listed[2].startswith("2.  Right, then a ")
    model = page.panel.history.list.rows
    tip = str(model.data(model.index(2), Qt.ItemDataRole.ToolTipRole))
    assert tip.endswith(": inaccurate")  # right keeps 0.98, up 0.9931


def test_a_new_start_counts_its_moves_from_one(page):
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Right)
    assert page.game.session is not None
    step = page.game.session.restart(board_of("2 2 . .", ". . . .", ". . . .", ". . . 4"))
    assert step.kind == "start"
    press(page, Qt.Key.Key_Left)
    assert [line.split(",")[0] for line in shown(page)] == [
        "Start", "1.  Up", "2.  Right", "Start", "1.  Left",
    ]  # fmt: skip


def test_a_click_goes_there_and_another_move_branches(page):
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_F8)
    first = board(page)
    click_row(page, 1)
    assert page.game.session is not None
    assert page.game.session.place == (1, 2)
    press(page, Qt.Key.Key_Down)
    listed = rows(page)
    assert listed[2].startswith("2.  Down, then a ")
    assert listed[3].strip().startswith("or right, then a ")
    click_row(page, 3)
    assert board(page) == first
    assert rows(page)[2].startswith("2.  Right")
    assert rows(page)[3].strip().startswith("or down")


def test_v_goes_from_one_variation_to_the_next(page):
    press(page, Qt.Key.Key_V)
    assert "No other move was played" in page.banners.banners[0].text_label.text()
    press(page, Qt.Key.Key_Up)
    first = board(page)
    press(page, Qt.Key.Key_Backspace, Qt.Key.Key_Right)
    second = board(page)
    press(page, Qt.Key.Key_V)
    assert board(page) == first
    press(page, Qt.Key.Key_V)
    assert board(page) == second


def test_home_and_end_of_the_history(page):
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Down)
    last = board(page)
    press(page, Qt.Key.Key_Home)
    assert board(page) == L3_START
    press(page, Qt.Key.Key_End)
    assert board(page) == last


def test_bookmarks_are_found_again(page):
    press_with(page, SHIFT, Qt.Key.Key_M)
    assert "No bookmarks" in page.banners.banners[0].text_label.text()
    press(page, Qt.Key.Key_Up, Qt.Key.Key_M)
    marked = board(page)
    press(page, Qt.Key.Key_Right, Qt.Key.Key_Down)
    assert "(bookmark)" in shown(page)[1]
    press_with(page, SHIFT, Qt.Key.Key_M)
    assert board(page) == marked
    press(page, Qt.Key.Key_M)
    assert "(bookmark)" not in rows(page)[1]


def test_arrows_walk_in_the_list_and_escape_leaves_it(page):
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_F8)
    history = page.panel.history.list
    history.setFocus()
    QTest.keyClick(history, Qt.Key.Key_Up)
    assert page.game.session is not None
    assert page.game.session.place[0] == 1
    QTest.keyClick(history, Qt.Key.Key_Escape)
    assert page.focusWidget() is page.board_view


def test_a_list_out_of_sight_catches_up(page):
    press(page, Qt.Key.Key_F8)
    press(page, Qt.Key.Key_F6, Qt.Key.Key_Up, Qt.Key.Key_Backspace, Qt.Key.Key_Right)
    listed = shown(page)
    assert listed[1].startswith("1.  Right")
    assert listed[2].strip().startswith("or up")
    assert page.panel.history.list.rows.here == 1


def test_play_back_goes_to_the_end_by_itself(page, qtbot):
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Down)
    last = board(page)
    page.panel.speed_slider.setValue(30)
    press(page, Qt.Key.Key_Home)
    press(page, Qt.Key.Key_P)
    assert page.demo.is_playback
    qtbot.waitUntil(lambda: not page.demo.is_running)  # type: ignore[attr-defined]
    assert board(page) == last


def test_enter_only_stops_what_plays(page):
    press(page, Qt.Key.Key_Space)
    at = board(page)
    press(page, Qt.Key.Key_Return)
    assert not page.demo.is_running
    assert board(page) == at


def test_of_a_long_line_the_part_around_the_present_place_is_listed():
    tree = MoveTree(Step(0))
    for number in range(1, 3001):
        tree.push(Step(number, "move", number % 4))
    model = HistoryModel(lambda _: None)
    model.follow(tree)

    def text(row: int) -> str:
        return str(model.data(model.index(row % model.rowCount())))

    assert text(0) == "\N{HORIZONTAL ELLIPSIS} 2,600 more"
    assert text(-1).startswith("3000.")
    assert model.rowCount() == 402
    tree.go(model.node(0))
    model.follow(tree)
    assert text(model.here).startswith("2599.")
    assert text(-1) == "\N{HORIZONTAL ELLIPSIS} 1 more"
    for _ in range(2599):
        tree.back()
        model.follow(tree)
        assert model.node(model.here) is tree.here
    assert text(0) == "Start"
    assert text(-1).endswith("more")
    while tree.forward():
        model.follow(tree)
        assert model.node(model.here) is tree.here
        assert model.rowCount() < 1300


def test_going_to_another_place_drops_an_edit(page, qtbot):
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_F8)
    page.actions_by_name["edit"].trigger()
    press(page, Qt.Key.Key_Return)
    click_row(page, 1)
    assert not page.edit_bar.is_active
    assert page.board_view.cells == cells(board(page))
    page.actions_by_name["edit"].trigger()
    page.panel.history.play_button.click()
    assert not page.edit_bar.is_active
    assert page.demo.is_playback
    qtbot.waitUntil(lambda: not page.demo.is_running)
    assert page.game.session is not None
    assert page.game.session.place == (2, 2)


def test_the_panel_is_no_taller_than_the_part_in_front_needs(page):
    """Else the panel scrolls around a list that scrolls."""
    panel = page.panel
    with_options = panel.heightForWidth(320)
    shown(page)
    assert panel.heightForWidth(320) < with_options
