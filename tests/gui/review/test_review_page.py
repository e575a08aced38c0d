"""Review as a person uses it: files, keys, marks, charts, tables, the way to Practice and back."""

import os
import struct
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from engine.formats.replay import Replay, ReplayMove
from engine.formats.rpl import write_rpl
from gui.settings import Settings
from gui.widgets.review_charts import LUCK, MATCH
from tablebase.coach.recording import open_recording, recording_of
from tablebase.coach.session_file import write_session
from tests.gui.review.conftest import TABLE_PATH, Desk, make_desk
from tests.tablebase.coach.games import random_game
from tests.tablebase.coach.made_sessions import played

KEYS = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_an_empty_page_invites_to_open_a_game(desk: Desk) -> None:
    frame = desk.page.frame
    assert frame.invitation.isVisible()
    assert [button.text() for button in frame.invitation.buttons] == [
        "Open a recorded game",
        "Open the latest test",
    ]
    enabled = {action.objectName() for action in desk.page.actions() if action.isEnabled()}
    assert enabled == {"open", "latest"}


def test_a_game_is_shown_from_its_start(game: Desk) -> None:
    page, recording = game.page, game.page.game.recording
    assert recording
    assert not page.frame.invitation.isVisible()
    assert tuple(page.board_view.cells) == recording.positions[0]
    assert page.panel.move_figure.value_label.text() == "1"
    assert page.panel.move_figure.note_label.text() == "of 120"
    assert page.panel.cross.rates == recording.rates[0]
    played_cells = [cell.is_played for cell in page.panel.cross.cells]
    assert played_cells.index(True) == recording.replay.moves[0].direction
    assert played_cells.count(True) == 1
    assert page.frame.file_combo.currentText() == "L3_512_a.rpl"
    assert page.panel.controls.table_name == "L3 \N{RIGHTWARDS ARROW} 512"


def test_keys_walk_through_the_game(game: Desk) -> None:
    game.press(KEYS.Key_Right, KEYS.Key_Return, KEYS.Key_D)
    assert game.position == 3
    game.press(KEYS.Key_Left, KEYS.Key_Backspace)
    assert game.position == 1
    game.press(KEYS.Key_PageDown, KEYS.Key_PageDown)
    assert game.position == 21
    game.press(KEYS.Key_PageUp)
    assert game.position == 11
    game.press(KEYS.Key_End)
    assert game.position == 120
    game.press(KEYS.Key_Home)
    assert game.position == 0


def test_every_position_is_the_one_of_the_record(game: Desk) -> None:
    recording = game.page.game.recording
    assert recording
    game.page.panel.charts.show_chart(MATCH)
    for i in range(1, recording.n_moves + 1):
        game.press(KEYS.Key_Right)
        assert tuple(game.page.board_view.cells) == recording.positions[i]
        assert game.page.slider.value() == i
        assert game.page.panel.charts.charts[MATCH].cursor_index == i


def test_n_goes_from_mark_to_mark_and_shift_n_back(game: Desk) -> None:
    recording, marks = game.page.game.recording, game.page.game.marks
    assert recording
    slow = [
        i
        for i, move in enumerate(recording.replay.moves)
        if move.rates
        and max(r or 0 for r in move.rates) > 0
        and (move.rates[move.direction] or 0) <= 0.99 * max(r or 0 for r in move.rates)
    ]
    assert marks == slow
    assert len(marks) > 10
    seen = []
    for _ in marks:
        game.press(KEYS.Key_N)
        seen.append(game.position)
    assert seen == [mark for mark in marks if mark > 0] + ([seen[-1]] if marks[0] == 0 else [])
    game.press(KEYS.Key_N, modifier=SHIFT)
    assert game.position == marks[-2]


def test_the_threshold_decides_what_is_marked(game: Desk) -> None:
    page = game.page
    before = list(page.game.marks)
    page.panel.controls.threshold_chips.buttons[0.1].click()
    assert set(page.game.marks) < set(before)
    assert sum(n + 1 for _, _, n in page.slider.drawn_marks) == len(page.game.marks)
    worst = page.game.recording.judgements
    assert all(worst[i].loss >= 0.1 for i in page.game.marks)


