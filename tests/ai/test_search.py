"""The search against expectimax as in the books, and what it promises beside."""

import threading
from functools import partial

import numpy as np
import pytest

from ai.evaluation.evaluation import DEFAULT_WEIGHTS, Evaluation, load_evaluation, read_weights
from ai.evaluation.game_net_file import DEFAULT_NETWORK
from ai.evaluation.line_tables import line_tables, line_value
from ai.evaluation.rules import game_rules
from ai.search.deepening import best_direction
from ai.search.expectimax import LIMIT, LOCK, N_CONTROLS, chance_value, keeps, lock_of
from ai.search.parallel_search import ParallelSearch
from ai.search.search import Search, SearchSettings
from ai.search.transposition import new_table
from engine.bitboard import cells, parse_board
from engine.platform.jit import kernel
from tests.ai import slow_search
from tests.ai.slow_search import SlowSearch, evaluate
from tests.engine.boards import random_boards, to_number

DEAD = -50_000.0
BOARDS = random_boards(11, 60)


@kernel
def _values_of(boards, lines, out):
    for i in range(boards.size):
        out[i] = line_value(boards[i], lines)


@kernel
def _keeps(board, moved, lock):
    return keeps(board, moved, lock)


@pytest.fixture(scope="module")
def line_worths():
    """Any numbers will do, different in both directions, as tuned ones are."""
    rng = np.random.default_rng(3)
    return rng.integers(-9000, 9000, (2, 65536)).astype(float)


def whole_game():
    return Evaluation(read_weights())


@pytest.mark.thorough
def test_the_evaluation_is_the_sum_of_the_better_directions(line_worths):
    boards = random_boards(12, 500)
    out = np.zeros(len(boards), np.int64)
    numbers = np.array([to_number(board) for board in boards], np.uint64)
    _values_of(numbers, line_tables(*line_worths), out)
    assert out.tolist() == [evaluate(board, *line_worths) for board in boards]


@pytest.mark.parametrize(
    ("depth", "slack", "n_rare", "points", "spawn4"),
    [
        (0, 500, 2, 0.0, 0.1),
        (1, 500, 2, 0.0, 0.1),
        (2, 500, 1, 0.5, 0.1),
        (2, 90, 2, 0.0, 0.1),
        (2, 40, 2, 1.0, 0.1),
        (2, 500, 1, 0.5, 0.8),
        (2, 90, 2, 0.0, 0.9),
        (2, 500, 2, 0.0, 1.0),
    ],
)
def test_values_agree_with_the_books(line_worths, depth, slack, n_rare, points, spawn4):
    """A board recurs at one depth and slack only in searches this shallow: the table changes
    nothing."""
    slow = SlowSearch(*line_worths, DEAD, points, spawn4)
    lines, rules = line_tables(*line_worths, points), game_rules(DEAD, points, spawn4)
    for board in BOARDS[: 12 if depth == 2 else 60]:
        if 0 not in board or (depth == 2 and board.count(0) > 7):
            continue
        control = np.zeros(N_CONTROLS, np.int64)
        control[LIMIT] = 1 << 60
        number = np.uint64(to_number(board))
        got = chance_value(number, depth, slack, n_rare, rules, lines, new_table(12), control)
        want = slow.after(board, depth, slack, n_rare)
        assert got == pytest.approx(want, abs=2.0, rel=1e-5), f"{number:016x}"


LARGE_BOARDS = [
    board
    for board in random_boards(17, 400, largest=15)
    if 2 <= board.count(0) <= 6 and len(slow_search.locked_cells(board)) >= 2
]


def test_a_lock_is_of_large_tiles_that_stand_alone():
    for board in LARGE_BOARDS:
        want = sum(15 << 4 * (15 - cell) for cell in slow_search.locked_cells(board))
        assert lock_of(np.uint64(to_number(board))) == want
    assert lock_of(np.uint64(0x9988_CC00_0000_000A)) == 0xF


def test_a_locked_tile_stays_or_grows():
    rng = np.random.default_rng(5)
    for board in LARGE_BOARDS:
        steps = (rng.integers(-1, 2, 16) * rng.integers(0, 16, 16)).tolist()
        after = [max(0, min(15, tile + step)) for tile, step in zip(board, steps, strict=True)]
        for moved in (after, board, [min(15, tile + 1) for tile in board]):
            for locked in ([], [0], [15], slow_search.locked_cells(board)):
                lock = sum(15 << 4 * (15 - cell) for cell in locked)
                numbers = (np.uint64(to_number(one)) for one in (board, moved))
                assert _keeps(*numbers, np.uint64(lock)) == slow_search.keeps(board, moved, locked)


@pytest.mark.thorough
@pytest.mark.parametrize(("depth", "slack", "n_rare"), [(2, 500, 1), (2, 70, 2)])
def test_values_under_a_lock_agree_with_the_books(line_worths, depth, slack, n_rare):
    slow, rules = SlowSearch(*line_worths, DEAD), game_rules(DEAD)
    lines, n_different = line_tables(*line_worths), 0
    for board in LARGE_BOARDS[:25]:
        control = np.zeros(N_CONTROLS, np.int64)
        number = np.uint64(to_number(board))
        control[LIMIT], control[LOCK] = 1 << 60, np.uint64(lock_of(number)).astype(np.int64)
        got = chance_value(number, depth, slack, n_rare, rules, lines, new_table(12), control)
        want = slow.after(board, depth, slack, n_rare, slow_search.locked_cells(board))
        assert got == pytest.approx(want, abs=2.0, rel=1e-5), f"{number:016x}"
        n_different += abs(want - slow.after(board, depth, slack, n_rare)) > 4
    assert n_different > 5


