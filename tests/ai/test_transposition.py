"""What the transposition table finds, and what it gives up first."""

import numpy as np
import pytest

from ai.search.transposition import effort_of, find, new_table, pack, store, value_of
from engine.platform.jit import kernel


@kernel
def _store(board, value, depth, slack, n_rare, effort, tag, age, table):
    store(board, pack(value, depth, slack, n_rare, effort, tag, age), age, table)


@kernel
def _find(board, depth, slack, n_rare, tag, table, out):
    at = find(board, depth, slack, n_rare, tag, table)
    if at:
        out[0] = value_of(table[at])
    return at != 0


@kernel
def _effort(nodes):
    return effort_of(nodes)


def look_up(table, board, depth=3, slack=50, n_rare=1, tag=0):
    out = np.zeros(1, np.float32)
    found = _find(np.uint64(board), depth, slack, n_rare, tag, table, out)
    return float(out[0]) if found else None


def keep(table, board, value=1.5, depth=3, slack=50, n_rare=1, effort=10, tag=0, age=1):
    _store(np.uint64(board), np.float32(value), depth, slack, n_rare, effort, tag, age, table)


@pytest.mark.parametrize("value", [0.0, -1.25, 123456.78, -4e5])
def test_a_value_comes_back_as_it_was(value):
    table = new_table(8)
    keep(table, 0x1234, value, depth=63, slack=4095, n_rare=3, effort=63, tag=3, age=15)
    assert look_up(table, 0x1234, 63, 4095, 3, 3) == np.float32(value)


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ({}, True),
        ({"depth": 2, "slack": 49, "n_rare": 0}, True),
        ({"depth": 4}, False),
        ({"slack": 51}, False),
        ({"n_rare": 2}, False),
        ({"tag": 1}, False),
    ],
)
def test_an_entry_answers_only_what_it_was_searched_for(asked, answers):
    table = new_table(8)
    keep(table, 0x1234)
    assert (look_up(table, 0x1234, **asked) is not None) is answers


def test_no_board_answers_for_another():
    table = new_table(2)  # one bucket: all boards meet
    for board in range(1, 5):
        keep(table, board, float(board))
    assert [look_up(table, board) for board in range(1, 7)] == [1, 2, 3, 4, None, None]


def test_the_cheapest_entry_goes_first_and_age_makes_cheap():
    table = new_table(2)
    for board, effort in ((1, 30), (2, 20), (3, 40), (4, 50)):
        keep(table, board, effort=effort, age=1)
    keep(table, 5, effort=25, age=2)
    assert look_up(table, 2) is None
    assert look_up(table, 5) == 1.5
    keep(table, 6, effort=25, age=14)  # all others lost effort by then, the oldest most
    assert [look_up(table, board) is None for board in (1, 3, 4, 5)] == [True, False, False, False]


def test_a_board_has_one_entry():
    table = new_table(2)
    for value in (1.0, 2.0, 3.0):
        keep(table, 9, value)
    assert np.count_nonzero(table[::2]) == 1
    assert look_up(table, 9) == 3.0


def test_effort_grows_with_the_nodes():
    efforts = [_effort(nodes) for nodes in (1, 4, 16, 1 << 10, 1 << 20, 1 << 40)]
    assert efforts == sorted(set(efforts))
    assert efforts[-1] <= 63


def test_buckets_lie_on_cache_lines():
    assert new_table(6).ctypes.data % 64 == 0
    with pytest.raises(ValueError, match=r"expected 2\*\*2 to 2\*\*30"):
        new_table(31)
