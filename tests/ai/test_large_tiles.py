"""Search boards of positions with tiles too large for them."""

import random

import numpy as np
import pytest

from ai.evaluation.large_tiles import known_board, search_board
from engine.bitboard import cells, from_cells


def board_of(exponents, most=15):
    return cells(int(search_board(np.array(exponents, np.uint8), most)))


def padded(*tiles):
    return [*tiles, *[0] * (16 - len(tiles))]


@pytest.mark.parametrize(
    ("tiles", "want"),
    [
        ((15, 14, 3, 1), (15, 14, 3, 1)),  # all fits: as it is
        ((16, 15, 13, 9), (15, 14, 13, 9)),  # 16384 is free: what is above it counts half
        ((16, 14, 13, 9), (15, 14, 13, 9)),  # so is 32768: nothing else changes
        ((15, 15, 12, 3), (14, 14, 12, 3)),  # two that merge, merge in the search too
        ((16, 16, 13, 9), (14, 14, 13, 9)),  # larger ones, too
        ((16, 16, 15, 9), (14, 14, 13, 9)),
        ((17, 17, 16, 3), (14, 14, 13, 3)),
        ((17, 16, 16, 3), (15, 14, 14, 3)),
        ((17, 16, 15, 9), (15, 14, 13, 9)),  # two gaps
        ((17, 5, 3), (15, 5, 3)),
        ((17, *range(16, 4, -1)), (15, 15, *range(15, 4, -1))),  # no gap at all
        # No gap but a small one: closed only if otherwise two could not merge.
        ((15, 15, *range(14, 5, -1), 3, 2, 1), (14, 14, *range(13, 4, -1), 3, 2, 1)),
        ((17, 15, 15, *range(14, 5, -1), 3, 1), (15, 14, 14, *range(13, 4, -1), 3, 1)),
        ((16, 16, *range(15, 5, -1), 4, 2), (14, 14, *range(13, 3, -1), 3, 2)),
        ((16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5), (15, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5)),
    ],
)
def test_large_tiles_keep_their_order(tiles, want):
    assert board_of(padded(*tiles)) == padded(*want)


@pytest.mark.parametrize(
    ("tiles", "want"),
    [
        ((14, 13, 12, 2), (14, 13, 12, 2)),
        ((14, 14, 3), (14, 14, 3)),
        ((15, 13, 12, 2), (14, 13, 12, 2)),
        ((15, 14, 12, 11), (14, 13, 12, 11)),
        ((15, 14, 13, 12, 10), (14, 13, 12, 11, 10)),
        ((15, 15, 13), (14, 14, 13)),
        ((15, 15, *range(14, 5, -1), 3, 2, 1), (14, 14, *range(13, 4, -1), 3, 2, 1)),
        ((16, 13, 3), (14, 13, 3)),
        ((16, 15, 13, 12), (14, 13, 12, 11)),  # the gaps are 16384 and 2048
        ((17, 15, 13, 12), (14, 13, 12, 11)),  # and 65536
        ((17, 16, 15, 14, 12, 8, 3), (14, 13, 12, 11, 10, 8, 3)),
        (tuple(range(15, 5, -1)), tuple(range(15, 5, -1))),
    ],
)
def test_a_network_sees_none_that_it_does_not_know(tiles, want):
    assert board_of(padded(*tiles), 14) == padded(*want)


@pytest.mark.parametrize("most", [14, 15])
def test_the_same_is_seen_of_a_bitboard(most):
    rng = random.Random(2)
    for _ in range(2000):
        exponents = [rng.choice((0, 1, 2, 6, 8, 11, 12, 13, 14, 15)) for _ in range(16)]
        if most == 14 or exponents.count(15) < 2:
            board = np.uint64(from_cells(exponents))
            assert cells(int(known_board(board, most))) == board_of(exponents, most)


def test_whatever_fits_stays_and_order_is_never_lost():
    rng = random.Random(1)
    for _ in range(2000):
        exponents = [rng.choice((0, 1, 2, 3, 5, 8, 13, 14, 15, 16, 17)) for _ in range(16)]
        got = board_of(exponents)
        if max(exponents) < 16 and exponents.count(15) < 2:
            assert got == exponents
        for a, b in zip(exponents, got, strict=True):
            assert (a == 0) == (b == 0)
            assert b <= a
        order = sorted(zip(exponents, got, strict=True))
        assert [b for _, b in order] == sorted(b for _, b in order)