def test_a_mark_says_and_shows_its_grade(game: Desk) -> None:
    recording = game.page.game.recording
    slider = game.page.slider
    for x, mark, _ in slider.drawn_marks:
        judgement = recording.judgements[mark.index]
        assert mark.grade is judgement.grade
        tip = slider.tip_at(QPointF(x, 29))
        assert tip.startswith(f"Move {mark.index + 1}: {judgement.grade.value}, ")


def test_slider_chart_and_worst_moves_lead_to_their_positions(game: Desk, qtbot: QtBot) -> None:
    page = game.page
    x = round(page.slider.x_of(77))
    qtbot.mouseClick(page.slider, Qt.MouseButton.LeftButton, pos=QPoint(x, 10))
    assert game.position == page.slider.position_at(x)
    page.panel.charts.show_chart(LUCK)
    qtbot.keyClick(page.panel.charts.charts[LUCK], KEYS.Key_End)
    assert game.position == 120
    page.panel.summary.worst_buttons[0].click()
    assert game.position == page.game.recording.worst(1)[0]


def test_space_plays_to_the_end_and_stops(game: Desk, qtbot: QtBot) -> None:
    game.page.panel.controls.speed_slider.setValue(30)
    game.page.go_to(116)
    game.press(KEYS.Key_Space)
    qtbot.waitUntil(lambda: game.position == 120)
    assert game.page._actions["auto"].text() == "Play by itself"
    game.press(KEYS.Key_Space)  # from the start again
    assert game.position == 0
    game.press(KEYS.Key_Space)
    position = game.position
    qtbot.wait(120)
    assert game.position == position


def test_walking_by_hand_stops_the_player(game: Desk, qtbot: QtBot) -> None:
    game.page.panel.controls.speed_slider.setValue(30)
    game.press(KEYS.Key_Space, KEYS.Key_PageDown)
    qtbot.wait(120)
    assert game.position == 10


def test_the_verdict_names_what_was_given_away(game: Desk) -> None:
    page, recording = game.page, game.page.game.recording
    worst = recording.worst(1)[0]
    page.go_to(worst)
    assert " was best." in page.panel.verdict.text() or " were best." in page.panel.verdict.text()
    assert page.panel.mark.grade is recording.judgements[worst].grade
    perfect = next(i for i, one in enumerate(recording.judgements) if one and one.is_perfect)
    page.go_to(perfect)
    assert "gave away" not in page.panel.verdict.text()


def test_the_figures_are_those_of_the_position(game: Desk) -> None:
    game.page.go_to(60)
    score = game.page.game.recording.scores[60]
    figure = game.page.panel.combo_figure
    assert figure.value_label.text() == str(score.combo)
    assert figure.note_label.text() == f"best {score.longest_combo}"


def test_the_summary_has_the_whole_game(game: Desk) -> None:
    recording, figures = game.page.game.recording, game.page.panel.summary.figures
    assert figures["Longest combo"] == str(recording.score.longest_combo)
    assert set(figures) >= {"Moves", "Match rate", "Largest loss", "Luck"}
    assert game.page.panel.summary.bar.counts == recording.score.counts


def test_the_end_is_told(game: Desk) -> None:
    game.press(KEYS.Key_End)
    panel = game.page.panel
    assert panel.move_figure.value_label.text() == "End"
    assert panel.notice.title_label.text() == "The game ends here"
    game.press(KEYS.Key_Left)
    assert panel.stack.currentWidget() is panel.cross


# Files ------------------------------------------------------------------------------------------


def test_each_file_keeps_its_place_and_marks_their_threshold(
    game: Desk, qtbot: QtBot, settings: Settings
) -> None:
    game.page.go_to(33)
    game.page.open_file(game.folder / "442_128_b.rpl")
    game.page.go_to(7)
    game.page.open_file(game.folder / "L3_512_a.rpl")
    assert game.position == 33
    game.page.panel.controls.threshold_chips.buttons[0.1].click()
    other = make_desk(qtbot, settings, game.folder)
    other.page.page_shown()
    assert other.page.game.recording.name == "L3_512_a.rpl"
    assert other.position == 33
    assert other.page.game.least_loss == 0.1
    other.page.frame.file_combo.activated.emit(1)
    assert other.page.game.recording.name == "442_128_b.rpl"
    assert other.position == 7


