"""``.rpl``: both versions against what their formats say, and rows that disagree."""

import random
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

import pytest
import slow_codecs as slow
from hypothesis import given
from hypothesis import strategies as st
from recorded_games import LONG_GAME, WALLS_OF, random_game, table_game, with_random_rates

from engine.bitboard import DOWN, LEFT, RIGHT, UP, cells
from engine.formats.reading import read_replay
from engine.formats.rec import write_rec
from engine.formats.replay import Replay, ReplayError, ReplayMove, bitboard
from engine.formats.replay_rules import LOCKED, PLAY, WALLS
from engine.formats.rpl import read_rpl, write_rpl
from engine.formats.rpl1 import read_rpl1
from engine.formats.verse2048 import read_old, write_new

MARK = bytes.fromhex("58 aa86bc27 5562e80d a1b0b912 b168de3a")
ROW = bytes.fromhex("0000000000000011 16 00a493d6 00e2a7ca 00000000 00943577")
EXAMPLE = ROW + bytes(8) + MARK
START = (1, 1, *(0,) * 14)
FINAL = 0x2000_0000_0001_0000
FORMATION = tuple(cells(0x1120_0000_0FFF_0FFF))  # L3, with six large tiles

seeds = st.integers(0, 2**32)
boards = st.sampled_from(sorted(WALLS_OF))


def numbers(replay: Replay) -> list[tuple[int, ...]]:
    return [tuple(round((rate or 0) * 4e9) for rate in move.rates) for move in replay.moves]


def game(seed: int = 1, n_moves: int = 30) -> Replay:
    return table_game(random.Random(seed), FORMATION, n_moves)


def test_the_example_is_read():
    found = read_rpl(EXAMPLE)
    assert (found.start, found.problem) == (START, "")
    assert found.moves == (ReplayMove(LEFT, 11, 1, (0.9, 0.85, None, 0.5)),)
    assert [bitboard(position) for position in found.positions()][-1] == FINAL


def test_the_example_is_written_with_its_final_position():
    assert write_rpl(read_rpl(EXAMPLE)) == ROW + FINAL.to_bytes(8, "little") + MARK


@given(seeds, st.booleans())
def test_games_of_tables_are_those_of_the_slow_codec_and_come_back(seed, final):
    want = table_game(random.Random(seed), FORMATION)
    forced = {i for i, move in enumerate(want.moves) if move.is_forced}
    data = slow.rpl(want.start, slow.moves_of(want), numbers(want), final, forced)
    assert read_rpl(data) == want
    if final:
        assert write_rpl(want) == data


@given(seeds, boards)
def test_games_of_all_boards_come_back(seed, board):
    rng = random.Random(seed)
    want = with_random_rates(rng, random_game(rng, board, 60))
    found = read_rpl(write_rpl(want))
    assert (found.start, found.moves, found.problem) == (want.start, want.moves, "")
    assert found.walls == (
        board != "4x4"
    )  # 60 random moves show the walls of 3x4 for what they are
    assert list(found.positions()) == list(want.positions())


@pytest.mark.thorough
def test_a_long_game_beyond_65536_comes_back_with_its_merges():
    want = read_old(LONG_GAME.read_bytes())
    found = read_rpl(write_rpl(want))
    assert (found.moves, found.merge_32768, found.problem) == (want.moves, True, "")
    assert max(map(max, found.positions())) >= 16
    assert all(move.rates is None for move in found.moves)


def test_four_large_tiles_in_the_bottom_row_are_no_walls_unless_the_moves_show_it():
    start = tuple(cells(0x1100_0000_0000_FFFF))
    sideways = Replay(start, (ReplayMove(LEFT, 7, 1, (0.5, 0.5, 0.0, 0.0)),), *LOCKED)
    assert read_rpl(write_rpl(sideways)) == sideways
    # Down would leave tiles where they are, up would move the large ones: made, or worth something.
    down = Replay(start, (ReplayMove(DOWN, 0, 1), ReplayMove(UP, 11, 1)), *WALLS)
    assert read_rpl(write_rpl(down)).walls
    free = Replay(start, (ReplayMove(DOWN, 0, 1), ReplayMove(UP, 12, 1)), *LOCKED)
    assert read_rpl(write_rpl(free)) == free
    worth = Replay(
        start, (ReplayMove(DOWN, 0, 1), ReplayMove(LEFT, 7, 1, (0.5, 0.0, 0.5, 0.0))), *WALLS
    )
    assert read_rpl(write_rpl(worth)).walls


