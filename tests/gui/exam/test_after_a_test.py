"""After a test: its result, its file, the history, and mistakes."""

from contextlib import closing
from itertools import compress
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from coach.exam.history import History
from coach.exam.session_file import CURRENT, read_session
from coach.exam.starts import ExamRules
from coach.grading.grade import FINE_GRADES
from coach.mistakes.mistake import NotedMove
from coach.mistakes.mistakes import Mistakes
from coach.old_files.opening import open_user_database
from coach.record.database import DatabaseError
from engine.bitboard import cells
from engine.formats.reading import read_replay
from engine.platform.errors import AppError
from gui.exam.page import ExamPage
from tests.coach.made_sessions import played as made
from tests.coach.made_sessions import write_session
from tests.gui.exam.driver import NEAR_START, kept, lose_all, moves_of, play_some, session, type_hex
from tests.gui.page_driver import CTRL, SHIFT, banner_texts, press, press_with
from tests.gui.practice_fakes import L3_START, TABLES

Key = Qt.Key


def finish(page: ExamPage) -> None:
    """Take a test of one move that reaches the target."""
    type_hex(page, NEAR_START)
    press(page, Key.Key_Right)
    assert session(page).end is not None


def test_the_end_says_what_it_adds_up_to(page):
    finish(page)
    result = page.panel.result
    assert result.title_label.text() == "256 reached"
    figures = (result.perfect, result.lost, result.streak)  # left was possible as well
    assert [figure.value_label.text() for figure in figures] == ["0 of 1", "1.4", "0"]
    assert result.text_label.text() == ""
    assert [button.text() for button in result.worst_buttons] == [
        "Move 1: right, \N{MINUS SIGN}1.4 pts"
    ]


def test_the_result_offers_to_drill_what_went_wrong(page, qtbot):
    finish(page)
    button = page.panel.result.buttons["drill"]
    assert button.text() == "Drill 1 move"
    with qtbot.waitSignal(page.drill_requested):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_result_is_still_there_in_another_language(page, new_page):
    finish(page)
    state = page.state()
    page.close_page()
    other = new_page()
    other.restore(state)
    assert other.panel.result.isVisible()
    assert other.panel.result.title_label.text() == "256 reached"
    press(other, Key.Key_N)
    assert not session(other).end, "and another test can begin"


def test_the_worst_moves_are_one_click_away(page, table, lookups, qtbot):
    press(page, Key.Key_Up, Key.Key_Right)
    play_some(page, 5)
    lose_all(page, table, lookups)
    moves = session(page).moves
    result = page.panel.result
    assert result.title_label.text() == "256 not reached"
    assert result.text_label.text() == "The target is out of reach now."
    is_wrong = [m.judgement.grade not in FINE_GRADES for m in moves]
    assert is_wrong.count(False) > 1, "an excellent one, too: it is none of the worst"
    losses = sorted((m.judgement.loss for m in compress(moves, is_wrong)), reverse=True)
    worst = next(m for m in moves if m.judgement.loss == losses[0])
    assert len(result.worst_buttons) == min(5, len(losses))
    qtbot.mouseClick(result.worst_buttons[0], Qt.MouseButton.LeftButton)
    assert page.board_view.cells == cells(worst.board)
    assert page.board_view.hint == worst.judgement.best[0]
    assert page.panel.small_board.cells == cells(worst.board)
    assert result.chart.cursor_index == moves.index(worst) + 1
    with qtbot.waitSignal(page.practice_requested) as asked:
        press_with(page, CTRL, Key.Key_P)
    assert asked.args == [TABLES[0].path, f"{worst.board:016x}"]


def test_the_chart_leads_to_a_move(page, table, lookups):
    play_some(page, 5)
    lose_all(page, table, lookups)
    moves = session(page).moves
    page.panel.result.chart.picked.emit(3)
    assert page.board_view.cells == cells(moves[2].board)


