"""Histories: written by the slow codec, read, and read as far as they make sense."""

import random

import pytest
import slow_codecs as slow
from hypothesis import given
from hypothesis import strategies as st
from recorded_games import LONG_GAME, WALLS_OF, random_game

from engine.formats.history_dump import read_history
from engine.formats.replay import Replay, ReplayError, bitboard
from engine.formats.verse2048 import read_old


def write(game: Replay) -> bytes:
    rules = {"walls": game.walls, "merge_32768": game.merge_32768}
    return slow.history(game.start, slow.moves_of(game), **rules)


@given(st.integers(0, 2**32), st.sampled_from(sorted(WALLS_OF)))
def test_games_of_all_boards_are_read(seed: int, board: str) -> None:
    want = random_game(random.Random(seed), board, 60)
    found = read_history(write(want))
    assert (found.start, found.moves, found.problem) == (want.start, want.moves, "")
    assert (found.walls, found.merge_32768) == (want.walls, want.merge_32768)


@pytest.mark.thorough
def test_a_long_game_beyond_65536_is_read() -> None:
    want = read_old(LONG_GAME.read_bytes())
    found = read_history(write(want))
    assert (found.moves, found.merge_32768, found.problem) == (want.moves, True, "")


def test_large_tiles_that_do_not_merge_in_the_rows_do_not_merge() -> None:
    start = [15, 15, 1, *[0] * 13]
    found = read_history(slow.history(start, [(3, 0, 1), (1, 4, 2)]))
    assert (found.merge_32768, found.problem) == (False, "")
    assert bitboard(list(found.positions())[-1]) == 0x0001_2000_0000_0FF1


def test_a_row_that_does_not_follow_is_named() -> None:
    want = random_game(random.Random(5), n_moves=20)
    data = bytearray(write(want))
    data[13 * 8] ^= 4
    found = read_history(bytes(data))
    assert found.moves == want.moves[:7]
    assert found.problem.startswith("row 9 holds ")
    data = bytearray(write(want))
    data[13 * 8 + 12] = 7
    assert read_history(bytes(data)).problem == "row 9 has move 7; expected 1 to 4"


def test_points_that_the_moves_do_not_earn_are_told_and_change_nothing() -> None:
    want = random_game(random.Random(5), n_moves=20)
    data = bytearray(write(want))
    data[13 * 8 + 9] ^= 4
    found = read_history(bytes(data))
    assert found.moves == want.moves
    assert found.problem.startswith("the points of row 9 are not what its move earns")


def test_a_torn_row_is_told() -> None:
    want = random_game(random.Random(5), n_moves=20)
    found = read_history(write(want)[:-3])
    assert (found.moves, found.problem) == (want.moves[:-1], "the file ends within row 21")


@pytest.mark.parametrize("data", [bytes(13), b"x" * 26, bytes(26), b"\x11" + bytes(25)])
def test_what_is_no_history(data: bytes) -> None:
    with pytest.raises(ReplayError, match="not the history of a game"):
        read_history(data)
