"""How games come to Review: files, drops, tests, other pages; each keeps its place."""

import struct
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog

from coach.exam.history import History
from coach.old_files.opening import open_user_database
from coach.recordings.recording import recording_of
from engine.formats.rpl import write_rpl
from engine.formats.verse2048 import write_new
from gui.review.lines import N_PLIES, lines_from
from gui.review.page import ReviewPage
from gui.widgets.file_dialogs import FileDrop
from tests.coach.games import NamedTable, random_game, with_gap
from tests.coach.made_sessions import STARTED, played
from tests.gui.review.conftest import Desk, choose_least_loss, make_desk

KEYS = Qt.Key


@pytest.mark.thorough
def test_each_file_keeps_its_place_and_marks_their_threshold(game, qtbot, settings):
    game.page.go_to(33)
    game.page.files.open(game.folder / "442_128_b.rpl")
    game.page.go_to(7)
    game.page.files.open(game.folder / "L3_512_a.rpl")
    assert game.position == 33
    choose_least_loss(game.page, 0.1)
    other = make_desk(qtbot, settings, game.folder)
    other.page.page_shown()
    assert other.page.game.recording.name == "L3_512_a.rpl"
    assert other.position == 33
    assert other.page.game.least_loss == 0.1
    other.page.frame.file_combo.activated.emit(1)
    assert other.page.game.recording.name == "442_128_b.rpl"
    assert other.position == 7


def test_a_remembered_file_that_is_gone_is_dropped_in_silence(game, qtbot, settings):
    (game.folder / "L3_512_a.rpl").unlink()
    other = make_desk(qtbot, settings, game.folder)
    other.page.page_shown()
    assert other.texts() == []
    assert other.page.invitation.isVisible()


def test_what_cannot_be_opened_is_told_and_the_game_stays(game):
    bad = game.folder / "notes.txt"
    bad.write_text("shopping list")
    game.page.files.open(bad)
    assert len(game.texts()) == 1
    assert "notes.txt" in game.texts()[0]
    assert game.page.game.recording.name == "L3_512_a.rpl"
    game.page.files.open(game.folder / "442_128_b.rpl")
    assert game.texts() == []


def test_of_a_damaged_file_the_start_is_shown(desk):
    path = desk.folder / "L3_512_torn.rpl"
    path.write_bytes(write_rpl(random_game(60))[: 25 * 20])
    desk.page.files.open(path)
    assert desk.page.game.recording.n_moves >= 18
    assert f"{desk.page.game.n_moves} moves of " in desk.texts()[0]


def test_a_game_with_a_gap_goes_on_after_it_and_says_so(desk):
    path = desk.folder / "L3_512_gap.rpl"
    path.write_bytes(write_rpl(with_gap(random_game(60), 20, 25)))
    desk.page.files.open(path)
    (text,) = desk.texts()
    assert "55 moves of L3_512_gap.rpl were read. Moves are missing after move 20" in text
    desk.page.go_to(20)
    assert "Moves are missing before this position" in desk.page.panel.tile_label.text()
    recording = desk.page.game.recording
    _, played = lines_from(NamedTable(rate="uint32"), recording, 17)
    assert len(played.directions) == 2
    assert len(lines_from(NamedTable(rate="uint32"), recording, 20)[1].directions) == N_PLIES


def test_the_newest_test_is_found(desk):
    desk.action("latest").trigger()
    assert "No tests yet" in desk.texts()[0]
    with closing(History(open_user_database(desk.folder))) as tests:
        for i, name in enumerate(("old.json", "new.json")):
            tests.add_file(name, played(10 + i), STARTED)
    desk.action("latest").trigger()
    assert desk.page.game.recording.name == "new.json"
    assert desk.page.game.recording.table == "L3_256"
    assert desk.texts() == []


def test_without_a_file_the_latest_test_is_shown(desk):
    with closing(History(open_user_database(desk.folder))) as tests:
        tests.add_file("new.json", played(10), STARTED)
    desk.page.page_shown()
    assert desk.page.game.recording.name == "new.json"


def veil(page: ReviewPage) -> FileDrop:
    found = page.findChild(FileDrop)
    assert found is not None
    return found


