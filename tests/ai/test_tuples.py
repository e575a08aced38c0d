"""Networks of tuples: lookups against lists, and files that are refused."""

import json
import tracemalloc

import numpy as np
import pytest
import zstandard

from ai.errors import WeightsError
from ai.evaluation.rules import game_rules
from ai.evaluation.tuple_file import read_net
from ai.evaluation.tuple_net import (
    LOST,
    MADE,
    N_STAGES,
    N_WEIGHTS,
    STAGE_SIZE,
    TUPLE_SIZE,
    TUPLES,
    best_net_value,
    net_value,
    tuple_net,
)
from ai.search.expectimax import LIMIT, N_CONTROLS, chance_value
from ai.search.transposition import new_table
from engine.platform.jit import kernel
from tests import oracle
from tests.ai.walled_boards import walled_boards
from tests.engine.boards import to_number

GOAL = 11
UNIT = 3e-7
BOARDS = walled_boards(31, 300, GOAL)


def steps(index):
    """Return a made-up weight: any function that tells indices apart."""
    return index * 2654435761 % 100_003 + 1000


@pytest.fixture(scope="module")
def net():
    weights = np.empty(N_WEIGHTS, np.int16)
    for begin in range(0, N_WEIGHTS, TUPLE_SIZE):  # all at once would take 2 GB
        weights[begin : begin + TUPLE_SIZE] = steps(np.arange(begin, begin + TUPLE_SIZE))
    return tuple_net(weights, UNIT, GOAL)


def slow_value(board):
    """Return the sum over all images and tuples, cell by cell."""
    if GOAL in board:
        return MADE
    stage = 4 * (10 in board) + 2 * (9 in board) + (8 in board)
    total = 0
    for name in oracle.SYMMETRIES:
        image = oracle.transform(board, name)
        for i, cells in enumerate(TUPLES):
            index = 0
            for cell in cells:
                index = 12 * index + min(image[cell], 11)
            total += as_int16(steps(stage * STAGE_SIZE + i * TUPLE_SIZE + index))
    return min(max(total * UNIT, LOST), MADE)


def as_int16(number):
    return (number + 0x8000) % 0x10000 - 0x8000


@kernel
def _values(boards, net, rules, out):
    for i in range(boards.size):
        out[0, i] = net_value(boards[i], net)
        out[1, i] = best_net_value(boards[i], net, rules)


@pytest.mark.thorough
def test_values_are_the_sums_of_their_weights(net):
    out = np.zeros((2, len(BOARDS)), np.float32)
    numbers = np.array([to_number(board) for board in BOARDS], np.uint64)
    _values(numbers, net, game_rules(-1.0, 0.0), out)
    stages = set()
    for board, value, best in zip(BOARDS, *out, strict=True):
        assert value == pytest.approx(slow_value(board), rel=1e-5)
        moves = [oracle.move(board, direction) for direction in range(4)]
        found = [slow_value(after) for after, _ in moves if after != board]
        assert best == pytest.approx(max(found, default=-1.0), rel=1e-5)
        stages.add((GOAL in board, 10 in board, 9 in board, 8 in board))
    assert len(stages) >= 5
    assert len(set(out[0].tolist())) > 100


@pytest.mark.thorough
def test_the_search_takes_a_network(net):
    """One move ahead: the mean over all spawns of the best move."""
    board = next(board for board in BOARDS if 3 < board.count(0) < 7 and GOAL not in board)
    control = np.zeros(N_CONTROLS, np.int64)
    control[LIMIT] = 1 << 40
    rules = game_rules(0.0, 0.0)
    number = np.uint64(to_number(board))
    got = chance_value(number, 1, 2000, 1, rules, net, new_table(8), control)
    want = 0.0
    for spawned, chance in oracle.spawns(board):
        moves = [oracle.move(spawned, direction) for direction in range(4)]
        found = [slow_value(after) for after, _ in moves if after != spawned]
        want += chance * max(found, default=0.0)
    assert got == pytest.approx(want, rel=1e-5)


@pytest.mark.parametrize("content", [b"", b"no frame", b"\x28\xb5\x2f\xfdbroken"])
def test_a_foreign_file_is_told(tmp_path, content):
    path = tmp_path / "net.net"
    path.write_bytes(content)
    with pytest.raises(WeightsError, match=r"net\.net"):
        read_net(path)


GOOD = {"version": 4, "unit": 0.25, "goal": 10}
NOTHING = bytes(STAGE_SIZE // 8)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 3}, "version 3"),
        ({"goal": 9}, "damaged"),
        ({"goal": "10"}, "damaged"),
        ({"unit": 0}, "damaged"),
        ({"unit": None}, "damaged"),
    ],
)
def test_a_wrong_head_is_told(tmp_path, change, words):
    path = tmp_path / "net.net"
    body = b"\n\x50" + NOTHING[1:] + np.array([-128, 7], np.int8).tobytes()
    body += np.array([-1000], np.int16).tobytes() + (N_STAGES - 2) * NOTHING
    body += b"\x80" + NOTHING[1:] + b"\x05"  # the last stage: its first weight is 5
    path.write_bytes(zstandard.compress(json.dumps(GOOD).encode() + body))
    back = read_net(path)
    assert back.weights[:5].tolist() == [0, -1000, 0, 7, 0]
    assert [*np.flatnonzero(back.weights)] == [1, 3, (N_STAGES - 1) * STAGE_SIZE]
    assert back.weights[-STAGE_SIZE] == 5
    assert (back.unit, int(back.goal)) == (0.25, 0xAAAA_AAAA_AAAA_AAAA)
    path.write_bytes(zstandard.compress(json.dumps(GOOD | change).encode() + body))
    with pytest.raises(WeightsError, match=words):
        read_net(path)


@pytest.mark.parametrize("n_stages", [N_STAGES - 1, N_STAGES + 1])
def test_a_file_of_too_few_or_too_many_stages_is_damaged(tmp_path, n_stages):
    path = tmp_path / "net.net"
    path.write_bytes(zstandard.compress(json.dumps(GOOD).encode() + b"\n" + n_stages * NOTHING))
    with pytest.raises(WeightsError, match="damaged"):
        read_net(path)


def test_a_network_that_is_a_bomb_is_refused_without_being_unpacked(tmp_path):
    """A gigabyte of zeros packs into a few kilobytes."""
    path = tmp_path / "bomb.net"
    with path.open("wb") as file, zstandard.ZstdCompressor().stream_writer(file) as stream:
        stream.write(json.dumps(GOOD).encode() + b"\n")
        for _ in range(1024):
            stream.write(bytes(1 << 20))
    tracemalloc.start()
    with pytest.raises(WeightsError, match="damaged"):
        read_net(path)
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2 * N_WEIGHTS + (100 << 20)