def test_a_remembered_file_that_is_gone_is_dropped_in_silence(
    game: Desk, qtbot: QtBot, settings: Settings
) -> None:
    (game.folder / "L3_512_a.rpl").unlink()
    other = make_desk(qtbot, settings, game.folder)
    other.page.page_shown()
    assert other.texts() == []
    assert other.page.frame.invitation.isVisible()


def test_what_cannot_be_opened_is_told_and_the_game_stays(game: Desk) -> None:
    bad = game.folder / "notes.txt"
    bad.write_text("shopping list")
    game.page.open_file(bad)
    assert len(game.texts()) == 1
    assert "notes.txt" in game.texts()[0]
    assert game.page.game.recording.name == "L3_512_a.rpl"
    game.page.open_file(game.folder / "442_128_b.rpl")
    assert game.texts() == []


def test_of_a_damaged_file_the_start_is_shown(desk: Desk) -> None:
    path = desk.folder / "L3_512_torn.rpl"
    path.write_bytes(write_rpl(random_game(60))[: 25 * 20])
    desk.page.open_file(path)
    assert desk.page.game.recording.n_moves >= 18
    assert f"could be read up to move {desk.page.game.n_moves}" in desk.texts()[0]


def test_the_newest_test_is_found(desk: Desk) -> None:
    desk.page._actions["latest"].trigger()
    assert "no test yet" in desk.texts()[0]
    tests = desk.folder / "tests"
    for i, name in enumerate(("new.json", "old.json")):
        write_session(tests / name, played(10 + i))
        os.utime(tests / name, (1_000_000 - i, 1_000_000 - i))
    desk.page._actions["latest"].trigger()
    assert desk.page.game.recording.name == "new.json"
    assert desk.page.game.recording.table == "L3_256"
    assert desk.texts() == []


