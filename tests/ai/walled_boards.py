"""Positions with walls, for tests."""

import random

from ai.evaluation.walls import SHAPES
from engine.bitboard import cells
from engine.geometry import destinations, permute


def walled_boards(seed, n, goal):
    """Return n boards: a shape of walls in any orientation, with tiles up to the goal beside it."""
    rng = random.Random(seed)
    boards = []
    for _ in range(n):
        board = list(cells(permute(rng.choice(SHAPES), rng.choice(destinations("full")))))
        largest = rng.choice((3, goal - 3, goal - 1, goal - 1, goal))
        for cell in range(16):
            if board[cell] == 0 and rng.random() < 0.7:
                board[cell] = rng.randint(1, largest)
        boards.append(board)
    return boards