def test_large_tiles_where_small_boards_have_walls_slide_when_the_rows_say_so():
    start = tuple(cells(0x110F_000F_000F_FFFF))
    want = Replay(start, (ReplayMove(LEFT, 7, 1), ReplayMove(DOWN, 1, 1)), *LOCKED)
    found = read_rpl(write_rpl(want))
    assert (found.walls, found.moves, found.problem) == (False, want.moves, "")


def test_two_32768_that_merge_in_the_rows_merge_in_the_replay():
    start = tuple(cells(0xFF10_0000_0000_0000))
    want = Replay(start, (ReplayMove(LEFT, 15, 1), ReplayMove(RIGHT, 0, 1)), *PLAY)
    found = read_rpl(write_rpl(want))
    assert found == want
    assert list(found.positions())[1][0] == 16


def test_a_start_beyond_32768_is_refused_only_where_it_cannot_be_told():
    beyond = (16, 15, 15, *(0,) * 13)
    harmless = Replay((16, 15, 1, *(0,) * 13), (ReplayMove(RIGHT, 0, 1),), *PLAY)
    assert slow.moves_of(read_rpl(write_rpl(harmless))) == [(RIGHT, 0, 1)]
    with pytest.raises(ReplayError, match="starts with tiles above 32768"):
        write_rpl(Replay(beyond, (ReplayMove(RIGHT, 0, 1), ReplayMove(LEFT, 15, 1)), *PLAY))


def one_row(*rates: int, code: int = 0x16) -> Replay:
    return read_rpl(ROW[:8] + bytes([code]) + slow_rates(rates) + bytes(8) + MARK)


def slow_rates(rates: tuple[int, ...]) -> bytes:
    return b"".join(slow.little(rate, 4) for rate in rates)


def test_four_zeros_are_no_rates():
    assert one_row(0, 0, 0, 0).moves[0].rates is None


def test_zero_is_none_for_an_illegal_move_and_a_disaster_for_a_legal_one():
    assert one_row(4_000_000_000, 0, 0, 0).moves[0].rates == (1.0, 0.0, None, 0.0)


def test_beside_a_forced_move_there_is_nothing():
    found = one_row(4_000_000_000, 0, 0, 0, code=0x96)
    assert found.moves[0].rates == (1.0, None, None, None)
    assert found.moves[0].is_forced


@pytest.mark.parametrize("rates", [(1, 0, 1, 0), (4_000_000_001, 0, 0, 0)])
def test_rates_of_another_position_are_left_out_and_told(rates):
    found = one_row(*rates)
    assert found.moves == (ReplayMove(LEFT, 11, 1),)
    assert found.problem.startswith("1 of 1 moves have rates that do not belong")


def test_a_rate_above_1_is_not_written():
    with pytest.raises(ReplayError, match=r"move 1 has the rate 1\.5"):
        write_rpl(Replay(START, (ReplayMove(LEFT, 11, 1, (1.5, 0.0, None, 0.0)),)))


def test_a_position_that_no_row_leads_to_or_from_is_corrected_by_the_moves():
    want = game()
    data = write_rpl(want)
    for row in range(2, len(want.moves)):
        spoilt = bytearray(data)
        spoilt[25 * row + 1] ^= 2  # one nibble of the position of row + 1
        found = read_rpl(bytes(spoilt))
        assert (found.moves, found.gaps) == (want.moves, ())
        assert found.problem.startswith(f"the position in row {row + 1} is not the one ")


def test_a_move_that_is_not_the_one_made_is_followed_by_a_gap():
    want = game()
    data = bytearray(write_rpl(want))
    data[25 * 10 + 8] ^= 1  # a 4 for a 2
    found = read_rpl(bytes(data))
    assert (found.moves[:10], found.moves[11:]) == (want.moves[:10], want.moves[11:])
    assert found.gaps == ((11, list(want.positions())[11]),)
    assert found.problem == "moves are missing after move 11"


def without_rows(data: bytes, *rows: int) -> bytes:
    every = [data[at : at + 25] for at in range(0, len(data), 25)]
    return b"".join(row for i, row in enumerate(every) if i not in rows)


