"""From the Game page to Review: the file that one writes is the one that the other opens."""

import pytest

from gui.app import Program


@pytest.fixture
def program(qtbot, qapp, data_dir):
    program = Program(qapp, data_dir)
    qtbot.addWidget(program.window)
    program.window.show()
    program.window.show_page(program.game)
    qtbot.waitUntil(lambda: program.game.session is not None)
    yield program
    program.close()


@pytest.mark.parametrize("board", ["", "4310 2100 1000 0000"])
def test_a_game_is_shown_in_review_from_its_start(program, qtbot, board):
    game, review = program.game, program.review
    if board:
        game._set_hex(board)
    for _ in range(12):
        game._play(game.session.game.legal_moves()[0])
    game._actions["review"].trigger()
    qtbot.waitUntil(lambda: program.window.page is review)
    start = list(game.session.game.played()[0])
    qtbot.waitUntil(lambda: review.board_view.cells == start)
