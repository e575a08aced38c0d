"""What tables do for Review: rates, checks, practice, which tiles are locked."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from coach.recordings.recording import recording_of
from engine.formats.replay import Replay, ReplayMove
from tests.gui.review.conftest import TABLE_PATH, Desk

KEYS = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier


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
    game.action("practice").trigger()
    board = f"{game.page.game.recording.boards[42]:016x}"
    assert game.sent == [(TABLE_PATH, board)]
    game.page.hide()
    game.page.show()
    game.page.page_shown()
    assert game.position == 42


def test_practice_without_its_table_says_which_is_missing(desk: Desk, qtbot: QtBot) -> None:
    desk.page.open_file(desk.folder / "442_128_b.rpl")
    desk.action("practice").trigger()
    assert desk.sent == []
    assert "442_128" in desk.texts()[0]
    with qtbot.waitSignal(desk.page.tables_requested):
        desk.page.frame.banners.banners[0].buttons[0].click()


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
    assert desk.page.board_view.locked == {9, 10, 11, 13, 14, 15}
    desk.page.review(recording_of(replay))
    assert desk.page.board_view.locked == set()
    masked = tuple(15 if one > 8 else one for one in start)
    same = Replay(masked, (ReplayMove(1, 0, 1),), merge_32768=False)
    desk.page.review(recording_of(same))
    assert desk.page.board_view.locked == {9, 10, 11, 13, 14, 15}
