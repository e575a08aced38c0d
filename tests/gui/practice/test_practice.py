from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from engine.bitboard import cells
from engine.platform.errors import AppError
from engine.spawn import Rng
from gui.practice.page import PracticePage
from gui.work.tasks import TaskRunner
from tests.gui.page_driver import press
from tests.gui.practice.driver import OTHER_START, board, type_hex
from tests.gui.practice_fakes import (
    L3_START,
    TABLE_PATH,
    TABLES,
    FakeTable,
    FakeTasks,
    play_services,
)
from tests.gui.waiting import rest
from tests.gui.wheel import turn_wheel


def test_an_open_table_shows_board_and_rates(page):
    assert page.board_view.cells == cells(L3_START)
    assert [cell.text() for cell in page.panel.cross.cells] == ["", "98.00 %", "99.31 %", "70.00 %"]
    assert page.table_combo.currentText() == "L3 \N{RIGHTWARDS ARROW} 256"
    assert page.table_combo.count() == 1  # what is not complete cannot be played


@pytest.mark.parametrize(
    ("key", "letter", "direction"),
    [
        (Qt.Key.Key_Up, Qt.Key.Key_W, 2),
        (Qt.Key.Key_Right, Qt.Key.Key_D, 1),
        (Qt.Key.Key_Down, Qt.Key.Key_S, 3),
    ],
)
def test_arrows_and_letters_play(page, key, letter, direction):
    for pressed in (key, letter):
        press(page, pressed)
        assert page.game.step is not None
        assert page.game.step.direction == direction
        press(page, Qt.Key.Key_Backspace)
        assert board(page) == L3_START


def test_a_swipe_plays_one_move(page):
    page.board_view.swiped.emit(2)
    assert page.game.session.place == (1, 1)


def test_an_illegal_key_does_nothing(page):
    press(page, Qt.Key.Key_Left)
    assert board(page) == L3_START


def test_a_move_is_judged_beside_the_board(page):
    press(page, Qt.Key.Key_Right)
    assert page.panel.verdict.text() == "Right lost 1.3 points. Up was best."
    press(page, Qt.Key.Key_Backspace)
    assert page.panel.verdict.text() == ""


