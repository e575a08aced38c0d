"""Two threads find what one finds, and the same every time."""

import pytest

from ai.evaluation import Evaluation, read_weights
from ai.line_values import line_values
from ai.search import Search, Settings
from ai.split import SplitSearch
from engine.bitboard import cells, parse_board
from tests.ai.slow_search import SlowSearch

POSITIONS = [cells(parse_board(text)) for text in ("1213_3520_2763_dba8", "0001_1043_2165_c973")]


@pytest.fixture(scope="module")
def evaluation():
    return Evaluation(read_weights())


@pytest.fixture
def split(evaluation):
    search = SplitSearch(evaluation, 2)
    yield search
    search.close()


def test_two_threads_give_the_same_bits_every_time(evaluation) -> None:
    runs = []
    for _ in range(2):
        search = SplitSearch(evaluation, 2, table_size_log2=10)
        answers = [search.by_nodes(board, 3000) for board in POSITIONS * 3]
        runs.append([(a.direction, a.values, a.depth, a.nodes) for a in answers])
        search.close()
    assert runs[0] == runs[1]


def test_values_are_those_of_the_books(evaluation) -> None:
    """Two moves ahead, where no table entry can be too deep."""
    split = SplitSearch(evaluation, 2, Settings(max_depth=2, slack=2000))
    weights = read_weights()[-1]
    edge, inner = (line_values(weights.weights, on_edge) for on_edge in (True, False))
    slow = SlowSearch(edge, inner, weights.dead, weights.points)
    for board in POSITIONS:
        want = slow.values(board, 1, 2000, 2)
        got = split.by_nodes(board, 10**9)
        assert got.depth == 2
        for a, b in zip(got.values, want, strict=True):
            assert a == (b if b is None else pytest.approx(b, abs=8.0))
    split.close()


def test_two_threads_agree_with_one_at_the_same_depth(evaluation) -> None:
    settings = Settings(max_depth=4, slack=2000)
    split, single = SplitSearch(evaluation, 2, settings), Search(evaluation, settings)
    for board in POSITIONS:
        two, one = split.by_nodes(board, 10**9), single.by_nodes(board, 10**9)
        assert (two.direction, two.depth) == (one.direction, one.depth)
    split.close()


def test_positions_without_a_move_or_with_one(split) -> None:
    assert split.by_nodes(cells(parse_board("1212_2121_1212_2121")), 100).direction is None
    only = split.by_nodes(cells(parse_board("1234_0000_0000_0000")), 100)
    assert (only.direction, only.depth) == (3, 2)
