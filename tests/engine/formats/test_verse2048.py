"""Both formats of 2048verse: the worked example, games of every board both ways, damaged files."""

import random
from dataclasses import replace

import oracle
import pytest
import slow_codecs as slow
from hypothesis import given
from hypothesis import strategies as st
from recorded_games import LONG_GAME, WALLS_OF, random_game

from engine.bitboard import LEFT, RIGHT, UP
from engine.formats.replay import Replay, ReplayError, ReplayMove, bitboard, replay_of
from engine.formats.verse2048 import read_new, read_old, write_new, write_old
from engine.game import Game

MOVES = [(LEFT, 11, 1), (UP, 13, 2), (RIGHT, 4, 1)]
START = (1, 1, *(0,) * 14)
START_TILES = ((0, 1), (1, 1))
OLD = bytes.fromhex("7265706c61795f 20 24 c385 37 41")
NEW_TIMED = "4x4-1_¾ú0¾úgO2OO3kO13"  # 100 ms a move
FINAL = 0x0021_1000_0000_0002

seeds = st.integers(0, 2**32)
sizes = st.sampled_from(sorted(WALLS_OF))


def example() -> Replay:
    return Replay(START, tuple(ReplayMove(*move, ms=100) for move in MOVES))


def final(replay: Replay) -> int:
    return bitboard(list(replay.positions())[-1])


def test_the_older_example_is_written_and_read():
    assert write_old(example()) == OLD
    found = read_old(OLD)
    assert (slow.moves_of(found), found.start, found.problem) == (MOVES, START, "")
    assert found.start_tiles == ((0, 1), (1, 1))
    assert (found.walls, found.merge_32768, final(found)) == (False, True, FINAL)


def test_the_present_example_is_written_and_read_with_its_times():
    assert write_new(example()) == NEW_TIMED
    found = read_new(NEW_TIMED.encode())
    assert (slow.moves_of(found), found.start, found.problem) == (MOVES, START, "")
    assert [move.ms for move in found.moves] == [100] * 3


@given(seeds, sizes)
def test_games_of_all_boards_are_written_as_the_slow_codecs_do(seed, size):
    game = random_game(random.Random(seed), size, 60)
    moves = slow.moves_of(game)
    assert write_old(game).decode() == slow.old(size, game.start_tiles, moves)
    assert write_new(game) == slow.new(size, game.start_tiles, moves)


@given(seeds, sizes)
def test_games_of_all_boards_come_back(seed, size):
    game = random_game(random.Random(seed), size, 60)
    assert read_old(write_old(game)) == game
    timed = random_game(random.Random(seed), size, 60, largest_ms=255)  # all of them exact
    assert read_new(write_new(timed).encode()) == timed


@given(seeds, sizes, st.sampled_from(("utf-8", "utf-8-sig", "cp850", "utf-16")))
def test_the_older_format_is_read_in_every_encoding(seed, size, encoding):
    game = random_game(random.Random(seed), size, 60)
    text = write_old(game).decode()
    assert read_old(text.encode(encoding)) == game
    if "ƒ" not in text:  # not in Latin-1
        assert read_old(text.encode("latin-1") + b"\r\n") == game


@given(seeds, sizes, st.sampled_from(("utf-8", "utf-8-sig", "latin-1", "utf-16")))
def test_the_present_format_is_read_in_every_encoding(seed, size, encoding):
    game = random_game(random.Random(seed), size, 60, largest_ms=255)
    assert read_new((write_new(game) + "\n").encode(encoding)) == game


def test_the_letter_outside_latin_1_is_read_as_windows_writes_it():
    # ƒ is 126: left, a 4 in row 2, column 3; Å, 110, puts a 2 there.
    text = "replay_ $Åƒ"
    moves = [(LEFT, 11, 1), (LEFT, 11, 2)]
    assert slow.old("4x4", START_TILES, moves)[7:] == text[7:]
    for encoding in ("utf-8", "cp850", "cp1252"):
        found = read_old(text.encode(encoding))
        assert (slow.moves_of(found), found.problem) == (moves, "")


@given(st.integers(0, 7), st.integers(0, 255))
def test_every_time_is_read_and_written_again(scale, count):
    text = slow.new("4x4", START_TILES, MOVES[:1], [(scale, count)])
    found = read_new(text.encode())
    is_time = (scale, count) != (7, 255)
    want = slow.STEP[scale] * count + slow.BASE[scale] if is_time else None
    assert found.moves[0].ms == want
    assert write_new(found) == text


@given(st.integers(0, 5_000_000))
def test_a_time_becomes_the_nearest_that_there_is(ms):
    game = Replay(START, (ReplayMove(*MOVES[0], ms=ms),))
    found = read_new(write_new(game).encode()).moves[0].ms
    times = [s * c + b for s, b in zip(slow.STEP, slow.BASE, strict=True) for c in range(256)][:-1]
    assert found in times
    assert abs(found - ms) == min(abs(time - ms) for time in times)


@pytest.mark.parametrize("direction", range(4))
def test_start_tiles_may_have_any_direction(direction):
    text = slow.old("4x4", START_TILES, MOVES, start_direction=direction)
    assert slow.moves_of(read_old(text.encode())) == MOVES


def test_the_order_of_the_start_tiles_is_kept():
    text = slow.old("3x3", [(10, 1), (0, 2)], [(LEFT, 9, 1)])
    found = read_old(text.encode())
    assert found.start_tiles == ((10, 1), (0, 2))
    assert write_old(found) == text.encode()


