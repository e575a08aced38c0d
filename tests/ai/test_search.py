"""The search against expectimax as in the books, its table, and tiles too large for it."""

import random
import threading
from functools import partial

import numpy as np
import pytest

from ai.evaluation.evaluation import DEFAULT_WEIGHTS, Evaluation, load_evaluation, read_weights
from ai.evaluation.game_net_file import DEFAULT_NETWORK
from ai.evaluation.large_tiles import known_board, search_board
from ai.evaluation.line_tables import line_tables, line_value
from ai.evaluation.rules import game_rules
from ai.search.deepening import best_direction
from ai.search.expectimax import LIMIT, LOCK, N_CONTROLS, chance_value, keeps, lock_of
from ai.search.parallel_search import ParallelSearch
from ai.search.search import Search, SearchSettings
from ai.search.transposition import effort_of, find, new_table, pack, store, value_of
from engine.bitboard import cells, from_cells, parse_board
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