def drop(page: object, path: Path) -> bool:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    action, button, none = (
        Qt.DropAction.CopyAction,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    enter = QDragEnterEvent(QPoint(200, 200), action, mime, button, none)
    QApplication.sendEvent(page, enter)
    covered = page._drop.isVisible()
    QApplication.sendEvent(page, QDropEvent(QPointF(200, 200), action, mime, button, none))
    return covered


def test_files_can_be_dropped_onto_the_page(desk: Desk) -> None:
    assert drop(desk.page, desk.folder / "442_128_b.rpl")
    assert not desk.page._drop.isVisible()
    assert desk.page.game.recording.name == "442_128_b.rpl"


def test_only_the_file_asked_for_last_is_shown(desk: Desk) -> None:
    desk.tasks.at_once = False
    for name in ("L3_512_a.rpl", "442_128_b.rpl"):
        desk.page.open_file(desk.folder / name)
    desk.tasks.work_off()
    assert desk.page.game.recording.name == "442_128_b.rpl"
    assert [path.name for path in desk.page._memory.recent] == ["442_128_b.rpl"]


def test_a_game_that_is_sent_is_not_replaced_by_a_file_that_comes_late(desk: Desk) -> None:
    desk.tasks.at_once = False
    desk.page.open_file(desk.folder / "442_128_b.rpl")
    desk.page.review(recording_of(random_game(20), "Segment 3"))
    desk.tasks.work_off()
    assert desk.page.game.recording.name == "Segment 3"


def test_another_page_can_send_a_game_that_is_in_no_file(desk: Desk) -> None:
    desk.page.review(recording_of(random_game(20), "Segment 3"))
    assert desk.page.frame.file_combo.currentText() == "Segment 3"
    desk.press(KEYS.Key_Right)
    assert desk.page._memory.recent == []
    desk.page.review(desk.folder / "442_128_b.rpl")
    assert desk.page.frame.file_combo.currentText() == "442_128_b.rpl"


# Tables -----------------------------------------------------------------------------------------


def test_a_game_without_rates_is_rated_by_a_table(desk: Desk) -> None:
    page = desk.page
    page.open_file(desk.folder / "verse.txt")
    assert page.panel.notice.title_label.text() == "This recording holds no rates"
    assert page.panel.notice.buttons[0].text() == "Rate by L3 \N{RIGHTWARDS ARROW} 512"
    assert page.game.marks == []
    page.go_to(9)
    page.panel.notice.buttons[0].click()
    recording = page.game.recording
    assert desk.position == 9
    assert recording.source == "L3_512"
    assert page.panel.cross.rates == desk.table.rates_at(recording.boards[9])
    assert page.game.marks
    assert desk.table.is_closed
    assert desk.texts() == []


def test_a_recording_is_checked_against_the_table_of_today(game: Desk) -> None:
    page, recording = game.page, game.page.game.recording
    page.panel.controls.rate_button.click()
    assert "positions differ from L3_512" in game.texts()[0]
    assert page.game.recording.source == "L3_512"
    assert page.game.recording.positions == recording.positions
    page.panel.controls.rate_button.click()
    assert "have the rates of L3_512" in game.texts()[0]


def test_rating_can_be_cancelled_and_leaves_the_game_as_it_is(desk: Desk) -> None:
    page = desk.page
    page.open_file(desk.folder / "verse.txt")
    desk.tasks.at_once = False
    page.panel.notice.buttons[0].click()
    assert page.panel.controls.cancel_button.isVisible()
    page.panel.controls.cancel_button.click()
    desk.tasks.work_off()
    assert desk.table.asked == []
    assert page.game.recording.source == ""
    assert not page.panel.controls.cancel_button.isVisible()


def test_a_rating_that_comes_late_does_not_disturb_another_game(desk: Desk) -> None:
    page = desk.page
    page.open_file(desk.folder / "verse.txt")
    desk.tasks.at_once = False
    page.panel.notice.buttons[0].click()
    page.open_file(desk.folder / "442_128_b.rpl")
    desk.tasks.work_off()
    assert page.game.recording.name == "442_128_b.rpl"
    assert page.game.recording.source == "file"


def test_a_table_about_to_be_deleted_is_let_go(desk: Desk) -> None:
    page = desk.page
    page.open_file(desk.folder / "verse.txt")
    desk.tasks.at_once = False
    page.panel.notice.buttons[0].click()
    page.close_table(TABLE_PATH)
    desk.tasks.work_off()
    assert desk.table.asked == []


def test_practice_gets_table_and_position_and_review_keeps_its_place(game: Desk) -> None:
    game.page.go_to(42)
    game.page._actions["practice"].trigger()
    board = f"{game.page.game.recording.boards[42]:016x}"
    assert game.sent == [(TABLE_PATH, board)]
    game.page.hide()
    game.page.show()
    game.page.page_shown()
    assert game.position == 42


def test_practice_without_its_table_says_which_is_missing(desk: Desk, qtbot: QtBot) -> None:
    desk.page.open_file(desk.folder / "442_128_b.rpl")
    desk.page._actions["practice"].trigger()
    assert desk.sent == []
    assert "442_128" in desk.texts()[0]
    with qtbot.waitSignal(desk.page.tables_requested):
        desk.page.frame.banners.banners[0].buttons[0].click()


def test_the_position_can_be_copied(game: Desk) -> None:
    game.page.go_to(5)
    game.page.panel.controls.copy_button.click()
    board = f"{game.page.game.recording.boards[5]:016x}"
    assert QGuiApplication.clipboard().text() == board
    assert game.page.panel.controls.hex_edit.text() == board


def test_the_best_move_is_drawn_when_asked_for(game: Desk) -> None:
    game.press(KEYS.Key_H)
    game.page.go_to(3)
    rates = game.page.game.recording.rates[3]
    best = max(rate for rate in rates if rate is not None)
    assert game.page.board_view.hint == rates.index(best)
    game.press(KEYS.Key_H)
    assert game.page.board_view.hint is None


@pytest.mark.parametrize("size", [(740, 520), (1200, 760), (400, 300)])
def test_it_can_be_drawn_at_any_size(game: Desk, size: tuple[int, int]) -> None:
    game.page.resize(*size)
    assert not game.page.grab().isNull()


def test_a_recording_of_a_walled_board_shows_its_walls(desk: Desk) -> None:
    path = desk.folder / "w.txt"
    path.write_text(
        "3x3-1_\N{VULGAR FRACTION THREE QUARTERS}\xfa0\N{VULGAR FRACTION THREE QUARTERS}\xfag"
    )
    recording = open_recording(path)
    assert recording.replay.walls
    desk.page.review(replace(recording, name="walled"))
    assert desk.page.board_view.cells[15] == 15


def test_choosing_a_file_does_not_hold_up_the_window(desk: Desk, qtbot: QtBot) -> None:
    desk.page._actions["open"].trigger()  # returns at once
    dialog = desk.page.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(desk.folder / "442_128_b.rpl"))
    dialog.reject()
    qtbot.waitUntil(lambda: desk.page.game.recording is not None)
    assert desk.page.game.recording.name == "442_128_b.rpl"


