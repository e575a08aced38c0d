"""Images of a position have one form, and its moves lead to images of the same after-states."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.grading.position import canonical_turn, position_symmetry
from engine.bitboard import parse_board
from engine.moves import move
from engine.platform.errors import InvalidBoardError
from engine.symmetry import canonical, images
from tablebase.formation.patterns_file import load_formations

BOARDS = st.integers(0, (1 << 64) - 1)
# Walls where each mode has them, so that turning keeps them in place.
WALLS = {
    "full": 0,
    "identity": 0,
    "horizontal": 0,
    "diagonal": 0,
    "rect2x4": 0xFFFF_0000_0000_FFFF,
    "square3x3": 0x000F_000F_000F_FFFF,
    "rect3x4": 0x0000_0000_0000_FFFF,
}


def test_a_board_worked_out_by_hand():
    """Mirrored, 2 4 . . becomes . . 4 2; the least image has both in the last row."""
    board = parse_board("1200 0000 0000 0000")
    turn = canonical_turn(board)
    assert turn.board == parse_board("0000 0000 0000 0021")
    # Turned by 180 degrees: left is right, up is down.
    assert turn.directions == (1, 0, 3, 2)
    assert turn.moved(("l", "r", "u", "d")) == ("r", "l", "d", "u")


@pytest.mark.parametrize("mode", WALLS)
@given(board=BOARDS)
def test_moves_of_a_turned_board_are_turned_moves(mode, board):
    walls = WALLS[mode]
    board |= walls
    turn = canonical_turn(board, mode)
    assert turn.board == canonical(board, mode)
    for direction in range(4):
        here = move(board, direction, bool(walls))
        there = move(turn.board, turn.directions[direction], bool(walls))
        assert canonical(here, mode) == canonical(there, mode)
        assert (here == board) == (there == turn.board)


@given(board=BOARDS)
def test_all_images_have_one_form(board):
    assert {canonical_turn(image).board for image in images(board, "full")} == {
        canonical_turn(board).board
    }


def test_only_walls_hold_a_position_in_place():
    found = {name: position_symmetry(one) for name, one in load_formations().items()}
    assert (found["L3"], found["442"]) == ("full", "full")
    assert (found["2x4"], found["3x3"], found["3x4"]) == ("rect2x4", "square3x3", "rect3x4")


def test_what_cannot_be_turned_is_refused():
    with pytest.raises(InvalidBoardError):
        canonical_turn(1 << 64)
    with pytest.raises(ValueError, match="square3x3"):
        canonical_turn(0, "round")
