"""Networks of tuples: look-ups against lists, a file that comes back, and learning that learns."""

import numpy as np
import pytest

from ai.errors import WeightsError
from ai.expectimax import LIMIT, N_CONTROLS, chance_value, game_rules
from ai.transposition import new_table
from ai.tuple_file import read_net, write_net
from ai.tuple_net import N_TUPLES, TUPLE_SIZE, TUPLES, TupleNet, best_net_value, net_value
from ai.tuple_training import GAMES, POINTS, new_training, train
from engine.jit import kernel
from tests import oracle
from tests.engine.boards import random_boards, to_number

BOARDS = random_boards(31, 200)


def weight(index):
    """Return a made-up weight: any function that tells indices apart."""
    return np.float32((index * 2654435761 % 100_003) / 100.0)


@pytest.fixture(scope="module")
def net():
    return TupleNet(weight(np.arange(N_TUPLES * TUPLE_SIZE, dtype=np.int64)))


def slow_value(board):
    """Return the sum over all images and tuples, cell by cell."""
    total = 0.0
    for name in oracle.SYMMETRIES:
        image = oracle.transform(board, name)
        for i, cells in enumerate(TUPLES):
            index = 0
            for cell in cells:
                index = 16 * index + image[cell]
            total += float(weight(i * TUPLE_SIZE + index))
    return total


@kernel
def _values(boards, net, rules, out):
    for i in range(boards.size):
        out[0, i] = net_value(boards[i], net)
        out[1, i] = best_net_value(boards[i], net, rules)


def test_values_are_the_sums_of_their_weights(net) -> None:
    out = np.zeros((2, len(BOARDS)), np.float32)
    numbers = np.array([to_number(board) for board in BOARDS], np.uint64)
    _values(numbers, net, game_rules(-1.0, 1.0), out)
    for board, value, best in zip(BOARDS, *out, strict=True):
        assert value == pytest.approx(slow_value(board), rel=1e-5)
        moves = [oracle.move(board, direction) for direction in range(4)]
        found = [slow_value(after) + points for after, points in moves if after != board]
        assert best == pytest.approx(max(found, default=-1.0), rel=1e-5)


def test_the_search_takes_a_network(net) -> None:
    """One move ahead: the mean over all spawns of the best move."""
    board = next(board for board in BOARDS if 3 < board.count(0) < 7)
    control = np.zeros(N_CONTROLS, np.int64)
    control[LIMIT] = 1 << 40
    rules = game_rules(0.0, 1.0)
    number = np.uint64(to_number(board))
    got = chance_value(number, 1, 4000, 1, rules, net, new_table(8), control)
    want = 0.0
    for spawned, chance in oracle.spawns(board):
        moves = [oracle.move(spawned, direction) for direction in range(4)]
        found = [slow_value(after) + points for after, points in moves if after != spawned]
        want += chance * max(found, default=0.0)
    assert got == pytest.approx(want, rel=1e-5)


def test_a_network_comes_back_from_its_file(tmp_path) -> None:
    rng = np.random.default_rng(2)
    weights, use = np.zeros((2, N_TUPLES * TUPLE_SIZE), np.float32)
    at = rng.choice(weights.size, 5000, replace=False)
    weights[at], use[at] = rng.normal(0, 500, 5000), rng.uniform(1, 2, 5000)
    path = tmp_path / "net.npz"
    assert write_net(path, weights, use, 5000) == 5000
    back = read_net(path).weights
    unit = np.abs(weights).max() / 32767
    assert np.abs(back - weights).max() <= 0.51 * unit
    assert write_net(path, weights, use, 100) == 100
    kept = np.flatnonzero(read_net(path).weights)
    assert use[kept].min() >= np.sort(use[at])[-100]


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04broken"])
def test_a_foreign_file_is_told(tmp_path, content: bytes) -> None:
    path = tmp_path / "net.npz"
    path.write_bytes(content)
    with pytest.raises(WeightsError, match=r"net\.npz"):
        read_net(path)


def test_playing_teaches() -> None:
    """Random play scores some 1,100 points; what was learned at the end scores far more."""
    training = new_training(5)
    train(training, 20_000, 0.1)
    early = training.counts[POINTS] / training.counts[GAMES]
    train(training, 300_000, 0.1)
    training.counts[:] = 0
    train(training, 60_000, 0.1)
    late = training.counts[POINTS] / training.counts[GAMES]
    assert late > 4000
    assert late > 1.5 * early
