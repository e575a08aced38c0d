"""Any file is recognized by its content, read as far as it makes sense, and played move by move."""

import random
from contextlib import suppress
from dataclasses import replace

import pytest
import slow_codecs as slow
from hypothesis import given
from hypothesis import strategies as st
from recorded_games import LONG_GAME, WALLS_OF, random_game, table_game

from engine.bitboard import LEFT, RIGHT, UP, cells, parse_board
from engine.formats.history_dump import read_history
from engine.formats.reading import read_replay
from engine.formats.rec import read_rec, write_rec
from engine.formats.replay import Replay, ReplayError, ReplayMove, bitboard
from engine.formats.rpl import write_rpl
from engine.formats.verse2048 import read_old, write_new, write_old
from tests.bench.bench_formats import READERS, Campaign, damage, originals

FORMATION = tuple(cells(0x1120_0000_0FFF_0FFF))
seeds = st.integers(0, 2**32)


def history(game: Replay) -> bytes:
    rules = {"walls": game.walls, "merge_32768": game.merge_32768}
    return slow.history(game.start, slow.moves_of(game), **rules)


def next_file(game: Replay) -> bytes:
    (board,) = (name for name, walls in WALLS_OF.items() if _has_walls(game, walls))
    moves = [(d, slow.own_cell(board, c), e) for d, c, e in slow.moves_of(game)]
    tiles = [(slow.own_cell(board, cell), exponent) for cell, exponent in game.start_tiles]
    return slow.rpl1(board, tiles, slow.rpl1_records(moves, [None] * len(moves)))


def _has_walls(game: Replay, walls: tuple[int, ...]) -> bool:
    return [exponent == 15 for exponent in game.start] == [exponent == 15 for exponent in walls]


WRITERS = {
    "rpl": write_rpl,
    "rec": write_rec,
    "verse-old": write_old,
    "verse-new": lambda game: write_new(game).encode(),
    "history": history,
    "2048next": next_file,
}


@given(seeds, st.sampled_from(sorted(WRITERS)), st.sampled_from(sorted(WALLS_OF)))
def test_every_format_of_every_board_is_told(seed, name, board):
    game = random_game(random.Random(seed), board, 40)
    found_name, found = read_replay(WRITERS[name](game))
    assert (found_name, found.moves, found.problem) == (name, game.moves, "")


@given(seeds, st.sampled_from(("rpl", "rec")))
def test_games_of_tables_are_told(seed, name):
    game = table_game(random.Random(seed), FORMATION, 40)
    found_name, found = read_replay(WRITERS[name](game))
    assert (found_name, slow.moves_of(found)) == (name, slow.moves_of(game))


@given(seeds, st.sampled_from(sorted(WRITERS)), st.integers(1, 30))
def test_a_file_without_its_end_is_still_told(seed, name, n_lost):
    game = random_game(random.Random(seed), n_moves=40)
    found_name, found = read_replay(WRITERS[name](game)[:-n_lost])
    assert found_name == name
    assert found.moves == game.moves[: len(found.moves)]
    assert len(found.moves) >= len(game.moves) - n_lost


@given(st.binary(max_size=400))
def test_anything_else_is_refused_or_can_be_played(data):
    with suppress(ReplayError):
        read_replay(data)[1].check()


def test_a_damaged_history_is_not_taken_for_practice():
    data = bytearray(slow.history([0] * 12 + [1, 1, 0, 0], [(LEFT, 0, 1), (RIGHT, 8, 1)]))
    data[13 + 12] = 9  # the move; and the first bytes might be those of a .rec
    assert read_rec(bytes(data)).problem
    with pytest.raises(ReplayError, match="row 2 has move 9; expected 1 to 4"):
        read_replay(bytes(data))


def test_the_message_says_what_was_expected():
    with pytest.raises(ReplayError, match=r"expected a replay of 2048verse .*\.rpl or \.rec"):
        read_replay(b"GIF89a and so on")


FILES = originals(random.Random(11))


@pytest.mark.thorough
def test_damaged_files_are_refused_or_read_up_to_their_damage():
    rng, campaign = random.Random(12), Campaign(limit_ms=10_000)
    for _ in range(400):
        original = rng.choice(FILES)
        campaign.try_file(original, *damage(rng, original, FILES))
    assert campaign.failures == []
    assert campaign.n_moves > 1000