def test_r_keeps_the_test_before_it_begins_anew(page, tmp_path):
    play_some(page, 7)
    left = session(page)
    press(page, Key.Key_N)
    (test,) = kept(tmp_path)
    assert moves_of(tmp_path, test).moves == left.moves
    assert session(page).n_moves == 0
    assert page.panel.perfect.value_label.text() == "\N{EN DASH}"
    assert page.panel.grades.counts == (0,) * 7
    press(page, Key.Key_N)
    assert kept(tmp_path) == [test]  # there was nothing in it


def test_a_test_in_play_survives_a_crash(page, new_page):
    play_some(page, 9)
    left = session(page)
    page.hide()
    again = new_page()  # the first one was never closed
    assert session(again).moves == left.moves
    assert again.board_view.cells == cells(left.board)
    assert again.panel.perfect.value_label.text() == page.panel.perfect.value_label.text()
    play_some(again, 1)
    assert session(again).n_moves == 10


@pytest.mark.thorough
def test_the_last_mistake_of_a_killed_test_is_filed_with_its_move(page, new_page):
    noted: list[NotedMove] = []
    press(page, Key.Key_Right)  # the mistake is not filed: the program is killed before
    page.hide()
    again = new_page(note_mistake=noted.append)
    (move,) = session(again).moves
    assert [(told.number, told.judgement) for told in noted] == [(1, move.judgement)]
    again.hide()
    new_page(note_mistake=noted.append)
    assert noted[1] == noted[0], "filed at the same time, it is the same"


@pytest.mark.thorough
def test_moves_taken_back_are_not_in_a_killed_test(page, new_page):
    page.starts.rules = ExamRules(is_turned=False, allows_undo=True)
    press(page, Key.Key_N)
    play_some(page, 4)
    press(page, Key.Key_Backspace)
    play_some(page, 1)
    page.hide()
    again = new_page()
    assert session(again).moves == session(page).moves
    assert session(again).n_undos == session(page).n_undos == 1


@pytest.mark.thorough
def test_a_move_taken_back_after_the_end_is_not_lost_in_a_crash(
    page, new_page, table, lookups, tmp_path
):
    page.starts.rules = ExamRules(is_turned=False, allows_undo=True)
    press(page, Key.Key_N)
    play_some(page, 3)
    lose_all(page, table, lookups)
    assert session(page).end is not None
    assert len(kept(tmp_path)) == 1
    press(page, Key.Key_Backspace)
    assert kept(tmp_path) == []
    page.hide()
    again = new_page()
    assert session(again).n_moves == 3
    assert session(again).n_undos == 1


@pytest.mark.thorough
def test_a_test_that_is_over_does_not_come_back(page, new_page):
    finish(page)
    page.hide()
    again = new_page()
    assert session(again).n_moves == 0


@pytest.mark.thorough
def test_a_test_whose_table_is_gone_is_kept(page, new_page, tmp_path):
    play_some(page, 3)
    with closing(History(open_user_database(tmp_path))) as history, history.writing() as db:
        db.execute("UPDATE run SET table_name = 't_512'")
    page.hide()
    again = new_page()
    assert session(again).n_moves == 0
    press_with(again, CTRL, Key.Key_H)
    assert [test.table for test in again.history.list.model.rows] == ["t_512"]


def test_a_full_drive_is_said_once_and_what_found_no_room_is_written_later(
    page, new_page, monkeypatch
):
    full = Mock(side_effect=DatabaseError("cannot use user.db: database or disk is full"))
    play_some(page, 2)
    with monkeypatch.context() as patch:
        patch.setattr("coach.record.runs.insert_moves", full)
        play_some(page, 2)
        assert session(page).n_moves == 4
        assert banner_texts(page) == ["Cannot use user.db: database or disk is full."]
    play_some(page, 1)
    assert "Your test is being saved again, with every move." in banner_texts(page)
    page.hide()
    assert session(new_page()).moves == session(page).moves


def test_a_test_in_the_database_that_cannot_be_is_given_up(page, new_page, tmp_path):
    play_some(page, 3)
    with closing(History(open_user_database(tmp_path))) as history, history.writing() as db:
        db.execute("UPDATE move SET direction = 3 - direction WHERE number = 2")
    page.hide()
    again = new_page()
    assert session(again).n_moves == 0
    assert [test.n_moves for test in kept(tmp_path)] == [3]


