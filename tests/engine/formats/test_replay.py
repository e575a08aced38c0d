"""A recorded game is played move by move, and says where it cannot be."""

import pytest

from engine.bitboard import LEFT, RIGHT, UP, parse_board
from engine.formats.replay import Replay, ReplayError, ReplayMove, bitboard

START = (1, 1, *(0,) * 14)
MOVES = (ReplayMove(LEFT, 11, 1), ReplayMove(UP, 13, 2), ReplayMove(RIGHT, 4, 1))
# The worked example of the formats: positions by hand.
POSITIONS = ("1100000000000000", "2000000000010000", "2001000000000200", "0021100000000002")


def test_positions_are_those_before_each_move_and_the_last() -> None:
    found = [bitboard(cells) for cells in Replay(START, MOVES).positions()]
    assert found == [parse_board(text) for text in POSITIONS]


def test_an_impossible_move_is_named() -> None:
    with pytest.raises(ReplayError, match="move 2 cannot be made"):
        Replay(START, (ReplayMove(LEFT, 4, 1), ReplayMove(LEFT, 3, 1))).check()


@pytest.mark.parametrize("cell", [0, -1, 16])
def test_a_tile_needs_room(cell: int) -> None:
    with pytest.raises(ReplayError, match="new tile of move 1"):
        Replay(START, (ReplayMove(LEFT, cell, 1),)).check()


def test_large_tiles_merge_in_play_and_not_in_tables() -> None:
    start = (15, 15, *(0,) * 14)
    move = (ReplayMove(LEFT, 3, 1),)
    assert list(Replay(start, move).positions())[-1][:2] == (16, 0)
    with pytest.raises(ReplayError):
        Replay(start, move, merge_32768=False).check()


def test_tiles_beyond_a_nibble_are_f() -> None:
    assert bitboard((17, 16, 15, 14, *(0,) * 12)) == parse_board("fffe000000000000")
