import numpy as np
import oracle
import pytest
from boards import random_boards, to_array

from engine.bitboard import DOWN, LEFT, RIGHT, UP, cells
from engine.kernels.bulk_moves import BLOCK, slide_all
from engine.moves import row_tables

RULES = pytest.mark.parametrize("walls", [False, True], ids=["standard", "walls"])
U64 = np.uint64


def shuffled_rows_at_every_height(seed=1):
    """Return boards in which each of the 65,536 rows stands once at each of the four heights."""
    rng = np.random.default_rng(seed)
    boards = np.zeros(1 << 16, U64)
    for _ in range(4):
        boards = boards << U64(16) | rng.permutation(1 << 16).astype(U64)
    return boards


def transposed(boards):
    columns = np.zeros_like(boards)
    for cell in range(16):
        nibble = boards >> U64(60 - 4 * cell) & U64(15)
        columns |= nibble << U64(60 - 4 * (cell % 4 * 4 + cell // 4))
    return columns


def by_rows(boards, changes):
    """Return the boards with each row changed as a row table (tested by the oracle) says."""
    out = boards.copy()
    for shift in (48, 32, 16, 0):
        rows = boards >> U64(shift) & U64(0xFFFF)
        out ^= changes[rows].astype(U64) << U64(shift)
    return out


@RULES
def test_sideways_moves_agree_with_the_row_tables_on_every_row(walls):
    boards, tables = shuffled_rows_at_every_height(), row_tables(walls)
    moved = slide_all(boards, walls)
    assert np.array_equal(moved[LEFT], by_rows(boards, tables.left))
    assert np.array_equal(moved[RIGHT], by_rows(boards, tables.right))


@RULES
def test_upright_moves_agree_with_the_row_tables_on_every_column(walls):
    columns, tables = shuffled_rows_at_every_height(), row_tables(walls)
    moved = slide_all(transposed(columns), walls)
    assert np.array_equal(transposed(moved[UP]), by_rows(columns, tables.left))
    assert np.array_equal(transposed(moved[DOWN]), by_rows(columns, tables.right))


@RULES
def test_whole_boards_agree_with_the_oracle(walls):
    boards = random_boards(2)
    moved = slide_all(to_array(boards), walls)
    for i, board in enumerate(boards):
        for direction in range(4):
            assert cells(moved[direction, i]) == oracle.move(board, direction, walls)[0]


@pytest.mark.parametrize("n", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK - 1, 3 * BLOCK])
def test_every_board_is_moved_however_many_there_are(n):
    boards = shuffled_rows_at_every_height(3)[:n]
    moved = slide_all(boards)
    assert moved.shape == (4, n)
    assert np.array_equal(moved[LEFT], by_rows(boards, row_tables().left))
    assert np.array_equal(moved[DOWN], transposed(by_rows(transposed(boards), row_tables().right)))


def test_the_input_stays_and_may_be_a_view():
    boards = shuffled_rows_at_every_height(5)
    kept = boards.copy()
    every_second = slide_all(boards[::2])
    assert np.array_equal(every_second, slide_all(boards)[:, ::2])
    assert np.array_equal(boards, kept)