def test_files_put_into_the_folder_are_in_the_history_when_it_is_opened(page, tmp_path):
    folder = tmp_path / "tests"
    write_session(folder / "from_elsewhere.json", made(12))
    write_session(folder / CURRENT, made(5, by=1))
    (folder / "no_test.json").write_text("{")
    for _ in range(2):
        press_with(page, CTRL, Key.Key_H)
        assert [test.name for test in page.history.list.model.rows] == ["from_elsewhere.json"]
        page.show_list(False)
    assert moves_of(tmp_path, kept(tmp_path)[0]).moves == made(12).moves


def test_review_opens_the_test(page, qtbot, tmp_path):
    play_some(page, 5)
    with qtbot.waitSignal(page.review_requested) as running:
        press_with(page, CTRL, Key.Key_R)
    with closing(History(open_user_database(tmp_path))) as history:
        assert history.session(running.args[0].name).moves == session(page).moves
    finish(page)
    with qtbot.waitSignal(page.review_requested) as over:
        press_with(page, CTRL, Key.Key_R)
    assert over.args[0].name.startswith("L3_256_")
    with closing(History(open_user_database(tmp_path))) as history:
        assert history.session(over.args[0].name).end is session(page).end


def test_review_opens_at_the_move_that_was_looked_at(page, table, lookups, qtbot):
    play_some(page, 5)
    lose_all(page, table, lookups)
    result, moves = page.panel.result, session(page).moves
    result.worst_buttons[0].click()
    worst = max(range(len(moves)), key=lambda i: moves[i].judgement.loss)
    with qtbot.waitSignal(page.review_requested) as asked:
        press_with(page, CTRL, Key.Key_R)
    assert asked.args[1] == worst


def test_a_test_is_saved_as_a_recording(page, tmp_path):
    play_some(page, 6)
    press_with(page, CTRL, Key.Key_S)
    (path,) = (tmp_path / "replays").glob("*.rpl")
    name, replay = read_replay(path.read_bytes())
    assert name == "rpl"
    assert [(m.direction, m.cell, m.exponent) for m in replay.moves] == [
        (m.direction, m.cell, m.exponent) for m in session(page).moves
    ]
    assert str(path) in page.banners.banners[0].text_label.text()


def test_a_test_is_exported_as_the_file_that_earlier_versions_wrote(page, tmp_path):
    play_some(page, 6)
    page.actions_by_name["export_json"].trigger()
    (path,) = (tmp_path / "replays").glob("L3_256_*.json")
    assert read_session(path).moves == session(page).moves


@pytest.mark.thorough
def test_the_history_lists_what_was_played(page, qtbot):
    press_with(page, CTRL, Key.Key_H)
    assert page.history.empty.isVisible()
    qtbot.mouseClick(page.history.empty.button, Qt.MouseButton.LeftButton)
    for n_moves in (4, 6):
        play_some(page, n_moves)
        press(page, Key.Key_N)
    finish(page)
    press_with(page, CTRL, Key.Key_H)
    model = page.history.list.model
    assert page.history.list.view.isVisible()
    rows = [[model.data(model.index(r, c)) for c in (1, 3, 9)] for r in range(3)]
    assert [(table, perfect.partition(" of ")[2], end) for table, perfect, end in rows] == [
        ("L3 \N{RIGHTWARDS ARROW} 256", "1", "target reached"),
        ("L3 \N{RIGHTWARDS ARROW} 256", "6", "stopped early"),
        ("L3 \N{RIGHTWARDS ARROW} 256", "4", "stopped early"),
    ]
    assert page.history.filter.table_combo.itemText(1) == "L3 \N{RIGHTWARDS ARROW} 256 (3)"
    page.history.list.view.sortByColumn(4, Qt.SortOrder.DescendingOrder)
    assert [test.n_moves for test in model.rows] == [6, 4, 1]
    before = session(page).board
    press(page, Key.Key_Up)
    assert session(page).board == before  # the board is not in front
    qtbot.keyClick(page.history.list.view, Key.Key_Escape)
    assert page.frame.shows_board


