"""Boards pasted as people write them."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bitboard import cells, draw_board, format_board
from engine.errors import InvalidBoardError
from gui.text.boards import describe_cells, read_board

BOARD = 0x1230_0000_00A0_00BF  # 2 4 8 . / . . . . / . . 1024 . / . . 2048 32768

SAME = {
    "digits": "12300000 00a000bf",
    "digits with 0x": "0x1230_0000_00A0_00BF",
    "drawn": "2 4 8 .\n. . . .\n. . 1024 .\n. . 2048 32768",
    "noughts": "2 4 8 0 0 0 0 0 0 0 1024 0 0 0 2048 32768",
    "framed": (
        "+----+----+----+----+\n|  2 |  4 |  8 |  . |\n+----+----+----+----+\n| . | . | . | . |\n"
        "+----+----+----+----+\n| . | . | 1k | . |\n| . | . | 2k | 32k |\n+----+----+----+----+"
    ),
    "a list of lists": "[[2, 4, 8, 0], [0, 0, 0, 0], [0, 0, 1024, 0], [0, 0, 2048, 32768]]",
    "exponents": "1 2 3 0  0 0 0 0  0 0 10 0  0 0 11 15",
    "four groups": "1230\n0000\n00a0\n00bf",
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_many_ways_to_write_one_board(text: str) -> None:
    assert read_board(text).board == BOARD
    assert read_board(text).note == ""


def test_a_wall_is_f() -> None:
    assert read_board(". . . #\n. . . #\n2 . . #\n# # # #").board == 0x000F_000F_100F_FFFF


def test_tiles_that_outgrow_a_nibble_are_said() -> None:
    pasted = read_board("65536 2 . . . . . . . . . . . . . .")
    assert pasted.board == 0xF100_0000_0000_0000
    assert pasted.note == "65536 is shown as 32768."


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no text"),
        ("hello", "not a hexadecimal digit"),
        ("2 4 8", "3 of 16"),
        ("2 4 8 .\n. . . .", "8 cells"),
        ("6 24 100 0 0 0 0 0 0 0 0 0 0 0 0 0", "'6' is not a tile"),
        ("a b c d e f g h i j k l m n o p", "'a' is not a tile"),
        ("2 " * 5000, "characters"),
        ("12300000 00a000b", "15 of 16"),
        ("99999999999999999999 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "is not a tile"),
    ],
)
def test_what_is_no_board_is_explained(text: str, complaint: str) -> None:
    with pytest.raises(InvalidBoardError, match=complaint):
        read_board(text)


@given(st.integers(0, (1 << 64) - 1))
def test_what_is_copied_can_be_pasted(board: int) -> None:
    assert read_board(format_board(board)).board == board
    assert read_board(draw_board(board)).board == board


@given(st.text(max_size=80))
def test_no_text_does_harm(text: str) -> None:
    with contextlib.suppress(InvalidBoardError):
        assert 0 <= read_board(text).board < 1 << 64


def test_a_screen_reader_is_told_the_board_row_by_row() -> None:
    """F is a wall in a table that has walls, a tile of 32768 in any other."""
    board = cells(0x120F_000F_00AF_FFFF)
    walled, open_ = describe_cells(board, True), describe_cells(board, False)
    assert walled == (
        "row 1: 2, 4, empty, wall; row 2: empty, empty, empty, wall; "
        "row 3: empty, empty, 1024, wall; row 4: wall, wall, wall, wall"
    )
    assert open_ == walled.replace("wall", "32768")
