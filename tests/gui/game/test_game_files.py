"""Games that leave the Game page: exports, the clipboard, Review."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtTest import QTest

from engine.formats.reading import read_replay
from engine.formats.replay import replay_of
from engine.formats.verse2048 import write_new, write_old
from tests.gui.game.driver import MIDDLE, OVER, make_page, play, play_out, set_board
from tests.gui.page_driver import CTRL, SHIFT, action, press, press_with


@pytest.mark.parametrize(
    ("modifier", "write", "suffix"), [(CTRL, write_old, ".txt"), (CTRL | SHIFT, write_new, ".vrs")]
)
def test_export_after_a_restart_has_the_whole_game(
    page, qtbot, settings, tasks, data_dir, kinds, modifier, write, suffix
):
    play(page, 20)
    want = write(replay_of(page.session.game))
    want = want if isinstance(want, bytes) else want.encode()
    again = make_page(qtbot, settings, tasks, data_dir, kinds)  # the first was never closed
    press_with(again, modifier, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: "saved" in said(again))
    (path,) = (data_dir / "replays").iterdir()
    assert path.suffix == suffix
    assert path.name.startswith(f"{again.session.game.score}_")
    assert path.read_bytes() == want
    assert len(want) > 20
    again.close_page()


def said(page) -> str:
    return " ".join(banner.text_label.text() for banner in page.banners.banners)


def test_an_export_stays_told_while_the_ai_plays_and_leads_on(page, qtbot, data_dir, monkeypatch):
    opened: list[Path] = []
    monkeypatch.setattr("gui.game.actions.open_folder", opened.append)
    play(page, 6)
    for name, signal in (
        ("Show in folder", None),
        ("Review", page.review_requested),
        ("Analyze", page.game_analysis_requested),
    ):
        press_with(page, CTRL, Qt.Key.Key_S)
        qtbot.waitUntil(lambda: "saved" in said(page))
        before = page.session.game.n_moves
        press(page, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda before=before: page.session.game.n_moves > before)
        (banner,) = page.banners.banners
        button = next(b for b in banner.buttons if b.text() == name)
        asked: list[Path] = []
        if signal:
            signal.connect(asked.append)
        button.click()
        assert not page.banners.banners, "it was used"
        (path,) = asked or opened
        assert path.parent == data_dir / "replays"
        assert path.is_file()


@pytest.mark.parametrize(
    "modifier",
    [
        Qt.KeyboardModifier.ControlModifier,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    ],
)
def test_a_game_from_a_set_position_is_saved_for_review(page, qtbot, data_dir, modifier):
    set_board(page, MIDDLE)
    play(page, 4)
    press_with(page, modifier, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: "saved" in said(page))
    assert "2048verse takes only games that begin with two new tiles" in said(page)
    (path,) = (data_dir / "replays").iterdir()
    kind, replay = read_replay(path.read_bytes())
    assert (path.suffix, kind, len(replay.moves)) == (".rpl", "rpl", 4)
    assert "".join(f"{one:x}" for one in replay.start) == MIDDLE.replace(" ", "")
    assert tuple(replay.positions())[-1] == page.session.game.cells


def leave(page) -> None:
    page.hide()
    page.show()


@pytest.mark.parametrize(
    "go_on",
    [
        lambda page: press(page, Qt.Key.Key_Escape),
        lambda page: press(page, Qt.Key.Key_Backspace),
        lambda page: set_board(page, OVER),
        leave,
    ],
)
def test_what_cannot_be_saved_is_told_until_it_is_no_longer_about_this(
    page, qtbot, data_dir, go_on
):
    play(page, 2)
    (data_dir / "replays").touch()  # where the folder should be
    press_with(page, CTRL, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: "Couldn't save the game" in said(page))
    go_on(page)
    assert not page.banners.banners


def test_copy_and_paste_carry_a_position(page):
    set_board(page, MIDDLE)
    press_with(page, CTRL, Qt.Key.Key_C)
    press(page, Qt.Key.Key_Left)
    press_with(page, CTRL, Qt.Key.Key_V)
    assert page.session.game.text == MIDDLE.replace(" ", "")


@pytest.mark.thorough
def test_a_drawn_board_and_a_picture_are_pasted(page, qtbot):
    drawn = "65536 2 . .\n. . . .\n. . 1k .\n. . . 8"
    QGuiApplication.clipboard().setText(drawn)
    press_with(page, CTRL, Qt.Key.Key_V)
    assert page.session.game.text == "g10000000" + "0a00003"
    picture = page.board_view.picture().toImage()
    set_board(page, MIDDLE)
    QGuiApplication.clipboard().setImage(picture)
    press_with(page, CTRL, Qt.Key.Key_V)
    qtbot.waitUntil(lambda: page.session.game.text == "g100000000a00003")


def test_a_picture_that_is_not_sure_is_shown_as_digits_first(page, qtbot):
    set_board(page, "1234 0000 0000 0000")
    picture = page.board_view.picture().toImage()
    painter = QPainter(picture)
    side = picture.width() / 4
    painter.fillRect(int(side * 0.4), int(side * 0.36), int(side * 0.15), int(side * 0.3), 0)
    painter.end()
    set_board(page, MIDDLE)
    QGuiApplication.clipboard().setImage(picture)
    press_with(page, CTRL, Qt.Key.Key_V)
    field = page.panel.hex_field
    qtbot.waitUntil(lambda: "row 1, column 1" in field.error_label.text())
    assert page.session.game.text == MIDDLE.replace(" ", ""), "nothing is taken yet"
    assert field.edit.text().endswith("234000000000000")
    field.edit.setText("1234000000000000")
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert page.session.game.text == "1234000000000000"


@pytest.fixture
def asked_for_review(page):
    found: list[Path] = []
    page.review_requested.connect(found.append)
    return found


def test_a_finished_game_opens_in_review_with_its_times(page, qtbot, asked_for_review):
    play_out(page)
    button = next(b for b in page.panel.notice.buttons if b.text() == "Review")
    button.click()
    qtbot.waitUntil(lambda: bool(asked_for_review))
    kind, replay = read_replay(asked_for_review[0].read_bytes())
    start, moves = page.session.game.played()
    assert kind == "verse-new"
    assert replay.start == start
    assert [(m.direction, (m.cell, m.exponent)) for m in replay.moves] == moves
    assert None not in [m.ms for m in replay.moves]
    assert not replay.problem


def test_what_was_undone_is_not_reviewed_and_a_game_from_a_set_position_is(
    page, qtbot, asked_for_review
):
    set_board(page, "4310 2100 1000 0000")
    play(page, 6)
    press(page, Qt.Key.Key_Backspace)
    press_with(page, CTRL, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: bool(asked_for_review))
    kind, replay = read_replay(asked_for_review[0].read_bytes())
    assert (kind, len(replay.moves)) == ("rpl", 5)
    assert tuple(replay.positions())[-1] == page.session.game.cells


def test_a_game_without_moves_has_nothing_to_review(page):
    assert not action(page, "review").isEnabled()
    set_board(page, OVER)
    assert [b.text() for b in page.panel.notice.buttons] == ["New", "Undo"]
