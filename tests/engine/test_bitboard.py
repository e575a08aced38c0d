import numpy as np
import oracle
import pytest
from boards import random_boards, to_number
from hypothesis import given
from hypothesis import strategies as st

from engine.bitboard import (
    cells,
    check_board,
    draw_board,
    format_board,
    from_cells,
    parse_board,
    tile_sum,
    transpose,
)
from engine.platform.errors import AppError, InvalidBoardError

BOARDS = st.integers(0, (1 << 64) - 1)


def test_cells_start_at_the_top_left_which_is_the_highest_nibble():
    assert cells(0x1234_5678_9ABC_DEF0) == [*range(1, 16), 0]


@given(BOARDS)
def test_cells_and_text_lead_back_to_the_board(board):
    assert from_cells(cells(board)) == board
    assert parse_board(format_board(board)) == board
    assert len(format_board(board)) == 16


@given(BOARDS)
def test_tile_sum_and_transpose_agree_with_the_oracle(board):
    assert tile_sum(board) == oracle.tile_sum(cells(board))
    assert cells(transpose(board)) == oracle.transposed(cells(board))


@pytest.mark.parametrize(
    "text",
    [
        "123000000000000f",
        "0x123000000000000F",
        "0X1230_0000_0000_000f",
        " 1230 0000 0000 000f\n",
        "1_2_3_0 0000 0000 000f",
        "\t0x 123000000000000f",
    ],
)
def test_a_board_may_be_written_in_several_ways(text):
    assert parse_board(text) == 0x1230_0000_0000_000F


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 1),
        ("0x", 3),
        ("12g0000000000000", 3),
        ("  12g0000000000000", 5),
        ("1230 0000 0000 00", 18),
        ("123000000000000f0", 17),
        ("0x0x00000000000000", 4),
        ("1230-0000-0000-0000", 5),
        ("+123000000000000", 1),
        ("１２３０000000000000", 1),
        ("12300000\n00000000", 9),
        ("0000000000000000x", 17),
    ],
)
def test_what_is_no_board_is_refused_with_the_position_of_the_first_bad_character(text, position):
    with pytest.raises(InvalidBoardError, match=rf"\(position {position}\); expected 16"):
        parse_board(text)


def test_a_refused_board_is_a_users_mistake_and_a_value_error():
    assert issubclass(InvalidBoardError, AppError)
    assert issubclass(InvalidBoardError, ValueError)


@pytest.mark.parametrize("exponents", [[0] * 15, [0] * 17, [0] * 15 + [16], [-1] + [0] * 15])
def test_exponents_that_do_not_fit_are_refused(exponents):
    with pytest.raises(InvalidBoardError):
        from_cells(exponents)


@pytest.mark.parametrize("board", [-1, 1 << 64, 1.0, "12", None])
def test_a_number_that_is_no_board_is_refused(board):
    with pytest.raises(InvalidBoardError):
        check_board(board)


def test_a_numpy_number_is_a_board():
    assert check_board(np.uint64(1 << 63)) == 1 << 63
    assert format_board(np.uint64(1 << 63)) == "8000000000000000"
    assert cells(np.uint64(1 << 63))[0] == 8


def test_a_drawing_shows_every_tile_in_place():
    for board in random_boards(1, 50):
        drawn = [line.split() for line in draw_board(to_number(board)).splitlines()]
        assert drawn == oracle.rows([str(2**tile) if tile else "." for tile in board])


def test_a_drawing_shows_walls_when_asked_to():
    assert draw_board(0xF, walls=True).split()[-1] == "#"
    assert draw_board(0xF).split()[-1] == "32768"