@pytest.mark.parametrize("has_end", [True, False])
def test_the_game_goes_on_after_each_gap(has_end):
    want = game(4, 40)
    data = without_rows(write_rpl(want), 10, 11, 12, 20)
    found = read_rpl(data if has_end else data[:-25])
    positions = list(want.positions())
    assert found.moves == (*want.moves[:10], *want.moves[13:20], *want.moves[21:])
    assert found.gaps == ((10, positions[13]), (17, positions[21]))
    assert list(found.positions()) == positions[:10] + positions[13:20] + positions[21:]
    assert "moves are missing in 2 places, the first of them after move 10" in found.problem
    assert read_rpl(write_rpl(found)) == replace(found, problem=found.problem.split("; ")[-1])


def test_single_rows_between_gaps_count_where_the_end_mark_is_in_its_place():
    want = game(4, 40)
    data = without_rows(write_rpl(want), *range(1, len(want.moves), 2))
    assert read_rpl(data).moves == want.moves[::2]
    with pytest.raises(ReplayError, match="no end mark"):
        read_rpl(data[:-25])


def test_a_row_whose_move_cannot_be_made_is_left_out():
    want = game(4, 40)
    data = bytearray(write_rpl(want))
    data[25 * 10 : 25 * 10 + 8] = bytes(8)
    data[25 * 10 + 8] ^= 3 << 5  # the opposite move
    found = read_rpl(bytes(data))
    assert found.moves == (*want.moves[:10], *want.moves[11:])
    assert "row 11 does not fit the others and was left out" in found.problem


def test_lost_bytes_are_a_gap_before_rows_that_follow_no_more():
    want = game(4, 40)
    data = write_rpl(want)
    found = read_rpl(data[:250] + data[253:])
    assert found.moves == want.moves[:10]
    assert found.gaps == ()


def test_formats_without_positions_cannot_hold_gaps():
    found = read_rpl(without_rows(write_rpl(game(4, 40)), 10, 11))
    for write in (write_rec, write_new):
        with pytest.raises(ReplayError, match="moves are missing after move 10"):
            write(found)


def test_a_file_without_its_end_is_read_to_where_it_ends():
    want, data = game(), write_rpl(game())
    whole = read_rpl(data[:-25])
    assert (whole.moves, whole.problem) == (
        want.moves,
        "the end mark is missing: more moves may follow",
    )
    torn = read_rpl(data[:-40])
    assert (torn.moves, torn.problem) == (
        want.moves[:-1],
        f"the file ends within row {len(want.moves)}",
    )


def test_what_follows_the_end_is_told():
    data = write_rpl(game())
    found = read_rpl(data + data)
    assert found.moves == game().moves
    assert found.problem == f"{len(data)} bytes follow the end mark"


def test_the_tile_in_the_end_mark_prevails_and_is_told():
    want = game()
    data = bytearray(write_rpl(want))
    data[-26 - 16] ^= 1  # the last row has the other tile
    found = read_rpl(bytes(data))
    assert found.moves[:-1] == want.moves[:-1]
    assert found.moves[-1].exponent == want.moves[-1].exponent
    assert "in the end mark, which was believed" in found.problem


def test_an_end_to_which_the_last_move_does_not_lead_is_ignored():
    want = game()
    data = bytearray(write_rpl(want))
    data[-25:-17] = (0x1234_5678_1234_5678).to_bytes(8, "little")
    found = read_rpl(bytes(data))
    assert found.moves == want.moves
    assert f"to which move {len(want.moves)} does not lead: it was ignored" in found.problem


def test_a_game_without_moves_is_its_final_position():
    empty = Replay(FORMATION, (), *LOCKED)
    assert read_rpl(write_rpl(empty)) == empty


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (bytes(8) + MARK, "it holds no position"),
        (ROW, "no end mark"),
        (bytes(25) + bytes(8) + MARK, "move 1 cannot be made"),
        (ROW + bytes([1]) * 25, "it has no end mark"),
        (bytes(5_000_000), "no recorded game has more than"),
    ],
)
def test_what_is_no_recording(data, said):
    with pytest.raises(ReplayError, match=said):
        read_rpl(data)


def test_positions_agree_with_the_rows():
    want = game(3, 200)
    data = write_rpl(want)
    rows = [int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data), 25)]
    assert rows == [bitboard(position) for position in read_rpl(data).positions()]
    assert all(a != b for a, b in pairwise(rows))


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
def test_games_of_all_boards_are_read(seed, board, is_text):
    game = random_game(random.Random(seed), board, 60, largest_ms=1_000_000)
    data = file_of(game, board)
    found = read_rpl1(slow.rpl1_text(data).encode() if is_text else data)
    assert found == game


