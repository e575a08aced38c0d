"""From the Game page to Review: the file that one writes is the one that the other opens."""

import pytest

from gui.play.page_actions import MOVES
from gui.shell.app import Program
from tests.gui.game.driver import set_board
from tests.gui.page_driver import action

NAMES = tuple(MOVES)  # of the actions that move, by direction


@pytest.fixture
def program(program, qtbot) -> Program:
    running = program("Game")
    qtbot.waitUntil(lambda: running.pages["Game"].session is not None)
    return running


def test_the_empty_page_offers_the_game_that_was_played(qtbot, qapp, data_dir, program):
    game = program.pages["Game"]
    for _ in range(3):
        action(game, NAMES[game.session.game.legal_moves()[0]]).trigger()
    start = list(game.session.game.played()[0])
    program.close()
    later = Program(qapp, data_dir)
    qtbot.addWidget(later.window)
    later.window.show()
    review = later.pages["Review"]
    later.window.show_page(review)
    qtbot.waitUntil(review.invitation.other_button.isVisible)
    review.invitation.other_button.click()
    qtbot.waitUntil(lambda: review.board_view.cells == start)
    assert later.window.page is review
    later.close()


@pytest.mark.sample(1)
@pytest.mark.parametrize("board", ["", "4310 2100 1000 0000"])
def test_a_game_is_shown_in_review_from_its_start(program, qtbot, board):
    game, review = program.pages["Game"], program.pages["Review"]
    if board:
        set_board(game, board)
        assert game.session.game.text == board.replace(" ", "")
    for _ in range(12):
        action(game, NAMES[game.session.game.legal_moves()[0]]).trigger()
    assert game.session.game.n_moves == 12
    action(game, "review").trigger()
    qtbot.waitUntil(lambda: program.window.page is review)
    start = list(game.session.game.played()[0])
    qtbot.waitUntil(lambda: review.board_view.cells == start)
