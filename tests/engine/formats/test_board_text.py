"""Boards pasted as people write them."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bitboard import draw_board, format_board
from engine.formats.board_text import read_board
from engine.platform.errors import InvalidBoardError

BOARD = 0x1230_0000_00A0_00BF  # 2 4 8 . / . . . . / . . 1024 . / . . 2048 32768

# The state of the game in the browser: columns of tiles, each with its place.
FIRST_2048 = (
    '{"grid":{"size":4,"cells":[[{"position":{"x":0,"y":0},"value":2},null,null,null],'
    '[{"position":{"x":1,"y":0},"value":4},null,null,null],'
    '[{"position":{"x":2,"y":0},"value":8},null,{"position":{"x":2,"y":2},"value":1024},'
    '{"position":{"x":2,"y":3},"value":2048}],'
    '[null,null,null,{"position":{"x":3,"y":3},"value":32768}]]},'
    '"score":40000,"over":false,"won":true,"keepPlaying":true}'
)

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
    "single digits with letters": "1 2 3 0\n0 0 0 0\n0 0 a 0\n0 0 b f",
    "tabs with nothing between": "2\t4\t8\t\n\t\t\t\n\t\t1024\t\n\t\t2048\t32768\n",
    "commas with nothing between": "2,4,8,\n,,,\n,,1024,\n,,2048,32768",
    "commas and spaces": "2, 4, 8, 0\n0, 0, 0, 0\n0, 0, 1024, 0\n0, 0, 2048, 32768",
    "pipes with nothing between": (
        "+---+\n|2|4|8| |\n+---+\n| | | | |\n+---+\n| | |1024| |\n| | |2048|32768|\n+---+"
    ),
    "pipes inside only": "2|4|8|\n|||\n||1024|\n||2048|32768",
    "dots in a row": "2 4 8 .\n....\n.. 1024 .\n.. 2048 32768",
    "a list with None": "[[2, 4, 8, None], [None, None, None, None], [0, 0, 1024, 0], "
    "[0, 0, 2048, 32768]]",
    "a list with null": "[2,4,8,null, 0,0,0,0, null,null,1024,0, 0,0,2048,32768]",
    "an object": '{"score": 12, "board": [[2,4,8,0],[0,0,0,0],[0,0,1024,0],[0,0,2048,32768]]}',
    "a large F": "2 4 8 .\n. . . .\n. . 1k .\n. . 2k F",
    "exponents with F": "1 2 3 0  0 0 0 0  0 0 10 0  0 0 11 F",
    "slashes": "2 4 8 0 / 0 0 0 0 / 0 0 1024 0 / 0 0 2048 32768",
    "boxes": "┌─┬─┬─┬─┐\n│2│4│8│ │\n├─┼─┼─┼─┤\n│ │ │ │ │\n│ │ │1024│ │\n│ │ │2048│32768│\n└─┴─┘",
    "windows lines": "2 4 8 0\r\n0 0 0 0\r\n0 0 1024 0\r\n0 0 2048 32768\r\n",
    "full-width digits": "２　４　８　０\n０ ０ ０ ０\n０，０，１０２４，０\n０ ０ ２ｋ ３２７６８",
    "full-width hex digits": "１２３０００００００ａ０００ｂｆ",
    "what the first 2048 keeps": FIRST_2048,
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_many_ways_to_write_one_board(text):
    assert read_board(text).board == BOARD
    assert read_board(text).note == ""


def test_a_wall_is_f():
    assert read_board(". . . #\n. . . #\n2 . . #\n# # # #").board == 0x000F_000F_100F_FFFF


def test_a_board_that_could_be_both_is_one_of_face_values():
    text = "2 4 8 0 0 0 0 0 0 0 0 0 0 0 0 0"
    assert read_board(text).cells[:4] == (1, 2, 3, 0)
    assert read_board(text.replace("8", "3")).cells[:4] == (2, 4, 3, 0)


def test_digits_go_on_with_the_alphabet():
    assert read_board("gh10 0000 0000 0000").cells[:3] == (16, 17, 1)


@given(st.lists(st.integers(0, 17), min_size=16, max_size=16), st.sampled_from("|,\t"))
def test_cells_with_nothing_between_two_signs_are_empty(exponents, sign):
    faces = [str(1 << exponent) if exponent else "" for exponent in exponents]
    rows = [sign.join(faces[at : at + 4]) for at in range(0, 16, 4)]
    if any(faces):
        assert read_board("\n".join(rows) + "\n").cells == tuple(exponents)


def test_tiles_that_outgrow_a_nibble_are_said():
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
        ("[[2,4,8,0],[2,4,8,0]]", "it has 8 cells"),
        ('{"a": 1}', "expected 16 tiles"),
        ("[" * 7000, "expected 16 tiles"),
        ('{"grid":{"size":4,"cells":[[{"position":{"x":9,"y":0},"value":2}]]}}', "expected 16"),
        ("1 2 3 32768 0 0 0 0 0 0 0 0 0 0 0 0", "'1' is not a tile"),
        ("²" + " 0" * 15, "is not a tile"),
        ("99999999999999999999 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "is not a tile"),
    ],
)
def test_what_is_no_board_is_explained(text, complaint):
    with pytest.raises(InvalidBoardError, match=complaint):
        read_board(text)


@given(st.integers(0, (1 << 64) - 1))
def test_what_is_copied_can_be_pasted(board):
    assert read_board(format_board(board)).board == board
    assert read_board(draw_board(board)).board == board


@given(st.text(max_size=80))
def test_no_text_does_harm(text):
    with contextlib.suppress(InvalidBoardError):
        assert 0 <= read_board(text).board < 1 << 64


tiles = st.sampled_from(
    [*"0123456789abcfgx.#|,", "16", "32k", "\t", "\n", " ", "--", "null", "[", "]"]
)


@given(st.lists(tiles, max_size=60))
def test_nothing_that_looks_like_a_board_does_harm(parts):
    with contextlib.suppress(InvalidBoardError):
        assert all(0 <= exponent <= 17 for exponent in read_board("".join(parts)).cells)
