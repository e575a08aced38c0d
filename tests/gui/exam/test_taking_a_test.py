"""The test page, typed at and read."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from coach.exam.starts import ExamRules
from coach.grading.grade import Grade
from engine.bitboard import cells
from gui.exam.text import end_text
from gui.style.theme import theme_source
from tests.gui.exam.driver import NEAR_START, play_some, session, type_hex
from tests.gui.page_driver import CTRL, SHIFT, press, press_with
from tests.gui.practice_fakes import L3_START, TABLE_PATH, TABLES
from tests.gui.practice_theme import plain_theme
from tests.oracle import images

Key = Qt.Key


def test_a_test_begins_without_a_question(page):
    assert page.board_view.cells == cells(L3_START)
    assert page.panel.notice.title_label.text().startswith("Find the best move.")
    assert not any(part.isVisible() for part in (page.panel.figures, page.panel.grades))
    assert page.panel.hex_field.edit.text() == f"{L3_START:016x}"
    assert page.table_combo.currentText() == "L3 \N{RIGHTWARDS ARROW} 256"
    assert page.table_combo.count() == 1  # what is not complete cannot be played


def test_a_move_is_judged_beside_the_board(page):
    press(page, Key.Key_Right)
    panel = page.panel
    assert panel.small_board.cells == cells(L3_START)
    assert panel.rows.lines() == [
        "Up 99.31 %, best",
        "Right 98.00 %, \N{MINUS SIGN}1.3 pts, played",
        "Down 70.00 %, \N{MINUS SIGN}29 pts",
    ]
    assert panel.word.text() == "Inaccurate"
    assert panel.mark.grade is Grade.INACCURATE
    assert panel.verdict.text() == "Right lost 1.3 points. Up was best."
    assert panel.perfect.value_label.text() == "0 of 1"
    assert panel.lost.value_label.text() == "1.3"
    assert panel.combo.value_label.text() == "0"
    assert panel.grades.accessibleDescription() == "1 inaccurate"


def test_perfect_moves_add_up(page):
    press(page, Key.Key_Up)
    assert page.panel.word.text() == "Perfect"
    assert page.panel.verdict.text() == "Up was the best move."
    assert page.panel.perfect.value_label.text() == "1 of 1"
    assert page.panel.lost.value_label.text() == "0"
    assert page.panel.combo.value_label.text() == "1"


@pytest.mark.parametrize(
    "keys", [(Key.Key_Up, Key.Key_Down), (Key.Key_W, Key.Key_S), (Key.Key_K, Key.Key_J)]
)
def test_arrows_and_letters_play(page, keys):
    press(page, *keys)
    assert [move.direction for move in session(page).moves] == [2, 3]


def test_an_illegal_move_is_explained(page):
    press(page, Key.Key_Left)
    assert page.panel.refusal.text() == "Left isn't possible: nothing slides that way."
    press(page, Key.Key_Up)
    assert page.panel.refusal.text() == ""


def test_a_move_that_leaves_the_formation_is_explained(new_page, table, settings):
    settings.set("test.is_turned", False)
    table.rates[L3_START] = (None, 0.9, None, 0.8)
    page = new_page()
    press(page, Key.Key_Up)
    assert page.panel.refusal.text() == (
        "Up breaks the formation, so it can't be graded. The result will say that you tried."
    )
    assert session(page).n_moves == 0
    press(page, Key.Key_Right)
    assert session(page).n_moves == 1


def test_a_move_that_leaves_the_formation_is_no_free_hint(new_page, table, settings):
    """The result says how many were tried; the same again counts once."""
    settings.set("test.is_turned", False)
    settings.set("test.goal_moves", 50)
    table.rates[L3_START] = (None, 0.9, None, 0.8)
    page = new_page()
    press(page, Key.Key_Up, Key.Key_Up, Key.Key_Right)
    assert session(page).n_breaking == session(page).copy().n_breaking == 1
    assert "You tried 1 move that breaks the formation." in end_text(session(page))


def test_tries_that_break_the_formation_are_counted_as_they_are_made(new_page, table, settings):
    settings.set("test.is_turned", False)
    table.rates[L3_START] = (None, 0.9, None, None)
    page = new_page()
    press(page, Key.Key_Up, Key.Key_Down)
    assert page.panel.refusal.text() == (
        "Down breaks the formation, so it can't be graded. You have tried 2 such moves."
    )


def test_a_slow_table_says_so(page, lookups, qtbot):
    lookups.at_once = False
    press(page, Key.Key_Up, Key.Key_Down)
    qtbot.waitUntil(lambda: "Reading" in page.panel.refusal.text())
    lookups.work_off()
    assert page.panel.refusal.text() == ""
    assert session(page).n_moves == 2


def test_focus_hides_what_tells_how_well_one_plays(page, settings):
    press(page, Key.Key_Right)
    hints = (page.panel.rows, page.panel.verdict, page.panel.perfect, page.panel.grades)
    assert all(hint.isVisible() for hint in hints)
    press(page, Key.Key_X)
    assert not any(hint.isVisible() for hint in hints)
    assert page.panel.focus_label.text() == "Rates and grades are hidden."
    assert settings.get("test.focus") is True
    press(page, Key.Key_N, Key.Key_Left)
    assert page.panel.refusal.text()  # no hint: it would be the same without a table
    press(page, Key.Key_Up, Key.Key_X)
    assert all(hint.isVisible() for hint in hints)


def test_in_focus_no_rates_are_promised_and_the_eye_shows_them(page):
    eye = next(one for one in page.actions() if one.objectName() == "focus")
    crossed_out = eye.icon().pixmap(24).toImage()
    assert (eye.iconText(), eye.text()) == ("Hide rates", "Hide rates and grades")
    sentence = page.panel.notice.title_label
    assert sentence.text().endswith("The rates come after it.")
    press(page, Key.Key_X)
    assert sentence.text().endswith("come at the end.")
    assert (eye.iconText(), eye.text()) == ("Show rates", "Show rates and grades")
    assert eye.icon().pixmap(24).toImage() != crossed_out
    press(page, Key.Key_N, Key.Key_X)
    assert sentence.text().endswith("The rates come after it.")
    assert eye.icon().pixmap(24).toImage() == crossed_out


def test_a_test_in_focus_shows_all_at_its_end(page):
    press(page, Key.Key_X)
    type_hex(page, NEAR_START)
    press(page, Key.Key_Right)
    assert page.panel.result.isVisible()
    assert page.panel.grades.isVisible()


def test_a_start_can_be_typed(page):
    type_hex(page, "2000 0000 1fff 2fff")
    assert page.board_view.cells == cells(0x2000_0000_1FFF_2FFF)
    assert page.board_view.hasFocus()
    press(page, Key.Key_Up, Key.Key_N)
    assert page.board_view.cells == cells(0x2000_0000_1FFF_2FFF)
    QTest.keyClick(
        page.board_view,
        Key.Key_N,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert page.board_view.cells == cells(L3_START)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("12", "It ends after 2 of 16 digits"),
        ("x000000000000000", "'x' is not a hexadecimal digit"),
        ("1234567812345678", "The large tiles are not where L3 has them."),
    ],
)
def test_a_start_that_is_none_is_explained(page, table, text, reason):
    table.outside.add(0x1234_5678_1234_5678)
    before = session(page)
    type_hex(page, text)
    assert reason in page.panel.hex_field.error_label.text()
    assert session(page) is before


def test_starts_are_turned_when_that_is_wanted(page):
    page.panel.rules.turn_box.click()
    found = set()
    for _ in range(60):
        press(page, Key.Key_N)
        found.add(tuple(page.board_view.cells))
    assert found <= {tuple(image) for image in images(cells(L3_START), "full")}
    assert len(found) == 8
    page.panel.rules.turn_box.click()
    press(page, Key.Key_N)
    assert page.board_view.cells == cells(L3_START)


def test_rules_are_remembered_and_count_from_the_next_test_on(page, new_page):
    page.panel.rules.undo_box.click()
    assert not session(page).setup.allows_undo
    press(page, Key.Key_N)
    assert session(page).setup.allows_undo
    assert page.panel.rules.disclosure.summary_label.text() == (
        "no rotation, undo, no forced moves, no time limit"
    )
    again = new_page()
    assert again.starts.rules == ExamRules(
        is_turned=False, allows_undo=True, leaves_out_forced=True, seconds_per_move=0
    )
    assert again.panel.rules.rules == again.starts.rules


def test_undo_is_marked(page):
    press(page, Key.Key_Right, Key.Key_Backspace)
    assert session(page).n_moves == 1  # not allowed
    page.panel.rules.undo_box.click()
    press(page, Key.Key_N, Key.Key_Right, Key.Key_Backspace)
    assert page.board_view.cells == cells(L3_START)
    assert page.panel.perfect.value_label.text() == "\N{EN DASH}"
    assert page.panel.perfect.note_label.text() == "1 taken back"
    press(page, Key.Key_Up)
    assert page.panel.verdict.text() == "Up was the best move. You undid an earlier try."


def test_a_gray_undo_says_why(page):
    undo = page.actions_by_name["undo"]
    assert undo.text() == "Undo: off, see Rules"
    page.panel.rules.undo_box.setChecked(True)
    press(page, Key.Key_N)
    assert undo.text() == "Take back the last move"


def test_forced_moves_are_left_out_unless_saved_rules_count_them(new_page, table, settings):
    settings.set("test.is_turned", False)
    table.rates[L3_START] = (None, 0.9, None, None)
    page = new_page()
    press(page, Key.Key_Right)
    assert page.panel.verdict.text() == "Right was the only move."
    assert page.panel.grades.counts == (0,) * 7
    assert page.panel.perfect.value_label.text() == "\N{EN DASH}"
    settings.set("test.leaves_out_forced", False)
    page = new_page()
    press(page, Key.Key_N, Key.Key_Right)
    assert page.panel.perfect.value_label.text() == "1 of 1"


def test_a_rematch_has_the_same_start_and_tiles(page):
    page.panel.rules.turn_box.click()
    press(page, Key.Key_N)
    play_some(page, 12)
    first = session(page)
    press_with(page, SHIFT, Key.Key_N)
    assert page.board_view.cells == cells(first.setup.start)
    play_some(page, 12)
    assert session(page).board == first.board
    assert session(page) is not first


def test_the_time_for_a_move_is_shown_and_runs_out(page, clock, qtbot):
    assert not page.panel.time_row.isVisible()
    combo = page.panel.rules.time_combo
    combo.setCurrentIndex(combo.findData(10))
    combo.activated.emit(combo.currentIndex())
    press(page, Key.Key_N)
    assert page.panel.time_row.isVisible()
    assert page.panel.time_label.text() == "10\N{NO-BREAK SPACE}s"
    clock.seconds += 4
    qtbot.waitUntil(lambda: page.panel.time_label.text() == "6.0\N{NO-BREAK SPACE}s")
    assert page.panel.time_bar.value() == pytest.approx(600, abs=2)
    press(page, Key.Key_Up)
    clock.seconds += 10.5
    qtbot.waitUntil(lambda: page.panel.result.isVisible())
    assert page.panel.result.title_label.text().startswith("256 not reached")
    assert not page.panel.time_row.isVisible()
    press(page, Key.Key_Right)
    assert session(page).n_moves == 1


def test_the_clock_waits_while_the_page_is_not_in_front(page, clock):
    page.starts.rules = ExamRules(is_turned=False, seconds_per_move=10)
    press(page, Key.Key_N)
    page.hide()
    clock.seconds += 1000
    page.show()
    page.player.check_clock()
    assert page.player.is_playing


def test_the_position_is_copied_and_pasted(page):
    press_with(page, CTRL, Key.Key_C)
    assert QGuiApplication.clipboard().text() == f"{L3_START:016x}"
    QGuiApplication.clipboard().setText("200000001fff2fff")
    press_with(page, CTRL, Key.Key_V)
    assert page.board_view.cells == cells(0x2000_0000_1FFF_2FFF)


def test_a_drawn_board_and_a_picture_of_one_are_pasted(page, qtbot):
    QGuiApplication.clipboard().setText("4|.|.|.\n.|.|.|.\n2|F|F|F\n4|F|F|F")
    press_with(page, CTRL, Key.Key_V)
    assert page.board_view.cells == cells(0x2000_0000_1FFF_2FFF)
    page.board_view.show_board(cells(0x1200_0000_1FFF_2FFF))
    QGuiApplication.clipboard().setImage(page.board_view.picture().toImage())
    press_with(page, CTRL, Key.Key_V)
    qtbot.waitUntil(lambda: page.player.run.setup.start == 0x1200_0000_1FFF_2FFF)


def test_practice_is_asked_for_with_the_position(page, qtbot):
    press(page, Key.Key_Up)
    with qtbot.waitSignal(page.practice_requested) as asked:
        press_with(page, CTRL, Key.Key_P)
    assert asked.args == [TABLES[0].path, f"{session(page).board:016x}"]


def test_without_a_table_one_is_asked_for(page, qtbot):
    page.set_tables([])
    button = page.invitation.buttons[0]
    with qtbot.waitSignal(page.tables_requested):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_deleted_table_is_let_go(page, table):
    press(page, Key.Key_Up)
    page.close_table(TABLES[0].path)
    assert table.is_closed
    assert page.panel.notice.title_label.text() == "L3 \N{RIGHTWARDS ARROW} 256 is closed"
    press(page, Key.Key_Up)
    assert page.player.run is None


def test_a_table_that_cannot_be_read_can_be_tried_again(page, table, qtbot):
    from engine.platform.errors import AppError

    def broken(_board: int, _comes_up: bool = False) -> None:
        raise AppError("layer 17 is damaged")

    usual, table.probe = table.probe, broken  # type: ignore[method-assign,assignment]
    press(page, Key.Key_Up)
    assert page.panel.notice.text_label.text() == "Layer 17 is damaged."
    table.probe = usual  # type: ignore[method-assign]
    qtbot.mouseClick(page.panel.notice.buttons[0], Qt.MouseButton.LeftButton)
    assert session(page).n_moves == 1
    play_some(page, 1)
    assert session(page).n_moves == 2


def test_other_colors_change_nothing_else(page):
    type_hex(page, NEAR_START)
    press(page, Key.Key_Right)
    before = page.panel.result.text_label.text()
    theme_source().use(plain_theme(is_dark=True))
    assert page.panel.result.text_label.text() == before


def test_all_can_be_read_aloud(page):
    press(page, Key.Key_Right)
    assert page.panel.rows.accessibleDescription().startswith("Up 99.31 %, best")
    assert page.panel.mark.accessibleName() == "inaccurate"
    assert page.board_view.accessibleDescription().startswith("row 1: ")
    for action in page.actions():
        assert action.text()
        # Rarely needed: in the menu and the palette.
        assert action.shortcuts() or ".json" in action.text(), action.text()


def test_clicks_beside_the_board_leave_it_the_keys(page, qtbot):
    panel = page.panel
    rules = panel.rules
    for part in (panel.notice.text_label, rules.disclosure.button, rules.turn_box):
        qtbot.mouseClick(part, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
        assert page.board_view.hasFocus(), part
    assert rules.disclosure.is_open
    n_moves = session(page).n_moves
    QTest.keyClick(page.focusWidget(), Qt.Key.Key_Up)
    assert session(page).n_moves == n_moves + 1


def test_nothing_moves_when_a_warning_comes_and_goes(page):
    press(page, Key.Key_Up)
    board = session(page)
    illegal = next(d for d in range(4) if not board.is_legal(d))
    QApplication.processEvents()
    below = [page.panel.perfect, page.panel.grades, page.panel.hex_field, page.panel.rules]
    before = [part.y() for part in below]
    press(page, (Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down)[illegal])
    QApplication.processEvents()
    assert "isn't possible" in page.panel.refusal.text()
    assert [part.y() for part in below] == before


def test_another_page_asks_for_a_test_and_the_one_under_way_goes_on(page):
    play_some(page, 1)
    under_way = session(page)
    page.begin_on(TABLE_PATH)
    assert session(page) is under_way
    page.player.close()
    page.begin_on(TABLE_PATH)
    assert session(page) is not under_way


def test_a_test_that_is_asked_for_before_the_last_one_is_read_goes_on_with_that(new_page, files):
    first = new_page()
    play_some(first, 2)
    first.close_page()
    files.at_once = False
    second = new_page()
    second.begin_on(TABLE_PATH)
    files.at_once = True
    files.work_off()
    assert session(second).n_moves == 2


@pytest.mark.thorough
def test_g_begins_at_a_position(page, qtbot):
    press(page, Qt.Key.Key_G)
    field = page.panel.hex_field.edit
    assert field.hasFocus()
    qtbot.keyClicks(field, NEAR_START)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert f"{session(page).board:016x}" == NEAR_START