def test_a_file_is_opened_at_the_position_asked_for_or_where_it_was_left(desk: Desk) -> None:
    path = desk.folder / "L3_512_a.rpl"
    desk.page.review(path, 17)
    assert desk.position == 17
    desk.press(KEYS.Key_Right)
    desk.page.review(path)
    assert desk.position == 18
    desk.page.review(path, 9999)
    assert desk.position == 120
    desk.page.review(path, 0)
    assert desk.position == 0


def test_of_several_dropped_files_the_others_are_in_the_list(desk: Desk) -> None:
    names = ["verse.txt", "442_128_b.rpl", "L3_512_a.rpl"]
    desk.page._open_dropped([desk.folder / name for name in names])
    assert desk.page.game.recording.name == "verse.txt"
    combo = desk.page.frame.file_combo
    assert [combo.itemText(i) for i in range(combo.count())] == names
    assert desk.texts() == ["The other 2 files are in the list of recorded games above."]
    combo.activated.emit(1)
    assert desk.page.game.recording.name == "442_128_b.rpl"
    assert desk.texts() == []


def test_forced_moves_can_be_left_out_of_the_score(desk: Desk) -> None:
    full = (1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 0, 1, 2, 1)  # left is the only way on
    both = (0.5, None, None, None)
    replay = Replay(full, (ReplayMove(0, 15, 1, both),))
    recording = recording_of(replay)
    assert recording.judgements[0].is_forced
    page = desk.page
    page.review(recording)
    assert page.game.recording.score.n_moves == 1
    page.panel.controls.forced_box.click()
    assert page.game.recording.score.n_moves == 0
    assert page.game.recording.score.n_forced == 1
    assert page.panel.summary.figures["Forced moves left out"] == "1"
    page.panel.controls.forced_box.click()
    assert page.game.recording.score.n_moves == 1


def test_large_tiles_are_locked_as_the_table_of_the_game_has_them(desk: Desk) -> None:
    start = (1, 0, 0, 0, 0, 0, 0, 0, 0, 14, 13, 12, 2, 11, 10, 9)
    replay = Replay(start, (ReplayMove(1, 0, 1),))
    desk.page.review(recording_of(replay, table="L3_512"))
    assert desk.page.board_view._locked == {9, 10, 11, 13, 14, 15}
    desk.page.review(recording_of(replay))
    assert not desk.page.board_view._locked
    masked = tuple(15 if one > 8 else one for one in start)
    same = Replay(masked, (ReplayMove(1, 0, 1),), merge_32768=False)
    desk.page.review(recording_of(same))
    assert desk.page.board_view._locked == {9, 10, 11, 13, 14, 15}


def test_the_history_of_a_game_is_opened(desk: Desk) -> None:
    start = 0x1100_0000_0000_0000
    rows = [(start, 0, 0), (0x2000_0001_0000_0000, 4, 1), (0x0002_0001_1000_0000, 4, 2)]
    data = b"".join(struct.pack("<QIB", *row) for row in rows)
    assert len(data) == 3 * 13
    (desk.folder / "history").write_bytes(data)
    desk.page.open_file(desk.folder / "history")
    recording = desk.page.game.recording
    assert recording.boards == tuple(board for board, _, _ in rows)
    assert [(one.direction, one.cell, one.exponent) for one in recording.replay.moves] == [
        (0, 7, 1),
        (1, 8, 1),
    ]
    desk.press(KEYS.Key_End)
    assert tuple(desk.page.board_view.cells) == recording.positions[2]
