"""The board in words: square by square by the keyboard, moves and grades as they come."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from coach.grading.grade import Grade
from engine.bitboard import cells
from engine.trace import slide_cells
from gui.board import board_view
from gui.board.announcer import announce, announce_verdict
from gui.board.board_view import BoardView
from gui.widgets.banner import BannerStack
from tests.gui.counting import calls_of
from tests.gui.practice_fakes import board_of

BEFORE = cells(board_of("2 2 . .", "64 . . .", ". . . .", ". . . 4"))


@pytest.fixture
def said(monkeypatch) -> list[str]:
    """What a screen reader would say, were one running."""
    heard: list[str] = []

    def hear(event) -> None:
        if event.type() == QAccessible.Event.Announcement:
            heard.append(event.message())
            if event.politeness() == QAccessible.AnnouncementPoliteness.Assertive:
                heard.append("at once")

    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(QAccessible, "updateAccessibility", hear)
    return heard


@pytest.fixture
def view(qtbot) -> BoardView:
    view = BoardView()
    qtbot.addWidget(view)
    view.resize(400, 400)
    view.show_board(BEFORE)
    view.show()
    view.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    return view


def test_arrows_read_square_by_square_and_esc_plays_again(view, said):
    view.read_squares(True)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Up):
        QTest.keyClick(view, key)
    assert said == [
        "row 1, column 1: 2",
        "row 2, column 1: 64",
        "row 2, column 2: empty",
        "row 1, column 2: 2",
        "row 1, column 2: 2",
    ]
    assert view.accessibleName() == "row 1, column 2: 2"
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.read_cell is None
    assert view.accessibleName() == "Board"
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert len(said) == 5


def test_the_square_shows_where_the_keyboard_is(view):
    plain = view.grab().toImage()
    view.read_squares(True)
    assert view.grab().toImage() != plain


def test_a_move_says_where_to_and_what_came(view, said):
    motion = slide_cells(view.cells, 0)
    after = list(motion.cells)
    after[3] = 1
    view.animate(motion.slides, (3, 1), after)
    assert said == ["Left. New tile 2 in row 1, column 4."]


def test_a_grade_goes_before_what_is_said_of_a_move(view, said):
    announce_verdict(view, Grade.BLUNDER, "Up lost 4 points.")
    announce_verdict(view, None, "That's not possible on this board.")
    assert said == ["blunder: Up lost 4 points.", "That's not possible on this board."]


def test_messages_are_said_and_what_failed_at_once(qtbot, said):
    stack = BannerStack()
    qtbot.addWidget(stack)
    stack.show_message("info", "Saved.")
    stack.show_message("bad", "The disk is full.")
    assert said == ["Saved.", "The disk is full.", "at once"]


def test_before_qt_6_8_the_description_changes(view, said):
    announce(view, "Left.", event_type=None)
    assert view.accessibleDescription() == "Left."
    assert said == []


def test_nobody_listens_and_nothing_is_done(view, monkeypatch):
    def refuse(*_):
        raise AssertionError("nobody needs the words")

    monkeypatch.setattr(board_view, "describe_new_tile", refuse)
    motion = slide_cells(view.cells, 0)
    counted = calls_of(lambda: view.animate(motion.slides, (3, 1), list(motion.cells)))
    assert not counted["updateAccessibility"]


@pytest.mark.thorough
def test_a_key_reads_the_board_on_every_page_that_has_one(program, qtbot):
    running = program()
    window = running.window
    window.show_page(running.pages["Game"])
    window.activateWindow()
    qtbot.waitUntil(lambda: running.pages["Game"].session is not None)
    board = running.pages["Game"].board_view
    qtbot.waitUntil(board.hasFocus)
    before = running.pages["Game"].session.game.n_moves
    QTest.keyClick(board, Qt.Key.Key_I)
    QTest.keyClick(board, Qt.Key.Key_Right)
    assert board.read_cell == 1
    assert running.pages["Game"].session.game.n_moves == before
    QTest.keyClick(board, Qt.Key.Key_I)
    assert board.read_cell is None
    window.show_page(running.pages["Settings"])
    QTest.keyClick(window, Qt.Key.Key_I)  # there is only a sample, which shows one move