def test_undo_and_redo_by_keys(page):
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Right)
    played = board(page)
    QTest.keyClick(page.board_view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == L3_START
    for _ in range(2):
        QTest.keyClick(page.board_view, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert board(page) == played


def test_enter_plays_the_best_move(page):
    press(page, Qt.Key.Key_Return)
    assert page.game.step is not None
    assert page.game.step.direction == 2
    assert page.panel.verdict.text() == "Up was the best move."


def test_home_begins_anew_and_undo_leads_back(page, table):
    press(page, Qt.Key.Key_Up)
    left = board(page)
    table.start = OTHER_START
    press(page, Qt.Key.Key_N)
    assert board(page) == OTHER_START
    press(page, Qt.Key.Key_Backspace)
    assert board(page) == left


def test_the_demo_plays_until_nothing_is_left(page, table, qtbot):
    page.panel.speed_slider.setValue(30)
    press(page, Qt.Key.Key_Space)
    assert page.demo.is_running
    qtbot.waitUntil(lambda: page.game.session is not None and page.game.session.place[0] >= 4)
    answer = page.game.answer
    assert answer is not None
    table.probe = lambda *_: SimpleNamespace(  # type: ignore
        rates=(0.0, 0.0, None, None), best=0, unknown=()
    )
    qtbot.waitUntil(lambda: not page.demo.is_running)
    assert page.panel.cross.sentence.text() == "The table knows no way to the target from here."


def test_the_demo_stops_at_the_end_of_the_game(page):
    type_hex(page, "1212212112122123")
    assert page.panel.notice.title_label.text() == "No moves left"
    press(page, Qt.Key.Key_Space)
    assert not page.demo.is_running


def test_any_move_of_the_person_stops_the_demo(page):
    press(page, Qt.Key.Key_Space)
    assert page.demo.is_running
    press(page, Qt.Key.Key_Right)
    assert not page.demo.is_running
    press(page, Qt.Key.Key_Space)
    press(page, Qt.Key.Key_Space)
    assert not page.demo.is_running


def test_the_demo_stops_when_the_page_is_left(page):
    press(page, Qt.Key.Key_Space)
    page.hide()
    assert not page.demo.is_running


def test_a_reached_target_is_said_calmly(page, qtbot):
    type_hex(page, "100000081fff2fff")
    assert page.panel.notice.isVisible()
    assert page.panel.notice.title_label.text() == "256 reached"
    assert page.panel.notice.text_label.text() == "Keep playing, or start again."
    qtbot.mouseClick(page.panel.notice.buttons[0], Qt.MouseButton.LeftButton)
    assert board(page) == L3_START
    assert page.panel.cross.isVisible()


def test_a_chained_table_goes_on_in_the_next_one(page, qtbot):
    chained = SimpleNamespace(
        path=TABLE_PATH, pattern="L3", target=256, state="complete", then="442_256"
    )
    page.set_tables([chained])
    page.choice.show_content()
    assert page.frame.goal_label.text() == "Goal: 256, then 442 \N{RIGHTWARDS ARROW} 256"
    hint = page.panel.hints.label.text()
    assert hint.endswith("Figures are your chances of 256, then 442 \N{RIGHTWARDS ARROW} 256.")
    assert "Chained to 442 \N{RIGHTWARDS ARROW} 256" in page.panel.content_label.text()
    type_hex(page, "100000081fff2fff")
    assert "Go on with 442 \N{RIGHTWARDS ARROW} 256" in page.panel.notice.text_label.text()
    qtbot.mouseClick(page.panel.notice.buttons[0], Qt.MouseButton.LeftButton)
    assert page.choice.path == TABLE_PATH.parent / "442_256"
    assert board(page) == 0x1000_0008_1FFF_2FFF


def test_outside_the_table_play_goes_on(page, table):
    outside = 0x12345678_0000_000A
    table.outside.add(outside)
    type_hex(page, f"{outside:016x}")
    assert "large tiles are not where L3 has them" in page.panel.notice.text_label.text()
    press(page, Qt.Key.Key_Down)
    assert board(page) != outside
    assert page.panel.cross.isVisible()


def test_a_table_with_a_missing_drive_is_offered(page):
    away = SimpleNamespace(
        path=Path("tables/t_512"), pattern="t", target=512, state="away", then=""
    )
    part = SimpleNamespace(path=Path("/drive/t_64"), pattern="t", target=64, state="part", then="")
    page.set_tables([*TABLES, away, part])
    names = [page.table_combo.itemText(i) for i in range(page.table_combo.count())]
    assert names == ["L3 \N{RIGHTWARDS ARROW} 256", "t \N{RIGHTWARDS ARROW} 512"]


def test_the_wheel_over_the_header_chooses_no_table(page):
    away = SimpleNamespace(
        path=Path("tables/t_512"), pattern="t", target=512, state="away", then=""
    )
    page.set_tables([*TABLES, away])
    page.board_view.setFocus()
    before = page.table_combo.currentText()
    turn_wheel(page.table_combo)
    assert page.table_combo.currentText() == before


def test_late_answers_do_not_overwrite_newer_positions(page, tasks, table):
    tasks.at_once = False
    press(page, Qt.Key.Key_Up)
    stale = board(page)
    table.rates[stale] = (0.111, 0.111, 0.111, 0.111)
    press(page, Qt.Key.Key_Right)
    table.rates[board(page)] = (0.222, None, None, None)
    tasks.work_off(1)
    assert all(cell.text() != "11.10 %" for cell in page.panel.cross.cells)
    tasks.work_off()
    assert page.panel.cross.cells[0].text() == "22.20 %"


def test_guessing_first_hides_the_rates_until_the_move(page):
    press(page, Qt.Key.Key_X)
    assert page.panel.guess_box.isChecked()
    assert all("%" not in cell.text() for cell in page.panel.cross.cells)
    press(page, Qt.Key.Key_Right)
    assert page.panel.verdict.text() == "Right lost 1.3 points. Up was best."
    press(page, Qt.Key.Key_X)
    assert any("%" in cell.text() for cell in page.panel.cross.cells)


def test_the_hint_comes_on_demand_and_goes_with_the_move(page):
    press(page, Qt.Key.Key_B)
    assert page.board_view.hint == 2
    press(page, Qt.Key.Key_Up)
    assert page.board_view.hint is None


def test_a_table_that_does_not_open_says_why(page, qtbot, opener):
    opener.gives = AppError("layer 17 is damaged; build the table again")
    page.open_table(Path("tables/L3_512"))
    assert page.panel.notice.text_label.text() == "Layer 17 is damaged; build the table again."
    with qtbot.waitSignal(page.tables_requested):
        qtbot.mouseClick(page.panel.notice.buttons[0], Qt.MouseButton.LeftButton)
    press(page, Qt.Key.Key_Up, Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_N)


def test_without_tables_there_is_an_invitation(qtbot, settings):
    page = PracticePage(play_services(lambda _: FakeTable(), FakeTasks(), settings))
    qtbot.addWidget(page)
    page.show()
    assert page.frame.invitation.isVisible()
    with qtbot.waitSignal(page.tables_requested):
        qtbot.mouseClick(page.frame.invitation.buttons[0], Qt.MouseButton.LeftButton)
    page.set_tables(TABLES)
    assert not page.frame.invitation.isVisible()


def test_a_deleted_table_is_let_go(page, table):
    page.close_table(Path("tables/another"))
    assert not table.is_closed
    page.close_table(TABLE_PATH)
    assert table.is_closed
    press(page, Qt.Key.Key_Up)
    assert page.game.step is None


def test_the_panel_goes_under_the_board_when_it_is_narrow(page):
    def tops() -> tuple[int, int]:
        origin = QPoint(0, 0)
        return (
            page.board_view.mapTo(page, origin).y() + page.board_view.height(),
            page.panel.mapTo(page, origin).y(),
        )

    board_bottom, panel_top = tops()
    assert panel_top < board_bottom
    page.resize(600, 760)
    rest(1)
    board_bottom, panel_top = tops()
    assert panel_top >= board_bottom
    rates = page.panel.cross.cells[0]
    assert rates.mapTo(page, QPoint(0, rates.height())).y() <= page.height()


def test_every_action_has_a_name_and_a_key(page):
    for action in page.actions():
        assert action.text()
        assert action.shortcuts(), action.text()
    keys = [key.toString() for action in page.actions() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))


def test_answers_come_from_the_worker_thread(qtbot, settings, table):
    tasks = TaskRunner()
    page = PracticePage(play_services(lambda _: table, tasks, settings, Rng(4)))
    qtbot.addWidget(page)
    page.open_table(TABLE_PATH)
    qtbot.waitUntil(lambda: page.game.answer is not None)
    for _ in range(10):
        best = page.game.answer.best if page.game.answer else None
        assert best is not None
        page.game.play(best)
        qtbot.waitUntil(lambda: page.game.answer is not None)
    tasks.close()


@pytest.mark.parametrize("width", [480, 620, 760, 850, 900, 1000, 1300])
def test_nothing_is_cut_off_at_any_width(page, width):
    page.resize(width, 600)
    rest(1)
    for bar in (page.action_bar, page.edit_bar):
        page.frame.show_bar(bar)
        rest(1)
        for part in (page.board_view, bar, page.panel, *page.panel.cross.cells):
            left = part.mapTo(page, QPoint(0, 0)).x()
            assert left >= 0
            assert left + part.width() <= page.width()