def test_three_moves_ahead_the_table_changes_nothing(line_worths):
    """With twos only, a board's sum tells how deep it stands, so no entry is too deep."""
    slow, lines = SlowSearch(*line_worths, DEAD), line_tables(*line_worths)
    for text in ("1234_5678_4321_0020", "9875_4230_1310_2001"):
        board = cells(parse_board(text))
        control = np.zeros(N_CONTROLS, np.int64)
        control[LIMIT] = 1 << 60
        number = np.uint64(to_number(board))
        rules = game_rules(DEAD)
        got = chance_value(number, 3, 4000, 0, rules, lines, new_table(12), control)
        assert got == pytest.approx(slow.after(board, 3, 4000, 0), abs=2.0, rel=1e-5)


def test_same_searches_give_same_answers_with_a_kept_table():
    evaluation = whole_game()
    boards = [board for board in random_boards(13, 30) if 0 in board]
    runs = []
    for _ in range(2):
        search = Search(evaluation, table_size_log2=10)  # small: entries are replaced all the time
        answers = [search.by_nodes(board, 300) for board in boards]
        runs.append([(a.direction, a.values, a.depth, a.nodes) for a in answers])
    assert runs[0] == runs[1]


def test_a_larger_budget_looks_deeper_and_keeps_within_its_overrun():
    search = Search(whole_game())
    board = cells(parse_board("cba9_5678_4321_0010"))
    depths = []
    for nodes in (10, 1000, 100_000):
        search.forget()
        answer = search.by_nodes(board, nodes)
        assert answer.nodes <= 8 * nodes + 200
        depths.append(answer.depth)
    assert depths[0] < depths[1] < depths[2]


@pytest.mark.thorough
@pytest.mark.parametrize("make", [Search, partial(ParallelSearch, least_nodes=1)])
def test_search_where_all_lines_are_improbable_ends_where_they_end(make):
    """Two small tiles on an empty board: after a few moves each line is one of a thousand."""
    board = cells(parse_board("0100_0000_0000_0001"))
    answer = make(load_evaluation(DEFAULT_NETWORK)).by_nodes(board, 1_000_000)
    assert 2 <= answer.depth <= 8
    assert answer.nodes < 100_000


def test_a_position_without_moves_has_no_answer():
    answer = Search(whole_game()).by_nodes(cells(parse_board("1212_2121_1212_2121")), 100)
    assert (answer.direction, answer.depth) == (None, 0)


@pytest.mark.thorough
@pytest.mark.parametrize("path", [DEFAULT_WEIGHTS, DEFAULT_NETWORK], ids=["lines", "network"])
@pytest.mark.parametrize(
    "tiles",
    [
        (15, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 1, 3, 1, 2, 5),
        (16, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 1, 4, 5, 1),
        (17, 15, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 1, 3, 1, 2),
        (15, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1),  # one of each other tile
    ],
)
def test_two_tiles_too_large_to_fit_may_merge_as_the_only_move(path, tiles):
    found = Search(load_evaluation(path)).by_nodes(tiles, 100)
    assert found.direction in (0, 1)
    assert [value is not None for value in found.values] == [True, True, False, False]


def test_only_legal_moves_have_values():
    answer = Search(whole_game()).by_nodes(cells(parse_board("1234_0000_0000_0000")), 100)
    assert [value is not None for value in answer.values] == [False, False, False, True]
    assert answer.direction == 3


@pytest.mark.parametrize("make", [Search, partial(ParallelSearch, threads=2, least_nodes=0)])
def test_stop_ends_a_long_search_at_once(make):
    search = make(whole_game())
    board = cells(parse_board("0210_1321_5432_cba6"))
    search.by_nodes(board, 10)  # compiled from here on
    timer = threading.Timer(0.2, search.stop)
    timer.start()
    answer = search.by_nodes(board, 10**11)
    assert answer.ms < 5000
    assert answer.direction is not None
    timer.join()
    assert search.by_nodes(board, 10_000).depth > 2


@pytest.mark.parametrize("make", [Search, partial(ParallelSearch, threads=2, least_nodes=0)])
def test_a_stop_before_the_search_has_begun_counts(make):
    """Whoever asked changed his mind while the thread that searches was not there yet."""
    search = make(whole_game())
    board = cells(parse_board("0210_1321_5432_cba6"))
    search.stop()
    answer = search.by_nodes(board, 300_000, is_cancelled=lambda: True)
    assert answer.direction is not None
    assert answer.nodes < 30_000
    assert search.by_nodes(board, 300_000).nodes > 100_000


def test_the_first_of_equal_moves_is_best():
    assert best_direction(np.array([1, 3, 3, 2], np.float32)) == 1


def test_an_obvious_merge_is_found():
    """Two 32768: no move is better than to merge them, and nothing else saves the game."""
    board = [15, 15, 4, 5, 3, 4, 5, 6, 6, 5, 4, 3, 1, 2, 3, 1]
    answer = Search(whole_game(), SearchSettings(max_depth=3)).by_nodes(board, 10_000)
    assert answer.direction in (0, 1)
