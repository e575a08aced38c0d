"""Every board of every layer of small tables against the brute-force solver."""

import numpy as np
import numpy.typing as npt
import pytest
from brute_force import Solution
from makers import Solver, TableMaker

from tablebase.reader import Tablebase

Floats = npt.NDArray[np.float64]
Layer = tuple[npt.NDArray[np.uint64], Floats]

RAW_ONE = 4e9
# tinycorner can never win: a table without a single stored board.
NAMES = (
    "2x4", "3x3", "44", "L1", "tinymirror", "tinyangle", "tinycorner", "tinyfree", "tinyends",
)  # fmt: skip
RATES = ("uint32", "float32", "float64")


@pytest.fixture(params=NAMES, scope="module")
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def solved(name: str, solution: Solver) -> Solution:
    return solution(name, 64)


def stored_boards(solved: Solution, layer: int) -> Layer:
    """The boards a table may store (ascending) and their exact rates."""
    rates = sorted(solved.stored(layer).items())
    return np.array([b for b, _ in rates], np.uint64), np.array([r for _, r in rates], np.float64)


@pytest.mark.parametrize("rate", RATES)
def test_every_layer_agrees(name: str, solved: Solution, table: TableMaker, rate: str) -> None:
    with Tablebase.open(table(name, 64, rate)) as reader:
        assert reader.n_layers == len(solved.rates)
        for layer in range(reader.n_layers):
            assert_layer_agrees(
                reader.layer_boards(layer), stored_boards(solved, layer), rate, layer
            )


def assert_layer_agrees(got: Layer, want: Layer, rate: str, layer: int) -> None:
    got_boards, got_raws = got
    boards, exact = want
    stays = np.rint(exact * RAW_ONE) > 0 if rate == "uint32" else exact.astype(rate) > 0
    assert np.array_equal(got_boards, boards[stays]), f"layer {layer}: other boards"
    assert got_raws.dtype == np.dtype(rate)
    check = {"uint32": is_nearest_uint32, "float32": is_nearest_float32, "float64": is_same}[rate]
    wrong = np.flatnonzero(~check(got_raws, exact[stays]))
    assert not wrong.size, (
        f"layer {layer}: {wrong.size} of {got_raws.size} rates differ, first "
        f"{got_boards[wrong[0]]:016x}: {got_raws[wrong[0]]}, expected {exact[stays][wrong[0]]!r}"
    )


def is_nearest_uint32(raws: np.ndarray, exact: Floats) -> npt.NDArray[np.bool_]:
    """The nearest multiple of 1 / 4e9; both neighbours are right next to a tie."""
    return np.abs(raws.astype(np.float64) - exact * RAW_ONE) <= 0.5 + 1e-5


def is_nearest_float32(raws: np.ndarray, exact: Floats) -> npt.NDArray[np.bool_]:
    half_step = np.spacing(exact.astype(np.float32)).astype(np.float64) / 2
    return np.abs(raws.astype(np.float64) - exact) <= half_step * (1 + 1e-6)


def is_same(raws: np.ndarray, exact: Floats) -> npt.NDArray[np.bool_]:
    return np.abs(raws - exact) <= 1e-14 * exact


def test_generated_boards_agree(name: str, solved: Solution, table: TableMaker) -> None:
    with Tablebase.open(table(name, 64)) as reader:
        got = [reader.manifest.layers[layer].boards for layer in range(reader.n_layers)]
    want = [len(solved.rates[i]) - len(solved.reached[i]) for i in range(len(solved.rates))]
    assert got == want


def test_reached_and_dead_boards_need_no_storage(
    name: str, solved: Solution, table: TableMaker
) -> None:
    with Tablebase.open(table(name, 64)) as reader:
        for layer, rates in enumerate(solved.rates):
            for board in list(solved.reached[layer])[:20]:
                assert reader.rate_of(board) == 1.0, f"{board:016x}"
            for board in [b for b, rate in rates.items() if rate == 0][:20]:
                assert reader.rate_of(board) == 0.0, f"{board:016x}"


def test_one_board_at_a_time_and_all_at_once_agree(name: str, table: TableMaker) -> None:
    with Tablebase.open(table(name, 64)) as reader:
        for layer in (0, 1, 10, 30):
            n = reader.manifest.layers[layer].stored
            single = sorted(
                (reader.canonical(board), value)
                for board, value in (reader.stored_board(layer, i) for i in range(n))
            )
            boards, raws = reader.layer_boards(layer)
            assert single == list(zip(boards.tolist(), raws.tolist(), strict=True))


def test_the_solver_knows_a_table_without_winning_boards(solution: Solver) -> None:
    solved = solution("tinycorner", 64)
    assert sum(map(len, solved.rates)) > 500
    assert not any(solved.stored(layer) for layer in range(len(solved.rates)))
