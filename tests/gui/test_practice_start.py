"""Starts that vary, and are still starts."""

from engine.bitboard import cells, tile_sum
from engine.spawn import Rng
from gui.practice.game import varied_start
from tests.gui.practice_fakes import L3_START, FakeTable


def test_they_differ_and_lie_a_few_moves_ahead():
    rng = Rng(3)
    boards = [varied_start(FakeTable(), rng) for _ in range(60)]
    assert len(set(boards)) > 30
    grown = [tile_sum(board) - tile_sum(L3_START) for board in boards]
    assert min(grown) == 0  # no move at all is one of the ten
    assert max(grown) <= 9 * 4


def test_the_same_numbers_give_the_same_start():
    assert varied_start(FakeTable(), Rng(8)) == varied_start(FakeTable(), Rng(8))


def test_a_move_that_spoils_the_game_is_not_made():
    # Down keeps less than half of what up keeps, and right nothing: only up is ever played.
    table = FakeTable(rates={L3_START: (None, 0.0, 0.9, 0.44)})
    up = cells(L3_START)
    for seed in range(40):
        table.probed.clear()
        board = varied_start(table, Rng(seed))
        if len(table.probed) == 1:
            assert cells(board)[0] == 2, (up, cells(board))  # the two 2s of the column merged


def test_where_the_table_knows_nothing_the_first_board_is_the_start():
    table = FakeTable(outside={L3_START})
    assert {varied_start(table, Rng(seed)) for seed in range(10)} == {L3_START}
