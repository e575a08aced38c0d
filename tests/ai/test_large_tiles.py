"""Search boards of positions with tiles too large for them."""

import random

import numpy as np
import pytest

from ai.evaluation.large_tiles import search_board
from engine.bitboard import cells


def board_of(exponents):
    return cells(int(search_board(np.array(exponents, np.uint8))))


def padded(*tiles):
    return [*tiles, *[0] * (16 - len(tiles))]


@pytest.mark.parametrize(
    ("tiles", "want"),
    [
        ((15, 14, 3, 1), (15, 14, 3, 1)),  # all fits: as it is
        ((16, 15, 13, 9), (15, 14, 13, 9)),  # 16384 is free: what is above it counts half
        ((16, 14, 13, 9), (15, 14, 13, 9)),  # so is 32768: nothing else changes
        ((15, 15, 12, 3), (14, 14, 12, 3)),  # two that merge, merge in the search too
        ((17, 16, 15, 9), (15, 14, 13, 9)),  # two gaps
        ((17, 5, 3), (15, 5, 3)),
        ((16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5), (15, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5)),
    ],
)
def test_large_tiles_keep_their_order(tiles, want) -> None:
    assert board_of(padded(*tiles)) == padded(*want)


def test_whatever_fits_stays_and_order_is_never_lost() -> None:
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
