"""Games of 2048next against files that are put together from the description of the format."""

import random
from contextlib import suppress
from dataclasses import replace

import pytest
import slow_codecs as slow
from hypothesis import given
from hypothesis import strategies as st
from recorded_games import WALLS_OF, random_game

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.formats.reading import read_replay
from engine.formats.replay import Replay, ReplayError
from engine.formats.rpl1 import read_rpl1

seeds = st.integers(0, 2**32)

# Published with the site's own tests: a full board of 3x3 that names its mode and its rules.
FULL_3X3 = (
    "REPLAY_v1RPL_B64_UlBMMTMACQARAhMEFQYXCIMBFmJvYXJkXzN4M19wb3cyX25vX3VuZG+DAgRwb3cyhP9abz8="
)
# The example of the site's description: right, a 4 in cell 6, 834 ms.
PUBLISHED_MOVE = bytes([0x59, 0xC2, 0x06])


def file_of(game: Replay, board: str) -> bytes:
    moves = [
        (direction, slow.own_cell(board, cell), exponent)
        for direction, cell, exponent in slow.moves_of(game)
    ]
    tiles = [(slow.own_cell(board, cell), exponent) for cell, exponent in game.start_tiles]
    records = slow.rpl1_records(moves, [move.ms for move in game.moves])
    return slow.rpl1(board, tiles, records)


@given(seeds, st.sampled_from(sorted(WALLS_OF)), st.booleans())
def test_games_of_all_boards_are_read(seed: int, board: str, is_text: bool) -> None:
    game = random_game(random.Random(seed), board, 60, largest_ms=1_000_000)
    data = file_of(game, board)
    found = read_rpl1(slow.rpl1_text(data).encode() if is_text else data)
    assert found == game


def test_a_published_file_is_read() -> None:
    name, found = read_replay(FULL_3X3.encode())
    assert name == "2048next"
    assert found.start == (1, 2, 1, 15, 2, 1, 2, 15, 1, 2, 1, 15, 15, 15, 15, 15)
    assert (found.moves, found.problem, found.walls) == ((), "", True)


def test_the_published_move_is_read() -> None:
    found = read_rpl1(slow.rpl1("4x4", [(0, 1), (4, 1)], [PUBLISHED_MOVE]))
    (move,) = found.moves
    assert (move.direction, move.cell, move.exponent, move.ms) == (RIGHT, 6, 2, 834)


def test_a_text_may_be_broken_into_lines() -> None:
    text = slow.rpl1_text(slow.rpl1("4x4", [(0, 1), (4, 1)], [PUBLISHED_MOVE]))
    assert read_rpl1(f"\r\n {text[:30]}\r\n{text[30:]}\r\n".encode()).problem == ""


def test_the_time_of_the_start_and_an_end_mark_do_no_harm() -> None:
    began = slow.leb128(1_771_000_000_000)
    data = slow.rpl1("4x4", [(0, 1), (4, 1)], [PUBLISHED_MOVE, b"\x84"], began, flags=1)
    found = read_rpl1(data)
    assert (len(found.moves), found.problem) == (1, "")


def test_moves_taken_back_are_left_out_and_their_time_counts() -> None:
    moves = [(DOWN, 0, 1), (DOWN, 1, 1), (LEFT, 15, 2)]
    a, b, c = slow.rpl1_records(moves, [500, 800, 700])
    undo = b"\x80" + slow.leb128(300)
    found = read_rpl1(slow.rpl1("4x4", [(0, 1), (5, 1)], [a, b, undo, c]))
    assert slow.moves_of(found) == [moves[0], moves[2]]
    assert [move.ms for move in found.moves] == [500, 1800]
    both = b"\x81" + slow.leb128(2) + slow.leb128(300)
    found = read_rpl1(slow.rpl1("4x4", [(0, 1), (5, 1)], [a, b, both, a]))
    assert [move.ms for move in found.moves] == [500 + 800 + 300 + 500]


def test_an_unknown_time_stays_unknown() -> None:
    records = slow.rpl1_records([(DOWN, 0, 1), (DOWN, 1, 1)], [None, 7])
    found = read_rpl1(slow.rpl1("4x4", [(0, 1), (5, 1)], records))
    assert [move.ms for move in found.moves] == [None, 7]


def test_a_board_that_stands_on_its_end_is_turned() -> None:
    """Three columns, four rows: what is up there is left here."""
    data = bytearray(slow.rpl1("3x4", [(0, 1), (3, 1)], [bytes([0 | 5 << 2, 9])]))
    data[4] = 3 | 4 << 4
    data[-4:] = slow.rpl1("4x4", [], [])[-4:]
    found = read_rpl1(bytes(data))
    assert found.start[:5] == (1, 1, 0, 0, 0)
    (move,) = found.moves
    assert (move.direction, move.cell) == (LEFT, 9)  # row 1, column 2 there; row 2, column 1 here


