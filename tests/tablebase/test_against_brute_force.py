"""Every board of every layer of small tables against the brute-force solver."""

import random

import pytest
from agreement import assert_layer_agrees, stored_boards
from brute_force import Solution
from makers import Solver

from tablebase.probe.reader import Tablebase

# tinycorner can never win: a table without a single stored board.
NAMES = (
    "2x4", "3x3", "44", "L1", "tinymirror", "tinyangle", "tinycorner", "tinyfree", "tinyends",
    "tinyboard",
)  # fmt: skip
RATES = ("uint32", "float32", "float64")


@pytest.fixture(params=NAMES, scope="module")
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def solved(name: str, solution: Solver) -> Solution:
    return solution(name, 64)


@pytest.mark.sample(2)
@pytest.mark.parametrize("rate", RATES)
def test_every_layer_agrees(name, solved, table, rate):
    with Tablebase.open(table(name, 64, rate)) as reader:
        assert reader.n_layers == len(solved.rates)
        for layer in range(reader.n_layers):
            assert_layer_agrees(
                reader.layer_boards(layer), stored_boards(solved, layer), rate, layer
            )


@pytest.mark.sample(2)
def test_generated_boards_agree(name, solved, table):
    with Tablebase.open(table(name, 64)) as reader:
        got = [reader.manifest.layers[layer].boards for layer in range(reader.n_layers)]
    want = [len(solved.rates[i]) - len(solved.reached[i]) for i in range(len(solved.rates))]
    assert got == want


@pytest.mark.sample(1)
def test_reached_and_dead_boards_need_no_storage(name, solved, table):
    """That a dead board comes up is told, or proved for nearly all of them."""
    n_dead = n_unproved = 0
    with Tablebase.open(table(name, 64)) as reader:
        for layer, rates in enumerate(solved.rates):
            for board in list(solved.reached[layer])[:20]:
                assert reader.rate_of(board) == 1.0, f"{board:016x}"
            dead = [board for board, rate in rates.items() if rate == 0]
            for board in random.Random(layer).sample(dead, min(20, len(dead))):
                assert reader.rate_of(board, comes_up=True) == 0.0, f"{board:016x}"
                assert reader.rate_of(board) in (0.0, None), f"{board:016x}"
                n_unproved += reader.rate_of(board) is None
                n_dead += 1
    assert n_unproved <= 0.08 * n_dead  # of all dead boards of tinyfree 5.5 %


@pytest.mark.sample(2)
def test_one_board_at_a_time_and_all_at_once_agree(name, table):
    with Tablebase.open(table(name, 64)) as reader:
        for layer in (0, 1, 10, min(30, reader.n_layers - 1)):
            n = reader.manifest.layers[layer].stored
            single = sorted(
                (reader.canonical(board), value)
                for board, value in (reader.stored_board(layer, i) for i in range(n))
            )
            boards, raws = reader.layer_boards(layer)
            assert single == list(zip(boards.tolist(), raws.tolist(), strict=True))


def test_the_solver_knows_a_table_without_winning_boards(solution):
    solved = solution("tinycorner", 64)
    assert sum(map(len, solved.rates)) > 500
    assert not any(solved.stored(layer) for layer in range(len(solved.rates)))
