"""Several threads find what one finds, and the same every time."""

import numpy as np
import pytest

from ai.evaluation.evaluation import Evaluation, load_evaluation, read_weights
from ai.evaluation.line_values import line_values
from ai.search.parallel_search import ParallelSearch
from ai.search.search import Search, SearchSettings
from engine.bitboard import cells, parse_board
from tests.ai.slow_search import SlowSearch

WALLED = cells(parse_board("2000_a901_db20_ec42"))
IN_A_CORNER = [14, 13, 0, 1, 12, 11, 9, 8, 0, 0, 2, 0, 0, 0, 1, 0]
POSITIONS = [cells(parse_board(text)) for text in ("1213_3520_2763_dba8", "0001_1043_2165_c973")]


@pytest.fixture(scope="module")
def evaluation():
    return Evaluation(read_weights())


@pytest.fixture
def split(evaluation):
    search = ParallelSearch(evaluation, 2, least_nodes=0)
    yield search
    search.close()


@pytest.fixture(scope="module")
def with_nets():
    return load_evaluation()


def test_two_threads_give_the_same_bits_every_time(evaluation):
    runs = []
    for _ in range(2):
        search = ParallelSearch(evaluation, 2, table_size_log2=10, least_nodes=0)
        answers = [search.by_nodes(board, 3000) for board in POSITIONS * 3]
        runs.append([(a.direction, a.values, a.depth, a.nodes) for a in answers])
        search.close()
    assert runs[0] == runs[1]


def test_values_are_those_of_the_books(evaluation):
    """Two moves ahead, where no table entry can be too deep."""
    split = ParallelSearch(evaluation, 2, SearchSettings(max_depth=2, slack=2000), least_nodes=0)
    weights = read_weights()[-1]
    edge, inner = (
        line_values(weights.weights, on_edge, weights.ranks) for on_edge in (True, False)
    )
    slow = SlowSearch(edge, inner, weights.dead, weights.points)
    for board in POSITIONS:
        want = slow.values(board, 1, 2000, 2)
        got = split.by_nodes(board, 10**9)
        assert got.depth == 2
        for a, b in zip(got.values, want, strict=True):
            assert a == (b if b is None else pytest.approx(b, abs=8.0))
    split.close()


@pytest.mark.parametrize("threads", [2, 3])
def test_several_threads_agree_with_one_at_the_same_depth(evaluation, threads):
    settings = SearchSettings(max_depth=4, slack=2000)
    split = ParallelSearch(evaluation, threads, settings, least_nodes=0)
    single = Search(evaluation, settings)
    for board in POSITIONS:
        several, one = split.by_nodes(board, 10**9), single.by_nodes(board, 10**9)
        assert (several.direction, several.depth) == (one.direction, one.depth)
    split.close()


@pytest.mark.thorough
@pytest.mark.parametrize("board", [WALLED, IN_A_CORNER])
def test_beside_walls_several_threads_see_the_chances_that_one_sees(with_nets, board):
    """Two moves ahead, where no table entry can be too deep: to the last digits."""
    settings = SearchSettings(max_depth=2, slack=2000)
    split, single = (
        ParallelSearch(with_nets, 2, settings, least_nodes=0),
        Search(with_nets, settings),
    )
    several, one = split.by_nodes(board, 10**9), single.by_nodes(board, 10**9)
    assert several.is_chance
    assert one.is_chance
    assert several.values == pytest.approx(one.values, abs=1e-6)
    assert 0.0 in one.values  # a move that breaks the walls
    split.close()


@pytest.mark.thorough
def test_all_threads_are_told_what_is_known(with_nets):
    settings = SearchSettings(max_depth=4, slack=4000, n_rare=3, overrun=1e6)
    split, single = (
        ParallelSearch(with_nets, 2, settings, least_nodes=0),
        Search(with_nets, settings),
    )

    def all_alike(afters):
        return np.full(afters.size, 0.375, np.float32)

    several = split.by_nodes(WALLED, 10**9, all_alike)
    one = single.by_nodes(WALLED, 10**9, all_alike)
    legal = [value for value in several.values if value]
    assert legal == pytest.approx([0.375] * len(legal))
    assert several.values == pytest.approx(one.values, abs=1e-6)
    split.close()


def test_several_threads_count_the_rarer_tile_as_one_does():
    """Where fours are likelier, that is the 2."""
    evaluation = Evaluation(read_weights(), 0.9)
    settings = SearchSettings(max_depth=3, slack=2000, n_rare=1, overrun=1e6)
    split = ParallelSearch(evaluation, 2, settings, least_nodes=0)
    single = Search(evaluation, settings)
    for board in POSITIONS:
        several, one = split.by_nodes(board, 10**9), single.by_nodes(board, 10**9)
        for a, b in zip(several.values, one.values, strict=True):
            assert a == (b if b is None else pytest.approx(b, rel=1e-5))
    split.close()


def test_a_small_search_is_that_of_one_thread(evaluation):
    split, single = ParallelSearch(evaluation, 2, least_nodes=5000), Search(evaluation)
    for nodes in (300, 4999):
        mine, one = split.by_nodes(POSITIONS[1], nodes), single.by_nodes(POSITIONS[1], nodes)
        assert (mine.values, mine.depth, mine.nodes) == (one.values, one.depth, one.nodes)
    split.close()


def test_positions_without_a_move_or_with_one(split):
    assert split.by_nodes(cells(parse_board("1212_2121_1212_2121")), 100).direction is None
    only = split.by_nodes(cells(parse_board("1234_0000_0000_0000")), 100)
    assert (only.direction, only.depth) == (3, 2)


def test_a_search_counts_its_own_nodes_alone(evaluation):
    """A small one, of one thread, after a large one of two."""
    split = ParallelSearch(evaluation, 2, least_nodes=5000)
    assert split.by_nodes(POSITIONS[0], 100_000).nodes >= 100_000
    small = split.by_nodes(POSITIONS[1], 300)
    assert 300 <= small.nodes <= 300 * SearchSettings().overrun + 1
    split.close()


def test_more_threads_than_positions_use_all_nodes_too(evaluation):
    """Four positions follow the two moves: most threads have nothing to do."""
    split = ParallelSearch(evaluation, 64, table_size_log2=10, least_nodes=0)
    board = cells(parse_board("5335_8651_2990_1213"))
    assert split.by_nodes(board, 20_000).nodes >= 20_000
    split.close()


def test_a_game_of_many_searches_is_answered_to_its_end(split):
    """The age of entries that earlier searches left in the tables starts over repeatedly."""
    for board in POSITIONS * 20:
        assert split.by_nodes(board, 100).direction is not None


def test_an_answer_there_is_even_when_the_first_depth_is_cut(evaluation):
    split = ParallelSearch(evaluation, 2, SearchSettings(max_depth=2), least_nodes=0)
    cut = split.by_nodes(POSITIONS[1], 1)
    assert cut.direction is not None
    assert cut.depth == 2
    split.close()