@pytest.mark.parametrize("head", ["replay3x3_", "replay_3x3", "replay_3x3_"])
def test_heads_of_small_boards_nobody_has_seen(head):
    game = random_game(random.Random(7), "3x3", 100)
    body = write_old(game).decode().removeprefix("replay3x3_")
    assert read_old((head + body).encode()) == game


def test_a_game_that_begins_like_the_name_of_a_board_is_a_game():
    # 3 is 19 (up, a 4 in row 3, column 0), x is 88 (row 0, column 2; a 4).
    text = "replay_3x3"
    found = read_old(text.encode())
    assert found.start_tiles == ((12, 2), (2, 2))
    assert slow.moves_of(found) == [(UP, 12, 2)]
    assert found.problem == ""


@pytest.mark.thorough
def test_a_long_game_beyond_65536_both_ways_step_by_step():
    data = LONG_GAME.read_bytes()
    found = read_old(data)
    assert found.problem == ""
    assert len(found.moves) > 20_000
    assert write_old(found) == data
    assert read_new(write_new(found).encode()) == found
    board, largest = list(found.start), 0
    for position, move in zip(found.positions(), found.moves, strict=False):
        assert tuple(board) == position
        board, _ = oracle.move(board, move.direction, merge_32768=True)
        assert board[move.cell] == 0
        board[move.cell] = move.exponent
        largest = max(largest, *board)
    assert largest >= 16


def test_a_game_in_play_is_written_up_to_the_position_shown():
    game = Game(bitboard(START))
    for direction, cell, exponent in MOVES:
        assert game.move(direction, (cell, exponent))
    assert write_old(replay_of(game)) == OLD
    game.undo()
    assert write_old(replay_of(game)) == OLD[:-1]


def test_a_game_from_a_position_that_was_set_cannot_be_written():
    game = Game(bitboard(START))
    game.set_board(0x1234_0000_0000_0000)
    for write in (write_old, write_new):
        with pytest.raises(ReplayError, match="two tiles"):
            write(replay_of(game))


@pytest.mark.thorough
def test_a_game_by_the_rules_of_tables_is_written_while_it_is_one_by_those_of_play():
    game = replace(read_old(LONG_GAME.read_bytes()), merge_32768=False)
    n_moves = next(
        n
        for n, position in enumerate(replace(game, merge_32768=True).positions())
        if 16 in position
    )
    short = replace(game, moves=game.moves[: n_moves - 1])
    assert read_old(write_old(short)).moves == short.moves
    with pytest.raises(ReplayError, match="two 32768 would merge in this game"):
        write_old(replace(game, moves=game.moves[: n_moves + 1]))


def test_what_cannot_be_played_is_not_written():
    with pytest.raises(ReplayError, match="move 2 cannot be made"):
        write_old(Replay(START, (ReplayMove(LEFT, 4, 1), ReplayMove(LEFT, 3, 1))))
    with pytest.raises(ReplayError, match="exponent 3"):
        write_new(Replay(START, (ReplayMove(LEFT, 4, 3),)))
    walls = (1, 1, 15, *(0,) * 13)
    with pytest.raises(ReplayError, match="walls are not those"):
        write_new(Replay(walls, (), walls=True))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("hello", "expected 'replay_'"),
        ("replay_", "two tiles"),
        ("replay_ ", "two tiles"),
        ("replay_  ", "both start tiles"),
        ("replay3x3_/ ", "two tiles on a board of 3x3"),  # / is column 3
    ],
)
def test_an_older_file_without_a_start(text, said):
    with pytest.raises(ReplayError, match=said):
        read_old(text.encode())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("4x4_", "expected '4x4-1_'"),
        ("5x5-1_¾ú0¾úg", "its board is 5x5; expected 4x4, 2x4, 3x3, 3x4"),
        ("4x4-2_¾ú0¾úg", "its version is '2'; expected 1"),
        ("4x4-1_¾ú0", "two tiles"),
        ("4x4-1_¾ú0¾ú0", "both start tiles lie in row 0, column 0"),
    ],
)
def test_a_present_file_without_a_start(text, said):
    with pytest.raises(ReplayError, match=said):
        read_new(text.encode())


@pytest.mark.parametrize(
    ("text", "n_moves", "said"),
    [
        ("replay_ $Å7Aα", 3, "move 4 has 'α'"),
        ("replay_ $7A", 0, "move 1 cannot be made"),  # up, with both tiles in the top row
        ("replay_ $ü7A", 0, "new tile of move 1 lies on another one, in cell 0"),
    ],
)
def test_an_older_file_is_read_up_to_its_damage(text, n_moves, said):
    found = read_old(text.encode())
    assert slow.moves_of(found) == MOVES[:n_moves]
    assert said in found.problem


@pytest.mark.parametrize(
    ("text", "n_moves", "said"),
    [
        (NEW_TIMED[:-1], 2, "move 3 has the end of the file, within a tile"),
        (NEW_TIMED + "O", 3, "move 4 has the end of the file, within a tile"),
        (NEW_TIMED[:-3] + "O1#", 2, "move 3 has '#'"),
        (NEW_TIMED[:-3] + "O1b", 2, "move 3 puts its tile beside the board"),  # bit 3 is set
        (NEW_TIMED[:-3] + "OS3", 2, "move 3 puts its tile beside the board"),  # row 6
        (NEW_TIMED[:-3] + "O1Å", 2, "move 3 puts its tile beside the board"),  # column 4
    ],
)
def test_a_present_file_is_read_up_to_its_damage(text, n_moves, said):
    found = read_new(text.encode())
    assert slow.moves_of(found) == MOVES[:n_moves]
    assert said in found.problem
