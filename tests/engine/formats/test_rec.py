"""``.rec``: the worked example, games both ways, and what other programs leave in such files."""

import random
from dataclasses import replace

import pytest
import slow_codecs as slow
from hypothesis import given
from hypothesis import strategies as st
from recorded_games import LONG_GAME, WALLS_OF, random_game, table_game, with_random_rates

from engine.bitboard import LEFT, RIGHT, UP, cells
from engine.formats.rec import read_rec, write_rec
from engine.formats.replay import Replay, ReplayError, ReplayMove
from engine.formats.verse2048 import read_old

START_ROW = bytes.fromhex("00 00000000 00000000 00000000 00110000")
EXAMPLE = START_ROW + bytes.fromhex("2e 00000000 00943577 00a493d6 00e2a7ca")
START = (1, 1, *(0,) * 14)
FORMATION = tuple(cells(0x1120_0000_0FFF_0FFF))

seeds = st.integers(0, 2**32)


def numbers(replay: Replay) -> list[tuple[int, ...]]:
    return [tuple(round((rate or 0) * 4e9) for rate in move.rates) for move in replay.moves]


def unmarked(replay: Replay) -> Replay:
    """Return the game as this format keeps it, which has no mark of forced moves."""
    return replace(replay, moves=tuple(replace(move, is_forced=False) for move in replay.moves))


def test_the_example_both_ways():
    found = read_rec(EXAMPLE)
    assert (found.start, found.problem) == (START, "")
    assert found.moves == (ReplayMove(LEFT, 11, 1, (0.9, 0.85, None, 0.5)),)
    assert write_rec(found) == EXAMPLE


@given(seeds)
def test_games_of_tables_are_those_of_the_slow_codec_and_come_back(seed):
    want = unmarked(table_game(random.Random(seed), FORMATION))
    data = slow.rec(want.start, slow.moves_of(want), numbers(want))
    assert write_rec(want) == data
    assert read_rec(data) == want


@given(seeds, st.sampled_from(sorted(WALLS_OF)))
def test_games_of_all_boards_come_back(seed, board):
    rng = random.Random(seed)
    want = unmarked(with_random_rates(rng, random_game(rng, board, 60)))
    found = read_rec(write_rec(want))
    assert (found.start, found.moves, found.problem) == (want.start, want.moves, "")
    assert (found.walls, found.merge_32768) == (board != "4x4", False)
    assert list(found.positions()) == list(want.positions())


def test_a_game_in_which_32768_merge_is_refused_from_there_on():
    long = read_old(LONG_GAME.read_bytes())
    with pytest.raises(ReplayError, match="two 32768 merge"):
        write_rec(long)
    short = replace(long, moves=long.moves[:15_000])
    assert read_rec(write_rec(short)).moves == short.moves
    with pytest.raises(ReplayError, match="larger tile"):
        write_rec(Replay((16, 1, *(0,) * 14), (ReplayMove(RIGHT, 0, 1),)))


def test_numbers_of_0_and_1_are_no_rates():
    moves = [(LEFT, 11, 1), (UP, 13, 2), (RIGHT, 4, 1)]
    found = read_rec(slow.rec(START, moves, [(1, 1, 0, 0), (0, 1, 1, 1), (0, 0, 0, 0)]))
    assert slow.moves_of(found) == moves
    assert [move.rates for move in found.moves] == [None] * 3
    real = read_rec(slow.rec(START, moves, [(1, 1, 0, 0), (0, 2, 0, 0), (0, 0, 0, 0)]))
    assert real.moves[0].rates == (1 / 4e9, 1 / 4e9, None, 0.0)
    assert real.moves[2].rates is None


def test_rates_of_an_earlier_position_are_left_out_and_told():
    moves = [(LEFT, 11, 1), (UP, 13, 2)]
    found = read_rec(slow.rec(START, moves, [(9, 9, 9, 9), (9, 9, 9, 9)]))
    assert found.moves[0].rates is None  # up is illegal there
    assert found.moves[1].rates == (9 / 4e9,) * 4
    assert found.problem.startswith("1 of 2 moves have rates that do not belong")


@pytest.mark.parametrize(
    ("tail", "n_moves", "said"),
    [
        (bytes([128]) + bytes(16), 1, "move 2 is written as 128; expected 0 to 127"),
        (EXAMPLE[17:-1], 1, "the file ends within move 2"),
        (bytes([0]) + bytes(16), 1, "the new tile of move 2 lies on another one, in cell 0"),
    ],
)
def test_a_file_is_read_up_to_its_damage(tail, n_moves, said):
    found = read_rec(EXAMPLE + tail)
    assert len(found.moves) == n_moves
    assert found.problem == said


@pytest.mark.parametrize(
    "data",
    [
        START_ROW[:-1],
        bytes(17),
        b"\x01" + START_ROW[1:],
        START_ROW[:3] + b"\x01" + START_ROW[4:],  # a part of more than 16 bits
        b"hello, world, this is no recording",
    ],
)
def test_what_is_no_recording(data):
    with pytest.raises(ReplayError, match=r"not a \.rec recording"):
        read_rec(data)


def test_an_empty_file_is_told():
    with pytest.raises(ReplayError, match="empty"):
        read_rec(b"")


def test_a_start_alone_is_a_game_without_moves():
    assert read_rec(START_ROW) == Replay(START, (), merge_32768=False)
