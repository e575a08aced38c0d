"""Whatever a board looks like: as long as it has a move, it is worth more than one that has none.

A player to whom an untidy board is as bad as a lost one plays any move, and soon has lost it.
"""

import numpy as np
import pytest

from ai.evaluation.evaluation import Evaluation, load_evaluation, read_weights
from ai.evaluation.walls import MIN_CHANCE
from ai.search.search import Search, SearchSettings
from engine.bitboard import cells as cells_of
from engine.kernels.cells import slide_cells
from engine.kernels.moves import slide
from engine.moves import row_tables
from engine.platform.jit import kernel
from tests import oracle

N_POSITIONS = 100_000
FOUND = 0xE100_BD00_1C00_2212
"""Six cells empty, and all four moves were worth as much as death: lost 23 moves later."""


def untidy(seed, n):
    """Return positions (uint8[n, 16]) with up to six large tiles anywhere, and a legal move."""
    rng = np.random.default_rng(seed)
    tiles = rng.integers(0, 10, (n, 16))
    tiles[rng.random((n, 16)) < rng.random((n, 1)) * 0.7] = 0
    n_large = rng.integers(0, 7, n)
    order = rng.random((n, 16)).argsort(axis=1)
    large = rng.integers(10, 18, (n, 16))
    boards = np.where(order < n_large[:, None], large, tiles).astype(np.uint8)
    return boards[[any(_slid(board, d) for d in range(4)) for board in boards]]


def _slid(board, direction):
    return slide_cells(board.copy(), direction) >= 0


def sum_of(board):
    return sum(1 << int(tile) for tile in board if tile)


@kernel
def _has_hope(after, moves):
    """Return whether some spawn on an after-state leaves a move."""
    for shift in range(0, 64, 4):
        if (after >> np.uint64(shift)) & np.uint64(15):
            continue
        for tile in (1, 2):
            board = after | np.uint64(tile) << np.uint64(shift)
            for direction in range(4):
                if slide(board, direction, moves) != board:
                    return True
    return False


@pytest.mark.thorough
@pytest.mark.parametrize("has_nets", [False, True], ids=["lines", "lines and networks"])
def test_what_lives_is_worth_more_than_what_is_dead(has_nets):
    evaluation = load_evaluation() if has_nets else Evaluation(read_weights())
    search = Search(evaluation, SearchSettings(max_depth=1))
    n_told_apart = n_several = 0
    for board in untidy(1, N_POSITIONS):
        _, number = evaluation.look(board)
        dead = float(evaluation.phase_of(sum_of(board)).rules.dead)  # of lines
        answer = search.by_nodes(board.tolist(), 1)
        values = [value for value in answer.values if value is not None]
        assert values, f"{number:016x} has a move"
        n_several += len(values) > 1
        n_told_apart += len(values) > 1 and len(set(values)) > 1
        if answer.is_chance:  # moves that break the walls have none: lines judge them if they must
            assert max(values) >= MIN_CHANCE, f"{number:016x}: {answer.values}"
        elif min(values) <= dead:
            for direction, value in enumerate(answer.values):
                after = slide(number, direction, row_tables())
                if after != number and _has_hope(after, row_tables()):
                    assert value > dead, f"{number:016x}: {answer.values}"
    assert n_several > N_POSITIONS // 2
    assert n_told_apart > 0.98 * n_several


def test_the_position_that_was_lost_for_no_reason():
    board = np.array(cells_of(FOUND), np.uint8)
    evaluation = load_evaluation()
    search = Search(evaluation)
    values = [value for value in search.by_nodes(board.tolist(), 3000).values if value is not None]
    assert len(values) == sum(
        oracle.move(cells_of(FOUND), d)[0] != cells_of(FOUND) for d in range(4)
    )
    assert len(set(values)) == len(values)
    assert min(values) > float(evaluation.look(board)[0].rules.dead)
