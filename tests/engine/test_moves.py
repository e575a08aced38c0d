import numpy as np
import oracle
import pytest
from boards import every_row, random_boards, to_array, to_number

from engine.bitboard import DOWN, LEFT, RIGHT, UP, cells
from engine.kernels import moves as kernels
from engine.moves import can_move, move, move_score, row_tables

pytestmark = pytest.mark.sample(8)  # all: each move has a kernel of its own, in milliseconds

RULES = pytest.mark.parametrize("walls", [False, True], ids=["standard", "walls"])


@RULES
@pytest.mark.parametrize("direction", ["left", "right"])
def test_the_row_tables_agree_with_the_oracle_on_every_row(direction, walls):
    slide = oracle.slide_row_left if direction == "left" else oracle.slide_row_right
    table, score = getattr(row_tables(walls), direction), row_tables(walls).score
    for row, row_cells in enumerate(every_row()):
        want, points = slide(row_cells, walls)
        got = row ^ int(table[row])
        assert cells(got)[12:] == want, f"row {row:#06x}"
        assert score[row] == points, f"row {row:#06x}"


@RULES
def test_the_row_tables_are_of_the_promised_types_shared_and_read_only(walls):
    tables = row_tables(walls)
    assert [table.dtype for table in tables] == [np.uint16, np.uint16, np.uint32]
    assert row_tables(walls) is tables
    assert not any(table.flags.writeable for table in tables)


@RULES
@pytest.mark.parametrize("direction", [LEFT, RIGHT, UP, DOWN])
def test_moves_agree_with_the_oracle(direction, walls):
    for board in random_boards(direction):
        want, points = oracle.move(board, direction, walls)
        number = to_number(board)
        assert cells(move(number, direction, walls)) == want, f"{number:016x}"
        assert move_score(number, direction, walls) == points, f"{number:016x}"


@RULES
def test_can_move_agrees_with_the_oracle(walls):
    boards = [
        *random_boards(5),
        [1, 2, 3, 4, 2, 3, 4, 1, 1, 2, 3, 4, 2, 3, 4, 1],
        [15] * 16,
        [0] * 16,
    ]
    for board in boards:
        assert can_move(to_number(board), walls) == (not oracle.is_over(board, walls))


@RULES
def test_machine_code_moves_agree_with_the_plain_ones(walls):
    tables = row_tables(walls)
    for board in to_array(random_boards(6, 500)):
        want = [move(int(board), direction, walls) for direction in range(4)]
        assert [int(kernels.slide(board, d, tables)) for d in range(4)] == want
        assert [int(after) for after in kernels.slide_four(board, tables)] == want
        points = [int(kernels.slide_score(board, d, tables)) for d in range(4)]
        assert points == [move_score(int(board), d, walls) for d in range(4)]


def test_the_highest_nibble_does_not_turn_a_board_negative():
    assert int(kernels.slide(np.uint64(0xFFFF << 48), LEFT, row_tables())) == 0xFFFF << 48


def test_two_32768_never_merge_in_tables_and_two_16384_do():
    assert move(0xFF00 << 48, LEFT) == 0xFF00 << 48
    assert move(0xEE00 << 48, LEFT) == 0xF000 << 48
    assert move(0x0F00 << 48, LEFT) == 0xF000 << 48
    assert move(0x0F00 << 48, LEFT, walls=True) == 0x0F00 << 48
    assert move_score(0xEEEE << 48, LEFT) == 65536