def drop(page: ReviewPage, *paths: Path) -> bool:
    """Drop files; return whether the page said what that does, while they were over it."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    action, button, none = (
        Qt.DropAction.CopyAction,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    enter = QDragEnterEvent(QPoint(200, 200), action, mime, button, none)
    QApplication.sendEvent(page, enter)
    covered = veil(page).isVisible()
    QApplication.sendEvent(page, QDropEvent(QPointF(200, 200), action, mime, button, none))
    return covered


def offered(desk: Desk) -> list[str]:
    combo = desk.page.frame.file_combo
    return [Path(combo.itemData(i) or combo.itemText(i)).name for i in range(combo.count())]


def test_files_can_be_dropped_onto_the_page(desk):
    assert drop(desk.page, desk.folder / "442_128_b.rpl")
    assert not veil(desk.page).isVisible()
    assert desk.page.game.recording.name == "442_128_b.rpl"


@pytest.mark.thorough
def test_only_the_file_asked_for_last_is_shown(desk):
    desk.tasks.at_once = False
    for name in ("L3_512_a.rpl", "442_128_b.rpl"):
        desk.page.files.open(desk.folder / name)
    desk.tasks.work_off()
    assert desk.page.game.recording.name == "442_128_b.rpl"
    assert offered(desk) == ["442_128_b.rpl"]


def test_a_game_that_is_sent_is_not_replaced_by_a_file_that_comes_late(desk):
    desk.tasks.at_once = False
    desk.page.files.open(desk.folder / "442_128_b.rpl")
    desk.page.review(recording_of(random_game(20), "Segment 3"))
    desk.tasks.work_off()
    assert desk.page.game.recording.name == "Segment 3"


def test_another_page_can_send_a_game_that_is_in_no_file(desk, qtbot, settings):
    desk.page.review(recording_of(random_game(20), "Segment 3"))
    assert desk.page.frame.file_combo.currentText() == "Segment 3"
    desk.press(KEYS.Key_Right)
    assert offered(desk) == ["Segment 3"]
    again = make_desk(qtbot, settings, desk.folder)
    again.page.page_shown()
    assert again.page.invitation.isVisible(), "it is nowhere to be read again"
    desk.page.review(desk.folder / "442_128_b.rpl")
    assert Path(desk.page.frame.file_combo.currentData()).name == "442_128_b.rpl"


def test_choosing_a_file_does_not_hold_up_the_window(desk, qtbot):
    desk.action("open").trigger()  # returns at once
    dialog = desk.page.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(desk.folder / "442_128_b.rpl"))
    dialog.reject()
    qtbot.waitUntil(lambda: desk.page.game.recording is not None)
    assert desk.page.game.recording.name == "442_128_b.rpl"


def test_a_file_is_opened_at_the_position_asked_for_or_where_it_was_left(desk):
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


def test_of_several_dropped_files_the_others_are_in_the_list(desk):
    names = ["verse.txt", "442_128_b.rpl", "L3_512_a.rpl"]
    drop(desk.page, *(desk.folder / name for name in names))
    assert desk.page.game.recording.name == "verse.txt"
    combo = desk.page.frame.file_combo
    assert offered(desk) == names
    assert desk.texts() == ["The other 2 files are in the list above."]
    combo.activated.emit(1)
    assert desk.page.game.recording.name == "442_128_b.rpl"
    assert desk.texts() == []


def test_the_history_of_a_game_is_opened(desk):
    start = 0x1100_0000_0000_0000
    rows = [(start, 0, 0), (0x2000_0001_0000_0000, 4, 1), (0x0002_0001_1000_0000, 4, 2)]
    data = b"".join(struct.pack("<QIB", *row) for row in rows)
    assert len(data) == 3 * 13
    (desk.folder / "history").write_bytes(data)
    desk.page.files.open(desk.folder / "history")
    recording = desk.page.game.recording
    assert recording.boards == tuple(board for board, _, _ in rows)
    assert [(one.direction, one.cell, one.exponent) for one in recording.replay.moves] == [
        (0, 7, 1),
        (1, 8, 1),
    ]
    desk.press(KEYS.Key_End)
    assert tuple(desk.page.board_view.cells) == recording.positions[2]


def test_a_copied_game_is_pasted(desk):
    replay = random_game(50, with_rates=False)
    QGuiApplication.clipboard().setText(write_new(replay))
    desk.press(KEYS.Key_V, modifier=Qt.KeyboardModifier.ControlModifier)
    recording = desk.page.game.recording
    assert recording.name == "Pasted game"
    assert recording.replay.moves == replay.moves
    desk.page.sharing.actions["copy_card"].trigger()
    assert QGuiApplication.clipboard().image().width() == 1200


def test_what_is_no_game_is_not_pasted(game):
    before = game.page.game.recording
    QGuiApplication.clipboard().setText("see you at nine")
    game.press(KEYS.Key_V, modifier=Qt.KeyboardModifier.ControlModifier)
    assert "2048next ('REPLAY_v1RPL_B64_...')" in game.texts()[0]
    assert game.page.game.recording is before
    QGuiApplication.clipboard().clear()
    game.press(KEYS.Key_V, modifier=Qt.KeyboardModifier.ControlModifier)
    assert "expected a recorded game" in game.texts()[0]