def test_the_history_is_searched_by_date_and_by_where_a_test_began(page, qtbot, clock):
    play_some(page, 4)
    press(page, Key.Key_N)
    clock.seconds += 40 * 24 * 3600
    finish(page)
    press_with(page, CTRL, Key.Key_H)
    history, found = page.history, lambda: [test.n_moves for test in page.history.list.model.rows]
    assert history.list.count_label.text().startswith("2 tests. 1 stopped early")
    assert not history.clear_button.isVisible()
    dates = history.filter.date_combo
    dates.setCurrentIndex(dates.findText("Last 7 days"))
    dates.activated.emit(dates.currentIndex())
    assert found() == [1]
    assert history.list.count_label.text() == "1 of 2 tests"
    qtbot.mouseClick(history.clear_button, Qt.MouseButton.LeftButton)
    assert found() == [1, 4]
    search = history.filter.search_edit
    qtbot.keyClicks(search, f"{L3_START:016x}")
    qtbot.waitUntil(lambda: found() == [4])
    search.selectAll()
    qtbot.keyClicks(search, "no hex")
    qtbot.waitUntil(history.filter.error_label.isVisible)
    assert "'no hex' is not a part of a position" in history.filter.error_label.text()
    qtbot.keyClick(search, Key.Key_Escape)
    qtbot.waitUntil(lambda: found() == [1, 4])
    assert not history.filter.error_label.isVisible()
    assert page.frame.shows_board is False


def test_the_chart_of_the_history_and_its_rows_go_together(page, clock):
    for _ in range(3):
        clock.seconds += 60
        finish(page)
    press_with(page, CTRL, Key.Key_H)
    rows = page.history.list.model.rows
    page.history.chart.picked.emit(0)
    assert page.history.list.view.chosen is rows[2]  # the oldest is at the left
    page.history.list.view.selectRow(0)
    assert page.history.chart.cursor_index == 2
    assert page.history.chart.read_out(2).startswith("Test 3:")
    assert page.history.list.count_label.text() == "3 tests"


def test_the_chart_leaves_out_tests_that_were_given_up(page):
    for n_moves in (3, 4):
        play_some(page, n_moves)
        press(page, Key.Key_N)
    finish(page)
    press_with(page, CTRL, Key.Key_H)
    history = page.history
    assert len(history.list.model.rows) == 3
    assert not history.chart.isVisible()
    text = "3 tests. 2 stopped early and aren't in the chart."
    assert history.list.count_label.text() == text
    history.list.view.selectRow(2)
    assert history.chart.cursor_index is None


def test_a_test_is_removed_from_the_history_and_comes_back(page, tmp_path, qtbot):
    for n_moves in (3, 4):
        play_some(page, n_moves)
        press(page, Key.Key_N)
    press_with(page, CTRL, Key.Key_H)
    qtbot.keyClick(page.history.list.view, Key.Key_Delete)
    assert [test.n_moves for test in page.history.list.model.rows] == [3]
    assert [test.n_moves for test in kept(tmp_path)] == [3]
    qtbot.mouseClick(page.banners.banners[0].buttons[0], Qt.MouseButton.LeftButton)
    assert [test.n_moves for test in page.history.list.model.rows] == [4, 3]


def test_a_removed_test_that_cannot_be_restored_can_be_restored_later(page, qtbot, monkeypatch):
    play_some(page, 3)
    press(page, Key.Key_N)
    press_with(page, CTRL, Key.Key_H)
    qtbot.keyClick(page.history.list.view, Key.Key_Delete)
    with monkeypatch.context() as patch:
        patch.setattr(History, "restore", Mock(side_effect=AppError("the disk is full")))
        page.deletion.undo()
    texts = banner_texts(page)
    assert texts == [
        "Removed from the history. Its moves still count under Progress.",
        "The disk is full.",
    ]
    qtbot.mouseClick(page.banners.banners[0].buttons[0], Qt.MouseButton.LeftButton)
    assert [test.n_moves for test in page.history.list.model.rows] == [3]


