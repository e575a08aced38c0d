"""Boards to test with: seeded, and of every density, for full boards and empty ones are rare."""

import random

import numpy as np

N_RANDOM = 1500


def random_boards(seed, n=N_RANDOM, largest=15):
    """Return lists of 16 exponents; some with few kinds of tiles, so that many merge."""
    rng = random.Random(seed)
    found = []
    for _ in range(n):
        filled = rng.random()
        kinds = [rng.randint(1, largest) for _ in range(rng.choice((1, 2, 3, 6, 15)))]
        if rng.random() < 0.3:
            kinds.append(15)
        found.append([rng.choice(kinds) if rng.random() < filled else 0 for _ in range(16)])
    return found


def to_number(board):
    number = 0
    for exponent in board:
        number = 16 * number + exponent
    return number


def to_array(boards):
    return np.array([to_number(board) for board in boards], np.uint64)


def every_row():
    """Return the cells of all 65,536 rows, as lists."""
    return [[row >> 12, row >> 8 & 15, row >> 4 & 15, row & 15] for row in range(1 << 16)]
