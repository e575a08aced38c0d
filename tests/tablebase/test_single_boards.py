"""Kernels on single boards against the plain rules of engine.moves."""

import numpy as np
import pytest

from engine.bitboard import LEFT, RIGHT, transpose
from engine.moves import move
from engine.platform.jit import kernel
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations
from tablebase.kernels.single_boards import (
    before_move,
    has_target,
    is_inside,
    is_pushed,
    moved,
    n_before,
    n_tiles,
    place_of,
    rules_of,
)

FORMATIONS = load_formations()


@kernel
def _facts(rules, board, moves):
    for direction in range(4):
        moves[direction] = moved(rules, board, direction)
    return is_inside(rules, board), has_target(rules, board), is_pushed(rules, board)


@kernel
def _before(rules, lines, side, is_upright, number):
    return before_move(rules, lines, side, is_upright, number)


@kernel
def _n_before(rules, lines, side, is_upright):
    return n_before(rules, lines, side, is_upright)


@kernel
def _tiles(board):
    return n_tiles(board)


@kernel
def _place(board, size):
    return place_of(board, size)


def random_boards(formation: Formation, n: int) -> list[int]:
    rng = np.random.default_rng(1)
    found = []
    for _ in range(n):
        f_cells = formation.arrangements[rng.integers(len(formation.arrangements))]
        board = f_cells
        for shift in range(0, 64, 4):
            if (f_cells >> shift) & 15 == 0 and rng.random() < 2 / 3:
                board |= int(rng.integers(1, 7)) << shift
        found.append(board)
    return found


def cells(board: int) -> list[int]:
    return [(board >> shift) & 15 for shift in range(60, -1, -4)]


@pytest.mark.parametrize("name", ["44", "t", "free8", "3x3", "4432f"])
def test_moves_and_questions_are_those_of_the_plain_rules(name):
    formation = FORMATIONS[name]
    rules = rules_of(formation, 64)
    targets = cells(formation.target_cells)
    moves = np.zeros(4, np.uint64)
    for board in random_boards(formation, 200):
        inside, reached, _ = _facts(rules, np.uint64(board), moves)
        assert moves.tolist() == [move(board, d, formation.walls) for d in range(4)]
        assert inside == formation.is_inside(board)
        tiles = cells(board)
        assert reached == any(t and tile == 6 for t, tile in zip(targets, tiles, strict=True))
        assert _tiles(np.uint64(board)) == sum(tile > 0 for tile in tiles)


@pytest.mark.parametrize("name", ["44", "t", "3x3"])
def test_every_way_back_of_a_push_is_another_board_that_it_makes_this_of(name):
    formation = FORMATIONS[name]
    rules = rules_of(formation, 64)
    moves = np.zeros(4, np.uint64)
    n_undone = 0
    for board in random_boards(formation, 100):
        for direction in range(4):
            after = move(board, direction, formation.walls)
            fixed = formation.fixed_mask
            if after & fixed != fixed:
                continue
            assert _facts(rules, np.uint64(after), moves)[2]
            is_upright, side = int(direction >= 2), direction & 1
            lines = transpose(after) if is_upright else after
            source = transpose(board) if is_upright else board
            n = int(_n_before(rules, np.uint64(lines), side, is_upright))
            ways = {int(_before(rules, np.uint64(lines), side, is_upright, k)) for k in range(n)}
            assert len(ways) == n
            assert source in ways
            for before in list(ways)[:50]:
                assert move(before, RIGHT if side else LEFT, formation.walls) == lines
            n_undone += 1
    assert n_undone > 50


def test_boards_that_differ_in_one_cell_have_places_of_their_own():
    """Whichever cell it is: what falls on one place is lost."""
    for shift in range(0, 64, 4):
        boards = np.arange(11, dtype=np.uint64) << np.uint64(shift) | np.uint64(shift == 0) << 60
        assert len({int(_place(board, 256)) for board in boards}) > 7
