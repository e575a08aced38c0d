"""Fast slides are those of the oracle, tiles beyond 32768 included."""

import random

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.formats.sliding import legal_moves, slide

RULES = [(False, False), (False, True), (True, False)]
few_kinds = st.lists(st.sampled_from((0, 0, 1, 2, 14, 15, 16)), min_size=16, max_size=16)
any_kinds = st.lists(st.integers(0, 17), min_size=16, max_size=16)


@pytest.mark.parametrize(("walls", "merge"), RULES)
@given(cells=few_kinds | any_kinds)
def test_a_slide_is_that_of_the_oracle(walls, merge, cells):
    for direction in range(4):
        want = oracle.move(cells, direction, walls, merge)[0]
        assert slide(tuple(cells), direction, walls, merge) == tuple(want)
        assert legal_moves(tuple(cells), walls, merge)[direction] is (want != cells)


def test_walls_are_not_tiles_even_where_tiles_merge():
    assert slide((15, 0, 1, 15, *(0,) * 12), 0, True, True)[:4] == (15, 1, 0, 15)


def test_a_line_asked_again_is_the_same():
    rng = random.Random(4)
    boards = [tuple(rng.choice((0, 1, 2)) for _ in range(16)) for _ in range(200)]
    once = [slide(board, rng.randrange(4)) for board in boards]
    rng = random.Random(4)
    [rng.choice((0, 1, 2)) for _ in range(3200)]
    assert [slide(board, rng.randrange(4)) for board in boards] == once
