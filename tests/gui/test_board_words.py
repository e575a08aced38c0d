"""Boards in words."""

from engine.bitboard import cells
from gui.text.boards import describe_cells


def test_a_screen_reader_is_told_the_board_row_by_row():
    """F is a wall in a table that has walls, a tile of 32768 in any other."""
    board = cells(0x120F_000F_00AF_FFFF)
    walled, open_ = describe_cells(board, True), describe_cells(board, False)
    assert walled == (
        "row 1: 2, 4, empty, wall; row 2: empty, empty, empty, wall; "
        "row 3: empty, empty, 1024, wall; row 4: wall, wall, wall, wall"
    )
    assert open_ == walled.replace("wall", "32768")