@pytest.mark.parametrize("name", sorted(READERS))
def test_a_codec_that_misreads_is_caught(name):
    for original in (file for file in FILES if file.name == name):
        _, game = read_replay(original.data)
        campaign = Campaign(limit_ms=10_000)
        assert campaign.judge(name, original.data, game) == original.positions
        last = game.moves[-1]
        wrong = [
            replace(game, moves=(*game.moves[:-1], replace(last, exponent=3 - last.exponent))),
            replace(game, moves=game.moves[:-1]),
        ]
        for one in wrong:
            assert campaign.judge(name, original.data, one) is None
        assert len(campaign.failures) == 2


START = (1, 1, *(0,) * 14)


MOVES = (ReplayMove(LEFT, 11, 1), ReplayMove(UP, 13, 2), ReplayMove(RIGHT, 4, 1))


# The worked example of the formats: positions by hand.
POSITIONS = ("1100000000000000", "2000000000010000", "2001000000000200", "0021100000000002")


def test_positions_are_those_before_each_move_and_the_last():
    found = [bitboard(cells) for cells in Replay(START, MOVES).positions()]
    assert found == [parse_board(text) for text in POSITIONS]


def test_an_impossible_move_is_named():
    with pytest.raises(ReplayError, match="move 2 cannot be made"):
        Replay(START, (ReplayMove(LEFT, 4, 1), ReplayMove(LEFT, 3, 1))).check()


@pytest.mark.parametrize("cell", [0, -1, 16])
def test_a_tile_needs_room(cell):
    with pytest.raises(ReplayError, match="new tile of move 1"):
        Replay(START, (ReplayMove(LEFT, cell, 1),)).check()


def test_large_tiles_merge_in_play_and_not_in_tables():
    start = (15, 15, *(0,) * 14)
    move = (ReplayMove(LEFT, 3, 1),)
    assert list(Replay(start, move).positions())[-1][:2] == (16, 0)
    with pytest.raises(ReplayError):
        Replay(start, move, merge_32768=False).check()


def test_tiles_beyond_a_nibble_are_f():
    assert bitboard((17, 16, 15, 14, *(0,) * 12)) == parse_board("fffe000000000000")


def write(game: Replay) -> bytes:
    rules = {"walls": game.walls, "merge_32768": game.merge_32768}
    return slow.history(game.start, slow.moves_of(game), **rules)


@given(st.integers(0, 2**32), st.sampled_from(sorted(WALLS_OF)))
def test_games_of_all_boards_are_read(seed, board):
    want = random_game(random.Random(seed), board, 60)
    found = read_history(write(want))
    assert (found.start, found.moves, found.problem) == (want.start, want.moves, "")
    assert (found.walls, found.merge_32768) == (want.walls, want.merge_32768)


@pytest.mark.thorough
def test_a_long_game_beyond_65536_is_read():
    want = read_old(LONG_GAME.read_bytes())
    found = read_history(write(want))
    assert (found.moves, found.merge_32768, found.problem) == (want.moves, True, "")


def test_large_tiles_that_do_not_merge_in_the_rows_do_not_merge():
    start = [15, 15, 1, *[0] * 13]
    found = read_history(slow.history(start, [(3, 0, 1), (1, 4, 2)]))
    assert (found.merge_32768, found.problem) == (False, "")
    assert bitboard(list(found.positions())[-1]) == 0x0001_2000_0000_0FF1


def test_a_row_that_does_not_follow_is_named():
    want = random_game(random.Random(5), n_moves=20)
    data = bytearray(write(want))
    data[13 * 8] ^= 4
    found = read_history(bytes(data))
    assert found.moves == want.moves[:7]
    assert found.problem.startswith("row 9 holds ")
    data = bytearray(write(want))
    data[13 * 8 + 12] = 7
    assert read_history(bytes(data)).problem == "row 9 has move 7; expected 1 to 4"


def test_points_that_the_moves_do_not_earn_are_told_and_change_nothing():
    want = random_game(random.Random(5), n_moves=20)
    data = bytearray(write(want))
    data[13 * 8 + 9] ^= 4
    found = read_history(bytes(data))
    assert found.moves == want.moves
    assert found.problem.startswith("the points of row 9 are not what its move earns")


def test_a_torn_row_is_told():
    want = random_game(random.Random(5), n_moves=20)
    found = read_history(write(want)[:-3])
    assert (found.moves, found.problem) == (want.moves[:-1], "the file ends within row 21")


@pytest.mark.parametrize("data", [bytes(13), b"x" * 26, bytes(26), b"\x11" + bytes(25)])
def test_what_is_no_history(data):
    with pytest.raises(ReplayError, match="not the history of a game"):
        read_history(data)
