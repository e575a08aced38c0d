"""A trained network as a player: values against lists, its file, and never below a lost game."""

import json

import numpy as np
import pytest
import zstandard

from ai.baselines.ladder import make_player
from ai.baselines.ladder_players import NetworkPlayer
from ai.errors import PlayError, WeightsError
from ai.evaluation.game_net import (
    N_STAGES,
    STAGE_SIZE,
    STAGE_SUMS,
    TUPLES,
    GameNet,
    game_net_spawns_value,
    game_net_value,
)
from ai.evaluation.game_net_file import levels_of, nearest, read_game_net, steps_of, write_game_net
from ai.evaluation.rules import game_rules
from engine.jit import kernel
from tests import oracle
from tests.engine.boards import random_boards, to_number

UNIT, STAGE = 0.5, 2
BOARDS = random_boards(5, 60)


@kernel
def value_of(after, net):
    return game_net_value(after, net)


@kernel
def spawns_value_of(after, tiles, net, rules):
    return game_net_spawns_value(after, tiles, net, rules)


def places(board):
    """Return where the 32 weights of a board are in a stage, cell by cell."""
    for name in oracle.SYMMETRIES:
        image = oracle.transform(board, name)
        for i, cells in enumerate(TUPLES):
            yield i * 16**6 + sum(image[cell] << 4 * (5 - n) for n, cell in enumerate(cells))


@pytest.fixture(scope="module")
def net() -> GameNet:
    """Weights for every board of `BOARDS` and what comes of it; each third is of stage 0 alone."""
    weights = np.zeros(N_STAGES * STAGE_SIZE, np.int16)
    rng = np.random.default_rng(4)
    for board in BOARDS:
        for direction in range(4):
            for place in places(oracle.move(board, direction)[0]):
                stage = STAGE if place % 3 else 0
                weights[stage * STAGE_SIZE + place] = rng.integers(-3000, 3000)
    return GameNet(weights, np.float32(UNIT), np.int64(STAGE))


def slow_value(board, net, stage=STAGE):
    """Return the sum of the weights; an unused one is that of the stage before."""
    total = 0
    for place in places(board):
        found = [int(net.weights[s * STAGE_SIZE + place]) for s in range(stage, -1, -1)]
        total += next(filter(None, found), 0)
    value = total * UNIT
    return value if value >= 1 else 1 / (2 - value)


def test_values_are_those_of_lists(net) -> None:
    values = [value_of(np.uint64(to_number(board)), net) for board in BOARDS]
    assert values == pytest.approx([slow_value(board, net) for board in BOARDS], rel=1e-6)
    assert min(values) < 1 < max(values)


def test_a_spawn_is_answered_by_the_best_move_with_its_points(net) -> None:
    rules, n_found = game_rules(0.0, 1.0), 0
    for board in BOARDS:
        for cell in (cell for cell in range(16) if board[cell] in (1, 2)):  # as if it had just come
            tile = board[cell] << 4 * (15 - cell)
            after = np.uint64(to_number(board) ^ tile)
            moves = [oracle.move(board, direction) for direction in range(4)]
            found = [slow_value(a, net) + points for a, points in moves if a != board]
            got = spawns_value_of(after, np.uint64(tile), net, rules)
            assert got == pytest.approx(max(found, default=0.0), rel=1e-6)
            n_found += len(found) > 1
    assert n_found > 10


def test_a_board_that_can_move_is_worth_more_than_a_lost_one(net) -> None:
    """Boards without order, with up to six large tiles, and weights of any sign and size."""
    rng = np.random.default_rng(9)
    wild = GameNet(net.weights.copy(), np.float32(1e4), np.int64(N_STAGES - 1))
    values = set()
    for _ in range(500):
        board = rng.integers(0, 8, 16) * (rng.random(16) < 0.8)
        large = rng.permutation(16)[: rng.integers(0, 7)]
        board[large] = rng.choice(np.arange(8, 16), large.size, replace=False)
        for place in places(board.tolist()):
            wild.weights[place] = rng.integers(-32767, 32767)
        value = value_of(np.uint64(to_number(board.tolist())), wild)
        assert 0 < value < np.inf
        values.add(float(value))
    assert len(values) > 450


@pytest.mark.slow
def test_a_network_comes_back_from_its_file(tmp_path) -> None:
    weights, errors = np.zeros((2, N_STAGES * STAGE_SIZE), np.float32)
    rng = np.random.default_rng(2)
    at = np.sort(rng.choice(3 * STAGE_SIZE, 3000, replace=False))
    weights[at], errors[at] = rng.normal(0, 900, 3000), rng.uniform(1, 2, 3000)
    weights[at[7]] = 1e-30  # learned, and worth nothing
    path = tmp_path / "a.net"
    assert write_game_net(path, weights, errors, 16, 5000) == 3000
    back = read_game_net(path)
    assert np.flatnonzero(back.weights).tolist() == at.tolist()
    assert np.abs(back.weights[at] * back.unit - weights[at]).max() <= 1.01 * back.unit
    assert write_game_net(path, weights, errors, 8, 2000) == 2000
    kept = np.flatnonzero(read_game_net(path).weights)
    assert kept.tolist() == np.sort(at[np.argsort(-errors[at])[:2000]]).tolist()
    raw = path.read_bytes()
    turned = bytearray(raw)
    turned[len(raw) // 2] ^= 1
    for wrong in (raw[:-5], raw[:60], b"", zstandard.compress(b"[]\n"), bytes(turned)):
        path.write_bytes(wrong)
        with pytest.raises(WeightsError, match="damaged"):
            read_game_net(path)
    head = {"version": 2, "bits": 8, "unit": 1.0}
    path.write_bytes(zstandard.compress(json.dumps(head).encode() + b"\n"))
    with pytest.raises(WeightsError, match="version 2"):
        read_game_net(path)
    with pytest.raises(WeightsError, match="expected"):
        read_game_net(tmp_path / "none.net")


def test_levels_are_near_where_most_weights_are() -> None:
    rng = np.random.default_rng(3)
    steps = steps_of(rng.standard_t(3, 50_000).astype(np.float32) * 100, 0.5)
    levels = levels_of(steps)
    assert 0 not in levels
    assert (np.diff(levels) >= 0).all()
    some = steps[:300]
    slow = [
        min(levels.tolist(), key=lambda level, step=step: abs(level - step))
        for step in some.tolist()
    ]
    found = levels[nearest(some, levels)]
    assert np.abs(found - some).tolist() == np.abs(np.array(slow) - some).tolist()
    even = np.linspace(steps.min(), steps.max(), 256).astype(np.int16)
    losses = [
        np.median(np.abs(codes[nearest(steps, codes)] - steps.astype(float)))
        for codes in (levels, even)
    ]
    assert losses[0] < losses[1] / 4


def test_the_player_takes_the_most_points_and_says_when_it_has_no_network(net) -> None:
    greedy = NetworkPlayer(net._replace(stage=np.int64(0)), 1, 0.1)
    for board in BOARDS[:20]:
        tile_sum = sum(1 << tile for tile in board if tile)
        stage = sum(tile_sum >= first for first in STAGE_SUMS)
        chosen = greedy.choose(np.uint64(to_number(board)))
        moves = [oracle.move(board, direction) for direction in range(4)]
        want = [
            slow_value(a, net, stage) + points if a != board else -np.inf for a, points in moves
        ]
        if max(want) == -np.inf:
            assert chosen == -1
        else:
            assert want[chosen] == pytest.approx(max(want), rel=1e-6)
    with pytest.raises(PlayError, match="train"):
        make_player("network-3")