def test_a_test_of_the_history_is_played_again(page, qtbot):
    play_some(page, 5)
    first = session(page)
    press(page, Key.Key_N)
    press_with(page, CTRL, Key.Key_H)
    qtbot.mouseClick(page.history.list.buttons["history_rematch"], Qt.MouseButton.LeftButton)
    assert page.frame.shows_board
    assert session(page).setup == first.setup
    play_some(page, 5)
    assert [m.cell for m in session(page).moves] == [m.cell for m in first.moves]


def test_a_rematch_is_compared_with_the_best_before(page, new_page):
    finish(page)
    press_with(page, SHIFT, Key.Key_N)
    press(page, Key.Key_Right)
    text = page.panel.result.best_label.text()
    assert text == (
        "Your best with this start and these tiles kept 98.6 % of the chance, in 1 move."
    )
    state = page.state()
    page.close_page()
    other = new_page()
    other.restore(state)
    assert other.panel.result.best_label.text() == text, "in another language, too"


def test_mistakes_are_told_with_all_there_is_to_know(page):
    noted: list[NotedMove] = []
    page.note_mistake = noted.append
    press(page, Key.Key_Up)
    assert noted == []
    board = session(page).board
    legal = [d for d in range(4) if session(page).is_legal(d)]
    rates = page.player.answer.rates if page.player.answer else ()
    bad = min(legal, key=lambda d: rates[d] or 0)
    press(page, (Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down)[bad])
    (told,) = noted
    assert (told.key, told.board, told.judgement.direction) == (("L3_256", 0.1), board, bad)
    assert told.judgement == session(page).moves[1].judgement
    assert told.rates == rates
    assert told.source.startswith("L3_256_20260301-")
    assert (told.number, told.symmetry) == (2, "full")


def test_mistakes_are_filed(page, tmp_path):
    mistakes = Mistakes(open_user_database(tmp_path))
    page.note_mistake = mistakes.note
    press(page, Key.Key_Right)
    (row,) = mistakes.connection.execute("SELECT COUNT(*) FROM mistake").fetchone()
    assert row == 1
    mistakes.close()


def test_large_tiles_of_a_given_start_are_filed_as_the_table_has_them(page):
    noted: list[NotedMove] = []
    page.note_mistake = noted.append
    type_hex(page, "100000001bac2dfe")  # six different tiles of 256 and more
    press(page, Key.Key_Right)
    assert noted[0].board == L3_START


def test_an_answer_that_comes_after_the_page_is_closed_hurts_nobody(page, lookups, files):
    lookups.at_once = files.at_once = False
    press(page, Key.Key_Up, Key.Key_Down)
    page.close_page()
    lookups.work_off()
    assert session(page).n_moves == 2


def test_a_test_is_saved_as_a_text(page, tmp_path):
    press(page, Key.Key_Right)
    QTest.keyClick(
        page.board_view,
        Key.Key_S,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    (path,) = (tmp_path / "replays").glob("*.txt")
    lines = path.read_text().splitlines()
    assert lines[0] == "Test on L3 \N{RIGHTWARDS ARROW} 256, 2026-03-01 12:00 UTC"
    assert lines[3:13] == [
        "Move 1",
        "    2     .     .     .",
        "    .     .     .     .",
        "    2 32768 32768 32768",
        "    4 32768 32768 32768",
        "up 99.31 %, right 98.00 %, down 70.00 %",
        "Inaccurate. Right lost 1.3 points. Up was best.",
        "Chance kept: 98.7 %",
        "",
        lines[12],
    ]
    score = "0 of 1 moves perfect, 1.3 points lost in 1 move."
    assert lines[-2].startswith(f"Test stopped early. {score}")
    assert lines[-1] == "1 inaccurate"


def test_the_end_scrolls_the_panel_to_the_result(page):
    type_hex(page, NEAR_START)
    page.resize(page.width(), 560)
    page.panel.rules.disclosure.set_open(True)
    bar = page.panel.parentWidget().parentWidget().verticalScrollBar()
    QApplication.processEvents()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    page.board_view.setFocus()
    press(page, Key.Key_Right)
    assert session(page).end is not None
    assert bar.value() == 0