def test_a_published_file_is_read():
    name, found = read_replay(FULL_3X3.encode())
    assert name == "2048next"
    assert found.start == (1, 2, 1, 15, 2, 1, 2, 15, 1, 2, 1, 15, 15, 15, 15, 15)
    assert (found.moves, found.problem, found.walls) == ((), "", True)


def test_the_published_move_is_read():
    found = read_rpl1(slow.rpl1("4x4", [(0, 1), (4, 1)], [PUBLISHED_MOVE]))
    (move,) = found.moves
    assert (move.direction, move.cell, move.exponent, move.ms) == (RIGHT, 6, 2, 834)


def test_a_text_may_be_broken_into_lines():
    text = slow.rpl1_text(slow.rpl1("4x4", [(0, 1), (4, 1)], [PUBLISHED_MOVE]))
    assert read_rpl1(f"\r\n {text[:30]}\r\n{text[30:]}\r\n".encode()).problem == ""


def test_the_time_of_the_start_and_an_end_mark_do_no_harm():
    began = slow.leb128(1_771_000_000_000)
    data = slow.rpl1("4x4", [(0, 1), (4, 1)], [PUBLISHED_MOVE, b"\x84"], began, flags=1)
    found = read_rpl1(data)
    assert (len(found.moves), found.problem) == (1, "")


def test_moves_taken_back_are_left_out_and_their_time_counts():
    moves = [(DOWN, 0, 1), (DOWN, 1, 1), (LEFT, 15, 2)]
    a, b, c = slow.rpl1_records(moves, [500, 800, 700])
    undo = b"\x80" + slow.leb128(300)
    found = read_rpl1(slow.rpl1("4x4", [(0, 1), (5, 1)], [a, b, undo, c]))
    assert slow.moves_of(found) == [moves[0], moves[2]]
    assert [move.ms for move in found.moves] == [500, 1800]
    both = b"\x81" + slow.leb128(2) + slow.leb128(300)
    found = read_rpl1(slow.rpl1("4x4", [(0, 1), (5, 1)], [a, b, both, a]))
    assert [move.ms for move in found.moves] == [500 + 800 + 300 + 500]


def test_an_unknown_time_stays_unknown():
    records = slow.rpl1_records([(DOWN, 0, 1), (DOWN, 1, 1)], [None, 7])
    found = read_rpl1(slow.rpl1("4x4", [(0, 1), (5, 1)], records))
    assert [move.ms for move in found.moves] == [None, 7]


def test_a_board_that_stands_on_its_end_is_turned():
    """Three columns, four rows: what is up there is left here."""
    data = bytearray(slow.rpl1("3x4", [(0, 1), (3, 1)], [bytes([0 | 5 << 2, 9])]))
    data[4] = 3 | 4 << 4
    data[-4:] = slow.rpl1("4x4", [], [])[-4:]
    found = read_rpl1(bytes(data))
    assert found.start[:5] == (1, 1, 0, 0, 0)
    (move,) = found.moves
    assert (move.direction, move.cell) == (LEFT, 9)  # row 1, column 2 there; row 2, column 1 here


def test_a_stored_position_is_compared():
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
def test_damage_is_told(damage, complaint):
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
def test_what_is_no_game_is_refused(data, complaint):
    with pytest.raises(ReplayError, match=complaint):
        read_rpl1(data)


@given(seeds, st.data())
def test_one_changed_byte_never_goes_unnoticed(seed, draw):
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
def test_no_bytes_do_harm(noise, is_text):
    data = b"RPL1" + bytes([0x44]) + noise
    with suppress(ReplayError):
        read_rpl1(slow.rpl1_text(data).encode() if is_text else data).check()


def test_the_order_of_the_start_tiles_is_kept():
    found = read_rpl1(slow.rpl1("4x4", [(5, 1), (0, 2)], []))
    assert found.start_tiles == ((5, 1), (0, 2))
    assert replace(found, start_tiles=()).start[0] == 2


def test_up_is_up():
    (record,) = slow.rpl1_records([(UP, 15, 1)])
    found = read_rpl1(slow.rpl1("4x4", [(8, 1), (12, 1)], [record]))
    assert list(found.positions())[-1] == (2, *[0] * 14, 1)
