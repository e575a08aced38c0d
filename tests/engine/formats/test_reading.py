"""Any file is recognized by its content."""

import random
from contextlib import suppress

import pytest
import slow_codecs as slow
from hypothesis import given
from hypothesis import strategies as st
from recorded_games import WALLS_OF, random_game, table_game

from engine.bitboard import LEFT, RIGHT, cells
from engine.formats.reading import read_replay
from engine.formats.rec import read_rec, write_rec
from engine.formats.replay import Replay, ReplayError
from engine.formats.rpl import write_rpl
from engine.formats.verse2048 import write_new, write_old

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
def test_every_format_of_every_board_is_told(seed: int, name: str, board: str) -> None:
    game = random_game(random.Random(seed), board, 40)
    found_name, found = read_replay(WRITERS[name](game))
    assert (found_name, found.moves, found.problem) == (name, game.moves, "")


@given(seeds, st.sampled_from(("rpl", "rec")))
def test_games_of_tables_are_told(seed: int, name: str) -> None:
    game = table_game(random.Random(seed), FORMATION, 40)
    found_name, found = read_replay(WRITERS[name](game))
    assert (found_name, slow.moves_of(found)) == (name, slow.moves_of(game))


@given(seeds, st.sampled_from(sorted(WRITERS)), st.integers(1, 30))
def test_a_file_without_its_end_is_still_told(seed: int, name: str, n_lost: int) -> None:
    game = random_game(random.Random(seed), n_moves=40)
    found_name, found = read_replay(WRITERS[name](game)[:-n_lost])
    assert found_name == name
    assert found.moves == game.moves[: len(found.moves)]
    assert len(found.moves) >= len(game.moves) - n_lost


@given(st.binary(max_size=400))
def test_anything_else_is_refused_or_can_be_played(data: bytes) -> None:
    with suppress(ReplayError):
        read_replay(data)[1].check()


def test_a_damaged_history_is_not_taken_for_practice() -> None:
    data = bytearray(slow.history([0] * 12 + [1, 1, 0, 0], [(LEFT, 0, 1), (RIGHT, 8, 1)]))
    data[13 + 12] = 9  # the move; and the first bytes might be those of a .rec
    assert read_rec(bytes(data)).problem
    with pytest.raises(ReplayError, match="row 2 has move 9; expected 1 to 4"):
        read_replay(bytes(data))


def test_the_message_says_what_was_expected() -> None:
    with pytest.raises(ReplayError, match=r"expected a replay of 2048verse .*\.rpl or \.rec"):
        read_replay(b"GIF89a and so on")