def test_a_stored_position_is_compared() -> None:
    (first,) = slow.rpl1_records([(DOWN, 0, 2)])
    after = [2] + [0] * 11 + [1, 1, 0, 0]

    def stored(position: list[int]) -> bytes:
        bits = "".join(f"{exponent:05b}" for exponent in reversed(position))
        return b"\x82" + int(bits, 2).to_bytes(10, "little")

    tiles = [(0, 1), (1, 1)]
    assert read_rpl1(slow.rpl1("4x4", tiles, [first, stored(after)])).problem == ""
    wrong = read_rpl1(slow.rpl1("4x4", tiles, [first, stored(after[::-1])]))
    assert "stored after move 1" in wrong.problem


DAMAGED = {
    "a wrong checksum": (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "checksum"),
    "cut off": (lambda data: data[:-2], "ends within a move"),
    "an unknown mark": (lambda data: data[:-4] + b"\x99" + data[-4:], "unknown mark 0x99"),
    "more after the end": (lambda data: data[:-4] + b"\x84\0" + data[-4:], "follow the end mark"),
    "too much taken back": (lambda data: data[:-4] + b"\x81\x7f\0" + data[-4:], "127 moves are"),
}


@pytest.mark.parametrize(("damage", "complaint"), DAMAGED.values(), ids=DAMAGED.keys())
def test_damage_is_told(damage, complaint: str) -> None:
    records = slow.rpl1_records([(DOWN, 0, 1), (DOWN, 1, 1)], [300, 300])
    found = read_rpl1(damage(slow.rpl1("4x4", [(0, 1), (5, 1)], records)))
    assert complaint in found.problem
    found.check()


REFUSED = {
    "other rules": (slow.rpl1("4x4", [(0, 1)], [b"\x83\x02\x09fibonacci"]), "fibonacci"),
    "another board": (b"RPL1" + bytes([0x55, 0, 0, 0, 0, 0, 0]), "its board is 5x5; expected 4x4"),
    "no tile": (slow.rpl1("4x4", [], [PUBLISHED_MOVE]), "no tile at its start"),
    "tiles on each other": (slow.rpl1("4x4", [(3, 1), (3, 1)], []), "two start tiles"),
    "beside the board": (slow.rpl1("3x3", [(9, 1)], []), "beside the board of 3x3"),
    "nothing": (b"RPL1", "before the game begins"),
    "no base64": (b"REPLAY_v1RPL_B64_not*base64", "not base64"),
    "other data": (b"REPLAY_v1RPL_B64_eyJ2IjoxfQ==", "do not begin with 'RPL1'"),
    "an endless number": (b"RPL1" + bytes([0x44, 1, 2]) + b"\xff" * 99, "63 bits"),
}


@pytest.mark.parametrize(("data", "complaint"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_game_is_refused(data: bytes, complaint: str) -> None:
    with pytest.raises(ReplayError, match=complaint):
        read_rpl1(data)


@given(seeds, st.data())
def test_one_changed_byte_never_goes_unnoticed(seed: int, draw: st.DataObject) -> None:
    game = random_game(random.Random(seed), n_moves=30, largest_ms=500)
    data = bytearray(file_of(game, "4x4"))
    at = draw.draw(st.integers(0, len(data) - 1))
    data[at] ^= draw.draw(st.integers(1, 255))
    try:
        found = read_rpl1(bytes(data))
    except ReplayError:
        return
    found.check()
    assert found.problem


@given(st.binary(max_size=300), st.booleans())
def test_no_bytes_do_harm(noise: bytes, is_text: bool) -> None:
    data = b"RPL1" + bytes([0x44]) + noise
    with suppress(ReplayError):
        read_rpl1(slow.rpl1_text(data).encode() if is_text else data).check()


def test_the_order_of_the_start_tiles_is_kept() -> None:
    found = read_rpl1(slow.rpl1("4x4", [(5, 1), (0, 2)], []))
    assert found.start_tiles == ((5, 1), (0, 2))
    assert replace(found, start_tiles=()).start[0] == 2


def test_up_is_up() -> None:
    (record,) = slow.rpl1_records([(UP, 15, 1)])
    found = read_rpl1(slow.rpl1("4x4", [(8, 1), (12, 1)], [record]))
    assert list(found.positions())[-1] == (2, *[0] * 14, 1)
